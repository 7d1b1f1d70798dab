use lookalike_core::Bounds;
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
    pub leftover: u64,
    /// Documents without anything to hash, such as empty texts: they are never found by their buckets.
    pub keyless: u64,
    /// Segments: parts that were added one after the other.
    pub segments: u64,
    /// What decides which items are found.
    pub plan: Plan,
    /// What it finds at the limit of the plan, and nearer and farther; nothing if that is not known.
    pub recalls: Vec<RecallAt>,
    /// How many changes there were.
    pub changes: u64,
    /// The bytes of the file.
    pub file: FileBytes,
}

/// Which share of the items at a distance is found.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct RecallAt {
    /// The distance.
    pub distance: f64,
    /// The least probability that an item at this distance from a query is found.
    pub found: f64,
}

impl RecallAt {
    /// What is promised at the limit of a plan, and nearer and farther.
    pub(crate) fn around(plan: &Plan, promise: impl Fn(f64) -> Option<Bounds>) -> Vec<Self> {
        let limit = plan.limit.unwrap_or_default();
        let is_whole = limit.fract() == 0.0;
        let mut recalls: Vec<Self> = Vec::new();
        for factor in [0.5, 0.75, 1.0, 1.25, 1.5, 2.0] {
            let distance = if is_whole {
                (limit * factor).ceil()
            } else {
                limit * factor
            };
            let is_new = recalls.last().is_none_or(|last| last.distance < distance);
            if let Some(bounds) = promise(distance).filter(|_| is_new && limit > 0.0) {
                let found = bounds.lower().value();
                recalls.push(Self { distance, found });
            }
        }
        recalls
    }
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
