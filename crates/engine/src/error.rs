use std::{io, path::PathBuf};

use crate::Id;
use lookalike_core::TooManyKeys;

/// What the engine refuses.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Ids have 32 bits.
    #[error("too many items or keys in one band: at most 2^32 − 1 fit")]
    TooMany,
    /// One item has too many keys.
    #[error("item {item} has {source}: an OR inside an AND multiplies keys")]
    Keys {
        /// The item.
        item: Id,
        /// How many keys it has.
        source: TooManyKeys,
    },
    /// A query asks too many keys.
    #[error("the query asks {0}: an OR inside an AND multiplies keys")]
    Query(#[source] TooManyKeys),
    /// A join sees stored keys alone.
    #[error(
        "`{description}` asks other keys than it stores, and a join of its stored keys would miss pairs: build an index and ask it"
    )]
    Probes {
        /// The source.
        description: String,
    },
    /// Two indexes cannot be merged.
    #[error("the indexes were made by different sources: `{ours}` and `{theirs}`")]
    Merge {
        /// The source of the index that should grow.
        ours: String,
        /// The source of the other one.
        theirs: String,
    },
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file is something else.
    #[error("{path}: not a Lookalike index")]
    NotAnIndex {
        /// The file.
        path: PathBuf,
    },
    /// The file has another format version.
    #[error(
        "{path}: format version {found}, but this program reads version {known}: build the index again"
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: u32,
        /// The version that can be read.
        known: u32,
    },
    /// The index was made by another source.
    #[error(
        "{path}: made by `{stored}`, but asked with `{asked}`: ask with the same parameters and seed, or build it again"
    )]
    Source {
        /// The file.
        path: PathBuf,
        /// The source that made it.
        stored: String,
        /// The source that should read it.
        asked: String,
    },
    /// The file does not hold what its header promises.
    #[error("{path}: damaged: {what}; build it again")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
}

impl Error {
    pub(crate) fn io(path: &std::path::Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { path, source }
    }
}
