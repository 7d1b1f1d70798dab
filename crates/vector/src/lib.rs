//! Dense vectors: embeddings, word vectors, pixels.
//!
//! | distance | type | families |
//! |---|---|---|
//! | angle | [`Angle`] | hyperplanes, cross-polytope |
//! | Euclidean | [`Euclidean`] | random lines |
//! | Manhattan | [`Manhattan`] | Cauchy lines |
//! | inner product | [`NegatedDot`] | hyperplanes, after a reduction to angles |

mod brute;
mod error;
pub mod families;
pub mod generate;
mod join;
mod metric;
mod nearest;
mod normal;
pub mod plugin;
mod scalar;
mod sums;
mod vectors;

pub use error::Error;
pub use metric::{Angle, Euclidean, Manhattan, Measured, NegatedDot};
pub use scalar::Scalar;
pub use vectors::Vectors;
