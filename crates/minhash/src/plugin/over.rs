use std::marker::PhantomData;

use lookalike_core::{
    LshFamily,
    plugin::{Coder, Distance, Error, Family, ItemOf, Params},
};
use serde::{Deserialize, Serialize};

use crate::{Elements, Jaccard};

/// A Jaccard distance between items that become sets.
pub trait SetDistance: Distance<Metric = Jaccard<Self::Elements>> {
    /// What makes sets of items.
    type Elements: Elements<Item = ItemOf<Self>>;

    /// Makes it from the parameters.
    ///
    /// # Errors
    /// If a parameter is wrong.
    fn elements(&self) -> Result<Self::Elements, Error>;
}

/// A family over sets, written once for everything that becomes a set.
pub trait SetFamily: Params {
    /// The name in files and flags.
    const NAME: &'static str;
    /// What it is, in one line.
    const SUMMARY: &'static str;
    /// What a reader should know who compares the promise with what was measured: [`Family::CAVEAT`].
    const CAVEAT: &'static str = "";
    /// The most functions that are chosen: [`Family::FUNCTIONS`].
    const FUNCTIONS: Option<u32> = None;
    /// The family over some elements.
    type Over<E: Elements>: LshFamily<Item = E::Item, Functions: Send> + Clone + Send + Sync;

    /// Makes it.
    fn over<E: Elements>(&self, elements: E) -> Self::Over<E>;

    /// What gives items codes, if the family has such: [`Family::coder`].
    fn coder<E: Elements + 'static>(&self, elements: E, seed: u64) -> Option<Coder<E::Item>> {
        let _ = (elements, seed);
        None
    }
}

/// A family over sets under a distance between items that become sets. Its parameters are those of the family.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(transparent, bound = "S: Params")]
pub struct Over<S, D> {
    family: S,
    #[serde(skip)]
    distance: PhantomData<fn() -> D>,
}

impl<S: SetFamily, D: SetDistance> Family for Over<S, D> {
    const NAME: &'static str = S::NAME;
    const SUMMARY: &'static str = S::SUMMARY;
    const CAVEAT: &'static str = S::CAVEAT;
    const FUNCTIONS: Option<u32> = S::FUNCTIONS;
    type Distance = D;
    type Keys = S::Over<D::Elements>;

    fn keys(&self, distance: &D, _: usize) -> Result<Self::Keys, Error> {
        Ok(self.family.over(distance.elements()?))
    }

    fn coder(&self, distance: &D, seed: u64) -> Result<Option<Coder<ItemOf<D>>>, Error> {
        Ok(self.family.coder(distance.elements()?, seed))
    }
}

/// Minhash with all functions in one pass.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FastSimilarity {}

impl SetFamily for FastSimilarity {
    const NAME: &'static str = "fast-similarity";
    const SUMMARY: &'static str =
        "minhash, all functions in one pass (Dahlgaard, Knudsen, Thorup 2017)";
    const CAVEAT: &'static str = "What is predicted is a range. Functions that are drawn together depend on each other for the better: on sets with few elements for the number of functions the curve is a little steeper than that of independent functions.";
    type Over<E: Elements> = crate::FastSimilarity<E>;

    fn over<E: Elements>(&self, elements: E) -> crate::FastSimilarity<E> {
        crate::FastSimilarity::new(elements)
    }
}

/// Minhash with one hash function per value.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Universal {}

impl SetFamily for Universal {
    const NAME: &'static str = "universal";
    const SUMMARY: &'static str = "minhash, one hash function per value";
    type Over<E: Elements> = crate::Universal<E>;

    fn over<E: Elements>(&self, elements: E) -> crate::Universal<E> {
        crate::Universal::new(elements)
    }
}
