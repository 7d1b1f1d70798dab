//! The nearest vectors by sketches: cells, a code of a few bits per coordinate, and exact distances for what remains.
//!
//! ```text
//! query ──turn──▶ table ──▶ cells, the likeliest first ──▶ codes, 32 at a time ──▶ candidates ──exact──▶ the nearest
//! ```
//!
//! A code estimates the distance of its vector with an error that is [known](bound). Whatever could be among the nearest is
//! compared exactly.

mod ask;
mod bits;
mod blocks;
mod bound;
mod calibrate;
mod cells;
mod fastest;
mod index;
mod points;
mod rerank;
mod scan;
mod table;
mod turn;

pub(crate) use ask::{Effort, Scratch, Wanted};
pub(crate) use bits::Bits;
pub(crate) use bound::{reach, reach_of, tail};
pub(crate) use calibrate::{Measured, Sample};
pub use index::Partition;
pub(crate) use index::{Index, Recipe};
pub use points::Space;

#[cfg(test)]
mod tests;
