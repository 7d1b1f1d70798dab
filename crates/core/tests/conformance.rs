//! Conformance passes right families on every seed and catches wrong ones where they break.

mod specimens;

use std::borrow::Borrow;

use lookalike_core::{
    Bounds, KeySource, LshFamily, Metric, Probability, Scheme,
    conformance::{Conformance, Effort, Measurement, Violation},
};
use specimens::{
    bit_sampling::{self, BitSampling, Hamming},
    faults::TABLE,
    grid_triples::{self, GridTriples, Uncommon},
    hyperplanes::{self, Angle, Hyperplanes},
    lines::{self, Euclidean, Lines},
    min_hash::{self, Jaccard, MinHash},
    multi_probe::MultiProbe,
    wrong::{Claiming, Correlated, LowStart, Rotation, TooOften, Unstable},
};

/// How many runs, of new pairs and new functions, a right family has to pass. `scripts/conformance` makes more.
const RUNS: u64 = 3;

fn scheme(text: &str) -> Scheme {
    text.parse().unwrap()
}

fn claiming(promise: impl Fn(f64) -> Bounds + 'static) -> Claiming {
    Claiming(Box::new(promise))
}

#[track_caller]
fn passes<F, M, P, O>(family: &F, test: Conformance<M, P>)
where
    F: LshFamily<Item = M::Item>,
    M: Metric + Clone,
    P: Fn(f64, u64) -> (O, O) + Clone,
    O: Borrow<M::Item>,
{
    for seed in 0..RUNS {
        if let Err(violation) = test.clone().seed(seed).check(family) {
            panic!("{family:?}, run {seed}: {violation}");
        }
    }
}

#[test]
fn minhash_passes() {
    passes(&MinHash, Conformance::new(Jaccard, min_hash::pairs(40)));
    let short = Conformance::new(Jaccard, min_hash::pairs(10));
    passes(&MinHash, short.distances([0.0, 0.5, 1.0]));
}

/// Every wrong family of the table of power is seen.
#[test]
fn wrong_families_of_the_table_are_caught() {
    for wrong in TABLE {
        let effort = if wrong.is_quick {
            Effort::QUICK
        } else {
            Effort::THOROUGH
        };
        assert!((wrong.run)(effort, 1).is_err(), "{}", wrong.name);
    }
}

/// Pairs that ignore the wanted distance, or no distance at all, test nothing and do not pass.
#[test]
fn a_test_of_nothing_fails() {
    let pairs = min_hash::pairs(40);
    let fixed = move |_: f64, seed| pairs(0.0, seed);
    let violation = Conformance::new(Jaccard, fixed)
        .scheme(&MinHash)
        .unwrap_err();
    assert!(
        matches!(violation, Violation::OneDistance(_)),
        "{violation}"
    );
    for distances in [vec![], vec![f64::NAN]] {
        let test = Conformance::new(Jaccard, min_hash::pairs(40)).distances(distances);
        let violation = test.check(&MinHash).unwrap_err();
        assert!(matches!(violation, Violation::NothingTested), "{violation}");
    }
}

/// A run says what it could have seen, and too few draws do not pass.
#[test]
fn a_run_knows_its_power() {
    let test = Conformance::new(Jaccard, min_hash::pairs(40)).distances([0.1, 0.5, 0.9]);
    let quick = test.functions(&MinHash).unwrap().detectable().unwrap();
    let thorough = test.clone().thorough().functions(&MinHash).unwrap();
    assert!((0.02..0.06).contains(&quick), "{quick}");
    let thorough = thorough.detectable().unwrap();
    assert!((0.01..0.03).contains(&thorough), "{thorough}");
    let few = test.draws(2).functions(&MinHash).unwrap_err();
    assert!(matches!(few, Violation::TooFew { .. }), "{few}");
    assert!(few.to_string().contains("too few draws"), "{few}");
}

#[test]
fn a_family_that_promises_nothing_keeps_its_promise() {
    let silent = claiming(|_| Bounds::ANYTHING);
    let test = Conformance::new(Jaccard, min_hash::pairs(40));
    let report = test.distances([0.1, 0.5, 0.9]).check(&silent).unwrap();
    assert_eq!(report.detectable(), None);
}

