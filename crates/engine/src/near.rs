use lookalike_core::{Distances, KeySource, Near};
use rayon::prelude::*;

use crate::{BucketIndex, Error, Id, Match, Pair, Query, runs::in_runs};

/// Orders what was found by distance and id, and keeps the first `k`. Returns the distance of the last one if there are
/// `k`: nothing farther is among the `k` nearest.
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
    /// `items` are those of the index, each at the place that is its id; [`Exact`](crate::Exact) makes them of a metric.
    ///
    /// # Errors
    /// If the query asks too many keys.
    pub fn near(
        &mut self,
        item: &S::Item,
        items: &(impl Distances<S::Item> + ?Sized),
        limit: f64,
    ) -> Result<&[Near], Error> {
        self.meet(item)?;
        let near = |met: &[Id], found: &mut Vec<Near>| items.near(item, met, limit, found);
        Ok(self.compare(items.repeats_are_cheap(), near))
    }

    /// [`near`](Query::near) for one of the items.
    fn near_place(
        &mut self,
        place: Id,
        items: &(impl Distances<S::Item> + ?Sized),
        limit: f64,
    ) -> Result<&[Near], Error> {
        self.meet(items.item(place as usize))?;
        let near = |met: &[Id], found: &mut Vec<Near>| items.near_place(place, met, limit, found);
        Ok(self.compare(items.repeats_are_cheap(), near))
    }

    /// Compares the items that were met. One that was met in several bands is there as many times.
    fn compare(
        &mut self,
        repeats_are_cheap: bool,
        near: impl FnOnce(&[Id], &mut Vec<Near>),
    ) -> &[Near] {
        if !repeats_are_cheap {
            self.met.sort_unstable();
            self.met.dedup();
        }
        self.near.clear();
        near(&self.met, &mut self.near);
        keep_nearest(&mut self.near, usize::MAX);
        if repeats_are_cheap {
            self.near.dedup();
        }
        &self.near
    }
}

impl<S: KeySource> BucketIndex<S> {
    /// All pairs within `limit` of which one meets the other when it is asked for, the nearest first.
    ///
    /// `items` are those that the index was built from. It is [`pairs`](BucketIndex::pairs) with distances, and holds
    /// only the pairs that are near.
    ///
    /// # Errors
    /// If an item asks too many keys.
    pub fn matches(
        &self,
        items: &(impl Distances<S::Item> + ?Sized),
        limit: f64,
    ) -> Result<Vec<Match>, Error> {
        let given = items.count().min(self.given as usize);
        let matches = in_runs(0..given, 1, &|| {
            let mut query = self.query();
            Box::new(move |run| {
                let asked = run.start as Id;
                if !self.contains(asked) {
                    return Ok(Vec::new());
                }
                let near = query.near_place(asked, items, limit)?;
                let matches = near.iter().filter_map(|near| {
                    let pair = Pair::new(asked, near.id)?;
                    let distance = near.distance;
                    Some(Match { pair, distance })
                });
                Ok(matches.collect())
            })
        })?;
        Ok(nearest_once(&matches))
    }
}

/// All pairs once, the nearest first.
fn nearest_once(matches: &[Vec<Match>]) -> Vec<Match> {
    let mut matches = matches.concat();
    matches.par_sort_unstable_by(Match::nearest_first);
    matches.dedup_by_key(|found| found.pair);
    matches
}
