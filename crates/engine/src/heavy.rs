//! Buckets over the limit: what is compared in them, and how much is not.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap},
};

use lookalike_core::mix;
use rayon::prelude::*;

use crate::{Columns, Id, Join, Pair, marks::Marks};

/// Items with which all others of a heavy bucket are compared.
const ANCHORS: usize = 4;
/// Items that one task compares.
const TASK: usize = 1 << 12;
/// The number of kinds of items up to which pairs are counted exactly, by comparing each kind with each.
const KINDS: usize = 1 << 11;

/// The keys of heavy buckets, with the number of items, for each band.
#[derive(Debug, PartialEq)]
pub(crate) struct HeavyKeys {
    bands: Vec<BTreeMap<u64, u64>>,
}

impl HeavyKeys {
    pub(crate) fn new(bands: Vec<BTreeMap<u64, u64>>) -> Self {
        Self { bands }
    }

    /// The keys of one band, if there are any.
    pub(crate) fn of(&self, band: usize) -> Option<&BTreeMap<u64, u64>> {
        Some(&self.bands[band]).filter(|keys| !keys.is_empty())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bands.iter().all(BTreeMap::is_empty)
    }

    /// Whether the two items of a pair share a heavy bucket.
    pub(crate) fn hold(&self, columns: &Columns, pair: Pair) -> bool {
        self.bands.iter().enumerate().any(|(band, heavy)| {
            let mut shared = columns.column(band).shared(pair.a(), pair.b());
            !heavy.is_empty() && shared.any(|key| heavy.contains_key(&key))
        })
    }
}

/// The heavy buckets that the light pass has met.
#[derive(Debug)]
pub(crate) struct HeavyBuckets {
    pub(crate) keys: HeavyKeys,
    /// The items that are in any of them.
    items: Marks,
}

impl HeavyBuckets {
    pub(crate) fn new(bands: usize) -> Self {
        Self {
            keys: HeavyKeys::new(vec![BTreeMap::new(); bands]),
            items: Marks::default(),
        }
    }

    pub(crate) fn add(&mut self, band: usize, bucket: HeavyBucket) {
        let count = bucket.items.len() as u64;
        if self.keys.bands[band].insert(bucket.key, count).is_none() {
            for item in bucket.items {
                self.items.mark(item);
            }
        }
    }
}

/// A bucket over the limit, with all its items.
pub(crate) struct HeavyBucket {
    pub(crate) key: u64,
    pub(crate) items: Vec<Id>,
}

/// The (band, key) pairs that two items share.
fn shared(columns: &Columns, pair: Pair) -> impl Iterator<Item = (usize, u64)> {
    (0..columns.bands()).flat_map(move |band| {
        let keys = columns.column(band).shared(pair.a(), pair.b());
        keys.map(move |key| (band, key))
    })
}

/// The items of heavy buckets, and the anchors of each.
///
/// In a heavy bucket an item is compared with the anchors, and with its *twin*: the preferred item
/// that has the same keys in every band. So copies are found however many there are.
#[derive(Debug)]
pub(crate) struct Heavy<'a> {
    columns: &'a Columns,
    buckets: HeavyBuckets,
    /// The items of all heavy buckets, by a hash of their keys; items with the same keys side by side, the preferred
    /// first. The hash gives an order that does not depend on ids; which items are copies is decided by their keys,
    /// because keys can be chosen so that hashes agree.
    members: Vec<Member>,
    /// For each band the anchors of each heavy bucket.
    anchors: Vec<BTreeMap<u64, Vec<Id>>>,
}

/// An item of a heavy bucket, and the first item with the same keys: its twin.
#[derive(Clone, Copy, Debug)]
struct Member {
    item: Id,
    twin: Id,
}

impl<'a> Heavy<'a> {
    pub(crate) fn new(
        columns: &'a Columns,
        buckets: HeavyBuckets,
        ranks: Option<&'a [u32]>,
    ) -> Self {
        let rank = |item: Id| ranks.map(|ranks| ranks[item as usize]);
        let members = members(columns, buckets.items.iter().collect(), rank);
        let mut firsts: Vec<Id> = members.iter().map(|member| member.twin).collect();
        firsts.dedup();
        // Stable: items without ranks stay in the order of their hashes.
        firsts.sort_by_key(|&item| rank(item));
        let anchors = (0..columns.bands()).map(|band| {
            let mut anchors = BTreeMap::<u64, Vec<Id>>::new();
            if let Some(heavy) = buckets.keys.of(band) {
                for &item in &firsts {
                    let keys = columns.keys(band, item).iter();
                    for &key in keys.filter(|key| heavy.contains_key(key)) {
                        let anchors = anchors.entry(key).or_default();
                        if anchors.len() < ANCHORS {
                            anchors.push(item);
                        }
                    }
                }
            }
            anchors
        });
        Self {
            anchors: anchors.collect(),
            columns,
            buckets,
            members,
        }
    }

