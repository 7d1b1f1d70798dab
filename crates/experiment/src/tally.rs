//! Counting: what the candidates of one repetition are worth, and all repetitions together.

use lookalike_core::Bounds;
use lookalike_engine::Match;

use crate::{
    Estimate,
    bins::Bins,
    estimate::Ratio,
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

/// Candidates, or matches.
#[derive(Clone, Debug, Default)]
struct Side {
    /// All of them, whether or not the truth about them is known.
    count: u64,
    /// For each row: those about which it is.
    known: Vec<u64>,
    /// For each row: those that are similar.
    similar: Vec<u64>,
    /// Whether nothing similar can be missing: all pairs were looked at.
    is_whole: bool,
}

impl Side {
    fn new(rows: usize) -> Self {
        Self {
            count: 0,
            known: vec![0; rows],
            similar: vec![0; rows],
            is_whole: false,
        }
    }

    fn add(&mut self, row: usize, pairs: u64, is_similar: bool) {
        self.known[row] += pairs;
        if is_similar {
            self.similar[row] += pairs;
        }
    }
}

impl Tally {
    /// Of candidates, whose distance is known, and whether each is a match.
    pub(crate) fn new(
        truth: &Truth,
        bins: &Bins,
        limit: f64,
        candidates: &[Match],
        are_matches: &[bool],
    ) -> Self {
        let rows = truth.rows.len();
        let mut tally = Self {
            by_bin: vec![vec![0; bins.len()]; rows],
            candidates: Side::new(rows),
            matches: Side::new(rows),
        };
        for (&Match { pair, distance }, &is_match) in candidates.iter().zip(are_matches) {
            tally.candidates.count += 1;
            tally.matches.count += u64::from(is_match);
            let is_similar = distance <= limit;
            for row in truth.rows_of(pair) {
                tally.by_bin[row][bins.of(distance)] += 1;
                tally.candidates.add(row, 1, is_similar);
                if is_match {
                    tally.matches.add(row, 1, is_similar);
                }
            }
        }
        tally
    }

    /// Of all pairs there are, of which so many are matches: the similar ones, or all.
    pub(crate) fn of_all(truth: &Truth, bins: &Bins, limit: f64, matches: u64) -> Self {
        let mut tally = Self::new(truth, bins, limit, &[], &[]);
        tally.candidates.count = truth.problem.pairs();
        tally.matches.count = matches;
        tally.candidates.is_whole = true;
        tally.matches.is_whole = true;
        let all_match = matches == tally.candidates.count;
        for (row, runs) in truth.rows.iter().enumerate() {
            for &(distance, pairs) in runs {
                let is_similar = distance <= limit;
                tally.by_bin[row][bins.of(distance)] += pairs;
                tally.candidates.add(row, pairs, is_similar);
                if is_similar || all_match {
                    tally.matches.add(row, pairs, is_similar);
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

    /// How many pairs are similar.
    pub(crate) fn similar_pairs(&self) -> Estimate {
        self.total(vec![self.similar()])
    }

    /// So many pairs in all as a repetition found for each row.
    fn total(&self, some: Vec<Vec<u64>>) -> Estimate {
        let pairs = Ratio {
            sampled: self.truth.sampled(),
            all: some.iter().map(|row| vec![1; row.len()]).collect(),
            some,
        };
        pairs.total(self.truth.scale())
    }

    fn found(&self, side: fn(&Tally) -> &Side) -> Found {
        let sides: Vec<&Side> = self.all.iter().map(side).collect();
        let similar = self.similar();
        let sampled = self.truth.sampled();
        let hits: Vec<Vec<u64>> = sides.iter().map(|side| side.similar.clone()).collect();
        let recall = Ratio {
            sampled,
            all: vec![similar.clone(); sides.len()],
            some: hits.clone(),
        };
        let precision = Ratio {
            sampled,
            all: sides.iter().map(|side| side.known.clone()).collect(),
            some: hits,
        };
        let without = |all: &[u64], some: &[u64]| -> Vec<u64> {
            all.iter().zip(some).map(|(all, some)| all - some).collect()
        };
        let wrong = sides.iter().map(|side| without(&side.known, &side.similar));
        let missed = sides.iter().map(|side| without(&similar, &side.similar));
        let is_whole = sides.iter().all(|side| side.is_whole);
        let counts: Vec<f64> = sides.iter().map(|side| side.count as f64).collect();
        Found {
            count: Estimate::of_counts(&counts),
            recall: match is_whole {
                true => recall.estimate().map(|_| Estimate::known(1.0)),
                false => recall.estimate(),
            },
            precision: precision.estimate(),
            false_positives: self.total(wrong.collect()),
            false_negatives: match is_whole {
                true => Estimate::known(0.0),
                false => self.total(missed.collect()),
            },
        }
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
