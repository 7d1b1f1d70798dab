use serde::{Serialize, Serializer, ser::SerializeStruct};
use std::fmt;

use crate::{Bounds, Error, Probability, Scheme};

/// The promise of a (d1, d2, p1, p2)-sensitive family.
///
/// For functions drawn from the family, two items x and y agree
///
/// - with probability at least p1 if d(x, y) ≤ d1,
/// - with probability at most p2 if d(x, y) ≥ d2.
///
/// Between d1 and d2 nothing is promised; they may be as close as wanted.
///
/// ```
/// use lookalike_core::{Probability, Sensitivity};
///
/// // Minhash: (d1, d2, 1 − d1, 1 − d2).
/// let p = |p| Probability::new(p).unwrap();
/// let minhash = Sensitivity::new(0.2, 0.6, p(0.8), p(0.4))?;
/// assert!((minhash.rho() - 0.2435).abs() < 0.0001);
/// assert_eq!(minhash.to_string(), "(0.2, 0.6, 0.8, 0.4)-sensitive");
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// In files it has ρ, too, which is `null` if it is infinite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensitivity {
    d1: f64,
    d2: f64,
    p1: Probability,
    p2: Probability,
}

impl Sensitivity {
    /// A promise for the distances 0 ≤ d1 ≤ d2.
    pub fn new(d1: f64, d2: f64, p1: Probability, p2: Probability) -> Result<Self, Error> {
        if !(d1 >= 0.0 && d1.is_finite()) {
            return Err(Error::parameter("d1", d1, "a distance, 0 or more"));
        }
        if !(d2 >= d1 && d2.is_finite()) {
            return Err(Error::parameter(
                "d2",
                d2,
                format!("a distance not below d1 = {d1}"),
            ));
        }
        Ok(Self { d1, d2, p1, p2 })
    }

    /// The distance up to which two items count as close.
    #[must_use]
    pub fn d1(self) -> f64 {
        self.d1
    }

    /// The distance from which two items count as far.
    #[must_use]
    pub fn d2(self) -> f64 {
        self.d2
    }

    /// Close items agree at least this often.
    #[must_use]
    pub fn p1(self) -> Probability {
        self.p1
    }

    /// Far items agree at most this often.
    #[must_use]
    pub fn p2(self) -> Probability {
        self.p2
    }

    /// The quality of the family at these distances: ρ = ln p1 / ln p2.
    ///
    /// A query among n items takes about n^ρ work; 0 is perfect, 1 is no
    /// better than looking at everything (Indyk and Motwani, 1998). Where
    /// p1 = p2 it is 1, whatever their value.
    #[must_use]
    pub fn rho(self) -> f64 {
        if self.p1 == self.p2 {
            1.0
        } else {
            // `abs` turns the −0 of a perfect family into 0.
            (self.p1.value().ln() / self.p2.value().ln()).abs()
        }
    }

    /// The same distances after an AND of `r` functions: (d1, d2, p1^r, p2^r).
    #[must_use]
    pub fn and(self, r: u32) -> Self {
        Self {
            p1: self.p1.all(r),
            p2: self.p2.all(r),
            ..self
        }
    }

    /// The same distances after an OR of `b` functions: (d1, d2, 1−(1−p1)^b, 1−(1−p2)^b).
    #[must_use]
    pub fn or(self, b: u32) -> Self {
        Self {
            p1: self.p1.any(b),
            p2: self.p2.any(b),
            ..self
        }
    }
}

impl Serialize for Sensitivity {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Sensitivity", 5)?;
        fields.serialize_field("d1", &self.d1)?;
        fields.serialize_field("d2", &self.d2)?;
        fields.serialize_field("p1", &self.p1)?;
        fields.serialize_field("p2", &self.p2)?;
        let rho = Some(self.rho()).filter(|rho| rho.is_finite());
        fields.serialize_field("rho", &rho)?;
        fields.end()
    }
}

