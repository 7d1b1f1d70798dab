use std::path::PathBuf;

use lookalike_core::plugin::{Remedied, Remedy, Setting, shown};
use lookalike_corpus::ID_FIELD;
use lookalike_output::TomlProblem;
use lookalike_search::{IGNORE_IDS, WrongSetting};

/// What becomes of the documents.
pub const MODE: Setting = Setting("mode");
/// Whether a run may remove almost everything.
pub const ALLOW_MASS_REMOVAL: Setting = Setting("allow_mass_removal");

/// Why a run came to nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A document could not be read.
    #[error(transparent)]
    Corpus(#[from] lookalike_corpus::Error),
    /// The functions cannot be drawn.
    #[error(transparent)]
    Core(#[from] lookalike_core::Error),
    /// No plan satisfies the settings.
    #[error(transparent)]
    Plan(Box<lookalike_search::Error>),
    /// The engine refuses.
    #[error(transparent)]
    Engine(#[from] lookalike_engine::Error),
    /// Results cannot be written.
    #[error(transparent)]
    Output(#[from] lookalike_output::Error),
    /// A document has too many keys.
    #[error("{place}: {reason}: an OR inside an AND multiplies keys")]
    Keys {
        /// The document.
        place: String,
        /// How many.
        reason: lookalike_core::TooManyKeys,
    },
    /// A setting is outside its range, or contradicts another.
    #[error(transparent)]
    Setting(#[from] WrongSetting),
    /// A file with settings cannot be understood.
    #[error("{place}: {message}")]
    Config {
        /// The file, line and column.
        place: String,
        /// What is wrong, and what may have been meant.
        message: String,
    },
    /// Two documents have the same id.
    #[error("{second}: the id {id} is that of {first} too: ids must be unique")]
    DuplicateId {
        /// The id.
        id: String,
        /// The first document.
        first: String,
        /// The second.
        second: String,
    },
    /// There are more documents than ids.
    #[error("more than 2^32 − 1 documents")]
    TooMany,
    /// A run would remove almost everything.
    #[error(
        "{removed} of the {documents} documents of {source_name} are duplicates, which is more than {:.0}%, so nothing was written",
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
        "{skipped} of the {records} records of the input cannot be read, which is more than {:.0}%, so nothing was written; {alike} of them for such a reason: {reason}",
        100.0 * share
    )]
    MassSkipping {
        /// Records of the input.
        records: u64,
        /// Those that are not documents.
        skipped: u64,
        /// The share that may be passed over.
        share: f64,
        /// How many have the most frequent kind of reason.
        alike: u64,
        /// The first of these reasons.
        reason: String,
        /// What would fix that one.
        remedies: Vec<Remedy>,
    },
    /// A field that decides is in no record.
    #[error("no record has a field `{field}`, which {} needs{}", setting.0, first_has(present))]
    NoField {
        /// The field.
        field: String,
        /// What needs it.
        setting: Setting,
        /// The fields of the first record, where they are known.
        present: Vec<String>,
    },
    /// Documents that are not records cannot be annotated.
    #[error("{file}: plain text, so there is no record to annotate")]
    NotRecords {
        /// The file.
        file: String,
    },
    /// A forecast reads its inputs again.
    #[error("a dry run needs inputs that can be read again: not stdin or a pipe")]
    ReadOnce,
    /// A path that should be one document is several.
    #[error("{path}: {files} files, but a document is one")]
    SeveralFiles {
        /// The path.
        path: String,
        /// The files.
        files: usize,
    },
    /// What a finished run left is not there, or cannot be understood.
    #[error("{}: {message}", shown(path))]
    Finished {
        /// The file or folder.
        path: PathBuf,
        /// What is wrong with it.
        message: String,
    },
    /// The inputs of a finished run cannot be opened.
    #[error("{reason}: {} names it as an input of the run", shown(run))]
    Inputs {
        /// The settings of the run.
        run: PathBuf,
        /// Why not.
        reason: Box<lookalike_corpus::Error>,
    },
    /// The inputs are not what a finished run has read.
    #[error(
        "{message}: the inputs have changed since {} was written",
        shown(folder)
    )]
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
    /// A document is in no cluster of a run.
    #[error(
        "`{id}` is in no cluster of this run: the document has no duplicate, or is not of this run"
    )]
    NotClustered {
        /// The id.
        id: String,
    },
    /// Two names are of one document.
    #[error("`{}` and `{}` are one document", ids[0], ids[1])]
    OneDocument {
        /// The names.
        ids: [String; 2],
    },
    /// The report has nothing to show.
    #[error(transparent)]
    Page(#[from] lookalike_report::Error),
}

impl From<TomlProblem> for Error {
    fn from(problem: TomlProblem) -> Self {
        let TomlProblem { place, message } = problem;
        Self::Config { place, message }
    }
}

impl From<lookalike_search::Error> for Error {
    fn from(error: lookalike_search::Error) -> Self {
        Self::Plan(Box::new(error))
    }
}

impl Remedied for Error {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Corpus(error) => error.remedies(),
            Self::Plan(error) => error.remedies(),
            Self::Output(error) => error.remedies(),
            Self::DuplicateId { .. } => vec![
                Remedy::new("choose another field with", ID_FIELD),
                Remedy::new("go by file and line with", IGNORE_IDS),
            ],
            Self::TooMany => vec![Remedy::advice("split the corpus")],
            Self::MassRemoval { .. } => mass().into(),
            Self::MassSkipping { remedies, .. } => remedies.iter().cloned().chain(mass()).collect(),
            Self::NoField { setting, .. } => vec![
                Remedy::new("choose another with", *setting),
                Remedy::advice("leave it out"),
            ],
            Self::NotRecords { .. } => ["remove", "report"]
                .map(|mode| Remedy::with_value("use", MODE, mode))
                .into(),
            Self::SeveralFiles { .. } => vec![Remedy::advice("name a file")],
            Self::Inputs { .. } => vec![Remedy::advice("put it back")],
            Self::Changed { .. } => vec![Remedy::advice("run dedup again")],
            Self::OneDocument { .. } => vec![Remedy::advice("name two")],
            Self::Core(_)
            | Self::Engine(_)
            | Self::Keys { .. }
            | Self::Setting(_)
            | Self::Config { .. }
            | Self::ReadOnce
            | Self::Finished { .. }
            | Self::UnknownId { .. }
            | Self::NotClustered { .. }
            | Self::Page(_) => Vec::new(),
        }
    }
}

/// What to do if a run would remove or pass over almost everything.
fn mass() -> [Remedy; 2] {
    [
        Remedy::with_value("look at them with", MODE, "report"),
        Remedy::new("go on with", ALLOW_MASS_REMOVAL),
    ]
}

/// The fields that there are, at most eight.
fn first_has(present: &[String]) -> String {
    if present.is_empty() {
        return String::new();
    }
    let names: Vec<String> = present.iter().take(8).map(|n| format!("`{n}`")).collect();
    let more = match present.len().saturating_sub(8) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    format!("; the first has {}{more}", names.join(", "))
}

fn perhaps(near: &[String]) -> String {
    match near {
        [] => String::new(),
        near => format!("; did you mean `{}`?", near.join("`, `")),
    }
}
