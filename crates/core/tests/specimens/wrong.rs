//! Families with faults that have been seen in the field: kept to prove that conformance catches them.

use std::{
    num::NonZeroU32,
    sync::atomic::{AtomicU64, Ordering},
};

use lookalike_core::{Bounds, LshFamily, LshFunctions, mix, random};
use rand::RngExt;

use super::{
    bit_sampling::{BitSampling, Places},
    min_hash::{MinHash, Minima, hash},
};

/// Minhash whose minimum starts at a number instead of at infinity: sets of large hashes all agree.
#[derive(Debug)]
pub(crate) struct LowStart;

/// Minima that are never above the start.
pub(crate) struct LowMinima(Minima);

impl LshFamily for LowStart {
    type Item = [u64];
    type Functions = LowMinima;

    fn collision(&self, distance: f64) -> Bounds {
        MinHash.collision(distance)
    }

    fn draw(&self, k: usize, seed: u64) -> LowMinima {
        LowMinima(MinHash.draw(k, seed))
    }
}

impl LshFunctions for LowMinima {
    type Item = [u64];
    type Key = Option<NonZeroU32>;
    type Scratch = ();

    fn len(&self) -> usize {
        self.0.len()
    }

    fn hash_into(&self, set: &[u64], (): &mut (), keys: &mut [Self::Key]) {
        let start = NonZeroU32::new(u32::MAX / 64).expect("a positive start");
        for (key, &seed) in keys.iter_mut().zip(&self.0.0) {
            *key = Some(set.iter().map(|&x| hash(x, seed)).fold(start, Ord::min));
        }
    }
}

/// Minhash that draws one function and repeats it: right one by one, useless together.
#[derive(Debug)]
pub(crate) struct Correlated;

impl LshFamily for Correlated {
    type Item = [u64];
    type Functions = Minima;

    fn collision(&self, distance: f64) -> Bounds {
        MinHash.collision(distance)
    }

    fn draw(&self, k: usize, seed: u64) -> Minima {
        Minima(vec![seed; k])
    }
}

/// One permutation cut into k bins, an empty bin answering for the next full one
/// (Shrivastava and Li, 2014): each function agrees with probability 1 − d, but on
/// sets shorter than k whole bands repeat one answer.
#[derive(Debug)]
pub(crate) struct Rotation;

/// The bins of one permutation.
pub(crate) struct Bins {
    count: usize,
    seed: u64,
}

impl LshFamily for Rotation {
    type Item = [u64];
    type Functions = Bins;

    fn collision(&self, distance: f64) -> Bounds {
        MinHash.collision(distance)
    }

    fn draw(&self, k: usize, seed: u64) -> Bins {
        Bins { count: k, seed }
    }
}

impl LshFunctions for Bins {
    type Item = [u64];
    type Key = Option<u64>;
    type Scratch = Vec<Option<u64>>;

    fn len(&self) -> usize {
        self.count
    }

    fn hash_into(&self, set: &[u64], least: &mut Self::Scratch, keys: &mut [Self::Key]) {
        least.clear();
        least.resize(self.count, None);
        for &x in set {
            let hash = mix(mix(x) ^ self.seed);
            let bin = &mut least[((hash >> 32) as usize * self.count) >> 32];
            let low = hash & u64::from(u32::MAX);
            *bin = Some(bin.map_or(low, |other| other.min(low)));
        }
        for (i, key) in keys.iter_mut().enumerate() {
            *key = (0..self.count).find_map(|steps| {
                let low = least[(i + steps) % self.count]?;
                Some((steps as u64) << 32 | low)
            });
        }
    }
}

/// Bit sampling in which every eighth function, on average, reads nothing and agrees with everybody.
#[derive(Debug)]
pub(crate) struct TooOften(pub(crate) BitSampling);

/// Sampled bits, some of them ignored.
pub(crate) struct Ignoring {
    places: Places,
    ignored: Vec<bool>,
}

impl LshFamily for TooOften {
    type Item = [bool];
    type Functions = Ignoring;

    fn collision(&self, distance: f64) -> Bounds {
        self.0.collision(distance)
    }

    fn draw(&self, k: usize, seed: u64) -> Ignoring {
        let mut rng = random::stream(seed, 1);
        Ignoring {
            places: self.0.draw(k, seed),
            ignored: (0..k).map(|_| rng.random_ratio(1, 8)).collect(),
        }
    }
}

impl LshFunctions for Ignoring {
    type Item = [bool];
    type Key = u64;
    type Scratch = ();

    fn len(&self) -> usize {
        self.places.len()
    }

    fn hash_into(&self, item: &[bool], scratch: &mut (), keys: &mut [u64]) {
        self.places.hash_into(item, scratch, keys);
        for (key, _) in keys.iter_mut().zip(&self.ignored).filter(|(_, i)| **i) {
            *key = 0;
        }
    }
}

/// Minhash whose functions depend on what was drawn before.
#[derive(Debug, Default)]
pub(crate) struct Unstable(AtomicU64);

impl LshFamily for Unstable {
    type Item = [u64];
    type Functions = Minima;

    fn collision(&self, distance: f64) -> Bounds {
        MinHash.collision(distance)
    }

    fn draw(&self, k: usize, seed: u64) -> Minima {
        MinHash.draw(k, seed ^ self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// Minhash with another promise than its own.
pub(crate) struct Claiming(pub(crate) Box<dyn Fn(f64) -> Bounds>);

impl std::fmt::Debug for Claiming {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Claiming")
    }
}

impl LshFamily for Claiming {
    type Item = [u64];
    type Functions = Minima;

    fn collision(&self, distance: f64) -> Bounds {
        self.0(distance)
    }

    fn draw(&self, k: usize, seed: u64) -> Minima {
        MinHash.draw(k, seed)
    }
}
