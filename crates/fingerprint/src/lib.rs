//! Fingerprints as sets of minutiae: the places where ridges end or fork.

mod error;
pub mod format;
pub mod generate;
mod minutia;
mod template;

pub use error::Error;
pub use minutia::{Kind, Minutia};
pub use template::{DPI, Size, Template};
