use std::{fmt, ops::Range};

use lookalike_core::{Distances, Items, Near, Tile};
use rayon::prelude::*;

use crate::{Error, Id, Match, Pair, near::keep_nearest};

/// Compares every item with every other: no keys, no buckets, nothing missed.
///
/// The baseline that a [`BucketIndex`](crate::BucketIndex) must beat, and the better choice if items or queries are
/// few. Items are taken in blocks that stay in the nearest cache while a tile of queries is compared with them.
///
/// ```
/// use lookalike_core::DistanceFn;
/// use lookalike_engine::{Brute, Exact};
///
/// let gap = DistanceFn(|a: &f64, b| (a - b).abs());
/// let exact = Exact::new(&gap, &[1.0, 5.0, 2.5]);
/// let near = Brute::new(&exact)?.near(&[2.0], 1.0);
/// let ids: Vec<u32> = near[0].iter().map(|near| near.id).collect();
/// assert_eq!(ids, [2, 0]);
/// # Ok::<(), lookalike_engine::Error>(())
/// ```
pub struct Brute<'a, D: ?Sized> {
    items: &'a D,
    count: Id,
}

/// The fewest queries of a tile.
const TILE: usize = 32;
/// Items in a block.
const BLOCK: usize = 512;

impl<'a, D: ?Sized> Brute<'a, D> {
    /// All `items`, whose ids are their places.
    ///
    /// # Errors
    /// If there are more than ids.
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

    /// For each query the `k` nearest items within `limit` of it, the nearest first; ties go to the smaller id.
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
        let task = Task {
            count: self.count,
            k,
            limit,
        };
        task.nearest(queries.count(), &|places| {
            let items: Vec<&T> = places.map(|place| queries.item(place)).collect();
            self.comparer(items, None)
        })
    }

    /// All pairs of items within `limit`, the nearest first.
    #[must_use]
    pub fn pairs<T: ?Sized>(&self, limit: f64) -> Vec<Match>
    where
        D: Distances<T>,
    {
        let task = Task {
            count: self.count,
            k: usize::MAX,
            limit,
        };
        task.pairs(&|places| {
            let first = places.start as Id;
            let items: Vec<&T> = places.map(|place| self.items.item(place)).collect();
            self.comparer(items, Some(first))
        })
    }

    /// Compares some queries with blocks of items: all at a time if the items can, one by one if not. `first` is the
    /// place of the first query if queries are items.
    fn comparer<'b, T: ?Sized>(&'b self, queries: Vec<&'b T>, first: Option<Id>) -> Comparer<'b>
    where
        D: Distances<T>,
    {
        if let Some(tile) = self.items.tile(&queries) {
            return Box::new(move |block, limits, k, found| tile.near(block, limits, k, found));
        }
        Box::new(move |block, limits, _, found| {
            for (number, &query) in queries.iter().enumerate() {
                let (limit, found) = (limits[number], &mut found[number]);
                match first {
                    None => self.items.near_in(query, block.clone(), limit, found),
                    Some(first) => {
                        let place = first + number as Id;
                        let later = block.start.max(place + 1).min(block.end)..block.end;
                        self.items.near_place_in(place, later, limit, found);
                    }
                }
            }
        })
    }
}

/// Adds to each query's list the items of a block within its limit; only the `k` nearest are wanted.
type Comparer<'a> = Box<dyn FnMut(Range<Id>, &[f64], usize, &mut [Vec<Near>]) + 'a>;

/// What is asked of all items. Comparing is behind one call per block, so that the loops are compiled once and not once
/// per type of item.
struct Task {
    count: Id,
    k: usize,
    limit: f64,
}

impl Task {
    fn blocks(&self, first: Id) -> impl Iterator<Item = Range<Id>> {
        let count = self.count;
        let blocks = (first..count).step_by(BLOCK);
        blocks.map(move |block| block..count.min(block.saturating_add(BLOCK as Id)))
    }

    /// [`Brute::nearest`] of some queries.
    fn nearest<'a>(
        &self,
        queries: usize,
        comparer: &(dyn Fn(Range<usize>) -> Comparer<'a> + Sync),
    ) -> Vec<Vec<Near>> {
        let tile = tile_of(queries);
        let tiles = (0..queries).into_par_iter().step_by(tile);
        let tiles = tiles.flat_map_iter(|first| {
            let places = first..queries.min(first + tile);
            let mut found = vec![Vec::new(); places.len()];
            let mut limits = vec![self.limit; places.len()];
            let mut compare = comparer(places);
            for block in self.blocks(0) {
                compare(block, &limits, self.k, &mut found);
                for (found, limit) in found.iter_mut().zip(&mut limits) {
                    // Sorted only when twice as many are found, so that each is looked at about twice.
                    if found.len() / 2 >= self.k {
                        *limit = keep_nearest(found, self.k).unwrap_or(*limit);
                    }
                }
            }
            found.into_iter().map(|mut found| {
                keep_nearest(&mut found, self.k);
                found
            })
        });
        tiles.collect()
    }

    /// [`Brute::pairs`].
    fn pairs<'a>(&self, comparer: &(dyn Fn(Range<usize>) -> Comparer<'a> + Sync)) -> Vec<Match> {
        let tile = tile_of(self.count as usize);
        let tiles = (0..self.count as usize).into_par_iter().step_by(tile);
        let tiles = tiles.flat_map_iter(|first| {
            let places = first..(self.count as usize).min(first + tile);
            let mut matches = Vec::new();
            let mut found = vec![Vec::new(); places.len()];
            let limits = vec![self.limit; places.len()];
            let mut compare = comparer(places);
            for block in self.blocks(first as Id) {
                compare(block, &limits, self.k, &mut found);
                for (place, found) in (first as Id..).zip(&mut found) {
                    let later = found.drain(..).filter(|near| near.id > place);
                    matches.extend(later.filter_map(|near| {
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

/// Queries that are compared with a block before the next block is taken: many, but enough tiles for all threads.
fn tile_of(queries: usize) -> usize {
    let tiles = 4 * rayon::current_num_threads();
    queries.div_ceil(tiles).clamp(TILE, <dyn Tile>::QUERIES)
}

impl<D: ?Sized> fmt::Debug for Brute<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Brute");
        debug.field("items", &self.count).finish_non_exhaustive()
    }
}
