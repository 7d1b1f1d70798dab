use lookalike_core::random;
use lookalike_fingerprint::{Matcher, Prepared, Work};
use rand::RngExt;
use rayon::prelude::*;
use serde::Serialize;

use crate::Print;

/// Errors of the matcher at all thresholds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rates {
    /// Pairs of one finger that were compared.
    pub genuine: usize,
    /// Pairs of different fingers.
    pub impostors: usize,
    /// The equal error rate: where as many genuine pairs are refused as impostors accepted.
    pub eer: f64,
    /// The score at which it is reached.
    pub eer_score: f32,
    /// The share of genuine pairs that is refused where at most one impostor in 100 is accepted (FMR100).
    pub fnmr_at_fmr_100: f64,
    /// The same for one in 1000 (FMR1000).
    pub fnmr_at_fmr_1000: f64,
    /// The detection error trade-off: (score, false match rate, false non-match rate).
    pub det: Vec<(f32, f64, f64)>,
}

/// The scores of pairs of one finger, and of different ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Scores {
    genuine: Vec<f32>,
    impostors: Vec<f32>,
}

/// The scores of each folder.
pub(super) struct Measured(Vec<Scores>);

/// Pairs of different fingers that are compared in a folder, at the most; of more a sample is drawn.
const IMPOSTORS: usize = 200_000;

/// Compares all pairs within each folder.
pub(super) fn measure(matcher: &Matcher, prints: &[Print], sets: &[&str]) -> Measured {
    let prepared: Vec<Prepared> = prints
        .par_iter()
        .map(|print| matcher.prepare(&print.template))
        .collect();
    let scores = sets.iter().enumerate().map(|(number, set)| {
        let of: Vec<usize> = (0..prints.len())
            .filter(|&print| prints[print].set == **set)
            .collect();
        let all = |i: usize| of[i + 1..].iter().map(move |&b| (i, b));
        let pairs = (0..of.len()).flat_map(|i| all(i).map(|(i, b)| (of[i], b)));
        let finger = |print: usize| prints[print].label.as_ref().map(|label| &label.finger);
        let (genuine, mut impostors): (Vec<_>, Vec<_>) =
            pairs.partition(|&(a, b)| finger(a) == finger(b));
        if impostors.len() > IMPOSTORS {
            let mut rng = random::stream(0, number as u64);
            for place in 0..IMPOSTORS {
                let other = rng.random_range(place..impostors.len());
                impostors.swap(place, other);
            }
            impostors.truncate(IMPOSTORS);
        }
        let compare = |pairs: Vec<(usize, usize)>| -> Vec<f32> {
            let compare = |work: &mut Work, (a, b): (usize, usize)| {
                matcher
                    .compare_with(&prepared[a], &prepared[b], work)
                    .score()
            };
            pairs
                .into_par_iter()
                .map_init(Work::default, compare)
                .collect()
        };
        Scores {
            genuine: compare(genuine),
            impostors: compare(impostors),
        }
    });
    Measured(scores.collect())
}

impl Measured {
    pub(super) fn of(&self, set: usize) -> Scores {
        self.0[set].clone()
    }

    pub(super) fn all(&self) -> Scores {
        let join = |of: fn(&Scores) -> &Vec<f32>| self.0.iter().flat_map(of).copied().collect();
        Scores {
            genuine: join(|scores| &scores.genuine),
            impostors: join(|scores| &scores.impostors),
        }
    }
}

impl Rates {
    /// From scores of pairs; none where there are no pairs of one of both kinds.
    pub(super) fn new(scores: &Scores) -> Option<Self> {
        let sorted = |scores: &[f32]| {
            let mut scores = scores.to_vec();
            scores.sort_unstable_by(f32::total_cmp);
            scores
        };
        let (genuine, impostors) = (sorted(&scores.genuine), sorted(&scores.impostors));
        if genuine.is_empty() || impostors.is_empty() {
            return None;
        }
        let below = |scores: &[f32], t: f32| {
            scores.partition_point(|&score| score < t) as f64 / scores.len() as f64
        };
        // Every score that occurs is a threshold, and one that nothing reaches.
        let mut thresholds = sorted(&[&genuine[..], &impostors[..], &[f32::INFINITY]].concat());
        thresholds.dedup();
        let at = |&t: &f32| (t, 1.0 - below(&impostors, t), below(&genuine, t));
        let det: Vec<(f32, f64, f64)> = thresholds.iter().map(at).collect();
        let crossing = det
            .iter()
            .position(|(_, fmr, fnmr)| fnmr >= fmr)
            .expect("at infinity");
        // Between two thresholds the rates jump past each other: the middle of the smaller gap.
        let (after, before) = (det[crossing], det[crossing.saturating_sub(1)]);
        let gap = |at: (f32, f64, f64)| (at.1 - at.2).abs();
        let nearest = if gap(before) < gap(after) {
            before
        } else {
            after
        };
        let refused = |fmr: f64| det.iter().find(|at| at.1 <= fmr).map_or(1.0, |at| at.2);
        let (fnmr_at_fmr_100, fnmr_at_fmr_1000) = (refused(0.01), refused(0.001));
        let finite = det.into_iter().filter(|at| at.0.is_finite());
        Some(Self {
            genuine: genuine.len(),
            impostors: impostors.len(),
            eer: (nearest.1 + nearest.2) / 2.0,
            eer_score: nearest.0,
            fnmr_at_fmr_100,
            fnmr_at_fmr_1000,
            det: thinned(finite.collect()),
        })
    }
}

/// As many points as a chart can show: those at which a rate has changed by a little.
fn thinned(det: Vec<(f32, f64, f64)>) -> Vec<(f32, f64, f64)> {
    let mut kept: Vec<(f32, f64, f64)> = Vec::new();
    let last = det.len().saturating_sub(1);
    for (place, at) in det.into_iter().enumerate() {
        let far = |last: &(f32, f64, f64)| {
            (last.1 - at.1).abs() > 0.05 * last.1 || (last.2 - at.2).abs() > 0.05 * at.2
        };
        if place == last || kept.last().is_none_or(far) {
            kept.push(at);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_count_errors() {
        let genuine: Vec<f32> = (5..15).map(|score| score as f32).collect();
        let impostors: Vec<f32> = (0..100).map(|score| score as f32 / 14.0).collect();
        let rates = Rates::new(&Scores { genuine, impostors }).unwrap();
        // At 6 one genuine pair of ten is below, and 16 impostors of 100 are not; at 6.5 two and 9.
        assert!((0.09..=0.2).contains(&rates.eer), "{rates:?}");
        assert_eq!(rates.fnmr_at_fmr_100, 0.3);
        assert_eq!(rates.fnmr_at_fmr_1000, 0.3);
        let apart = Scores {
            genuine: vec![9.0; 4],
            impostors: vec![1.0; 4],
        };
        assert_eq!(Rates::new(&apart).unwrap().eer, 0.0);
        assert_eq!(Rates::new(&Scores::default()), None);
    }
}
