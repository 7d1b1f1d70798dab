use lookalike_corpus::{Corpus, FieldPath, Format, Options};

use crate::Error;

/// The documents that are indexed or searched, and how they are read.
#[derive(Clone, Debug, PartialEq)]
pub struct TextInput {
    /// Files, folders, globs, or `-` for stdin.
    pub inputs: Vec<String>,
    /// What a document is in all files; `None`: detected from names and contents.
    pub format: Option<Format>,
    /// The field of a record that holds the text.
    pub text: FieldPath,
    /// The field that holds the id, which every record must then have.
    pub id: Option<FieldPath>,
    /// Whether documents are named by file and line even if they have ids.
    pub ignore_ids: bool,
    /// Maximum decompression ratio.
    pub max_expansion: u64,
}

impl Default for TextInput {
    fn default() -> Self {
        let Options {
            text,
            max_expansion,
            ..
        } = Options::default();
        Self {
            inputs: Vec::new(),
            format: None,
            text,
            id: None,
            ignore_ids: false,
            max_expansion,
        }
    }
}

impl TextInput {
    /// Opens the inputs, to be read once or twice.
    pub(crate) fn open(&self, twice: bool) -> Result<Corpus, Error> {
        let options = Options {
            format: self.format,
            text: self.text.clone(),
            id: self.id.clone(),
            max_expansion: self.max_expansion,
            second_pass: twice,
            ..Options::default()
        };
        Ok(Corpus::open(&self.inputs, options)?)
    }
}
