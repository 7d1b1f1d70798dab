/// The axioms that a distance claims.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axioms {
    /// None but symmetry: a score of a matcher, an inner product. Equal items need not be at 0, and a distance may be
    /// negative.
    None,
    /// 0 for equal items and only for them, and symmetric. The way through a third item may be shorter: optimal string
    /// alignment, digests of files.
    Semimetric,
    /// 0 for equal items, symmetric, no shorter way through a third item. Different items may be at 0: vectors of one
    /// direction.
    Pseudometric,
    /// All of that: 0 for equal items and only for them, symmetric, no shorter way through a third item.
    Metric,
}

impl Axioms {
    /// Whether equal items are at distance 0.
    #[must_use]
    pub const fn has_zeros(self) -> bool {
        !matches!(self, Self::None)
    }

    /// Whether there is no shorter way through a third item.
    #[must_use]
    pub const fn has_triangles(self) -> bool {
        matches!(self, Self::Pseudometric | Self::Metric)
    }
}

/// A distance between items.
///
/// Candidates become matches by it, and [`conformance`](crate::conformance)
/// compares a family with it. What is costly about one item alone (sorting its
/// elements, say) belongs in [`prepare`](Metric::prepare), so that it is done
/// once an item and not once a pair.
///
/// ```
/// use lookalike_core::Metric;
///
/// /// How many bits differ.
/// struct Hamming;
///
/// impl Metric for Hamming {
///     type Item = u64;
///     type Prepared = u64;
///     fn prepare(&self, item: &u64) -> u64 {
///         *item
///     }
///     fn distance(&self, a: &u64, b: &u64) -> f64 {
///         f64::from((a ^ b).count_ones())
///     }
/// }
///
/// assert_eq!(Hamming.distance(&0b1011, &0b0010), 2.0);
/// assert_eq!(Hamming.within(&0b1011, &0b0010, 1.0), None);
/// ```
pub trait Metric {
    /// What is compared.
    type Item: ?Sized;
    /// An item made ready for many comparisons.
    type Prepared;

    /// What the distance claims with the parameters that it has.
    /// [`conformance::metric_axioms`](crate::conformance::metric_axioms) checks it.
    fn axioms(&self) -> Axioms {
        Axioms::Metric
    }

    /// Makes an item ready.
    fn prepare(&self, item: &Self::Item) -> Self::Prepared;

    /// The distance: 0 or more, unless it claims no axioms.
    fn distance(&self, a: &Self::Prepared, b: &Self::Prepared) -> f64;

    /// The distance if it is at most `limit`.
    ///
    /// Worth overriding where a comparison can stop early.
    fn within(&self, a: &Self::Prepared, b: &Self::Prepared, limit: f64) -> Option<f64> {
        let distance = self.distance(a, b);
        (distance <= limit).then_some(distance)
    }

    /// Whether an item has nothing that could be compared, such as a text without words. By its distance it equals
    /// others of the kind, but no family gives it a key, and whoever counts what is alike leaves it out.
    fn is_empty(&self, item: &Self::Prepared) -> bool {
        let _ = item;
        false
    }
}

/// A distance given by a function, where nothing about an item alone is worth preparing.
///
/// ```
/// use lookalike_core::{DistanceFn, Metric};
///
/// let gap = DistanceFn(|a: &f64, b| (a - b).abs());
/// assert_eq!(gap.distance(&2.0, &4.5), 2.5);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct DistanceFn<T>(pub fn(&T, &T) -> f64);

impl<T: Clone> Metric for DistanceFn<T> {
    type Item = T;
    type Prepared = T;

    /// A function claims nothing.
    fn axioms(&self) -> Axioms {
        Axioms::None
    }

    fn prepare(&self, item: &T) -> T {
        item.clone()
    }

    fn distance(&self, a: &T, b: &T) -> f64 {
        self.0(a, b)
    }
}
