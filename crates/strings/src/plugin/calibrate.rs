//! Bands and rows of families without a useful promise, and their recall, measured on a sample of the strings.

use lookalike_core::{
    Banding, Items, KeySource, Scheme,
    plugin::{Error, KeyFamily, Proposal, Recall, Task},
};

use super::{
    EditDistance,
    meetings::{joined, meetings, places},
    near_pairs::{NearPair, near_pairs},
};
use crate::Strings;

/// What a family tries, and what its keys cost.
pub(super) struct Costs {
    /// Numbers of rows.
    pub(super) rows: &'static [u32],
    /// Nanoseconds to make a key and to store it.
    pub(super) key: f64,
    /// The same for each letter of the string.
    pub(super) letter: f64,
}

/// A proposal without parameters.
pub(super) struct Calibrated {
    scheme: Scheme,
    recall: f64,
    standard_error: f64,
    seconds: f64,
}

impl Calibrated {
    pub(super) fn of<P>(self, parameters: P) -> Proposal<P> {
        Proposal {
            parameters,
            scheme: self.scheme,
            recall: Recall::Calibrated {
                recall: self.recall,
                standard_error: self.standard_error,
            },
            seconds: self.seconds,
        }
    }

    /// Whether the recall is wanted and likely to be true.
    fn reaches(&self, task: &Task) -> bool {
        self.recall - self.standard_error >= task.recall
    }
}

/// Bands that are drawn to measure a recall, and the most that are proposed.
const BANDS: u32 = u64::BITS;
/// Bands that are drawn to count candidates.
const COUNTED_BANDS: u32 = 8;
/// Nanoseconds to compare a candidate.
const CANDIDATE_COST: f64 = 200.0;
/// What all sampled draws come from. Not the seed of a request: a plan is the same for every seed.
const SEED: u64 = 0x5eed;

/// The cheapest bands and rows that reach the recall, or the given ones. `None` if everything must be found for certain,
/// or if it takes less time to compare everything than to measure.
pub(super) fn calibrated<K: KeyFamily<Item = str>>(
    keys: &K,
    costs: &Costs,
    distance: &EditDistance,
    items: &Strings,
    task: &Task,
) -> Result<Option<Calibrated>, Error> {
    let takes_longer = !task.is_named && task.comparisons(items.count()) < 1e7;
    if task.is_exact() || takes_longer {
        return Ok(None);
    }
    let pairs = near_pairs(distance, items, task)?;
    if pairs.is_empty() {
        return Ok(None);
    }
    let bench = Bench {
        keys,
        costs,
        distance,
        items,
        task,
        pairs: &pairs,
    };
    if let Some(scheme) = &task.scheme {
        return match scheme.banding() {
            Some(banding) => bench.given(banding).map(Some),
            None if task.is_named => keys.source(scheme, SEED).map(|_| None),
            None => Ok(None),
        };
    }
    let mut best: Option<Calibrated> = None;
    for &rows in costs.rows {
        let found = bench.tuned(rows)?;
        let is_better =
            best.as_ref()
                .is_none_or(|best| match (found.reaches(task), best.reaches(task)) {
                    (true, true) => found.seconds < best.seconds,
                    (false, false) => found.recall > best.recall,
                    (reaches, _) => reaches,
                });
        if is_better {
            best = Some(found);
        }
    }
    Ok(best)
}

struct Bench<'a, K> {
    keys: &'a K,
    costs: &'a Costs,
    distance: &'a EditDistance,
    items: &'a Strings,
    task: &'a Task,
    pairs: &'a [NearPair<'a>],
}

