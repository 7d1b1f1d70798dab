use lookalike_core::{Bounds, LshFamily, LshFunctions, Probability, mix, random};
use rand::Rng;

use crate::{
    Elements, MinValue,
    lanes::{LANES, Lanes},
    value_of,
};

/// Minhash by k hash functions: h(S) = min over x in S of h(x), so that Pr\[h(S) = h(T)\] = J(S, T).
///
/// The drawn functions are h(x) = (x ⊕ b) · a modulo 2^32, a odd, on elements that are mixed with the seed and folded from
/// 64 to 32 bits; 32 functions run side by side in registers. They are *not* min-wise independent,
/// as no functions this cheap are. What makes them good is that the elements are mixed: the
/// minimum of a multiplication is decided by its high bits, and those depend on every bit of a random word.
/// Conformance measures no bias. Two different elements fold to the same 32 bits with probability
/// 2^−32, over seeds: elements with a structure, such as powers of two, do not meet under every seed. That raises the
/// agreement of sets with u elements in their union by about u/2^32.
///
/// The textbook's own functions, ((a·x + b) mod p) mod N, are [`ModularFunctions`](crate::ModularFunctions).
///
/// ```
/// use lookalike_core::{LshFamily, LshFunctions};
/// use lookalike_minhash::{Estimate, Integers, Universal};
///
/// let functions = Universal::new(Integers).draw(1000, 7);
/// let mut scratch = Default::default();
/// let [mut s, mut t] = [vec![None; 1000], vec![None; 1000]];
/// functions.hash_into(&[1, 2, 3, 4, 5, 6], &mut scratch, &mut s);
/// functions.hash_into(&[3, 4, 5, 6, 7, 8], &mut scratch, &mut t);
/// // 4 of 8 elements are common.
/// let estimate = Estimate::new(&s, &t)?;
/// assert!((estimate.similarity() - 0.5).abs() < 3.0 * estimate.standard_error());
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
///
/// Broder 1997; the textbook's section on minhash signatures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Universal<E> {
    elements: E,
}

impl<E: Elements> Universal<E> {
    /// The family over the sets that `elements` makes of items.
    pub fn new(elements: E) -> Self {
        Self { elements }
    }

    /// How items become sets.
    pub fn elements(&self) -> &E {
        &self.elements
    }
}

impl<E: Elements> LshFamily for Universal<E> {
    type Item = E::Item;
    type Functions = UniversalFunctions<E>;

    fn collision(&self, distance: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - distance))
    }

    fn draw(&self, k: usize, seed: u64) -> UniversalFunctions<E> {
        let mut blocks = Vec::with_capacity(k.div_ceil(LANES));
        for start in (0..k).step_by(LANES) {
            let mut lanes = Lanes {
                a: [1; LANES],
                b: [0; LANES],
            };
            for (lane, function) in (start..k.min(start + LANES)).enumerate() {
                let mut rng = random::stream(seed, function as u64);
                lanes.a[lane] = rng.next_u32() | 1;
                lanes.b[lane] = rng.next_u32();
            }
            blocks.push(lanes);
        }
        UniversalFunctions {
            elements: self.elements.clone(),
            k,
            mixing: random::derive(seed, MIXING),
            blocks,
        }
    }

    /// How elements are folded is part of it: keys of version 0.1.0 were folded before the seed was applied.
    fn describe(&self) -> String {
        format!("{self:?}, mixed with the seed")
    }
}

/// The stream of a seed that elements are mixed with; functions have those from 0.
const MIXING: u64 = u64::MAX;

/// Functions drawn from [`Universal`].
#[derive(Clone, Debug)]
pub struct UniversalFunctions<E> {
    elements: E,
    k: usize,
    /// What elements are mixed with.
    mixing: u64,
    /// The last block is filled up with lanes that nobody reads.
    blocks: Vec<Lanes>,
}

/// Memory of [`UniversalFunctions`]: the minima so far, whatever the size of the item.
#[derive(Clone, Debug, Default)]
pub struct UniversalScratch<S> {
    elements: S,
    folded: Vec<u32>,
    minima: Vec<[u32; LANES]>,
}

impl<E: Elements> LshFunctions for UniversalFunctions<E> {
    type Item = E::Item;
    type Key = MinValue;
    type Scratch = UniversalScratch<E::Scratch>;

    fn len(&self) -> usize {
        self.k
    }

    /// 33: a minimum has 32 bits, and one is added.
    fn key_bits(&self) -> u32 {
        33
    }

    fn hash_into(&self, item: &E::Item, scratch: &mut Self::Scratch, keys: &mut [MinValue]) {
        /// Element hashes that are folded at a time: small enough to stay in the first cache.
        const PIECE: usize = 512;
        let UniversalScratch {
            elements,
            folded,
            minima,
        } = scratch;
        minima.clear();
        minima.resize(self.blocks.len(), [u32::MAX; LANES]);
        let mut empty = true;
        self.elements.visit(item, elements, &mut |hashes| {
            empty &= hashes.is_empty();
            for piece in hashes.chunks(PIECE) {
                folded.clear();
                folded.extend(piece.iter().map(|&hash| fold(hash, self.mixing)));
                for (lanes, minima) in self.blocks.iter().zip(&mut *minima) {
                    lanes.lower(folded, minima);
                }
            }
        });
        if empty {
            keys.fill(None);
            return;
        }
        for (key, &minimum) in keys.iter_mut().zip(minima.as_flattened()) {
            *key = value_of(minimum.into());
        }
    }
}

