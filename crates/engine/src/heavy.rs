//! Buckets over the limit: what is compared in them, and how much is not.

use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    num::NonZeroU64,
};

use lookalike_core::mix;
use rayon::prelude::*;

use crate::{Columns, Id, Pair};

/// Items with which all others of a heavy bucket are compared.
const ANCHORS: usize = 4;
/// Items that one task compares.
const TASK: usize = 1 << 12;
/// Kinds of items up to which pairs are counted exactly, by comparing each kind with each.
const KINDS: usize = 1 << 11;

/// The keys of heavy buckets, by band.
#[derive(Debug)]
pub(crate) struct HeavyBuckets {
    bands: Vec<BTreeSet<u64>>,
}

impl HeavyBuckets {
    pub(crate) fn new(bands: usize) -> Self {
        Self {
            bands: vec![BTreeSet::new(); bands],
        }
    }

    pub(crate) fn add(&mut self, band: usize, keys: impl IntoIterator<Item = u64>) {
        self.bands[band].extend(keys);
    }

    /// The keys of one band, if there are any.
    pub(crate) fn of(&self, band: usize) -> Option<&BTreeSet<u64>> {
        Some(&self.bands[band]).filter(|keys| !keys.is_empty())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.bands.iter().all(BTreeSet::is_empty)
    }
}

/// Heavy buckets with their anchors.
///
/// In a heavy bucket an item is compared with the anchors, and with its *twin*: the preferred item
/// that has the same keys in every band. So copies are found however many there are.
#[derive(Debug)]
pub(crate) struct Heavy<'a> {
    columns: &'a Columns,
    /// A hash of each item's keys in all bands: what the engine knows of its content.
    content: Vec<u64>,
    ranks: Option<&'a [u32]>,
    bands: Vec<BTreeMap<u64, Bucket>>,
}

#[derive(Debug)]
struct Bucket {
    items: u64,
    anchors: Vec<Id>,
}

impl<'a> Heavy<'a> {
    pub(crate) fn new(columns: &'a Columns, keys: HeavyBuckets, ranks: Option<&'a [u32]>) -> Self {
        let bands = 0..columns.bands();
        let content = (0..columns.items() as Id)
            .into_par_iter()
            .map(|item| {
                let keys = bands.clone().flat_map(|band| {
                    let keys = columns.keys(band, item).iter();
                    keys.map(move |&key| tagged(band, key))
                });
                keys.fold(0, |hash, key| mix(hash ^ key))
            })
            .collect();
        let unfilled = |keys: BTreeSet<u64>| {
            let empty = |key| {
                (
                    key,
                    Bucket {
                        items: 0,
                        anchors: Vec::new(),
                    },
                )
            };
            keys.into_iter().map(empty).collect()
        };
        let mut heavy = Self {
            columns,
            content,
            ranks,
            bands: keys.bands.into_iter().map(unfilled).collect(),
        };
        for band in bands {
            for (key, members) in heavy.members(band) {
                let firsts = members.chunk_by(|a, b| a.0 == b.0).map(|same| same[0].1);
                let mut anchors: Vec<Id> = firsts.collect();
                // By content without ranks: that is the order they are in.
                anchors.sort_by_key(|&item| heavy.rank(item));
                anchors.truncate(ANCHORS);
                let bucket = Bucket {
                    items: members.len() as u64,
                    anchors,
                };
                heavy.bands[band].insert(key, bucket);
            }
        }
        heavy
    }

    pub(crate) fn buckets(&self) -> u64 {
        self.bands.iter().map(|buckets| buckets.len() as u64).sum()
    }

    /// An item's place in the order of preference, if there is one.
    fn rank(&self, item: Id) -> Option<u32> {
        self.ranks.map(|ranks| ranks[item as usize])
    }

    /// The (content, id) of the members of each heavy bucket of a band, by content; of equal content the preferred first.
    fn members(&self, band: usize) -> BTreeMap<u64, Vec<(u64, Id)>> {
        let mut members = BTreeMap::<_, Vec<_>>::new();
        if !self.bands[band].is_empty() {
            for item in 0..self.columns.items() as Id {
                for key in self.columns.keys(band, item) {
                    if self.bands[band].contains_key(key) {
                        let content = self.content[item as usize];
                        members.entry(*key).or_default().push((content, item));
                    }
                }
            }
        }
        members.par_iter_mut().for_each(|(_, members)| {
            members.sort_unstable_by_key(|&(content, item)| (content, self.rank(item), item));
        });
        members
    }

