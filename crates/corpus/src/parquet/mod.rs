//! Parquet, read as records and rewritten row by row.
//!
//! The parquet crate decodes and encodes pages, without arrow: columns are taken one by one,
//! so that what is written has the schema that was read, to the letter. Footers and page
//! headers are read here first ([`thrift`]), since whoever reserves memory must not take a
//! file's word for how much; pages are decompressed here for the same reason.

mod arrow;
mod cells;
mod columns;
mod copy;
mod delta;
mod footer;
mod guard;
mod header;
mod hex;
mod holding;
mod listing;
mod lists;
mod pages;
mod read;
mod rewrite;
mod schema;
mod table;
mod thrift;
mod unpack;
mod written;

pub use guard::catches_panics;
pub(crate) use holding::Holding;
pub(crate) use listing::write as write_listing;
pub(crate) use read::Rows;
pub(crate) use rewrite::{annotate, split};
