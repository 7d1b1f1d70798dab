//! Random lines, and the Euclidean distance.

use std::f64::consts::PI;

use lookalike_core::{Bounds, LshFamily, LshFunctions, Metric, Probability, random};
use rand::RngExt;

use super::hyperplanes::{dot, gaussian, unit};

/// A function projects on a random line that is cut into buckets of this width.
///
/// The direction is gaussian and the cuts are shifted at random. With
/// t = width / d two points at distance d share a bucket with probability
/// 1 − 2Φ(−t) − 2(1 − exp(−t²/2)) / (√(2π)·t) (Datar, Immorlica, Indyk and Mirrokni, 2004).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    pub(crate) dimensions: usize,
    pub(crate) width: f64,
}

/// One line a function: its direction and the place of a cut.
pub(crate) struct Cuts {
    width: f64,
    lines: Vec<(Vec<f64>, f64)>,
}

impl LshFamily for Lines {
    type Item = [f64];
    type Functions = Cuts;

    fn collision(&self, distance: f64) -> Bounds {
        if distance == 0.0 {
            return Bounds::exact(Probability::CERTAIN);
        }
        let t = self.width / distance;
        // 1 − 2Φ(−t)
        let inside = erf(t / 2f64.sqrt());
        let cut = -2.0 * (-t * t / 2.0).exp_m1() / ((2.0 * PI).sqrt() * t);
        Bounds::exact(Probability::saturating(inside - cut))
    }

    fn draw(&self, k: usize, seed: u64) -> Cuts {
        let mut rng = random::stream(seed, 0);
        let mut line = || {
            let direction = gaussian(self.dimensions, &mut rng);
            (direction, rng.random_range(0.0..self.width))
        };
        Cuts {
            width: self.width,
            lines: (0..k).map(|_| line()).collect(),
        }
    }
}

impl LshFunctions for Cuts {
    type Item = [f64];
    type Key = u64;
    type Scratch = ();

    fn len(&self) -> usize {
        self.lines.len()
    }

    fn hash_into(&self, item: &[f64], (): &mut (), keys: &mut [u64]) {
        for (key, (direction, cut)) in keys.iter_mut().zip(&self.lines) {
            let bucket = ((dot(item, direction) + cut) / self.width).floor();
            *key = (bucket as i64).cast_unsigned();
        }
    }
}

/// erf(x) = 2/√π · exp(−x²) · Σ 2ⁿ x²ⁿ⁺¹ / (1·3·5 … (2n+1)), for x ≥ 0: every term is positive, no digit is lost.
fn erf(x: f64) -> f64 {
    if x > 6.0 {
        return 1.0;
    }
    let (mut term, mut sum, mut odd) = (x, x, 1.0);
    while term > sum * f64::EPSILON {
        odd += 2.0;
        term *= 2.0 * x * x / odd;
        sum += term;
    }
    2.0 / PI.sqrt() * (-x * x).exp() * sum
}

/// The length of the straight way.
#[derive(Clone, Copy)]
pub(crate) struct Euclidean;

impl Metric for Euclidean {
    type Item = [f64];
    type Prepared = Vec<f64>;

    fn prepare(&self, item: &[f64]) -> Vec<f64> {
        item.to_vec()
    }

    fn distance(&self, a: &Vec<f64>, b: &Vec<f64>) -> f64 {
        let squares = a.iter().zip(b).map(|(a, b)| (a - b).powi(2));
        squares.sum::<f64>().sqrt()
    }
}

/// Pairs of points at this distance.
pub(crate) fn pairs(dimensions: usize) -> impl Fn(f64, u64) -> (Vec<f64>, Vec<f64>) + Clone {
    move |distance, seed| {
        let mut rng = random::stream(seed, 0);
        let a = gaussian(dimensions, &mut rng);
        let way = unit(&gaussian(dimensions, &mut rng));
        let b = a.iter().zip(&way).map(|(a, w)| a + distance * w).collect();
        (a, b)
    }
}
