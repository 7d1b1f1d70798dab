//! What is true: the exact distances of all pairs, or of a sample of the items to everything.

use lookalike_core::random;
use lookalike_engine::{Id, Pair};
use rayon::prelude::*;

use crate::problem::Problem;

/// The exact distances.
///
/// Where all pairs are too many, some items are compared with everything. Pairs drawn at random were rejected: hardly any
/// of them is alike, and nothing would be known of what is missed.
#[derive(Clone, Debug)]
pub(crate) struct Truth {
    /// The items that were sampled, ascending; `None`: all pairs are known.
    pub(crate) sample: Option<Vec<Id>>,
    /// For each sampled item, or for all pairs together: distances in ascending order, each with its number of pairs.
    pub(crate) rows: Vec<Vec<(f64, u64)>>,
    /// The pairs within the limit, the nearest first.
    pub(crate) similar: Vec<(f64, Pair)>,
    /// Which pairs there are.
    pub(crate) problem: Problem,
}

/// The exact distance of a pair. Behind a `dyn`, so that all that counts is compiled once and not for each family.
pub(crate) type DistanceOf<'a> = dyn Fn(Pair) -> f64 + Sync + 'a;

/// Seeds of samples have nothing to do with those of functions.
const SAMPLE: u64 = u64::from_le_bytes(*b"a sample");

impl Truth {
    /// Compares no more often than `comparisons` allows, but for at least two items that ask.
    pub(crate) fn new(
        distance: &DistanceOf<'_>,
        problem: Problem,
        limit: f64,
        comparisons: u64,
        seed: u64,
    ) -> Self {
        let asking = problem.asking();
        let sample = (problem.pairs() > comparisons).then(|| {
            let each = problem.pairs() * u64::from(problem.askers()) / asking.len() as u64;
            let wanted = (comparisons / each).clamp(2, asking.len().max(2) as u64);
            let wanted = wanted.min(asking.len() as u64) as u32;
            let mut rng = random::stream(random::derive(seed, SAMPLE), 0);
            let sample = random::distinct(asking.len() as Id, wanted, &mut rng);
            let mut sample: Vec<Id> = sample.iter().map(|place| asking.start + place).collect();
            sample.sort_unstable();
            sample
        });
        let compare = |a: Id, others: std::ops::Range<Id>| {
            let mut distances: Vec<f64> = Vec::with_capacity(others.len());
            let mut similar = Vec::new();
            for b in others.filter(|&b| b != a) {
                let pair = Pair::new(a, b).expect("different items");
                let distance = distance(pair);
                distances.push(distance);
                if distance <= limit {
                    similar.push((distance, pair));
                }
            }
            (distances, similar)
        };
        let (rows, similar): (Vec<_>, Vec<_>) = match &sample {
            Some(sample) => sample
                .par_iter()
                .map(|&a| compare(a, problem.asked()))
                .unzip(),
            None => {
                let rows = asking.into_par_iter();
                rows.map(|a| compare(a, problem.partners(a))).unzip()
            }
        };
        let mut similar = similar.concat();
        similar.par_sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        similar.dedup_by_key(|(_, pair)| *pair);
        let rows = match &sample {
            Some(_) => rows,
            None => vec![rows.concat()],
        };
        Self {
            sample,
            rows: rows.into_iter().map(runs).collect(),
            similar,
            problem,
        }
    }

    /// The share of the items that ask that was sampled.
    pub(crate) fn sampled(&self) -> f64 {
        match &self.sample {
            Some(sample) => sample.len() as f64 / self.problem.asking().len() as f64,
            None => 1.0,
        }
    }

    /// The rows that a pair belongs to: the only one, or those of its items that were sampled.
    pub(crate) fn rows_of(&self, pair: Pair) -> impl Iterator<Item = usize> + use<> {
        let rows = match &self.sample {
            None => [Some(0), None],
            Some(sample) => [pair.a(), pair.b()].map(|item| sample.binary_search(&item).ok()),
        };
        rows.into_iter().flatten()
    }

