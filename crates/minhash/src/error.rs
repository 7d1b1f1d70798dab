use std::fmt;

/// What this crate refuses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A number is outside its range.
    #[error("{name} is {value}, but must be {expected}")]
    Parameter {
        /// What it is.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        expected: String,
    },
    /// A word is not among those that are known.
    #[error("{name} `{value}` is not known: choose {expected}")]
    Unknown {
        /// What it is.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        expected: &'static str,
    },
    /// A [`trace`](crate::trace) of nothing.
    #[error("no {what} are given: a trace needs some")]
    Nothing {
        /// What there is none of.
        what: &'static str,
    },
    /// More than a [`trace`](crate::trace) shows.
    #[error("{given} {what} are given, but a trace shows at most {most}")]
    TooLarge {
        /// What there is too much of.
        what: &'static str,
        /// How much was given.
        given: usize,
        /// How much would do.
        most: usize,
    },
}

impl Error {
    pub(crate) fn parameter(
        name: &'static str,
        value: impl fmt::Display,
        expected: impl Into<String>,
    ) -> Self {
        Self::Parameter {
            name,
            value: value.to_string(),
            expected: expected.into(),
        }
    }

    pub(crate) fn unknown(name: &'static str, value: &str, expected: &'static str) -> Self {
        Self::Unknown {
            name,
            value: value.to_owned(),
            expected,
        }
    }
}
