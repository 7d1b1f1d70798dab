//! Colours as items: a kind with a distance and a family, written by a third party.

mod colour;
mod random_cuts;

pub use colour::{Colour, Rgb, RgbDifference};
pub use random_cuts::{Cuts, RandomCuts};