    /// The number of heavy buckets.
    pub(crate) fn buckets(&self) -> u64 {
        let keys = self.buckets.keys.bands.iter();
        keys.map(|keys| keys.len() as u64).sum()
    }

    /// Compares the members of heavy buckets with anchors and twins, each pair once and none that
    /// shares a light bucket. Returns the number of pairs.
    pub(crate) fn compare<T: Send>(
        &self,
        check: &(impl Fn(Pair) -> Option<T> + Sync),
        mut sink: impl FnMut(Pair, T),
    ) -> u64 {
        let mut compared = 0;
        for band in 0..self.columns.bands() {
            for (key, members) in self.members_of(band) {
                let anchors = &self.anchors[band][&key];
                let wave = TASK * 4 * rayon::current_num_threads();
                for wave in members.chunks(wave) {
                    let results: Vec<_> = wave
                        .par_chunks(TASK)
                        .map(|task| self.compare_some(band, key, anchors, task, check))
                        .collect();
                    for Compared { pairs, accepted } in results {
                        compared += pairs;
                        accepted
                            .into_iter()
                            .for_each(|(pair, value)| sink(pair, value));
                    }
                }
            }
        }
        compared
    }

    /// The members of each heavy bucket of a band.
    fn members_of(&self, band: usize) -> BTreeMap<u64, Vec<Member>> {
        let mut members = BTreeMap::<_, Vec<_>>::new();
        if let Some(heavy) = self.buckets.keys.of(band) {
            for &member in &self.members {
                let keys = self.columns.keys(band, member.item).iter();
                for &key in keys.filter(|key| heavy.contains_key(key)) {
                    members.entry(key).or_default().push(member);
                }
            }
        }
        members
    }

    fn compare_some<T>(
        &self,
        band: usize,
        key: u64,
        anchors: &[Id],
        members: &[Member],
        check: &impl Fn(Pair) -> Option<T>,
    ) -> Compared<T> {
        let (mut pairs, mut accepted) = (0, Vec::new());
        for &Member { item, twin } in members {
            let twin = Some(twin).filter(|twin| !anchors.contains(twin));
            for partner in anchors.iter().copied().chain(twin) {
                // Of two anchors the larger looks at the smaller.
                let twice = anchors.contains(&item) && partner > item;
                let Some(pair) = Pair::new(item, partner).filter(|_| !twice) else {
                    continue;
                };
                if self.is_new(band, key, pair) {
                    pairs += 1;
                    accepted.extend(check(pair).map(|value| (pair, value)));
                }
            }
        }
        Compared { pairs, accepted }
    }

    /// Whether this heavy bucket is the first to compare the pair, and no light one did.
    fn is_new(&self, band: usize, key: u64, pair: Pair) -> bool {
        for (other, shared) in shared(self.columns, pair) {
            let Some(anchors) = self.anchors[other].get(&shared) else {
                return false;
            };
            let compared = |anchors: &[Id]| {
                let anchor = |id| anchors.contains(&id);
                anchor(pair.a()) || anchor(pair.b()) || self.columns.same_keys(pair.a(), pair.b())
            };
            if (other, shared) < (band, key) && compared(anchors) {
                return false;
            }
        }
        true
    }

    /// Whether these are the keys of all heavy buckets.
    pub(crate) fn are(&self, keys: &HeavyKeys) -> bool {
        self.buckets.keys == *keys
    }

    /// The number of pairs that share a heavy bucket and a light one.
    ///
    /// Both items of such a pair are members of heavy buckets, so only these are joined again. Their heavy buckets are
    /// complete, and over the limit as before.
    pub(crate) fn pairs_elsewhere(&self, join: Join<'_>) -> u64 {
        let some;
        let columns = if self.members.len() > self.columns.items() / 2 {
            self.columns
        } else {
            let items: Vec<Id> = self.buckets.items.iter().collect();
            some = self.columns.select(&items);
            &some
        };
        let join = Join {
            columns,
            ranks: None,
            ..join
        };
        join.count_light(|pair| self.buckets.keys.hold(columns, pair))
    }

