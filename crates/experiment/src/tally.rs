//! Counting: what the candidates of one repetition are worth, and all repetitions together.

use lookalike_core::Bounds;
use lookalike_engine::Match;

use crate::{
    Estimate,
    bins::Bins,
    estimate::{Part, Ratio, between, mean},
    outcome::{Found, Point},
    truth::Truth,
};

/// What is counted of one repetition, for each row of the truth.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    /// Candidates by distance.
    by_bin: Vec<Vec<u64>>,
    candidates: Side,
    matches: Side,
}

/// Candidates, or matches. The distance of each is known, whatever is sampled of the truth.
#[derive(Clone, Debug)]
struct Side {
    /// All of them.
    count: u64,
    /// Those that are similar.
    similar: u64,
    /// For each row of the truth, those that are similar and in it.
    in_rows: Vec<u64>,
    /// Whether nothing similar can be missing: all pairs were looked at.
    is_whole: bool,
    /// Whether nothing else can be among them: each was compared exactly.
    is_pure: bool,
}

impl Side {
    fn new(rows: usize) -> Self {
        Self {
            count: 0,
            similar: 0,
            in_rows: vec![0; rows],
            is_whole: false,
            is_pure: false,
        }
    }

    fn add(&mut self, rows: impl Iterator<Item = usize>, is_similar: bool) {
        self.count += 1;
        if is_similar {
            self.similar += 1;
            rows.for_each(|row| self.in_rows[row] += 1);
        }
    }
}

impl Tally {
    /// Of candidates, whose distance is known, and whether each is a match; exactly those that are similar, or by some other
    /// way to tell.
    pub(crate) fn new(
        truth: &Truth,
        bins: &Bins,
        limit: f64,
        candidates: &[Match],
        are_matches: &[bool],
        is_exact: bool,
    ) -> Self {
        let rows = truth.rows.len();
        let mut tally = Self {
            by_bin: vec![vec![0; bins.len()]; rows],
            candidates: Side::new(rows),
            matches: Side::new(rows),
        };
        tally.matches.is_pure = is_exact;
        for (&Match { pair, distance }, &is_match) in candidates.iter().zip(are_matches) {
            let is_similar = distance <= limit;
            tally.candidates.add(truth.rows_of(pair), is_similar);
            if is_match {
                tally.matches.add(truth.rows_of(pair), is_similar);
            }
            for row in truth.rows_of(pair) {
                tally.by_bin[row][bins.of(distance)] += 1;
            }
        }
        tally
    }

    /// Of all pairs there are, of which so many are similar, and either these are matches or all are.
    pub(crate) fn of_all(
        truth: &Truth,
        bins: &Bins,
        limit: f64,
        similar: u64,
        all_match: bool,
    ) -> Self {
        let mut tally = Self::new(truth, bins, limit, &[], &[], !all_match);
        let pairs = truth.problem.pairs();
        for (side, count) in [
            (&mut tally.candidates, pairs),
            (&mut tally.matches, if all_match { pairs } else { similar }),
        ] {
            (side.count, side.similar, side.is_whole) = (count, similar, true);
        }
        for (row, runs) in truth.rows.iter().enumerate() {
            for &(distance, pairs) in runs {
                tally.by_bin[row][bins.of(distance)] += pairs;
                if distance <= limit {
                    tally.candidates.in_rows[row] += pairs;
                    tally.matches.in_rows[row] += pairs;
                }
            }
        }
        tally
    }
}

/// All repetitions together.
#[derive(Debug)]
pub(crate) struct Tallies<'a> {
    pub(crate) truth: &'a Truth,
    pub(crate) bins: &'a Bins,
    pub(crate) limit: f64,
    pub(crate) all: Vec<Tally>,
}

