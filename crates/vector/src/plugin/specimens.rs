//! Pairs of vectors at wanted distances, for conformance.

use lookalike_core::random;

use crate::{Vectors, generate};

/// Dimensions of a specimen.
const DIMENSIONS: usize = 24;
/// The length of the longest vectors for inner products: not 1, so that a forgotten length shows.
pub(super) const LENGTH: f64 = 3.0;

/// A random vector, and what `other` makes of it.
fn pair(seed: u64, other: impl Fn(&[f64], &mut random::Stream) -> Vec<f64>) -> Vectors {
    let mut rng = random::stream(seed, 0);
    let first = generate::normal(DIMENSIONS, &mut rng);
    let second = other(&first, &mut rng);
    both([&first, &second])
}

fn both(pair: [&[f64]; 2]) -> Vectors {
    let mut vectors = Vectors::default();
    for vector in pair {
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

/// A vector of any length and a longest one, which is the query, with an inner product that has a minus sign.
///
/// The promise of inner products is a lower bound that is reached by the longest queries, whatever the length of the
/// stored vector.
pub(super) fn at_dot(negated: f64, seed: u64) -> Vectors {
    let product = (-negated).clamp(-LENGTH * LENGTH, LENGTH * LENGTH);
    let least = product.abs() / LENGTH;
    let mut rng = random::stream(seed, 1);
    let stored_length = least + (LENGTH - least) * rng.unit();
    let cosine = match stored_length > 0.0 {
        true => (product / (stored_length * LENGTH)).clamp(-1.0, 1.0),
        false => 0.0,
    };
    let of_length = |vector: &[f64], length: f64| -> Vec<f64> {
        let own = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        vector.iter().map(|x| x * length / own).collect()
    };
    let mut rng = random::stream(seed, 0);
    let query = of_length(&generate::normal(DIMENSIONS, &mut rng), LENGTH);
    let stored = generate::at_angle(&query, cosine.acos().to_degrees(), &mut rng);
    let stored = stored.expect("an angle from 0 to 180");
    both([&of_length(&stored, stored_length), &query])
}
