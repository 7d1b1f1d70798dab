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

    /// Whether the distance claims the axioms of a metric: 0 only for equal
    /// items, symmetric, and no shorter way round through a third item.
    /// [`conformance::metric_axioms`](crate::conformance::metric_axioms) checks the claim.
    const IS_METRIC: bool = true;

    /// Makes an item ready.
    fn prepare(&self, item: &Self::Item) -> Self::Prepared;

    /// The distance, 0 or more.
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
    const IS_METRIC: bool = false;

    fn prepare(&self, item: &T) -> T {
        item.clone()
    }

    fn distance(&self, a: &T, b: &T) -> f64 {
        self.0(a, b)
    }
}
