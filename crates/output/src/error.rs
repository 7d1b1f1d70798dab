use std::{
    io,
    path::{Path, PathBuf},
};

use lookalike_core::plugin::{Remedied, Remedy, Setting, shown};

/// The folder or file that results are written to.
pub const OUT: Setting = Setting("out");
/// Whether results of an earlier run may be replaced.
pub const OVERWRITE: Setting = Setting("overwrite");

/// Why results cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Something is there already.
    #[error("{}: exists already", shown(path))]
    Exists {
        /// The folder as it was given.
        path: PathBuf,
        /// Whether the caller can replace results of an earlier run.
        is_replaceable: bool,
    },
    /// What is there is not the results of a run.
    #[error(
        "{}: does not look like the results of a run, so it is not replaced",
        shown(path)
    )]
    NotReplaced {
        /// The folder as it was given.
        path: PathBuf,
    },
    /// There is a file among the results that the run did not write.
    #[error(
        "{}: was not written by the run whose results {} holds, so they are not replaced",
        shown(file),
        shown(folder)
    )]
    NotWritten {
        /// The file.
        file: PathBuf,
        /// The folder as it was given.
        folder: PathBuf,
    },
    /// Another run is about to write the same.
    #[error("{}: another run is writing its results there", shown(path))]
    Busy {
        /// The folder or file as it was given.
        path: PathBuf,
        /// Whether it is a folder. Results of a run may go to another one; a file that is changed is the file that is meant.
        is_folder: bool,
    },
    /// The target is a URL.
    #[error("{}: a URL; results are written to this machine only", shown(path))]
    Url {
        /// The folder or file as it was given.
        path: PathBuf,
    },
    /// Something is there that is not a file: a folder, or a device.
    #[error("{}: is not a file that can be replaced", shown(path))]
    NotAFile {
        /// The file as it was given.
        path: PathBuf,
    },
    /// The folder lies in one that is read.
    #[error(
        "{}: is inside the input {}, so that the next run would read its own results",
        shown(folder),
        shown(input)
    )]
    InsideInput {
        /// The folder as it was given.
        folder: PathBuf,
        /// The folder that is read.
        input: PathBuf,
    },
    /// The folder is the one that the process runs in.
    #[error("{}: is the current folder, which cannot be replaced", shown(path))]
    CurrentFolder {
        /// The folder as it was given.
        path: PathBuf,
    },
    /// An input lies in the folder that would be replaced.
    #[error("{}: is in {}, which would be replaced", shown(input), shown(folder))]
    InputInside {
        /// The input.
        input: PathBuf,
        /// The folder as it was given.
        folder: PathBuf,
    },
    /// The system refuses to write.
    #[error("{}: {reason}", shown(path))]
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

    /// Turns what the system said into the error of making a [`TemporaryFolder`](crate::TemporaryFolder) next to this.
    pub(crate) fn beside(path: &Path, is_folder: bool) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |reason| match reason.kind() {
            io::ErrorKind::ResourceBusy => Self::Busy { path, is_folder },
            _ => Self::Write { path, reason },
        }
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
            Self::NotWritten { .. } => vec![Remedy::advice("move it elsewhere"), another],
            Self::Busy { is_folder, .. } => {
                let mut remedies = vec![Remedy::advice("wait for it")];
                remedies.extend(is_folder.then_some(another));
                remedies
            }
            Self::Url { .. } => vec![Remedy::new(
                "name a folder or file of this machine with",
                OUT,
            )],
            Self::CurrentFolder { .. } | Self::InputInside { .. } | Self::InsideInput { .. } => {
                vec![another]
            }
            Self::NotAFile { .. } | Self::Write { .. } => Vec::new(),
        }
    }
}
