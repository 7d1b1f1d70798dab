//! Prints and sets of grid squares as kinds, their distances and families, for the registry.

mod generate;
mod grid_squares;
mod grid_table;
mod gridded;
mod local_triples;
mod matched;
mod print;
mod specimens;
mod squares;

pub use generate::{GriddedImpressions, Impressions, ModelSquares, finger_groups};
pub use grid_squares::GridSquares;
pub use grid_table::GridTable;
pub use gridded::{Gridded, GriddedSource, PrintGridSquares, propose_given_scheme};
pub use local_triples::LocalTriples;
pub use matched::{Matched, MatcherMetric};
pub use print::{Print, PrintReading};
pub use squares::{SquareSet, SquareSets, SquaresInCommon, SquaresReading};

use lookalike_core::plugin::Error;

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        let refused = Self::new(error.to_string());
        match error {
            crate::Error::Parameter { name, .. } => refused.about(name),
            _ => refused,
        }
    }
}

/// The error of the crate about a parameter of a plugin, which may have another name than that of the crate.
fn refused(error: &crate::Error, parameter: &str) -> Error {
    Error::new(error.to_string()).about(parameter)
}
