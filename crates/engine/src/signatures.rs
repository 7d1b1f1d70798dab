use std::borrow::Borrow;

use lookalike_core::{Key, LshFunctions};
use rayon::prelude::*;

use crate::Id;

/// The answers of the same k functions for many items: a row an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signatures<K> {
    functions: usize,
    answers: Vec<K>,
}

impl<K: Key> Signatures<K> {
    /// The signatures of all `items`.
    pub fn build<F, I>(functions: &F, items: &[I]) -> Self
    where
        F: LshFunctions<Key = K>,
        I: Borrow<F::Item> + Sync,
        K: Default + Send,
    {
        let k = functions.len();
        let mut answers = vec![K::default(); k * items.len()];
        if k > 0 {
            answers.par_chunks_mut(k).zip(items).for_each_init(
                F::Scratch::default,
                |scratch, (row, item)| {
                    functions.hash_into(item.borrow(), scratch, row);
                },
            );
        }
        Self {
            functions: k,
            answers,
        }
    }

    /// The signature of one item.
    ///
    /// # Panics
    /// If there is no such item.
    #[must_use]
    pub fn row(&self, item: Id) -> &[K] {
        let start = item as usize * self.functions;
        &self.answers[start..start + self.functions]
    }

    /// The share of functions on which two items agree; 0 without functions.
    ///
    /// An answer without a bucket agrees with nothing.
    #[must_use]
    pub fn agreement(&self, a: Id, b: Id) -> f64 {
        let agree = |(x, y): &(&K, &K)| x.bits().is_some() && x.bits() == y.bits();
        let agreed = self.row(a).iter().zip(self.row(b)).filter(agree).count();
        agreed as f64 / self.functions.max(1) as f64
    }
}
