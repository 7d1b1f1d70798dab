//! Sums over the dimensions of two vectors, in `f64`: the definition of every distance here.
//!
//! A sum has eight partial sums, one for each place modulo 8, which are added in a fixed order. So the result is the same
//! on every processor and on every path, and brute force, joins and indexes report the same distances bit by bit.
//! Nothing is fused: a multiplication is rounded before it is added, on processors that could fuse the two as well.

use crate::Scalar;

/// Partial sums.
const LANES: usize = 8;

/// One number per place of two vectors.
trait Term: Copy {
    fn of(self, a: f64, b: f64) -> f64;
}

#[derive(Clone, Copy)]
struct Product;
#[derive(Clone, Copy)]
struct SquaredDifference;
#[derive(Clone, Copy)]
struct AbsoluteDifference;
/// The squared difference of a·x and b·y.
#[derive(Clone, Copy)]
struct Scaled(f64, f64);

impl Term for Product {
    #[inline(always)]
    fn of(self, a: f64, b: f64) -> f64 {
        a * b
    }
}

impl Term for SquaredDifference {
    #[inline(always)]
    fn of(self, a: f64, b: f64) -> f64 {
        (a - b) * (a - b)
    }
}

impl Term for AbsoluteDifference {
    #[inline(always)]
    fn of(self, a: f64, b: f64) -> f64 {
        (a - b).abs()
    }
}

impl Term for Scaled {
    #[inline(always)]
    fn of(self, a: f64, b: f64) -> f64 {
        let difference = self.0 * a - self.1 * b;
        difference * difference
    }
}

/// Σ aᵢ·bᵢ.
pub(crate) fn dot<T: Scalar>(a: &[T], b: &[T]) -> f64 {
    sum(a, b, Product)
}

/// Σ (aᵢ − bᵢ)².
pub(crate) fn squared_distance<T: Scalar>(a: &[T], b: &[T]) -> f64 {
    sum(a, b, SquaredDifference)
}

/// Σ |aᵢ − bᵢ|.
pub(crate) fn manhattan<T: Scalar>(a: &[T], b: &[T]) -> f64 {
    sum(a, b, AbsoluteDifference)
}

/// Σ (x·aᵢ − y·bᵢ)².
pub(crate) fn scaled_distance<T: Scalar>(a: &[T], x: f64, b: &[T], y: f64) -> f64 {
    sum(a, b, Scaled(x, y))
}

/// The Euclidean length of a vector.
pub(crate) fn length<T: Scalar>(vector: &[T]) -> f64 {
    dot(vector, vector).sqrt()
}

#[inline]
fn sum<T: Scalar>(a: &[T], b: &[T], term: impl Term) -> f64 {
    assert_eq!(a.len(), b.len(), "vectors of one dimension");
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[expect(unsafe_code, reason = "half the time of the plain loop, measured")]
        // SAFETY: the processor has AVX2.
        return unsafe { sum_with_avx2(a, b, term) };
    }
    plain_sum(a, b, term)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn sum_with_avx2<T: Scalar>(a: &[T], b: &[T], term: impl Term) -> f64 {
    plain_sum(a, b, term)
}

#[inline(always)]
fn plain_sum<T: Scalar>(a: &[T], b: &[T], term: impl Term) -> f64 {
    let (a, a_rest) = a.as_chunks::<LANES>();
    let (b, b_rest) = b.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for (a, b) in a.iter().zip(b) {
        for ((lane, &a), &b) in lanes.iter_mut().zip(a).zip(b) {
            *lane += term.of(a.into(), b.into());
        }
    }
    for ((lane, &a), &b) in lanes.iter_mut().zip(a_rest).zip(b_rest) {
        *lane += term.of(a.into(), b.into());
    }
    let [a, b, c, d, e, f, g, h] = lanes;
    ((a + b) + (c + d)) + ((e + f) + (g + h))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_processor_gives_the_same_sums(
            numbers in prop::collection::vec((-1e3f32..1e3, -1e3f32..1e3), 1..70),
        ) {
            let (a, b): (Vec<f32>, Vec<f32>) = numbers.iter().copied().unzip();
            prop_assert_eq!(dot(&a, &b).to_bits(), plain_sum(&a, &b, Product).to_bits());
            prop_assert_eq!(
                squared_distance(&a, &b).to_bits(),
                plain_sum(&a, &b, SquaredDifference).to_bits()
            );
            prop_assert_eq!(manhattan(&a, &b).to_bits(), plain_sum(&a, &b, AbsoluteDifference).to_bits());
            let one_by_one = |term: fn(f64, f64) -> f64| -> f64 {
                numbers.iter().map(|&(a, b)| term(a.into(), b.into())).sum()
            };
            let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (1.0 + a.abs());
            prop_assert!(near(manhattan(&a, &b), one_by_one(|a, b| (a - b).abs())));
            prop_assert!(near(squared_distance(&a, &b), one_by_one(|a, b| (a - b).powi(2))));
            prop_assert!((dot(&a, &b) - one_by_one(|a, b| a * b)).abs() <= 1e-6);
            prop_assert!(near(scaled_distance(&a, 2.0, &b, 3.0), one_by_one(|a, b| (2.0 * a - 3.0 * b).powi(2))));
            prop_assert_eq!(squared_distance(&a, &b).to_bits(), squared_distance(&b, &a).to_bits());
        }
    }
}
