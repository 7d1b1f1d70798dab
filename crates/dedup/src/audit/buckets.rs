use serde::Serialize;

use crate::output::rounded;

/// Pairs of about the same similarity, as the documents of the sample see them.
///
/// A pair has two ends, and is seen at each that was drawn. A pair with a document of an older corpus, of which none is
/// drawn, has both at its other document.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bucket {
    /// The least similarity.
    pub from: f64,
    /// The most; it belongs to the next bucket, unless it is 1.
    pub to: f64,
    /// Ends of pairs with different texts, at documents of the sample.
    pub ends: u64,
    /// Ends of those that the run has.
    pub found: u64,
    /// found/ends, where there are some.
    pub recall: Option<f64>,
    /// What the S-curve promises at the similarities of these pairs, on average.
    pub promised: Option<f64>,
}

/// Buckets from a threshold to 1.
#[derive(Debug)]
pub(super) struct Buckets {
    threshold: f64,
    /// Ends, those found, and the sum of what is promised.
    sums: Vec<(u64, u64, f64)>,
}

/// How wide a bucket is.
const WIDTH: f64 = 0.05;
/// A similarity that is on a border, however it was computed, is in the bucket above.
const ROUNDING: f64 = 1e-9;

impl Buckets {
    pub(super) fn from(threshold: f64) -> Self {
        let count = ((1.0 - threshold) / WIDTH - ROUNDING).ceil().max(1.0);
        Self {
            threshold,
            sums: vec![(0, 0, 0.0); count as usize],
        }
    }

    /// Adds some ends of pairs that are equally alike.
    pub(super) fn add(&mut self, similarity: f64, ends: u64, found: bool, promised: f64) {
        // What reaches the threshold only by rounding is in the first one.
        let number = ((similarity - self.threshold) / WIDTH + ROUNDING).max(0.0) as usize;
        let last = self.sums.len() - 1;
        let sums = &mut self.sums[number.min(last)];
        sums.0 += ends;
        sums.1 += ends * u64::from(found);
        sums.2 += ends as f64 * promised;
    }

    /// What the S-curve promises for all pairs, on average.
    pub(super) fn promised(&self) -> Option<f64> {
        let ends: u64 = self.sums.iter().map(|sums| sums.0).sum();
        let promised: f64 = self.sums.iter().map(|sums| sums.2).sum();
        (ends > 0).then(|| rounded(promised / ends as f64))
    }

    /// All of them, from the threshold on.
    pub(super) fn list(&self) -> Vec<Bucket> {
        let edge = |i: usize| {
            let edge = self.threshold + WIDTH * i as f64;
            rounded(edge).min(1.0)
        };
        let bucket = |(i, &(ends, found, promised)): (usize, &(u64, u64, f64))| Bucket {
            from: edge(i),
            to: edge(i + 1),
            ends,
            found,
            recall: (ends > 0).then(|| found as f64 / ends as f64),
            promised: (ends > 0).then(|| rounded(promised / ends as f64)),
        };
        self.sums.iter().enumerate().map(bucket).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn borders_belong_to_the_bucket_above() {
        let mut buckets = Buckets::from(0.8);
        for (similarity, ends) in [
            (0.8 - 1e-12, 1),
            (0.84999, 10),
            (17.0 / 20.0, 100),
            (1.0, 1000),
        ] {
            buckets.add(similarity, ends, ends > 10, 0.5);
        }
        let list = buckets.list();
        let counts: Vec<_> = list
            .iter()
            .map(|b| (b.from, b.to, b.ends, b.found))
            .collect();
        assert_eq!(
            counts,
            [
                (0.8, 0.85, 11, 0),
                (0.85, 0.9, 100, 100),
                (0.9, 0.95, 0, 0),
                (0.95, 1.0, 1000, 1000)
            ]
        );
        assert_eq!((list[0].recall, list[2].recall), (Some(0.0), None));
        assert_eq!(buckets.promised(), Some(0.5));
    }

    #[test]
    fn the_last_bucket_ends_at_1() {
        let edges = |threshold| {
            let list = Buckets::from(threshold).list();
            (list.len(), list[0].from, list[list.len() - 1].to)
        };
        assert_eq!(edges(1.0), (1, 1.0, 1.0));
        assert_eq!(edges(0.97), (1, 0.97, 1.0));
        assert_eq!(edges(0.001), (20, 0.001, 1.0));
        assert_eq!(edges(0.93), (2, 0.93, 1.0));
    }
}
