//! From the partitions of one band to its pairs, each at its first common bucket.

use std::ops::Range;

use crate::{
    Id, Join, Pair,
    heavy::{HeavyBucket, HeavyKeys},
    join::Check,
    meetings::Meetings,
    partition::{Group, GroupScratch, Partitions},
};

/// What earlier bands have found.
#[derive(Clone, Copy)]
pub(crate) struct Found<'a> {
    /// The smaller id of the last pair that each item was the larger of; itself before the first.
    pub(crate) partner: &'a [Id],
    /// The buckets that are not expanded.
    pub(crate) heavy: &'a HeavyKeys,
    /// The buckets that will not be expanded in any band, if some were foreseen.
    pub(crate) foreseen: Option<&'a HeavyKeys>,
}

/// Pairs of a task that wait to be compared, so that many are compared at a time.
#[derive(Default)]
struct Waiting {
    /// The only two items with their hash.
    twos: Vec<Pair>,
    /// Items with the same hash.
    unsure: Vec<Pair>,
    /// Items with the same key.
    sure: Vec<Pair>,
    flags: Vec<bool>,
}

impl Waiting {
    /// Enough pairs to hide the latency of memory. More would only take room: a bucket may have many pairs.
    fn is_full(&self) -> bool {
        self.twos.len() + self.unsure.len() + self.sure.len() >= 1 << 14
    }
}

/// All pairs of ascending items.
fn pairs_of(items: &[Id]) -> impl Iterator<Item = Pair> {
    let after = |(i, &a): (usize, &Id)| items[i + 1..].iter().map(move |&b| Pair::ordered(a, b));
    items.iter().enumerate().flat_map(after)
}

/// Keeps the pairs whose flag is `wanted`, without a branch.
fn keep(pairs: &mut Vec<Pair>, flags: &[bool], wanted: bool) {
    let mut kept = 0;
    for (place, &flag) in flags.iter().enumerate() {
        pairs[kept] = pairs[place];
        kept += usize::from(flag == wanted);
    }
    pairs.truncate(kept);
}

/// What one task has found.
pub(crate) struct Expanded<T> {
    pub(crate) candidates: u64,
    /// Candidates that share a foreseen heavy bucket, too.
    pub(crate) in_heavy: u64,
    pub(crate) accepted: Vec<(Pair, T)>,
    pub(crate) buckets: u64,
    pub(crate) largest_bucket: u64,
    pub(crate) heavy: Vec<HeavyBucket>,
}

impl<T> Default for Expanded<T> {
    fn default() -> Self {
        Self {
            candidates: 0,
            in_heavy: 0,
            accepted: Vec::new(),
            buckets: 0,
            largest_bucket: 0,
            heavy: Vec::new(),
        }
    }
}

impl Join<'_> {
    /// The pairs that some partitions of a band are the first to find, checked.
    pub(crate) fn expand<T>(
        &self,
        band: usize,
        partitions: &Partitions<'_>,
        of_task: Range<usize>,
        found: Found<'_>,
        scratch: &mut GroupScratch,
        check: &impl Check<T>,
    ) -> Expanded<T> {
        let column = self.columns.column(band);
        let mut result = Expanded::default();
        let mut waiting = Waiting::default();
        partitions.groups(of_task, column, self.limit, scratch, |group| {
            let (items, key) = match group {
                Group::SameHash(&[a, b]) => {
                    waiting.twos.push(Pair::ordered(a, b));
                    if waiting.is_full() {
                        self.compare(band, found, &mut waiting, &mut result, check);
                    }
                    return;
                }
                Group::SameHash(items) => (items, None),
                Group::SameKey(key, items) => (items, Some(key)),
            };
            result.buckets += 1;
            result.largest_bucket = result.largest_bucket.max(items.len() as u64);
            if items.len() > self.limit {
                result.heavy.extend(key.map(|key| HeavyBucket {
                    key,
                    items: items.to_vec(),
                }));
                return;
            }
            for pair in pairs_of(items) {
                match key {
                    None => waiting.unsure.push(pair),
                    Some(_) => waiting.sure.push(pair),
                }
                if waiting.is_full() {
                    self.compare(band, found, &mut waiting, &mut result, check);
                }
            }
        });
        self.compare(band, found, &mut waiting, &mut result, check);
        result
    }

    /// The same for some items of a band in which items have several keys.
    pub(crate) fn expand_items<T>(
        &self,
        band: usize,
        meetings: &Meetings,
        items: Range<usize>,
        found: Found<'_>,
        last_met: &mut [Id],
        check: &impl Check<T>,
    ) -> Expanded<T> {
        let mut result = Expanded::default();
        let mut waiting = Waiting::default();
        for item in items {
            let item = item as Id;
            meetings.of(item, last_met, |other| {
                waiting.sure.push(Pair::ordered(item, other));
                if waiting.is_full() {
                    self.compare(band, found, &mut waiting, &mut result, check);
                }
            });
        }
        self.compare(band, found, &mut waiting, &mut result, check);
        result
    }

    /// Checks the pairs that wait, except those that an earlier band has found.
    fn compare<T>(
        &self,
        band: usize,
        found: Found<'_>,
        waiting: &mut Waiting,
        result: &mut Expanded<T>,
        check: &impl Check<T>,
    ) {
        let column = self.columns.column(band);
        let Waiting {
            twos,
            unsure,
            sure,
            flags,
        } = waiting;
        // Two items that an earlier band has found are a bucket, too. It is so unlikely that only their hashes agree
        // that their keys are not compared.
        result.buckets += twos.len() as u64;
        self.drop_found(band, found, twos, flags);
        result.buckets -= twos.len() as u64;
        column.share(twos, None, flags);
        keep(twos, flags, true);
        result.buckets += twos.len() as u64;
        if result.buckets > 0 {
            result.largest_bucket = result.largest_bucket.max(2);
        }
        // Foreseen buckets need all candidates, to tell how many pairs were not compared.
        if found.foreseen.is_none() {
            check.drop_far(unsure);
            check.drop_far(sure);
        }
        self.drop_found(band, found, unsure, flags);
        column.share(unsure, None, flags);
        keep(unsure, flags, true);
        self.drop_found(band, found, sure, flags);
        for pairs in [twos, unsure, sure] {
            result.candidates += pairs.len() as u64;
            if let Some(foreseen) = found.foreseen {
                let in_heavy = pairs.iter().filter(|&&it| foreseen.hold(self.columns, it));
                result.in_heavy += in_heavy.count() as u64;
            }
            let checked = pairs.drain(..);
            let accepted = checked.filter_map(|pair| Some((pair, check.check(pair)?)));
            result.accepted.extend(accepted);
        }
    }

    /// Drops the pairs that an earlier band has found.
    fn drop_found(
        &self,
        band: usize,
        found: Found<'_>,
        pairs: &mut Vec<Pair>,
        flags: &mut Vec<bool>,
    ) {
        // Most items have one partner, and one look is enough; the columns below take several.
        flags.clear();
        flags.extend(
            pairs
                .iter()
                .map(|pair| found.partner[pair.b() as usize] == pair.a()),
        );
        keep(pairs, flags, false);
        for earlier in 0..band {
            if pairs.is_empty() {
                return;
            }
            self.columns
                .column(earlier)
                .share(pairs, found.heavy.of(earlier), flags);
            keep(pairs, flags, false);
        }
    }
}
