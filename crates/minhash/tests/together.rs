//! Functions of one sketch depend on each other, and the promise of a scheme over them says how much at most.

use lookalike_core::{
    Banding, KeySource, LshFamily,
    tune::{self, Goal},
};
use lookalike_minhash::{FastSimilarity, Integers, generate::sets_in};

/// The share of draws under which two sets of `union` elements, `common` of them in both, become candidates.
fn measured(banding: Banding, union: usize, common: usize, draws: u64) -> f64 {
    let family = FastSimilarity::new(Integers).amplify(banding.scheme());
    let met = (0..draws).filter(|&draw| {
        let sets = sets_in(union, common, draw).unwrap();
        let source = family.draw(draw).unwrap();
        let [a, b] = [sets.a(), sets.b()].map(|set| {
            let mut keys = Vec::new();
            let emit = |band, key, ()| keys.push((band, key));
            source.keys(set, &mut Default::default(), emit).unwrap();
            keys
        });
        a.iter().zip(&b).any(|(a, b)| a == b)
    });
    met.count() as f64 / draws as f64
}

/// Over 5 to 5000 elements the truth lies within the bounds, and the upper one is at most 0.02 above it.
#[test]
fn schemes_find_what_is_promised_and_hardly_less_than_at_most() {
    for (bands, rows) in [(13, 7), (16, 8)] {
        let banding = Banding::new(bands, rows).unwrap();
        let family = FastSimilarity::new(Integers).amplify(banding.scheme());
        for (union, draws) in [
            (5, 8000),
            (10, 8000),
            (50, 6000),
            (200, 4000),
            (1000, 2000),
            (5000, 1000),
        ] {
            for tenths in [4, 6, 8] {
                let common = union * tenths / 10;
                let similarity = common as f64 / union as f64;
                let found = measured(banding, union, common, draws);
                let promised = family.promise(1.0 - similarity);
                let (lower, upper) = (promised.lower().value(), promised.upper().value());
                let error = (found * (1.0 - found) / draws as f64).sqrt() + 1.0 / draws as f64;
                let shown = format!(
                    "{banding}, {union} elements at {similarity}: {found} ± {error}, promised {lower} to {upper}"
                );
                println!(
                    "| {banding} | {similarity} | {lower:.4} to {upper:.4} | {union} | {found:.4} ± {error:.4} |"
                );
                assert!(found >= lower - 4.0 * error, "{shown}");
                assert!(found <= upper + 4.0 * error, "{shown}");
                assert!(upper <= found + 0.02 + 4.0 * error, "{shown}");
            }
        }
    }
}

/// Where a recall is planned, the lower bound is the formula of independent functions: plans do not depend on the rest.
#[test]
fn a_planned_recall_is_that_of_independent_functions() {
    for (bands, rows) in [(13, 7), (16, 8), (20, 5), (9, 13), (2, 4), (40, 1)] {
        let scheme = Banding::new(bands, rows).unwrap().scheme();
        let family = FastSimilarity::new(Integers);
        for step in 0..1000 {
            let distance = f64::from(step) / 1000.0;
            let independent = scheme.bounds(family.collision(distance)).lower();
            let promised = family.promise(&scheme, distance);
            if independent.value() >= 0.8 {
                assert_eq!(promised.lower(), independent, "{scheme} at {distance}");
            }
            if independent.value() <= 0.25 && bands > 1 && rows > 1 {
                assert_eq!(promised.upper(), independent, "{scheme} at {distance}");
            }
        }
    }
}

/// Bands and rows are those of independent functions.
#[test]
fn plans_are_those_of_independent_functions() {
    for percent in (20..=95).step_by(5) {
        let threshold = f64::from(percent) / 100.0;
        let goal = Goal::new(1.0 - threshold, 1.0 - tune::rare_below(threshold)).unwrap();
        for recall in [0.8, 0.9, 0.95, 0.99] {
            let goal = goal.recall(recall).unwrap().budget(512).unwrap();
            let planned = goal.plan(&FastSimilarity::new(Integers)).unwrap();
            let independent = goal.plan_with(tune::one_minus_distance).unwrap();
            assert_eq!(
                planned.banding, independent.banding,
                "{threshold}, {recall}"
            );
            assert_eq!(planned.recall, independent.recall, "{threshold}, {recall}");
        }
    }
}
