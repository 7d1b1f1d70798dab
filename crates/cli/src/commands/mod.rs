//! One file a command: its arguments, its report, and how the report reads.

pub(crate) mod curve;
pub(crate) mod dedup;
mod family;
pub(crate) mod index;
pub(crate) mod query;
pub(crate) mod tune;
