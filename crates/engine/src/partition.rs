//! Grouping the entries of one column by key: the hot kernel of the join.
//!
//! A hash table of a million keys misses the cache at every step. Here entries
//! are first scattered by some bits of their hash into partitions that fit the
//! L1 cache, run by run, so that the scatter itself stays in the L2 cache
//! however long the column is. In a partition a filter of one byte a slot drops
//! nearly all keys that occur once, without a branch, and only what remains
//! is sorted. Keys are compared in full at the end, so that a group has equal keys and not
//! merely equal hashes.
//!
//! Measured against `HashMap<u64, Vec<u32>>` by `benches/engine`.

use std::ops::Range;

use rayon::prelude::*;

use crate::{Id, columns::Column};

/// Entries that one thread scatters at a time.
const RUN: usize = 1 << 16;
/// Entries that a partition should have.
const PARTITION: usize = 512;
/// More partitions than this outgrow the L2 cache in the scatter.
const MOST_PARTITIONS: usize = 1 << 11;
/// Entries that a task takes: what a thread can hold in its L2 cache beside the filter.
const TASK: usize = 1 << 14;
/// Most slots of the filter, a byte each.
const MOST_SLOTS: usize = 1 << 16;

/// A hash to scatter by. It need not be injective, only quick and fair: one 128-bit product.
#[inline]
fn hash(key: u64) -> u64 {
    let product = u128::from(key ^ 0x9e37_79b9_7f4a_7c15) * 0xd6e8_feb8_6659_fd93;
    (product >> 64) as u64 ^ product as u64
}

/// Memory for the entries of one column, in partitions: 8 bytes an entry and a little.
#[derive(Debug, Default)]
pub(crate) struct Partitions {
    count: usize,
    runs: Vec<Run>,
}

/// Some consecutive entries of a column, those of one partition side by side.
#[derive(Debug, Default)]
struct Run {
    /// The low half of the hash, then the entry's place in the column.
    entries: Vec<u64>,
    /// Where each partition ends.
    ends: Vec<u32>,
}

impl Run {
    fn scatter(&mut self, first: usize, keys: &[u64], partitions: usize) {
        // The partition is in the high bits, the filter and the sort use the low ones.
        let shift = 64 - partitions.trailing_zeros();
        let partition = |hash: u64| hash.checked_shr(shift).unwrap_or(0) as usize;
        self.ends.clear();
        self.ends.resize(partitions, 0);
        for &key in keys {
            self.ends[partition(hash(key))] += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            start += std::mem::replace(end, start);
        }
        self.entries.resize(keys.len(), 0);
        for (entry, &key) in (first as u64..).zip(keys) {
            let hash = hash(key);
            let place = &mut self.ends[partition(hash)];
            self.entries[*place as usize] = hash << 32 | entry;
            *place += 1;
        }
    }

    fn of(&self, partition: usize) -> &[u64] {
        self.of_range(partition..partition + 1)
    }

    fn of_range(&self, partitions: Range<usize>) -> &[u64] {
        let start = partitions
            .start
            .checked_sub(1)
            .map_or(0, |before| self.ends[before]);
        &self.entries[start as usize..self.ends[partitions.end - 1] as usize]
    }
}

impl Partitions {
    /// Scatters a column; what was here before is forgotten.
    pub(crate) fn scatter(&mut self, column: &Column) {
        let keys = column.keys();
        self.count = (keys.len() / PARTITION)
            .next_power_of_two()
            .min(MOST_PARTITIONS);
        self.runs
            .resize_with(keys.len().div_ceil(RUN), Run::default);
        let count = self.count;
        self.runs
            .par_iter_mut()
            .zip(keys.par_chunks(RUN))
            .enumerate()
            .for_each(|(place, (run, keys))| run.scatter(place * RUN, keys, count));
    }

    /// The partitions of each task. It depends on the column alone, not on the number of threads.
    pub(crate) fn tasks(&self) -> impl ExactSizeIterator<Item = Range<usize>> + use<> {
        let entries: usize = self.runs.iter().map(|run| run.entries.len()).sum();
        let (count, tasks) = (self.count, entries.div_ceil(TASK).clamp(1, self.count));
        (0..tasks).map(move |task| count * task / tasks..count * (task + 1) / tasks)
    }

