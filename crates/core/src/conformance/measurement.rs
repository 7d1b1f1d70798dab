use std::fmt;

use super::TOLERANCE;
use crate::Bounds;

/// What was measured at one distance.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The mean distance of the pairs.
    pub distance: f64,
    /// What was promised, averaged over the pairs.
    pub promised: Bounds,
    /// How often they agreed.
    pub measured: f64,
    /// The standard error of `measured`, between seeds.
    pub standard_error: f64,
}

/// What was measured, by part of the test and distance.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Part (a).
    pub functions: Vec<Measurement>,
    /// Part (b).
    pub scheme: Vec<Measurement>,
}

impl Measurement {
    pub(super) fn new(distance: f64, promised: Bounds, rates: &[f64], trials: usize) -> Self {
        let n = rates.len() as f64;
        let measured = rates.iter().sum::<f64>() / n;
        let variance = rates
            .iter()
            .map(|rate| (rate - measured).powi(2))
            .sum::<f64>()
            / (n - 1.0);
        // Rare events may not show at all and leave no variance: never less than what the
        // promise itself would give, nor than one event among all trials.
        let all = n * trials as f64;
        let p = measured.clamp(promised.lower().value(), promised.upper().value());
        let floor = (p * (1.0 - p) + all.recip()) / all;
        let standard_error = (variance / n).max(floor).sqrt();
        Self {
            distance,
            promised,
            measured,
            standard_error,
        }
    }

    fn not_below(&self) -> bool {
        let lower = self.promised.lower().value();
        let slack = if lower == 1.0 {
            0.0
        } else {
            TOLERANCE * self.standard_error
        };
        self.measured >= lower - slack
    }

    fn not_above(&self) -> bool {
        let upper = self.promised.upper().value();
        let slack = if upper == 0.0 {
            0.0
        } else {
            TOLERANCE * self.standard_error
        };
        self.measured <= upper + slack
    }

    /// Part (a): neither too seldom nor too often.
    pub(super) fn both_sides(&self) -> bool {
        self.not_below() && self.not_above()
    }

    /// Part (b): not too seldom where that is the harm, not too often where that is.
    pub(super) fn harmful_side(&self) -> bool {
        let promised = self.promised;
        (promised.lower().value() < 0.5 || self.not_below())
            && (promised.upper().value() >= 0.5 || self.not_above())
    }
}

impl fmt::Display for Measurement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (lower, upper) = (self.promised.lower().value(), self.promised.upper().value());
        write!(f, "at distance {:.4}: promised {lower:.5}", self.distance)?;
        if upper > lower {
            write!(f, " to {upper:.5}")?;
        }
        write!(
            f,
            ", measured {:.5} ± {:.5}",
            self.measured, self.standard_error
        )
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (part, measurements) in [("one function", &self.functions), ("scheme", &self.scheme)] {
            for measurement in measurements {
                writeln!(f, "{part:>12} {measurement}")?;
            }
        }
        Ok(())
    }
}