    /// By what a number of pairs in all rows must be multiplied for that of all pairs.
    pub(crate) fn scale(&self) -> f64 {
        match &self.sample {
            None => 1.0,
            // A pair is in the row of each of its items that ask.
            Some(_) => 1.0 / (self.sampled() * f64::from(self.problem.askers())),
        }
    }

    /// How many distances were computed.
    pub(crate) fn comparisons(&self) -> u64 {
        self.rows.iter().flatten().map(|(_, pairs)| pairs).sum()
    }
}

/// Distances in order, each once, with its number.
fn runs(mut distances: Vec<f64>) -> Vec<(f64, u64)> {
    distances.par_sort_unstable_by(f64::total_cmp);
    let equal = distances.chunk_by(|a, b| a == b);
    equal.map(|run| (run[0], run.len() as u64)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::Metric;
    use lookalike_minhash::{Integers, Jaccard};

    fn truth(comparisons: u64, queries: Option<u32>) -> Truth {
        let jaccard = Jaccard::new(Integers);
        let sets: Vec<Vec<u64>> = (0..40u64).map(|i| (i / 2..i / 2 + 10).collect()).collect();
        let prepared: Vec<_> = sets.iter().map(|set| jaccard.prepare(set)).collect();
        let problem = Problem::new(sets.len(), queries).unwrap();
        let distance = |pair: Pair| {
            jaccard.distance(&prepared[pair.a() as usize], &prepared[pair.b() as usize])
        };
        Truth::new(&distance, problem, 0.0, comparisons, 0)
    }

    #[test]
    fn all_pairs_are_compared_where_they_are_few() {
        let truth = truth(780, None);
        assert_eq!((truth.sample.as_ref(), truth.comparisons()), (None, 780));
        assert_eq!((truth.similar.len(), truth.scale()), (20, 1.0));
        let equal = truth.rows[0][0];
        assert_eq!(equal, (0.0, 20));
    }

    #[test]
    fn some_items_are_compared_with_all_where_pairs_are_many() {
        let truth = truth(779, None);
        let sample = truth.sample.clone().unwrap();
        assert_eq!((sample.len(), truth.comparisons()), (19, 19 * 39));
        assert!(sample.windows(2).all(|two| two[0] < two[1]));
        // Every item has one equal: each row has it once, and each pair is listed once.
        assert!(truth.rows.iter().all(|row| row[0] == (0.0, 1)));
        let seen = |item: u32| sample.contains(&item);
        let pairs = (0..20).filter(|i| seen(2 * i) || seen(2 * i + 1)).count();
        assert_eq!(truth.similar.len(), pairs);
        let estimated = truth.scale() * 19.0;
        assert!((estimated - 20.0).abs() < 1e-9);
        let rows: Vec<usize> = truth.rows_of(Pair::new(sample[3], 39).unwrap()).collect();
        assert!(rows.contains(&3));
    }
    #[test]
    fn queries_are_compared_with_what_is_stored() {
        // Of the last ten items none has its equal among the first thirty.
        let whole = truth(300, Some(10));
        assert_eq!((whole.sample.as_ref(), whole.comparisons()), (None, 300));
        assert!(whole.similar.is_empty());
        // With 21 stored, item 20 has its equal in the first query.
        let whole = truth(1000, Some(19));
        let pairs: Vec<Pair> = whole.similar.iter().map(|(_, pair)| *pair).collect();
        assert_eq!(pairs, [Pair::ordered(20, 21)]);
        let some = truth(299, Some(10));
        let sample = some.sample.clone().unwrap();
        assert_eq!((sample.len(), some.comparisons()), (9, 270));
        assert!(sample.iter().all(|item| (30..40).contains(item)));
        assert!((some.scale() * 270.0 - 300.0).abs() < 1e-9);
        let rows: Vec<usize> = some.rows_of(Pair::ordered(3, sample[4])).collect();
        assert_eq!(rows, [4]);
    }
}
