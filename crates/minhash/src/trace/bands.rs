use lookalike_core::Banding;
use serde::Serialize;

use super::Matrix;
use crate::{Counts, Error, Estimate, MinValue};

/// Some lines of the signatures, and the buckets that they make.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Band {
    /// Which band, from 1.
    pub band: usize,
    /// The first and the last of its lines, from 1.
    pub lines: [usize; 2],
    /// Its buckets, in the order of their first sets. An empty set is in none.
    pub buckets: Vec<Bucket>,
}

/// The sets with the same values in a band.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Bucket {
    /// The values.
    pub values: Vec<u64>,
    /// The sets.
    pub sets: Vec<String>,
}

/// Two sets: what their signatures say, and what is true.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Pair {
    /// The two.
    pub sets: [String; 2],
    /// The bands in which they share a bucket, from 1.
    pub bands: Vec<usize>,
    /// The share of functions that agree.
    pub estimated: f64,
    /// The Jaccard similarity; 0 where both are empty, as nothing finds such a pair.
    pub exact: f64,
    /// Elements of both.
    pub common: usize,
    /// Elements of either.
    pub union: usize,
    /// How many rows of the matrix are of type a (1, 1), b (1, 0), c (0, 1) and d (0, 0): the similarity is a/(a+b+c).
    pub row_types: [usize; 4],
}

impl Pair {
    /// Whether they share a bucket.
    #[must_use]
    pub fn is_candidate(&self) -> bool {
        !self.bands.is_empty()
    }
}

pub(super) fn bands(
    names: &[String],
    signatures: &[Vec<Option<u64>>],
    banding: Banding,
) -> Vec<Band> {
    let rows = banding.rows() as usize;
    let lines = signatures.chunks(rows).enumerate();
    lines
        .map(|(i, lines)| {
            let mut buckets: Vec<Bucket> = Vec::new();
            for (set, name) in names.iter().enumerate() {
                let values: Option<Vec<u64>> = lines.iter().map(|line| line[set]).collect();
                let Some(values) = values else { continue };
                match buckets.iter_mut().find(|bucket| bucket.values == values) {
                    Some(bucket) => bucket.sets.push(name.clone()),
                    None => buckets.push(Bucket {
                        values,
                        sets: vec![name.clone()],
                    }),
                }
            }
            Band {
                band: i + 1,
                lines: [i * rows + 1, (i + 1) * rows],
                buckets,
            }
        })
        .collect()
}

pub(super) fn pairs(
    matrix: &Matrix,
    values: &[Vec<MinValue>],
    bands: &[Band],
) -> Result<Vec<Pair>, Error> {
    let names = matrix.names();
    let mut pairs = Vec::new();
    for b in 0..names.len() {
        for a in 0..b {
            let both = [&names[a], &names[b]];
            let meet = |band: &&Band| {
                let buckets = &mut band.buckets.iter();
                buckets.any(|bucket| both.iter().all(|name| bucket.sets.contains(name)))
            };
            let counts = Counts::of(&matrix.columns()[a], &matrix.columns()[b]);
            pairs.push(Pair {
                sets: both.map(Clone::clone),
                bands: bands.iter().filter(meet).map(|band| band.band).collect(),
                estimated: Estimate::new(&values[a], &values[b])?.similarity(),
                exact: match counts.union() {
                    0 => 0.0,
                    _ => counts.similarity(),
                },
                common: counts.a,
                union: counts.union(),
                row_types: [
                    counts.a,
                    counts.b,
                    counts.c,
                    counts.d(matrix.rows().len()).unwrap_or(0),
                ],
            });
        }
    }
    pairs.sort_by(|x, y| {
        let by_bands = y.bands.len().cmp(&x.bands.len());
        by_bands.then(y.estimated.total_cmp(&x.estimated))
    });
    Ok(pairs)
}
