use std::{num::NonZeroU32, ops::Range};

use lookalike_core::KeySource;
use lookalike_memory::Large;
use rayon::prelude::*;

use super::Centre;
use crate::Vectors;

/// A bucket, counted from 1; `None` for an item that is in none.
pub(crate) type Bucket = Option<NonZeroU32>;

/// The bucket of a key. Keys of tables have 16 bits at most.
pub(crate) fn bucket_of(key: u64) -> Bucket {
    NonZeroU32::new(key as u32 + 1)
}

/// Tables of buckets. All of them share two long lists, which take large pages: those are made faster than small ones, and
/// do not keep threads waiting for each other.
pub(super) struct Tables {
    /// For each table, the bucket of each vector.
    buckets: Large<Bucket>,
    /// For each table, vectors by bucket, in the order of ids within one; then zeros in the place of those in no bucket.
    items: Large<u32>,
    /// For each table, where each bucket ends.
    ends: Vec<Vec<usize>>,
    vectors: usize,
}

/// The items of one table, bucket by bucket.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    buckets: &'a [Bucket],
    pub(super) items: &'a [u32],
    ends: &'a [usize],
}

/// Items that one thread hashes at a time.
const RUN: usize = 256;

/// Of each table, the buckets of the items that are hashed together.
type Run<'a> = Vec<&'a mut [Bucket]>;

impl Tables {
    /// One table per band of a source. Vectors are hashed as they are, or as directions seen from a centre.
    pub(super) fn new<S>(vectors: &Vectors, source: &S, centre: Option<&Centre>) -> Self
    where
        S: KeySource<Item = [f32]>,
    {
        let (count, bands) = (vectors.len(), source.bands());
        let mut buckets: Large<Bucket> = Large::zeroed(bands * count);
        let mut runs: Vec<Run<'_>> = Vec::new();
        for band in buckets.chunks_mut(count.max(1)) {
            for (run, places) in band.chunks_mut(RUN).enumerate() {
                if run == runs.len() {
                    runs.push(Vec::with_capacity(bands));
                }
                runs[run].push(places);
            }
        }
        let runs = runs.into_par_iter().enumerate();
        runs.for_each_init(S::Scratch::default, |scratch, (run, mut buckets)| {
            let places = run * RUN..count.min((run + 1) * RUN);
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
        let mut items = Large::zeroed(bands * count);
        let of_tables = buckets.par_chunks(count.max(1));
        let ends = of_tables
            .zip(items.par_chunks_mut(count.max(1)))
            .map(|(buckets, items)| arrange(buckets, items))
            .collect();
        Self {
            buckets,
            items,
            ends,
            vectors: count,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(super) fn get(&self, table: usize) -> Table<'_> {
        let all = table * self.vectors..(table + 1) * self.vectors;
        let ends = &self.ends[table];
        let hashed = ends.last().copied().unwrap_or(0);
        Table {
            buckets: &self.buckets[all.clone()],
            items: &self.items[all][..hashed],
            ends,
        }
    }
}

/// Puts items into the order of their buckets, by counting, and returns where each bucket ends.
fn arrange(buckets: &[Bucket], items: &mut [u32]) -> Vec<usize> {
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
    for (id, bucket) in numbers() {
        let start = &mut starts[bucket - 1];
        items[*start] = id;
        *start += 1;
    }
    ends
}

impl<'a> Table<'a> {
    /// The items of a bucket.
    pub(super) fn of(&self, bucket: Bucket) -> &'a [u32] {
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
    pub(super) fn ranges(self) -> impl Iterator<Item = Range<usize>> {
        (0..self.ends.len()).map(move |bucket| self.range(bucket))
    }

    /// Whether two items are in one bucket.
    pub(super) fn share(&self, a: u32, b: u32) -> bool {
        let bucket = self.buckets[a as usize];
        bucket.is_some() && bucket == self.buckets[b as usize]
    }
}
