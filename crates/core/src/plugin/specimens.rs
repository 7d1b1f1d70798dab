use std::fmt;

/// Pairs of made-up items at wanted distances: what [conformance](crate::conformance::plugin) tests a plugin with.
///
/// `pair(distance, seed)` makes two items at about that distance, from `nearest` (0 for most distances) to `farthest`; what
/// counts is the distance that the metric measures. Equal arguments make equal items. All items of a kind must have one
/// width.
///
/// ```
/// use lookalike_core::{plugin::Specimens, random};
///
/// // Numbers on a line.
/// let numbers: Specimens<Vec<f64>> = Specimens::new(100.0, |distance, seed| {
///     let start = random::stream(seed, 0).unit();
///     vec![start, start + distance]
/// });
/// let pair = numbers.pair(40.0, 7);
/// assert_eq!((numbers.farthest(), (pair[1] - pair[0]).round()), (100.0, 40.0));
/// ```
pub struct Specimens<I> {
    nearest: f64,
    farthest: f64,
    pair: fn(f64, u64) -> I,
}

impl<I> Specimens<I> {
    /// Pairs from 0 up to a distance, which should be near the largest that there is.
    #[must_use]
    pub const fn new(farthest: f64, pair: fn(f64, u64) -> I) -> Self {
        Self::between(0.0, farthest, pair)
    }

    /// Pairs of a distance that does not begin at 0: an inner product with a minus sign is least between the longest
    /// vectors of one direction.
    #[must_use]
    pub const fn between(nearest: f64, farthest: f64, pair: fn(f64, u64) -> I) -> Self {
        Self {
            nearest,
            farthest,
            pair,
        }
    }

    /// The smallest distance that pairs can be asked for.
    #[must_use]
    pub fn nearest(&self) -> f64 {
        self.nearest
    }

    /// The largest distance that pairs can be asked for.
    #[must_use]
    pub fn farthest(&self) -> f64 {
        self.farthest
    }

    /// The distance at a share of the way from the nearest to the farthest.
    pub(crate) fn at(&self, share: f64) -> f64 {
        self.nearest + share * (self.farthest - self.nearest)
    }

    /// Two items at about this distance.
    #[must_use]
    pub fn pair(&self, distance: f64, seed: u64) -> I {
        (self.pair)(distance, seed)
    }
}

impl<I> Clone for Specimens<I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for Specimens<I> {}

impl<I> fmt::Debug for Specimens<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Specimens")
            .field("nearest", &self.nearest)
            .field("farthest", &self.farthest)
            .finish_non_exhaustive()
    }
}
