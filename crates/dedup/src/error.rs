use std::{io, path::PathBuf};

use crate::Wrong;

/// Why a run came to nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A document could not be read.
    #[error(transparent)]
    Corpus(#[from] lookalike_corpus::Error),
    /// The goal cannot be reached.
    #[error(transparent)]
    Plan(#[from] lookalike_core::Error),
    /// The engine refuses.
    #[error(transparent)]
    Engine(#[from] lookalike_engine::Error),
    /// A document has too many keys.
    #[error("{place}: {reason}: an OR inside an AND multiplies keys")]
    Keys {
        /// The document.
        place: String,
        /// How many.
        reason: lookalike_core::TooManyKeys,
    },
    /// A setting makes no sense.
    #[error("{message}")]
    Setting {
        /// What and why.
        message: String,
    },
    /// A file with settings cannot be understood.
    #[error("{place}: {message}")]
    Config {
        /// The file, line and column.
        place: String,
        /// What is wrong, and what was perhaps meant.
        message: String,
    },
    /// Two documents have the same id.
    #[error(
        "{second}: the id {id} is that of {first} too: ids must be unique; choose another field with --id-field, or go by file and line with --ignore-ids"
    )]
    DuplicateId {
        /// The id.
        id: String,
        /// The first document.
        first: String,
        /// The second.
        second: String,
    },
    /// There are more documents than ids.
    #[error("more than 2^32 − 1 documents: split the corpus")]
    TooMany,
    /// A run would remove almost everything.
    #[error(
        "{removed} of the {documents} documents of {source_name} are duplicates, which is more than {:.0}%, so nothing was written: look at them with --mode report, or go on with --allow-mass-removal",
        100.0 * share
    )]
    MassRemoval {
        /// The input, a file, or a value of the field that documents are compared within.
        source_name: String,
        /// Its documents.
        documents: u64,
        /// Those that would be removed.
        removed: u64,
        /// The share that may be removed.
        share: f64,
    },
    /// A run would pass over almost everything.
    #[error(
        "{skipped} of the {records} records of the input cannot be read, which is more than {:.0}%, so nothing was written; {alike} of them for such a reason: {reason}; look at them with --mode report, or go on with --allow-mass-removal",
        100.0 * share
    )]
    MassSkipping {
        /// Records of the input.
        records: u64,
        /// Those that are no documents.
        skipped: u64,
        /// The share that may be passed over.
        share: f64,
        /// How many have the most frequent kind of reason.
        alike: u64,
        /// The first of these reasons.
        reason: String,
    },
    /// A field that decides is in no record.
    #[error(
        "no record has a field `{field}`, which {setting} needs: {}choose another, or leave it out",
        there(present)
    )]
    NoField {
        /// The field.
        field: String,
        /// What needs it.
        setting: &'static str,
        /// The fields of the first record, where they are known.
        present: Vec<String>,
    },
    /// What is to be written would overwrite something.
    #[error("{}: exists already: choose another --out, remove it, or replace the results of an earlier run with --overwrite", path.display())]
    Exists {
        /// The folder.
        path: PathBuf,
    },
    /// What would be overwritten is something else.
    #[error("{}: does not look like the results of a run, so it is not replaced: choose another --out, or remove it", path.display())]
    NotReplaced {
        /// The folder.
        path: PathBuf,
    },
    /// What a finished run left is not there, or cannot be understood.
    #[error("{}: {message}", path.display())]
    Finished {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The inputs of a finished run cannot be opened.
    #[error("{reason}: {} names the inputs as they are seen from the folder in which it ran: run this there", run.display())]
    Inputs {
        /// The settings of the run.
        run: PathBuf,
        /// Why not.
        reason: lookalike_corpus::Error,
    },
    /// The inputs are not what a finished run has read.
    #[error("{message}: the inputs have changed since {} was written; run dedup again", folder.display())]
    Changed {
        /// The folder of the run.
        folder: PathBuf,
        /// What is different.
        message: String,
    },
    /// No document of a run is called so.
    #[error("no document of the run is called `{id}`{}", perhaps(near))]
    UnknownId {
        /// The id.
        id: String,
        /// Ids that look like it.
        near: Vec<String>,
    },
    /// The report has nothing to show.
    #[error(transparent)]
    Page(#[from] lookalike_report::Error),
    /// Writing failed.
    #[error("{}: {reason}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        reason: io::Error,
    },
}

impl From<Wrong> for Error {
    fn from(wrong: Wrong) -> Self {
        let message = wrong.message;
        Self::Setting { message }
    }
}

impl Error {
    pub(crate) fn write(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |reason| Self::Write { path, reason }
    }

    /// Says where a file with settings is wrong, and what was perhaps meant.
    #[must_use]
    pub fn config(name: &str, text: &str, error: &toml::de::Error) -> Self {
        let place = match error.span() {
            None => name.to_owned(),
            Some(span) => place(name, text, span.start),
        };
        let mut message = error.message().to_owned();
        if let Some(meant) = meant(&message) {
            message = format!("{message}; did you mean `{meant}`?");
        }
        Self::Config { place, message }
    }
}

/// File, line and column of a byte of a text.
#[must_use]
pub fn place(name: &str, text: &str, byte: usize) -> String {
    let before = &text[..byte.min(text.len())];
    let line = before.matches('\n').count() + 1;
    let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
    format!("{name}:{line}:{column}")
}

/// The fields that there are, at most eight.
fn there(present: &[String]) -> String {
    if present.is_empty() {
        return String::new();
    }
    let names: Vec<String> = present.iter().take(8).map(|n| format!("`{n}`")).collect();
    let more = match present.len().saturating_sub(8) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("the first has {}{more}; ", names.join(", "))
}

fn perhaps(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; did you mean `{}`?", near.join("`, `")),
    }
}

/// The known word that is nearest to an unknown one: "unknown field `x`, expected one of `a`, `b`".
fn meant(message: &str) -> Option<String> {
    message.strip_prefix("unknown ")?;
    let quoted: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let (unknown, known) = quoted.split_first()?;
    nearest(unknown, known).map(str::to_owned)
}

/// The known word that is nearest to an unknown one, if it is near.
#[must_use]
pub fn nearest<'a>(unknown: &str, known: &[&'a str]) -> Option<&'a str> {
    let likeness = |word: &&&str| strsim::jaro_winkler(unknown, word);
    let best = known
        .iter()
        .max_by(|a, b| likeness(a).total_cmp(&likeness(b)))?;
    (likeness(&best) > 0.8).then_some(*best)
}
