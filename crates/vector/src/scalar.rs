use std::fmt;

use bytemuck::Pod;
use num_traits::Float;

/// A floating-point number of a vector: `f32` or `f64`.
///
/// Sums are always taken in `f64`. Products of two `f32` are exact there, so a sum does not depend on whether the
/// processor fuses multiplication and addition.
pub trait Scalar:
    Float + Pod + Into<f64> + fmt::Debug + fmt::Display + Default + Send + Sync + 'static
{
    /// The nearest number of this type.
    fn nearest(value: f64) -> Self;
}

impl Scalar for f32 {
    #[inline]
    fn nearest(value: f64) -> Self {
        value as Self
    }
}

impl Scalar for f64 {
    #[inline]
    fn nearest(value: f64) -> Self {
        value
    }
}
