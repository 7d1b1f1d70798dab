//! One of many copies is new, however many threads offer them.

use std::{
    sync::{
        Barrier,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use crate::given::{Given, Item, WIDE, any_item};
use lookalike_engine::{BucketIndex, Gate, GateParts, Offer};
use proptest::prelude::*;

/// The distance of numbers that are less than 3 apart.
fn near(a: u64, b: u64) -> Option<f64> {
    let distance = a.abs_diff(b);
    (distance < 3).then_some(distance as f64)
}

proptest! {
    /// The plain way: look at all that are stored and meet the item, then insert.
    #[test]
    fn offers_are_a_look_and_an_insert(
        items in prop::collection::vec((any_item(6), 0u64..12), 0..20),
        frozen in 0usize..20,
        removed in 0u32..20,
        probe in prop::option::of(1u64..3),
    ) {
        let source = Given { probe, ..WIDE };
        let mut index = BucketIndex::new(source);
        let mut plain = BucketIndex::new(source);
        let gate = Gate::new(source);
        let mut values = Vec::new();
        for (place, (item, value)) in items.iter().enumerate() {
            let alike = plain.query().candidates(item).unwrap().to_vec();
            let alike = alike.into_iter().filter_map(|id| Some((id, near(values[id as usize], *value)?)));
            let expected = match alike.min_by(|a, b| a.1.total_cmp(&b.1)) {
                Some((id, distance)) => Offer::Duplicate { id, distance },
                None => Offer::New(plain.insert(item).unwrap()),
            };
            let offer = index.insert_unless(item, |id| near(values[id as usize], *value));
            prop_assert_eq!(offer.unwrap(), expected);
            prop_assert_eq!(gate.offer(item, *value, |other| near(*other, *value)).unwrap(), expected);
            if matches!(expected, Offer::New(_)) {
                values.push(*value);
            }
            if place == frozen {
                index.freeze().unwrap();
                let there = plain.remove(removed);
                prop_assert_eq!(index.remove(removed), there);
                prop_assert_eq!(gate.remove(removed), there);
            }
        }
        prop_assert_eq!(gate.len(), plain.len());
        let GateParts { index, values: of_gate } = gate.into_parts();
        prop_assert_eq!(of_gate, values);
        for band in 0..3 {
            let keys = |index: &BucketIndex<Given>| {
                let mut keys: Vec<_> = index.keys(band).collect();
                keys.sort_unstable();
                keys
            };
            prop_assert_eq!(keys(&index), keys(&plain));
        }
    }
}

/// Eight threads offer the same forty kinds of items in different orders; each kind is to be stored once.
#[test]
fn exactly_one_of_many_copies_is_new() {
    const THREADS: usize = 8;
    const KINDS: u64 = 40;
    for round in 0..50 {
        let gate = Gate::new(WIDE);
        let start = Barrier::new(THREADS);
        let new: Vec<AtomicUsize> = (0..KINDS).map(|_| AtomicUsize::new(0)).collect();
        thread::scope(|scope| {
            for thread in 0..THREADS as u64 {
                let (gate, start, new) = (&gate, &start, &new);
                scope.spawn(move || {
                    start.wait();
                    for step in 0..KINDS {
                        // All threads at nearly the same kind at the same time.
                        let kind = (step + thread % 2) % KINDS;
                        let item: Item = vec![(0, kind, 0), (1, 7, 0)];
                        let same = |other: &u64| (*other == kind).then_some(0.0);
                        if let Offer::New(_) = gate.offer(&item, kind, same).unwrap() {
                            new[kind as usize].fetch_add(1, Ordering::Relaxed);
                        }
                    }
                });
            }
        });
        let new: Vec<usize> = new.into_iter().map(AtomicUsize::into_inner).collect();
        assert_eq!(new, vec![1; KINDS as usize], "round {round}");
        assert_eq!(gate.len(), KINDS as usize);
    }
}

#[test]
fn a_panic_of_one_thread_leaves_the_gate_open() {
    let gate = Gate::new(WIDE);
    let item: Item = vec![(0, 1, 0)];
    assert_eq!(gate.offer(&item, (), |()| None).unwrap(), Offer::New(0));
    let panics = || gate.offer(&item, (), |()| panic!("no distance"));
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).is_err());
    assert_eq!(gate.offer(&item, (), |()| None).unwrap(), Offer::New(1));
}
