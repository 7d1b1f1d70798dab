use std::{fmt, str::FromStr};

use lookalike_corpus::FieldPath;
use serde::{Deserialize, Serialize};

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
        match name.split_once(':') {
            Some((word @ ("max" | "min"), "")) => Err(format!(
                "keep is `{name}`, which names no field: say which, such as {word}:score"
            )),
            Some(("max", path)) => Ok(Self::Max(field(path)?)),
            Some(("min", path)) => Ok(Self::Min(field(path)?)),
            _ => match name {
                "first" => Ok(Self::First),
                "last" => Ok(Self::Last),
                "longest" => Ok(Self::Longest),
                "shortest" => Ok(Self::Shortest),
                _ => {
                    let meant = crate::error::nearest(name, &WORDS);
                    let meant =
                        meant.map_or(String::new(), |word| format!("; did you mean `{word}`?"));
                    Err(format!(
                        "keep is `{name}`, but must be first, last, longest, shortest, max:FIELD or min:FIELD{meant}"
                    ))
                }
            },
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
