//! Fingerprints as sets of minutiae: the places where ridges end or fork.
//!
//! **Squares as functions.** A [`Grid`] turns a [`Template`] into [`Squares`], those that hold minutiae;
//! [`GridSquares`] is the textbook's family over them, [`CommonSquares`] its distance, and [`Model`] says what to
//! expect.

mod common;
mod error;
mod grid;
mod grid_squares;
mod minutia;
mod model;
mod normalize;
mod squares;
mod template;

pub use common::CommonSquares;
pub use error::Error;
pub use grid::Grid;
pub use grid_squares::{GridSquares, SquareFunctions};
pub use minutia::{Kind, Minutia};
pub use model::{Fingers, Model};
pub use normalize::{Normalize, Orientation, Position};
pub use squares::Squares;
pub use template::{DPI, Size, Template};
