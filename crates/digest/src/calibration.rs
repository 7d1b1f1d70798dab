//! Bands and rows from a look at the digests themselves.
//!
//! How many bits across the median two files at a TLSH distance have is not known in theory, and differs between
//! collections. So some digests are compared with all others. The near pairs among these say what a banding finds, and
//! all pairs say what it costs. No keys are drawn for that: given the bits that differ, the probability of a banding is
//! hypergeometric.

use lookalike_core::{Items, Probability, plugin::Recall, random, sampled::within_flips};

use crate::{
    Digest, Digests, MedianBits,
    distance::{self, Apart},
};

/// Numbers of bits that may differ: 0 to 128.
const BITS: usize = Digest::BUCKETS as usize + 1;
/// Steps between lengths that fit in a cell: 0 to 7.
const STEPS: usize = MedianBits::CELL as usize;

/// Pairs by the steps between their lengths and the number of their bits that differ. Those whose lengths never share a
/// cell are counted by `beyond`.
#[derive(Clone, Debug)]
struct Histogram {
    within: Box<[u64]>,
    beyond: u64,
}

impl Histogram {
    fn new() -> Self {
        Self {
            within: vec![0; STEPS * BITS].into(),
            beyond: 0,
        }
    }

    fn add(&mut self, apart: Apart) {
        match self.within.get_mut(place(apart)) {
            Some(pairs) => *pairs += 1,
            None => self.beyond += 1,
        }
    }

    fn total(&self) -> u64 {
        self.within.iter().sum::<u64>() + self.beyond
    }
}

fn place(apart: Apart) -> usize {
    apart.length as usize * BITS + apart.bits as usize
}

/// What a sample of digests says about keys of [`MedianBits`](crate::MedianBits) among them.
#[derive(Clone, Debug)]
pub struct Calibration {
    digests: usize,
    /// For each digest of the sample its pairs within the limit.
    near: Vec<Histogram>,
    /// Some pairs of the sample, but none of equal digests.
    all: Histogram,
}

/// A banding and what to expect of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planned {
    /// Tables.
    pub bands: u32,
    /// Bits of a table.
    pub rows: u32,
    /// The share of the pairs within the limit that it finds.
    pub recall: Recall,
    /// What it costs, roughly, in seconds of one thread.
    pub seconds: f64,
}

/// Nanoseconds of parts of the work, measured once. Constants, so that plans repeat.
mod cost {
    /// A key is made, stored and sorted.
    pub(super) const KEY: f64 = 50.0;
    /// A bit of it is sampled.
    pub(super) const BIT: f64 = 0.8;
    /// Two digests that share a key are compared.
    pub(super) const MET: f64 = 30.0;
}

impl Calibration {
    /// Compares some digests with all others: at least 64, and one in 400.
    ///
    /// Near pairs are those within the limit that are not copies: copies are always found.
    #[must_use]
    pub fn new(digests: &Digests, limit: f64) -> Self {
        const LEAST: usize = 64;
        const ONE_IN: usize = 400;
        /// What meets by chance is seen in fewer pairs than what is near.
        const STRIDE: usize = 16;
        let count = digests.count();
        let sampled = (count / ONE_IN).max(LEAST).min(count);
        let limit = distance::whole(limit).unwrap_or(0);
        let places = random::distinct(count as u32, sampled as u32, &mut random::stream(0, 0));
        let (mut near, mut all) = (Vec::new(), Histogram::new());
        let digests = digests.as_slice();
        for place in places {
            let item = &digests[place as usize];
            let mut found = Vec::new();
            distance::near_in(digests, item, 0..count as u32, limit, &mut found);
            let mut of_one = Histogram::new();
            for other in found.iter().filter(|other| other.distance > 0.0) {
                of_one.add(Apart::of(item, &digests[other.id as usize]));
            }
            near.push(of_one);
            let others = digests
                .iter()
                .step_by(STRIDE)
                .filter(|other| *other != item);
            others.for_each(|other| all.add(Apart::of(item, other)));
        }
        Self {
            digests: count,
            near,
            all,
        }
    }

    /// Whether the sample has a pair within the limit, so that a recall can be estimated.
    #[must_use]
    pub fn is_conclusive(&self) -> bool {
        self.near.iter().any(|near| near.total() > 0)
    }

    /// What to expect of a banding, for a number of queries or, without one, for all pairs.
    #[must_use]
    pub fn expect(&self, bands: u32, rows: u32, queries: Option<usize>) -> Planned {
        let one = agreement(rows);
        Planned {
            bands,
            rows,
            recall: self.recall(&one, bands),
            seconds: self.seconds(&one, bands, rows, queries),
        }
    }