    /// Compares the members of heavy buckets with anchors and twins, each pair once and none that
    /// shares a light bucket; answers with the number of pairs.
    pub(crate) fn compare<T: Send>(
        &self,
        check: &(impl Fn(Pair) -> Option<T> + Sync),
        mut sink: impl FnMut(Pair, T),
    ) -> u64 {
        let mut compared = 0;
        for (band, buckets) in self.bands.iter().enumerate() {
            for (key, members) in self.members(band) {
                let anchors = &buckets[&key].anchors;
                let firsts: Vec<(Id, Id)> = members
                    .chunk_by(|a, b| a.0 == b.0)
                    .flat_map(|same| same.iter().map(|&(_, item)| (item, same[0].1)))
                    .collect();
                let wave = TASK * 4 * rayon::current_num_threads();
                for wave in firsts.chunks(wave) {
                    let results: Vec<_> = wave
                        .par_chunks(TASK)
                        .map(|task| self.compare_some(band, key, anchors, task, check))
                        .collect();
                    for (pairs, accepted) in results {
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

    fn compare_some<T>(
        &self,
        band: usize,
        key: u64,
        anchors: &[Id],
        items_and_firsts: &[(Id, Id)],
        check: &impl Fn(Pair) -> Option<T>,
    ) -> (u64, Vec<(Pair, T)>) {
        let (mut pairs, mut accepted) = (0, Vec::new());
        for &(item, first) in items_and_firsts {
            let twin = !anchors.contains(&first) && self.columns.same_keys(item, first);
            let partners = anchors.iter().copied().chain(twin.then_some(first));
            for partner in partners {
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
        (pairs, accepted)
    }

    /// Whether this heavy bucket is the first to compare the pair, and no light one did.
    fn is_new(&self, band: usize, key: u64, pair: Pair) -> bool {
        let compared_before = self
            .heavy_shared(pair)
            .take_while(|&(b, k, _)| (b, k) < (band, key));
        let compared = |bucket: &Bucket| {
            let anchor = |id| bucket.anchors.contains(&id);
            anchor(pair.a()) || anchor(pair.b()) || self.columns.same_keys(pair.a(), pair.b())
        };
        !compared_before
            .into_iter()
            .any(|(_, _, bucket)| compared(bucket))
            && !self
                .shared(pair)
                .any(|(band, key)| !self.bands[band].contains_key(&key))
    }

    fn shared(&self, pair: Pair) -> impl Iterator<Item = (usize, u64)> {
        (0..self.bands.len()).flat_map(move |band| {
            let keys = self.columns.column(band).shared(pair.a(), pair.b());
            keys.map(move |key| (band, key))
        })
    }

    fn heavy_shared(&self, pair: Pair) -> impl Iterator<Item = (usize, u64, &Bucket)> {
        let bucket = |(band, key): (usize, u64)| Some((band, key, self.bands[band].get(&key)?));
        self.shared(pair).filter_map(bucket)
    }

    /// Whether the two share a heavy bucket.
    pub(crate) fn holds(&self, pair: Pair) -> bool {
        self.heavy_shared(pair).next().is_some()
    }

    /// How many pairs share a heavy bucket, and whether that is exact or an upper bound.
    ///
    /// Items in the same heavy buckets are of one kind. Kinds are few in practice: one
    /// for a million copies. Where they are many, pairs that share several buckets count several times.
    pub(crate) fn pairs(&self) -> (u64, bool) {
        let mut marks: Vec<Option<NonZeroU64>> = vec![None; self.columns.items()];
        for (band, buckets) in self.bands.iter().enumerate().filter(|(_, b)| !b.is_empty()) {
            for (item, mark) in (0..).zip(&mut marks) {
                for key in self.columns.keys(band, item) {
                    if buckets.contains_key(key) {
                        let before = mark.map_or(0, NonZeroU64::get);
                        *mark = NonZeroU64::new(mix(before ^ tagged(band, *key)) | 1);
                    }
                }
            }
        }
        let mut kinds = HashMap::<NonZeroU64, (Id, u64)>::new();
        for (item, mark) in (0..).zip(marks) {
            if let Some(mark) = mark {
                kinds.entry(mark).or_insert((item, 0)).1 += 1;
            }
        }
        let kinds: Vec<(Id, u64)> = kinds.into_values().collect();
        let within = |items: u64| u128::from(items) * u128::from(items.saturating_sub(1)) / 2;
        let exact = kinds.len() <= KINDS;
        let pairs: u128 = if exact {
            let with_others = kinds.par_iter().enumerate().map(|(i, &(a, items))| {
                let meet =
                    |&&(b, _): &&(Id, u64)| Pair::new(a, b).is_some_and(|pair| self.holds(pair));
                let others: u64 = kinds[i + 1..].iter().filter(meet).map(|kind| kind.1).sum();
                within(items) + u128::from(items) * u128::from(others)
            });
            with_others.sum()
        } else {
            let buckets = self.bands.iter().flat_map(BTreeMap::values);
            let counted = buckets.map(|bucket| within(bucket.items)).sum::<u128>();
            counted.min(within(kinds.iter().map(|kind| kind.1).sum()))
        };
        (u64::try_from(pairs).unwrap_or(u64::MAX), exact)
    }
}

/// A word for a key in a band, to be hashed with others.
fn tagged(band: usize, key: u64) -> u64 {
    mix(key ^ mix(band as u64 + 1))
}
