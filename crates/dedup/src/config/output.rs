use std::path::PathBuf;

use lookalike_corpus::{Codec, File, Format};
use serde::{Deserialize, Serialize};

/// What is written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Output {
    /// The folder; not part of what a run records, as it decides nothing.
    #[serde(skip_serializing)]
    pub dir: Option<PathBuf>,
    /// Whether results of an earlier run in that folder may be replaced; decides nothing either.
    #[serde(skip_serializing)]
    pub overwrite: bool,
    /// What becomes of the documents.
    pub mode: Mode,
    /// How the files are compressed that mirror the inputs.
    pub compress: Compress,
    /// How pairs and clusters are written besides JSONL.
    #[serde(skip_serializing_if = "Tables::is_none")]
    pub tables: Tables,
    /// The largest share of the documents, or of those of one source, that a run may find to be duplicates; with
    /// more it stops before it writes, unless the mode is [`Report`](Mode::Report).
    ///
    /// So it does where a larger share of the records is passed over.
    ///
    /// A source is a file, or a value of [`within`](crate::Data::within), with [`SOURCE`] documents or more.
    pub max_removed: f64,
    /// Whether it may go on then.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_mass_removal: bool,
}

/// Documents from which on a source is looked at by itself.
pub const SOURCE: u64 = 1000;

impl Default for Output {
    fn default() -> Self {
        Self {
            dir: None,
            overwrite: false,
            mode: Mode::default(),
            compress: Compress::default(),
            tables: Tables::default(),
            max_removed: 0.9,
            allow_mass_removal: false,
        }
    }
}

/// What becomes of the documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// They are written to `kept` or `removed`.
    #[default]
    Remove,
    /// They are written with a note of what they duplicate.
    Annotate,
    /// They are not written, but the ids of those that would be removed are.
    Ids,
    /// They are not written.
    Report,
}

impl Mode {
    /// Whether documents are written.
    #[must_use]
    pub fn writes_documents(self) -> bool {
        matches!(self, Self::Remove | Self::Annotate)
    }
}

/// The tables of pairs and clusters that are written next to the JSONL files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tables {
    /// None.
    #[default]
    Jsonl,
    /// `pairs.csv` and `clusters.csv`.
    Csv,
    /// `pairs.parquet` and `clusters.parquet`.
    Parquet,
}

impl Tables {
    pub(crate) fn format(self) -> Option<Format> {
        match self {
            Self::Jsonl => None,
            Self::Csv => Some(Format::Csv),
            Self::Parquet => Some(Format::Parquet),
        }
    }

    pub(crate) fn is_none(&self) -> bool {
        *self == Self::Jsonl
    }
}

/// How files are compressed that mirror the inputs. Parquet never is: its columns are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compress {
    /// Not at all.
    #[default]
    None,
    /// Each as its input is.
    Same,
    /// With gzip.
    Gzip,
    /// With zstd.
    Zstd,
}

impl Compress {
    /// The codec of what mirrors a file.
    pub(crate) fn codec(self, file: &File) -> Option<Codec> {
        match self {
            _ if file.format().is_compressed_inside() => None,
            Self::None => None,
            Self::Same => file.codec(),
            Self::Gzip => Some(Codec::Gzip),
            Self::Zstd => Some(Codec::Zstd),
        }
    }
}
