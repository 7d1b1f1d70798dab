use std::path::PathBuf;

use lookalike_core::plugin::{Remedied, Remedy, Setting, shown};

use crate::{Id, WrongSetting};

/// Whether documents are named by file and line even if they have ids.
pub const IGNORE_IDS: Setting = Setting("ignore_ids");

/// Whether documents take the place of those that have their ids.
pub const REPLACE: Setting = Setting("replace");
/// Whether documents are left out whose ids are taken.
pub const SKIP: Setting = Setting("skip");

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
    /// The index was made by a program that takes texts apart otherwise.
    #[error(
        "{}: made by a version that splits or hashes texts otherwise",
        shown(path)
    )]
    Hashing {
        /// The file.
        path: PathBuf,
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

impl Remedied for Error {
    fn remedies(&self) -> Vec<Remedy> {
        let all = |advice: &[&str]| advice.iter().map(|&it| Remedy::advice(it)).collect();
        match self {
            Self::Corpus(error) => error.remedies(),
            Self::Output(error) => error.remedies(),
            Self::Plugin(error) => error.remedies(),
            Self::Store(error) => error.remedies(),
            Self::NoFile => all(&["save it to a file first"]),
            Self::Hashing { .. } => all(&["build it again"]),
            Self::Taken { .. } => vec![
                Remedy::advice("remove it first"),
                Remedy::new("replace it with", REPLACE),
                Remedy::new("leave the new one out with", SKIP),
            ],
            Self::Ambiguous { id } => {
                let advice = format!("say which, as JSON, such as '\"{id}\"'");
                vec![Remedy::advice(advice)]
            }
            Self::TooMany => all(&["split the corpus"]),
            Self::TooLong { .. } => all(&["split it"]),
            Self::Setting(_) | Self::Core(_) | Self::Engine(_) | Self::Unknown { .. } => Vec::new(),
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
