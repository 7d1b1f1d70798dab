//! The file of an index.
//!
//! ```text
//! head │ texts │ ids │ items │ documents │ by id │ by text │ band … │ directory │ tail
//! ```
//!
//! - *head*: magic, version, settings as JSON, a fingerprint of how texts are hashed, checksum.
//! - *texts*: each compressed on its own, or as it is where that is shorter. A text is there once, however many documents have it.
//! - *ids*: the ids of all documents as JSON, one after the other.
//! - *items*, a record for each text; *documents*, a record for each document, those of a text together and in the order of ids.
//! - *by id*, *by text*, *band*: sorted lists of (32 bits of a hash, number of a document or item).
//! - *directory*: for each list its length and the first hash of each page.
//! - *tail*: counts and lengths, checksum.
//!
//! Head, directory and tail are read when an index is opened, less than a byte a document. All else stays where it is:
//! tables and lists have pages of a kilobyte, each with a checksum, and a query reads one page of each band. So
//! opening 200 000 documents takes a tenth of a millisecond and no memory. The engine's own file, which is read
//! whole, takes twice the room, 64 ms, and as much memory as it is long. Hashes of shingles instead of texts were
//! rejected: they would be compared without being made anew, but take two to four times the room, and cannot be shown.
//!
//! Numbers are little-endian. Nothing is taken on trust: the lengths of all parts add up to that of the file, no more
//! is allocated than the file has bytes, and what is read is checked by its checksum and for its range.

mod bytes;
mod draft;
mod finish;
mod layout;
mod publish;
mod records;
mod sorted;
mod stored;
mod table;
mod texts;

pub(crate) use draft::{Draft, Text, Twice};
pub(crate) use layout::{BANDS, VERSION};
pub(crate) use publish::Replaces;
pub use publish::is_index;
pub(crate) use records::{Document, Item};
pub(crate) use stored::{Removed, Stored};
pub(crate) use texts::{Packer, Unpacker, digest};

#[cfg(test)]
mod tests;
