//! Documents from files, folders, globs and stdin, read in parallel and found again.
//!
//! ```text
//! inputs ──open──▶ Corpus ──scan──▶ documents, in blocks, on all threads   (first pass)
//!                         ──reader─▶ single documents by their Place        (second pass)
//!                         ──split──▶ every input, record by record, as bytes (third pass)
//! ```
//!
//! No pass holds the corpus. [`Format`] lists the files that can be read; they may be compressed
//! with gzip or zstd, which is detected from the content. A record is handed out as a [`Document`]
//! with its text, or as a [`Record`] with its value, which may be text, JSON, bytes or numbers.
//! What cannot be read twice is kept in a temporary file, if a second pass is wanted.

mod annotate;
mod blocks;
mod codec;
mod content;
mod corpus;
mod csv;
mod document;
mod error;
mod expansion;
mod feed;
mod field;
mod file;
mod folder;
mod foreign;
mod format;
mod gzip;
mod half;
mod inputs;
mod item;
mod json;
mod kind;
mod limits;
mod lines;
mod listing;
mod names;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod pattern;
mod positioned;
mod reader;
mod records;
mod scan;
mod split;
mod stream;
mod values;

pub use annotate::{Added, AddedColumn};
pub use codec::{Codec, Packed};
pub use corpus::Corpus;
pub use document::{Block, Document, Documents, Place, Record, Skipped};
pub use error::{Error, ID_FIELD, MAX_EXPANSION, MAX_RECORD, MAX_WINDOW, RECORD_BITS, TEXT_FIELD};
pub use field::FieldPath;
pub use file::File;
pub use format::Format;
pub use kind::ErrorKind;
pub use limits::Limits;
pub use listing::{Listing, Row};
pub use options::{OnError, Options};
#[cfg(feature = "parquet")]
pub use parquet::catches_panics;
pub use reader::Reader;
pub use records::Records;
pub use split::{Fate, Outputs};
pub use values::Values;

#[cfg(test)]
mod tests;
