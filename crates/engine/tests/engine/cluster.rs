//! What clusters promise, on any matches.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_engine::{
    Match, Pair,
    cluster::{Cluster, components, star},
};
use proptest::prelude::*;

fn matches() -> impl Strategy<Value = Vec<Match>> {
    let one = (0u32..25, 0u32..25, 0.0f64..1.0).prop_filter_map("two items", |(x, y, distance)| {
        Some(Match {
            pair: Pair::new(x, y)?,
            distance,
        })
    });
    prop::collection::vec(one, 0..60).prop_map(|matches| {
        let once: BTreeMap<Pair, Match> = matches.into_iter().map(|m| (m.pair, m)).collect();
        once.into_values().collect()
    })
}

/// A keep order with ties.
fn rank(id: u32) -> u32 {
    id * 7 % 5
}

fn all_items(clusters: &[Cluster]) -> Vec<u32> {
    let of_one = |cluster: &Cluster| {
        let members = cluster.members.iter().map(|member| member.id);
        members.chain([cluster.representative]).collect::<Vec<_>>()
    };
    clusters.iter().flat_map(of_one).collect()
}

fn distances(matches: &[Match]) -> BTreeMap<Pair, f64> {
    matches.iter().map(|m| (m.pair, m.distance)).collect()
}

fn check_both(matches: &[Match], clusters: &[Cluster]) {
    let items = all_items(clusters);
    let once: BTreeSet<u32> = items.iter().copied().collect();
    assert_eq!(once.len(), items.len(), "an item is in one cluster at most");
    let known = distances(matches);
    for cluster in clusters {
        assert!(!cluster.members.is_empty());
        assert!(cluster.members.is_sorted_by_key(|member| member.id));
        for member in &cluster.members {
            let best = (rank(cluster.representative), cluster.representative);
            assert!(best < (rank(member.id), member.id), "the best represents");
            let pair = Pair::new(cluster.representative, member.id).unwrap();
            assert_eq!(member.distance, known.get(&pair).copied());
        }
    }
}

proptest! {
    #[test]
    fn stars_are_matches_around_the_best(matches in matches()) {
        let clusters = star(&matches, rank);
        check_both(&matches, &clusters);
        for member in clusters.iter().flat_map(|cluster| &cluster.members) {
            prop_assert!(member.distance.is_some(), "every member matches its representative");
        }
        // Who is left over or represents matches no other such item.
        let members: BTreeSet<u32> =
            clusters.iter().flat_map(|c| &c.members).map(|member| member.id).collect();
        for m in &matches {
            prop_assert!(members.contains(&m.pair.a()) || members.contains(&m.pair.b()));
        }
    }

    #[test]
    fn components_are_what_chains_connect(matches in matches()) {
        let clusters = components(&matches, rank);
        check_both(&matches, &clusters);
        // The plain definition: labels spread until nothing changes.
        let mut label: Vec<u32> = (0..25).collect();
        for _ in 0..25 {
            for Match { pair, .. } in &matches {
                let (a, b) = (pair.a(), pair.b());
                let least = label[a as usize].min(label[b as usize]);
                label[a as usize] = least;
                label[b as usize] = least;
            }
        }
        let mut expected = BTreeMap::<u32, BTreeSet<u32>>::new();
        for (id, label) in (0..).zip(label) {
            expected.entry(label).or_default().insert(id);
        }
        let expected: BTreeSet<_> = expected.into_values().filter(|items| items.len() > 1).collect();
        let found: BTreeSet<BTreeSet<u32>> = clusters
            .iter()
            .map(|cluster| all_items(std::slice::from_ref(cluster)).into_iter().collect())
            .collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn the_order_of_matches_does_not_matter(matches in matches(), seed in any::<prop::sample::Index>()) {
        let mut other = matches.clone();
        if !other.is_empty() {
            let at = seed.index(other.len());
            other.rotate_left(at);
        }
        prop_assert_eq!(star(&matches, rank), star(&other, rank));
        prop_assert_eq!(components(&matches, rank), components(&other, rank));
    }
}

#[test]
fn no_matches_make_no_clusters() {
    assert_eq!(star(&[], rank), []);
    assert_eq!(components(&[], rank), []);
}

/// A chain of near-duplicates is one component and several stars.
#[test]
fn a_chain_does_not_swallow_a_star() {
    let chain: Vec<Match> = (0..9)
        .map(|a| Match {
            pair: Pair::ordered(a, a + 1),
            distance: 0.2,
        })
        .collect();
    assert_eq!(components(&chain, |_| ()).len(), 1);
    let stars = star(&chain, |_| ());
    assert_eq!(stars.len(), 5);
    assert!(stars.iter().all(|star| star.members.len() == 1));
}
