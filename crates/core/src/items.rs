use std::{borrow::Borrow, cmp::Ordering, ops::Range};

/// Items at hand, found by their place.
///
/// Slices, vectors and arrays are; so is whatever keeps many items in one piece of memory.
pub trait Items<T: ?Sized>: Sync {
    /// How many there are.
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

/// Items that know how far they are from another.
///
/// What [`Metric`](crate::Metric) is for a pair this is for many at once: distances in one go, from memory
/// that is laid out for it. A `Metric` and a slice make one, too (`Measured` in the engine).
pub trait Distances<T: ?Sized>: Items<T> {
    /// Adds those of the items at `places` to `found` whose distance to `item` is at most `limit`.
    fn near(&self, item: &T, places: &[u32], limit: f64, found: &mut Vec<Near>);

    /// The same for all items of a range.
    fn near_in(&self, item: &T, places: Range<u32>, limit: f64, found: &mut Vec<Near>) {
        let places: Vec<u32> = places.collect();
        self.near(item, &places, limit, found);
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
