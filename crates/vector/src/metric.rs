//! The exact distances of vectors.

use std::marker::PhantomData;

use lookalike_core::{Axioms, Metric};

use crate::{Scalar, sums};

/// The angle between two vectors, in degrees: 0 to 180.
///
/// It is a metric of directions. Of vectors it is a pseudometric: a vector and its double are at 0. A vector of zeros has
/// no direction; it counts as [empty](Metric::is_empty), and as orthogonal to every other.
///
/// The angle is 2·atan2(‖a/‖a‖ − b/‖b‖‖, ‖a/‖a‖ + b/‖b‖‖) after W. Kahan, which keeps its precision where an arc cosine
/// loses it: at angles near 0 and 180.
///
/// ```
/// use lookalike_core::Metric;
/// use lookalike_vector::Angle;
///
/// let angle = Angle::<f32>::default();
/// let (a, b) = (angle.prepare(&[1.0, 0.0]), angle.prepare(&[3.0, 3.0]));
/// assert!((angle.distance(&a, &b) - 45.0).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Angle<T>(PhantomData<T>);

/// Euclidean distance: the square root of Σ (aᵢ − bᵢ)².
#[derive(Clone, Copy, Debug, Default)]
pub struct Euclidean<T>(PhantomData<T>);

/// Manhattan distance: Σ |aᵢ − bᵢ|.
#[derive(Clone, Copy, Debug, Default)]
pub struct Manhattan<T>(PhantomData<T>);

/// The inner product Σ aᵢ·bᵢ with a minus sign, so that less is nearer. It is negative for most vectors that are like
/// each other, and claims no axiom but symmetry.
#[derive(Clone, Copy, Debug, Default)]
pub struct NegatedDot<T>(PhantomData<T>);

/// A vector and its length.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured<T> {
    numbers: Box<[T]>,
    length: f64,
}

/// The angle in degrees of two vectors with their lengths.
pub(crate) fn angle<T: Scalar>(a: &[T], a_length: f64, b: &[T], b_length: f64) -> f64 {
    if a_length == 0.0 || b_length == 0.0 {
        return if a_length == b_length { 0.0 } else { 90.0 };
    }
    let apart = sums::scaled_distance(a, b_length, b, a_length);
    let across = sums::scaled_distance(a, b_length, b, -a_length);
    2.0 * apart.sqrt().atan2(across.sqrt()).to_degrees()
}

impl<T: Scalar> Metric for Angle<T> {
    type Item = [T];
    type Prepared = Measured<T>;

    fn axioms(&self) -> Axioms {
        Axioms::Pseudometric
    }

    fn prepare(&self, vector: &[T]) -> Measured<T> {
        Measured {
            length: sums::length(vector),
            numbers: vector.into(),
        }
    }

    fn distance(&self, a: &Measured<T>, b: &Measured<T>) -> f64 {
        angle(&a.numbers, a.length, &b.numbers, b.length)
    }

    fn is_empty(&self, vector: &Measured<T>) -> bool {
        vector.length == 0.0
    }
}

impl<T: Scalar> Metric for Euclidean<T> {
    type Item = [T];
    type Prepared = Box<[T]>;

    fn prepare(&self, vector: &[T]) -> Box<[T]> {
        vector.into()
    }

    fn distance(&self, a: &Box<[T]>, b: &Box<[T]>) -> f64 {
        sums::squared_distance(a, b).sqrt()
    }
}

impl<T: Scalar> Metric for Manhattan<T> {
    type Item = [T];
    type Prepared = Box<[T]>;

    fn prepare(&self, vector: &[T]) -> Box<[T]> {
        vector.into()
    }

    fn distance(&self, a: &Box<[T]>, b: &Box<[T]>) -> f64 {
        sums::manhattan(a, b)
    }
}

impl<T: Scalar> Metric for NegatedDot<T> {
    type Item = [T];
    type Prepared = Box<[T]>;

    fn axioms(&self) -> Axioms {
        Axioms::None
    }

    fn prepare(&self, vector: &[T]) -> Box<[T]> {
        vector.into()
    }

    fn distance(&self, a: &Box<[T]>, b: &Box<[T]>) -> f64 {
        -sums::dot(a, b)
    }
}
