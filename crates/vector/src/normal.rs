//! The standard normal distribution.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Φ(x): how likely a standard normal number is below x.
pub(crate) fn below(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// How likely it lies between −x and x.
pub(crate) fn within(x: f64) -> f64 {
    libm::erf(x * FRAC_1_SQRT_2)
}

/// The density at x.
pub(crate) fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * PI).sqrt()
}