impl<K: KeyFamily<Item = str>> Bench<'_, K> {
    /// The recall and the cost of given bands and rows.
    fn given(&self, banding: Banding) -> Result<Calibrated, Error> {
        if banding.bands() <= BANDS {
            let met = self.met(banding.rows(), BANDS)?;
            let share = |met: &Vec<bool>| share_of_runs(met, banding.bands() as usize);
            return self.found(banding, met.iter().map(share).collect());
        }
        let met = self.met(banding.rows(), banding.bands())?;
        let share = |met: &Vec<bool>| f64::from(u8::from(met.contains(&true)));
        self.found(banding, met.iter().map(share).collect())
    }

    /// The fewest bands of a number of rows that reach the recall; as many as allowed, if none do.
    fn tuned(&self, rows: u32) -> Result<Calibrated, Error> {
        let met = self.met(rows, BANDS)?;
        let most = self
            .task
            .functions
            .map_or(BANDS, |most| (most / rows).clamp(1, BANDS));
        let shares = |bands: u32| {
            let share = |met: &Vec<bool>| share_of_runs(met, bands as usize);
            met.iter().map(share).collect::<Vec<f64>>()
        };
        // More bands find more.
        let (mut fewest, mut enough) = (1, most);
        while fewest < enough {
            let middle = fewest.midpoint(enough);
            let (recall, standard_error) = ratio(self.pairs, &shares(middle));
            match recall - standard_error >= self.task.recall {
                true => enough = middle,
                false => fewest = middle + 1,
            }
        }
        self.found(Banding::new(enough, rows)?, shares(enough))
    }

    /// For each pair, the bands in which it meets.
    fn met(&self, rows: u32, bands: u32) -> Result<Vec<Vec<bool>>, Error> {
        let source = self
            .keys
            .source(&Banding::new(bands, rows)?.scheme(), SEED)?;
        let mut scratch = <K::Source as KeySource>::Scratch::default();
        let mut keys_of = |string: &str| {
            let mut keys = Vec::new();
            let emit = |band, key, _| keys.push((band, key));
            let hashed = source.keys(string, &mut scratch, emit);
            hashed.map_err(|error| Error::new(error.to_string()))?;
            keys.sort_unstable();
            Ok::<_, Error>(keys)
        };
        let met = self.pairs.iter().map(|pair| {
            let (a, b) = (keys_of(&pair.a)?, keys_of(&pair.b)?);
            let mut met = vec![false; bands as usize];
            for key in a {
                met[key.0 as usize] |= b.binary_search(&key).is_ok();
            }
            Ok(met)
        });
        met.collect()
    }

    fn found(&self, banding: Banding, shares: Vec<f64>) -> Result<Calibrated, Error> {
        let (recall, standard_error) = ratio(self.pairs, &shares);
        Ok(Calibrated {
            scheme: banding.scheme(),
            recall,
            standard_error,
            seconds: self.seconds(banding)?,
        })
    }

    fn seconds(&self, banding: Banding) -> Result<f64, Error> {
        let few = Banding::new(COUNTED_BANDS, banding.rows())?;
        let source = self.keys.source(&few.scheme(), SEED)?;
        let bands = f64::from(banding.bands());
        let met = meetings(&source, f64::from(COUNTED_BANDS), self.items, self.task) * bands
            / f64::from(COUNTED_BANDS);
        let candidates = joined(met, self.task);
        let hashed = (self.items.count() + self.task.queries.unwrap_or(0)) as f64;
        let key = self.costs.key + self.costs.letter * self.mean_letters();
        Ok(1e-9 * (key * bands * hashed + CANDIDATE_COST * candidates))
    }

    fn mean_letters(&self) -> f64 {
        let sampled = self.items.count().min(1000);
        let letters = |place| self.distance.units.count(self.items.item(place));
        let all: usize = places(self.items.count(), sampled).map(letters).sum();
        all as f64 / sampled.max(1) as f64
    }
}

/// The share of all runs of `bands` neighbouring bands, around the end too, in one of which a pair meets.
///
/// Runs, not any bands: neighbouring ones may complement each other.
fn share_of_runs(met: &[bool], bands: usize) -> f64 {
    let all = met.len();
    let mut in_run = (0..bands).filter(|&band| met[band]).count();
    let mut runs = 0;
    for first in 0..all {
        runs += usize::from(in_run > 0);
        in_run += usize::from(met[(first + bands) % all]);
        in_run -= usize::from(met[first]);
    }
    runs as f64 / all as f64
}

/// The weighted mean of the shares of all pairs, and its standard error between the strings that were asked for.
fn ratio(pairs: &[NearPair<'_>], shares: &[f64]) -> (f64, f64) {
    let weights: f64 = pairs.iter().map(|pair| pair.weight).sum();
    let found = pairs
        .iter()
        .zip(shares)
        .map(|(pair, share)| pair.weight * share);
    let mean = found.sum::<f64>() / weights;
    let (mut squares, mut asked) = (0.0, 0.0);
    let mut rest = shares;
    for of_one in pairs.chunk_by(|a, b| a.asked == b.asked) {
        let shares;
        (shares, rest) = rest.split_at(of_one.len());
        let apart = of_one
            .iter()
            .zip(shares)
            .map(|(pair, share)| pair.weight * (share - mean));
        squares += apart.sum::<f64>().powi(2);
        asked += 1.0;
    }
    let correction: f64 = if asked > 1.0 {
        asked / (asked - 1.0)
    } else {
        1.0
    };
    (mean, (correction * squares).sqrt() / weights)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_go_around_the_end() {
        let met = [true, false, false, false];
        assert_eq!(
            [1, 2, 3, 4].map(|bands| share_of_runs(&met, bands)),
            [0.25, 0.5, 0.75, 1.0]
        );
        assert_eq!(share_of_runs(&[false; 4], 4), 0.0);
        assert_eq!(share_of_runs(&[true, false, true, false], 2), 1.0);
    }

    #[test]
    fn pairs_of_one_string_are_one_observation() {
        let pair = |asked, weight| NearPair {
            a: "".into(),
            b: "".into(),
            asked,
            weight,
        };
        let apart = [0, 1, 2, 3].map(|asked| pair(asked, 1.0));
        let shares = [1.0, 1.0, 0.0, 0.0];
        let (mean, error) = ratio(&apart, &shares);
        assert_eq!(mean, 0.5);
        assert!((error - (1.0f64 / 12.0).sqrt()).abs() < 1e-12, "{error}");
        let together = [0, 0, 1, 1].map(|asked| pair(asked, 1.0));
        assert!((ratio(&together, &shares).1 - 0.5).abs() < 1e-12);
        assert_eq!(ratio(&[pair(0, 3.0), pair(1, 1.0)], &[1.0, 0.0]).0, 0.75);
    }
}
