use std::cmp::Ordering;

/// Two different items, the one with the smaller id first.
///
/// ```
/// use lookalike_core::Pair;
///
/// let pair = Pair::new(7, 3).unwrap();
/// assert_eq!((pair.a(), pair.b()), (3, 7));
/// assert_eq!(Pair::new(3, 3), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pair {
    a: u32,
    b: u32,
}

impl Pair {
    /// The pair of two items, in either order; `None` if they are the same item.
    #[must_use]
    #[inline]
    pub fn new(x: u32, y: u32) -> Option<Self> {
        match x.cmp(&y) {
            Ordering::Less => Some(Self { a: x, b: y }),
            Ordering::Equal => None,
            Ordering::Greater => Some(Self { a: y, b: x }),
        }
    }

    /// The pair of two ids that are known to be in ascending order.
    ///
    /// # Panics
    /// If `a` is not below `b`.
    #[must_use]
    #[inline]
    pub fn ordered(a: u32, b: u32) -> Self {
        assert!(a < b, "{a} must be below {b}");
        Self { a, b }
    }

    /// The smaller id.
    #[must_use]
    #[inline]
    pub fn a(self) -> u32 {
        self.a
    }

    /// The larger id.
    #[must_use]
    #[inline]
    pub fn b(self) -> u32 {
        self.b
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
    /// Orders by distance, then by the ids of the pair.
    #[must_use]
    pub fn nearest_first(&self, other: &Self) -> Ordering {
        let distance = self.distance.total_cmp(&other.distance);
        distance.then(self.pair.cmp(&other.pair))
    }
}

#[cfg(test)]
mod tests {
    use super::Pair;

    #[test]
    #[should_panic(expected = "5 must be below 5")]
    fn ids_of_a_pair_differ() {
        let _ = Pair::ordered(5, 5);
    }
}
