//! Columns in which some item has several keys: two items may meet in many of them.
//!
//! All buckets of the column are gathered first, and then walked item by item. What one item meets comes together, so that
//! repeats are seen by a mark; and the item stays in the cache while others are compared with it. Rejected: a pair comes
//! out at the smallest key that both have, as it does at the first of several bands. That merges two lists of keys for
//! every meeting, and goes through all buckets once more to know those over the limit.

use std::ops::Range;

use rayon::prelude::*;

use crate::{
    Id,
    columns::Column,
    heavy::HeavyBucket,
    partition::{Group, GroupScratch, Partitions},
};

/// Items that one task walks through.
const TASK: usize = 1 << 10;

/// The buckets of a column within the limit, by item.
#[derive(Debug, Default)]
pub(crate) struct Meetings {
    /// The items of all buckets, bucket after bucket, ascending in each.
    members: Vec<Id>,
    /// For each bucket of an item, where the items that follow it are among the members, and where they end.
    after: Vec<[u32; 2]>,
    /// Item i has `after[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    pub(crate) buckets: u64,
    pub(crate) largest_bucket: u64,
}

/// The buckets of some partitions.
#[derive(Default)]
struct Part {
    members: Vec<Id>,
    /// Where each bucket ends.
    ends: Vec<u32>,
    heavy: Vec<HeavyBucket>,
}

impl Meetings {
    /// Gathers the buckets of a column of `items` items; those over the limit are left to the caller.
    pub(crate) fn gather(
        partitions: &Partitions<'_>,
        column: &Column,
        items: usize,
        limit: usize,
    ) -> (Self, Vec<HeavyBucket>) {
        let tasks: Vec<_> = partitions.tasks().collect();
        let parts: Vec<Part> = tasks
            .into_par_iter()
            .map_init(GroupScratch::default, |scratch, task| {
                let mut part = Part::default();
                partitions.groups(task, column, limit, scratch, |group| part.add(group, limit));
                part
            })
            .collect();
        let (mut meetings, mut ends, mut heavy) = (Self::default(), Vec::new(), Vec::new());
        for part in parts {
            let shift = meetings.members.len() as u32;
            meetings.members.extend_from_slice(&part.members);
            ends.extend(part.ends.iter().map(|end| shift + end));
            heavy.extend(part.heavy);
        }
        meetings.buckets = (ends.len() + heavy.len()) as u64;
        let largest = heavy.iter().map(|bucket| bucket.items.len()).max();
        meetings.largest_bucket = largest.unwrap_or(0) as u64;
        meetings.index(&ends, items);
        (meetings, heavy)
    }

    /// Notes for each item what follows it in its buckets.
    fn index(&mut self, ends: &[u32], items: usize) {
        let buckets = || {
            let mut start = 0;
            ends.iter()
                .map(move |&end| std::mem::replace(&mut start, end)..end)
        };
        // First how many each item has, then where they start.
        self.starts = vec![0; items + 1];
        for bucket in buckets() {
            self.largest_bucket = self.largest_bucket.max(bucket.len() as u64);
            for &item in &self.members[bucket.start as usize..bucket.end as usize - 1] {
                self.starts[item as usize + 1] += 1;
            }
        }
        let mut sum = 0;
        for start in &mut self.starts {
            sum += *start;
            *start = sum;
        }
        self.after = vec![[0; 2]; sum as usize];
        let mut next = self.starts.clone();
        for bucket in buckets() {
            for place in bucket.start..bucket.end - 1 {
                let next = &mut next[self.members[place as usize] as usize];
                self.after[*next as usize] = [place + 1, bucket.end];
                *next += 1;
            }
        }
    }

    /// The items of each task. They depend on the number of items alone.
    pub(crate) fn tasks(&self) -> Vec<Range<usize>> {
        let items = self.starts.len() - 1;
        let tasks = (0..items).step_by(TASK);
        tasks.map(|first| first..items.min(first + TASK)).collect()
    }

    /// Visits the items with larger ids that an item meets, each once. `last_met` has one place per item, which holds the
    /// item that met it last, or itself.
    #[inline]
    pub(crate) fn of(&self, item: Id, last_met: &mut [Id], mut visit: impl FnMut(Id)) {
        let [start, end] = [0, 1].map(|next| self.starts[item as usize + next] as usize);
        for &[first, end] in &self.after[start..end] {
            for &other in &self.members[first as usize..end as usize] {
                let last = &mut last_met[other as usize];
                if *last != item {
                    *last = item;
                    visit(other);
                }
            }
        }
    }
}

impl Part {
    fn add(&mut self, group: Group<'_>, limit: usize) {
        match group {
            Group::SameKey(key, items) if items.len() > limit => {
                let items = items.to_vec();
                self.heavy.push(HeavyBucket { key, items });
            }
            Group::SameKey(_, items) | Group::SameHash(items) => {
                self.members.extend_from_slice(items);
                self.ends.push(self.members.len() as u32);
            }
        }
    }
}
