use lookalike_core::random;

use crate::families::{SHORTEST, hadamard};

/// A pseudo-random rotation of vectors of any dimension, without padding.
///
/// Hadamard transforms need a power of two, so each round turns a window of the longest one: in turns the first
/// numbers and the last. Then sums and differences of the two halves of the vector mix what the windows did not reach.
/// Vectors of fewer than 16 numbers get zeros. All rounds are orthogonal, so lengths and products are kept.
pub(crate) struct Turn {
    dimensions: usize,
    window: usize,
    /// ±1 for each number of the window, for each round.
    signs: Vec<Vec<f32>>,
}

/// Rounds where windows overlap, and where the window is the whole vector.
const ROUNDS: usize = 4;
const WHOLE_ROUNDS: usize = 3;

impl Turn {
    pub(crate) fn draw(dimensions: usize, seed: u64) -> Self {
        let dimensions = dimensions.max(SHORTEST);
        let window = 1 << dimensions.ilog2();
        let rounds = if window == dimensions {
            WHOLE_ROUNDS
        } else {
            ROUNDS
        };
        let signs = (0..rounds as u64).map(|round| {
            let mut rng = random::stream(seed, round);
            let sign = |_| if rng.next_u64() >> 63 == 1 { 1.0 } else { -1.0 };
            (0..window).map(sign).collect()
        });
        Self {
            dimensions,
            window,
            signs: signs.collect(),
        }
    }

    /// Numbers of a turned vector.
    pub(crate) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Turns a vector in place.
    pub(crate) fn turn(&self, vector: &mut [f32]) {
        let factor = 1.0 / (self.window as f32).sqrt();
        for (round, signs) in self.signs.iter().enumerate() {
            let first = match round % 2 {
                0 => 0,
                _ => self.dimensions - self.window,
            };
            let window = &mut vector[first..first + self.window];
            hadamard(window, signs);
            window.iter_mut().for_each(|number| *number *= factor);
            if self.window < self.dimensions {
                mix_halves(vector);
            }
        }
    }
}

/// (a + b)/√2 and (a − b)/√2 in the places of a and b, from the two halves; the number in the middle of an odd vector stays.
fn mix_halves(vector: &mut [f32]) {
    let half = vector.len() / 2;
    let last = vector.len() - half;
    let (low, high) = vector.split_at_mut(last);
    for (low, high) in low.iter_mut().zip(high) {
        let (a, b) = (*low, *high);
        *low = (a + b) * std::f32::consts::FRAC_1_SQRT_2;
        *high = (a - b) * std::f32::consts::FRAC_1_SQRT_2;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sums;

    #[test]
    fn lengths_and_products_are_kept_in_every_dimension() {
        for dimensions in [1, 2, 15, 16, 17, 31, 32, 33, 100, 128, 784] {
            let turn = Turn::draw(dimensions, 3);
            let mut rng = random::stream(dimensions as u64, 1);
            let mut vector = || {
                let mut vector = vec![0.0; turn.dimensions()];
                vector[..dimensions].fill_with(|| rng.unit() as f32 - 0.5);
                vector
            };
            let (a, b) = (vector(), vector());
            let (mut x, mut y) = (a.clone(), b.clone());
            turn.turn(&mut x);
            turn.turn(&mut y);
            assert!(x != a, "{dimensions}");
            let near = |turned: f64, plain: f64| (turned - plain).abs() < 1e-5 * dimensions as f64;
            assert!(near(sums::dot(&x, &y), sums::dot(&a, &b)), "{dimensions}");
            assert!(near(sums::dot(&x, &x), sums::dot(&a, &a)), "{dimensions}");
        }
    }

    /// The hardest vectors for signs and sums: each has one number that is not zero.
    #[test]
    fn one_number_is_spread_over_all() {
        for dimensions in [20, 48, 100, 784] {
            for place in [0, dimensions / 2, dimensions - 1] {
                let mut most = 0.0f32;
                for seed in 0..20 {
                    let mut vector = vec![0.0; dimensions];
                    vector[place] = 1.0;
                    Turn::draw(dimensions, seed).turn(&mut vector);
                    let largest = vector.iter().fold(0.0, |most: f32, it| most.max(it.abs()));
                    most = most.max(largest);
                }
                // Normal numbers of deviation 1/√d stay below this many deviations.
                let deviation = 1.0 / (dimensions as f32).sqrt();
                assert!(most < 6.0 * deviation, "{dimensions} {place}: {most}");
            }
        }
    }
}
