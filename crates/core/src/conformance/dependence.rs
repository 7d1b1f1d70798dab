//! Whether functions that are promised to be independent agree together.
//!
//! Of one pair and many draws, x_i says whether function i agrees. If functions are independent, (x_i − p)(x_j − p) has
//! mean 0 and variance (p(1−p))². Sums of it over draws and pairs are compared with Bernstein's bound:
//! P(S ≥ s) ≤ exp(−s² / 2(V + Ms/3)), for terms of at most M and variances that sum to V. Only agreement in excess is
//! wrong: functions that avoid each other are worth more than independent ones.

use super::{Violation, evidence::Level};

/// The distances between functions that are compared for all functions at once.
const LAGS: [usize; 11] = [1, 2, 3, 4, 5, 6, 7, 8, 16, 32, 64];
/// The least p(1−p) of a pair that says something about dependence.
const LEAST_VARIANCE: f64 = 0.02;

/// The answers of one pair: a row per draw, and in it whether each function agrees.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample {
    pub(super) rows: Vec<Vec<bool>>,
}

/// A sum of products, and what it may be.
#[derive(Clone, Copy, Debug, Default)]
struct Covariance {
    sum: f64,
    variance: f64,
    largest: f64,
}

impl Covariance {
    fn is_excessive(self, level: f64) -> bool {
        let bound = 2.0 * (self.variance + self.largest * self.sum / 3.0);
        self.sum > 0.0 && self.sum * self.sum > level * bound
    }
}

/// One pair, prepared: the deviations of its answers from their mean.
struct Centred {
    variance: f64,
    largest: f64,
    rows: Vec<Vec<f64>>,
}

impl Centred {
    fn new(sample: &Sample) -> Option<Self> {
        let k = sample.rows.first()?.len();
        let agreed = sample
            .rows
            .iter()
            .flatten()
            .filter(|agrees| **agrees)
            .count();
        let p = agreed as f64 / (sample.rows.len() * k.max(1)) as f64;
        let variance = p * (1.0 - p);
        let centre = |&agrees: &bool| f64::from(u8::from(agrees)) - p;
        (variance >= LEAST_VARIANCE).then(|| Self {
            variance,
            largest: p.max(1.0 - p).powi(2),
            rows: sample
                .rows
                .iter()
                .map(|row| row.iter().map(centre).collect())
                .collect(),
        })
    }
}

/// Refuses functions that agree together more than independent ones do.
pub(super) fn check(samples: &[Sample]) -> Result<(), Violation> {
    let samples: Vec<Centred> = samples.iter().filter_map(Centred::new).collect();
    let Some(k) = samples.first().map(|sample| sample.rows[0].len()) else {
        return Ok(());
    };
    // Lags, the variance of sums, and all pairs of functions: three kinds of tests, each with an equal share.
    lags(&samples, k, Level::of(3 * LAGS.len()))?;
    sums(&samples, k, Level::of(3))?;
    all_pairs(&samples, k, Level::of(3 * k * k))
}

fn lags(samples: &[Centred], k: usize, level: Level) -> Result<(), Violation> {
    for lag in LAGS.into_iter().filter(|lag| *lag < k) {
        let mut covariance = Covariance::default();
        let mut scale = 0.0;
        for sample in samples {
            let product =
                |row: &Vec<f64>| -> f64 { row.iter().zip(&row[lag..]).map(|(a, b)| a * b).sum() };
            let terms = (sample.rows.len() * (k - lag)) as f64;
            covariance.sum += sample.rows.iter().map(product).sum::<f64>();
            covariance.variance += terms * sample.variance.powi(2);
            covariance.largest = covariance.largest.max(sample.largest);
            scale += terms * sample.variance;
        }
        if covariance.is_excessive(level.evidence()) {
            return Err(Violation::Lagged(lag, covariance.sum / scale));
        }
    }
    Ok(())
}

/// The squared sum of all answers of a draw, over its expectation k·p(1−p): about χ² with one degree per draw. Its mean
/// over n draws is r or more with probability at most exp(−n/2·(r − 1 − ln r)).
fn sums(samples: &[Centred], k: usize, level: Level) -> Result<(), Violation> {
    let (mut sum, mut count) = (0.0, 0.0);
    for sample in samples
        .iter()
        .filter(|sample| k as f64 * sample.variance >= 5.0)
    {
        let squared = |row: &Vec<f64>| row.iter().sum::<f64>().powi(2);
        let squares: f64 = sample.rows.iter().map(squared).sum();
        sum += squares / (k as f64 * sample.variance);
        count += sample.rows.len() as f64;
    }
    let ratio = if count > 0.0 { sum / count } else { 1.0 };
    let evidence = count / 2.0 * (ratio - 1.0 - ratio.ln());
    match ratio > 1.0 && evidence > level.evidence() {
        true => Err(Violation::Overdispersed(ratio)),
        false => Ok(()),
    }
}

