use lookalike_core::{Bounds, LshFamily, LshFunctions, Probability, random};
use rand::{RngExt, distr::Open01};

use crate::{MinValue, Weights, ln::ln, value_of};

/// Minhash of weighted sets: two of them agree with probability Σ min / Σ max, exactly.
///
/// Improved consistent weighted sampling. For each function and element there are r, c ~ Gamma(2, 1)
/// and β ~ U(0, 1), the same whatever the item. An element of weight w has
///
/// t = ⌊ln w / r + β⌋,  ln y = r·(t − β),  ln a = ln c − ln y − r,
///
/// and the function answers with (element, t) of the least a. Weights from y to y·e^r share a t, so that two
/// items that both pick the element at nearly the same weight agree.
///
/// ```
/// use lookalike_core::{LshFamily, LshFunctions};
/// use lookalike_minhash::{ConsistentWeighted, Estimate, Weights};
///
/// let functions = ConsistentWeighted.draw(1000, 7);
/// let signature = |pairs: &[(u64, f64)]| {
///     let mut signature = vec![None; 1000];
///     let weights = Weights::new(pairs.iter().copied())?;
///     functions.hash_into(&weights, &mut Default::default(), &mut signature);
///     Ok::<_, lookalike_minhash::Error>(signature)
/// };
/// let s = signature(&[(1, 3.0), (2, 1.0)])?;
/// let t = signature(&[(1, 2.0), (2, 2.0), (3, 1.0)])?;
/// let estimate = Estimate::new(&s, &t)?; // of 3/6
/// assert!((estimate.similarity() - 0.5).abs() < 3.0 * estimate.standard_error());
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
///
/// Ioffe 2010, *Improved Consistent Sampling, Weighted Minhash and L1 Sketching*. It takes three logarithms for
/// each function and element that could have the least a: where weights are small whole numbers, [`Bag`](crate::Bag) is much cheaper.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConsistentWeighted;

impl LshFamily for ConsistentWeighted {
    type Item = Weights;
    type Functions = ConsistentSamples;

    fn collision(&self, distance: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - distance))
    }

    fn draw(&self, k: usize, seed: u64) -> ConsistentSamples {
        ConsistentSamples {
            seeds: (0..k as u64).map(|i| random::derive(seed, i)).collect(),
        }
    }
}

/// Functions drawn from [`ConsistentWeighted`]: a seed each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsistentSamples {
    seeds: Vec<u64>,
}

impl LshFunctions for ConsistentSamples {
    type Item = Weights;
    type Key = MinValue;
    /// The logarithms of the weights.
    type Scratch = Vec<f64>;

    fn len(&self) -> usize {
        self.seeds.len()
    }

    fn hash_into(&self, item: &Weights, logarithms: &mut Vec<f64>, keys: &mut [MinValue]) {
        logarithms.clear();
        logarithms.extend(item.pairs().iter().map(|&(_, weight)| ln(weight)));
        for (key, &seed) in keys.iter_mut().zip(&self.seeds) {
            let mut least: Option<(f64, u64, i64)> = None;
            let mut bound = f64::INFINITY;
            for (&(element, weight), &ln_weight) in item.pairs().iter().zip(&*logarithms) {
                let draws = Draws::new(seed, element);
                if draws.least(weight) > bound {
                    continue;
                }
                let (ln_a, t) = draws.sample(ln_weight);
                if least.is_none_or(|(least, ..)| ln_a.total_cmp(&least).is_lt()) {
                    least = Some((ln_a, element, t));
                    bound = ln_a.exp() * (1.0 + ROUNDING) + f64::MIN_POSITIVE;
                }
            }
            // (element, t) as one word: different ones meet with probability 2^−64.
            *key = least.and_then(|(_, element, t)| value_of(random::derive(element, t as u64)));
        }
    }
}

/// More than what rounding can make of a bound, relative to it; `exp` may differ between machines by much less. So what is
/// found is the same on all of them.
const ROUNDING: f64 = 1e-6;

/// What is drawn for an element under the function with a seed: e^−r, e^−c and β.
struct Draws {
    r: f64,
    c: f64,
    beta: f64,
}

impl Draws {
    #[inline]
    fn new(seed: u64, element: u64) -> Self {
        let mut rng = random::stream(seed, element);
        let mut uniform = || rng.sample::<f64, _>(Open01);
        // Gamma(2, 1) is the sum of two exponentials.
        Self {
            r: uniform() * uniform(),
            c: uniform() * uniform(),
            beta: uniform(),
        }
    }

