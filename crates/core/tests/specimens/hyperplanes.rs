//! Random hyperplanes, and the angle in degrees.

use lookalike_core::{Bounds, LshFamily, LshFunctions, Metric, Probability, random};
use rand::{Rng, RngExt};
use rand_distr::StandardNormal;

/// A function tells the side of a random hyperplane: vectors at an angle of d degrees agree with probability (180 − d) / 180.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hyperplanes {
    pub(crate) dimensions: usize,
}

/// The normals of the hyperplanes.
pub(crate) struct Normals(Vec<Vec<f64>>);

impl LshFamily for Hyperplanes {
    type Item = [f64];
    type Functions = Normals;

    fn collision(&self, degrees: f64) -> Bounds {
        Bounds::exact(Probability::saturating((180.0 - degrees) / 180.0))
    }

    fn draw(&self, k: usize, seed: u64) -> Normals {
        let mut rng = random::stream(seed, 0);
        Normals(
            (0..k)
                .map(|_| gaussian(self.dimensions, &mut rng))
                .collect(),
        )
    }
}

impl LshFunctions for Normals {
    type Item = [f64];
    type Key = bool;
    type Scratch = ();

    fn len(&self) -> usize {
        self.0.len()
    }

    fn hash_into(&self, item: &[f64], (): &mut (), keys: &mut [bool]) {
        for (key, normal) in keys.iter_mut().zip(&self.0) {
            *key = dot(item, normal) >= 0.0;
        }
    }
}

/// The angle between two directions, in degrees. Parallel vectors are the same direction.
#[derive(Clone, Copy)]
pub(crate) struct Angle;

impl Metric for Angle {
    type Item = [f64];
    type Prepared = Vec<f64>;

    fn prepare(&self, item: &[f64]) -> Vec<f64> {
        unit(item)
    }

    fn distance(&self, a: &Vec<f64>, b: &Vec<f64>) -> f64 {
        // Kahan's formula: unlike the arc cosine it keeps the digits of small angles.
        let norm = |sign: f64| {
            let each = a.iter().zip(b).map(|(a, b)| (a + sign * b).powi(2));
            each.sum::<f64>().sqrt()
        };
        2.0 * norm(-1.0).atan2(norm(1.0)).to_degrees()
    }
}

/// Independent standard normal coordinates.
pub(crate) fn gaussian(dimensions: usize, rng: &mut impl Rng) -> Vec<f64> {
    (0..dimensions)
        .map(|_| rng.sample(StandardNormal))
        .collect()
}

/// The scalar product.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The vector of length 1 in the same direction.
pub(crate) fn unit(a: &[f64]) -> Vec<f64> {
    let norm = dot(a, a).sqrt();
    a.iter().map(|x| x / norm).collect()
}

/// Pairs of vectors at this angle.
pub(crate) fn pairs(dimensions: usize) -> impl Fn(f64, u64) -> (Vec<f64>, Vec<f64>) + Clone {
    move |degrees, seed| {
        let mut rng = random::stream(seed, 0);
        let a = unit(&gaussian(dimensions, &mut rng));
        let other = gaussian(dimensions, &mut rng);
        let along = dot(&a, &other);
        let across: Vec<f64> = a.iter().zip(&other).map(|(a, o)| o - along * a).collect();
        let (sin, cos) = degrees.to_radians().sin_cos();
        let b = a
            .iter()
            .zip(unit(&across))
            .map(|(a, c)| cos * a + sin * c)
            .collect();
        (a, b)
    }
}
