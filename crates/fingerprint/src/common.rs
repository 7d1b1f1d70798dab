use lookalike_core::{Axioms, Metric};

use crate::Squares;

/// The share of all squares that two prints do *not* have in common: 1 − c/N, with c squares that hold minutiae of
/// both.
///
/// It is what the functions of [`GridSquares`](crate::GridSquares) go by, and not a metric: a print with minutiae in a
/// fifth of the squares is at .8 from itself, not at 0.
///
/// ```
/// use lookalike_core::Metric;
/// use lookalike_fingerprint::{CommonSquares, Squares};
///
/// let mut print = Squares::none(10)?;
/// [1, 4].map(|square| print.insert(square));
/// assert_eq!(CommonSquares.distance(&print, &print), 0.8);
/// # Ok::<(), lookalike_fingerprint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommonSquares;

impl Metric for CommonSquares {
    type Item = Squares;
    type Prepared = Squares;
    fn axioms(&self) -> Axioms {
        Axioms::None
    }

    fn prepare(&self, item: &Squares) -> Squares {
        item.clone()
    }

    /// # Panics
    /// If the prints have different numbers of squares.
    fn distance(&self, a: &Squares, b: &Squares) -> f64 {
        1.0 - f64::from(a.common(b)) / f64::from(a.total())
    }
}
