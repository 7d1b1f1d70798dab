use std::{cmp::Ordering, collections::BinaryHeap};

use rayon::prelude::*;

use crate::{
    Columns, Id, Match, Pair, Verify,
    expand::{Expanded, Found},
    foreseen,
    heavy::{Heavy, HeavyBuckets, HeavyKeys},
    meetings::Meetings,
    partition::{GroupScratch, Partitions},
    spare::Spare,
};

/// What a join did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Summary {
    /// Pairs that share a bucket and were looked at, each once; without those that
    /// [a quick look](Verify::drop_far) dropped.
    pub candidates: u64,
    /// Candidates that the check accepted.
    pub accepted: u64,
    /// Buckets with two or more items, over all bands. Those with three or more are distinguished by a hash
    /// of their key, of 32 bits or more.
    pub buckets: u64,
    /// Items in the largest bucket, by the same hash while it is within the limit.
    pub largest_bucket: u64,
    /// Buckets over the limit.
    pub heavy_buckets: u64,
    /// Pairs that share only buckets over the limit and were not looked at.
    pub not_compared: u64,
    /// Whether `not_compared` is exact; where it is not, it is an upper bound.
    pub not_compared_is_exact: bool,
}

/// The result of a join.
#[derive(Clone, Debug, PartialEq)]
pub struct Joined<T> {
    /// The candidates or matches.
    pub found: Vec<T>,
    /// What the join did to find them.
    pub summary: Summary,
}

/// All pairs of items that share a bucket, each once.
///
/// Bands are taken one after the other. A pair comes out at its first common bucket
/// that is expanded in full, so that nothing must be remembered about pairs.
///
/// A bucket with more items than the [limit](Join::bucket_limit) is not expanded, because its pairs
/// grow with the square of its items. Its items are compared with a few anchors, chosen by [rank](Join::prefer) or by a
/// hash of their keys and thus by content, and with the first item that has the same keys everywhere. Pairs that are
/// neither compared that way nor found in another bucket are counted.
///
/// A join sees the keys under which items are stored. A source that [probes](lookalike_core::KeySource::has_probes) asks
/// more: see [`BucketIndex::matches`](crate::BucketIndex::matches).
///
/// ```
/// use lookalike_core::{KeySource, TooManyKeys};
/// use lookalike_engine::{Columns, Join, Pair};
///
/// /// Words meet where they share their first or their last letter.
/// struct Ends;
///
/// impl KeySource for Ends {
///     type Item = str;
///     type Payload = ();
///     type Scratch = ();
///     fn bands(&self) -> usize { 2 }
///     fn key_bits(&self) -> u32 { 8 }
///     fn describe(&self) -> String { "Ends".into() }
///     fn keys(&self, word: &str, _: &mut (), mut emit: impl FnMut(u32, u64, ())) -> Result<(), TooManyKeys> {
///         let letters = word.as_bytes();
///         letters.first().into_iter().for_each(|&letter| emit(0, letter.into(), ()));
///         letters.last().into_iter().for_each(|&letter| emit(1, letter.into(), ()));
///         Ok(())
///     }
/// }
///
/// let columns = Columns::build(&Ends, &["rose", "red", "", "white", "read", ""])?;
/// let candidates = Join::new(&columns).candidates();
/// let pairs: Vec<_> = candidates.found.iter().map(|pair| (pair.a(), pair.b())).collect();
/// assert_eq!(pairs, [(0, 1), (0, 3), (0, 4), (1, 4)]);
/// # Ok::<(), lookalike_engine::Error>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Join<'a> {
    pub(crate) columns: &'a Columns,
    pub(crate) limit: usize,
    pub(crate) ranks: Option<&'a [u32]>,
}

impl<'a> Join<'a> {
    /// The largest bucket that is compared in full, unless another limit is given.
    pub const BUCKET_LIMIT: usize = 1000;

    /// A join of all items.
    #[must_use]
    pub fn new(columns: &'a Columns) -> Self {
        Self {
            columns,
            limit: Self::BUCKET_LIMIT,
            ranks: None,
        }
    }

    /// Expands buckets of up to `limit` items in full; a bucket of two always is.
    #[must_use]
    pub fn bucket_limit(self, limit: usize) -> Self {
        Self {
            limit: limit.max(2),
            ..self
        }
    }