/// 64 bits as 32, mixed with a word first: which elements meet depends on it.
#[inline(always)]
fn fold(hash: u64, mixing: u64) -> u32 {
    (mix(hash ^ mixing) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Estimate, Hashes, Integers, minimum_of};
    use proptest::prelude::*;

    fn signature(k: usize, seed: u64, item: &[u64]) -> Vec<MinValue> {
        let mut keys = vec![None; k];
        let functions = Universal::new(Integers).draw(k, seed);
        functions.hash_into(item, &mut UniversalScratch::default(), &mut keys);
        keys
    }

    #[test]
    fn value_stability() {
        let minima = |seed, item: &[u64]| {
            let signature = signature(3, seed, item);
            signature.into_iter().map(minimum_of).collect::<Vec<_>>()
        };
        assert_eq!(
            minima(0, &[0]),
            [2096992475, 1462807602, 4209853777].map(Some)
        );
        assert_eq!(
            minima(7, &[1, 2, 3, u64::MAX]),
            [1047712972, 436462142, 366463076].map(Some)
        );
    }

    /// Powers of two, which a fold without the seed makes 32 numbers of.
    #[test]
    fn integers_with_a_structure_do_not_meet_under_every_seed() {
        let powers = |from: u32| (from..from + 44).map(|x| 1u64 << x).collect::<Vec<_>>();
        let (a, b) = (powers(0), powers(4));
        let similarity = 40.0 / 48.0;
        let (mut agreed, mut all) = (0.0f64, 0.0f64);
        for seed in 0..40 {
            let functions = Universal::new(Hashes).draw(128, seed);
            let [a, b] = [&a, &b].map(|set| {
                let mut keys = vec![None; 128];
                functions.hash_into(set, &mut UniversalScratch::default(), &mut keys);
                keys
            });
            agreed += 128.0 * Estimate::new(&a, &b).unwrap().similarity();
            all += 128.0;
        }
        let error = (similarity * (1.0 - similarity) / all).sqrt();
        let share = agreed / all;
        assert!(
            (share - similarity).abs() < 4.0 * error,
            "{share} ± {error}"
        );
    }

    #[test]
    fn an_empty_set_has_no_bucket() {
        assert_eq!(signature(40, 0, &[]), vec![None; 40]);
        assert!(signature(0, 0, &[1]).is_empty());
    }

    #[test]
    fn scratch_does_not_carry_over() {
        let functions = Universal::new(Integers).draw(50, 3);
        let mut scratch = UniversalScratch::default();
        let mut keys = vec![None; 50];
        functions.hash_into(&[1, 2, 3, 4], &mut scratch, &mut keys);
        functions.hash_into(&[5], &mut scratch, &mut keys);
        assert_eq!(keys, signature(50, 3, &[5]));
        functions.hash_into(&[], &mut scratch, &mut keys);
        assert_eq!(keys, vec![None; 50]);
    }

    /// Hands out everything in one piece, between empty ones.
    #[derive(Clone, Debug)]
    struct OnePiece;

    impl Elements for OnePiece {
        type Item = [u64];
        type Scratch = ();

        fn visit(&self, item: &[u64], (): &mut (), take: &mut dyn FnMut(&[u64])) {
            let mixed: Vec<u64> = item.iter().map(|&x| mix(x)).collect();
            [&[], &mixed[..], &[]].into_iter().for_each(take);
        }
    }

    #[test]
    fn pieces_do_not_matter() {
        let functions = Universal::new(OnePiece).draw(33, 3);
        for size in [0, 1, 511, 512, 513, 2000] {
            let item: Vec<u64> = (0..size).collect();
            let mut keys = vec![None; 33];
            functions.hash_into(&item, &mut UniversalScratch::default(), &mut keys);
            assert_eq!(keys, signature(33, 3, &item), "{size} elements");
        }
    }

    #[test]
    fn functions_of_one_draw_differ() {
        let Lanes { a, b } = Universal::new(Integers).draw(32, 1).blocks[0];
        for (i, j) in (0..LANES).flat_map(|i| (0..i).map(move |j| (i, j))) {
            assert!(a[i] != a[j] && b[i] != b[j], "functions {i} and {j}");
        }
    }

    proptest! {
        /// Sets larger than a piece, any k, repeats and order without effect.
        #[test]
        fn it_is_the_definition(
            start: u64, size in 1usize..2000, k in 1usize..100, seed: u64,
        ) {
            let item: Vec<u64> = (0..size as u64).map(|i| start.wrapping_add(i)).collect();
            let found = signature(k, seed, &item);
            for (function, value) in (0..).zip(&found) {
                let mut rng = random::stream(seed, function);
                let (a, b) = (rng.next_u32() | 1, rng.next_u32());
                let mixing = random::derive(seed, MIXING);
                let hashes = item.iter().map(|&x| (fold(mix(x), mixing) ^ b).wrapping_mul(a));
                prop_assert_eq!(minimum_of(*value), hashes.min().map(u64::from));
            }
            let mut repeated = [&item[..], &item[..size / 2]].concat();
            repeated.reverse();
            prop_assert_eq!(signature(k, seed, &repeated), found);
        }
    }
}
