use lookalike_corpus::{Corpus, FieldPath, Format, Limits, Options};

use crate::Error;

/// The documents that are indexed or searched, and how they are read.
#[derive(Clone, Debug, PartialEq)]
pub struct TextInput {
    /// Files, folders, globs, or `-` for stdin.
    pub inputs: Vec<String>,
    /// What a document is in all files; `None`: detected from names and contents.
    pub format: Option<Format>,
    /// Globs for the files of folders that are read, whatever their format; empty: the files of one format.
    pub include: Vec<String>,
    /// Globs for the files of folders that are not read.
    pub exclude: Vec<String>,
    /// The field of a record that holds the text.
    pub text: FieldPath,
    /// The field that holds the id, which every record must then have.
    pub id: Option<FieldPath>,
    /// Whether documents are named by file and line even if they have ids.
    pub ignore_ids: bool,
    /// How much of an input may be in memory at once.
    pub limits: Limits,
}

impl Default for TextInput {
    fn default() -> Self {
        let Options { text, limits, .. } = Options::default();
        Self {
            inputs: Vec::new(),
            format: None,
            include: Vec::new(),
            exclude: Vec::new(),
            text,
            id: None,
            ignore_ids: false,
            limits,
        }
    }
}

impl TextInput {
    /// Opens the inputs, to be read once or twice.
    pub(crate) fn open(&self, twice: bool) -> Result<Corpus, Error> {
        let options = Options {
            format: self.format,
            include: self.include.clone(),
            exclude: self.exclude.clone(),
            text: self.text.clone(),
            id: self.id.clone(),
            limits: self.limits,
            second_pass: twice,
            ..Options::default()
        };
        Ok(Corpus::open(&self.inputs, options)?)
    }
}
