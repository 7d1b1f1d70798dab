//! Strings under edit distance: names, titles, DNA reads.
//!
//! [`Edits`] is the distance, in three [variants](Variant) and by characters or bytes ([`Units`]). [`Strings`] keeps many
//! strings in one piece of memory.
//!
//! [`EditTable`] is the textbook's table of the distance, to be looked at.
//!
//! - [`Deletions`] finds everything within a number of edits: the keys of a string are what remains of it without some
//!   of its letters.
//! - [`Partitions`] finds everything, too: of k + 1 parts of a string k edits leave one as it is.
//! - [`Cgk`] looks at steps of random walks through strings, [`OrderMinhash`] at q-grams in their order. What they find
//!   is measured, not proved.
//!
//! ```
//! use lookalike_engine::{BucketIndex, Exact};
//! use lookalike_strings::{Edits, Partitions, Strings, Units, Variant};
//!
//! let titles: Strings = ["a tale of two cities", "a tail of two cities", "bleak house"].into_iter().collect();
//! let edits = Edits::new(Variant::Levenshtein, Units::Characters);
//! let parts = Partitions::new(Variant::Levenshtein, Units::Characters, 2)?;
//! let index = BucketIndex::build(parts, &titles)?;
//! let pairs = index.matches(&Exact::new(&edits, &titles), 2.0)?;
//! assert_eq!((pairs.len(), pairs[0].distance), (1, 2.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cgk;
mod compared;
mod deletions;
mod diagonals;
pub mod generate;
mod hashes;
mod letters;
mod metric;
mod order_minhash;
mod partitions;
pub mod plugin;
mod sketch;
mod strings;
mod table;

pub use cgk::{Cgk, CgkScratch, Walk};
pub use deletions::{DeletionScratch, Deletions};
pub use letters::{Letters, Units};
pub use metric::{Edits, PreparedString, Variant};
pub use order_minhash::{OrderMinhash, OrderScratch};
pub use partitions::{PartitionScratch, Partitions, Piece};
pub use strings::Strings;
pub use table::{Edit, EditTable};

/// The error of a parameter that is out of range.
fn refused(
    name: &'static str,
    value: impl ToString,
    expected: impl ToString,
) -> lookalike_core::Error {
    lookalike_core::Error::Parameter {
        name,
        value: value.to_string(),
        expected: expected.to_string(),
    }
}
