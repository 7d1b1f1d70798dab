use lookalike_core::plugin::{Distance, Error, Kernel, Measure, Specimens};
use serde::{Deserialize, Serialize};

use super::{Vector, specimens};
use crate::{
    Angle, Euclidean, Manhattan, NegatedDot, Vectors,
    brute::{ByAngle, ByDot, ByEuclidean, ByManhattan, Compared},
};

/// The angle between two vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AngleDistance {}

/// The length of the difference of two vectors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EuclideanDistance {}

/// The sum of the differences of two vectors, dimension by dimension.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ManhattanDistance {}

/// The inner product of two vectors. More is nearer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DotDistance {}

/// An angle is computed to about 1e-14 degrees, so a threshold is this much wider: parallel vectors then reach a cosine
/// of 1 and an angle of 0.
const ANGLE_SLACK: f64 = 1e-9;

fn angle_of(cosine: f64) -> f64 {
    cosine.acos().to_degrees() + ANGLE_SLACK
}

fn cosine_of(degrees: f64) -> f64 {
    degrees.to_radians().cos()
}

fn negated(x: f64) -> f64 {
    -x
}

impl Distance for AngleDistance {
    const MEASURES: &'static [Measure] = &[
        Measure::decreasing("cosine", "cosine", (-1.0, 1.0), angle_of, cosine_of).usually(0.9),
        Measure::distance("angle", "angle in degrees").up_to(180.0),
    ];
    type Kind = Vector;
    type Metric = Angle<f32>;

    fn metric(&self) -> Result<Angle<f32>, Error> {
        Ok(Angle::default())
    }

    fn specimens() -> Option<Specimens<Vectors>> {
        Some(Specimens::new(180.0, specimens::at_angle))
    }

    fn cost(dimensions: usize) -> f64 {
        product_cost(dimensions)
    }

    fn kernel<'a>(&self, vectors: &'a Vectors) -> Option<Kernel<'a, Self>> {
        Some(Box::new(Compared::new(vectors, ByAngle)))
    }
}

impl Distance for EuclideanDistance {
    const MEASURES: &'static [Measure] = &[Measure::distance("euclidean", "Euclidean distance")];
    type Kind = Vector;
    type Metric = Euclidean<f32>;

    fn metric(&self) -> Result<Euclidean<f32>, Error> {
        Ok(Euclidean::default())
    }

    fn specimens() -> Option<Specimens<Vectors>> {
        Some(Specimens::new(20.0, specimens::at_euclidean))
    }

    fn cost(dimensions: usize) -> f64 {
        product_cost(dimensions)
    }

    fn kernel<'a>(&self, vectors: &'a Vectors) -> Option<Kernel<'a, Self>> {
        Some(Box::new(Compared::new(vectors, ByEuclidean)))
    }
}

impl Distance for ManhattanDistance {
    const MEASURES: &'static [Measure] = &[Measure::distance("l1", "Manhattan distance")];
    type Kind = Vector;
    type Metric = Manhattan<f32>;

    fn metric(&self) -> Result<Manhattan<f32>, Error> {
        Ok(Manhattan::default())
    }

    fn specimens() -> Option<Specimens<Vectors>> {
        Some(Specimens::new(40.0, specimens::at_manhattan))
    }

    fn cost(dimensions: usize) -> f64 {
        3.0 * product_cost(dimensions)
    }

    fn kernel<'a>(&self, vectors: &'a Vectors) -> Option<Kernel<'a, Self>> {
        Some(Box::new(Compared::new(vectors, ByManhattan)))
    }
}

impl Distance for DotDistance {
    const MEASURES: &'static [Measure] = &[Measure::decreasing(
        "dot",
        "inner product",
        (f64::MIN, f64::MAX),
        negated,
        negated,
    )];
    const IS_SYMMETRIC: bool = false;
    type Kind = Vector;
    type Metric = NegatedDot<f32>;

    fn metric(&self) -> Result<NegatedDot<f32>, Error> {
        Ok(NegatedDot::default())
    }

    fn specimens() -> Option<Specimens<Vectors>> {
        let most = specimens::LENGTH * specimens::LENGTH;
        Some(Specimens::between(-most, most, specimens::at_dot))
    }

    fn cost(dimensions: usize) -> f64 {
        product_cost(dimensions)
    }

    fn kernel<'a>(&self, vectors: &'a Vectors) -> Option<Kernel<'a, Self>> {
        Some(Box::new(Compared::new(vectors, ByDot)))
    }
}

/// Nanoseconds of one product of vectors among many, as brute force takes them.
fn product_cost(dimensions: usize) -> f64 {
    0.5 + 0.012 * dimensions as f64
}
