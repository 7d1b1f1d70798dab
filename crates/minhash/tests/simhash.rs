//! SimHash keeps its promise: one bit (a), and schemes over the bits of one code (b).

use lookalike_core::{
    Banding, Bounds, LshFamily, LshFunctions,
    conformance::{Conformance, Violation},
    random,
};
use lookalike_minhash::{
    CodeBits, Integers, Jaccard, SetCoordinates, SimHash, SimHashFunctions, WeightCoordinates,
    WeightedJaccard, Weights, generate::sets_with,
};

type Sets = SetCoordinates<Integers>;

fn family(bits: CodeBits) -> SimHash<Sets> {
    SimHash::new(SetCoordinates::new(Integers), bits)
}

/// Pairs of sets of `n` integers: cosines are the least that the similarity allows.
fn same_size(n: usize) -> impl Fn(f64, u64) -> (Vec<u64>, Vec<u64>) + Clone {
    move |distance, seed| sets_with(n, 1.0 - distance, seed).unwrap().into_sets()
}

/// A set and a part of it: cosines are the largest.
fn nested(n: u64) -> impl Fn(f64, u64) -> (Vec<u64>, Vec<u64>) + Clone {
    move |distance, seed| {
        let start = random::derive(seed, 0) % 1_000_000;
        let part = ((1.0 - distance) * n as f64).round().max(1.0) as u64;
        (
            (start..start + n).collect(),
            (start..start + part).collect(),
        )
    }
}

#[test]
fn one_bit_conforms_for_sets_of_any_size() {
    for bits in [CodeBits::B64, CodeBits::B128] {
        for n in [2, 5, 20, 300] {
            let test = Conformance::new(Jaccard::new(Integers), same_size(n)).draws(160);
            let distances = [0.1, 0.2, 0.35, 0.5, 0.67, 0.9];
            test.distances(distances).functions(&family(bits)).unwrap();
        }
        for n in [3, 12, 200] {
            let test = Conformance::new(Jaccard::new(Integers), nested(n)).draws(160);
            test.functions(&family(bits)).unwrap();
        }
    }
}

#[test]
fn bands_of_one_code_conform() {
    for bits in [CodeBits::B64, CodeBits::B128] {
        for (bands, rows) in [(16, 8), (60, 12), (5, 30), (200, 16)] {
            let scheme = Banding::new(bands, rows).unwrap().scheme();
            for pairs in [same_size(40), same_size(7)] {
                let test = Conformance::new(Jaccard::new(Integers), pairs).draws(400);
                test.under(scheme.clone()).scheme(&family(bits)).unwrap();
            }
        }
        // More rows than a key has bits are folded.
        let wide = Banding::new(4, 70).unwrap().scheme();
        let test = Conformance::new(Jaccard::new(Integers), same_size(40)).distances([0.05, 0.3]);
        test.under(wide).scheme(&family(bits)).unwrap();
    }
}

#[test]
fn weighted_sets_conform() {
    let pairs = |distance: f64, seed: u64| {
        let (a, b) = sets_with(30, 1.0 - distance, seed).unwrap().into_sets();
        let mut rng = random::stream(seed, 9);
        let mut weights = |set: Vec<u64>| {
            let weighted = set.into_iter().map(|x| (x, 0.1 + 5.0 * rng.unit()));
            Weights::new(weighted).unwrap()
        };
        (weights(a), weights(b))
    };
    let family = SimHash::new(WeightCoordinates, CodeBits::B64);
    let test = || Conformance::new(WeightedJaccard, pairs).draws(160);
    test().check(&family).unwrap();
    let scheme = Banding::new(60, 12).unwrap().scheme();
    test().under(scheme).scheme(&family).unwrap();
}

