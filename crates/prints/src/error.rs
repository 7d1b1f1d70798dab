use std::{io, path::PathBuf};

use lookalike_core::plugin::{Remedied, Remedy, Setting};

/// The format of the files that are taken.
pub const FORMAT: Setting = Setting("format");
/// What to do with files that cannot be used.
pub const ON_ERROR: Setting = Setting("on_error");

/// What went wrong, and with which file. [`Remedied`] says what would fix it.
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
    #[error("{name}: no minutiae, so that nothing can be compared")]
    Empty {
        /// The file, or the entry of an archive.
        name: String,
    },
    /// One print in several formats.
    #[error("{first} and {second} have one name")]
    Twins {
        /// One file.
        first: String,
        /// Another one.
        second: String,
    },
    /// One file under two names.
    #[error("{first} and {second} are the same to the byte")]
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
    /// The file is the index of something else.
    #[error("{path}: an index, but not of fingerprints", path = path.display())]
    NotAGallery {
        /// The file.
        path: PathBuf,
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

impl Remedied for Error {
    fn remedies(&self) -> Vec<Remedy> {
        let or_skip = |advice: &str| {
            let skip = Remedy::with_value("pass over such files with", ON_ERROR, "skip");
            vec![Remedy::advice(advice), skip]
        };
        match self {
            Self::Empty { .. } => or_skip("leave it out"),
            Self::Copies { .. } => or_skip("remove one"),
            Self::Twins { .. } => vec![Remedy::new("choose one of xyt, iso and ansi with", FORMAT)],
            Self::NotAGallery { .. } => vec![Remedy::advice("enrol the prints to make one")],
            Self::Io { .. }
            | Self::Template { .. }
            | Self::Nothing { .. }
            | Self::Unlabelled { .. }
            | Self::Unusable(_)
            | Self::Gallery { .. }
            | Self::Engine(_)
            | Self::Settings(_)
            | Self::Chart(_) => Vec::new(),
        }
    }
}
