//! Pairs of vectors at wanted distances, for conformance.

use lookalike_core::random;

use crate::{Vectors, generate};

/// Dimensions of a specimen.
const DIMENSIONS: usize = 24;

/// A random vector, and what `other` makes of it.
fn pair(seed: u64, other: impl Fn(&[f64], &mut random::Stream) -> Vec<f64>) -> Vectors {
    let mut rng = random::stream(seed, 0);
    let first = generate::normal(DIMENSIONS, &mut rng);
    let second = other(&first, &mut rng);
    let mut vectors = Vectors::default();
    for vector in [first, second] {
        let floats: Vec<f32> = vector.iter().map(|&number| number as f32).collect();
        vectors.push(&floats).expect("finite numbers");
    }
    vectors
}

/// Two vectors at an angle.
pub(super) fn at_angle(degrees: f64, seed: u64) -> Vectors {
    pair(seed, |vector, rng| {
        generate::at_angle(vector, degrees, rng).expect("an angle from 0 to 180")
    })
}

/// Two vectors at a Euclidean distance.
pub(super) fn at_euclidean(distance: f64, seed: u64) -> Vectors {
    pair(seed, |vector, rng| {
        generate::at_euclidean(vector, distance, rng)
    })
}

/// Two vectors at a Manhattan distance.
pub(super) fn at_manhattan(distance: f64, seed: u64) -> Vectors {
    pair(seed, |vector, rng| {
        generate::at_manhattan(vector, distance, rng)
    })
}
