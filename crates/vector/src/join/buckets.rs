use std::ops::Range;

use lookalike_core::KeySource;
use rayon::prelude::*;

use super::Centre;
use crate::Vectors;

/// The items of one table, bucket by bucket.
pub(super) struct Table {
    /// The bucket of each item; `None` if it is in none.
    keys: Vec<Option<u32>>,
    /// Items by bucket, in the order of ids within one.
    pub(super) items: Vec<u32>,
    ends: Vec<usize>,
}

/// Items that one thread hashes at a time.
const RUN: usize = 256;

/// One table per band of a source. Vectors are hashed as they are, or as directions seen from a centre.
pub(super) fn tables<S>(vectors: &Vectors, source: &S, centre: Option<&Centre>) -> Vec<Table>
where
    S: KeySource<Item = [f32]>,
{
    let bands = source.bands();
    let firsts = (0..vectors.len()).into_par_iter().step_by(RUN);
    let runs = firsts.map_init(S::Scratch::default, |scratch, first| {
        let places = first..vectors.len().min(first + RUN);
        let mut keys = vec![None; places.len() * bands];
        let seen: Option<Vec<Vec<f32>>> = centre.map(|centre| {
            let rows = places.clone().map(|place| vectors.get(place));
            rows.map(|row| centre.seen(row)).collect()
        });
        let items: Vec<&[f32]> = match &seen {
            Some(seen) => seen.iter().map(Vec::as_slice).collect(),
            None => places.map(|place| vectors.get(place)).collect(),
        };
        let hashed = source.keys_of_all(&items, scratch, |item, band, key, _| {
            keys[item * bands + band as usize] = Some(key as u32);
        });
        hashed.expect("one key per table");
        keys
    });
    let runs: Vec<Vec<Option<u32>>> = runs.collect();
    let of_band = |band: usize| {
        let keys = runs
            .iter()
            .flat_map(|run| run.iter().skip(band).step_by(bands));
        keys.copied().collect()
    };
    (0..bands)
        .into_par_iter()
        .map(|band| Table::new(of_band(band)))
        .collect()
}

impl Table {
    /// Items with these keys, put in buckets by counting.
    fn new(keys: Vec<Option<u32>>) -> Self {
        let buckets = keys
            .iter()
            .flatten()
            .max()
            .map_or(0, |&most| most as usize + 1);
        let mut ends = vec![0usize; buckets];
        for &key in keys.iter().flatten() {
            ends[key as usize] += 1;
        }
        let mut starts = Vec::with_capacity(buckets);
        let mut all = 0;
        for end in &mut ends {
            starts.push(all);
            all += *end;
            *end = all;
        }
        let mut items = vec![0; all];
        for (id, key) in (0..).zip(&keys) {
            if let Some(key) = key {
                let start = &mut starts[*key as usize];
                items[*start] = id;
                *start += 1;
            }
        }
        Self { keys, items, ends }
    }

    /// The items of a bucket.
    pub(super) fn of(&self, bucket: Option<u32>) -> &[u32] {
        let bucket = bucket.map(|bucket| bucket as usize);
        match bucket.filter(|&bucket| bucket < self.ends.len()) {
            Some(bucket) => &self.items[self.range(bucket)],
            None => &[],
        }
    }

    fn range(&self, bucket: usize) -> Range<usize> {
        let start = bucket.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[bucket]
    }

    /// Where the items of each bucket are.
    pub(super) fn buckets(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.ends.len()).map(|bucket| self.range(bucket))
    }

    /// Whether two items are in one bucket.
    pub(super) fn share(&self, a: u32, b: u32) -> bool {
        let key = |id: u32| self.keys[id as usize];
        key(a).is_some() && key(a) == key(b)
    }
}
