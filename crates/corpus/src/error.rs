use lookalike_core::plugin::{Remedied, Remedy, Setting};
use std::io;
use std::path::PathBuf;

/// The field of a record that holds the text.
pub const TEXT_FIELD: Setting = Setting("text_field");
/// The field of a record that holds the id.
pub const ID_FIELD: Setting = Setting("id_field");
/// The bits of a record of packed bytes.
pub const RECORD_BITS: Setting = Setting("bits");
/// The maximum decompression ratio.
pub const MAX_EXPANSION: Setting = Setting("max_expansion");
/// The most bytes of a record.
pub const MAX_RECORD: Setting = Setting("max_record");
/// The most bytes of the window of a zstd file.
pub const MAX_WINDOW: Setting = Setting("max_window");

/// What this crate refuses: where it is, and what is wrong with it. [`Remedied`] says what would fix it.
///
/// Messages are complete in themselves: an [`io::Error`] is part of the message
/// and so is not given again as the [`source`](std::error::Error::source).
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// An option is outside its range.
    #[error("{name} is `{value}`, but must be {expected}")]
    Parameter {
        /// The option, as users write it.
        name: &'static str,
        /// What was given.
        value: String,
        /// What would be accepted.
        expected: &'static str,
    },
    /// There is no input at all.
    #[error("no input")]
    NoInput,
    /// A named file does not exist.
    #[error("{path}: no such file or folder")]
    Missing {
        /// The path as given.
        path: String,
    },
    /// An input is a URL.
    #[error("{url}: a URL; only files on this machine can be read")]
    Url {
        /// The input as given.
        url: String,
    },
    /// A file holds something else than documents.
    #[error("{file}: {what}, which cannot be read")]
    Foreign {
        /// The file.
        file: String,
        /// What it is.
        what: &'static str,
        /// What to do.
        advice: &'static str,
    },
    /// A zstd file needs too much memory.
    #[error("{file}: the zstd data needs a window of more than {limit} bytes in memory")]
    Window {
        /// The file.
        file: String,
        /// The largest window that is allowed.
        limit: u64,
    },
    /// A pattern is not one.
    #[error("{pattern}: not a glob pattern: {reason}")]
    Pattern {
        /// The pattern as given.
        pattern: String,
        /// What is wrong with it.
        reason: String,
    },
    /// A folder or a pattern names no file.
    #[error("{input}: no files found (hidden files are left out)")]
    NoFiles {
        /// The folder or the pattern as given.
        input: String,
    },
    /// None of the files of a folder is read.
    #[error("{input}: none of its {files} files {reason}")]
    NoneChosen {
        /// The folder as given.
        input: String,
        /// The visible files in it.
        files: usize,
        /// What they lack.
        reason: &'static str,
    },
    /// Two inputs are the same file.
    #[error("{path}: named twice among the inputs")]
    Twice {
        /// The file.
        path: String,
    },
    /// The system could not read.
    #[error("{file}: cannot read: {reason}")]
    Read {
        /// The file.
        file: String,
        /// What the system said.
        reason: io::Error,
    },
    /// The system could not write an output.
    #[error("cannot write: {reason}")]
    Write {
        /// What the system said.
        reason: io::Error,
    },
    /// The system could not write what is kept for a second pass.
    #[error("{folder}: cannot keep {file} for the second pass: {reason}")]
    Spool {
        /// The folder of the temporary file.
        folder: PathBuf,
        /// The input.
        file: String,
        /// What the system said.
        reason: io::Error,
    },
    /// Compressed data ends too early.
    #[error(
        "{file}:{line}: the {codec} data is truncated: it ends after {bytes} decompressed bytes"
    )]
    Truncated {
        /// The file.
        file: String,
        /// The line in which the data ends.
        line: u64,
        /// `gzip` or `zstd`.
        codec: &'static str,
        /// Bytes that could be decompressed.
        bytes: u64,
    },
    /// Compressed data is damaged.
    #[error("{file}: the {codec} data is damaged after {bytes} decompressed bytes: {reason}")]
    Damaged {
        /// The file.
        file: String,
        /// `gzip` or `zstd`.
        codec: &'static str,
        /// Bytes that could be decompressed.
        bytes: u64,
        /// What the decoder said.
        reason: io::Error,
    },
    /// Compressed data expands beyond all measure.
    #[error("{file}: {packed} bytes unpack to {unpacked} bytes or more, over {most} times as many")]
    Expansion {
        /// The file.
        file: String,
        /// Bytes that came out, or would.
        unpacked: u64,
        /// Bytes that went in.
        packed: u64,
        /// The most times that are allowed.
        most: u64,
    },
    /// A file is not Parquet, or damaged.
    #[error("{file}: cannot be read as Parquet: {reason}")]
    Parquet {
        /// The file.
        file: String,
        /// What is wrong, and where.
        reason: String,
    },
    /// Parquet comes in a way in which it cannot be read.
    #[error("{file}: Parquet {reason}")]
    NoParquet {
        /// The file.
        file: String,
        /// Why, and what would do.
        reason: &'static str,
    },
    /// A file lacks a column.
    #[error("{file}: no column `{field}`; {}", columns(present))]
    NoColumn {
        /// The file.
        file: String,
        /// The field that was asked for.
        field: String,
        /// The columns that the file has.
        present: Vec<String>,
        /// What chooses the field.
        option: Option<Setting>,
    },
    /// A column holds something else.
    #[error(
        "{file}: the column `{field}` holds {found}, not {expected}; {}",
        columns(present)
    )]
    ColumnType {
        /// The file.
        file: String,
        /// The field that was asked for.
        field: String,
        /// What it holds.
        found: &'static str,
        /// What it should hold.
        expected: &'static str,
        /// The columns that the file has.
        present: Box<[String]>,
        /// What chooses the field.
        option: Option<Setting>,
    },
    /// Two columns have the name that is asked for.
    #[error("{file}:{line}: two columns are called `{field}`")]
    TwoColumns {
        /// The file.
        file: String,
        /// The line of the header, from 1.
        line: u64,
        /// The field that was asked for.
        field: String,
    },
    /// A line is not UTF-8.
    #[error("{file}:{line}: not UTF-8 at byte {byte} of the line")]
    Utf8 {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The first byte of the line that is wrong, from 1.
        byte: u64,
    },
    /// A line is not JSON.
    #[error("{file}:{line}:{column}: broken JSON: {message}{}", perhaps(message))]
    Json {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The byte of the line, from 1.
        column: u64,
        /// What the parser said.
        message: String,
    },
    /// A line is JSON, but not an object.
    #[error(
        "{file}:{line}: {found} instead of an object: JSONL has one object per line, with a field for the item, such as {{\"text\": …}}"
    )]
    NotAnObject {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What it is.
        found: &'static str,
    },
    /// A record lacks a field.
    #[error("{file}:{line}: no field `{field}`; {}", fields(present))]
    NoField {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The field that was asked for.
        field: String,
        /// The fields that the record has.
        present: Vec<String>,
        /// What chooses the field.
        option: Setting,
    },
    /// The text of a record is not a string.
    #[error("{file}:{line}: the text in `{field}` is {found}, not a string")]
    TextType {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The field of the text.
        field: String,
        /// What is there.
        found: &'static str,
        /// What chooses the field.
        option: Setting,
    },
    /// The id of a record is neither a string nor an integer.
    #[error("{file}:{line}: the id in `{field}` is {found}, not a string or an integer")]
    IdType {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The field of the id.
        field: String,
        /// What is there.
        found: &'static str,
    },
    /// A row has not the columns of the header.
    #[error(
        "{file}:{line}: {found} columns where the header has {expected}: fields are separated by \
         `{}`, and must be quoted if they hold it",
        delimiter.escape_default()
    )]
    Columns {
        /// The file.
        file: String,
        /// The line on which the row starts, from 1.
        line: u64,
        /// The columns of the row.
        found: usize,
        /// The columns of the header.
        expected: usize,
        /// What separates fields.
        delimiter: char,
    },
    /// A field starts with a quote that is not closed.
    #[error("{file}:{line}: a quote in the row that starts here is not closed")]
    OpenQuote {
        /// The file.
        file: String,
        /// The line on which the row starts, from 1.
        line: u64,
    },
    /// A record is longer than a place can say.
    #[error("{file}:{line}: a record of more than {limit} bytes")]
    TooLong {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// The most bytes a record may have.
        limit: u64,
    },
    /// A file is not what it was.
    #[error("{file}: changed while it was in use")]
    Changed {
        /// The file.
        file: String,
    },
    /// A stream was to be read again.
    #[error("{file}: can be read only once, and was not kept for a second pass")]
    ReadOnce {
        /// The input.
        file: String,
    },
    /// A record has the member that was to be added.
    #[error("{file}:{line}: the record has a field `{field}` already")]
    HasField {
        /// The file.
        file: String,
        /// The line of the record.
        line: u64,
        /// The field.
        field: String,
    },
    /// A JSON array is broken.
    #[error("{file}:{line}: broken JSON array: {message}")]
    Array {
        /// The file.
        file: String,
        /// The line, from 1.
        line: u64,
        /// What is wrong.
        message: String,
    },
    /// An element of a JSON array is not an object.
    #[error("{file}:{line}: {found} instead of an object: each element of the array must be {{…}}")]
    ElementType {
        /// The file.
        file: String,
        /// The line of the element, from 1.
        line: u64,
        /// What it is.
        found: &'static str,
    },
    /// A file has rows of numbers where texts are wanted.
    #[error("{file}: rows of an array (format `{format}`) are not text; name a file of texts")]
    NotText {
        /// The file.
        file: String,
        /// Its format.
        format: &'static str,
    },
    /// A value is not text, but a document was asked for.
    #[error("{file}:{line}: expected text, found {found}")]
    NotTextValue {
        /// The file.
        file: String,
        /// The line or row, from 1.
        line: u64,
        /// What is there.
        found: String,
    },
    /// A file of rows cannot be read as such.
    #[error("{file}: {reason}")]
    Rows {
        /// The file.
        file: String,
        /// What is wrong, and what would work.
        reason: String,
    },
    /// A file of packed bytes does not say how long its records are.
    #[error("{file}: packed bytes do not say how long a record is")]
    NoRecordBytes {
        /// The file.
        file: String,
    },
    /// A row of Parquet has no value, or not a whole one.
    #[error("{file}:{row}: the column `{field}` has {found} in this row")]
    Cell {
        /// The file.
        file: String,
        /// The row, from 1.
        row: u64,
        /// The column.
        field: String,
        /// What is there.
        found: &'static str,
    },
    /// Members can be added to records only.
    #[error("{file}: its documents are not records, so nothing can be added to them")]
    NotRecords {
        /// The file.
        file: String,
    },
}

