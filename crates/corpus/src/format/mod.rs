//! The table of formats.
//!
//! Each format is one file here that implements [`Layout`]: how its records are recognised, cut, read and copied.
//! [`Format`] is the public name of an entry. The rest of the crate asks an entry and never matches on the name, so a
//! new format is one file, one variant and one line of [`TABLE`]. The alternative, a `match` in every pass, had grown
//! to 50 places.

mod bytes;
mod csv;
mod dtype;
mod files;
mod json;
mod jsonl;
mod layout;
mod lines;
mod npy;
mod packed;
mod parquet;
mod rows;
mod table;
mod tsv;
mod vecs;

pub(crate) use layout::{Cutting, Facts, Head, Layout, State};
pub(crate) use table::{by_name_alone, detect};

use crate::Error;
use rows::Rows;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// What a record is in a file.
///
/// | format | extensions | a record |
/// |---|---|---|
/// | `jsonl` | `.jsonl`, `.ndjson`, `.json` | one JSON object per line |
/// | `json` | `.json`, if it starts with `[` | an object of one JSON array, over any number of lines |
/// | `csv` | `.csv` | a row below a header, with the delimiter that the header shows |
/// | `tsv` | `.tsv` | a row below a header, with tabs between the cells and the quotes of CSV |
/// | `parquet` | `.parquet` | a row |
/// | `npy` | `.npy` | a row of a NumPy array of two dimensions |
/// | `fvecs` | `.fvecs` | a row of 32-bit floats after its dimension |
/// | `bvecs` | `.bvecs` | a row of bytes after its dimension |
/// | `ivecs` | `.ivecs` | a row of 32-bit integers after its dimension |
/// | `packed` | `.bin` | a fixed number of bytes ([`Options::record_bytes`](crate::Options::record_bytes)) |
/// | `lines` | `.txt` | a line of text |
/// | `files` | | a whole file of text |
/// | `bytes` | | a whole file of any bytes |
///
/// ```
/// # use lookalike_corpus::Format;
/// let format: Format = "tsv".parse()?;
/// assert_eq!(format, Format::Tsv);
/// assert!(format.has_fields() && !format.is_whole_file());
/// # Ok::<(), lookalike_corpus::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
#[non_exhaustive]
pub enum Format {
    /// One JSON object per line, with the value in one of its fields.
    Jsonl,
    /// One JSON array of objects, with the value in one of their fields.
    Json,
    /// Rows with the value in one of the columns, which the first row names.
    Csv,
    /// The same with a tab as the delimiter, whatever the header looks like.
    Tsv,
    /// Rows of a Parquet file, with the value in one of the columns. It needs the feature `parquet` of this crate and
    /// an uncompressed file on disk.
    Parquet,
    /// Rows of a NumPy array of two dimensions, stored row by row.
    Npy,
    /// Rows of 32-bit floats, each after its dimension as a little-endian 32-bit integer.
    Fvecs,
    /// Rows of bytes, each after its dimension.
    Bvecs,
    /// Rows of signed 32-bit integers, each after its dimension.
    Ivecs,
    /// Records of a fixed number of bytes, one after the other.
    Packed,
    /// Lines of text.
    Lines,
    /// One text per file.
    Files,
    /// One sequence of bytes per file.
    Bytes,
}

/// All formats, in the order in which users see them and in which content is looked at.
static TABLE: [(Format, &dyn Layout); 13] = [
    (Format::Jsonl, &jsonl::Jsonl),
    (Format::Json, &json::Json),
    (Format::Csv, &csv::CSV),
    (Format::Tsv, &tsv::TSV),
    (Format::Parquet, &self::parquet::Parquet),
    (Format::Npy, &Rows(npy::Npy)),
    (Format::Fvecs, &vecs::FVECS),
    (Format::Bvecs, &vecs::BVECS),
    (Format::Ivecs, &vecs::IVECS),
    (Format::Packed, &Rows(packed::Packed)),
    (Format::Lines, &lines::Lines),
    (Format::Files, &files::Files),
    (Format::Bytes, &bytes::Bytes),
];

/// The names for messages: `jsonl, csv or lines`.
static NAMES: LazyLock<String> = LazyLock::new(|| {
    let names: Vec<&str> = Format::all().map(Format::name).collect();
    let (last, first) = names.split_last().expect("the table has entries");
    format!("{} or {last}", first.join(", "))
});

impl Format {
    /// All formats.
    pub fn all() -> impl ExactSizeIterator<Item = Self> {
        TABLE.iter().map(|(format, _)| *format)
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.layout().facts().name
    }

    /// The extensions of file names that mean this format, without the dot.
    #[must_use]
    pub fn extensions(self) -> &'static [&'static str] {
        self.layout().facts().extensions
    }

    /// Whether a file is one record, so that its place is the file.
    #[must_use]
    pub fn is_whole_file(self) -> bool {
        self.layout().facts().is_whole_file
    }

    /// Whether a record has named fields: an id may be among them, and others can be added.
    #[must_use]
    pub fn has_fields(self) -> bool {
        self.layout().facts().has_fields
    }

    /// Whether records are rows of an array, which have numbers and neither text nor lines.
    #[must_use]
    pub fn is_array(self) -> bool {
        self.layout().facts().is_array
    }

    /// Whether files of this format are compressed inside, and so never as a whole.
    #[must_use]
    pub fn is_compressed_inside(self) -> bool {
        self.layout().facts().is_compressed_inside
    }

    /// Its entry of the table.
    pub(crate) fn layout(self) -> &'static dyn Layout {
        TABLE[self as usize].1
    }
}

impl FromStr for Format {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self, Error> {
        let unknown = || Error::Parameter {
            name: "format",
            value: name.to_owned(),
            expected: NAMES.as_str(),
        };
        Self::all()
            .find(|format| format.name() == name)
            .ok_or_else(unknown)
    }
}

impl TryFrom<String> for Format {
    type Error = Error;

    fn try_from(name: String) -> Result<Self, Error> {
        name.parse()
    }
}

impl From<Format> for String {
    fn from(format: Format) -> Self {
        format.name().to_owned()
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