/// What is promised after one of the steps of a cascade.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CascadeStage {
    /// The steps so far.
    #[serde(rename = "amplify")]
    pub scheme: Scheme,
    /// What they promise.
    #[serde(flatten)]
    pub sensitivity: Sensitivity,
}

impl CascadeStage {
    /// The last step in words: `one function`, `and:5`.
    #[must_use]
    pub fn step(&self) -> String {
        let last = self.scheme.steps().last();
        last.map_or("one function".into(), ToString::to_string)
    }

    /// What a scheme promises after each of its steps, one function first: p1 and p2 move apart.
    ///
    /// The list ends before the first stage of which nothing is promised.
    ///
    /// ```
    /// use lookalike_core::{CascadeStage, tune};
    ///
    /// let minhash = |scheme: &_, distance| Some(tune::one_minus_distance(scheme, distance));
    /// let stages = CascadeStage::all(&"and:5,or:20".parse()?, 0.2, 0.6, minhash)?;
    /// let p = stages.iter().map(|stage| (stage.sensitivity.p1().value(), stage.sensitivity.p2().value()));
    /// let printed: Vec<String> = p.map(|(p1, p2)| format!("{p1:.4} {p2:.4}")).collect();
    /// assert_eq!(printed, ["0.8000 0.4000", "0.3277 0.0102", "0.9996 0.1860"]);
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the distances are not 0 ≤ d1 ≤ d2.
    pub fn all(
        scheme: &Scheme,
        d1: f64,
        d2: f64,
        promise: impl Fn(&Scheme, f64) -> Option<Bounds>,
    ) -> Result<Vec<Self>, Error> {
        let promised = scheme.stages().map_while(|scheme| {
            let (near, far) = (promise(&scheme, d1)?, promise(&scheme, d2)?);
            Some((scheme, near.lower(), far.upper()))
        });
        let stage = |(scheme, p1, p2)| {
            Ok(Self {
                scheme,
                sensitivity: Sensitivity::new(d1, d2, p1, p2)?,
            })
        };
        promised.map(stage).collect()
    }
}

impl fmt::Display for Sensitivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { d1, d2, p1, p2 } = self;
        write!(f, "({d1}, {d2}, {p1}, {p2})-sensitive")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_must_be_ordered_numbers() {
        let half = Probability::new(0.5).unwrap();
        for (d1, d2) in [(-1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::NAN)] {
            assert!(Sensitivity::new(d1, d2, half, half).is_err(), "{d1} {d2}");
        }
        assert!(Sensitivity::new(0.5, 0.5, half, half).is_ok());
    }

    #[test]
    fn a_cascade_ends_where_nothing_is_promised() {
        let half = Bounds::exact(Probability::new(0.5).unwrap());
        let ors_only = |scheme: &Scheme, _: f64| match scheme.to_string().contains("and:2") {
            true => None,
            false => Some(scheme.bounds(half)),
        };
        let all = |scheme: &str, d1| CascadeStage::all(&scheme.parse().unwrap(), d1, 1.0, ors_only);
        assert_eq!(all("or:3", 0.0).unwrap().len(), 2);
        assert_eq!(all("or:3,and:2,or:2", 0.0).unwrap().len(), 2);
        assert_eq!(all("and:2", 0.0).unwrap().len(), 1);
        assert!(all("or:3", 2.0).is_err());
    }

    #[test]
    fn rho_is_defined_at_the_edges() {
        let rho = |p1, p2| {
            let p = |p| Probability::new(p).unwrap();
            Sensitivity::new(0.1, 0.2, p(p1), p(p2)).unwrap().rho()
        };
        assert_eq!(rho(1.0, 0.5), 0.0);
        assert_eq!(rho(0.5, 0.0), 0.0);
        assert_eq!(rho(1.0, 1.0), 1.0);
        assert_eq!(rho(0.0, 0.0), 1.0);
        assert_eq!(rho(0.0, 0.5), f64::INFINITY);
        assert_eq!(rho(0.5, 1.0), f64::INFINITY);
        assert!((rho(0.5, 0.25) - 0.5).abs() < 1e-15);
    }
}
