//! Pairs at wanted distances, for conformance.

use lookalike_core::random;

use crate::{
    Digests,
    generate::{neighbour, random_digest},
};

/// A digest and another after changes that cost 1 each: of the checksum, the length and a ratio as far as the distance
/// allows, and of buckets. Some changes undo others, so that large distances are smaller than asked for.
pub(super) fn digests(distance: f64, seed: u64) -> Digests {
    let mut left = distance.round() as u32;
    let mut rng = random::stream(seed, 4);
    // A change is made half of the time, if it can be afforded.
    let mut is_made = || {
        let is_made = left > 0 && rng.next_u64() & 1 == 1;
        left -= u32::from(is_made);
        is_made
    };
    let (checksum, length, ratio) = (is_made(), is_made(), is_made());
    let first = random_digest(seed);
    let mut second = neighbour(&first, left, seed);
    let header = &mut second.header;
    header.checksum ^= u8::from(checksum);
    header.length = header.length.wrapping_add(u8::from(length));
    // The low half is a ring of 16.
    header.ratios = header.ratios & 0xf0 | header.ratios.wrapping_add(u8::from(ratio)) & 0x0f;
    [first, second].into_iter().collect()
}
