use std::fmt;

/// Pairs of made-up items at wanted distances: what [conformance](crate::conformance::plugin) tests a plugin with.
///
/// `pair(distance, seed)` makes two items at about that distance, from 0 to `farthest`; what counts is the distance that
/// the metric measures. Equal arguments make equal items. All items of a kind must have one width.
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
    farthest: f64,
    pair: fn(f64, u64) -> I,
}

impl<I> Specimens<I> {
    /// Pairs up to a distance, which should be near the largest that there is.
    #[must_use]
    pub const fn new(farthest: f64, pair: fn(f64, u64) -> I) -> Self {
        Self { farthest, pair }
    }

    /// The largest distance that pairs can be asked for.
    #[must_use]
    pub fn farthest(&self) -> f64 {
        self.farthest
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
            .field("farthest", &self.farthest)
            .finish_non_exhaustive()
    }
}
