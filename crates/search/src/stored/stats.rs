use serde::Serialize;

use super::segment::Segment;
use crate::Plan;

/// What an index holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct IndexStats {
    /// Documents.
    pub documents: u64,
    /// Different items, with those of removed documents that are still in the file.
    pub items: u64,
    /// Removed documents that are still in the file.
    pub removed: u64,
    /// Documents without anything to hash, such as empty texts: they are never found by their buckets.
    pub keyless: u64,
    /// Segments: parts that were added one after the other.
    pub segments: u64,
    /// What decides which items are found.
    pub plan: Plan,
    /// How many changes there were.
    pub changes: u64,
    /// The bytes of the file.
    pub file: FileBytes,
}

/// The bytes of the file of an index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FileBytes {
    /// The version of its format.
    pub version: u32,
    /// All of it.
    pub bytes: u64,
    /// Items, as they are stored.
    pub items: u64,
    /// Buckets.
    pub buckets: u64,
    /// Ids, and where everything is.
    pub tables: u64,
    /// What is not used any more, until the file is compacted.
    pub unused: u64,
}

impl FileBytes {
    pub(crate) fn new(bytes: u64, overhead: u64, segments: &[Segment]) -> Self {
        let sum = |of: fn(&Segment) -> u64| segments.iter().map(of).sum::<u64>();
        let used = overhead + sum(|segment| segment.parts.info.stored());
        let items = sum(Segment::item_bytes);
        let buckets = sum(|segment| segment.lists().bytes());
        Self {
            version: lookalike_store::VERSION,
            bytes,
            items,
            buckets,
            tables: used.saturating_sub(items + buckets),
            unused: bytes.saturating_sub(used),
        }
    }
}
