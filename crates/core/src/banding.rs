use serde::{Deserialize, Serialize};
use std::fmt;

use crate::{Error, Probability, Scheme, Step};

/// The usual scheme: `bands` bands of `rows` rows each, candidates where all rows of at least one band agree.
///
/// With t the probability that one function agrees (for minhash, the
/// similarity), the probability of a candidate is 1 − (1 − t^r)^b: an S-curve.
///
/// ```
/// use lookalike_core::Banding;
///
/// let banding = Banding::new(20, 5)?;
/// assert!((banding.threshold() - 0.5493).abs() < 0.00005);
/// let (t, slope) = banding.steepest();
/// assert!((t - 0.5264).abs() < 0.00005 && (slope - 3.51).abs() < 0.005);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Unchecked", into = "Unchecked")]
pub struct Banding {
    bands: u32,
    rows: u32,
}

#[derive(Serialize, Deserialize)]
#[serde(rename = "Banding", deny_unknown_fields)]
struct Unchecked {
    bands: u32,
    rows: u32,
}

impl Banding {
    /// At least one band of at least one row, at most 2^32 − 1 functions in all.
    pub fn new(bands: u32, rows: u32) -> Result<Self, Error> {
        for (name, n) in [("bands", bands), ("rows", rows)] {
            if n == 0 {
                return Err(Error::parameter(name, n, "1 or more"));
            }
        }
        if bands.checked_mul(rows).is_none() {
            return Err(Error::parameter(
                "bands",
                bands,
                format!("small enough for 2^32 functions in all with {rows} rows"),
            ));
        }
        Ok(Self { bands, rows })
    }

    /// How many bands.
    #[must_use]
    pub fn bands(self) -> u32 {
        self.bands
    }

    /// How many rows each band has.
    #[must_use]
    pub fn rows(self) -> u32 {
        self.rows
    }

    /// How many functions it reads: bands · rows.
    #[must_use]
    pub fn functions(self) -> u32 {
        self.bands * self.rows
    }

    /// The banding as a cascade: AND of the rows, OR of the bands.
    #[must_use]
    pub fn scheme(self) -> Scheme {
        Scheme::new([Step::And(self.rows), Step::Or(self.bands)])
            .expect("a banding has sizes of 1 or more and fewer than 2^32 functions")
    }

    /// The probability of a candidate, 1 − (1 − t^r)^b.
    #[must_use]
    pub fn probability(self, t: Probability) -> Probability {
        t.all(self.rows).any(self.bands)
    }

    /// The rule of thumb for where the curve rises: (1/b)^(1/r).
    ///
    /// A pair there becomes a candidate with probability 1 − (1 − 1/b)^b, about 0.64 for 20 bands and nearly
    /// 1 − 1/e = 0.632 for many: a third of the pairs is missed. The curve is steepest elsewhere, at
    /// [`steepest`](Banding::steepest).
    #[must_use]
    pub fn threshold(self) -> f64 {
        f64::from(self.bands)
            .recip()
            .powf(f64::from(self.rows).recip())
    }

    /// Where the curve is steepest, ((r−1)/(rb−1))^(1/r), and its slope there.
    ///
    /// With one row it is steepest at 0, with one band at 1.
    #[must_use]
    pub fn steepest(self) -> (f64, f64) {
        let (b, r) = (f64::from(self.bands), f64::from(self.rows));
        let t = if self.functions() == 1 {
            0.0
        } else {
            ((r - 1.0) / (r * b - 1.0)).powf(r.recip())
        };
        (t, self.slope(t))
    }

    /// The slope of the curve: b·r·t^(r−1)·(1 − t^r)^(b−1).
    #[must_use]
    pub fn slope(self, t: f64) -> f64 {
        let (b, r) = (f64::from(self.bands), f64::from(self.rows));
        b * r * t.powf(r - 1.0) * (1.0 - t.powf(r)).powf(b - 1.0)
    }
}

impl TryFrom<Unchecked> for Banding {
    type Error = Error;
    fn try_from(given: Unchecked) -> Result<Self, Error> {
        Self::new(given.bands, given.rows)
    }
}

impl From<Banding> for Unchecked {
    fn from(Banding { bands, rows }: Banding) -> Self {
        Self { bands, rows }
    }
}

impl fmt::Display for Banding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = |n| if n == 1 { "" } else { "s" };
        write!(
            f,
            "{} band{} × {} row{}",
            self.bands,
            plural(self.bands),
            self.rows,
            plural(self.rows)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn empty_or_endless_bandings_are_refused() {
        assert_eq!(
            Banding::new(0, 5).unwrap_err().to_string(),
            "bands is 0, but must be 1 or more"
        );
        assert!(Banding::new(5, 0).is_err());
        assert!(Banding::new(1 << 16, 1 << 16).is_err());
        assert!(toml::from_str::<Banding>("bands = 20\nrows = 0").is_err());
        assert!(toml::from_str::<Banding>("bands = 20\nrows = 5\nb = 1").is_err());
    }

    proptest! {
        #[test]
        fn the_steepest_point_is_the_steepest(bands in 1u32..60, rows in 1u32..20, t in 0.0f64..1.0) {
            let banding = Banding::new(bands, rows).unwrap();
            let (at, slope) = banding.steepest();
            prop_assert!(banding.slope(t) <= slope * (1.0 + 1e-9), "{} at {} over {} at {}", banding.slope(t), t, slope, at);
        }

        #[test]
        fn the_slope_is_the_derivative(bands in 1u32..60, rows in 1u32..20, t in 0.05f64..0.95) {
            let banding = Banding::new(bands, rows).unwrap();
            let p = |t| banding.probability(Probability::new(t).unwrap()).value();
            let h = 1e-6;
            let measured = (p(t + h) - p(t - h)) / (2.0 * h);
            prop_assert!((banding.slope(t) - measured).abs() < 1e-6 * (1.0 + measured));
        }
    }
}