impl Error {
    /// The error of an input that the system cannot read.
    pub(crate) fn read(file: &str, reason: io::Error) -> Self {
        Self::Read {
            file: file.to_owned(),
            reason,
        }
    }

    pub(crate) fn has_field(file: &str, line: u64, field: &str) -> Self {
        Self::HasField {
            file: file.to_owned(),
            line,
            field: field.to_owned(),
        }
    }

    pub(crate) fn changed(file: &str) -> Self {
        Self::Changed {
            file: file.to_owned(),
        }
    }
}

impl Remedied for Error {
    fn remedies(&self) -> Vec<Remedy> {
        let advice = |advice: &str| vec![Remedy::advice(advice)];
        let another = |setting| vec![Remedy::new("choose another field with", setting)];
        match self {
            Self::NoInput => advice("name files, folders, globs, or `-` for stdin"),
            Self::Twice { .. } => advice("name it once"),
            Self::Spool { .. } => advice("make room there"),
            Self::Expansion { .. } => vec![
                Remedy::advice("unpack it first"),
                Remedy::new("allow more with", MAX_EXPANSION),
            ],
            Self::NoColumn {
                present, option, ..
            } => one_of(present, *option),
            Self::ColumnType {
                present, option, ..
            } => one_of(present, *option),
            Self::TwoColumns { .. } => advice("rename one of them"),
            Self::Utf8 { .. } => advice("convert the file to UTF-8"),
            Self::NoField {
                present, option, ..
            } => one_of(present, Some(*option)),
            Self::TextType { option, .. } => another(*option),
            Self::IdType { .. } => another(ID_FIELD),
            Self::OpenQuote { .. } => advice("close it"),
            Self::TooLong { .. } => vec![
                Remedy::advice("split it"),
                Remedy::new("allow more with", MAX_RECORD),
            ],
            Self::Url { .. } => advice("download it first, and name the file"),
            Self::Foreign { advice: what, .. } => advice(what),
            Self::Window { .. } => vec![
                Remedy::advice("unpack it first"),
                Remedy::new("allow more with", MAX_WINDOW),
            ],
            Self::Changed { .. } => advice("run again when nothing writes to it"),
            Self::HasField { .. } => vec![
                Remedy::advice("remove it"),
                Remedy::advice("start from the records as they were"),
            ],
            Self::Parameter { .. }
            | Self::Missing { .. }
            | Self::Pattern { .. }
            | Self::NoFiles { .. }
            | Self::NoneChosen { .. }
            | Self::Read { .. }
            | Self::Write { .. }
            | Self::Truncated { .. }
            | Self::Damaged { .. }
            | Self::Parquet { .. }
            | Self::NoParquet { .. }
            | Self::Json { .. }
            | Self::NotAnObject { .. }
            | Self::Columns { .. }
            | Self::ReadOnce { .. }
            | Self::ElementType { .. }
            | Self::NotText { .. }
            | Self::NotTextValue { .. }
            | Self::Rows { .. }
            | Self::Array { .. }
            | Self::Cell { .. }
            | Self::NotRecords { .. } => Vec::new(),
            Self::NoRecordBytes { .. } => vec![Remedy::with_value(
                "state the bits of a record with",
                RECORD_BITS,
                "N",
            )],
        }
    }
}

