use crate::Error;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A field of a record: `text`, or by way of nested objects `meta.lang`.
///
/// A key of the record that is literally `meta.lang` wins over the nested one.
///
/// ```
/// # use lookalike_corpus::FieldPath;
/// let path: FieldPath = "meta.lang".parse()?;
/// assert_eq!(path.to_string(), "meta.lang");
/// assert!("meta..lang".parse::<FieldPath>().is_err());
/// # Ok::<(), lookalike_corpus::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct FieldPath {
    whole: String,
    /// The parts where there are several, else none.
    parts: Vec<String>,
}

impl FieldPath {
    pub(crate) fn single(name: &str) -> Self {
        Self {
            whole: name.to_owned(),
            parts: Vec::new(),
        }
    }

    /// The path as it is written.
    pub fn as_str(&self) -> &str {
        &self.whole
    }

    /// The first part and those below it, if there are several.
    #[inline]
    pub(crate) fn nested(&self) -> Option<(&str, &[String])> {
        self.parts
            .split_first()
            .map(|(first, below)| (first.as_str(), below))
    }
}

impl TryFrom<String> for FieldPath {
    type Error = Error;

    fn try_from(whole: String) -> Result<Self, Error> {
        if whole.split('.').any(str::is_empty) {
            return Err(Error::Parameter {
                name: "field",
                value: whole,
                expected: "a name, or names joined by single dots, such as `meta.lang`",
            });
        }
        let parts = if whole.contains('.') {
            whole.split('.').map(str::to_owned).collect()
        } else {
            Vec::new()
        };
        Ok(Self { whole, parts })
    }
}

impl FromStr for FieldPath {
    type Err = Error;

    fn from_str(path: &str) -> Result<Self, Error> {
        Self::try_from(path.to_owned())
    }
}

impl From<FieldPath> for String {
    fn from(path: FieldPath) -> Self {
        path.whole
    }
}

impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.whole)
    }
}
