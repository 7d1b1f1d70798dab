//! How far off an estimate can be.
//!
//! Let a uniformly random rotation turn everything, r be a vector seen from the centre of its cell, y the levels of its
//! turned coordinates, ρ the cosine of the two, and v a query seen from the same centre. The estimate of ⟨v, r⟩ is
//! ⟨v, y⟩·‖r‖²/⟨r, y⟩. Given the turned r, the part of v that is orthogonal to r, v⊥, points into a uniformly random
//! direction among those orthogonal to r. So the estimate is unbiased, and its error is exactly
//!
//! > ‖v⊥‖·‖r‖·√(1/ρ² − 1)·u
//!
//! with u one coordinate of a uniform point on the sphere in D − 1 dimensions. And ‖v⊥‖ is at most ‖v‖, and at most the
//! distance of the query from the vector: r is on the line that v⊥ is measured from.

/// How likely u is more than `reach`, where vectors have this many dimensions.
///
/// u = sin φ, where φ has a density of cosⁿ φ on (−π/2, π/2), n = D − 3.
pub(crate) fn tail(dimensions: usize, reach: f64) -> f64 {
    if reach >= 1.0 {
        return 0.0;
    }
    let power = dimensions.saturating_sub(3) as f64;
    // Beyond this the density is below 1e-31 of its peak.
    let end = (12.0 / power.max(1.0).sqrt()).min(std::f64::consts::FRAC_PI_2);
    let area = |from: f64| {
        /// An even number of intervals of Simpson's rule.
        const STEPS: u32 = 512;
        let width = (end - from) / f64::from(STEPS);
        let heights = (0..=STEPS).map(|step| {
            let weight = match step {
                0 | STEPS => 1.0,
                step if step % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * (from + f64::from(step) * width).cos().max(0.0).powf(power)
        });
        width / 3.0 * heights.sum::<f64>()
    };
    let from = reach.max(0.0).asin();
    let share = if from < end {
        area(from) / (2.0 * area(0.0))
    } else {
        0.0
    };
    share.clamp(0.0, 0.5)
}

/// The reach that u exceeds with at most this probability, which is below one half.
pub(crate) fn reach(dimensions: usize, loss: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        match tail(dimensions, middle) > loss {
            true => low = middle,
            false => high = middle,
        }
    }
    high
}

/// A reach in standard deviations of u.
pub(crate) fn reach_of(dimensions: usize, deviations: f64) -> f64 {
    deviations / (dimensions.max(2) as f64 - 1.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{generate, normal};

    #[test]
    fn the_tail_is_that_of_random_points_and_nearly_normal() {
        for dimensions in [16, 100, 784, 65_536] {
            for deviations in [0.5, 1.0, 2.0, 3.0] {
                let found = tail(dimensions, reach_of(dimensions, deviations));
                let expected = normal::below(-deviations);
                let most = 4.0 * expected / (dimensions as f64).sqrt();
                assert!(
                    (found - expected).abs() < most,
                    "{dimensions} {deviations}: {found}"
                );
            }
            for loss in [0.3, 0.05, 0.001] {
                let back = tail(dimensions, reach(dimensions, loss));
                assert!(
                    back <= loss && back > 0.999 * loss,
                    "{dimensions}: {back} {loss}"
                );
            }
        }
        // Of 20 000 points of a sphere in 15 dimensions, by standard errors of the share.
        let mut rng = generate::stream(1, 0);
        let beyond = (0..20_000).filter(|_| {
            let point = generate::normal(15, &mut rng);
            let length = point.iter().map(|it| it * it).sum::<f64>().sqrt();
            point[0] / length > 0.3
        });
        let (found, expected) = (beyond.count() as f64 / 20_000.0, tail(16, 0.3));
        let error = (expected * (1.0 - expected) / 20_000.0).sqrt();
        assert!((found - expected).abs() < 4.0 * error, "{found} {expected}");
        // In three dimensions u is uniform.
        assert!((tail(4, 0.5) - 0.25).abs() < 1e-6);
    }
}
