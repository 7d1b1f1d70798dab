/// Why an experiment came to nothing.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file cannot be understood.
    #[error("{place}: {message}")]
    Config {
        /// The file, line and column.
        place: String,
        /// What is wrong, and what was perhaps meant.
        message: String,
    },
    /// A setting is wrong; where it stands in a file is for whoever has the file to say.
    #[error("{message}")]
    Setting {
        /// The setting, as a path: `data.items`.
        key: String,
        /// What was given, and what would do.
        message: String,
    },
    /// Results could not be written, or documents not be compared.
    #[error(transparent)]
    Dedup(#[from] lookalike_dedup::Error),
    /// A document could not be read.
    #[error(transparent)]
    Corpus(#[from] lookalike_corpus::Error),
    /// Codes could not be read.
    #[error(transparent)]
    Codes(#[from] lookalike_codes::Error),
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

impl Error {
    /// A wrong setting, by its path in a file.
    pub fn setting(key: impl Into<String>, message: impl Into<String>) -> Self {
        let (key, message) = (key.into(), message.into());
        Self::Setting { key, message }
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

impl From<lookalike_dedup::Wrong> for Error {
    fn from(wrong: lookalike_dedup::Wrong) -> Self {
        Self::setting(wrong.key, wrong.message)
    }
}
