use lookalike_core::{Scheme, plugin::Task};
use serde::{Deserialize, Serialize};

use crate::Table;

/// What a user asks for: the same keys as flags, in TOML and as keyword arguments.
///
/// ```
/// use lookalike_search::Request;
///
/// let request = Request::new("hamming", 6.0).recall(0.99);
/// assert_eq!(request.threshold, Some(6.0));
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct Request {
    /// The flag of a measure: `jaccard`.
    pub measure: String,
    /// How near is near, by the measure; `None`: any distance, for the nearest of all.
    pub threshold: Option<f64>,
    /// The kind of items; `None`: the first kind with this measure that can read them.
    pub kind: Option<String>,
    /// The share of pairs at the threshold that must be found; 1: all, for certain. `None`: the default, where a recall
    /// is known.
    pub recall: Option<f64>,
    /// The family or method; `None`: the cheapest.
    pub family: Option<String>,
    /// Parameters of the distance and of the family, in one table.
    pub parameters: Table,
    /// Bands and rows or any cascade; `None`: tuned.
    pub scheme: Option<Scheme>,
    /// The most functions that may be chosen; `None`: the default of the family.
    pub functions: Option<u32>,
    /// How many queries will be asked; `None`: all pairs.
    pub queries: Option<usize>,
    /// How many of the nearest are wanted of each query; `None`: all within the threshold.
    pub k: Option<usize>,
    /// The length of the longest query, as [`Dataset::longest`](crate::Dataset::longest) has it; `None`: unknown.
    pub longest_query: Option<f64>,
    /// Whether candidates must share stored keys, as an engine that shuffles needs.
    pub symmetric: bool,
    /// Bytes that keys may take.
    pub memory: u64,
    /// Where all random draws come from.
    pub seed: u64,
}

impl Default for Request {
    fn default() -> Self {
        Self {
            measure: String::new(),
            threshold: None,
            kind: None,
            recall: None,
            family: None,
            parameters: Table::new(),
            scheme: None,
            functions: None,
            queries: None,
            k: None,
            longest_query: None,
            symmetric: false,
            memory: Task::new(0.0, 1.0).memory,
            seed: 0,
        }
    }
}

impl Request {
    /// Everything within a threshold of a measure.
    #[must_use]
    pub fn new(measure: &str, threshold: f64) -> Self {
        Self {
            threshold: Some(threshold),
            ..Self::nearest(measure)
        }
    }

    /// The nearest by a measure, however far they are.
    #[must_use]
    pub fn nearest(measure: &str) -> Self {
        Self {
            measure: measure.into(),
            ..Self::default()
        }
    }

    /// With this recall; 1 finds everything, for certain.
    #[must_use]
    pub fn recall(self, recall: f64) -> Self {
        Self {
            recall: Some(recall),
            ..self
        }
    }

    /// With this family or method.
    #[must_use]
    pub fn family(self, name: &str) -> Self {
        Self {
            family: Some(name.into()),
            ..self
        }
    }

    /// With this scheme.
    #[must_use]
    pub fn scheme(self, scheme: Scheme) -> Self {
        Self {
            scheme: Some(scheme),
            ..self
        }
    }

    /// With one more parameter.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<serde_json::Value>) -> Self {
        self.parameters.insert(name.into(), value.into());
        self
    }

    /// With draws from this seed.
    #[must_use]
    pub fn seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// For this number of queries.
    #[must_use]
    pub fn queries(self, queries: usize) -> Self {
        Self {
            queries: Some(queries),
            ..self
        }
    }

    /// For this many of the nearest of each query.
    #[must_use]
    pub fn top(self, k: usize) -> Self {
        Self { k: Some(k), ..self }
    }
}
