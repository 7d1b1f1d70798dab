//! The join compared with the plain definition: two items are candidates if and only if they share a bucket.

use std::collections::BTreeSet;

use crate::given::{BANDS, Given, Item, WIDE, any_item, buckets, pairs, regular_item};
use lookalike_core::random;
use lookalike_engine::{Columns, Error, Join, Joined, Match, Pair, Summary};
use proptest::prelude::*;
use rand::RngExt;

fn on<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.unwrap().install(work)
}

/// Everything that a join streams, in its order.
fn stream(join: Join<'_>) -> (Vec<(u32, u32)>, Summary) {
    let mut pairs = Vec::new();
    let summary = join.run(|_| Some(()), |pair, ()| pairs.push((pair.a(), pair.b())));
    (pairs, summary)
}

pub(crate) fn check(items: &[Item], limit: usize) {
    let limit = limit.max(2);
    let columns = Columns::build(&WIDE, items).unwrap();
    let join = Join::new(&columns).bucket_limit(limit);
    let (streamed, summary) = stream(join);
    for threads in [1, 2, 7] {
        assert_eq!(
            on(threads, || stream(join)),
            (streamed.clone(), summary),
            "{threads} threads"
        );
    }

    let found: BTreeSet<_> = streamed.iter().copied().collect();
    assert_eq!(found.len(), streamed.len(), "each pair once");
    let buckets = buckets(items);
    let all = pairs(buckets.values());
    let light = pairs(buckets.values().filter(|bucket| bucket.len() <= limit));
    assert!(
        light.is_subset(&found),
        "no pair lost that shares a light bucket"
    );
    assert!(found.is_subset(&all), "nothing that shares no bucket");
    if buckets.values().all(|bucket| bucket.len() <= limit) {
        assert_eq!(found, all);
    }
    // Copies are found, however heavy their buckets are.
    let keys: Vec<BTreeSet<(u32, u64)>> = items
        .iter()
        .map(|item| item.iter().map(|&(band, key, _)| (band, key)).collect())
        .collect();
    for (b, of_b) in keys.iter().enumerate().filter(|(_, keys)| !keys.is_empty()) {
        let a = keys.iter().position(|of_a| of_a == of_b).unwrap();
        assert!(
            a == b || found.contains(&(a as u32, b as u32)),
            "{b} is a copy of {a}"
        );
    }

    assert_eq!(summary.candidates, found.len() as u64);
    assert_eq!(summary.accepted, found.len() as u64);
    assert!(summary.not_compared_is_exact);
    assert_eq!(summary.not_compared, (all.len() - found.len()) as u64);
    let sizes = || buckets.values().map(BTreeSet::len);
    assert_eq!(
        summary.buckets,
        sizes().filter(|&size| size > 1).count() as u64
    );
    assert_eq!(
        summary.heavy_buckets,
        sizes().filter(|&size| size > limit).count() as u64
    );
    assert_eq!(
        summary.largest_bucket,
        sizes().filter(|&size| size > 1).max().unwrap_or(0) as u64
    );
}

proptest! {
    #[test]
    fn join_is_brute_force_on_regular_items(
        items in prop::collection::vec(regular_item(12), 0..60), limit in 0usize..12,
    ) {
        check(&items, limit);
        check(&items, usize::MAX);
    }

    #[test]
    fn join_is_brute_force_on_any_items(
        items in prop::collection::vec(any_item(8), 0..50), limit in 0usize..12,
    ) {
        check(&items, limit);
        check(&items, usize::MAX);
    }

    #[test]
    fn batches_make_the_same_columns(
        first in prop::collection::vec(regular_item(5), 0..20),
        second in prop::collection::vec(any_item(5), 0..20),
    ) {
        let whole = [first.clone(), second.clone()].concat();
        let mut columns = Columns::build(&WIDE, &first).unwrap();
        columns.extend(&WIDE, &second).unwrap();
        let at_once = Columns::build(&WIDE, &whole).unwrap();
        prop_assert_eq!(columns.items(), whole.len());
        for band in 0..BANDS as usize {
            for item in 0..whole.len() as u32 {
                prop_assert_eq!(columns.keys(band, item), at_once.keys(band, item));
            }
        }
    }

    #[test]
    fn top_is_the_head_of_all_matches(
        items in prop::collection::vec(regular_item(4), 0..30), k in 0usize..20,
    ) {
        let columns = Columns::build(&WIDE, &items).unwrap();
        let verify = |pair: Pair| {
            let distance = f64::from((pair.a() * 7 + pair.b() * 3) % 5);
            (distance < 4.0).then_some(distance)
        };
        let Joined { found: mut all, summary } = Join::new(&columns).matches(&verify);
        prop_assert!(all.is_sorted_by(|a, b| a.nearest_first(b).is_lt()));
        prop_assert_eq!(summary.accepted, all.len() as u64);
        let top = Join::new(&columns).top(k, &verify).found;
        all.truncate(k);
        prop_assert_eq!(top, all);
    }
}

