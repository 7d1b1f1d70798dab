//! A stored index: items of any kind in one file, found by their similarity, changed by several processes.
//!
//! ```text
//! items ──encode, keys──▶ Draft ──flush──▶ Segment ─┐
//!                                 Segment ──merge───┴▶ Segment        a commit lists the segments
//!                                                        │
//! query ──keys──▶ lists of each segment ──▶ items, decoded ──distance──▶ the nearest documents
//! ```
//!
//! A file has a few *segments*, which never change but for marks on what was removed. A change writes a new segment and commits:
//! so what it writes depends on what was changed, and not on how much there is. Segments of similar sizes are then merged, so
//! there are only a few, and each item is copied only a few times. Answers do not depend on how an index came about: ties are
//! broken by ids, and everything that is cut off is cut off by the bytes of items.
//!
//! The layers, each of which knows those below: [`Index`] and the verbs ([`Change`](change::Change)); what a query does
//! (`ask`); a [`Segment`](segment::Segment) and its `lists`; the file of parts (`lookalike-store`). Nothing here is generic over
//! families: `hashes` has the few functions that are, compiled once per distance.

mod ask;
mod change;
mod draft;
mod encoded;
mod fresh;
mod hashes;
mod head;
mod index;
mod lists;
mod merge;
mod pack;
mod segment;
mod stats;
mod verbs;

pub use ask::{Answer, Neighbour, Wanted};
pub(crate) use hashes::{FamilyHashes, MakeHashes, MethodHashes};
pub use index::{Index, IndexAsker, Offer, Snapshot};
pub use stats::{FileBytes, IndexStats, RecallAt};
pub use verbs::{Add, Added, IfTaken, Removed, Similar};
