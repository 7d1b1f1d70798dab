use serde::{Deserialize, Serialize};
use std::{fmt, str::FromStr};

use crate::{Banding, Bounds, Error, Probability};

/// One step of amplification.
///
/// In TOML `{ and = 5 }` or `{ or = 20 }`, as text `and:5` or `or:20`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    /// Agree where all of n agree.
    And(u32),
    /// Agree where at least one of n agrees.
    Or(u32),
}

impl Step {
    /// How many of what comes before are combined.
    #[must_use]
    pub fn size(self) -> u32 {
        match self {
            Self::And(n) | Self::Or(n) => n,
        }
    }

    /// The probability after the step.
    #[must_use]
    pub fn apply(self, p: Probability) -> Probability {
        match self {
            Self::And(n) => p.all(n),
            Self::Or(n) => p.any(n),
        }
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::And(n) => write!(f, "and:{n}"),
            Self::Or(n) => write!(f, "or:{n}"),
        }
    }
}

impl FromStr for Step {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let wrong = || Error::parameter("step", format!("`{text}`"), "like and:5 or or:20");
        let (kind, n) = text.trim().split_once(':').ok_or_else(wrong)?;
        let n = n.trim().parse().map_err(|_| wrong())?;
        match kind.trim().to_ascii_lowercase().as_str() {
            "and" => Ok(Self::And(n)),
            "or" => Ok(Self::Or(n)),
            _ => Err(wrong()),
        }
    }
}

/// A cascade of ANDs and ORs over one flat signature, innermost step first.
///
/// A scheme is a value: the same steps fold the answers of functions into keys
/// and map the probability that one function agrees to the probability that
/// the whole scheme does. The AND of n sets of keys is their product, the OR
/// their tagged union; so every cascade, in any order, ends as plain keys in
/// plain buckets.
///
/// Equal schemes are equal values: neighbouring steps of the same kind are
/// merged and steps of size 1, which change nothing, are dropped.
///
/// ```
/// use lookalike_core::{Banding, Probability, Scheme, Step};
///
/// let scheme = Scheme::new([Step::And(5), Step::Or(20)])?;
/// assert_eq!(scheme, "and:5,or:20".parse()?);
/// assert_eq!(scheme, Banding::new(20, 5)?.scheme());
/// assert_eq!(scheme.functions(), 100);
/// let p = scheme.probability(Probability::new(0.6)?);
/// assert!((p.value() - 0.802).abs() < 0.0005);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "Vec<Step>", into = "Vec<Step>")]
pub struct Scheme {
    steps: Vec<Step>,
}

impl Scheme {
    /// A scheme from its steps, innermost first. No steps: one function as it is.
    pub fn new(steps: impl IntoIterator<Item = Step>) -> Result<Self, Error> {
        steps.into_iter().try_fold(Self::default(), Self::then)
    }

    /// The scheme with one more step around it.
    pub fn then(mut self, step: Step) -> Result<Self, Error> {
        if step.size() == 0 {
            return Err(Error::parameter("step", step, "of size 1 or more"));
        }
        if self.functions().checked_mul(step.size()).is_none() {
            return Err(Error::parameter(
                "step",
                step,
                format!("small enough for 2^32 functions in all after {self}"),
            ));
        }
        match (self.steps.last_mut(), step) {
            (_, Step::And(1) | Step::Or(1)) => {}
            (Some(Step::And(n)), Step::And(m)) | (Some(Step::Or(n)), Step::Or(m)) => *n *= m,
            _ => self.steps.push(step),
        }
        Ok(self)
    }

