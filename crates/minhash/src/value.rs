use std::num::NonZeroU64;

/// One minhash function's answer: the minimum plus one, or `None` for the empty set.
///
/// The one that is added makes room for "no minimum" without a number that means nothing: every
/// minimum fits, 0 included. An empty set has no least element; it meets nobody, not even another
/// empty set.
pub type MinValue = Option<NonZeroU64>;

/// The answer of a function whose minimum is this one.
///
/// Minima lie below 2^64 − 1; that number itself cannot be told from the one before it.
///
/// ```
/// use lookalike_core::Key;
/// use lookalike_minhash::{minimum_of, value_of};
///
/// assert_eq!(value_of(0).bits(), Some(1));
/// assert_eq!(minimum_of(value_of(41)), Some(41));
/// assert_eq!(minimum_of(None), None);
/// ```
#[inline]
#[must_use]
pub const fn value_of(minimum: u64) -> MinValue {
    Some(NonZeroU64::MIN.saturating_add(minimum))
}

/// The minimum that a function kept, if there was one.
#[inline]
#[must_use]
pub fn minimum_of(value: MinValue) -> Option<u64> {
    value.map(|value| value.get() - 1)
}
