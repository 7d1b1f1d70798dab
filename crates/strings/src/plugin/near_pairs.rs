//! Pairs within the limit, to measure a recall by.

use std::borrow::Cow;

use lookalike_core::{
    Distances, Items, Pair,
    plugin::{Distance, Error, Task},
    random,
};

use super::{EditDistance, meetings::places};
use crate::{Strings, compared::Compared, generate::edited};

/// Some strings, and pairs of them within the limit.
#[derive(Clone, Debug, Default)]
pub(super) struct Sample<'a> {
    pub(super) strings: Vec<Cow<'a, str>>,
    pub(super) pairs: Vec<NearPair>,
}

/// Two strings of a sample that are within the limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct NearPair {
    pub(super) pair: Pair,
    /// How many pairs this one stands for.
    pub(super) weight: f64,
}

/// Strings that are compared with each other, at most: looking at all pairs takes a twentieth of a second.
const SAMPLED: usize = 6000;
/// Pairs that are looked at twice, roughly at most: those that are not told apart at the first glance.
const COMPARED: usize = 200_000;
/// Bytes of strings that are near each other, roughly at most.
const BYTES: usize = 1 << 26;
/// Pairs of one string that are kept.
const KEPT: usize = 16;
/// If fewer strings have others within the limit, pairs are made up.
const ENOUGH: usize = 20;
/// What the sample is drawn from. Not the seed of a request: a plan is the same for every seed.
const SEED: u64 = 0x5eed;

impl<'a> Sample<'a> {
    /// Some strings with the pairs of them that are within the limit; if there are too few, strings with as many random
    /// edits as the limit allows.
    ///
    /// Strings are drawn and compared with each other. Rejected: a few strings compared with all others. That finds as
    /// many pairs with as many comparisons, but of fewer strings, and the pairs of one string are alike.
    pub(super) fn new(
        distance: &EditDistance,
        items: &'a Strings,
        task: &Task,
    ) -> Result<Self, Error> {
        let metric = distance.metric()?;
        let count = items.count();
        let sampled = count.min(SAMPLED) as u32;
        let drawn = random::shuffled(count as u32, sampled, &mut random::stream(SEED, 0));
        // In the order of lengths: only those of similar lengths are compared.
        let mut sorted: Vec<(usize, u32, &str)> = (0..sampled)
            .zip(drawn.iter().map(|&place| items.item(place as usize)))
            .map(|(number, string)| (distance.units.count(string), number, string))
            .collect();
        sorted.sort_unstable();
        let strings: Vec<Cow<'a, str>> = sorted.iter().map(|&(_, _, it)| it.into()).collect();
        let mut as_drawn = vec![0; strings.len()];
        for (place, &(_, number, _)) in (0..).zip(&sorted) {
            as_drawn[number as usize] = place;
        }
        let compared = Compared::new(metric, &strings);
        let (mut pairs, mut looked_at) = (Vec::new(), Vec::new());
        let (mut with_some, mut compared_twice, mut bytes) = (0, 0, 0);
        for a in as_drawn {
            let longest = sorted[a as usize].0.saturating_add(task.limit as usize);
            let end = sorted.partition_point(|&(length, _, _)| length <= longest) as u32;
            looked_at.clear();
            looked_at.extend((a + 1..end).map(|b| Pair::ordered(a, b)));
            compared.drop_far(&mut looked_at, task.limit);
            compared_twice += looked_at.len();
            looked_at.retain(|&pair| compared.pair(pair, task.limit).is_some());
            with_some += usize::from(!looked_at.is_empty());
            bytes += looked_at.len() * strings[a as usize].len();
            let kept = looked_at.len().min(KEPT);
            pairs.extend(places(looked_at.len(), kept).map(|number| NearPair {
                pair: looked_at[number],
                weight: looked_at.len() as f64 / kept as f64,
            }));
            // They come as they were drawn, so that the first of them are a sample, too.
            if compared_twice > COMPARED || bytes > BYTES {
                break;
            }
        }
        // The longest has no longer one.
        Ok(match with_some < ENOUGH && with_some + 1 < strings.len() {
            true => Self::made_up(distance, items, task),
            false => Self { strings, pairs },
        })
    }

    /// Strings, each with one that has as many random edits as the limit allows.
    fn made_up(distance: &EditDistance, items: &'a Strings, task: &Task) -> Self {
        const PAIRS: usize = 300;
        /// Bytes of a string that is edited, at most.
        const MOST_BYTES: usize = 1 << 14;
        let mut sample = Self::default();
        let count = items.count();
        for place in places(count, count.min(PAIRS)) {
            let string = items.item(place);
            if string.len() > MOST_BYTES {
                continue;
            }
            let mut rng = random::stream(0, place as u64);
            let other = edited(string, task.limit as usize, distance.variant, &mut rng);
            let first = sample.strings.len() as u32;
            sample.strings.extend([string.into(), other.into()]);
            sample.pairs.push(NearPair {
                pair: Pair::ordered(first, first + 1),
                weight: 1.0,
            });
        }
        sample
    }

    /// The weighted mean of the shares of all pairs, and its standard error.
    ///
    /// Pairs that have a string in common are alike. So the variance has a term for every two such pairs, as that of a
    /// U-statistic does: it is the sum of the squares of what each string adds, in which the square of every pair comes
    /// twice.
    pub(super) fn ratio(&self, shares: &[f64]) -> (f64, f64) {
        let pairs = || self.pairs.iter().zip(shares);
        let weights: f64 = self.pairs.iter().map(|near| near.weight).sum();
        let mean = pairs()
            .map(|(near, share)| near.weight * share)
            .sum::<f64>()
            / weights;
        let mut of_strings = vec![0.0; self.strings.len()];
        let mut variance = 0.0;
        for (near, share) in pairs() {
            let apart = near.weight * (share - mean);
            variance -= apart * apart;
            of_strings[near.pair.a() as usize] += apart;
            of_strings[near.pair.b() as usize] += apart;
        }
        variance += of_strings.iter().map(|apart| apart * apart).sum::<f64>();
        let observed = self.pairs.len() as f64;
        let correction = if observed > 1.0 {
            observed / (observed - 1.0)
        } else {
            1.0
        };
        (mean, (correction * variance.max(0.0)).sqrt() / weights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_with_a_string_in_common_are_not_independent() {
        let sample = |pairs: &[(u32, u32, f64)]| Sample {
            strings: vec!["".into(); 8],
            pairs: pairs
                .iter()
                .map(|&(a, b, weight)| NearPair {
                    pair: Pair::ordered(a, b),
                    weight,
                })
                .collect(),
        };
        let shares = [1.0, 1.0, 0.0, 0.0];
        let apart = sample(&[(0, 1, 1.0), (2, 3, 1.0), (4, 5, 1.0), (6, 7, 1.0)]);
        let (mean, error) = apart.ratio(&shares);
        assert_eq!(mean, 0.5);
        assert!((error - (1.0f64 / 12.0).sqrt()).abs() < 1e-12, "{error}");
        // Two strings, each with two pairs that are found or missed together.
        let together = sample(&[(0, 1, 1.0), (0, 2, 1.0), (3, 4, 1.0), (3, 5, 1.0)]);
        let (_, error) = together.ratio(&shares);
        assert!((error - (1.0f64 / 6.0).sqrt()).abs() < 1e-12, "{error}");
        assert_eq!(
            sample(&[(0, 1, 3.0), (2, 3, 1.0)]).ratio(&[1.0, 0.0]).0,
            0.75
        );
    }
}
