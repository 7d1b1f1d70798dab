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