impl Tallies<'_> {
    /// The candidates against the truth.
    pub(crate) fn candidates(&self) -> Found {
        self.found(|tally| &tally.candidates)
    }

    /// The matches against the truth.
    pub(crate) fn matches(&self) -> Found {
        self.found(|tally| &tally.matches)
    }

    /// For each row the pairs that are similar.
    fn similar(&self) -> Vec<u64> {
        let within = |runs: &Vec<(f64, u64)>| {
            let near = runs
                .iter()
                .take_while(|(distance, _)| *distance <= self.limit);
            near.map(|(_, pairs)| pairs).sum()
        };
        self.truth.rows.iter().map(within).collect()
    }

    /// How many pairs are similar: the candidates among them, and those that are missing.
    pub(crate) fn similar_pairs(&self) -> Estimate {
        let sides: Vec<&Side> = self.all.iter().map(|tally| &tally.candidates).collect();
        let (missed, sampling) = self.missed(&sides);
        let found: Vec<f64> = sides.iter().map(|side| side.similar as f64).collect();
        let least = found.iter().copied().fold(0.0, f64::max);
        let all: Vec<f64> = found.iter().zip(missed).map(|(a, b)| a + b).collect();
        Estimate::with(mean(&all), sampling, least..f64::INFINITY)
    }

    /// How many similar pairs are missing in each repetition, and the part of the error that is due to the sample.
    fn missed(&self, sides: &[&Side]) -> (Vec<f64>, Option<Part>) {
        if sides.iter().all(|side| side.is_whole) {
            return (vec![0.0; sides.len()], None);
        }
        let similar = self.similar();
        let missed = sides.iter().map(|side| {
            let rows = similar.iter().zip(&side.in_rows);
            rows.map(|(all, found)| all - found).collect()
        });
        let pairs = Ratio {
            sampled: self.truth.sampled(),
            all: vec![vec![1; similar.len()]; sides.len()],
            some: missed.collect(),
        };
        pairs.totals(self.truth.scale())
    }

    fn found(&self, side: fn(&Tally) -> &Side) -> Found {
        let sides: Vec<&Side> = self.all.iter().map(side).collect();
        let counts = |of: fn(&Side) -> u64| -> Vec<f64> {
            sides.iter().map(|side| of(side) as f64).collect()
        };
        let precision = Ratio {
            sampled: 1.0,
            all: sides.iter().map(|side| vec![side.count]).collect(),
            some: sides.iter().map(|side| vec![side.similar]).collect(),
        };
        let is_pure = sides.iter().all(|side| side.is_pure);
        let precision = precision.estimate().map(|it| match is_pure {
            true => Estimate::known(1.0),
            false => it,
        });
        let (missed, sampling) = self.missed(&sides);
        let found = counts(|side| side.similar);
        let recall = self.recall(&sides, &found, &missed, sampling);
        let is_whole = sides.iter().all(|side| side.is_whole);
        let seeds = between(&missed).filter(|_| !is_whole);
        Found {
            count: Estimate::of_counts(&counts(|side| side.count)),
            recall,
            precision,
            false_positives: Estimate::of_counts(&counts(|side| side.count - side.similar)),
            false_negatives: Estimate::with(
                mean(&missed),
                seeds.into_iter().chain(sampling),
                0.0..f64::INFINITY,
            ),
        }
    }

    /// The share of the similar pairs that is found. Of a sample only what is missing is estimated, as what is found is known.
    fn recall(
        &self,
        sides: &[&Side],
        found: &[f64],
        missed: &[f64],
        sampling: Option<Part>,
    ) -> Option<Estimate> {
        let shares = found.iter().zip(missed).filter(|(a, b)| *a + *b > 0.0);
        let shares: Vec<f64> = shares
            .map(|(found, missed)| found / (found + missed))
            .collect();
        if shares.is_empty() {
            return None;
        }
        if sides.iter().all(|side| side.is_whole) {
            return Some(Estimate::known(1.0));
        }
        let all = mean(found) + mean(missed);
        // What never failed may still fail once among all that was tried.
        let floor = (all * found.len() as f64).recip();
        let seeds = between(&shares).map(|part| part.at_least(floor));
        let sampling = sampling.map(|part| part.times(mean(found) / all.powi(2)));
        let parts = seeds.into_iter().chain(sampling);
        Some(Estimate::with(mean(&shares), parts, 0.0..1.0))
    }

    /// How often pairs became candidates, by distance, and what was promised.
    pub(crate) fn curve(&self, promise: &dyn Fn(f64) -> Option<Bounds>) -> Vec<Point> {
        let bins = self.bins.len();
        let mut pairs = vec![vec![0; self.truth.rows.len()]; bins];
        let (mut distances, mut lower, mut upper) =
            (vec![0.0; bins], vec![0.0; bins], vec![0.0; bins]);
        let mut promised = true;
        for (row, runs) in self.truth.rows.iter().enumerate() {
            for &(distance, count) in runs {
                let bin = self.bins.of(distance);
                let weight = count as f64;
                pairs[bin][row] += count;
                distances[bin] += weight * distance;
                match promise(distance) {
                    Some(bounds) => {
                        lower[bin] += weight * bounds.lower().value();
                        upper[bin] += weight * bounds.upper().value();
                    }
                    None => promised = false,
                }
            }
        }
        let point = |bin: usize| {
            let count = pairs[bin].iter().sum::<u64>();
            let of_bin = |tally: &Tally| tally.by_bin.iter().map(|row| row[bin]).collect();
            let ratio = Ratio {
                sampled: self.truth.sampled(),
                all: vec![pairs[bin].clone(); self.all.len()],
                some: self.all.iter().map(of_bin).collect(),
            };
            let mean = |sum: f64| sum / count as f64;
            Some(Point {
                distance: mean(distances[bin]),
                pairs: count,
                predicted: promised.then(|| [mean(lower[bin]), mean(upper[bin])]),
                measured: ratio.estimate()?,
            })
        };
        (0..bins).filter_map(point).collect()
    }
}
