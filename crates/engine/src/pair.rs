use std::cmp::Ordering;

use crate::Id;

/// Two items, the one with the smaller id first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    /// The smaller id.
    pub a: Id,
    /// The larger id.
    pub b: Id,
}

impl Pair {
    /// The pair of two different items, in either order.
    #[must_use]
    pub fn new(x: Id, y: Id) -> Option<Self> {
        match x.cmp(&y) {
            Ordering::Less => Some(Self { a: x, b: y }),
            Ordering::Equal => None,
            Ordering::Greater => Some(Self { a: y, b: x }),
        }
    }
}

/// A verified pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// The items.
    pub pair: Pair,
    /// Their distance.
    pub distance: f64,
}

impl Match {
    /// The nearest pairs first, then in the order of ids.
    #[must_use]
    pub fn nearest_first(&self, other: &Self) -> Ordering {
        let distance = self.distance.total_cmp(&other.distance);
        distance.then(self.pair.cmp(&other.pair))
    }
}
