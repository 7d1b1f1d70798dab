use lookalike_core::{Bounds, LshFamily, LshFunctions, Probability, Scheme, random};

use crate::{
    Elements, MinValue,
    scatter::{self, EMPTY, Round, Scatter},
    together, value_of,
};

/// Fast similarity sketching: one pass gives all k functions.
///
/// Two sets agree on a function with probability J, exactly, as with k separate minhashes.
/// But the functions are drawn together: in round i every element falls into one slot, in
/// rounds k + i into slot i, and a slot keeps the first element that came, the smallest of its round. So on
/// short documents the estimate has half of the usual variance, and the cost is n + k log k instead of n·k.
///
/// ```
/// use lookalike_core::{LshFamily, LshFunctions};
/// use lookalike_minhash::{Estimate, FastSimilarity, Shingler};
///
/// let functions = FastSimilarity::new(Shingler::default()).draw(128, 7);
/// let signature = |text: &str| {
///     let mut values = vec![None; 128];
///     functions.hash_into(text, &mut Default::default(), &mut values);
///     values
/// };
/// let (a, b) = (signature("a rose is a rose is a rose"), signature("A rose is a rose is a rose!"));
/// assert_eq!(Estimate::new(&a, &b)?.similarity(), 1.0);
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
///
/// Dahlgaard, Knudsen, Thorup: *Fast Similarity Sketching*, FOCS 2017.
#[derive(Clone, Debug)]
pub struct FastSimilarity<E> {
    elements: E,
}

impl<E: Elements> FastSimilarity<E> {
    /// Sketches of sets of these elements.
    #[must_use]
    pub fn new(elements: E) -> Self {
        Self { elements }
    }
}

impl<E: Elements> LshFamily for FastSimilarity<E> {
    type Item = E::Item;
    type Functions = FastSimilarityFunctions<E>;

    fn collision(&self, distance: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - distance))
    }

    /// At least what independent functions give, where the curve bends down, and a little more on sets with few elements
    /// for the number of functions; below its turn at most that, and a little less.
    fn joint(&self, scheme: &Scheme, distance: f64) -> Bounds {
        together::bounds(scheme, Probability::saturating(1.0 - distance))
    }

    /// # Panics
    /// If `k` is 2^31 or more.
    fn draw(&self, k: usize, seed: u64) -> Self::Functions {
        assert!(k < 1 << 31, "fewer than 2^31 functions");
        let mut rng = random::stream(seed, 0);
        let rounds = (0..2 * k).map(|_| {
            let factors = rng.next_u64();
            Round {
                add: rng.next_u64(),
                // Odd, so that no bit of the element is lost.
                low: factors as u32 | 1,
                high: (factors >> 32) as u32 | 1,
                last: rng.next_u64() as u32 | 1,
            }
        });
        FastSimilarityFunctions {
            elements: self.elements.clone(),
            k,
            rounds: rounds.collect(),
            scatter: scatter::for_this_machine(),
        }
    }
}

/// Functions drawn from [`FastSimilarity`].
#[derive(Clone, Debug)]
pub struct FastSimilarityFunctions<E> {
    elements: E,
    k: usize,
    rounds: Vec<Round>,
    scatter: Scatter,
}

/// Elements that are held, so that the rounds need not go through the item again.
const HELD: usize = 1 << 14;

/// Memory that [`FastSimilarityFunctions`] use again from item to item.
#[derive(Debug, Default)]
pub struct FastSimilarityScratch<S> {
    elements: S,
    held: Vec<u64>,
    slots: Slots,
}

/// The smallest (round, fraction) of each slot, and how many slots are empty.
#[derive(Debug, Default)]
struct Slots {
    least: Vec<u64>,
    empty: usize,
}

impl Slots {
    fn clear(&mut self, k: usize) {
        self.least.clear();
        self.least.resize(k, EMPTY);
        self.empty = k;
    }

    /// Round k + `slot`: every element comes to `slot`.
    fn settle(&mut self, slot: usize, round: Round, elements: &[u64]) {
        let number = (self.least.len() + slot) as u32;
        let least = &mut self.least[slot];
        for &element in elements {
            self.empty -= usize::from(*least == EMPTY);
            // One slot: the place is the fraction.
            *least = scatter::value(number, round.place(element, 1)).min(*least);
        }
    }
}

/// Where the elements come from after the first round.
enum Again<'a> {
    /// They are at hand.
    Slice(&'a [u64]),
    /// They are all in the scratch.
    Held,
    /// They are too many to be held. There is hardly ever another round then.
    Visit,
}

