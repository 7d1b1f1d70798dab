use std::io;

use lookalike_core::plugin::{Remedied, Remedy, Setting};

/// The bits of a code.
pub const BITS: Setting = Setting("bits");
/// The field of a record that holds the code.
pub const FIELD: Setting = Setting("field");

/// Why codes could not be read or searched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A record could not be read.
    #[error(transparent)]
    Corpus(#[from] lookalike_corpus::Error),
    /// The engine refuses.
    #[error(transparent)]
    Engine(#[from] lookalike_engine::Error),
    /// What is wished cannot be done.
    #[error(transparent)]
    CodeTask(#[from] lookalike_hamming::Error),
    /// A record has no code.
    #[error("{place}: {reason}")]
    Code {
        /// The record.
        place: String,
        /// What is wrong with it.
        reason: lookalike_hamming::Error,
    },
    /// A code has another length than those before.
    #[error(
        "{place}: a code of {found} bits, but {first} has {expected}: all must have the same length"
    )]
    Length {
        /// The record.
        place: String,
        /// The bits of its code.
        found: usize,
        /// The first record.
        first: String,
        /// The bits of its code.
        expected: usize,
    },
    /// Queries have another length than the codes.
    #[error("{queries}: codes of {found} bits, but those of {data} have {expected}")]
    Queries {
        /// The file with the queries.
        queries: String,
        /// The bits of a query.
        found: usize,
        /// The file with the codes.
        data: String,
        /// The bits of a code.
        expected: usize,
    },
    /// A file cannot be read.
    #[error("{file}: cannot read: {reason}")]
    Read {
        /// The file.
        file: String,
        /// What the system said.
        reason: io::Error,
    },
    /// A file of packed codes does not say how long they are.
    #[error("{file}: how many bits has a code? packed codes do not say it")]
    NoBits {
        /// The file.
        file: String,
    },
    /// Packed codes fill whole bytes.
    #[error(
        "{bits} bits are no whole number of bytes, as packed codes have: choose a multiple of 8"
    )]
    Packed {
        /// The bits that were given.
        bits: usize,
    },
    /// The codes of a file are longer or shorter than was said.
    #[error("{file}: codes of {found} bits, not of {expected} as was given")]
    OtherBits {
        /// The file.
        file: String,
        /// The bits of its codes.
        found: usize,
        /// The bits that were given.
        expected: usize,
    },
    /// A file ends before all its codes came.
    #[error("{file}: truncated: it says that it has {expected} codes, but ends after {found}")]
    Truncated {
        /// The file.
        file: String,
        /// The codes that it announces.
        expected: u64,
        /// The whole codes that it has.
        found: u64,
    },
    /// A file goes on after its codes.
    #[error("{file}: bytes follow the {codes} codes that it says it has")]
    Longer {
        /// The file.
        file: String,
        /// The codes that it announces.
        codes: u64,
    },
    /// There are no codes.
    #[error("{file}: no codes in it")]
    Empty {
        /// The file.
        file: String,
    },
    /// There are more codes than ids.
    #[error("{file}: more than 2^32 − 1 codes: split it")]
    TooMany {
        /// The file.
        file: String,
    },
}

impl Remedied for Error {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Corpus(error) => error.remedies(),
            Self::NoBits { .. } => vec![Remedy::new("give", BITS)],
            Self::OtherBits { .. } => vec![Remedy::new("correct or leave out", BITS)],
            _ => Vec::new(),
        }
    }
}
