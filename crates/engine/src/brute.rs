use std::fmt;

use lookalike_core::{Distances, Items, Metric, Near};
use rayon::prelude::*;

use crate::{Error, Id, Match, Pair, near::keep_nearest};

/// Every item compared with every other: no keys, no buckets, nothing missed.
///
/// The baseline that an [`BucketIndex`](crate::BucketIndex) must beat, and the better choice where items or queries are few. Items are taken
/// in blocks that stay in the nearest cache while a tile of queries is compared with them.
///
/// ```
/// use lookalike_core::Metric;
/// use lookalike_engine::{Brute, Measured};
///
/// struct Gap;
/// impl Metric for Gap {
///     type Item = f64;
///     type Prepared = f64;
///     fn prepare(&self, x: &f64) -> f64 { *x }
///     fn distance(&self, a: &f64, b: &f64) -> f64 { (a - b).abs() }
/// }
///
/// let items = [1.0, 5.0, 2.5];
/// let measured = Measured::new(&Gap, &items);
/// let near = Brute::new(&measured)?.near(&[2.0], 1.0);
/// let ids: Vec<u32> = near[0].iter().map(|near| near.id).collect();
/// assert_eq!(ids, [2, 0]);
/// # Ok::<(), lookalike_engine::Error>(())
/// ```
pub struct Brute<'a, D: ?Sized> {
    items: &'a D,
    count: Id,
}

/// Queries that are compared with a block before the next is taken.
const TILE: usize = 32;
/// Items of a block.
const BLOCK: usize = 512;

impl<'a, D: ?Sized> Brute<'a, D> {
    /// All of `items`, whose ids are their places.
    pub fn new<T: ?Sized>(items: &'a D) -> Result<Self, Error>
    where
        D: Distances<T>,
    {
        let count = Id::try_from(items.count()).map_err(|_| Error::TooMany)?;
        Ok(Self { items, count })
    }

    /// For each query the items within `limit` of it, the nearest first.
    #[must_use]
    pub fn near<T: ?Sized>(&self, queries: &(impl Items<T> + ?Sized), limit: f64) -> Vec<Vec<Near>>
    where
        D: Distances<T>,
    {
        self.nearest(queries, usize::MAX, limit)
    }

    /// For each query the `k` nearest items within `limit` of it, the nearest first; of equally near ones those with
    /// the smaller ids.
    #[must_use]
    pub fn nearest<T: ?Sized>(
        &self,
        queries: &(impl Items<T> + ?Sized),
        k: usize,
        limit: f64,
    ) -> Vec<Vec<Near>>
    where
        D: Distances<T>,
    {
        let tiles = (0..queries.count()).into_par_iter().step_by(TILE);
        let tiles = tiles.flat_map_iter(|first| {
            let places = first..queries.count().min(first + TILE);
            let mut found = vec![Vec::new(); places.len()];
            let mut limits = vec![limit; places.len()];
            for block in (0..self.count).step_by(BLOCK) {
                let block = block..self.count.min(block.saturating_add(BLOCK as Id));
                for ((place, found), limit) in places.clone().zip(&mut found).zip(&mut limits) {
                    let item = queries.item(place);
                    self.items.near_in(item, block.clone(), *limit, found);
                    // Room for as many again, so that each is looked at about twice.
                    if found.len() / 2 > k {
                        *limit = keep_nearest(found, k).unwrap_or(*limit);
                    }
                }
            }
            found.into_iter().map(move |mut found| {
                keep_nearest(&mut found, k);
                found
            })
        });
        tiles.collect()
    }

    /// All pairs of items within `limit`, the nearest first.
    #[must_use]
    pub fn pairs<T: ?Sized>(&self, limit: f64) -> Vec<Match>
    where
        D: Distances<T>,
    {
        let tiles = (0..self.count).into_par_iter().step_by(TILE);
        let tiles = tiles.flat_map_iter(|first| {
            let tile = first..self.count.min(first.saturating_add(TILE as Id));
            let mut matches = Vec::new();
            let mut found = Vec::new();
            for block in (first..self.count).step_by(BLOCK) {
                let end = self.count.min(block.saturating_add(BLOCK as Id));
                for place in tile.clone() {
                    let item = self.items.item(place as usize);
                    let after = block.max(place + 1).min(end)..end;
                    self.items.near_in(item, after, limit, &mut found);
                    matches.extend(found.drain(..).filter_map(|near| {
                        let pair = Pair::new(place, near.id)?;
                        let distance = near.distance;
                        Some(Match { pair, distance })
                    }));
                }
            }
            matches
        });
        let mut matches: Vec<Match> = tiles.collect();
        matches.par_sort_unstable_by(Match::nearest_first);
        matches
    }
}

impl<D: ?Sized> fmt::Debug for Brute<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Brute");
        debug.field("items", &self.count).finish_non_exhaustive()
    }
}

/// Items and a metric, compared one by one.
#[derive(Clone, Copy, Debug)]
pub struct Measured<'a, M, C: ?Sized> {
    metric: &'a M,
    items: &'a C,
}

impl<'a, M: Metric, C: Items<M::Item> + ?Sized> Measured<'a, M, C> {
    /// Items under a metric.
    #[must_use]
    pub fn new(metric: &'a M, items: &'a C) -> Self {
        Self { metric, items }
    }
}

impl<M: Metric + Sync, C: Items<M::Item> + ?Sized> Items<M::Item> for Measured<'_, M, C> {
    fn count(&self) -> usize {
        self.items.count()
    }

    fn item(&self, place: usize) -> &M::Item {
        self.items.item(place)
    }
}

impl<M: Metric + Sync, C: Items<M::Item> + ?Sized> Distances<M::Item> for Measured<'_, M, C> {
    fn near(&self, item: &M::Item, places: &[Id], limit: f64, found: &mut Vec<Near>) {
        let item = self.metric.prepare(item);
        for &place in places {
            let other = self.metric.prepare(self.items.item(place as usize));
            let distance = self.metric.within(&item, &other, limit);
            found.extend(distance.map(|distance| Near {
                id: place,
                distance,
            }));
        }
    }
}
