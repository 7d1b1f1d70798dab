use std::{fmt, ops::Range};

use lookalike_core::{Distances, Items, Near};
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

/// Queries that are compared with a block before the next block is taken.
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
        nearest(queries.count(), self.count, k, limit, &|query, block| {
            let item = queries.item(query);
            self.items
                .near_in(item, block.places, block.limit, block.found);
        })
    }

    /// All pairs of items within `limit`, the nearest first.
    #[must_use]
    pub fn pairs<T: ?Sized>(&self, limit: f64) -> Vec<Match>
    where
        D: Distances<T>,
    {
        pairs(self.count, limit, &|place, block| {
            let Block {
                places,
                limit,
                found,
            } = block;
            self.items.near_place_in(place, places, limit, found);
        })
    }
}

/// Items that one item is compared with, and where those within the limit are put.
struct Block<'a> {
    places: Range<Id>,
    limit: f64,
    found: &'a mut Vec<Near>,
}

/// [`Brute::nearest`] of `queries` queries. Comparing is behind one call per query and block, so that the loops are
/// compiled once and not once per type of item.
fn nearest(
    queries: usize,
    count: Id,
    k: usize,
    limit: f64,
    compare: &(dyn Fn(usize, Block<'_>) + Sync),
) -> Vec<Vec<Near>> {
    let tiles = (0..queries).into_par_iter().step_by(TILE);
    let tiles = tiles.flat_map_iter(|first| {
        let places = first..queries.min(first + TILE);
        let mut found = vec![Vec::new(); places.len()];
        let mut limits = vec![limit; places.len()];
        for block in (0..count).step_by(BLOCK) {
            let block = block..count.min(block.saturating_add(BLOCK as Id));
            for ((query, found), limit) in places.clone().zip(&mut found).zip(&mut limits) {
                let (places, most) = (block.clone(), *limit);
                compare(
                    query,
                    Block {
                        places,
                        limit: most,
                        found,
                    },
                );
                // Sorted only when twice as many are found, so that each is looked at about twice.
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

/// [`Brute::pairs`], compiled once.
fn pairs(count: Id, limit: f64, compare: &(dyn Fn(Id, Block<'_>) + Sync)) -> Vec<Match> {
    let tiles = (0..count).into_par_iter().step_by(TILE);
    let tiles = tiles.flat_map_iter(|first| {
        let tile = first..count.min(first.saturating_add(TILE as Id));
        let mut matches = Vec::new();
        let mut found = Vec::new();
        for block in (first..count).step_by(BLOCK) {
            let end = count.min(block.saturating_add(BLOCK as Id));
            for place in tile.clone() {
                let places = block.max(place + 1).min(end)..end;
                let found = &mut found;
                compare(
                    place,
                    Block {
                        places,
                        limit,
                        found,
                    },
                );
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

impl<D: ?Sized> fmt::Debug for Brute<'_, D> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Brute");
        debug.field("items", &self.count).finish_non_exhaustive()
    }
}
