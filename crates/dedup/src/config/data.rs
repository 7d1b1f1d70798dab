use lookalike_corpus::{FieldPath, Format, OnError};
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
    /// The field of a record that holds the text.
    pub text: FieldPath,
    /// The field that holds the id, which every record must then have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<FieldPath>,
    /// What to do about a record that is not a document.
    pub on_error: OnError,
    /// How many times as many bytes as went in may come out of what is compressed.
    pub max_expansion: u64,
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
        let lookalike_corpus::Options {
            text,
            max_expansion,
            ..
        } = Default::default();
        Self {
            inputs: Vec::new(),
            format: None,
            text,
            id: None,
            on_error: OnError::default(),
            max_expansion,
            against: Vec::new(),
            within: None,
            ignore_ids: false,
        }
    }
}
