//! Grouping the entries of one column by key: the hot kernel of the join.
//!
//! A hash table of a million keys misses the cache at every step. Here entries
//! are first scattered by some bits of their hash into partitions that fit the
//! nearer caches, run by run, so that the scatter itself stays there however long
//! the column is. In a partition a filter of one byte a slot drops nearly all
//! keys that occur once, without a branch, a second one most of what the first
//! kept by chance, and only what remains is sorted. Keys are compared in full
//! before a pair comes out: equal hashes are not enough.
//!
//! Measured against `HashMap<u64, Vec<u32>>` by `benches/engine`.

use std::ops::Range;

use rayon::prelude::*;

use crate::{Id, columns::Column, owners::Owners};

/// Entries that one thread scatters at a time.
const RUN: usize = 1 << 16;
/// Entries that a partition should have.
const PARTITION: usize = 1 << 11;
/// More partitions than this outgrow the nearer caches in the scatter.
const MOST_PARTITIONS: usize = 1 << 10;
/// Entries that a task takes. Fewer would cost allocations, more would leave threads idle.
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
pub(crate) struct Partitions<'a> {
    count: usize,
    runs: Vec<Run>,
    /// The items of entries; `None`: an entry is an item.
    owners: Option<Owners<'a>>,
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
        let start = partition
            .checked_sub(1)
            .map_or(0, |before| self.ends[before]);
        &self.entries[start as usize..self.ends[partition] as usize]
    }
}

