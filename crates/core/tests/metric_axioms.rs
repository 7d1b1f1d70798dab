//! The distances that claim the axioms of a metric keep them, and a distance that breaks one is caught.

#[expect(dead_code, reason = "only the distances are tested here")]
mod specimens;

use lookalike_core::{
    Axioms, Metric,
    conformance::{BrokenAxiom, metric_axioms},
};
use proptest::{
    collection::{btree_set, vec},
    prelude::*,
};
use specimens::{
    bit_sampling::Hamming, grid_triples::Uncommon, hyperplanes::Angle, lines::Euclidean,
    min_hash::Jaccard,
};

/// Coordinates from −3 to 3: equal points come up often.
fn points() -> impl Strategy<Value = Vec<Vec<f64>>> {
    vec(vec((-3i8..=3).prop_map(f64::from), 3), 1..8)
}

/// A point without a common divisor of its coordinates: one for each direction.
fn primitive(mut point: Vec<f64>) -> Vec<f64> {
    for divisor in [2.0, 3.0] {
        if point.iter().all(|x| x % divisor == 0.0) {
            point.iter_mut().for_each(|x| *x /= divisor);
        }
    }
    point
}

proptest! {
    #[test]
    fn jaccard_keeps_the_axioms(sets in vec(btree_set(0u64..8, 0..8), 1..8)) {
        let sets: Vec<Vec<u64>> = sets.into_iter().map(Vec::from_iter).collect();
        prop_assert_eq!(metric_axioms(&Jaccard, &sets), Ok(()));
    }

    #[test]
    fn hamming_keeps_the_axioms(items in vec(vec(any::<bool>(), 5), 1..8)) {
        prop_assert_eq!(metric_axioms(&Hamming, &items), Ok(()));
    }

    #[test]
    fn the_angle_keeps_the_axioms_between_directions(points in points()) {
        let some = |point: &Vec<f64>| point.iter().any(|&x| x != 0.0);
        let directions: Vec<_> = points.into_iter().filter(some).map(primitive).collect();
        prop_assert_eq!(metric_axioms(&Angle, &directions), Ok(()));
    }

    #[test]
    fn euclidean_keeps_the_axioms(points in points()) {
        prop_assert_eq!(metric_axioms(&Euclidean, &points), Ok(()));
    }

    #[test]
    fn uncommon_squares_claim_sign_and_symmetry_only(items in vec(vec(any::<bool>(), 5), 1..8)) {
        prop_assert_eq!(metric_axioms(&Uncommon, &items), Ok(()));
    }
}

/// A distance of numbers by its formula, with or without the claim to be a metric.
struct Formula<const CLAIM: bool>(fn(f64, f64) -> f64);

impl<const CLAIM: bool> Metric for Formula<CLAIM> {
    type Item = f64;
    type Prepared = f64;
    fn axioms(&self) -> Axioms {
        if CLAIM { Axioms::Metric } else { Axioms::None }
    }

    fn prepare(&self, item: &f64) -> f64 {
        *item
    }

    fn distance(&self, a: &f64, b: &f64) -> f64 {
        self.0(*a, *b)
    }
}

/// The verdict on 0, 1 and 2, with the claim and without it.
fn verdicts(formula: fn(f64, f64) -> f64) -> [Result<(), BrokenAxiom>; 2] {
    let items = [0.0, 1.0, 2.0];
    [
        metric_axioms(&Formula::<true>(formula), &items),
        metric_axioms(&Formula::<false>(formula), &items),
    ]
}

#[test]
fn a_shorter_way_round_is_caught() {
    let squared = verdicts(|a, b| (a - b).powi(2));
    assert_eq!(squared, [Err(BrokenAxiom::Triangle(0, 1, 2)), Ok(())]);
}

#[test]
fn a_different_way_back_is_caught() {
    let uphill = verdicts(|a, b| if b > a { 2.0 * (b - a) } else { a - b });
    assert_eq!(uphill, [Err(BrokenAxiom::Symmetry(0, 1)); 2]);
}

#[test]
fn different_items_at_0_are_caught() {
    let halves = verdicts(|a, b| ((a / 2.0).floor() - (b / 2.0).floor()).abs());
    assert_eq!(halves, [Err(BrokenAxiom::Identity(0, 1, 0.0)), Ok(())]);
}

#[test]
fn an_item_away_from_itself_is_caught() {
    let apart = verdicts(|a, b| 1.0 + (a - b).abs());
    assert_eq!(apart, [Err(BrokenAxiom::Identity(0, 0, 1.0)), Ok(())]);
}

#[test]
fn a_negative_distance_is_caught() {
    let negative = verdicts(|a, b| -(a - b).abs());
    // An inner product is negative, and claims nothing.
    assert_eq!(negative, [Err(BrokenAxiom::Negative(0, 1, -1.0)), Ok(())]);
}

#[test]
fn what_is_not_a_number_is_caught() {
    let ratio = verdicts(|a, b| (a / b - 1.0).abs());
    for verdict in ratio {
        assert!(
            matches!(verdict, Err(BrokenAxiom::Negative(0, 0, d)) if d.is_nan()),
            "{verdict:?}"
        );
    }
}
