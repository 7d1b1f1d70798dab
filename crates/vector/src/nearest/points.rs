use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::{Vectors, sums};

/// What vectors are compared by.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Space {
    /// Angles: all vectors have length 1, and those without a direction are left out.
    Angle,
    /// Euclidean distance.
    Euclidean,
}

/// Vectors as points, seen from their mean.
pub(super) struct Points<'a> {
    pub(super) vectors: &'a Vectors,
    space: Space,
    mean: &'a [f32],
}

impl Space {
    /// What a vector is multiplied with to become a point; `None` if it is not one.
    pub(super) fn factor(self, vector: &[f32]) -> Option<f64> {
        match self {
            Self::Euclidean => Some(1.0),
            Self::Angle => {
                let length = sums::length(vector);
                (length > 0.0).then(|| 1.0 / length)
            }
        }
    }

    /// The squared distance of points whose distance is `limit`.
    pub(super) fn squared(self, limit: f64) -> f64 {
        match self {
            Self::Euclidean => limit * limit,
            Self::Angle => (2.0 * (0.5 * limit.min(180.0)).to_radians().sin()).powi(2),
        }
    }
}

impl<'a> Points<'a> {
    pub(super) fn new(vectors: &'a Vectors, space: Space, mean: &'a [f32]) -> Self {
        Self {
            vectors,
            space,
            mean,
        }
    }

    /// Writes a point, seen from the mean, to the start of a list; whether there is one.
    pub(super) fn read(&self, place: usize, point: &mut [f32]) -> bool {
        seen(self.space, self.mean, self.vectors.get(place), point)
    }
}

/// A vector as a point, seen from the mean; whether it is one.
pub(super) fn seen(space: Space, mean: &[f32], vector: &[f32], point: &mut [f32]) -> bool {
    let Some(factor) = space.factor(vector) else {
        return false;
    };
    for ((point, number), mean) in point.iter_mut().zip(vector).zip(mean) {
        *point = (f64::from(*number) * factor) as f32 - mean;
    }
    true
}

/// The mean of all points.
pub(super) fn mean(vectors: &Vectors, space: Space) -> Vec<f32> {
    /// Vectors that are summed by one thread. Their sums are added in order, so that threads change nothing.
    const RUN: usize = 1 << 12;
    let dimensions = vectors.dimensions();
    let runs = vectors.numbers().par_chunks(RUN * dimensions.max(1));
    let sums = runs.map(|rows| {
        let (mut sum, mut count) = (vec![0.0f64; dimensions], 0u64);
        for row in rows.chunks_exact(dimensions) {
            let Some(factor) = space.factor(row) else {
                continue;
            };
            count += 1;
            for (sum, &number) in sum.iter_mut().zip(row) {
                *sum += f64::from(number) * factor;
            }
        }
        (sum, count)
    });
    let (mut sum, mut count) = (vec![0.0f64; dimensions], 0);
    for (run, more) in sums.collect::<Vec<_>>() {
        sum.iter_mut().zip(run).for_each(|(sum, run)| *sum += run);
        count += more;
    }
    let count = count.max(1) as f64;
    sum.iter().map(|sum| (sum / count) as f32).collect()
}
