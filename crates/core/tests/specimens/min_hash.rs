//! Minhash over sets of integers, and the Jaccard distance.

use std::num::NonZeroU32;

use lookalike_core::{Bounds, LshFamily, LshFunctions, Metric, Probability, mix, random};

/// A function keeps the least of its hashes of the elements: two sets agree with probability 1 − d.
///
/// An item is a sorted slice without repetitions. The empty set has no least hash and no bucket.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MinHash;

/// One seed a function.
pub(crate) struct Minima(pub(crate) Vec<u64>);

/// Element `x` under the function with this seed.
pub(crate) fn hash(x: u64, seed: u64) -> NonZeroU32 {
    let high = (mix(mix(x) ^ seed) >> 32) as u32;
    NonZeroU32::new(high).unwrap_or(NonZeroU32::MIN)
}

impl LshFamily for MinHash {
    type Item = [u64];
    type Functions = Minima;

    fn collision(&self, distance: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - distance))
    }

    fn draw(&self, k: usize, seed: u64) -> Minima {
        Minima((0..k as u64).map(|i| random::derive(seed, i)).collect())
    }
}

impl LshFunctions for Minima {
    type Item = [u64];
    type Key = Option<NonZeroU32>;
    type Scratch = ();

    fn len(&self) -> usize {
        self.0.len()
    }

    fn hash_into(&self, set: &[u64], (): &mut (), keys: &mut [Self::Key]) {
        for (key, &seed) in keys.iter_mut().zip(&self.0) {
            *key = set.iter().map(|&x| hash(x, seed)).min();
        }
    }
}

/// 1 − |S ∩ T| / |S ∪ T|; two empty sets are equal.
#[derive(Clone, Copy)]
pub(crate) struct Jaccard;

impl Metric for Jaccard {
    type Item = [u64];
    type Prepared = Vec<u64>;

    fn prepare(&self, set: &[u64]) -> Vec<u64> {
        set.to_vec()
    }

    fn distance(&self, a: &Vec<u64>, b: &Vec<u64>) -> f64 {
        let common = a.iter().filter(|x| b.binary_search(x).is_ok()).count();
        let union = a.len() + b.len() - common;
        if union == 0 {
            return 0.0;
        }
        1.0 - common as f64 / union as f64
    }
}

/// Pairs of sets with this many elements in their union.
pub(crate) fn pairs(union: usize) -> impl Fn(f64, u64) -> (Vec<u64>, Vec<u64>) + Clone {
    move |distance, seed| {
        let mut rng = random::stream(seed, 0);
        let mut all: Vec<u64> = (0..union).map(|_| rng.next_u64()).collect();
        let own = (distance * union as f64).round() as usize;
        let middle = own / 2;
        // The first half of `own` belongs to one set alone, the rest of it to the other.
        let mut b = all[middle..].to_vec();
        all.drain(middle..own);
        all.sort_unstable();
        b.sort_unstable();
        (all, b)
    }
}
