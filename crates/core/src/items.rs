use std::{borrow::Borrow, cmp::Ordering, ops::Range};

use crate::Pair;

/// Items in memory, found by their place.
///
/// Slices, vectors and arrays implement it; so does a container that keeps many items in one piece of memory.
pub trait Items<T: ?Sized>: Sync {
    /// The number of items.
    fn count(&self) -> usize;

    /// The item at a place below [`count`](Items::count).
    fn item(&self, place: usize) -> &T;
}

/// An item and its distance from another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Near {
    /// The item's place: in an index, its id.
    pub id: u32,
    /// The distance.
    pub distance: f64,
}

impl Near {
    /// The nearest first, then in the order of ids.
    #[must_use]
    pub fn nearest_first(&self, other: &Self) -> Ordering {
        let distance = self.distance.total_cmp(&other.distance);
        distance.then(self.id.cmp(&other.id))
    }
}

/// Items that can be compared with another item, many at a time.
///
/// [`Metric`](crate::Metric) compares one pair; this trait compares one item with many, from memory that is laid out
/// for it. `Exact` in the engine makes one of a `Metric` and any [`Items`].
pub trait Distances<T: ?Sized>: Items<T> {
    /// Adds to `found` each item at `places` whose distance to `item` is at most `limit`.
    fn near(&self, item: &T, places: &[u32], limit: f64, found: &mut Vec<Near>);

    /// The same for all places in a range.
    fn near_in(&self, item: &T, places: Range<u32>, limit: f64, found: &mut Vec<Near>) {
        let places: Vec<u32> = places.collect();
        self.near(item, &places, limit, found);
    }

    /// [`near`](Distances::near) for the item at `place`. Worth overriding if items are prepared before they are
    /// compared: this one may be ready.
    fn near_place(&self, place: u32, places: &[u32], limit: f64, found: &mut Vec<Near>) {
        self.near(self.item(place as usize), places, limit, found);
    }

    /// [`near_in`](Distances::near_in) for the item at `place`.
    fn near_place_in(&self, place: u32, places: Range<u32>, limit: f64, found: &mut Vec<Near>) {
        self.near_in(self.item(place as usize), places, limit, found);
    }

    /// The distance of the items of a pair, if it is at most `limit`. Worth overriding: a join asks for one pair at a
    /// time.
    fn pair(&self, pair: Pair, limit: f64) -> Option<f64> {
        let mut found = Vec::new();
        self.near_place(pair.a(), &[pair.b()], limit, &mut found);
        found.first().map(|near| near.distance)
    }

    /// Drops pairs that a quick look shows to be more than `limit` apart, and may leave others that are. A join takes this
    /// look before it finds out which pairs it has met before. Worth overriding if the look takes less time than that.
    fn drop_far(&self, pairs: &mut Vec<Pair>, limit: f64) {
        let _ = (pairs, limit);
    }

    /// Some queries laid out to be compared with many items at a time, if there is a faster way than one by one. At most
    /// 256 are given.
    fn tile<'a>(&'a self, queries: &[&T]) -> Option<Box<dyn Tile + 'a>> {
        let _ = queries;
        None
    }

    /// Whether it is faster to compare an item twice than to find out that it was compared before. A query that meets
    /// an item in several bands passes its place once for each if this is true, and once in total if not.
    fn repeats_are_cheap(&self) -> bool {
        false
    }
}

/// Queries that are compared with blocks of items, all queries with all items of a block.
pub trait Tile {
    /// Adds to `found[i]` each item at `places` whose distance to query i is at most `limits[i]`. Items that are not
    /// among the `k` nearest of these places may be left out.
    fn near(&self, places: Range<u32>, limits: &[f64], k: usize, found: &mut [Vec<Near>]);
}

impl dyn Tile {
    /// The most queries of a tile.
    pub const QUERIES: usize = 256;
}

impl<T: ?Sized, D: Distances<T> + ?Sized> Distances<T> for &D {
    fn near(&self, item: &T, places: &[u32], limit: f64, found: &mut Vec<Near>) {
        (**self).near(item, places, limit, found);
    }

    fn near_in(&self, item: &T, places: Range<u32>, limit: f64, found: &mut Vec<Near>) {
        (**self).near_in(item, places, limit, found);
    }

    fn near_place(&self, place: u32, places: &[u32], limit: f64, found: &mut Vec<Near>) {
        (**self).near_place(place, places, limit, found);
    }

    fn near_place_in(&self, place: u32, places: Range<u32>, limit: f64, found: &mut Vec<Near>) {
        (**self).near_place_in(place, places, limit, found);
    }

    fn pair(&self, pair: Pair, limit: f64) -> Option<f64> {
        (**self).pair(pair, limit)
    }

    fn drop_far(&self, pairs: &mut Vec<Pair>, limit: f64) {
        (**self).drop_far(pairs, limit);
    }

    fn tile<'a>(&'a self, queries: &[&T]) -> Option<Box<dyn Tile + 'a>> {
        (**self).tile(queries)
    }

    fn repeats_are_cheap(&self) -> bool {
        (**self).repeats_are_cheap()
    }
}

impl<T: ?Sized, I: Borrow<T> + Sync> Items<T> for [I] {
    fn count(&self) -> usize {
        self.len()
    }

    fn item(&self, place: usize) -> &T {
        self[place].borrow()
    }
}

impl<T: ?Sized, I: Borrow<T> + Sync> Items<T> for Vec<I> {
    fn count(&self) -> usize {
        self.len()
    }

    fn item(&self, place: usize) -> &T {
        self[place].borrow()
    }
}

impl<T: ?Sized, I: Borrow<T> + Sync, const N: usize> Items<T> for [I; N] {
    fn count(&self) -> usize {
        N
    }

    fn item(&self, place: usize) -> &T {
        self[place].borrow()
    }
}

impl<T: ?Sized, C: Items<T> + ?Sized> Items<T> for &C {
    fn count(&self) -> usize {
        (**self).count()
    }

    fn item(&self, place: usize) -> &T {
        (**self).item(place)
    }
}
