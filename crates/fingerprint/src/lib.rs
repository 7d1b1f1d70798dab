//! Fingerprints as sets of minutiae: the places where ridges end or fork.
//!
//! - [`format`](mod@format) reads and writes XYT, ISO/IEC 19794-2 and ANSI 378; [`generate`] draws fingers and impressions of them.
//! - **Squares as functions.** A [`Grid`] turns a [`Template`] into [`Squares`], those that hold minutiae;
//!   [`GridSquares`] is the textbook's family over them, [`CommonSquares`] its distance, and [`Model`] says what to
//!   expect. It needs prints that are aligned.
//! - **Squares in each minutia's own frame.** [`LocalTriples`] finds real prints, however they were laid down; [`Votes`]
//!   ranks what it finds, and [`Matcher`] verifies the best.

mod common;
mod error;
pub mod format;
mod frame;
pub mod generate;
mod grid;
mod grid_squares;
mod local_triples;
mod matcher;
mod minutia;
mod model;
mod normalize;
pub mod plugin;
mod selection;
mod squares;
mod template;
mod votes;

pub use common::CommonSquares;
pub use error::Error;
pub use frame::Frame;
pub use grid::Grid;
pub use grid_squares::{GridSquares, SquareFunctions};
pub use local_triples::{LocalTriples, Triples, TriplesScratch};
pub use matcher::{Comparison, DEFAULT_MATCH_SCORE, Matcher, Prepared, Work};
pub use minutia::{Minutia, MinutiaKind};
pub use model::{Fingers, Model};
pub use normalize::{Normalize, Orientation, Position};
pub use selection::Selection;
pub use squares::Squares;
pub use template::{DPI, Size, Template};
pub use votes::{Ranked, Votes};
