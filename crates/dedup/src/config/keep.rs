use std::{fmt, str::FromStr};

use lookalike_corpus::FieldPath;
use serde::{Deserialize, Serialize};

use lookalike_output::nearest;

/// Which document of a cluster stays. Of equals the one with the smaller id, or the first.
///
/// ```
/// use lookalike_dedup::Keep;
///
/// let keep: Keep = "max:quality.score".parse()?;
/// assert_eq!(keep.to_string(), "max:quality.score");
/// assert!("best".parse::<Keep>().is_err());
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Keep {
    /// The first in the input.
    #[default]
    First,
    /// The last in the input.
    Last,
    /// The one with the longest text.
    Longest,
    /// The one with the shortest text.
    Shortest,
    /// The one with the largest value in a field.
    ///
    /// Numbers go by size, and below strings, which go by their characters, so that dates as `2026-11-16` go by time.
    /// Documents without such a value come last.
    Max(FieldPath),
    /// The one with the smallest value in a field; documents without such a value come last.
    Min(FieldPath),
}

impl Keep {
    /// The field whose values decide.
    #[must_use]
    pub fn field(&self) -> Option<&FieldPath> {
        match self {
            Self::Max(field) | Self::Min(field) => Some(field),
            _ => None,
        }
    }
}

impl FromStr for Keep {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        const WORDS: [&str; 4] = ["first", "last", "longest", "shortest"];
        let field = |field: &str| field.parse().map_err(|error| format!("{name}: {error}"));
        let (word, path) = match name.split_once(':') {
            Some((word, path)) => (word, Some(path)),
            None => (name, None),
        };
        match (word, path) {
            ("max" | "min", None | Some("")) => Err(format!(
                "keep is `{name}`, which names no field: say which, such as {word}:score"
            )),
            ("max", Some(path)) => Ok(Self::Max(field(path)?)),
            ("min", Some(path)) => Ok(Self::Min(field(path)?)),
            ("first", None) => Ok(Self::First),
            ("last", None) => Ok(Self::Last),
            ("longest", None) => Ok(Self::Longest),
            ("shortest", None) => Ok(Self::Shortest),
            _ => {
                let meant = match path {
                    None => nearest(word, &WORDS).map(str::to_owned),
                    // Words too short for a likeness: one letter may be wrong.
                    Some(path) => ["max", "min"]
                        .into_iter()
                        .find(|known| strsim::levenshtein(word, known) <= 1)
                        .map(|word| format!("{word}:{path}")),
                };
                let meant =
                    meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
                Err(format!(
                    "keep is `{name}`, but must be first, last, longest, shortest, max:FIELD or min:FIELD{meant}"
                ))
            }
        }
    }
}

impl TryFrom<String> for Keep {
    type Error = String;
    fn try_from(name: String) -> Result<Self, String> {
        name.parse()
    }
}

impl From<Keep> for String {
    fn from(keep: Keep) -> Self {
        keep.to_string()
    }
}

impl fmt::Display for Keep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::First => f.pad("first"),
            Self::Last => f.pad("last"),
            Self::Longest => f.pad("longest"),
            Self::Shortest => f.pad("shortest"),
            Self::Max(field) => f.pad(&format!("max:{field}")),
            Self::Min(field) => f.pad(&format!("min:{field}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_what_was_meant() {
        let message = |name: &str| name.parse::<Keep>().unwrap_err();
        for (slip, meant) in [
            ("longst", "did you mean `longest`?"),
            ("mx:score", "did you mean `max:score`?"),
            ("Max:score", "did you mean `max:score`?"),
            ("mim:meta.date", "did you mean `min:meta.date`?"),
            ("max", "such as max:score"),
            ("min:", "such as min:score"),
        ] {
            assert!(message(slip).ends_with(meant), "{}", message(slip));
        }
        for slip in ["best", "first:", "first:score", ":score", ""] {
            assert!(message(slip).ends_with("max:FIELD or min:FIELD"), "{slip}");
        }
    }
}
