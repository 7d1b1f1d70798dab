//! Documents from files, folders, globs and stdin, read in parallel and found again.
//!
//! ```text
//! inputs ──open──▶ Corpus ──scan──▶ documents, in blocks, on all threads   (first pass)
//!                         ──reader─▶ single documents by their Place        (second pass)
//!                         ──split──▶ every input, record by record, as bytes (third pass)
//! ```
//!
//! No pass holds the corpus. A document is a record of a JSONL or CSV file, a line, a file, or
//! with the feature `parquet` a row of Parquet ([`Format`]); files may be compressed with gzip
//! or zstd, which their content tells.
//! What cannot be read twice is kept in a temporary file, if a second pass is wanted.

mod annotate;
mod blocks;
mod codec;
mod corpus;
mod csv;
mod document;
mod error;
mod expansion;
mod feed;
mod field;
mod file;
mod gzip;
mod inputs;
mod json;
mod kind;
mod lines;
mod names;
mod options;
#[cfg(feature = "parquet")]
mod parquet;
mod positioned;
mod reader;
mod records;
mod scan;
mod split;
mod stream;
mod values;

pub use codec::{Codec, Packed};
pub use corpus::Corpus;
pub use document::{Block, Document, Documents, Place, Skipped};
pub use error::{Error, ID_FIELD, MAX_EXPANSION, TEXT_FIELD};
pub use field::FieldPath;
pub use file::File;
pub use kind::ErrorKind;
pub use options::{Format, OnError, Options};
pub use reader::Reader;
pub use records::Records;
pub use split::{Fate, Outputs};
pub use values::Values;

#[cfg(test)]
mod tests;
