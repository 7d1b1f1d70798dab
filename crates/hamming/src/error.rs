use lookalike_core::KEY_LIMIT;

/// What is refused, with the value that was given and what would do.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Codes must have bits, and not too many.
    #[error("codes of {0} bits: from 1 to {max} can be used", max = crate::Codes::MAX_BITS)]
    Bits(usize),
    /// A code has another length than the others.
    #[error("a code of {found} bits among codes of {expected}")]
    Length {
        /// Its bits.
        found: usize,
        /// The bits of the others.
        expected: usize,
    },
    /// A bit beyond the last is set.
    #[error("bit {place} of a code of {bits} bits is set")]
    Spare {
        /// The place of the bit.
        place: usize,
        /// The bits of a code.
        bits: usize,
    },
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
    /// A query would ask for too many keys.
    #[error(
        "{flips} flips in {tables} tables of {rows} bits make {keys} keys a query, more than the limit of {KEY_LIMIT}: \
         take fewer flips, or narrower tables"
    )]
    Flips {
        /// Flips a table.
        flips: u32,
        /// Tables.
        tables: usize,
        /// Bits of the widest table.
        rows: u32,
        /// Keys that a query would ask for.
        keys: u64,
    },
    /// Something is not hexadecimal.
    #[error("{what} in a code that should be hexadecimal digits")]
    Hex {
        /// What was found.
        what: String,
    },
    /// A code has an odd number of digits.
    #[error("{0} hexadecimal digits: a byte is two, so that the number must be even")]
    OddHex(usize),
    /// Packed codes do not end with a whole one.
    #[error(
        "{bytes} bytes are no whole number of codes of {bits} bits, {each} bytes each: {} are left over",
        bytes % each
    )]
    Partial {
        /// All bytes.
        bytes: usize,
        /// The bits of a code.
        bits: usize,
        /// The bytes of a code.
        each: usize,
    },
}

impl Error {
    pub(crate) fn parameter(
        name: &'static str,
        value: impl ToString,
        expected: impl ToString,
    ) -> Self {
        Self::Parameter {
            name,
            value: value.to_string(),
            expected: expected.to_string(),
        }
    }
}