    /// The cheapest banding that reaches a recall with at most a number of bands in all; `None` if there is none. Without
    /// a pair to go by, one at the limit is taken to differ in `assumed` bits, and the recall is unknown.
    #[must_use]
    pub fn cheapest(
        &self,
        recall: f64,
        assumed: u32,
        most: impl Fn(u32) -> u32,
        queries: Option<usize>,
    ) -> Option<Planned> {
        let mut near = Histogram::new();
        for of_one in &self.near {
            for (sum, pairs) in near.within.iter_mut().zip(&of_one.within) {
                *sum += pairs;
            }
            near.beyond += of_one.beyond;
        }
        if !self.is_conclusive() {
            near.add(Apart {
                bits: assumed.min(Digest::BUCKETS),
                length: 1,
            });
        }
        let plan = |rows| {
            let one = agreement(rows);
            let found = |bands: &u32| share(&near, &one, *bands).is_some_and(|it| it >= recall);
            let bands = fewest(most(rows), found)?;
            Some(self.expect(bands, rows, queries))
        };
        let plans = (4..=40).filter_map(plan);
        plans.min_by(|a, b| a.seconds.total_cmp(&b.seconds))
    }

    /// The recall with its standard error. The pairs of one digest are alike, so that errors are between digests.
    fn recall(&self, one: &[f64], bands: u32) -> Recall {
        let found: Vec<(f64, f64)> = self
            .near
            .iter()
            .map(|near| {
                let pairs = near.total() as f64;
                (pairs * share(near, one, bands).unwrap_or(0.0), pairs)
            })
            .collect();
        let pairs: f64 = found.iter().map(|found| found.1).sum();
        if pairs == 0.0 {
            return Recall::Unknown;
        }
        let recall = found.iter().map(|found| found.0).sum::<f64>() / pairs;
        let square = |&(found, pairs): &(f64, f64)| (found - recall * pairs).powi(2);
        let standard_error = found.iter().map(square).sum::<f64>().sqrt() / pairs;
        Recall::Calibrated {
            recall,
            standard_error,
        }
    }

    fn seconds(&self, one: &[f64], bands: u32, rows: u32, queries: Option<usize>) -> f64 {
        let keys = (self.digests + queries.unwrap_or(0)) as f64 * f64::from(bands);
        let sampled = self.all.total().max(1) as f64;
        let meetings = self
            .all
            .within
            .iter()
            .zip(one)
            .map(|(&pairs, one)| pairs as f64 * one);
        let share = meetings.sum::<f64>() * f64::from(bands) / sampled;
        let comparisons = match queries {
            Some(queries) => queries as f64 * self.digests as f64,
            None => (self.digests as f64).powi(2) / 2.0,
        };
        1e-9 * (keys * (cost::KEY + cost::BIT * f64::from(rows)) + cost::MET * share * comparisons)
    }
}

/// The probability that one table agrees, by the place of a pair in a histogram.
fn agreement(rows: u32) -> Vec<f64> {
    let bits = |differ| within_flips(Digest::BUCKETS, differ, rows, 0);
    let bits: Vec<f64> = (0..=Digest::BUCKETS).map(bits).collect();
    let in_cell = (0..STEPS).map(|steps| 1.0 - steps as f64 / STEPS as f64);
    let both = in_cell.flat_map(|cell| bits.iter().map(move |bits| cell * bits));
    both.collect()
}

/// The share of pairs that at least one of some tables finds, if there are pairs.
fn share(pairs: &Histogram, one: &[f64], bands: u32) -> Option<f64> {
    let found = pairs
        .within
        .iter()
        .zip(one)
        .filter(|(pairs, _)| **pairs > 0);
    let found =
        found.map(|(&pairs, &one)| pairs as f64 * Probability::saturating(one).any(bands).value());
    let total = pairs.total();
    (total > 0).then(|| found.sum::<f64>() / total as f64)
}

/// The smallest number from 1 to `most` that is enough, if one is; all larger ones are.
fn fewest(most: u32, enough: impl Fn(&u32) -> bool) -> Option<u32> {
    let (mut low, mut high) = (1, most);
    if most == 0 || !enough(&high) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        match enough(&middle) {
            true => high = middle,
            false => low = middle + 1,
        }
    }
    Some(low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::{neighbour, random_digest};

    /// Groups of similar digests.
    fn digests(groups: u64, each: u32) -> Digests {
        let group = |group: u64| {
            let first = random_digest(group);
            (0..each)
                .map(move |number| neighbour(&first, number % 16, group ^ u64::from(number) << 32))
        };
        (0..groups).flat_map(group).collect()
    }

    #[test]
    fn a_banding_reaches_the_recall_and_no_more() {
        let calibration = Calibration::new(&digests(40, 20), 30.0);
        assert!(calibration.is_conclusive());
        for recall in [0.5, 0.9, 0.99] {
            let plan = calibration.cheapest(recall, 15, |_| 1000, None).unwrap();
            let share = plan.recall.share().unwrap();
            assert!(share >= recall, "{plan:?}");
            let fewer = calibration.expect(plan.bands.saturating_sub(1).max(1), plan.rows, None);
            assert!(
                plan.bands == 1 || fewer.recall.share().unwrap() < recall,
                "{plan:?}"
            );
        }
        assert!(calibration.cheapest(0.99, 15, |_| 0, None).is_none());
    }

    #[test]
    fn nothing_is_known_without_near_pairs() {
        let calibration = Calibration::new(&digests(300, 1), 30.0);
        assert!(!calibration.is_conclusive());
        let plan = calibration.cheapest(0.95, 15, |_| 1000, Some(10)).unwrap();
        assert_eq!(plan.recall, Recall::Unknown);
        assert!(plan.bands > 1);
        assert!(!Calibration::new(&Digests::default(), 30.0).is_conclusive());
    }
}
