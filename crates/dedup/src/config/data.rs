use std::path::{Path, PathBuf};

use lookalike_corpus::{FieldPath, Format, Limits, OnError};
use serde::{Deserialize, Serialize};

/// What is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Data {
    /// Files, folders, globs, or `-` for stdin.
    pub inputs: Vec<String>,
    /// What a document is in all files; without it, what names and contents say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// Globs for the files of folders that are read, whatever their format; empty: the files of one format.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub include: Vec<String>,
    /// Globs for the files of folders that are not read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub exclude: Vec<String>,
    /// The field of a record that holds the text.
    pub text: FieldPath,
    /// The field that holds the id, which every record must then have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<FieldPath>,
    /// What to do about a record that is not a document.
    pub on_error: OnError,
    /// The folder that relative inputs are seen from; without it, the current one. A run records it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// How many times as many bytes as went in may come out of what is compressed.
    pub max_expansion: u64,
    /// The most bytes of a record.
    pub max_record: u64,
    /// The most bytes of the window of a zstd file.
    pub max_window: u64,
    /// An older corpus: documents that are duplicates of one of its documents are removed, and nothing of it is.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<String>,
    /// The field whose value documents must share to be compared: a source, a language.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub within: Option<FieldPath>,
    /// Whether documents go by file and line even if they have ids.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ignore_ids: bool,
}

impl Default for Data {
    fn default() -> Self {
        let lookalike_corpus::Options { text, limits, .. } = Default::default();
        let Limits {
            max_expansion,
            max_record,
            max_window,
        } = limits;
        Self {
            inputs: Vec::new(),
            format: None,
            include: Vec::new(),
            exclude: Vec::new(),
            text,
            id: None,
            on_error: OnError::default(),
            folder: None,
            max_expansion,
            max_record,
            max_window,
            against: Vec::new(),
            within: None,
            ignore_ids: false,
        }
    }
}

impl Data {
    /// How much of an input may be in memory at once.
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            max_expansion: self.max_expansion,
            max_record: self.max_record,
            max_window: self.max_window,
        }
    }

    /// Whether inputs depend on the folder that they are seen from.
    pub(crate) fn is_relative(&self) -> bool {
        let mut inputs = self.inputs.iter().chain(&self.against);
        inputs.any(|input| input != "-" && !Path::new(input).is_absolute())
    }
}
