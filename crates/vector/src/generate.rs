//! Vectors for tests, examples and measurements: random ones, neighbours at a given distance, and clusters.

use lookalike_core::random::{self, Stream};
use rand::RngExt;
use rand_distr::{Exp1, StandardNormal};

use crate::{Error, Scalar, Vectors};

/// A vector of independent standard normal numbers.
#[must_use]
pub fn normal(dimensions: usize, rng: &mut Stream) -> Vec<f64> {
    (0..dimensions)
        .map(|_| rng.sample(StandardNormal))
        .collect()
}

/// A vector of the same length at an angle in degrees from another, in a random direction from it.
///
/// # Errors
/// If the vector has no direction, the angle is not one from 0 to 180, or there is no room for it: in one dimension
/// there are 0 and 180.
pub fn at_angle(vector: &[f64], degrees: f64, rng: &mut Stream) -> Result<Vec<f64>, Error> {
    let wrong = |expected: &str| Err(Error::parameter("angles", degrees, expected));
    if !(0.0..=180.0).contains(&degrees) {
        return wrong("from 0 to 180 degrees");
    }
    if vector.len() == 1 && degrees != 0.0 && degrees != 180.0 {
        return wrong("0 or 180 degrees in one dimension");
    }
    let length = length(vector);
    if length == 0.0 {
        return wrong("an angle to a vector that is not zero");
    }
    let (sin, cos) = degrees.to_radians().sin_cos();
    let mut across = normal(vector.len(), rng);
    let along = vector.iter().zip(&across).map(|(a, b)| a * b).sum::<f64>() / (length * length);
    across
        .iter_mut()
        .zip(vector)
        .for_each(|(x, v)| *x -= along * v);
    let scale = match vector.len() {
        1 => 0.0,
        _ => sin * length / self::length(&across),
    };
    let turned = vector.iter().zip(&across);
    Ok(turned.map(|(v, x)| cos * v + scale * x).collect())
}

/// A vector at a Euclidean distance from another, in a random direction.
#[must_use]
pub fn at_euclidean(vector: &[f64], distance: f64, rng: &mut Stream) -> Vec<f64> {
    let way = normal(vector.len(), rng);
    let scale = distance / length(&way);
    vector
        .iter()
        .zip(&way)
        .map(|(v, w)| v + scale * w)
        .collect()
}

/// A vector at a Manhattan distance from another: a uniform point of the sphere of that distance.
#[must_use]
pub fn at_manhattan(vector: &[f64], distance: f64, rng: &mut Stream) -> Vec<f64> {
    let way: Vec<f64> = vector
        .iter()
        .map(|_| {
            let step: f64 = rng.sample(Exp1);
            if rng.next_u64() & 1 == 0 { step } else { -step }
        })
        .collect();
    let scale = distance / way.iter().map(|step| step.abs()).sum::<f64>();
    vector
        .iter()
        .zip(&way)
        .map(|(v, w)| v + scale * w)
        .collect()
}

/// `count` vectors around centres, as embeddings are: the centres normal, the members normal around theirs with the
/// standard deviation `spread`, the sizes of the clusters by Zipf's law. Also the cluster of each.
///
/// # Errors
/// If there are no dimensions, or the spread is not a number from 0 on.
pub fn clustered<T: Scalar>(
    dimensions: usize,
    count: usize,
    clusters: usize,
    spread: f64,
    seed: u64,
) -> Result<(Vectors<T>, Vec<u32>), Error> {
    if !(spread >= 0.0 && spread.is_finite()) {
        return Err(Error::parameter("spread", spread, "0 or more"));
    }
    let mut vectors = Vectors::new(dimensions)?;
    let mut rng = stream(seed, 0);
    let centres: Vec<Vec<f64>> = (0..clusters.max(1))
        .map(|_| normal(dimensions, &mut rng))
        .collect();
    let mut reach = Vec::with_capacity(centres.len());
    let mut total = 0.0;
    for rank in 1..=centres.len() {
        total += 1.0 / rank as f64;
        reach.push(total);
    }
    let mut rng = stream(seed, 1);
    let mut labels = Vec::with_capacity(count);
    for _ in 0..count {
        let at = rng.unit() * total;
        let cluster = reach
            .partition_point(|&reach| reach <= at)
            .min(centres.len() - 1);
        let noise = normal(dimensions, &mut rng);
        let member = centres[cluster].iter().zip(&noise);
        let member: Vec<T> = member.map(|(c, n)| T::nearest(c + spread * n)).collect();
        vectors.push(&member)?;
        labels.push(cluster as u32);
    }
    Ok((vectors, labels))
}

/// Not the streams that functions are drawn from: data and functions of one seed must have nothing to do with each other.
#[must_use]
pub fn stream(seed: u64, number: u64) -> Stream {
    const DATA: u64 = u64::from_le_bytes(*b"the data");
    random::stream(random::derive(seed, DATA), number)
}

fn length(vector: &[f64]) -> f64 {
    crate::sums::length(vector)
}
