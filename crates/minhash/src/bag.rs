use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, Hasher},
};

use lookalike_core::{mix, random};

use crate::Elements;

/// Bags (multisets) as sets: the second occurrence of an element is an element of its own.
///
/// The i-th occurrence of x becomes (x, i), so that two bags with m and n times x share min(m, n) of
/// max(m, n) elements, and the Jaccard similarity of the expansions is Σ min / Σ max. The first occurrence keeps its
/// hash: where nothing is repeated, nothing changes.
///
/// ```
/// use lookalike_core::Metric;
/// use lookalike_minhash::{Bag, Integers, Jaccard};
///
/// let bags = Jaccard::new(Bag::new(Integers));
/// let [s, t] = [&[1, 1, 1, 2][..], &[1, 1, 2, 2, 3]].map(|bag| bags.prepare(bag));
/// assert_eq!(bags.distance(&s, &t), 1.0 - 3.0 / 6.0); // 2 + 1 + 0 of 3 + 2 + 1
/// ```
///
/// It takes memory for every different element of an item, where sets are read as a stream.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bag<E> {
    elements: E,
}

impl<E: Elements> Bag<E> {
    /// The bags of the elements that `elements` hands out, repeats included.
    pub fn new(elements: E) -> Self {
        Self { elements }
    }
}

/// Memory of [`Bag`]: how often each element came so far.
#[derive(Clone, Debug, Default)]
pub struct BagScratch<S> {
    pub(crate) elements: S,
    times: HashMap<u64, u64, BuildHasherDefault<Mixed>>,
    piece: Vec<u64>,
}

impl<E: Elements> Elements for Bag<E> {
    type Item = E::Item;
    type Scratch = BagScratch<E::Scratch>;

    fn visit(&self, item: &E::Item, scratch: &mut Self::Scratch, take: &mut dyn FnMut(&[u64])) {
        /// A table for more elements than this is given back: to clear it takes as long as it is large.
        const KEPT: usize = 1 << 16;
        let BagScratch {
            elements,
            times,
            piece,
        } = scratch;
        if times.capacity() > KEPT {
            *times = HashMap::default();
        }
        times.clear();
        self.elements.visit(item, elements, &mut |hashes| {
            piece.clear();
            piece.extend(hashes.iter().map(|&x| {
                let before = times.entry(x).or_default();
                *before += 1;
                match *before {
                    1 => x,
                    occurrence => random::derive(x, occurrence),
                }
            }));
            take(piece);
        });
    }
}

/// The hash of an element for the table: mixed again, as any hashes may come.
#[derive(Clone, Copy, Debug, Default)]
struct Mixed(u64);

impl Hasher for Mixed {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u64(byte.into()));
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = mix(self.0 ^ word);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Counts, Integers};
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    fn set(bag: &[u64]) -> Vec<u64> {
        Bag::new(Integers).set(bag, &mut BagScratch::default())
    }

    #[test]
    fn value_stability() {
        let bag = [0, 4455725808831290745, 8349077792257542819];
        assert_eq!(set(&[0, 0, 0]), bag);
    }

    #[test]
    fn a_table_that_grew_is_given_back() {
        let mut scratch = BagScratch::default();
        let large: Vec<u64> = (0..100_000).collect();
        assert_eq!(Bag::new(Integers).set(&large, &mut scratch).len(), 100_000);
        let small = Bag::new(Integers).set(&[1, 1], &mut scratch);
        assert_eq!(small, set(&[1, 1]));
        assert!(scratch.times.capacity() < 100);
    }

    proptest! {
        #[test]
        fn similarity_is_the_sum_of_minima_over_the_sum_of_maxima(
            a in prop::collection::vec(0u64..6, 0..30), b in prop::collection::vec(0u64..6, 0..30),
        ) {
            let count = |bag: &[u64]| {
                let mut counts = BTreeMap::<u64, usize>::new();
                bag.iter().for_each(|&x| *counts.entry(x).or_default() += 1);
                counts
            };
            let (in_a, in_b) = (count(&a), count(&b));
            let of = |counts: &BTreeMap<_, _>, x| counts.get(&x).copied().unwrap_or(0);
            let minima: usize = (0..6).map(|x| of(&in_a, x).min(of(&in_b, x))).sum();
            let maxima: usize = (0..6).map(|x| of(&in_a, x).max(of(&in_b, x))).sum();
            let [set_a, set_b] = [&a, &b].map(|bag| set(bag));
            prop_assert_eq!(set_a.len(), a.len());
            let counts = Counts::of(&set_a, &set_b);
            prop_assert_eq!((counts.a, counts.union()), (minima, maxima));
            // One occurrence or none, and it is the set.
            let once: Vec<u64> = in_a.into_keys().collect();
            prop_assert_eq!(set(&once), Integers.set(&once, &mut ()));
        }
    }
}
