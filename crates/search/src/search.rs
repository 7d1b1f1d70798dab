use std::ops::Range;

use lookalike_core::{Bounds, Near, Pair};

use crate::{Dataset, Error, Pairs};

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

    /// The exact distance of a pair.
    ///
    /// # Panics
    /// If there is no such item.
    fn distance(&self, pair: Pair) -> f64;
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
