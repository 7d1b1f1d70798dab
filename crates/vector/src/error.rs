/// Why vectors or parameters cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Vectors without numbers, or with too many.
    #[error("vectors of {0} dimensions, but from 1 to {max} are possible", max = crate::Vectors::<f32>::MAX_DIMENSIONS)]
    Dimensions(usize),
    /// Vectors of different lengths.
    #[error(
        "a vector of {found} dimensions among vectors of {expected}: all must have the same number"
    )]
    Length {
        /// Numbers of the vector.
        found: usize,
        /// Numbers of the others.
        expected: usize,
    },
    /// NaN or an infinite number.
    #[error(
        "{value} at dimension {dimension}: all numbers of a vector must be finite, and below {LARGEST:e}"
    )]
    NotFinite {
        /// The number.
        value: f64,
        /// Its place, counted from 0.
        dimension: usize,
    },
    /// A parameter with a value that it cannot have.
    #[error("{name} is {value}, but must be {expected}")]
    Parameter {
        /// The parameter.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would do.
        expected: String,
    },
    /// Functions that cannot be drawn.
    #[error(transparent)]
    Draw(#[from] lookalike_core::Error),
}

/// Numbers at or beyond this bound are refused, so that no sum of squares is infinite, not even of 32-bit floats.
pub(crate) const LARGEST: f64 = 1e15;

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
