//! What a run found, as values and in `report.json`.

use std::{path::PathBuf, time::Duration};

use lookalike_engine::Summary;
use lookalike_output::Inventory;
use lookalike_search::TextPlan;
use serde::Serialize;

/// What a run found. All but the times is the same for every number of threads.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The version of the program.
    pub version: &'static str,
    /// The similarity from which on documents count as duplicates.
    pub threshold: f64,
    /// The scheme and what to expect of it; none where documents had to be equal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<TextPlan>,
    /// What was read.
    pub inputs: Inventory,
    /// How many documents there are of each kind.
    pub documents: Documents,
    /// The older corpus, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub against: Option<Against>,
    /// How many pairs.
    pub pairs: Pairs,
    /// How many buckets.
    pub buckets: Buckets,
    /// How many clusters.
    pub clusters: Clusters,
    /// What became of the documents of each file.
    pub files: Vec<File>,
    /// How long it took, on how many threads.
    pub times: Times,
}

/// How many documents there are of each kind.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Documents {
    /// Read.
    pub read: u64,
    /// That stay: `read` − `removed`.
    pub kept: u64,
    /// That are duplicates of one that stays.
    pub removed: u64,
    /// Without a shingle: they are like nothing but their copies.
    pub empty: u64,
    /// Those among the empty ones that have words, but too few for a shingle, where such documents are skipped.
    pub short: u64,
    /// Records that are no documents and were passed over, neither kept nor removed.
    pub skipped: u64,
    /// With a text that another document has, which is kept rather.
    pub copies: u64,
    /// Bytes of text.
    pub text_bytes: u64,
    /// Bytes of text of the removed documents.
    pub removed_text_bytes: u64,
}

/// The older corpus that documents were compared with.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Against {
    /// Its documents.
    pub documents: u64,
    /// Documents of the input that are duplicates of one of them.
    pub removed: u64,
}

/// How many pairs.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Pairs {
    /// Pairs of different texts that shared a bucket and were looked at.
    pub candidates: u64,
    /// Those among them that were accepted.
    pub matches: u64,
    /// Pairs of documents in `pairs.jsonl`.
    pub listed: u64,
    /// Pairs of documents that follow from those, because of texts that occur very often.
    pub not_listed: u64,
    /// Pairs that shared only buckets over the limit and were not looked at.
    pub not_compared: u64,
    /// Whether that number is exact; if not, it is an upper bound.
    pub not_compared_is_exact: bool,
}

/// How many buckets.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Buckets {
    /// With two texts or more.
    pub shared: u64,
    /// Texts in the largest.
    pub largest: u64,
    /// Over the limit.
    pub over_limit: u64,
}

impl From<&Summary> for Buckets {
    fn from(summary: &Summary) -> Self {
        Self {
            shared: summary.buckets,
            largest: summary.largest_bucket,
            over_limit: summary.heavy_buckets,
        }
    }
}

/// How many clusters.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Clusters {
    /// All.
    pub count: u64,
    /// Documents in the largest.
    pub largest: u64,
}

/// What became of the documents of a file.
#[derive(Clone, Debug, Serialize)]
pub struct File {
    /// The file.
    pub name: String,
    /// The file that mirrors it, below `kept`, `removed` or `annotated`.
    #[serde(skip)]
    pub mirror: PathBuf,
    /// Its bytes on disk; none for stdin and pipes.
    pub bytes: Option<u64>,
    /// Documents in it.
    pub documents: u64,
    /// Those that are duplicates.
    pub removed: u64,
    /// Records in it that are no documents and were passed over.
    pub skipped: u64,
}

/// How long it took, in seconds.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Times {
    /// Threads that were used.
    pub threads: usize,
    /// Reading and hashing.
    pub read: f64,
    /// Finding and comparing candidates.
    pub compare: f64,
    /// Writing.
    pub write: f64,
    /// All together.
    pub total: f64,
}

impl Times {
    pub(crate) fn seconds(time: Duration) -> f64 {
        (time.as_secs_f64() * 1e6).round() / 1e6
    }
}
