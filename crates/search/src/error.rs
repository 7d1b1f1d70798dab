use std::{io, path::PathBuf};

use lookalike_core::plugin::{Remedied, Remedy, Setting, shown};
use lookalike_corpus::ID_FIELD;
use lookalike_output::OVERWRITE;

use crate::{Id, WrongSetting};

/// Whether documents are named by file and line even if they have ids.
pub const IGNORE_IDS: Setting = Setting("ignore_ids");

/// What cannot be done with an index, and why.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A document could not be read.
    #[error(transparent)]
    Corpus(#[from] lookalike_corpus::Error),
    /// A setting is wrong, or a goal cannot be reached.
    #[error(transparent)]
    Setting(#[from] WrongSetting),
    /// The theory refuses.
    #[error(transparent)]
    Core(#[from] lookalike_core::Error),
    /// The file could not be written.
    #[error(transparent)]
    Output(#[from] lookalike_output::Error),
    /// The file of an index cannot be read or changed.
    #[error(transparent)]
    Store(#[from] lookalike_store::Error),
    /// The index is in memory, and there is no file to change.
    #[error("the index was not opened from a file, so there is nothing to commit to")]
    NoFile,
    /// A plugin or the planner refuses.
    #[error(transparent)]
    Plugin(#[from] lookalike_core::plugin::Error),
    /// The engine refuses.
    #[error(transparent)]
    Engine(#[from] lookalike_engine::Error),
    /// A number is outside its range.
    #[error("{name} is {value}, but must be {expected}")]
    Parameter {
        /// What it is called.
        name: &'static str,
        /// What was given.
        value: f64,
        /// What would be accepted.
        expected: &'static str,
    },
    /// A file could not be read or written.
    #[error("{}: {reason}", shown(path))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        reason: io::Error,
    },
    /// The file is something else.
    #[error("{}: not an index", shown(path))]
    NotAnIndex {
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
    /// The file does not hold what it promises.
    #[error("{}: damaged: {what}", shown(path))]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        what: &'static str,
    },
    /// The index was made by a program that takes texts apart otherwise.
    #[error(
        "{}: made by a version that splits or hashes texts otherwise",
        shown(path)
    )]
    Hashing {
        /// The file.
        path: PathBuf,
    },
    /// What is to be written would overwrite something.
    #[error("{}: exists already", shown(path))]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// What would be overwritten is not an index.
    #[error("{}: not an index, so it is not replaced", shown(path))]
    NotReplaced {
        /// The file.
        path: PathBuf,
    },
    /// The file is not the one any more that was opened.
    #[error("{}: somebody else has changed it meanwhile", shown(path))]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// Two documents have the same id.
    #[error("{second}: the id {} is that of {first} too: ids must be unique", id.as_json())]
    SameId {
        /// The id.
        id: Id,
        /// The first document.
        first: String,
        /// The second.
        second: String,
    },
    /// The index has a document with this id.
    #[error("{}the id {} is in the index already", at(place), id.as_json())]
    Taken {
        /// The id.
        id: Id,
        /// Where the document is, if it is in a file.
        place: Option<String>,
    },
    /// The index has no document with this id.
    #[error("no document has the id {id}{}", meant(near))]
    Unknown {
        /// The id as it was given.
        id: String,
        /// Ids that look like it.
        near: Vec<Id>,
    },
    /// Two documents have an id that reads the same.
    #[error("{id} is the number {id} and the string \"{id}\"")]
    Ambiguous {
        /// The id as it was given.
        id: String,
    },
    /// Numbers of documents have 32 bits.
    #[error("more than 2^32 − 1 documents")]
    TooMany,
    /// A text is too long.
    #[error("a text of {bytes} bytes, but at most 2^32 − 1 can be stored")]
    TooLong {
        /// Its bytes.
        bytes: usize,
    },
}

impl Error {
    pub(crate) fn io(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |reason| Self::Io { path, reason }
    }
}

impl Remedied for Error {
    fn remedies(&self) -> Vec<Remedy> {
        let all = |advice: &[&str]| advice.iter().map(|&it| Remedy::advice(it)).collect();
        match self {
            Self::Corpus(error) => error.remedies(),
            Self::Output(error) => error.remedies(),
            Self::Plugin(error) => error.remedies(),
            Self::Store(error) => error.remedies(),
            Self::NoFile => all(&["save it to a file first"]),
            Self::NotAnIndex { .. } => all(&["build one from the documents"]),
            Self::Version { found, known, .. } if found > known => {
                all(&["update Lookalike", "build it again"])
            }
            Self::Version { .. } | Self::Damaged { .. } | Self::Hashing { .. } => {
                all(&["build it again"])
            }
            Self::Exists { .. } => vec![
                Remedy::advice("choose another name"),
                Remedy::new("replace the index with", OVERWRITE),
            ],
            Self::NotReplaced { .. } => all(&["choose another name", "remove it"]),
            Self::Changed { .. } => all(&["run this again"]),
            Self::SameId { .. } => vec![
                Remedy::new("choose another field with", ID_FIELD),
                Remedy::new("go by file and line with", IGNORE_IDS),
            ],
            Self::Taken { .. } => all(&["remove it first", "choose another"]),
            Self::Ambiguous { id } => {
                let advice = format!("say which, as JSON, such as '\"{id}\"'");
                vec![Remedy::advice(advice)]
            }
            Self::TooMany => all(&["split the corpus"]),
            Self::TooLong { .. } => all(&["split it"]),
            Self::Setting(_)
            | Self::Core(_)
            | Self::Engine(_)
            | Self::Parameter { .. }
            | Self::Io { .. }
            | Self::Unknown { .. } => Vec::new(),
        }
    }
}

fn at(place: &Option<String>) -> String {
    place
        .as_ref()
        .map_or(String::new(), |place| format!("{place}: "))
}

fn meant(near: &[Id]) -> String {
    match near {
        [] => String::new(),
        near => {
            let near: Vec<String> = near.iter().map(Id::to_string).collect();
            format!("; did you mean {}?", near.join(" or "))
        }
    }
}
