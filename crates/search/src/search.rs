use std::ops::Range;

use lookalike_core::{Bounds, Near, Pair};

use crate::{Dataset, Error, Pairs, Tables};

/// Items bound to a plan: what verbs are written against, whatever the kind and the family.
///
/// One virtual call per verb or batch; all loops are inside.
pub trait Search: Send + Sync {
    /// All pairs within the limit, the nearest first; with `top` at least that many of the nearest, if there are.
    ///
    /// # Errors
    /// If the plan does not fit the items.
    fn pairs(&self, top: Option<usize>) -> Result<Pairs, Error>;

    /// What answers queries: builds an index if the plan needs one.
    ///
    /// # Errors
    /// If the plan does not fit the items.
    fn asker(&self) -> Result<Box<dyn Asker + '_>, Error>;

    /// Bounds on the probability that items at a distance are found, if anything is promised.
    fn promise(&self, distance: f64) -> Option<Bounds>;

    /// Makes all items ready to be compared.
    fn comparer(&self) -> Box<dyn Comparer + '_>;

    /// Keys of the items, drawn from a seed, in buckets; `None` for a method, which has no keys. With `queries` the last
    /// items are not stored but asked of the others.
    ///
    /// # Errors
    /// If the plan does not fit the items.
    fn tables(
        &self,
        seed: u64,
        queries: Option<u32>,
    ) -> Result<Option<Box<dyn Tables + '_>>, Error>;

    /// How many of the items that a query meets are verified; `None`: all.
    fn verified(&self) -> Option<usize>;

    /// What gives items their signatures, by their ids, if the share of the answers on which two agree estimates
    /// 1 − their distance.
    fn signatures(&self, seed: u64) -> Option<SignatureOfId<'_>>;
}

/// The answers of all functions to the item with an id.
pub type SignatureOfId<'a> = Box<dyn Fn(u32) -> Vec<Option<u64>> + Sync + 'a>;

/// Items that are ready to be compared.
pub trait Comparer: Send + Sync {
    /// The exact distance of a pair; `None` if both items are empty, so that there is nothing to compare.
    ///
    /// # Panics
    /// If there is no such item.
    fn distance(&self, pair: Pair) -> Option<f64>;

    /// The exact distance of a pair, if it is within the limit.
    ///
    /// # Panics
    /// If there is no such item.
    fn within(&self, pair: Pair, limit: f64) -> Option<f64>;
}

/// Answers queries in batches.
pub trait Asker: Send + Sync {
    /// For each of the queries at `places` the `k` nearest items within the limit, the nearest first, then by id.
    ///
    /// # Errors
    /// If the queries are of another kind or width than the items.
    fn ask(
        &self,
        queries: &Dataset,
        places: Range<usize>,
        k: usize,
    ) -> Result<Vec<Vec<Near>>, Error>;
}
