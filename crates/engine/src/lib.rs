//! One bucketing engine for all families.
//!
//! The engine sees only keys, through [`KeySource`](lookalike_core::KeySource), never a family. A *candidate* shares a
//! bucket with another item; a *match* has been verified.
//!
//! ```text
//! items ──source──▶ Columns ──Join──▶ candidates ──Verify──▶ matches ──cluster──▶ clusters
//! items ──source──▶ BucketIndex ──Query──▶ hits (id, stored payload, asked payload)
//! ```
//!
//! - [`Join`] finds all pairs among many items (many-to-many), or the most similar ones.
//! - [`BucketIndex`] finds the items that meet one item (many-to-one), and can be changed and stored.
//! - [`Brute`] compares everything with everything, without keys.
//! - [`Verify`] turns candidates into matches; [`Exact`] compares items under a metric, [`BySignature`] signatures.
//! - [`cluster`] turns matches into groups.
//!
//! Results are the same for every number of threads.

mod brute;
pub mod cluster;
mod columns;
mod error;
mod exact;
mod expand;
mod foreseen;
mod frozen;
mod gathered;
mod heavy;
mod index;
mod join;
mod marks;
mod meetings;
mod near;
mod owners;
mod partition;
mod query;
mod recent;
mod rows;
mod runs;
mod saved;
mod signatures;
mod spare;
mod store;
mod verify;

pub use brute::Brute;
pub use columns::Columns;
pub use error::Error;
pub use exact::Exact;
pub use frozen::Posting;
pub use index::BucketIndex;
pub use join::{Join, Joined, Summary};
pub use lookalike_core::{Match, Pair, plugin::Hit};
pub use query::{HitCount, Query};
pub use rows::Rows;
pub use saved::{Saved, SavedIndex};
pub use signatures::Signatures;
pub use verify::{BySignature, Verify};

/// An item's number: its place in the input, or the order of its insertion.
pub type Id = u32;
