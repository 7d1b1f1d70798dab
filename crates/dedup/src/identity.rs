//! Who is who: documents with the same text, within the same value of a field, are one item.

use lookalike_minhash::Shingler;
use xxhash_rust::xxh3::{xxh3_64, xxh3_128_with_seed};

/// What stands for the value of the field that documents must share to be compared; those without one share that.
pub(crate) fn group(value: Option<&str>) -> u64 {
    xxh3_64(value.unwrap_or_default().as_bytes())
}

/// What stands for an item: a text, in its group if there are groups.
pub(crate) fn digest(text: &str, group: Option<u64>) -> u128 {
    xxh3_128_with_seed(text.as_bytes(), group.unwrap_or(0))
}

/// Whether documents with this text are copies of each other: all but empty ones. Texts without a shingle are copies, too,
/// unless they are short and short texts are skipped.
pub(crate) fn has_copies(
    text: &str,
    has_shingles: bool,
    shingler: &Shingler,
    skips_short: bool,
) -> bool {
    has_shingles || !(text.is_empty() || skips_short && shingler.is_short(text))
}
