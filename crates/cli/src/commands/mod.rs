//! One file a command: its arguments, its report, and how the report reads.

pub(crate) mod audit;
pub(crate) mod clusters;
pub(crate) mod codes;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod curve;
pub(crate) mod dedup;
pub(crate) mod explain;
pub(crate) mod families;
pub(crate) mod fingerprint;
pub(crate) mod index;
pub(crate) mod man;
pub(crate) mod pairs;
pub(crate) mod query;
pub(crate) mod run;
pub(crate) mod sensitivity;
pub(crate) mod trace;
pub(crate) mod tune;