    /// What a is at least, without a logarithm: a = c·e^−r/y, y is at most the weight, and c = −ln e^−c ≥ 1 − e^−c. Most
    /// elements need no more than this.
    #[inline]
    fn least(&self, weight: f64) -> f64 {
        (1.0 - self.c) * self.r / weight
    }

    /// ln a and t.
    #[inline]
    fn sample(&self, ln_weight: f64) -> (f64, i64) {
        let (r, c) = (-ln(self.r), -ln(self.c));
        let t = (ln_weight / r + self.beta).floor();
        (ln(c) - r * (t - self.beta) - r, t as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn signature(pairs: &[(u64, f64)], k: usize, seed: u64) -> Vec<Option<u64>> {
        let weights = Weights::new(pairs.iter().copied()).unwrap();
        let mut keys = vec![None; k];
        let functions = ConsistentWeighted.draw(k, seed);
        functions.hash_into(&weights, &mut Vec::new(), &mut keys);
        keys.into_iter()
            .map(|key| key.map(|key| key.get()))
            .collect()
    }

    #[test]
    fn value_stability() {
        assert_eq!(signature(&[(1, 1e3)], 1, 0), [Some(16051188185124956540)]);
        assert_eq!(
            signature(&[(1, 0.25), (9, 1e6), (3, 2.5)], 3, 7),
            [
                15378534796235622173,
                14885094403123557920,
                14853270490308401849
            ]
            .map(Some)
        );
    }

    /// The plain definition: the least a of all elements.
    #[test]
    fn the_least_of_all_elements_answers() {
        let weight =
            |element: u64, seed: u64| 10f64.powf(random::stream(seed, element).unit() * 8.0 - 4.0);
        for seed in 0..200 {
            let pairs: Vec<(u64, f64)> = (0..30).map(|it| (it, weight(it, seed))).collect();
            let of_all = pairs.iter().map(|&(element, weight)| {
                let (ln_a, t) = Draws::new(random::derive(seed, 0), element).sample(ln(weight));
                (ln_a, random::derive(element, t as u64))
            });
            let least = of_all.min_by(|x, y| x.0.total_cmp(&y.0)).unwrap();
            let expected = value_of(least.1).map(|value| value.get());
            assert_eq!(signature(&pairs, 1, seed), [expected]);
        }
    }

    /// Elements that are passed over are never the least.
    #[test]
    fn bounds_hold() {
        let weights = [1e-300, 1e-9, 0.3, 1.0, 7.0, 1e9, 1e300];
        for (seed, weight) in (0..20_000).flat_map(|seed| weights.map(|weight| (seed, weight))) {
            let draws = Draws::new(seed, seed / 3);
            let a = draws.sample(ln(weight)).0.exp();
            let bound = a * (1.0 + ROUNDING) + f64::MIN_POSITIVE;
            assert!(draws.least(weight) <= bound, "{seed} {weight}");
        }
    }

    #[test]
    fn an_empty_set_has_no_bucket() {
        assert_eq!(signature(&[], 3, 0), [None; 3]);
        assert_eq!(signature(&[(5, 0.0)], 3, 0), [None; 3]);
    }

    #[test]
    fn the_least_and_the_largest_weights_have_buckets() {
        for weight in [5e-324, f64::MIN_POSITIVE, 1e300, f64::MAX / 2.0] {
            let answers = signature(&[(1, weight)], 100, 3);
            assert!(answers.iter().all(Option::is_some), "{weight}");
        }
    }

    /// An element is picked in proportion to its weight.
    #[test]
    fn picks_follow_the_weights() {
        const K: usize = 20_000;
        let functions = ConsistentWeighted.draw(K, 5);
        let weights = [1.0, 2.0, 5.0, 0.1, 3.0];
        let total: f64 = weights.iter().sum();
        let mut picked = [0; 5];
        for &seed in &functions.seeds {
            let ln_a = |i: usize| Draws::new(seed, i as u64).sample(ln(weights[i])).0;
            let least = (0..5).min_by(|&i, &j| ln_a(i).total_cmp(&ln_a(j)));
            picked[least.unwrap()] += 1;
        }
        for (picked, weight) in picked.into_iter().zip(weights) {
            let p = weight / total;
            let error = (p * (1.0 - p) / K as f64).sqrt();
            let share = f64::from(picked) / K as f64;
            assert!((share - p).abs() < 4.0 * error, "{weight}: {share} not {p}");
        }
    }
}
