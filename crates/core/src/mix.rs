//! The mixing of 64-bit words. Frozen: stored indexes depend on it.

/// A bijection of 64-bit words in which every output bit depends on every input bit.
///
/// The finalizer of SplitMix64 (Steele, Lea and Flood, 2014). Being a
/// bijection it never merges two keys.
///
/// ```
/// assert_eq!(lookalike_core::mix(0), 0);
/// assert_eq!(lookalike_core::mix(1), 0x5692_161d_100b_05e5);
/// ```
#[inline]
#[must_use]
pub const fn mix(word: u64) -> u64 {
    let word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ (word >> 31)
}

/// Where [`absorb`] starts: the golden ratio's fraction, so that a first word of 0 leaves a trace.
pub(crate) const START: u64 = 0x9e37_79b9_7f4a_7c15;

/// Adds a word to a hash of a sequence.
///
/// One multiplication a word, a bijection in `word` for a given `hash` and the
/// other way round. Bands of eight rows cost half of what `mix` would take.
#[inline]
pub(crate) const fn absorb(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ (hash >> 32)
}