fn all_pairs(samples: &[Centred], k: usize, level: Level) -> Result<(), Violation> {
    let mut sums = vec![0.0; k * k];
    let mut all = Covariance::default();
    let mut scale = 0.0;
    for sample in samples {
        for row in &sample.rows {
            for (i, a) in row.iter().enumerate() {
                let sums = &mut sums[i * k..][i + 1..k];
                sums.iter_mut()
                    .zip(&row[i + 1..])
                    .for_each(|(sum, b)| *sum += a * b);
            }
        }
        let draws = sample.rows.len() as f64;
        all.variance += draws * sample.variance.powi(2);
        all.largest = all.largest.max(sample.largest);
        scale += draws * sample.variance;
    }
    let excessive = (0..k * k).find(|&place| {
        let covariance = Covariance {
            sum: sums[place],
            ..all
        };
        covariance.is_excessive(level.evidence())
    });
    match excessive {
        Some(place) => Err(Violation::Correlated(
            place / k,
            place % k,
            sums[place] / scale,
        )),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random;

    /// Draws of 64 functions, of which function `copies(i)` is copied by i with probability `share`.
    fn samples(share: f64, copies: impl Fn(usize) -> Option<usize>) -> Vec<Sample> {
        let mut rng = random::stream(5, 0);
        let mut sample = |p: f64| {
            let mut row = || {
                let mut row: Vec<bool> = Vec::new();
                for i in 0..64 {
                    let own = rng.unit() < p;
                    let copied = copies(i).filter(|_| rng.unit() < share);
                    row.push(copied.map_or(own, |from| row[from]));
                }
                row
            };
            Sample {
                rows: (0..200).map(|_| row()).collect(),
            }
        };
        [0.1, 0.3, 0.5, 0.7, 0.9].map(&mut sample).to_vec()
    }

    #[test]
    fn independent_functions_pass() {
        check(&samples(0.0, |_| None)).unwrap();
        check(&[]).unwrap();
    }

    /// Independent answers pass the bounds less often than the bounds say, although the variances are estimated.
    #[test]
    fn the_bounds_hold() {
        const RUNS: u64 = 400;
        // A level that one test passes with a probability of at most 0.1.
        let level = Level::with_share(2.0 * 0.1 / super::super::BUDGET, 1);
        let mut passed = [0; 3];
        let mut rng = random::stream(8, 0);
        for _ in 0..RUNS {
            let samples = [0.03, 0.1, 0.5, 0.8, 0.97].map(|p| {
                let row = |_| (0..64).map(|_| rng.unit() < p).collect();
                let rows = (0..80).map(row).collect();
                Centred::new(&Sample { rows })
            });
            let samples: Vec<Centred> = samples.into_iter().flatten().collect();
            passed[0] += u64::from(lags(&samples, 64, level).is_err());
            passed[1] += u64::from(sums(&samples, 64, level).is_err());
            let of_all = Level::with_share(2.0 * 0.1 / super::super::BUDGET, 64 * 63 / 2);
            passed[2] += u64::from(all_pairs(&samples, 64, of_all).is_err());
        }
        // Ten lags, each with a probability of its own.
        let most = [1.0, 0.1, 0.1].map(|p| (p * RUNS as f64) as u64);
        assert!(
            passed
                .iter()
                .zip(most)
                .all(|(passed, most)| *passed <= most),
            "{passed:?}"
        );
        assert!(passed[0] > 0, "{passed:?}");
    }

    #[test]
    fn a_copied_neighbour_is_a_lag_of_1() {
        let wrong = check(&samples(0.05, |i| i.checked_sub(1))).unwrap_err();
        assert!(
            matches!(wrong, Violation::Lagged(1, c) if (0.03..0.08).contains(&c)),
            "{wrong}"
        );
        let wrong = check(&samples(1.0, |i| (i % 8 == 7).then(|| i - 3))).unwrap_err();
        assert!(matches!(wrong, Violation::Lagged(3, _)), "{wrong}");
    }

    #[test]
    fn one_copied_function_is_found_among_all_pairs() {
        let wrong = check(&samples(0.6, |i| (i == 50).then_some(3))).unwrap_err();
        assert!(matches!(wrong, Violation::Correlated(3, 50, _)), "{wrong}");
    }

    #[test]
    fn copies_of_any_function_spread_the_sums() {
        let wrong = check(&samples(0.3, |i| {
            i.checked_sub(1).map(|last| (i * 37) % (last + 1))
        }));
        assert!(
            matches!(
                wrong,
                Err(Violation::Overdispersed(_) | Violation::Lagged(..))
            ),
            "{wrong:?}"
        );
    }
}
