use std::{
    io,
    path::{Path, PathBuf},
};

use lookalike_core::plugin::{Remedied, Remedy, Setting};

/// The folder or file that results are written to.
pub const OUT: Setting = Setting("out");
/// Whether results of an earlier run may be replaced.
pub const OVERWRITE: Setting = Setting("overwrite");

/// Why results cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something is there already.
    #[error("{}: exists already", path.display())]
    Exists {
        /// The folder as it was given.
        path: PathBuf,
        /// Whether the caller can replace results of an earlier run.
        is_replaceable: bool,
    },
    /// What is there is not the results of a run.
    #[error("{}: does not look like the results of a run, so it is not replaced", path.display())]
    NotReplaced {
        /// The folder as it was given.
        path: PathBuf,
    },
    /// The folder is the one that the process runs in.
    #[error("{}: is the current folder, which cannot be replaced", path.display())]
    CurrentFolder {
        /// The folder as it was given.
        path: PathBuf,
    },
    /// An input lies in the folder that would be replaced.
    #[error("{input}: is in {}, which would be replaced", folder.display())]
    InputInside {
        /// The input.
        input: String,
        /// The folder as it was given.
        folder: PathBuf,
    },
    /// The system refuses to write.
    #[error("{}: {reason}", path.display())]
    Write {
        /// The file or folder.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
}

impl Error {
    /// Turns what the system said into the error of writing this file or folder.
    pub fn write(path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> Self {
        let path = path.as_ref().to_owned();
        move |reason| Self::Write { path, reason }
    }
}

impl Remedied for Error {
    fn remedies(&self) -> Vec<Remedy> {
        let another = Remedy::new("choose another", OUT);
        match self {
            Self::Exists { is_replaceable, .. } => {
                let mut remedies = vec![another, Remedy::advice("remove it")];
                if *is_replaceable {
                    let advice = "replace the results of an earlier run with";
                    remedies.push(Remedy::new(advice, OVERWRITE));
                }
                remedies
            }
            Self::NotReplaced { .. } => vec![another, Remedy::advice("remove it")],
            Self::CurrentFolder { .. } | Self::InputInside { .. } => vec![another],
            Self::Write { .. } => Vec::new(),
        }
    }
}
