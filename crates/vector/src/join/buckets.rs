use std::{num::NonZeroU32, ops::Range};

use lookalike_core::KeySource;
use rayon::prelude::*;

use super::Centre;
use crate::Vectors;

/// A bucket, counted from 1; `None` for an item that is in none.
pub(crate) type Bucket = Option<NonZeroU32>;

/// The bucket of a key. Keys of tables have 16 bits at most.
pub(crate) fn bucket_of(key: u64) -> Bucket {
    NonZeroU32::new(key as u32 + 1)
}

/// The items of one table, bucket by bucket.
pub(super) struct Table {
    /// The bucket of each item.
    buckets: Vec<Bucket>,
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
    let mut buckets = vec![vec![None; vectors.len()]; source.bands()];
    let mut runs: Vec<Run<'_>> = Vec::new();
    for band in &mut buckets {
        for (run, places) in band.chunks_mut(RUN).enumerate() {
            if run == runs.len() {
                runs.push(Vec::with_capacity(source.bands()));
            }
            runs[run].push(places);
        }
    }
    let runs = runs.into_par_iter().enumerate();
    runs.for_each_init(S::Scratch::default, |scratch, (run, mut buckets)| {
        let places = run * RUN..vectors.len().min((run + 1) * RUN);
        let seen: Option<Vec<Vec<f32>>> = centre.map(|centre| {
            let rows = places.clone().map(|place| vectors.get(place));
            rows.map(|row| centre.seen(row)).collect()
        });
        let items: Vec<&[f32]> = match &seen {
            Some(seen) => seen.iter().map(Vec::as_slice).collect(),
            None => places.map(|place| vectors.get(place)).collect(),
        };
        let hashed = source.keys_of_all(&items, scratch, |item, band, key, _| {
            buckets[band as usize][item] = bucket_of(key);
        });
        hashed.expect("one key per table");
    });
    buckets.into_par_iter().map(Table::new).collect()
}

/// Of each table, the buckets of the items that are hashed together.
type Run<'a> = Vec<&'a mut [Bucket]>;

impl Table {
    /// Items in these buckets, put there by counting.
    fn new(buckets: Vec<Bucket>) -> Self {
        let number = |bucket: &Bucket| bucket.map_or(0, |bucket| bucket.get() as usize);
        let most = buckets.iter().map(number).max().unwrap_or(0);
        let mut ends = vec![0usize; most];
        let numbers = || {
            (0u32..)
                .zip(buckets.iter().map(number))
                .filter(|it| it.1 > 0)
        };
        for (_, bucket) in numbers() {
            ends[bucket - 1] += 1;
        }
        let mut starts = Vec::with_capacity(most);
        let mut all = 0;
        for end in &mut ends {
            starts.push(all);
            all += *end;
            *end = all;
        }
        let mut items = vec![0; all];
        for (id, bucket) in numbers() {
            let start = &mut starts[bucket - 1];
            items[*start] = id;
            *start += 1;
        }
        Self {
            buckets,
            items,
            ends,
        }
    }

    /// The items of a bucket.
    pub(super) fn of(&self, bucket: Bucket) -> &[u32] {
        let bucket = bucket.map(|bucket| bucket.get() as usize - 1);
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
    pub(super) fn ranges(&self) -> impl Iterator<Item = Range<usize>> {
        (0..self.ends.len()).map(|bucket| self.range(bucket))
    }

    /// Whether two items are in one bucket.
    pub(super) fn share(&self, a: u32, b: u32) -> bool {
        let bucket = self.buckets[a as usize];
        bucket.is_some() && bucket == self.buckets[b as usize]
    }
}
