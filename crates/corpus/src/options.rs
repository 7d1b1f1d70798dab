use crate::expansion::Expansion;
use crate::{Error, FieldPath, TEXT_FIELD};
use lookalike_core::plugin::Setting;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// What a document is in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// A JSON object a line, with the text in one of its fields.
    Jsonl,
    /// A row a document, with the text in one of its columns, which the first row names.
    Csv,
    /// A line a document.
    Lines,
    /// A file a document.
    Files,
    /// A row of a Parquet file, with the text in one of its columns. It needs the feature
    /// `parquet` of this crate, and a file: neither a pipe nor a compressed file will do.
    Parquet,
}

impl Format {
    /// The format that a name says, if it says one: `.jsonl`, `.ndjson` and `.json`
    /// are [`Jsonl`](Self::Jsonl), `.csv` and `.tsv` are [`Csv`](Self::Csv), `.txt` is
    /// [`Lines`](Self::Lines), `.parquet` is [`Parquet`](Self::Parquet).
    pub(crate) fn by_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "jsonl" | "ndjson" | "json" => Some(Self::Jsonl),
            "csv" | "tsv" => Some(Self::Csv),
            "txt" => Some(Self::Lines),
            "parquet" => Some(Self::Parquet),
            _ => None,
        }
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "jsonl" => Ok(Self::Jsonl),
            "csv" => Ok(Self::Csv),
            "lines" => Ok(Self::Lines),
            "files" => Ok(Self::Files),
            "parquet" => Ok(Self::Parquet),
            _ => Err(Error::Parameter {
                name: "format",
                value: name.to_owned(),
                expected: "jsonl, csv, lines, files or parquet",
            }),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Jsonl => "jsonl",
            Self::Csv => "csv",
            Self::Lines => "lines",
            Self::Files => "files",
            Self::Parquet => "parquet",
        })
    }
}

/// What to do about a record that is not a document.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// Stop there.
    #[default]
    Stop,
    /// Pass over it, and remember it: [`Skipped`](crate::Skipped).
    ///
    /// A record is passed over if it is not UTF-8, not JSON, not an object, or lacks what
    /// is asked for; a row of CSV also if it has more or fewer columns than the header.
    /// Damage to a whole file is not a record's, and always stops; so does
    /// a record that is too long, whose place could not be told.
    Skip,
}

impl FromStr for OnError {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        match name {
            "stop" => Ok(Self::Stop),
            "skip" => Ok(Self::Skip),
            _ => Err(Error::Parameter {
                name: "on_error",
                value: name.to_owned(),
                expected: "stop or skip",
            }),
        }
    }
}

impl fmt::Display for OnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Stop => "stop",
            Self::Skip => "skip",
        })
    }
}

/// How inputs are read.
#[derive(Clone, Debug)]
pub struct Options {
    /// What a document is, in all files.
    ///
    /// `None`: each file's own. The name says it where it ends (`.gz`, `.zst` aside)
    /// in `.jsonl`, `.ndjson`, `.json`: a record a line; in `.csv`, `.tsv`: a row a
    /// document; in `.txt`: a line a document; or in `.parquet`. Of other names and of
    /// stdin the content says it: Parquet by its first bytes, records if the first byte
    /// that is no blank is `{`, lines otherwise. CSV and a file a document are never
    /// guessed.
    ///
    /// The delimiter of CSV is the tab where the name ends in `.tsv`; else the first of
    /// comma, semicolon, tab and bar that is in the header outside of quotes.
    pub format: Option<Format>,
    /// The field of a record that holds the text. A column of CSV goes by its name alone.
    pub text: FieldPath,
    /// The setting that chooses that field, for remedies.
    pub text_option: Setting,
    /// The field of a record that holds the id, which then every record must have.
    ///
    /// `None`: the field `id` of the records where it is a string or an integer; the
    /// others have no id but their [`Place`](crate::Place). In CSV what looks like an
    /// integer in JSON is one, so that a record has the same id in both.
    pub id: Option<FieldPath>,
    /// Further fields of a record that are wanted with it: [`Document::fields`].
    ///
    /// [`Document::fields`]: crate::Document::fields
    pub fields: Vec<FieldPath>,
    /// Inputs that are read after the others, as part of the same corpus, but have no mirror: a file in both is refused.
    pub beside: Vec<String>,
    /// What to do about a record that is not a document.
    pub on_error: OnError,
    /// How many times as many bytes as went in may come out of what is compressed: a file
    /// of which more comes out, and more than 16 MB, is refused before it fills memory
    /// and disk.
    pub max_expansion: u64,
    /// Whether documents will be read again: what cannot be read twice, or not from the
    /// middle (stdin, pipes, compressed files), is then kept decompressed in an unnamed
    /// temporary file during the first pass.
    pub second_pass: bool,
    /// The folder of that temporary file; `None`: the system's.
    pub spool: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            format: None,
            text: FieldPath::single("text"),
            text_option: TEXT_FIELD,
            id: None,
            fields: Vec::new(),
            beside: Vec::new(),
            on_error: OnError::Stop,
            max_expansion: Expansion::MOST,
            second_pass: false,
            spool: None,
        }
    }
}
