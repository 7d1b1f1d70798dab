use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use lookalike_core::plugin::{Remedied, Remedy, shown};
use lookalike_output::OVERWRITE;

/// Why a store cannot be read or changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The system cannot read or write the file.
    #[error("{}: {reason}", shown(path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The file cannot be replaced.
    #[error(transparent)]
    Output(#[from] lookalike_output::Error),
    /// The file is something else.
    #[error("{}: not an index", shown(path))]
    NotAStore {
        /// The file.
        path: PathBuf,
    },
    /// The file has another format version.
    #[error(
        "{}: an index of format version {found}, but this program reads version {known}",
        shown(path)
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version of the file.
        found: u32,
        /// The version that can be read.
        known: u32,
    },
    /// Bytes of the file are not those that were written.
    #[error("{}: damaged: {part}: {what}", shown(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The part of the file.
        part: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// Another process holds the lock.
    #[error(
        "{}: in use by {}, for longer than the {} s to wait",
        shown(path),
        holder.as_deref().unwrap_or("another process"),
        waited.as_secs_f64()
    )]
    Busy {
        /// The file.
        path: PathBuf,
        /// Who holds it, if that is known.
        holder: Option<String>,
        /// How long this process has waited.
        waited: Duration,
    },
    /// Another file has taken the name of the one that is being changed, so nothing was changed.
    #[error("{}: another file has taken its place meanwhile", shown(path))]
    Replaced {
        /// The file.
        path: PathBuf,
    },
    /// There is a file of that name.
    #[error("{}: exists already", shown(path))]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// What would be overwritten is something else.
    #[error("{}: not an index, so it is not replaced", shown(path))]
    NotReplaced {
        /// The file.
        path: PathBuf,
    },
}

impl Error {
    pub(crate) fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |reason| Self::Io { path, reason }
    }

    pub(crate) fn damaged(path: &Path, part: &str, what: &'static str) -> Self {
        Self::Damaged {
            path: path.to_owned(),
            part: part.to_owned(),
            what,
        }
    }
}

impl Remedied for Error {
    fn remedies(&self) -> Vec<Remedy> {
        let all = |advice: &[&str]| advice.iter().map(|&it| Remedy::advice(it)).collect();
        match self {
            Self::Io { .. } => Vec::new(),
            Self::Output(error) => error.remedies(),
            Self::NotAStore { .. } => all(&["build one from the items"]),
            Self::Version { found, known, .. } if found > known => {
                all(&["update Lookalike", "build it again"])
            }
            Self::Version { .. } => all(&["build it again"]),
            Self::Damaged { .. } => all(&["restore it from a copy", "build it again"]),
            Self::Busy { .. } => all(&["wait for it", "wait longer"]),
            Self::Replaced { .. } => all(&["run this again"]),
            Self::Exists { .. } => vec![
                Remedy::advice("choose another name"),
                Remedy::new("replace the index with", OVERWRITE),
            ],
            Self::NotReplaced { .. } => all(&["choose another name", "remove it"]),
        }
    }
}
