//! How candidates become matches, and matches clusters.

use lookalike_corpus::FieldPath;
use serde::{Deserialize, Serialize};

use crate::Keep;

/// What must be equal for two documents to be duplicates, where similarity does not count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Equality<'a> {
    /// The texts, byte by byte.
    Text,
    /// The values of a field.
    Field(&'a FieldPath),
}

/// How candidates become matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Verify {
    /// By what.
    pub method: Verification,
}

/// By what a candidate is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verification {
    /// The exact Jaccard similarity, from the documents.
    #[default]
    Exact,
    /// The similarity that signatures estimate.
    Signature,
    /// Nothing: every candidate counts, false ones too.
    None,
}

/// How matches become clusters.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cluster {
    /// Which matches make a cluster.
    pub method: Grouping,
    /// Which document of a cluster stays.
    pub keep: Keep,
}

/// Which matches make a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    /// A document and those that match it.
    #[default]
    Star,
    /// All that a chain of matches connects.
    Components,
}