    /// The steps, innermost first, AND and OR in turn, none of size 1.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The cascade after none, one, two … of its steps: from one function to the whole scheme.
    ///
    /// ```
    /// let scheme: lookalike_core::Scheme = "and:5,or:20".parse()?;
    /// let stages: Vec<String> = scheme.stages().map(|stage| stage.to_string()).collect();
    /// assert_eq!(stages, ["and:1", "and:5", "and:5,or:20"]);
    /// # Ok::<(), lookalike_core::Error>(())
    /// ```
    pub fn stages(&self) -> impl Iterator<Item = Self> + '_ {
        let steps = |count| self.steps[..count].to_vec();
        (0..=self.steps.len()).map(move |count| Self {
            steps: steps(count),
        })
    }

    /// The scheme as bands and rows, where it is an OR of ANDs.
    #[must_use]
    pub fn banding(&self) -> Option<Banding> {
        let (bands, rows) = match *self.steps() {
            [] => (1, 1),
            [Step::And(rows)] => (1, rows),
            [Step::Or(bands)] => (bands, 1),
            [Step::And(rows), Step::Or(bands)] => (bands, rows),
            _ => return None,
        };
        Banding::new(bands, rows).ok()
    }

    /// How many functions the scheme reads.
    #[must_use]
    pub fn functions(&self) -> u32 {
        self.steps.iter().map(|step| step.size()).product()
    }

    /// The probability that two items agree, where they agree on one function
    /// with probability `p` and functions are independent.
    #[must_use]
    pub fn probability(&self, p: Probability) -> Probability {
        self.steps.iter().fold(p, |p, step| step.apply(p))
    }

    /// [`Scheme::probability`] for both bounds: every step is non-decreasing in p.
    #[must_use]
    pub fn bounds(&self, one: Bounds) -> Bounds {
        one.map(|p| self.probability(p))
    }

    /// The scheme as an innermost AND and what comes after it.
    pub(crate) fn split_innermost_and(&self) -> Option<(u32, Self)> {
        match self.steps.split_first() {
            Some((&Step::And(rows), rest)) => Some((
                rows,
                Self {
                    steps: rest.to_vec(),
                },
            )),
            _ => None,
        }
    }
}

impl TryFrom<Vec<Step>> for Scheme {
    type Error = Error;
    fn try_from(steps: Vec<Step>) -> Result<Self, Error> {
        Self::new(steps)
    }
}

impl From<Scheme> for Vec<Step> {
    fn from(scheme: Scheme) -> Self {
        scheme.steps
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            return f.write_str("and:1");
        }
        for (i, step) in self.steps.iter().enumerate() {
            let comma = if i == 0 { "" } else { "," };
            write!(f, "{comma}{step}")?;
        }
        Ok(())
    }
}

impl FromStr for Scheme {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let steps: Vec<Step> = text.split(',').map(str::parse).collect::<Result<_, _>>()?;
        Self::new(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn equal_schemes_are_equal_values() {
        let plain: Scheme = "and:6,or:4".parse().unwrap();
        assert_eq!(plain, "and:2,and:3,or:1,and:1,or:4".parse().unwrap());
        assert_eq!(plain.steps(), [Step::And(6), Step::Or(4)]);
        assert_eq!(Scheme::default().to_string().parse(), Ok(Scheme::default()));
        assert_eq!(Scheme::default().functions(), 1);
    }

    #[test]
    fn wrong_steps_are_refused_with_what_was_given() {
        let message = |text: &str| text.parse::<Scheme>().unwrap_err().to_string();
        assert_eq!(
            message("and:0"),
            "step is and:0, but must be of size 1 or more"
        );
        assert_eq!(
            message("xor:3"),
            "step is `xor:3`, but must be like and:5 or or:20"
        );
        assert!(message("").contains("like and:5"));
        assert!(message("and:5;or:20").contains("and:5;or:20"));
        assert!(message("and:65536,or:65536").contains("2^32"));
    }

    #[test]
    fn a_scheme_is_also_toml() {
        #[derive(Deserialize)]
        struct Config {
            amplify: Scheme,
        }
        let config: Config = toml::from_str("amplify = [{ and = 5 }, { or = 20 }]").unwrap();
        assert_eq!(config.amplify.to_string(), "and:5,or:20");
        assert!(toml::from_str::<Config>("amplify = [{ and = 0 }]").is_err());
        assert!(toml::from_str::<Config>("amplify = [{ xor = 5 }]").is_err());
    }

    proptest! {
        #[test]
        fn text_and_value_agree(steps in prop::collection::vec((any::<bool>(), 1u32..9), 0..6)) {
            let steps = steps.into_iter().map(|(and, n)| if and { Step::And(n) } else { Step::Or(n) });
            let scheme = Scheme::new(steps).unwrap();
            prop_assert_eq!(scheme.to_string().parse::<Scheme>(), Ok(scheme.clone()));
        }
    }
}
