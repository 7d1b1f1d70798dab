//! Seeded randomness: every draw comes from an explicit `u64`, the same on every machine.
//!
//! `rand::StdRng` may change with any release of rand. The generator here is frozen by test, because stored indexes
//! depend on it. [`Stream`] is a type of this crate, so that a new release of rand is not a breaking change.

use std::convert::Infallible;

use rand::{Rng, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::mix::{START, mix};

/// A generator of random numbers: xoshiro256++.
///
/// It has the few methods that families need. For distributions, ranges and shuffles, import the traits of rand, which
/// it implements.
///
/// ```
/// use lookalike_core::random;
/// use rand::RngExt;
///
/// let mut rng = random::stream(7, 0);
/// let die = rng.random_range(1..=6);
/// assert!((1..=6).contains(&die));
/// ```
#[derive(Clone, Debug)]
pub struct Stream(Xoshiro256PlusPlus);

/// The generator of stream `stream` under `seed`.
///
/// Streams of one seed are unrelated to each other, so that function i of a
/// family can have a stream of its own, whatever k is.
///
/// ```
/// use lookalike_core::random;
///
/// let (mut a, mut b) = (random::stream(7, 0), random::stream(7, 0));
/// assert_eq!(a.next_u64(), b.next_u64());
/// assert_ne!(a.next_u64(), random::stream(7, 1).next_u64());
/// ```
#[must_use]
pub fn stream(seed: u64, stream: u64) -> Stream {
    Stream(Xoshiro256PlusPlus::seed_from_u64(derive(seed, stream)))
}

/// A seed for part `stream` of something that has the seed `seed`.
#[must_use]
pub const fn derive(seed: u64, stream: u64) -> u64 {
    mix(mix(seed.wrapping_add(START)) ^ stream)
}

impl Stream {
    /// The next 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// A number at least 0 and below 1: a multiple of 2^-53.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1u64 << 53) as f64
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    #[inline]
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

/// A number below `n`, by multiplication; 0 if `n` is 0. The probability of a number is off by less than n / 2^64.
pub fn below(n: u32, rng: &mut Stream) -> u32 {
    ((u128::from(rng.next_u64()) * u128::from(n)) >> 64) as u32
}

/// `count` different numbers below `n`, each set of them equally likely. The order is not random.
///
/// Floyd's algorithm (Bentley and Floyd, *Programming Pearls*, 1987): one draw per number.
///
/// # Panics
/// If `count` is larger than `n`.
///
/// ```
/// use lookalike_core::random;
///
/// let mut three = random::distinct(5, 3, &mut random::stream(7, 0));
/// three.sort_unstable();
/// three.dedup();
/// assert_eq!(three.len(), 3);
/// ```
pub fn distinct(n: u32, count: u32, rng: &mut Stream) -> Vec<u32> {
    assert!(count <= n, "{count} different numbers below {n}");
    let mut chosen: Vec<u32> = Vec::with_capacity(count as usize);
    for last in n - count..n {
        let number = below(last + 1, rng);
        chosen.push(if chosen.contains(&number) {
            last
        } else {
            number
        });
    }
    chosen
}

/// [`distinct`] numbers in a random order.
///
/// # Panics
/// If `count` is larger than `n`.
///
/// ```
/// use lookalike_core::random;
///
/// let mut all = random::shuffled(5, 5, &mut random::stream(7, 0));
/// all.sort_unstable();
/// assert_eq!(all, [0, 1, 2, 3, 4]);
/// ```
pub fn shuffled(n: u32, count: u32, rng: &mut Stream) -> Vec<u32> {
    let mut numbers = distinct(n, count, rng);
    for last in (1..numbers.len()).rev() {
        numbers.swap(last, below(last as u32 + 1, rng) as usize);
    }
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_is_as_likely() {
        let mut counts = [0u32; 1 << 5];
        let mut rng = stream(1, 0);
        for _ in 0..10_000 {
            let places = distinct(5, 3, &mut rng);
            counts[places.iter().fold(0, |set, place| set | 1 << place)] += 1;
        }
        let counts: Vec<u32> = counts.into_iter().filter(|&count| count > 0).collect();
        assert_eq!(counts.len(), 10, "all sets of 3 of 5 numbers");
        // 1000 each, with a standard error of 30.
        assert!(
            counts.iter().all(|count| (880..1120).contains(count)),
            "{counts:?}"
        );
    }

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
        let mut rng = stream(7, 0);
        assert_eq!(distinct(1024, 5, &mut rng), [854, 959, 635, 385, 504]);
        assert_eq!(below(1_000_000, &mut rng), 716416);
        assert_eq!(stream(7, 0).unit(), 0.8374581255766358);
    }
}