/// What a scheme finds is what is promised, on both sides: between the bounds.
#[test]
fn a_scheme_is_met_as_often_as_promised() {
    const DRAWS: u32 = 3000;
    let scheme = Banding::new(40, 12).unwrap().scheme();
    for distance in [0.1, 0.2, 0.4] {
        let pair = |seed| same_size(60)(distance, seed);
        let met = (0..DRAWS).filter(|&seed| {
            let (a, b) = pair(seed.into());
            let functions = family(CodeBits::B64)
                .fused(12)
                .unwrap()
                .draw(40, seed.into());
            let keys = |set: &[u64]| {
                let mut keys = vec![None; 40];
                functions.hash_into(set, &mut Default::default(), &mut keys);
                keys
            };
            keys(&a).iter().zip(keys(&b)).any(|(a, b)| *a == b)
        });
        let share = met.count() as f64 / f64::from(DRAWS);
        let promise = family(CodeBits::B64).promise(&scheme, distance);
        let error = (share * (1.0 - share) / f64::from(DRAWS)).sqrt();
        let (lower, upper) = (promise.lower().value(), promise.upper().value());
        // Sets of one size have the least cosine, so the lower bound is met.
        assert!(
            (share - lower).abs() < 4.0 * error + 0.004,
            "{distance}: {share} {lower}"
        );
        assert!(share < upper + 4.0 * error, "{distance}: {share} {upper}");
    }
}

/// A promise for bands that do not share a code is broken: the test sees what it is for.
#[test]
fn bands_are_not_independent() {
    #[derive(Debug)]
    struct Independent(SimHash<Sets>);
    impl LshFamily for Independent {
        type Item = [u64];
        type Functions = SimHashFunctions<Sets>;
        fn collision(&self, distance: f64) -> Bounds {
            self.0.collision(distance)
        }
        fn draw(&self, k: usize, seed: u64) -> Self::Functions {
            self.0.draw(k, seed)
        }
        fn fused(&self, rows: u32) -> Option<Self> {
            self.0.fused(rows).map(Self)
        }
    }
    let scheme = Banding::new(60, 14).unwrap().scheme();
    let test = Conformance::new(Jaccard::new(Integers), same_size(40)).thorough();
    let broken = test.distances([0.2, 0.25]).under(scheme);
    let found = broken.scheme(&Independent(family(CodeBits::B64)));
    assert!(matches!(found, Err(Violation::Scheme(_))), "{found:?}");
}

/// Signs instead of normal components break the promise for sets of two elements, whose sum is 0 half of the time: bits of
/// disjoint sets agree with probability 0.625 instead of 0.5, and at J = 1/3 with 0.75 instead of at most 0.696.
#[test]
fn signs_are_not_normal_numbers() {
    #[derive(Debug)]
    struct Signs;
    struct SignFunctions(Vec<u64>);
    impl LshFamily for Signs {
        type Item = [u64];
        type Functions = SignFunctions;
        fn collision(&self, distance: f64) -> Bounds {
            family(CodeBits::B64).collision(distance)
        }
        fn draw(&self, k: usize, seed: u64) -> SignFunctions {
            SignFunctions((0..k as u64).map(|i| random::derive(seed, i)).collect())
        }
    }
    impl LshFunctions for SignFunctions {
        type Item = [u64];
        type Key = bool;
        type Scratch = ();
        fn len(&self) -> usize {
            self.0.len()
        }
        fn hash_into(&self, set: &[u64], (): &mut (), keys: &mut [bool]) {
            for (key, &seed) in keys.iter_mut().zip(&self.0) {
                let sign = |&x: &u64| 1 - 2 * (random::derive(seed, x) >> 63) as i32;
                *key = set.iter().map(sign).sum::<i32>() > 0;
            }
        }
    }
    for (distance, expected) in [(1.0, 0.625), (2.0 / 3.0, 0.75)] {
        let test = Conformance::new(Jaccard::new(Integers), same_size(2)).draws(400);
        let test = test.distances([distance]);
        test.functions(&family(CodeBits::B64)).unwrap();
        let Err(Violation::Function(broken)) = test.functions(&Signs) else {
            panic!("signs pass at a distance of {distance}");
        };
        let apart = (broken.measured - expected).abs();
        assert!(apart < 4.0 * broken.standard_error, "{broken}");
    }
}