impl<'a> Partitions<'a> {
    /// Scatters a column; what was here before is forgotten.
    pub(crate) fn scatter(&mut self, column: &'a Column) {
        let keys = column.keys();
        self.owners = column.starts().map(Owners::new);
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

    /// Visits every key that several items of the partitions have; more than `limit` items only
    /// after comparing their keys.
    pub(crate) fn groups(
        &self,
        partitions: Range<usize>,
        column: &Column,
        limit: usize,
        scratch: &mut GroupScratch,
        mut visit: impl FnMut(Group<'_>),
    ) {
        for partition in partitions {
            self.groups_of_one(partition, column, limit, scratch, &mut visit);
        }
    }

    fn groups_of_one(
        &self,
        partition: usize,
        column: &Column,
        limit: usize,
        scratch: &mut GroupScratch,
        visit: &mut impl FnMut(Group<'_>),
    ) {
        let GroupScratch {
            filter,
            repeated,
            items,
        } = scratch;
        filter.repeated(|| self.runs.iter().map(|run| run.of(partition)), repeated);
        filter.keep_repeated(repeated);
        repeated.sort_unstable();
        let item = |entry: &u64| {
            let entry = *entry as u32;
            self.owners
                .as_ref()
                .map_or(entry, |owners| owners.of(entry))
        };
        let key = |entry: &u64| column.keys()[*entry as u32 as usize];
        for same_hash in repeated.chunk_by_mut(|a, b| a >> 32 == b >> 32) {
            if same_hash.len() == 1 {
                continue;
            }
            items.clear();
            if same_hash.len() <= limit && column.is_regular() {
                items.extend(same_hash.iter().map(item));
                visit(Group::SameHash(items));
                continue;
            }
            same_hash.sort_by_key(key);
            for same_key in same_hash.chunk_by(|a, b| key(a) == key(b)) {
                if same_key.len() > 1 {
                    items.clear();
                    items.extend(same_key.iter().map(item));
                    visit(Group::SameKey(key(&same_key[0]), items));
                }
            }
        }
    }
}

/// Items, ascending, two or more.
pub(crate) enum Group<'a> {
    /// Each has one key, and these have the same hash of 32 bits or more. Whether they are the same is left to the
    /// caller, who can compare the keys of many pairs at a time. At most as many as the limit.
    SameHash(&'a [Id]),
    /// These have the same key.
    SameKey(u64, &'a [Id]),
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
    /// Writes to `repeated` at least the entries whose hash occurs more than once, and few others.
    fn repeated<'a, I: Iterator<Item = &'a [u64]>>(
        &mut self,
        runs: impl Fn() -> I,
        repeated: &mut Vec<u64>,
    ) {
        let entries = runs().map(<[u64]>::len).sum::<usize>();
        let slot = self.count(runs().flatten(), 4 * entries, 32);
        // One place more than can be kept, for the last write that is not.
        repeated.resize(entries + 1, 0);
        let mut kept = 0;
        for &entry in runs().flatten() {
            repeated[kept] = entry;
            kept += usize::from(self.slots[slot.of(entry)] > 1);
        }
        repeated.truncate(kept);
    }

    /// Drops most of the entries that were kept by chance, by other bits of the hash. It halves what
    /// must be sorted, and is quicker than sorting that half.
    fn keep_repeated(&mut self, repeated: &mut Vec<u64>) {
        let slot = self.count(repeated.iter(), 16 * repeated.len(), 48);
        let mut kept = 0;
        for place in 0..repeated.len() {
            let entry = repeated[place];
            repeated[kept] = entry;
            kept += usize::from(self.slots[slot.of(entry)] > 1);
        }
        repeated.truncate(kept);
    }

    /// Counts entries by slot, up to a few. The slot is some bits of the hash from `shift` on.
    fn count<'a>(
        &mut self,
        entries: impl Iterator<Item = &'a u64>,
        slots: usize,
        shift: u32,
    ) -> Slot {
        let slots = slots.next_power_of_two().min(MOST_SLOTS);
        let slot = Slot {
            shift,
            mask: slots - 1,
        };
        self.slots[..slots].fill(0);
        for &entry in entries {
            // 0, 1, 3, 7 … 255: a count that stays at the top.
            let count = &mut self.slots[slot.of(entry)];
            *count = *count << 1 | 1;
        }
        slot
    }
}

/// Which slot of the filter an entry has.
#[derive(Clone, Copy)]
struct Slot {
    shift: u32,
    mask: usize,
}

impl Slot {
    #[inline]
    fn of(self, entry: u64) -> usize {
        // The second mask tells the compiler that the slot is there.
        (entry >> self.shift) as usize & self.mask & (MOST_SLOTS - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Columns, Join};
    use lookalike_core::{KeySource, TooManyKeys, mix};

    /// An item is its keys in one band.
    struct Keys;

    impl KeySource for Keys {
        type Item = Vec<u64>;
        type Payload = ();
        type Scratch = ();

        fn bands(&self) -> usize {
            1
        }

        fn key_bits(&self) -> u32 {
            64
        }

        fn describe(&self) -> String {
            "Keys".into()
        }

        fn keys(
            &self,
            item: &Vec<u64>,
            _: &mut (),
            mut emit: impl FnMut(u32, u64, ()),
        ) -> Result<(), TooManyKeys> {
            item.iter().for_each(|&key| emit(0, key, ()));
            Ok(())
        }
    }

    /// Among 2^18 keys about eight pairs agree in the 32 bits that a small join looks at.
    #[test]
    fn equal_hashes_are_not_equal_keys() {
        let mut keys: Vec<u64> = (1..1 << 18).map(mix).collect();
        keys.sort_unstable_by_key(|&key| hash(key) as u32);
        let collision = |pair: &[u64]| hash(pair[0]) as u32 == hash(pair[1]) as u32;
        let colliding: Vec<&[u64]> = keys.windows(2).filter(|pair| collision(pair)).collect();
        assert!(!colliding.is_empty());
        for pair in colliding {
            let (a, b) = (vec![pair[0]], vec![pair[1]]);
            let join = |items: &[Vec<u64>], limit| {
                let columns = Columns::build(&Keys, items).unwrap();
                let joined = Join::new(&columns).bucket_limit(limit).candidates();
                let pairs = joined.found.iter();
                pairs.map(|pair| (pair.a(), pair.b())).collect::<Vec<_>>()
            };
            assert_eq!(join(&[a.clone(), b.clone()], 9), []);
            let four = [a.clone(), b.clone(), a.clone(), b.clone()];
            assert_eq!(join(&four, 9), [(0, 2), (1, 3)]);
            // Compared before the limit, and in columns with items that have no key.
            assert_eq!(join(&four, 2), [(0, 2), (1, 3)]);
            assert_eq!(join(&[a.clone(), vec![], b, a], 9), [(0, 3)]);
        }
    }
}
