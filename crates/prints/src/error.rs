use std::{io, path::PathBuf};

/// What went wrong, with the file and what would do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file or folder cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file is no template.
    #[error("{name}: {source}")]
    Template {
        /// The file, or the entry of an archive.
        name: String,
        /// Why.
        source: lookalike_fingerprint::Error,
    },
    /// A print without minutiae.
    #[error(
        "{name}: no minutiae, so that nothing can be compared; leave it out, or give --on-error skip"
    )]
    Empty {
        /// The file, or the entry of an archive.
        name: String,
    },
    /// One print in several formats.
    #[error("{first} and {second} have one name: choose one format with --format xyt, iso or ansi")]
    Twins {
        /// One file.
        first: String,
        /// Another one.
        second: String,
    },
    /// One file under two names.
    #[error("{first} and {second} are the same to the byte: remove one, or give --on-error skip")]
    Copies {
        /// One file.
        first: String,
        /// Another one.
        second: String,
    },
    /// Nothing that could be read.
    #[error("{path}: no templates; they are taken from files named {endings}", endings = crate::input::ENDINGS)]
    Nothing {
        /// Where.
        path: String,
    },
    /// Files whose names do not say which finger they are of.
    #[error(
        "{name}: the name does not say finger and impression, as 17_2.xyt does for impression 2 of finger 17"
    )]
    Unlabelled {
        /// The file.
        name: String,
    },
    /// Nothing to evaluate.
    #[error("{0}")]
    Unusable(String),
    /// The file of a gallery has been damaged, or was made by another program.
    #[error("{path}: {what}", path = path.display())]
    Gallery {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The engine refused.
    #[error(transparent)]
    Engine(#[from] lookalike_engine::Error),
    /// Settings that make no sense.
    #[error(transparent)]
    Settings(#[from] lookalike_fingerprint::Error),
    /// A chart that cannot be drawn.
    #[error(transparent)]
    Chart(#[from] lookalike_report::Error),
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}
