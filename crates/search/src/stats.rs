use serde::Serialize;

use crate::{Settings, TextPlan};

/// What an index holds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stats {
    /// Documents.
    pub documents: u64,
    /// Different texts.
    pub texts: u64,
    /// Documents without a shingle: they are never found.
    pub empty: u64,
    /// Bytes of the different texts.
    pub text_bytes: u64,
    /// The settings, with nothing left open.
    pub settings: Settings,
    /// The scheme, and what to expect of it.
    pub plan: TextPlan,
    /// What the file holds, if there is one. What was inserted or removed since is not in it.
    pub file: Option<FileBytes>,
}

/// Bytes of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FileBytes {
    /// The version of its format.
    pub version: u32,
    /// All of it.
    pub bytes: u64,
    /// Texts, compressed.
    pub texts: u64,
    /// Buckets.
    pub buckets: u64,
    /// Ids, and where everything is.
    pub tables: u64,
}