/// Large enough for many partitions and runs, with heavy and light buckets and hashes that collide in the filter.
#[test]
fn join_is_brute_force_on_many_items() {
    let mut rng = random::stream(11, 0);
    let mut key = |band: u32| match rng.random_range(0..10) {
        0 => (band, rng.random_range(0..40), 0),
        1..5 => (band, rng.random_range(0..100_000), 0),
        _ => (band, rng.next_u64(), 0),
    };
    let items: Vec<Item> = (0..150_000)
        .map(|_| (0..BANDS).map(&mut key).collect())
        .collect();
    let columns = Columns::build(&WIDE, &items).unwrap();
    let join = Join::new(&columns).bucket_limit(300);
    let joined = join.candidates();
    assert_eq!(joined, on(1, || join.candidates()));
    let Joined { found, summary } = joined;
    let buckets = buckets(&items);
    let heavy = |bucket: &&BTreeSet<u32>| bucket.len() > 300;
    assert_eq!(buckets.values().filter(heavy).count(), 120);
    assert_eq!(summary.heavy_buckets, 120);
    let light = pairs(buckets.values().filter(|bucket| !heavy(bucket)));
    let found: BTreeSet<_> = found.iter().map(|pair| (pair.a(), pair.b())).collect();
    assert!(light.is_subset(&found));
    for (a, b) in found.difference(&light) {
        let shared = |band: usize| columns.keys(band, *a) == columns.keys(band, *b);
        assert!((0..BANDS as usize).any(shared));
    }
    // Every member of a heavy bucket was compared with somebody in it.
    let compared: BTreeSet<u32> = found
        .difference(&light)
        .flat_map(|&(a, b)| [a, b])
        .collect();
    let members: BTreeSet<u32> = buckets.values().filter(heavy).flatten().copied().collect();
    assert!(members.is_subset(&compared));
}

#[test]
fn a_million_copies_are_a_million_pairs() {
    let items: Vec<Item> = vec![(0..BANDS).map(|band| (band, 7, 0)).collect(); 1_000_000];
    let columns = Columns::build(&WIDE, &items).unwrap();
    let Joined { found, summary } = Join::new(&columns).candidates();
    assert_eq!(found.len(), 999_999);
    assert_eq!(summary.largest_bucket, 1_000_000);
    assert_eq!(summary.not_compared, 1_000_000 * 999_999 / 2 - 999_999);
}

#[test]
fn distinct_items_make_no_buckets() {
    let mut rng = random::stream(13, 0);
    let items: Vec<Item> = (0..300_000)
        .map(|_| (0..BANDS).map(|band| (band, rng.next_u64(), 0)).collect())
        .collect();
    let columns = Columns::build(&WIDE, &items).unwrap();
    let Joined { found, summary } = Join::new(&columns).candidates();
    assert!(found.is_empty());
    assert_eq!((summary.buckets, summary.largest_bucket), (0, 0));
}

/// Pairs reach the sink while others still wait to be checked, and rejected ones are not held.
#[test]
fn pairs_stream() {
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
    let items: Vec<Item> = (0..200_000).map(|i| vec![(0, i / 200, 0)]).collect();
    let columns = Columns::build(&WIDE, &items).unwrap();
    let (checked, mut first) = (AtomicUsize::new(0), None);
    let summary = Join::new(&columns).run(
        |_| {
            checked.fetch_add(1, Relaxed);
            Some(())
        },
        |_, ()| {
            first.get_or_insert(checked.load(Relaxed));
        },
    );
    assert_eq!(summary.candidates, 1000 * (200 * 199 / 2));
    assert!(first.unwrap() < checked.into_inner() / 2);
}

