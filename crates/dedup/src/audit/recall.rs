use serde::Serialize;

use super::{
    buckets::Bucket,
    degrees::Degrees,
    interval::{Drawn, Measured},
    known::Known,
    number::Number,
    precision::Precision,
    sampled::Sampled,
    scan::Truth,
};

/// Documents that were compared with all documents, and what they are like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredRecall {
    /// How many documents were drawn.
    pub documents: Drawn,
    /// The share of all pairs that are alike which the run has; none where no pair was seen.
    pub recall: Option<Measured>,
    /// The same of the pairs with different texts, which only buckets find.
    pub different_texts: Option<Measured>,
    /// What the S-curve promises at the similarities of these pairs, on average.
    pub promised: Option<f64>,
    /// Pairs with the same text, of all documents: found without any chance.
    pub copies: u64,
    /// Pairs with different texts that are alike, of all documents.
    pub alike: Number,
    /// Those of them that the run has not.
    pub missed: Number,
    /// The pairs with different texts of the drawn documents, by similarity.
    pub buckets: Vec<Bucket>,
}

impl MeasuredRecall {
    /// From what was drawn, and the pairs that the run has, of all documents.
    pub(super) fn new(
        known: &Known,
        sampled: &Sampled,
        truth: &Truth,
        drawn: Drawn,
        precision: &Precision,
    ) -> Self {
        let of_text = |text: &u32| truth.texts[*text as usize];
        let rows: Degrees = sampled.documents.iter().map(of_text).collect();
        let columns: Degrees = truth.documents.iter().copied().collect();
        // The same pairs, seen from one side and from the other.
        let has_old = known.own < known.places.len();
        debug_assert!(has_old || (rows.of, rows.found) == (columns.of, columns.found));
        let copies = copies(known, &truth.has_copies);
        let different = Measured::of_pairs(&rows, &columns, drawn);
        let found = precision.different_texts(copies);
        let alike = Number::of_pairs(&rows, drawn, different, found);
        let certain = copies as f64;
        Self {
            documents: drawn,
            recall: match different {
                Some(different) => Some(different.joined_by(alike, certain)),
                // None of the pairs of different texts was seen, so that all of them may be missed.
                None => (copies > 0).then(|| Measured {
                    low: certain / (certain + alike.high),
                    is_exact: drawn.is_all(),
                    ..Measured::exactly(1.0)
                }),
            },
            different_texts: different,
            promised: truth.buckets.promised(),
            copies,
            alike,
            missed: alike.missed(different),
            buckets: truth.buckets.list(),
        }
    }
}

/// Pairs of documents with the same text; pairs inside the older corpus aside.
fn copies(known: &Known, has_copies: &[bool]) -> u64 {
    let pairs = |docs: std::ops::Range<usize>| -> u64 {
        let mut texts: Vec<u128> = docs
            .filter(|&doc| has_copies[doc])
            .map(|doc| known.digests[doc])
            .collect();
        texts.sort_unstable();
        let pairs = |same: &[u128]| same.len() as u64 * (same.len() as u64 - 1) / 2;
        texts.chunk_by(|a, b| a == b).map(pairs).sum()
    };
    let all = known.places.len();
    pairs(0..all) - pairs(known.own..all)
}
