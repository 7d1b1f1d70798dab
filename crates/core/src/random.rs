//! Seeded randomness: every draw comes from an explicit `u64`, the same on every machine.
//!
//! `rand::StdRng` may change with any release of rand; these functions are
//! frozen by test, because stored indexes depend on them.

use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::mix::{START, mix};

/// The generator of stream `stream` under `seed`.
///
/// Streams of one seed are unrelated to each other, so that function i of a
/// family can have a stream of its own, whatever k is.
///
/// ```
/// use lookalike_core::random;
/// use rand::Rng;
///
/// let (mut a, mut b) = (random::stream(7, 0), random::stream(7, 0));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert_ne!(a.next_u64(), random::stream(7, 1).next_u64());
/// ```
pub fn stream(seed: u64, stream: u64) -> impl Rng {
    Xoshiro256PlusPlus::seed_from_u64(derive(seed, stream))
}

/// A seed for part `stream` of something that has the seed `seed`.
#[must_use]
pub const fn derive(seed: u64, stream: u64) -> u64 {
    mix(mix(seed.wrapping_add(START)) ^ stream)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_stability() {
        let words = |seed, number| {
            let mut rng = stream(seed, number);
            [rng.next_u64(), rng.next_u64()]
        };
        assert_eq!(words(0, 0), [18353448787882852715, 5247628295075597669]);
        assert_eq!(words(7, 3), [10400039561860632847, 7079392987831211404]);
        assert_eq!(derive(0, 0), 5197578548964807871);
        assert_eq!(derive(u64::MAX, 1), 1820451397923222333);
    }
}
