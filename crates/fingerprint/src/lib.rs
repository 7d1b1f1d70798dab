//! Fingerprints as sets of minutiae: the places where ridges end or fork.
//!
//! **Squares as functions.** A [`Grid`] turns a [`Template`] into [`Squares`], those that hold minutiae.

mod error;
mod grid;
mod minutia;
mod normalize;
mod squares;
mod template;

pub use error::Error;
pub use grid::Grid;
pub use minutia::{Kind, Minutia};
pub use normalize::{Normalize, Orientation, Position};
pub use squares::Squares;
pub use template::{DPI, Size, Template};
