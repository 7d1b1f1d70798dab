use std::fmt;

use super::evidence::Evidence;
use crate::{Bounds, Probability};

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
    /// The smallest error of the promise that would have been detected with probability 0.95; 1 if none would.
    pub detectable: f64,
}

/// What was measured, by part of the test and distance.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// One function, new pairs in every draw: at every distance, and between neighbours.
    pub functions: Vec<Measurement>,
    /// One function, one pair in all draws.
    pub pairs: Vec<Measurement>,
    /// The scheme: each distance twice, the second time with the items exchanged.
    pub scheme: Vec<Measurement>,
}

impl Measurement {
    pub(super) fn new(evidence: &Evidence) -> Self {
        let [lower, upper] = [evidence.lower, evidence.upper].map(Probability::saturating);
        Self {
            distance: evidence.distance,
            promised: Bounds::new(lower, upper).unwrap_or(Bounds::ANYTHING),
            measured: evidence.measured,
            standard_error: evidence.standard_error,
            detectable: evidence.detectable,
        }
    }

    /// Whether the promise is neither nearly certain nor nearly impossible, and close. One that only says "at least" or
    /// "at most" is not: it may be the mean of a certain promise and of none.
    pub(super) fn is_steep(&self) -> bool {
        /// The most that bounds which are close may be apart.
        const CLOSE: f64 = 0.3;
        let bounds = [self.promised.lower(), self.promised.upper()].map(Probability::value);
        bounds.iter().all(|bound| (0.1..=0.9).contains(bound)) && bounds[1] - bounds[0] <= CLOSE
    }
}

/// The measurement that would have seen the smallest error where the promise is steep, from 0.1 to 0.9, or else anywhere.
/// Where nothing is promised there is nothing to see.
pub(super) fn steepest(measurements: &[Measurement]) -> Option<&Measurement> {
    let by = |a: &&Measurement, b: &&Measurement| {
        let order = a.is_steep().cmp(&b.is_steep()).reverse();
        order.then(a.detectable.total_cmp(&b.detectable))
    };
    let promising = measurements
        .iter()
        .filter(|it| it.promised != Bounds::ANYTHING);
    promising.min_by(by)
}

impl Report {
    /// The smallest error of the promise of one function that this run would have detected with probability 0.95,
    /// where the promise is steepest; `None` if no functions were measured.
    #[must_use]
    pub fn detectable(&self) -> Option<f64> {
        steepest(&self.functions).map(|it| it.detectable)
    }

    /// The same for the scheme.
    #[must_use]
    pub fn detectable_of_scheme(&self) -> Option<f64> {
        steepest(&self.scheme).map(|it| it.detectable)
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
        )?;
        match self.detectable < 1.0 {
            true => write!(f, ", errors seen from {:.5}", self.detectable),
            false => write!(f, ", no error could be seen"),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (part, measurements) in [
            ("one function", &self.functions),
            ("one pair", &self.pairs),
            ("scheme", &self.scheme),
        ] {
            for measurement in measurements {
                writeln!(f, "{part:>12} {measurement}")?;
            }
        }
        for (part, measurements) in [("one function", &self.functions), ("scheme", &self.scheme)] {
            if let Some(it) = steepest(measurements) {
                writeln!(
                    f,
                    "{part:>12} smallest error that would have been detected, at distance {:.4}: {:.5}",
                    it.distance, it.detectable
                )?;
            }
        }
        Ok(())
    }
}
