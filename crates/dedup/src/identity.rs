//! Who is who: documents with the same text, within the same value of a field, are one item.

use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

/// What stands for the value of the field that documents must share to be compared; those without one share that.
pub(crate) fn group(value: Option<&str>) -> u64 {
    xxh3_64(value.unwrap_or_default().as_bytes())
}

/// What stands for an item: a text, in its group if there are groups.
pub(crate) fn digest(text: &str, group: Option<u64>) -> u128 {
    xxh3_128_with_seed(text.as_bytes(), group.unwrap_or(0))
}
