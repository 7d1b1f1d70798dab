//! Prints and sets of grid squares as kinds, their distances and families, for the registry.

mod grid_squares;
mod local_triples;
mod matched;
mod print;
mod squares;

pub use grid_squares::GridSquares;
pub use local_triples::LocalTriples;
pub use matched::{Matched, MatcherMetric};
pub use print::{Print, PrintReading};
pub use squares::{SquareSet, SquareSets, SquaresInCommon, SquaresReading};

use lookalike_core::plugin::Error;

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        Self::new(error.to_string())
    }
}