#[test]
fn bit_sampling_passes() {
    let test = Conformance::new(Hamming, bit_sampling::pairs(64))
        .distances([0.0, 2.0, 6.0, 16.0, 32.0, 64.0]);
    passes(&BitSampling::new(64), test.clone());
    // Not fused: the OR comes first.
    passes(&BitSampling::new(64), test.under(scheme("or:2,and:5,or:4")));
}

#[test]
fn hyperplanes_pass() {
    let test = Conformance::new(Angle, hyperplanes::pairs(5));
    passes(
        &Hyperplanes { dimensions: 5 },
        test.distances([2.0, 10.0, 30.0, 60.0, 90.0, 150.0]),
    );
}

#[test]
fn lines_pass() {
    let test = Conformance::new(Euclidean, lines::pairs(5));
    let family = Lines {
        dimensions: 5,
        width: 4.0,
    };
    passes(&family, test.distances([0.0, 0.5, 2.0, 4.0, 8.0, 20.0]));
}

#[test]
fn grid_triples_pass() {
    let test = Conformance::new(Uncommon, grid_triples::pairs(64)).under(scheme("or:40,and:2"));
    passes(
        &GridTriples { squares: 64 },
        test.distances([0.3, 0.5, 0.7, 0.9, 1.0]),
    );
}

#[test]
fn grid_triples_pass_in_two_groups_of_1024() {
    let test = Conformance::new(Uncommon, grid_triples::pairs(256)).under(scheme("or:1024,and:2"));
    passes(&GridTriples { squares: 256 }, test.distances([0.84, 0.96]));
}

#[test]
fn loose_bounds_pass_when_they_hold() {
    let loose = claiming(|d| {
        let bound = |slack: f64| Probability::saturating(1.0 - d + slack);
        Bounds::new(bound(-0.1), bound(0.1)).unwrap()
    });
    let test = Conformance::new(Jaccard, min_hash::pairs(40));
    passes(&loose, test.distances([0.0, 0.5, 1.0]));
}

#[test]
fn a_source_that_probes_passes_with_its_promise() {
    let test = Conformance::new(Hamming, bit_sampling::pairs(64))
        .distances([0.0, 1.0, 4.0, 8.0, 12.0, 24.0]);
    for seed in 0..RUNS {
        let test = test.clone().seed(seed);
        test.source(MultiProbe::draw, MultiProbe::promise).unwrap();
    }
    // Asked as stored, the same keys find less than was promised.
    let violation = test.source(MultiProbe::without_flips, MultiProbe::promise);
    scheme_violation(violation.unwrap_err(), 1.0);
}

#[test]
fn an_empty_set_meets_nobody() {
    let drawn = MinHash.and(2).or(8).draw(0).unwrap();
    let mut scratch = Default::default();
    let mut keys = 0;
    drawn.keys(&[], &mut scratch, |_, _, ()| keys += 1).unwrap();
    assert_eq!(keys, 0);
    drawn
        .keys(&[7], &mut scratch, |_, _, ()| keys += 1)
        .unwrap();
    assert_eq!(keys, 8);
}

/// Asserts that one function broke its promise, at this distance, which the message names.
#[track_caller]
fn function_violation(violation: Violation, distance: f64) -> Measurement {
    let Violation::Function(measurement) = violation else {
        panic!("not a function's: {violation}");
    };
    names(&violation, measurement, distance)
}

/// As [`function_violation`], for a scheme.
#[track_caller]
fn scheme_violation(violation: Violation, distance: f64) -> Measurement {
    let Violation::Scheme(measurement) = violation else {
        panic!("not a scheme's: {violation}");
    };
    names(&violation, measurement, distance)
}

#[track_caller]
fn names(violation: &Violation, measurement: Measurement, distance: f64) -> Measurement {
    assert!(
        (measurement.distance - distance).abs() < 1e-6,
        "{violation}"
    );
    let name = format!("at distance {distance:.4}:");
    assert!(violation.to_string().contains(&name), "{violation}");
    measurement
}

#[test]
fn a_low_start_is_caught() {
    let test = Conformance::new(Jaccard, min_hash::pairs(40)).distances([0.0, 0.3, 0.6]);
    let broken = function_violation(test.check(&LowStart).unwrap_err(), 0.3);
    assert!(broken.measured > broken.promised.upper().value());
}

#[test]
fn agreeing_too_often_is_caught() {
    let test = Conformance::new(Hamming, bit_sampling::pairs(64)).distances([0.0, 8.0, 16.0]);
    let family = TooOften(BitSampling::new(64));
    let broken = function_violation(test.thorough().check(&family).unwrap_err(), 8.0);
    assert!(broken.measured > broken.promised.upper().value());
}