    /// The number of pairs that share a heavy bucket.
    ///
    /// Items in the same heavy buckets are of one kind. Kinds are few in practice: one for a million copies. If there
    /// are many, pairs that share several buckets count several times.
    pub(crate) fn pairs(&self) -> Count {
        let mut kinds = HashMap::<Vec<(usize, u64)>, Kind>::new();
        let mut buckets = Vec::new();
        for copies in self.members.chunk_by(|a, b| a.twin == b.twin) {
            let (example, items) = (copies[0].item, copies.len() as u64);
            buckets.clear();
            for (band, heavy) in self.buckets.keys.bands.iter().enumerate() {
                let keys = self.columns.keys(band, example).iter();
                let heavy = keys.filter(|key| heavy.contains_key(key));
                buckets.extend(heavy.map(|&key| (band, key)));
            }
            if let Some(kind) = kinds.get_mut(&buckets) {
                kind.items += items;
            } else if kinds.len() < KINDS {
                kinds.insert(buckets.clone(), Kind { example, items });
            } else {
                return self.upper_bound();
            }
        }
        let kinds: Vec<Kind> = kinds.into_values().collect();
        let of_kind = |(place, kind): (usize, &Kind)| {
            let meet = |other: &&Kind| {
                let pair = Pair::new(kind.example, other.example);
                pair.is_some_and(|pair| self.buckets.keys.hold(self.columns, pair))
            };
            let others = kinds[place + 1..].iter().filter(meet);
            let others: u64 = others.map(|kind| kind.items).sum();
            within(kind.items) + u128::from(kind.items) * u128::from(others)
        };
        let pairs: u128 = kinds.par_iter().enumerate().map(of_kind).sum();
        Count {
            pairs: u64::try_from(pairs).unwrap_or(u64::MAX),
            is_exact: true,
        }
    }

    fn upper_bound(&self) -> Count {
        let buckets = self.buckets.keys.bands.iter().flat_map(BTreeMap::values);
        let counted = buckets.map(|&items| within(items)).sum::<u128>();
        let pairs = counted.min(within(self.members.len() as u64));
        Count {
            pairs: u64::try_from(pairs).unwrap_or(u64::MAX),
            is_exact: false,
        }
    }
}

/// What was compared in some of a bucket.
struct Compared<T> {
    pairs: u64,
    accepted: Vec<(Pair, T)>,
}

/// A number of pairs, or an upper bound.
pub(crate) struct Count {
    pub(crate) pairs: u64,
    pub(crate) is_exact: bool,
}

/// Items that are in the same heavy buckets.
struct Kind {
    example: Id,
    items: u64,
}

/// The pairs among a number of items.
fn within(items: u64) -> u128 {
    u128::from(items) * u128::from(items.saturating_sub(1)) / 2
}

/// Puts items in the order of [`Heavy::members`].
fn members(
    columns: &Columns,
    items: Vec<Id>,
    rank: impl Fn(Id) -> Option<u32> + Sync,
) -> Vec<Member> {
    let hashed = |item: Id| (content(columns, item), item);
    let mut hashed: Vec<(u64, Id)> = items.into_par_iter().map(hashed).collect();
    hashed.par_sort_unstable_by_key(|&(content, item)| (content, rank(item), item));
    let mut members = Vec::with_capacity(hashed.len());
    for same_hash in hashed.chunk_by_mut(|a, b| a.0 == b.0) {
        let first = same_hash[0].1;
        if !same_hash
            .iter()
            .all(|&(_, item)| columns.same_keys(first, item))
        {
            // Stable: of items with the same keys the preferred stays first.
            same_hash.par_sort_by(|a, b| compare_keys(columns, a.1, b.1));
        }
        for copies in same_hash.chunk_by(|a, b| columns.same_keys(a.1, b.1)) {
            let twin = copies[0].1;
            members.extend(copies.iter().map(|&(_, item)| Member { item, twin }));
        }
    }
    members
}

/// A hash of an item's keys in all bands.
fn content(columns: &Columns, item: Id) -> u64 {
    let keys = (0..columns.bands()).flat_map(|band| {
        let keys = columns.keys(band, item).iter();
        keys.map(move |&key| mix(key ^ mix(band as u64 + 1)))
    });
    keys.fold(0, |hash, key| mix(hash ^ key))
}

/// Orders items by their keys, band by band.
fn compare_keys(columns: &Columns, a: Id, b: Id) -> Ordering {
    let bands = 0..columns.bands();
    let orders = bands.map(|band| columns.keys(band, a).cmp(columns.keys(band, b)));
    orders.fold(Ordering::Equal, Ordering::then)
}
