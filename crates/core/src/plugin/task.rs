use serde::{Deserialize, Serialize};

use crate::Scheme;

/// What a family or a method is asked to do, in distances.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Task {
    /// The largest distance that must be found.
    pub limit: f64,
    /// A distance at which candidates should be rare.
    pub far: f64,
    /// The share of pairs at the limit that must be found; 1: all of them, for certain.
    pub recall: f64,
    /// A given scheme, to be used as it is.
    pub scheme: Option<Scheme>,
    /// The most functions that may be chosen; `None`: [`tune::BUDGET`](crate::tune::BUDGET), unless a family has a
    /// better default.
    pub functions: Option<u32>,
    /// How many of the nearest are wanted of each query; `None`: all within the limit.
    pub k: Option<usize>,
    /// Where draws will come from: what is measured on a sample holds for them.
    pub seed: u64,
    /// Whether the items will be stored in a file, and may change.
    pub is_stored: bool,
    /// Whether the user chose this family or method by name. Those for teaching propose nothing otherwise.
    pub is_named: bool,
    /// How many queries will be asked; `None`: all pairs.
    pub queries: Option<usize>,
    /// The length of the longest query, if it is known and the kind has one
    /// ([`Kind::longest`](super::Kind::longest)).
    pub longest_query: Option<f64>,
    /// Whether candidates must share stored keys, because a shuffle brings them together and nobody asks.
    pub symmetric: bool,
    /// Bytes that keys may take.
    pub memory: u64,
}

impl Task {
    /// All pairs within `limit`, with the default recall and budget.
    #[must_use]
    pub fn new(limit: f64, far: f64) -> Self {
        Self {
            limit,
            far,
            recall: crate::tune::RECALL,
            scheme: None,
            functions: None,
            k: None,
            seed: 0,
            is_stored: false,
            is_named: false,
            queries: None,
            longest_query: None,
            symmetric: false,
            memory: 4_096_000_000,
        }
    }

    /// How many comparisons brute force makes among this many items; all pairs count as one query per item.
    #[must_use]
    pub fn comparisons(&self, items: usize) -> f64 {
        items as f64 * self.queries.unwrap_or(items) as f64
    }

    /// Whether everything within the limit must be found for certain.
    #[must_use]
    pub fn is_exact(&self) -> bool {
        self.recall >= 1.0
    }
}

/// The share of pairs at the limit that a plan finds, and how that is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Recall {
    /// At least this share, by the promise of the family.
    Proved(f64),
    /// Measured on a sample of these items.
    Calibrated {
        /// The share that was found.
        recall: f64,
        /// Its standard error.
        standard_error: f64,
    },
    /// Nothing is known.
    Unknown,
}

impl Recall {
    /// The share, if it is known.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        match self {
            Self::Proved(recall) | Self::Calibrated { recall, .. } => Some(recall),
            Self::Unknown => None,
        }
    }

    /// Whether the recall is known to be at least `wanted`. A recall of 1 must be proved.
    #[must_use]
    pub fn reaches(self, wanted: f64) -> bool {
        match self {
            Self::Proved(recall) => recall >= wanted,
            Self::Calibrated { recall, .. } => wanted < 1.0 && recall >= wanted,
            Self::Unknown => false,
        }
    }
}

/// What a family or a method offers to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal<P> {
    /// The family or method with all its parameters settled.
    pub parameters: P,
    /// How functions are combined; no steps for a method.
    pub scheme: Scheme,
    /// The recall at the limit.
    pub recall: Recall,
    /// What it costs, roughly, in seconds of one thread. The cheapest proposal wins.
    pub seconds: f64,
}
