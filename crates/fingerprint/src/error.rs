use lookalike_core::KEY_LIMIT;

/// What is refused, with the value that was given and what would do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parameter is outside its range.
    #[error("{name} is {value}, but must be {expected}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would be accepted.
        expected: String,
    },
    /// A query could ask for too many keys.
    #[error(
        "a query could ask for {most} keys, more than the limit of {KEY_LIMIT}: take fewer minutiae, neighbours, squares \
         or crossings"
    )]
    TooManyKeys {
        /// How many keys.
        most: u64,
    },
    /// Bytes that are in no format that is read here.
    #[error("{0}")]
    Format(String),
    /// A line of an XYT file that is not as it should be.
    #[error("line {line}: {what}")]
    Line {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it, and what would do.
        what: String,
    },
    /// A finger minutiae record that is not as it should be.
    #[error("byte {at}: {what}")]
    Record {
        /// Where in the record, from 0.
        at: usize,
        /// What is wrong there, and what would do.
        what: String,
    },
    /// Something that the format which is to be written cannot say.
    #[error("{0}")]
    Unwritable(String),
}

impl Error {
    pub(crate) fn parameter(
        name: &'static str,
        value: impl ToString,
        expected: impl Into<String>,
    ) -> Self {
        Self::Parameter {
            name,
            value: value.to_string(),
            expected: expected.into(),
        }
    }
}