/// The advice to choose one of the fields that there are.
fn one_of(present: &[String], option: Option<Setting>) -> Vec<Remedy> {
    let choose = || match option {
        Some(option) => Remedy::new("choose one with", option),
        None => Remedy::advice("choose one of these"),
    };
    (!present.is_empty()).then(choose).into_iter().collect()
}

/// The fields of a record for a message: at most eight.
fn fields(present: &[String]) -> String {
    match names(present) {
        Some(names) => format!("the record has {names}"),
        None => "the record has no fields".to_owned(),
    }
}

/// The columns of a file for a message: at most eight.
fn columns(present: &[String]) -> String {
    match names(present) {
        Some(names) => format!("the file has {names}"),
        None => "the file has no columns".to_owned(),
    }
}

fn names(present: &[String]) -> Option<String> {
    const SHOWN: usize = 8;
    if present.is_empty() {
        return None;
    }
    let names: Vec<String> = present
        .iter()
        .take(SHOWN)
        .map(|n| format!("`{n}`"))
        .collect();
    let more = match present.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    Some(format!("{}{more}", names.join(", ")))
}

/// A record that goes on where its line ends is perhaps written for people.
fn perhaps(message: &str) -> &'static str {
    match message.starts_with("EOF") {
        true => "; JSONL has one {…} a line",
        false => "",
    }
}