#[test]
fn few_or_no_items_make_no_pairs() {
    for items in [vec![], vec![vec![(0, 1, 0)]], vec![vec![], vec![]]] {
        let columns = Columns::build(&WIDE, &items).unwrap();
        let Joined { found, summary } = Join::new(&columns).candidates();
        assert!(found.is_empty());
        assert_eq!((summary.buckets, summary.largest_bucket), (0, 0));
    }
}

/// Which members are anchors depends on their keys, not on their places.
#[test]
fn anchors_do_not_depend_on_the_order_of_items() {
    let item = |i: u64| vec![(0, 1, 0), (1, 100 + i, 0), (2, 200 + i, 0)];
    let forward: Vec<Item> = (0..50).map(item).collect();
    let backward: Vec<Item> = forward.iter().rev().cloned().collect();
    let contents = |items: &[Item]| {
        let columns = Columns::build(&WIDE, items).unwrap();
        let found = Join::new(&columns).bucket_limit(10).candidates().found;
        let content = |id: u32| items[id as usize][1].1;
        let pair = |pair: Pair| BTreeSet::from([content(pair.a()), content(pair.b())]);
        found.into_iter().map(pair).collect::<BTreeSet<_>>()
    };
    assert_eq!(contents(&forward), contents(&backward));
    assert_eq!(contents(&forward).len(), 49 + 48 + 47 + 46);
}

/// With ranks, the preferred item of a heavy bucket meets all others, and all its copies.
#[test]
fn anchors_are_the_preferred_items() {
    let item = |i: u64| vec![(0, 1, 0), (1, 100 + i / 2, 0), (2, 200 + i / 2, 0)];
    let items: Vec<Item> = (0..50).map(item).collect();
    let columns = Columns::build(&WIDE, &items).unwrap();
    let ranks: Vec<u32> = (0..50).map(|i| (i + 50 - 31) % 50).collect();
    let join = Join::new(&columns).bucket_limit(10).prefer(&ranks);
    let found = join.candidates().found;
    for other in (0..50).filter(|&other| other != 31) {
        assert!(found.contains(&Pair::new(31, other).unwrap()), "{other}");
    }
    assert!(found.contains(&Pair::ordered(0, 1)), "twins meet");
    // 31, 32, 34, 36: of the twins 32 and 33 only the preferred is an anchor.
    assert!(!found.contains(&Pair::ordered(33, 40)));
    assert!(found.contains(&Pair::ordered(36, 40)));
    assert!(!found.contains(&Pair::ordered(38, 40)));
}

#[test]
fn many_kinds_of_heavy_items_are_counted_as_an_upper_bound() {
    let mut rng = random::stream(12, 0);
    let items: Vec<Item> = (0..9_000)
        .map(|_| {
            (0..BANDS)
                .map(|band| (band, rng.random_range(0..20), 0))
                .collect()
        })
        .collect();
    let columns = Columns::build(&WIDE, &items).unwrap();
    let Joined { found, summary } = Join::new(&columns).bucket_limit(100).candidates();
    let all = pairs(buckets(&items).values()).len() as u64;
    assert!(!summary.not_compared_is_exact);
    assert!(summary.not_compared >= all - found.len() as u64);
    assert!(summary.not_compared <= 9_000 * 8_999 / 2);
}

#[test]
fn pairs_and_matches_are_ordered() {
    assert_eq!(Pair::new(3, 1), Some(Pair::ordered(1, 3)));
    assert_eq!(Pair::new(3, 3), None);
    let at = |distance, a| Match {
        pair: Pair::ordered(a, 9),
        distance,
    };
    assert!(at(0.1, 5).nearest_first(&at(0.2, 1)).is_lt());
    assert!(at(0.1, 1).nearest_first(&at(0.1, 5)).is_lt());
}

#[test]
#[should_panic(expected = "the source has other bands")]
fn columns_are_for_one_source() {
    let _ = Columns::new(1).extend(
        &Given {
            key_bits: 8,
            probe: None,
        },
        &[vec![]],
    );
}

#[test]
fn a_source_that_probes_is_refused() {
    let source = Given {
        probe: Some(1),
        ..WIDE
    };
    let refused = Columns::build(&source, &[vec![(0, 1, 0)]]).unwrap_err();
    assert!(matches!(refused, Error::Probes { .. }), "{refused}");
    assert!(Columns::build(&WIDE, &[vec![(0, 1, 0)]]).is_ok());
}
