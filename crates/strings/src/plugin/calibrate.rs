//! Bands and rows of families without a useful promise, and their recall, measured on a sample of the strings.

use lookalike_core::{
    Banding, Items, KeySource, Scheme,
    plugin::{Error, KeyFamily, Proposal, Recall, Task},
};

use super::{
    EditDistance,
    meetings::{joined, meetings, places},
    near_pairs::{NearPair, Sample},
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
        is_enough((self.recall, self.standard_error), task)
    }
}

/// Bands that are drawn to measure a recall, and the most that are proposed.
const BANDS: u32 = u64::BITS;
/// Bands that are drawn to count candidates.
const COUNTED_BANDS: u32 = 8;
/// Nanoseconds to compare a candidate.
const CANDIDATE_COST: f64 = 40.0;
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
    let is_free = task.scheme.is_none() && !task.is_named;
    let takes_longer = is_free && task.comparisons(items.count()) < 1e7;
    if task.is_exact() || takes_longer {
        return Ok(None);
    }
    let sample = Sample::new(distance, items, task)?;
    if sample.pairs.is_empty() {
        return Ok(None);
    }
    let bench = Bench {
        keys,
        costs,
        distance,
        items,
        task,
        sample: &sample,
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
    sample: &'a Sample<'a>,
}

impl<K: KeyFamily<Item = str>> Bench<'_, K> {
    /// The recall and the cost of given bands and rows.
    fn given(&self, banding: Banding) -> Result<Calibrated, Error> {
        let met = self.met(banding.rows(), banding.bands().max(BANDS))?;
        self.found(banding, &met)
    }

    /// The fewest bands of a number of rows that reach the recall; as many as allowed, if none do.
    fn tuned(&self, rows: u32) -> Result<Calibrated, Error> {
        let met = self.met(rows, BANDS)?;
        let most = self
            .task
            .functions
            .map_or(BANDS, |most| (most / rows).clamp(1, BANDS));
        // More bands find more.
        let (mut fewest, mut enough) = (1, most);
        while fewest < enough {
            let middle = fewest.midpoint(enough);
            match is_enough(self.recall(&met, middle), self.task) {
                true => enough = middle,
                false => fewest = middle + 1,
            }
        }
        self.found(Banding::new(enough, rows)?, &met)
    }

    /// The recall of some bands and its standard error: that of the sampled pairs, and that of the functions, which differs
    /// between runs of bands.
    fn recall(&self, met: &[Vec<bool>], bands: u32) -> (f64, f64) {
        let Runs { shares, variance } = Runs::new(self.sample, met, bands as usize);
        let (recall, standard_error) = self.sample.ratio(&shares);
        (recall, standard_error.hypot(variance.sqrt()))
    }

    /// For each pair, the bands in which it meets.
    fn met(&self, rows: u32, bands: u32) -> Result<Vec<Vec<bool>>, Error> {
        let source = self
            .keys
            .source(&Banding::new(bands, rows)?.scheme(), SEED)?;
        let mut scratch = <K::Source as KeySource>::Scratch::default();
        let strings = &self.sample.strings;
        let mut keys: Vec<Vec<(u32, u64)>> = vec![Vec::new(); strings.len()];
        for near in &self.sample.pairs {
            for place in [near.pair.a(), near.pair.b()].map(|id| id as usize) {
                if !keys[place].is_empty() {
                    continue;
                }
                let emit = |band, key, _| keys[place].push((band, key));
                let hashed = source.keys(&strings[place], &mut scratch, emit);
                hashed.map_err(|error| Error::new(error.to_string()))?;
                keys[place].sort_unstable();
            }
        }
        let met = self.sample.pairs.iter().map(|near| {
            let [a, b] = [near.pair.a(), near.pair.b()].map(|id| &keys[id as usize]);
            let mut met = vec![false; bands as usize];
            for key in a {
                met[key.0 as usize] |= b.binary_search(key).is_ok();
            }
            met
        });
        Ok(met.collect())
    }

    fn found(&self, banding: Banding, met: &[Vec<bool>]) -> Result<Calibrated, Error> {
        let (recall, standard_error) = self.recall(met, banding.bands());
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

/// Whether a measured recall is what is wanted, by two standard errors.
fn is_enough((recall, standard_error): (f64, f64), task: &Task) -> bool {
    recall - 2.0 * standard_error >= task.recall
}

/// All runs of some neighbouring bands among those that were drawn, around the end too.
///
/// Runs, not any bands: neighbouring ones may complement each other.
struct Runs {
    /// For each pair, the share of the runs in which it meets.
    shares: Vec<f64>,
    /// The variance of the mean recall of the runs. Runs overlap, and only as many count as do not.
    variance: f64,
}

impl Runs {
    fn new(sample: &Sample<'_>, met: &[Vec<bool>], bands: usize) -> Self {
        let drawn = met.first().map_or(0, Vec::len);
        let mut recalls = vec![0.0; drawn];
        let mut weights = 0.0;
        let mut share = |(near, met): (&NearPair, &Vec<bool>)| {
            let mut in_run = (0..bands).filter(|&band| met[band]).count();
            let mut runs = 0;
            for first in 0..drawn {
                if in_run > 0 {
                    runs += 1;
                    recalls[first] += near.weight;
                }
                in_run += usize::from(met[(first + bands) % drawn]);
                in_run -= usize::from(met[first]);
            }
            weights += near.weight;
            f64::from(runs) / drawn as f64
        };
        let shares = sample.pairs.iter().zip(met).map(&mut share).collect();
        let mean = recalls.iter().sum::<f64>() / drawn as f64;
        let squares: f64 = recalls.iter().map(|recall| (recall - mean).powi(2)).sum();
        let between = squares / drawn as f64 / (weights * weights);
        Self {
            shares,
            variance: between * bands as f64 / drawn as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::Pair;

    #[test]
    fn runs_go_around_the_end() {
        let near = |weight| NearPair {
            pair: Pair::ordered(0, 1),
            weight,
        };
        let runs = |met: &[[bool; 4]], bands| {
            let sample = Sample {
                strings: vec!["".into(); 2],
                pairs: [near(1.0), near(3.0)][..met.len()].to_vec(),
            };
            let met: Vec<Vec<bool>> = met.iter().map(|met| met.to_vec()).collect();
            Runs::new(&sample, &met, bands)
        };
        let one = [[true, false, false, false]];
        let shares = [1, 2, 3, 4].map(|bands| runs(&one, bands).shares[0]);
        assert_eq!(shares, [0.25, 0.5, 0.75, 1.0]);
        assert_eq!(runs(&[[false; 4]], 4).shares, [0.0]);
        let two = runs(&[[true, false, true, false], [true; 4]], 2);
        assert_eq!((two.shares, two.variance), (vec![1.0, 1.0], 0.0));
        // Recalls of 1, 0, 0 and 0 are a variance of 3/16, and four runs of one band do not overlap.
        assert_eq!(runs(&one, 1).variance, 3.0 / 64.0);
        // The second pair counts three times: recalls of 1, 3/4, 3/4 and 3/4.
        let weighted = runs(&[one[0], [true; 4]], 1);
        assert_eq!(weighted.variance, 3.0 / 16.0 / 16.0 / 4.0);
    }
}
