use lookalike_core::plugin::{Remedied, Remedy};
use lookalike_search::WrongSetting;

use crate::chosen::error_parameter;

/// Why an experiment came to nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be understood.
    #[error("{place}: {message}")]
    Config {
        /// The file, line and column.
        place: String,
        /// What is wrong, and what may have been meant.
        message: String,
        /// What would fix it.
        remedies: Vec<Remedy>,
    },
    /// A setting is wrong; the caller, who has the file, says where it stands.
    #[error("{message}")]
    Setting {
        /// The setting, as a path: `data.items`.
        key: String,
        /// What was given, and what would be accepted.
        message: String,
        /// What would fix it.
        remedies: Vec<Remedy>,
    },
    /// Results could not be written.
    #[error(transparent)]
    Output(#[from] lookalike_output::Error),
    /// A document could not be read.
    #[error(transparent)]
    Corpus(#[from] lookalike_corpus::Error),
    /// Items could not be read.
    #[error(transparent)]
    Search(Box<lookalike_search::Error>),
    /// The theory refuses.
    #[error(transparent)]
    Core(#[from] lookalike_core::Error),
    /// Prints could not be read.
    #[error(transparent)]
    Prints(#[from] lookalike_prints::Error),
    /// The report refuses.
    #[error(transparent)]
    Report(#[from] lookalike_report::Error),
}

impl From<lookalike_search::Error> for Error {
    fn from(error: lookalike_search::Error) -> Self {
        Self::Search(Box::new(error))
    }
}

impl Error {
    /// A wrong setting, by its path in a file.
    pub fn setting(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Setting {
            key: key.into(),
            message: message.into(),
            remedies: Vec::new(),
        }
    }

    /// What is wrong at a place: a file and a line, and perhaps a column.
    pub fn config(place: impl Into<String>, message: impl Into<String>) -> Self {
        Self::Config {
            place: place.into(),
            message: message.into(),
            remedies: Vec::new(),
        }
    }

    /// What the registry refuses, about a key of the file.
    pub(crate) fn from_plugin(key: &str, error: lookalike_search::Error) -> Self {
        Self::Setting {
            key: key.to_owned(),
            message: error.to_string(),
            remedies: error.remedies(),
        }
    }

    /// What the registry refuses, about a parameter in a table of the file, or about the table.
    pub(crate) fn about_table(table: &str, error: lookalike_search::Error) -> Self {
        let key = match error_parameter(&error) {
            Some(parameter) => format!("{table}.{parameter}"),
            None => table.to_owned(),
        };
        Self::from_plugin(&key, error)
    }

    /// What the theory refuses is about the key that made it.
    pub(crate) fn about(self, key: &str) -> Self {
        match self {
            Self::Core(error) => Self::setting(key, error.to_string()),
            other => other,
        }
    }
}

impl From<WrongSetting> for Error {
    fn from(wrong: WrongSetting) -> Self {
        Self::setting(wrong.key, wrong.message)
    }
}

impl Remedied for Error {
    fn remedies(&self) -> Vec<Remedy> {
        match self {
            Self::Config { remedies, .. } | Self::Setting { remedies, .. } => remedies.clone(),
            Self::Output(error) => error.remedies(),
            Self::Corpus(error) => error.remedies(),
            Self::Search(error) => error.remedies(),
            Self::Prints(error) => error.remedies(),
            Self::Core(_) | Self::Report(_) => Vec::new(),
        }
    }
}