impl<E: Elements> FastSimilarityFunctions<E> {
    fn first_round<'a>(
        &self,
        item: &'a E::Item,
        scratch: &mut FastSimilarityScratch<E::Scratch>,
    ) -> Again<'a> {
        let FastSimilarityScratch {
            elements,
            held,
            slots,
        } = scratch;
        if let Some(all) = self.elements.whole(item) {
            slots.empty -= (self.scatter)(&mut slots.least, 0, self.rounds[0], all);
            return Again::Slice(all);
        }
        let mut again = Again::Held;
        held.clear();
        self.elements.visit(item, elements, &mut |piece| {
            slots.empty -= (self.scatter)(&mut slots.least, 0, self.rounds[0], piece);
            if matches!(again, Again::Held) {
                held.extend_from_slice(piece);
                if held.len() > HELD {
                    // Few elements that occur often are still few.
                    held.sort_unstable();
                    held.dedup();
                    if held.len() > HELD / 2 {
                        again = Again::Visit;
                    }
                }
            }
        });
        again
    }

    fn round(
        &self,
        number: usize,
        item: &E::Item,
        again: &Again<'_>,
        scratch: &mut FastSimilarityScratch<E::Scratch>,
    ) {
        let FastSimilarityScratch {
            elements,
            held,
            slots,
        } = scratch;
        let round = self.rounds[number];
        let mut play = |piece: &[u64]| match number.checked_sub(self.k) {
            None => {
                let number = number as u32;
                slots.empty -= (self.scatter)(&mut slots.least, number, round, piece);
            }
            Some(slot) => slots.settle(slot, round, piece),
        };
        match again {
            Again::Slice(all) => play(all),
            Again::Held => play(held),
            Again::Visit => self.elements.visit(item, elements, &mut play),
        }
    }
}

impl<E: Elements> LshFunctions for FastSimilarityFunctions<E> {
    type Item = E::Item;
    type Key = MinValue;
    type Scratch = FastSimilarityScratch<E::Scratch>;

    fn len(&self) -> usize {
        self.k
    }

    fn hash_into(&self, item: &E::Item, scratch: &mut Self::Scratch, keys: &mut [MinValue]) {
        if self.k == 0 {
            return;
        }
        scratch.slots.clear(self.k);
        let again = self.first_round(item, scratch);
        if scratch.slots.empty == self.k {
            keys.fill(None);
            return;
        }
        let mut number = 1usize;
        while scratch.slots.empty > 0 {
            let is_settled = |slot| scratch.slots.least[slot] != EMPTY;
            if !number.checked_sub(self.k).is_some_and(is_settled) {
                self.round(number, item, &again, scratch);
            }
            number += 1;
        }
        for (key, &least) in keys.iter_mut().zip(&scratch.slots.least) {
            *key = value_of(least);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Hashes, Integers, minimum_of};

    /// Elements in pieces, so that the sketch cannot have them whole.
    #[derive(Clone, Debug)]
    struct Pieces(usize);

    impl Elements for Pieces {
        type Item = [u64];
        type Scratch = ();
        fn visit(&self, item: &[u64], _: &mut (), take: &mut dyn FnMut(&[u64])) {
            item.chunks(self.0).for_each(take);
        }
    }

    fn signature<E: Elements<Item = [u64]>>(elements: E, k: usize, item: &[u64]) -> Vec<MinValue> {
        let functions = FastSimilarity::new(elements).draw(k, 3);
        let mut scratch = Default::default();
        let mut keys = vec![None; k];
        // What an earlier item left does not matter.
        functions.hash_into(&[1, 2, 3], &mut scratch, &mut keys);
        functions.hash_into(item, &mut scratch, &mut keys);
        keys
    }

    /// The definition: a slot has the least (round, hash) of all that ever comes to it.
    fn plain(k: usize, item: &[u64]) -> Vec<MinValue> {
        let rounds = FastSimilarity::new(Hashes).draw(k, 3).rounds;
        let at = |slot: usize| {
            let coming = (0u64..).zip(&rounds).flat_map(|(number, round)| {
                item.iter().filter_map(move |&element| {
                    let hash = u64::from(round.hash(element));
                    let (comes, fraction) = match (number as usize).checked_sub(k) {
                        None => ((hash * k as u64) >> 32, hash * k as u64 % (1 << 32)),
                        Some(slot) => (slot as u64, hash),
                    };
                    (comes == slot as u64).then_some(number << 32 | fraction)
                })
            });
            coming.min().and_then(crate::value_of)
        };
        (0..k).map(at).collect()
    }

    proptest! {
        #[test]
        fn signatures_are_those_of_the_definition(
            item in prop::collection::vec(any::<u64>(), 0..40), k in 1usize..40, piece in 1usize..10,
        ) {
            let expected = plain(k, &item);
            prop_assert_eq!(&signature(Hashes, k, &item), &expected);
            prop_assert_eq!(&signature(Pieces(piece), k, &item), &expected);
            let twice = [&item[..], &item].concat();
            prop_assert_eq!(&signature(Pieces(piece), k, &twice), &expected);
        }
    }

    /// More elements than are held, many and few different ones, and so many functions that rounds go on.
    #[test]
    fn long_items_are_sketched_in_passing() {
        let many: Vec<u64> = (0..3 * HELD as u64).map(lookalike_core::mix).collect();
        let few: Vec<u64> = many.iter().map(|x| x % 5).collect();
        for item in [many, few] {
            for k in [1, 128, 4000] {
                assert_eq!(
                    signature(Pieces(1000), k, &item),
                    signature(Hashes, k, &item)
                );
            }
        }
    }

    #[test]
    fn an_empty_set_has_no_values() {
        assert_eq!(signature(Integers, 5, &[]), [None; 5]);
        assert_eq!(signature(Integers, 0, &[7]), []);
    }

    #[test]
    fn value_stability() {
        let minima: Vec<_> = signature(Integers, 4, &[1, 2, 3, 4, 5])
            .into_iter()
            .map(minimum_of)
            .collect();
        assert_eq!(
            minima,
            [1094775980, 4229004616, 3724671360, 3538077584].map(Some)
        );
    }
}
