use serde::{Deserialize, Serialize};

/// What a text is that has tokens, but fewer than a shingle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Short {
    /// One shingle, all of it: it is like texts with the same tokens.
    #[default]
    Whole,
    /// Nothing: it has no shingle, and is like no other.
    Skip,
}