    /// Takes as anchors of a bucket over the limit its items with the smallest ranks. There is one rank per item.
    ///
    /// If the ranks are the order in which clusters keep items, the item that is kept is compared with
    /// everything in its buckets, however large they are.
    ///
    /// # Panics
    /// If there are not as many ranks as items.
    #[must_use]
    pub fn prefer(self, ranks: &'a [u32]) -> Self {
        assert_eq!(
            ranks.len(),
            self.columns.items(),
            "there must be one rank per item"
        );
        Self {
            ranks: Some(ranks),
            ..self
        }
    }

    /// Streams the candidates that `check` accepts to `sink`.
    ///
    /// `check` runs on all threads; `sink` is called on this one, in an order that does not depend on
    /// their number.
    pub fn run<T: Send>(
        &self,
        check: impl Fn(Pair) -> Option<T> + Sync,
        sink: impl FnMut(Pair, T),
    ) -> Summary {
        self.run_by(&check, sink)
    }

    fn run_by<T: Send>(&self, check: &impl Check<T>, mut sink: impl FnMut(Pair, T)) -> Summary {
        let mut summary = Summary {
            not_compared_is_exact: true,
            ..Summary::default()
        };
        let foreseen = foreseen::heavy_keys(self.columns, self.limit);
        let Light { heavy, in_heavy } = self.light(check, &mut sink, &mut summary, &foreseen);
        if !heavy.keys.is_empty() {
            let heavy = Heavy::new(self.columns, heavy, self.ranks);
            summary.heavy_buckets = heavy.buckets();
            let compared = heavy.compare(&|pair| check.check(pair), |pair, value| {
                summary.accepted += 1;
                sink(pair, value);
            });
            summary.candidates += compared;
            let elsewhere = match heavy.are(&foreseen) {
                true => in_heavy,
                false => heavy.pairs_elsewhere(*self),
            };
            let all = heavy.pairs();
            summary.not_compared = all.pairs - compared - elsewhere;
            summary.not_compared_is_exact = all.is_exact;
        }
        summary
    }

    /// The number of pairs that share a bucket within the limit and are `wanted`.
    pub(crate) fn count_light(&self, wanted: impl Fn(Pair) -> bool + Sync) -> u64 {
        let mut summary = Summary::default();
        let check = |pair| wanted(pair).then_some(());
        let none = HeavyKeys::new(Vec::new());
        self.light(&check, &mut |_, ()| (), &mut summary, &none);
        summary.accepted
    }

    /// Expands all buckets within the limit.
    fn light<T: Send>(
        &self,
        check: &impl Check<T>,
        sink: &mut impl FnMut(Pair, T),
        summary: &mut Summary,
        foreseen: &HeavyKeys,
    ) -> Light {
        /// Accepted pairs that may wait for the sink. Tasks are of one size, and so are their results.
        const MOST_WAITING: usize = 1 << 20;
        let threads = rayon::current_num_threads();
        let mut wave = threads;
        let foreseen = Some(foreseen).filter(|foreseen| !foreseen.is_empty());
        let mut heavy = HeavyBuckets::new(self.columns.bands());
        let mut in_heavy = 0;
        let mut partitions = Partitions::default();
        let items = self.columns.items();
        let mut partner: Vec<Id> = (0..items as Id).collect();
        // Two items that met in an earlier band need not meet again.
        let last_met: Spare<Vec<Id>> = Spare::new();
        for band in 0..self.columns.bands() {
            let column = self.columns.column(band);
            partitions.scatter(column);
            let meetings = column.has_several().then(|| {
                let (meetings, over) = Meetings::gather(&partitions, column, items, self.limit);
                over.into_iter().for_each(|bucket| heavy.add(band, bucket));
                summary.buckets += meetings.buckets;
                summary.largest_bucket = summary.largest_bucket.max(meetings.largest_bucket);
                meetings
            });
            let tasks = match &meetings {
                None => partitions.tasks().collect(),
                Some(meetings) => meetings.tasks(),
            };
            let mut tasks = &tasks[..];
            while !tasks.is_empty() {
                let (now, later) = tasks.split_at(wave.min(tasks.len()));
                tasks = later;
                let results: Vec<Expanded<T>> = now
                    .par_iter()
                    .map_init(GroupScratch::default, |scratch, task| {
                        let found = Found {
                            partner: &partner,
                            heavy: &heavy.keys,
                            foreseen,
                        };
                        let Some(meetings) = &meetings else {
                            return self.expand(
                                band,
                                &partitions,
                                task.clone(),
                                found,
                                scratch,
                                check,
                            );
                        };
                        let mut last = last_met.take();
                        last.extend(last.len() as Id..items as Id);
                        let task = task.clone();
                        let result =
                            self.expand_items(band, meetings, task, found, &mut last, check);
                        last_met.give_back(last);
                        result
                    })
                    .collect();
                let waiting: usize = results.iter().map(|result| result.accepted.len()).sum();
                wave = if waiting > MOST_WAITING {
                    (wave / 2).max(threads)
                } else if waiting < MOST_WAITING / 4 {
                    (wave * 2).min(64 * threads)
                } else {
                    wave
                };
                for result in results {
                    summary.candidates += result.candidates;
                    in_heavy += result.in_heavy;
                    summary.accepted += result.accepted.len() as u64;
                    summary.buckets += result.buckets;
                    summary.largest_bucket = summary.largest_bucket.max(result.largest_bucket);
                    for bucket in result.heavy {
                        heavy.add(band, bucket);
                    }
                    for (pair, value) in result.accepted {
                        partner[pair.b() as usize] = pair.a();
                        sink(pair, value);
                    }
                }
            }
        }
        Light { heavy, in_heavy }
    }

