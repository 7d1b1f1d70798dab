use crate::{Error, FieldPath, Format, Limits, TEXT_FIELD};
use lookalike_core::plugin::{PlainFile, Setting};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

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
    /// What a record is, in all files.
    ///
    /// `None`: each file's own. A name that ends (`.gz`, `.zst` aside) in an [extension of a format](Format) says it;
    /// a `.json` file is an array if its first byte that is not blank is `[`, else JSONL. Of other names and of stdin
    /// the content says it: Parquet and NumPy by their first bytes, JSONL if the first byte that is not blank is `{`,
    /// lines otherwise. CSV, JSON arrays, packed bytes and whole files are never guessed.
    ///
    /// The delimiter of CSV is the first of comma, semicolon, tab and bar that is in the header outside of quotes; it
    /// is the tab in `tsv`, and in `csv` if the name ends in `.tsv`.
    ///
    /// A text file of a folder is one record, unless [`plain`](Self::plain) says otherwise; a text file that is
    /// named, also by a glob, is one record per line. Of a folder the files of one format are read: the format with the
    /// most bytes. The others are [ignored](crate::Corpus::ignored).
    pub format: Option<Format>,
    /// What a file holds whose name and format do not say. With [`PlainFile::Bytes`] every file of a folder is one
    /// record, links aside, and so is a file that is named, unless its name means a format of records or lines.
    pub plain: PlainFile,
    /// Globs for the files of folders, matched with the name of a file and with its path below the folder. A file that
    /// matches one of them is read, whatever its format; others are not. If there are none, all files are candidates.
    pub include: Vec<String>,
    /// Globs for files of folders that are not read.
    pub exclude: Vec<String>,
    /// The field of a record that holds the text or the value. A column of CSV goes by its name alone.
    pub text: FieldPath,
    /// The setting that chooses that field, for remedies.
    pub text_option: Setting,
    /// The field of a record that holds the id, which then every record must have.
    ///
    /// `None`: the field `id` of the records where it is a string or an integer; the
    /// others have no id but their [`Place`](crate::Place). In CSV what looks like an
    /// integer in JSON is one, so that a record has the same id in both.
    pub id: Option<FieldPath>,
    /// Whether fields are wanted as values of any type, for [`Documents::next_value`](crate::Documents::next_value).
    ///
    /// If not, they are wanted as text: a field that is not a string is an error, and so is a file of numbers.
    pub values: bool,
    /// The bytes of a record of [`Format::Packed`], which its files do not say.
    pub record_bytes: Option<u32>,
    /// Further fields of a record that are wanted with it: [`Document::fields`].
    ///
    /// [`Document::fields`]: crate::Document::fields
    pub fields: Vec<FieldPath>,
    /// Inputs that are read after the others, as part of the same corpus, but have no mirror: a file in both is refused.
    pub beside: Vec<String>,
    /// What to do about a record that is not a document.
    pub on_error: OnError,
    /// How much of an input may be in memory at once.
    pub limits: Limits,
    /// The folder that relative inputs are seen from; `None`: the current one. Files are named as their inputs are given.
    pub folder: Option<PathBuf>,
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
            plain: PlainFile::Text,
            include: Vec::new(),
            exclude: Vec::new(),
            text: FieldPath::single("text"),
            text_option: TEXT_FIELD,
            id: None,
            values: false,
            record_bytes: None,
            fields: Vec::new(),
            beside: Vec::new(),
            on_error: OnError::Stop,
            limits: Limits::default(),
            folder: None,
            second_pass: false,
            spool: None,
        }
    }
}
