use lookalike_core::{Distances, KeySource, Near};
use rayon::prelude::*;

use crate::{BucketIndex, Error, Id, Match, Pair, Query};

/// Orders what was found by distance and id, and drops what comes after the first `k`. The distance of the last
/// that stays, if `k` are left: nothing farther is among the `k` nearest.
pub(crate) fn keep_nearest(found: &mut Vec<Near>, k: usize) -> Option<f64> {
    found.sort_unstable_by(Near::nearest_first);
    found.truncate(k);
    found
        .last()
        .filter(|_| found.len() == k)
        .map(|farthest| farthest.distance)
}

impl<S: KeySource> Query<'_, S> {
    /// The items within `limit` of `item` among those that share a key with it, the nearest first.
    ///
    /// `items` are those of the index, each at the place that is its id.
    pub fn near(
        &mut self,
        item: &S::Item,
        items: &(impl Distances<S::Item> + ?Sized),
        limit: f64,
    ) -> Result<&[Near], Error> {
        self.meet(item)?;
        // An item that was met in several bands is compared as often: cheaper than to find out before.
        self.near.clear();
        items.near(item, &self.met, limit, &mut self.near);
        keep_nearest(&mut self.near, usize::MAX);
        self.near.dedup();
        Ok(&self.near)
    }
}

impl<S: KeySource> BucketIndex<S> {
    /// All pairs within `limit` of which one meets the other when it is asked for, the nearest first.
    ///
    /// `items` are those that the index was built from. See [`pairs`](BucketIndex::pairs): this is the same with distances, and holds
    /// no more than the pairs that are near.
    pub fn matches(
        &self,
        items: &(impl Distances<S::Item> + ?Sized),
        limit: f64,
    ) -> Result<Vec<Match>, Error> {
        let given = items.count().min(self.given as usize) as Id;
        let ask = |query: &mut Query<'_, S>, asked: Id| {
            if !self.contains(asked) {
                return Ok(Vec::new());
            }
            let near = query.near(items.item(asked as usize), items, limit)?;
            let matches = near.iter().filter_map(|near| {
                let pair = Pair::new(asked, near.id)?;
                let distance = near.distance;
                Some(Match { pair, distance })
            });
            Ok(matches.collect())
        };
        let asked = (0..given).into_par_iter().map_init(|| self.query(), ask);
        let matches = asked.collect::<Result<Vec<Vec<Match>>, Error>>()?;
        let mut matches = matches.concat();
        matches.par_sort_unstable_by(Match::nearest_first);
        matches.dedup_by_key(|found| found.pair);
        Ok(matches)
    }
}
