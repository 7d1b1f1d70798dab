use lookalike_core::plugin::{Remedied, Remedy};
use lookalike_search::WrongSetting;

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
    /// The engine refuses.
    #[error(transparent)]
    Engine(#[from] lookalike_engine::Error),
    /// A minhash family refuses.
    #[error(transparent)]
    Minhash(#[from] lookalike_minhash::Error),
    /// A Hamming family refuses.
    #[error(transparent)]
    Hamming(#[from] lookalike_hamming::Error),
    /// A fingerprint family refuses.
    #[error(transparent)]
    Fingerprint(#[from] lookalike_fingerprint::Error),
    /// Prints could not be read.
    #[error(transparent)]
    Prints(#[from] lookalike_prints::Error),
    /// The report refuses.
    #[error(transparent)]
    Report(#[from] lookalike_report::Error),
    /// A family from elsewhere refuses.
    #[error(transparent)]
    Other(#[from] Box<dyn std::error::Error + Send + Sync>),
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

    /// The parameter that is outside its range, as families and generators name it.
    pub(crate) fn parameter(&self) -> Option<&'static str> {
        match self {
            Self::Core(lookalike_core::Error::Parameter { name, .. })
            | Self::Minhash(lookalike_minhash::Error::Parameter { name, .. })
            | Self::Hamming(lookalike_hamming::Error::Parameter { name, .. })
            | Self::Fingerprint(lookalike_fingerprint::Error::Parameter { name, .. }) => Some(name),
            _ => None,
        }
    }

    /// What a family or a generator refuses is about the table that made it.
    pub(crate) fn about(self, key: &str) -> Self {
        match self {
            Self::Core(_)
            | Self::Minhash(_)
            | Self::Hamming(_)
            | Self::Fingerprint(_)
            | Self::Other(_) => Self::setting(key, self.to_string()),
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
            Self::Core(_)
            | Self::Engine(_)
            | Self::Minhash(_)
            | Self::Hamming(_)
            | Self::Fingerprint(_)
            | Self::Report(_)
            | Self::Other(_) => Vec::new(),
        }
    }
}