#[test]
fn agreeing_too_seldom_is_caught() {
    let test = Conformance::new(Jaccard, min_hash::pairs(40)).distances([0.0, 0.5]);
    let family = claiming(|d| Bounds::exact(Probability::saturating(1.0 - 0.9 * d)));
    let broken = function_violation(test.check(&family).unwrap_err(), 0.5);
    assert!(broken.measured < broken.promised.lower().value());
}

#[test]
fn a_promise_of_certainty_allows_no_exception() {
    let family = claiming(|_| Bounds::exact(Probability::CERTAIN));
    let test = Conformance::new(Jaccard, min_hash::pairs(100)).draws(8);
    let violation = test.distances([0.01]).check(&family).unwrap_err();
    let broken = function_violation(violation, 0.01);
    // Any other promise would have been kept: the rate is within the errors.
    assert!(broken.measured > 1.0 - 4.0 * broken.standard_error);
}

#[test]
fn correlated_functions_are_right_one_by_one_and_caught_together() {
    let test = Conformance::new(Jaccard, min_hash::pairs(40)).distances([0.0, 0.5]);
    for seed in 0..RUNS {
        let test = test.clone().seed(seed);
        test.clone().draws(2000).functions(&Correlated).unwrap();
        let together = test.check(&Correlated).unwrap_err();
        assert!(
            matches!(together, Violation::Lagged(1, c) if c > 0.99),
            "{together}"
        );
        let broken = scheme_violation(test.scheme(&Correlated).unwrap_err(), 0.5);
        assert!(broken.measured > broken.promised.upper().value());
    }
    // Below the rise they nominate too often, above it they miss too often.
    let near = test
        .distances([0.2])
        .draws(1000)
        .scheme(&Correlated)
        .unwrap_err();
    let broken = scheme_violation(near, 0.2);
    assert!(broken.measured < broken.promised.lower().value());
}

#[test]
fn a_rotated_sketch_is_right_one_by_one_and_caught_together() {
    let test = Conformance::new(Jaccard, min_hash::pairs(10)).distances([0.0, 0.5]);
    for seed in 0..RUNS {
        let test = test.clone().seed(seed);
        test.clone().draws(1000).functions(&Rotation).unwrap();
        let together = test.check(&Rotation).unwrap_err();
        assert!(matches!(together, Violation::Lagged(..)), "{together}");
        let broken = scheme_violation(test.scheme(&Rotation).unwrap_err(), 0.5);
        assert!(broken.measured > 0.5, "{broken}");
    }
}

#[test]
fn unstable_functions_are_caught() {
    let test = Conformance::new(Jaccard, min_hash::pairs(40)).seed(7);
    let violation = test.check(&Unstable::default()).unwrap_err();
    assert!(matches!(violation, Violation::Unstable(7)), "{violation}");
}

#[test]
fn a_promise_that_grows_is_caught() {
    let family = |from: f64, to: f64| {
        claiming(move |d| {
            let p = if (from..to).contains(&d) { d } else { 1.0 - d };
            Bounds::exact(Probability::saturating(p))
        })
    };
    // In whatever order the distances are given.
    let test = Conformance::new(Jaccard, min_hash::pairs(40)).distances([0.6, 0.2, 0.5, 0.4]);
    let violation = test.check(&family(0.45, 1.0)).unwrap_err();
    assert!(
        matches!(violation, Violation::Grows(0.5, 0.6)),
        "{violation}"
    );
    // And between them.
    let violation = test.check(&family(0.55, 0.58)).unwrap_err();
    assert!(matches!(violation, Violation::Grows(..)), "{violation}");
}

#[test]
fn keys_beyond_the_limit_are_reported() {
    let test = Conformance::new(Hamming, bit_sampling::pairs(64)).distances([8.0]);
    let refused = test
        .under(scheme("or:17,and:4"))
        .check(&BitSampling::new(64));
    assert!(matches!(refused, Err(Violation::Draw(_))), "{refused:?}");
    let test = Conformance::new(Uncommon, grid_triples::pairs(64)).distances([0.1]);
    let crowded = test
        .under(scheme("or:600,and:2"))
        .check(&GridTriples { squares: 64 });
    assert!(matches!(crowded, Err(Violation::Keys(_))), "{crowded:?}");
}
