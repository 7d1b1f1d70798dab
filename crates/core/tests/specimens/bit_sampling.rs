//! Bit sampling, and the Hamming distance.

use lookalike_core::{Bounds, LshFamily, LshFunctions, Metric, Probability, random};
use rand::RngExt;

/// A function reads `rows` distinct bits of n: items at distance d agree with probability C(n−d, rows) / C(n, rows).
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitSampling {
    bits: usize,
    rows: u32,
}

impl BitSampling {
    /// One bit of `bits` a function.
    pub(crate) fn new(bits: usize) -> Self {
        Self { bits, rows: 1 }
    }
}

/// The places that each function reads.
pub(crate) struct Places {
    rows: u32,
    places: Vec<usize>,
}

/// `count` of the numbers below `n`, all different.
pub(crate) fn distinct(n: usize, count: usize, rng: &mut impl rand::Rng) -> Vec<usize> {
    let mut numbers = Vec::with_capacity(count);
    while numbers.len() < count {
        let number = rng.random_range(0..n);
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    numbers
}

impl LshFamily for BitSampling {
    type Item = [bool];
    type Functions = Places;

    fn collision(&self, distance: f64) -> Bounds {
        let n = self.bits as f64;
        let each = (0..self.rows).map(|i| (n - distance - f64::from(i)) / (n - f64::from(i)));
        Bounds::exact(Probability::saturating(each.map(|p| p.max(0.0)).product()))
    }

    fn draw(&self, k: usize, seed: u64) -> Places {
        let mut rng = random::stream(seed, 0);
        let rows = self.rows as usize;
        Places {
            rows: self.rows,
            places: (0..k)
                .flat_map(|_| distinct(self.bits, rows, &mut rng))
                .collect(),
        }
    }

    fn fused(&self, rows: u32) -> Option<Self> {
        let fits = self.rows == 1 && rows <= u64::BITS && rows as usize <= self.bits;
        fits.then_some(Self { rows, ..*self })
    }
}

impl LshFunctions for Places {
    type Item = [bool];
    type Key = u64;
    type Scratch = ();

    fn len(&self) -> usize {
        self.places.len() / self.rows as usize
    }

    fn key_bits(&self) -> u32 {
        self.rows
    }

    fn hash_into(&self, item: &[bool], (): &mut (), keys: &mut [u64]) {
        for (key, places) in keys
            .iter_mut()
            .zip(self.places.chunks_exact(self.rows as usize))
        {
            *key = places
                .iter()
                .fold(0, |key, &place| key << 1 | u64::from(item[place]));
        }
    }
}

/// How many bits differ.
#[derive(Clone, Copy)]
pub(crate) struct Hamming;

impl Metric for Hamming {
    type Item = [bool];
    type Prepared = Vec<bool>;

    fn prepare(&self, item: &[bool]) -> Vec<bool> {
        item.to_vec()
    }

    fn distance(&self, a: &Vec<bool>, b: &Vec<bool>) -> f64 {
        a.iter().zip(b).filter(|(a, b)| a != b).count() as f64
    }
}

/// Pairs of `n` bits.
pub(crate) fn pairs(n: usize) -> impl Fn(f64, u64) -> (Vec<bool>, Vec<bool>) + Clone {
    move |distance, seed| {
        let mut rng = random::stream(seed, 0);
        let a: Vec<bool> = (0..n).map(|_| rng.random()).collect();
        let mut b = a.clone();
        for place in distinct(n, distance.round() as usize, &mut rng) {
            b[place] = !b[place];
        }
        (a, b)
    }
}
