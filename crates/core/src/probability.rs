use serde::{Deserialize, Serialize};
use std::fmt;

use crate::Error;

/// A probability: a number from 0 to 1.
///
/// ```
/// use lookalike_core::Probability;
///
/// // Five rows agree at similarity .8 in one band, and in at least one of twenty bands:
/// let band = Probability::new(0.8)?.all(5);
/// assert!((band.value() - 0.328).abs() < 0.0005);
/// assert!((band.any(20).value() - 0.99964).abs() < 0.000005);
/// // A tiny probability keeps its digits:
/// let rare = Probability::new(1e-20)?.any(1000).value();
/// assert!((rare / 1e-17 - 1.0).abs() < 1e-15);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Probability(f64);

impl Probability {
    /// What never happens.
    pub const NEVER: Self = Self(0.0);
    /// What always happens.
    pub const CERTAIN: Self = Self(1.0);

    /// A probability from a number that must lie in 0 ..= 1.
    pub fn new(p: f64) -> Result<Self, Error> {
        if (0.0..=1.0).contains(&p) {
            Ok(Self(p))
        } else {
            Err(Error::parameter("probability", p, "a number from 0 to 1"))
        }
    }

    /// The nearest probability to a number; a NaN, which says nothing, never happens.
    ///
    /// For formulas such as 1 − d/n whose rounding may step over an edge.
    #[must_use]
    pub fn saturating(p: f64) -> Self {
        if p.is_nan() {
            return Self::NEVER;
        }
        Self(p.clamp(0.0, 1.0))
    }

    /// The number.
    #[must_use]
    pub fn value(self) -> f64 {
        self.0
    }

    /// That the event does not happen: 1 − p.
    #[must_use]
    pub fn complement(self) -> Self {
        Self(1.0 - self.0)
    }

    /// That `r` independent events all happen: p^r, the effect of an AND.
    #[must_use]
    pub fn all(self, r: u32) -> Self {
        Self(self.0.powf(f64::from(r)))
    }

    /// That none of `b` independent events happens: (1 − p)^b.
    #[must_use]
    pub fn none(self, b: u32) -> Self {
        Self((f64::from(b) * (-self.0).ln_1p()).exp())
    }

    /// That at least one of `b` independent events happens: 1 − (1 − p)^b, the effect of an OR.
    ///
    /// Computed as −expm1(b · ln1p(−p)), because 1 − p forgets a p below 1e-16.
    #[must_use]
    pub fn any(self, b: u32) -> Self {
        if b == 0 {
            return Self::NEVER;
        }
        Self(-(f64::from(b) * (-self.0).ln_1p()).exp_m1())
    }
}

impl TryFrom<f64> for Probability {
    type Error = Error;
    fn try_from(p: f64) -> Result<Self, Error> {
        Self::new(p)
    }
}

impl From<Probability> for f64 {
    fn from(p: Probability) -> f64 {
        p.0
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What is known of a probability: it lies between `lower` and `upper`.
///
/// An exact probability has both bounds equal.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bounds {
    lower: Probability,
    upper: Probability,
}

impl Bounds {
    /// No promise: anything from never to always.
    pub const ANYTHING: Self = Self {
        lower: Probability::NEVER,
        upper: Probability::CERTAIN,
    };

    /// The probability is exactly `p`.
    #[must_use]
    pub fn exact(p: Probability) -> Self {
        Self { lower: p, upper: p }
    }

    /// The probability lies from `lower` to `upper`.
    pub fn new(lower: Probability, upper: Probability) -> Result<Self, Error> {
        if lower <= upper {
            Ok(Self { lower, upper })
        } else {
            Err(Error::parameter(
                "lower bound",
                lower,
                format!("at most the upper bound {upper}"),
            ))
        }
    }

    /// At least this.
    #[must_use]
    pub fn lower(self) -> Probability {
        self.lower
    }

    /// At most this.
    #[must_use]
    pub fn upper(self) -> Probability {
        self.upper
    }

    /// The bounds of a non-decreasing function of the probability.
    #[must_use]
    pub fn map(self, f: impl Fn(Probability) -> Probability) -> Self {
        Self {
            lower: f(self.lower),
            upper: f(self.upper),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_zero_to_one_is_a_probability() {
        for wrong in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
            assert!(Probability::new(wrong).is_err(), "{wrong}");
        }
        assert_eq!(Probability::saturating(-1e-17), Probability::NEVER);
        assert_eq!(Probability::saturating(1.0 + 1e-15), Probability::CERTAIN);
        assert_eq!(Probability::saturating(f64::NAN), Probability::NEVER);
    }

    #[test]
    fn the_ends_stay_the_ends() {
        for n in [1, 7, 1_000_000] {
            assert_eq!(Probability::CERTAIN.all(n), Probability::CERTAIN);
            assert_eq!(Probability::CERTAIN.any(n), Probability::CERTAIN);
            assert_eq!(Probability::CERTAIN.none(n), Probability::NEVER);
            assert_eq!(Probability::NEVER.all(n), Probability::NEVER);
            assert_eq!(Probability::NEVER.any(n), Probability::NEVER);
            assert_eq!(Probability::NEVER.none(n), Probability::CERTAIN);
        }
        assert_eq!(Probability::CERTAIN.any(0), Probability::NEVER);
    }

    #[test]
    fn bounds_are_ordered() {
        assert!(Bounds::new(Probability::CERTAIN, Probability::NEVER).is_err());
        let half = Probability::new(0.5).unwrap();
        let bounds = Bounds::new(Probability::NEVER, half)
            .unwrap()
            .map(|p| p.any(2));
        assert_eq!(bounds.upper().value(), 0.75);
    }

    #[test]
    fn deserializing_checks_the_range() {
        assert!(serde_json::from_str::<Probability>("0.25").is_ok());
        assert!(serde_json::from_str::<Probability>("1.25").is_err());
    }
}