    /// All candidates, in the order of ids.
    #[must_use]
    pub fn candidates(&self) -> Joined<Pair> {
        let mut pairs = Vec::new();
        let summary = self.run(|_| Some(()), |pair, ()| pairs.push(pair));
        pairs.par_sort_unstable_by_key(|pair| u64::from(pair.a()) << 32 | u64::from(pair.b()));
        Joined {
            found: pairs,
            summary,
        }
    }

    /// All matches, the nearest first.
    #[must_use]
    pub fn matches(&self, verify: &(impl Verify + ?Sized)) -> Joined<Match> {
        let mut matches = Vec::new();
        let summary = self.run_by(&ByVerify(verify), |pair, distance| {
            matches.push(Match { pair, distance });
        });
        matches.par_sort_unstable_by(Match::nearest_first);
        Joined {
            found: matches,
            summary,
        }
    }

    /// The `k` most similar pairs among the candidates, the nearest first; pairs at equal distance in the order of ids.
    #[must_use]
    pub fn top(&self, k: usize, verify: &(impl Verify + ?Sized)) -> Joined<Match> {
        let mut heap = BinaryHeap::new();
        let summary = self.run_by(&ByVerify(verify), |pair, distance| {
            heap.push(ByDistance(Match { pair, distance }));
            if heap.len() > k {
                heap.pop();
            }
        });
        let nearest_first = heap.into_sorted_vec();
        let found = nearest_first.into_iter().map(|ByDistance(m)| m).collect();
        Joined { found, summary }
    }
}

/// What a join does with the pairs that meet.
pub(crate) trait Check<T>: Sync {
    /// What is to be reported of a candidate, if anything.
    fn check(&self, pair: Pair) -> Option<T>;

    /// See [`Verify::drop_far`].
    fn drop_far(&self, pairs: &mut Vec<Pair>);
}

impl<T, F: Fn(Pair) -> Option<T> + Sync> Check<T> for F {
    fn check(&self, pair: Pair) -> Option<T> {
        self(pair)
    }

    fn drop_far(&self, _: &mut Vec<Pair>) {}
}

/// Verifies candidates.
struct ByVerify<'a, V: ?Sized>(&'a V);

impl<V: Verify + ?Sized> Check<f64> for ByVerify<'_, V> {
    fn check(&self, pair: Pair) -> Option<f64> {
        self.0.verify(pair)
    }

    fn drop_far(&self, pairs: &mut Vec<Pair>) {
        self.0.drop_far(pairs);
    }
}

/// What the light pass leaves to do.
struct Light {
    heavy: HeavyBuckets,
    /// Candidates that share a foreseen heavy bucket, too.
    in_heavy: u64,
}

/// A match in a heap: the farthest on top.
struct ByDistance(Match);

impl Ord for ByDistance {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.nearest_first(&other.0)
    }
}

impl PartialOrd for ByDistance {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ByDistance {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ByDistance {}
