use lookalike_core::plugin::printable;

/// What is wrong with a digest or a parameter.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A text that is not a digest.
    #[error("`{text}` is not a TLSH digest: expected T1 and 70 hexadecimal digits")]
    Digest {
        /// The start of the text.
        text: String,
    },
    /// The bytes of a stored digest have another number.
    #[error("{found} bytes, but a stored digest has 35")]
    Length {
        /// How many there are.
        found: usize,
    },
    /// A parameter outside its range.
    #[error("{name} is {value}, but must be {expected}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        expected: String,
    },
}

impl Error {
    pub(crate) fn digest(text: &str) -> Self {
        const MOST: usize = 80;
        let start: String = text.chars().take(MOST).collect();
        let more = if start.len() < text.len() { "…" } else { "" };
        Self::Digest {
            text: printable(&start).into_owned() + more,
        }
    }

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
