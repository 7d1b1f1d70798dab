//! Everything compared, against the plain definition.

use lookalike_core::{Distances, Items, Metric, Near};
use lookalike_engine::{Brute, BucketIndex, Exact, Match, Pair};
use proptest::prelude::*;

use crate::given::{Given, Item};

/// How far numbers are apart.
struct Gap;

impl Metric for Gap {
    type Item = Item;
    type Prepared = u64;

    fn prepare(&self, item: &Self::Item) -> u64 {
        item.iter().map(|(_, key, _)| key).sum()
    }

    fn distance(&self, a: &u64, b: &u64) -> f64 {
        a.abs_diff(*b) as f64
    }
}

fn distance(a: &Item, b: &Item) -> f64 {
    Gap.distance(&Gap.prepare(a), &Gap.prepare(b))
}

/// The `k` nearest of some items, by sorting all.
fn nearest(item: &Item, all: &[Item], among: &[u32], k: usize, limit: f64) -> Vec<Near> {
    let mut near: Vec<Near> = among
        .iter()
        .map(|&id| Near {
            id,
            distance: distance(item, &all[id as usize]),
        })
        .filter(|near| near.distance <= limit)
        .collect();
    near.sort_by(Near::nearest_first);
    near.truncate(k);
    near
}

fn item(keys: u64) -> impl Strategy<Value = Item> {
    prop::collection::vec((0u32..3, 0..keys, any::<u8>()), 0..4)
}

proptest! {
    #[test]
    fn the_nearest_are_those_of_a_sorted_list(
        items in prop::collection::vec(item(40), 0..1200),
        queries in prop::collection::vec(item(40), 0..40),
        k in prop_oneof![Just(usize::MAX), 0usize..20],
        limit in prop_oneof![Just(f64::INFINITY), 0f64..20.0],
    ) {
        let exact = Exact::new(&Gap, &items);
        prop_assert_eq!(exact.count(), items.len());
        let all: Vec<u32> = (0..items.len() as u32).collect();
        let brute = Brute::new(&exact).unwrap();
        let found = brute.nearest(&queries, k, limit);
        prop_assert_eq!(found.len(), queries.len());
        for (query, found) in queries.iter().zip(found) {
            prop_assert_eq!(found, nearest(query, &items, &all, k, limit));
        }
    }

    #[test]
    fn pairs_are_found_once_the_nearest_first(
        items in prop::collection::vec(item(40), 0..120),
        limit in 0f64..20.0,
    ) {
        let exact = Exact::new(&Gap, &items);
        let mut wanted = Vec::new();
        for a in 0..items.len() {
            for b in a + 1..items.len() {
                let distance = distance(&items[a], &items[b]);
                let pair = Pair::ordered(a as u32, b as u32);
                wanted.extend((distance <= limit).then_some(Match { pair, distance }));
            }
        }
        wanted.sort_by(Match::nearest_first);
        prop_assert_eq!(Brute::new(&exact).unwrap().pairs(limit), wanted);
    }

    #[test]
    fn an_index_answers_with_those_it_meets_that_are_near(
        items in prop::collection::vec(item(12), 0..80),
        later in prop::collection::vec(item(12), 0..20),
        removed in prop::collection::vec(0u32..100, 0..10),
        key_bits in prop_oneof![Just(4), Just(64)],
        probe in prop_oneof![Just(None), Just(Some(1))],
        limit in 0f64..20.0,
    ) {
        let mut index = BucketIndex::build(Given { key_bits, probe }, &items).unwrap();
        for item in &later {
            index.insert(item).unwrap();
        }
        for id in removed {
            index.remove(id);
        }
        let all: Vec<_> = items.iter().chain(&later).cloned().collect();
        let exact = Exact::new(&Gap, &all);
        let mut query = index.query();
        let mut pairs = Vec::new();
        for (asked, item) in all.iter().enumerate() {
            let met = query.candidates(item).unwrap().to_vec();
            let wanted = nearest(item, &all, &met, usize::MAX, limit);
            prop_assert_eq!(query.near(item, &exact, limit).unwrap(), &wanted[..]);
            if index.contains(asked as u32) {
                pairs.extend(wanted.iter().filter_map(|near| {
                    let pair = Pair::new(asked as u32, near.id)?;
                    let distance = near.distance;
                    Some(Match { pair, distance })
                }));
            }
        }
        pairs.sort_by(Match::nearest_first);
        pairs.dedup();
        prop_assert_eq!(index.matches(&exact, limit).unwrap(), pairs);
    }
}

#[test]
fn a_range_is_all_its_places() {
    let items: Vec<Item> = (0..50).map(|key| vec![(0, key, 0)]).collect();
    let exact = Exact::new(&Gap, &items);
    let (mut by_range, mut by_places) = (Vec::new(), Vec::new());
    exact.near_in(&items[7], 3..20, 5.0, &mut by_range);
    exact.near(&items[7], &(3..20).collect::<Vec<_>>(), 5.0, &mut by_places);
    assert_eq!(by_range, by_places);
    assert_eq!(by_range.len(), 10);
}