    /// Brings a task's entries into the cache: all at a time, where to read them one partition after
    /// the other would wait for each run.
    fn touch(&self, partitions: &Range<usize>) {
        const LINE: usize = 8;
        let first_words = self.runs.iter().flat_map(|run| {
            let all = run.of_range(partitions.clone());
            all.iter().step_by(LINE)
        });
        std::hint::black_box(first_words.fold(0, |all, word| all ^ word));
    }

    /// Visits every key that several items of the partitions have.
    pub(crate) fn groups(
        &self,
        partitions: Range<usize>,
        column: &Column,
        scratch: &mut GroupScratch,
        mut visit: impl FnMut(Group<'_>),
    ) {
        self.touch(&partitions);
        for partition in partitions {
            self.groups_of_one(partition, column, scratch, &mut visit);
        }
    }

    fn groups_of_one(
        &self,
        partition: usize,
        column: &Column,
        scratch: &mut GroupScratch,
        visit: &mut impl FnMut(Group<'_>),
    ) {
        let GroupScratch {
            filter,
            repeated,
            items,
        } = scratch;
        filter.repeated(|| self.runs.iter().map(|run| run.of(partition)), repeated);
        repeated.sort_unstable();
        let key = |entry: &u64| column.keys()[*entry as u32 as usize];
        for same_hash in repeated.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
            match same_hash {
                [] | [_] => continue,
                [a, b] if column.is_regular() => {
                    visit(Group::MaybeTwo(*a as u32, *b as u32));
                    continue;
                }
                _ => {}
            }
            let first = key(&same_hash[0]);
            if same_hash.iter().any(|entry| key(entry) != first) {
                same_hash.sort_by_key(key);
            }
            for same_key in same_hash.chunk_by(|a, b| key(a) == key(b)) {
                if same_key.len() > 1 {
                    items.clear();
                    items.extend(same_key.iter().map(|&entry| column.item(entry as u32)));
                    visit(Group::Items(key(&same_key[0]), items));
                }
            }
        }
    }
}

/// Items of one bucket.
pub(crate) enum Group<'a> {
    /// Two items, ascending, that have the same key if their keys are equal. To look is left to
    /// the caller, who can look at many such pairs at a time.
    MaybeTwo(Id, Id),
    /// The key and the items, ascending.
    Items(u64, &'a [Id]),
}

/// Memory for [`Partitions::groups`], one for each thread.
#[derive(Debug, Default)]
pub(crate) struct GroupScratch {
    filter: Filter,
    repeated: Vec<u64>,
    items: Vec<Id>,
}

/// Which slots of a partition were met more than once.
#[derive(Debug)]
struct Filter {
    slots: Box<[u8; MOST_SLOTS]>,
}

impl Default for Filter {
    fn default() -> Self {
        Self {
            slots: Box::new([0; MOST_SLOTS]),
        }
    }
}

impl Filter {
    /// Writes to `repeated` at least the entries whose hash occurs more than once.
    fn repeated<'a, I: Iterator<Item = &'a [u64]>>(
        &mut self,
        runs: impl Fn() -> I,
        repeated: &mut Vec<u64>,
    ) {
        let entries = runs().map(<[u64]>::len).sum::<usize>();
        let slots = (16 * entries).next_power_of_two().min(MOST_SLOTS);
        let slot = |entry: u64| (entry >> 32) as usize & (slots - 1) & (MOST_SLOTS - 1);
        self.slots[..slots].fill(0);
        for &entry in runs().flatten() {
            // 0, 1, 3, 7 … 255: a count that stays at the top.
            let slot = &mut self.slots[slot(entry)];
            *slot = *slot << 1 | 1;
        }
        // One place more than can be kept, for the last write that is not.
        repeated.resize(entries + 1, 0);
        let mut kept = 0;
        for &entry in runs().flatten() {
            repeated[kept] = entry;
            kept += usize::from(self.slots[slot(entry)] > 1);
        }
        repeated.truncate(kept);
    }
}
