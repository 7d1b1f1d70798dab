//! Every family keeps its promise: one function (a), and a scheme (b).

use std::collections::BTreeMap;

use lookalike_core::{
    Banding, Bounds, LshFamily, LshFunctions, Metric, Probability,
    conformance::{self, Conformance, Violation},
    random,
};
use lookalike_minhash::{
    Bag, ConsistentWeighted, FastSimilarity, Integers, Jaccard, MinValue, Permutation, Universal,
    UniversalFunctions, WeightedJaccard, Weights, generate::sets_with, value_of,
};
use rand::{RngExt, seq::index};

/// Pairs of sets of `n` integers.
fn sets(n: usize) -> impl Fn(f64, u64) -> (Vec<u64>, Vec<u64>) + Clone {
    move |distance, seed| sets_with(n, 1.0 - distance, seed).unwrap().into_sets()
}

/// Sets of numbers that follow each other, as rows of a table do: the least random that items can be.
fn runs(n: u64) -> impl Fn(f64, u64) -> (Vec<u64>, Vec<u64>) + Clone {
    move |distance, seed| {
        let common = (2.0 * n as f64 * (1.0 - distance) / (2.0 - distance)).round() as u64;
        let start = seed % 1000;
        let a = start..start + n;
        let b = a.end - common..a.end - common + n;
        (a.collect(), b.collect())
    }
}

/// Both parts for a family over sets of integers.
fn check(family: &impl LshFamily<Item = [u64]>, pairs: impl Fn(f64, u64) -> (Vec<u64>, Vec<u64>)) {
    let report = Conformance::new(Jaccard::new(Integers), pairs).check(family);
    println!("{}", report.unwrap());
}

#[test]
fn universal_on_sets_of_20() {
    check(&Universal::new(Integers), sets(20));
}

#[test]
fn universal_on_sets_of_200() {
    check(&Universal::new(Integers), sets(200));
}

#[test]
fn universal_on_runs() {
    check(&Universal::new(Integers), runs(30));
}

#[test]
fn universal_under_20_bands_of_5_rows() {
    let scheme = Banding::new(20, 5).unwrap().scheme();
    let test = Conformance::new(Jaccard::new(Integers), sets(50)).under(scheme);
    test.scheme(&Universal::new(Integers)).unwrap();
}

#[test]
fn fast_similarity_on_sets_of_20() {
    check(&FastSimilarity::new(Integers), sets(20));
}

#[test]
fn fast_similarity_on_sets_of_200() {
    check(&FastSimilarity::new(Integers), sets(200));
}

#[test]
fn fast_similarity_on_sets_of_2000() {
    check(&FastSimilarity::new(Integers), sets(2000));
}

#[test]
fn fast_similarity_on_runs() {
    check(&FastSimilarity::new(Integers), runs(30));
}

#[test]
fn fast_similarity_under_20_bands_of_5_rows() {
    let scheme = Banding::new(20, 5).unwrap().scheme();
    let test = Conformance::new(Jaccard::new(Integers), sets(50)).under(scheme);
    test.scheme(&FastSimilarity::new(Integers)).unwrap();
}

/// One and the same pair under many functions: what averages over pairs could hide.
#[test]
fn universal_has_no_pair_that_it_favours() {
    const FUNCTIONS: usize = 4000;
    for pair in 0..100 {
        let [n, tenths] = [[2, 3], [20, 2], [20, 7], [100, 5]][pair % 4];
        let sets = sets_with(n, tenths as f64 / 10.0, pair as u64).unwrap();
        let functions = Universal::new(Integers).draw(FUNCTIONS, pair as u64);
        let [a, b] = [sets.a(), sets.b()].map(|set| {
            let mut keys = vec![None; FUNCTIONS];
            functions.hash_into(set, &mut Default::default(), &mut keys);
            keys
        });
        let agreed = a.iter().zip(&b).filter(|(a, b)| a == b).count() as f64;
        let j = sets.similarity();
        let error = (j * (1.0 - j) / FUNCTIONS as f64).sqrt();
        let share = agreed / FUNCTIONS as f64;
        assert!(
            (share - j).abs() <= 4.0 * error,
            "pair {pair}: {share} not {j}"
        );
    }
}

/// The same for functions that are drawn together: many draws, and the error between them.
#[test]
fn fast_similarity_has_no_pair_that_it_favours() {
    const K: usize = 64;
    const DRAWS: u64 = 2000;
    let family = FastSimilarity::new(Integers);
    let mut sum_of_squares = 0.0;
    for pair in 0..100 {
        let [n, tenths] = [[2, 3], [20, 2], [20, 7], [100, 5]][pair % 4];
        let sets = sets_with(n, tenths as f64 / 10.0, pair as u64).unwrap();
        let shares: Vec<f64> = (0..DRAWS)
            .map(|seed| {
                let functions = family.draw(K, 1000 * pair as u64 + seed);
                let [a, b] = [sets.a(), sets.b()].map(|set| {
                    let mut keys = [None; K];
                    functions.hash_into(set, &mut Default::default(), &mut keys);
                    keys
                });
                let agreed = a.iter().zip(&b).filter(|(a, b)| a == b).count();
                agreed as f64 / K as f64
            })
            .collect();
        let draws = DRAWS as f64;
        let mean = shares.iter().sum::<f64>() / draws;
        let variance = shares.iter().map(|s| (s - mean).powi(2)).sum::<f64>() / (draws - 1.0);
        let z = (mean - sets.similarity()) / (variance / draws).sqrt();
        assert!(
            z.abs() <= 4.0,
            "pair {pair}: {mean} not {}",
            sets.similarity()
        );
        sum_of_squares += z * z;
    }
    // All pairs together: the mean of 100 squares of normal numbers is 1 ± .14.
    let mean = sum_of_squares / 100.0;
    assert!((mean - 1.0).abs() < 4.0 * 0.1414, "{mean}");
}

/// Columns of a matrix of 200 rows.
fn columns(distance: f64, seed: u64) -> (Vec<u64>, Vec<u64>) {
    const UNION: usize = 50;
    let mut rng = random::stream(seed, 0);
    let rows = index::sample(&mut rng, 200, UNION)
        .into_iter()
        .map(|row| row as u64);
    let rows: Vec<u64> = rows.collect();
    let apart = (distance * UNION as f64).round() as usize;
    let middle = rng.random_range(0..=apart);
    let a = [&rows[..middle], &rows[apart..]].concat();
    (a, rows[middle..].to_vec())
}

#[test]
fn permutation() {
    check(&Permutation::new(200).unwrap(), columns);
}

/// Bags by their definition: 1 − Σ min / Σ max of how often each element comes.
struct BagJaccard;

impl Metric for BagJaccard {
    type Item = [u64];
    type Prepared = BTreeMap<u64, usize>;

    fn prepare(&self, bag: &[u64]) -> Self::Prepared {
        let mut counts = BTreeMap::new();
        bag.iter().for_each(|&x| *counts.entry(x).or_default() += 1);
        counts
    }

    fn distance(&self, a: &Self::Prepared, b: &Self::Prepared) -> f64 {
        let of = |counts: &Self::Prepared, x: &u64| counts.get(x).copied().unwrap_or(0);
        let larger = |x: &u64| of(a, x).max(of(b, x));
        let only_in_b = b.keys().filter(|x| !a.contains_key(x));
        let larger: usize = a.keys().chain(only_in_b).map(larger).sum();
        let smaller: usize = a.keys().map(|x| of(a, x).min(of(b, x))).sum();
        1.0 - smaller as f64 / larger as f64
    }
}

/// Bags of nine different elements, in any order.
fn bags(distance: f64, seed: u64) -> (Vec<u64>, Vec<u64>) {
    let mut rng = random::stream(seed, 0);
    let [mut a, mut b] = [Vec::new(), Vec::new()];
    for x in 0..9 {
        let more = rng.random_range(1..30);
        let less = (f64::from(more) * (1.0 - distance)).round() as i32;
        let (in_a, in_b) = if rng.random() {
            (more, less)
        } else {
            (less, more)
        };
        a.extend((0..in_a).map(|_| x));
        b.extend((0..in_b).map(|_| x));
    }
    b.reverse();
    (a, b)
}

#[test]
fn bag() {
    let test = Conformance::new(BagJaccard, bags);
    let report = test.check(&Universal::new(Bag::new(Integers)));
    println!("{}", report.unwrap());
}

/// Sets of twelve weights at any scale, the more of them in one set alone the farther apart.
fn weights(distance: f64, seed: u64) -> (Weights, Weights) {
    let mut rng = random::stream(seed, 0);
    let [mut a, mut b] = [Vec::new(), Vec::new()];
    let scale = 10f64.powi(rng.random_range(-3..3));
    for x in 0..12 {
        let more = scale * rng.random_range(2.0..4.0);
        let less = more * (1.0 - distance);
        let (in_a, in_b) = match x % 4 {
            0 if (x as f64) < 12.0 * distance => (more, 0.0),
            0 | 1 => (less, more),
            2 => (more, less),
            _ => (more, more * (1.0 - distance / 2.0)),
        };
        a.push((x, in_a));
        b.push((x, in_b));
    }
    (Weights::new(a).unwrap(), Weights::new(b).unwrap())
}

#[test]
fn consistent_weighted() {
    let test = Conformance::new(WeightedJaccard, weights);
    println!("{}", test.check(&ConsistentWeighted).unwrap());
}

/// Equal weights make it sets.
#[test]
fn consistent_weighted_on_plain_sets() {
    let pair = |distance, seed| {
        let (a, b) = sets(20)(distance, seed);
        let weigh = |set: Vec<u64>| Weights::new(set.into_iter().map(|x| (x, 3.0))).unwrap();
        (weigh(a), weigh(b))
    };
    let test = Conformance::new(WeightedJaccard, pair);
    println!("{}", test.check(&ConsistentWeighted).unwrap());
}

/// A family of which one thing is wrong.
#[derive(Clone, Copy, Debug)]
enum Wrong {
    /// Functions of a band are one and the same.
    Twins,
    /// A minimum that starts at a number instead of ∞.
    Start,
}

struct WrongFunctions(Wrong, UniversalFunctions<Integers>);

impl LshFamily for Wrong {
    type Item = [u64];
    type Functions = WrongFunctions;

    fn collision(&self, distance: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - distance))
    }

    fn draw(&self, k: usize, seed: u64) -> WrongFunctions {
        WrongFunctions(*self, Universal::new(Integers).draw(k, seed))
    }
}

impl LshFunctions for WrongFunctions {
    type Item = [u64];
    type Key = MinValue;
    type Scratch = <UniversalFunctions<Integers> as LshFunctions>::Scratch;

    fn len(&self) -> usize {
        self.1.len()
    }

    fn hash_into(&self, item: &[u64], scratch: &mut Self::Scratch, keys: &mut [MinValue]) {
        match self.0 {
            Wrong::Twins => {
                self.1.hash_into(item, scratch, keys);
                keys.chunks_mut(8).for_each(|band| band.fill(band[0]));
            }
            Wrong::Start => {
                self.1.hash_into(item, scratch, keys);
                keys.iter_mut()
                    .for_each(|key| *key = (*key).min(value_of(1 << 27)));
            }
        }
    }
}

#[test]
fn wrong_ones_are_caught() {
    let test = Conformance::new(Jaccard::new(Integers), sets(20));
    let twins = test.check(&Wrong::Twins);
    assert!(matches!(twins, Err(Violation::Lagged(1, _))), "{twins:?}");
    let twins = test.scheme(&Wrong::Twins);
    assert!(matches!(twins, Err(Violation::Scheme(_))), "{twins:?}");
    let start = test.check(&Wrong::Start);
    assert!(matches!(start, Err(Violation::Function(_))), "{start:?}");
    // Sets where bags are promised: repeats do not count.
    let sets = Conformance::new(BagJaccard, bags).check(&Universal::new(Integers));
    assert!(matches!(sets, Err(Violation::Function(_))), "{sets:?}");
}

/// The plugins: kinds, distances and families together.
#[test]
fn plugins_conform() {
    use lookalike_minhash::plugin::{self, HashedJaccard, Over, SetJaccard, TextJaccard};
    conformance::plugin::<Over<plugin::FastSimilarity, TextJaccard>>().unwrap();
    conformance::plugin::<Over<plugin::Universal, SetJaccard>>().unwrap();
    conformance::plugin::<Over<plugin::Universal, HashedJaccard>>().unwrap();
    conformance::plugin::<plugin::OnePass>().unwrap();
    conformance::plugin::<plugin::Permutation>().unwrap();
    conformance::plugin::<plugin::ConsistentWeighted>().unwrap();
}

/// Bags as a parameter of the distances: the metric is that of the definition, and families promise it.
#[test]
fn plugins_conform_on_bags() {
    use lookalike_core::plugin::{Distance, Family};
    use lookalike_minhash::plugin::{
        self, HashedJaccard, Over, SetDistance, SetFamily, SetJaccard, TextJaccard,
    };

    fn conforms<S: SetFamily, D: SetDistance>(distance: &D)
    where
        D::Elements: lookalike_minhash::Elements<Item = [u64]>,
    {
        let keys = S::default().over(distance.elements().unwrap());
        let test = Conformance::new(BagJaccard, bags).draws(160);
        println!("{}", test.check(&keys).unwrap());
    }
    let sets = SetJaccard { bag: true };
    conforms::<plugin::Universal, _>(&sets);
    conforms::<plugin::FastSimilarity, _>(&sets);
    conforms::<plugin::SimHash, _>(&sets);
    let hashed = HashedJaccard(TextJaccard {
        bag: true,
        ..TextJaccard::default()
    });
    conforms::<plugin::Universal, _>(&hashed);

    let metric = sets.metric().unwrap();
    for seed in 0u32..50 {
        let (a, b) = bags(f64::from(seed) / 50.0, u64::from(seed));
        let exact = BagJaccard.distance(&BagJaccard.prepare(&a), &BagJaccard.prepare(&b));
        let found = metric.distance(&metric.prepare(&a), &metric.prepare(&b));
        assert!((exact - found).abs() < 1e-12, "{exact} {found}");
    }
    // Of texts, too: the letters of bags as words.
    let texts = TextJaccard {
        bag: true,
        shingle: "words:1".parse().unwrap(),
        ..TextJaccard::default()
    };
    let words = |bag: &[u64]| {
        let words: Vec<String> = bag.iter().map(|x| format!("w{x}")).collect();
        words.join(" ")
    };
    let pairs = |distance, seed| {
        let (a, b) = bags(distance, seed);
        (words(&a), words(&b))
    };
    let metric = texts.metric().unwrap();
    let family = Over::<plugin::FastSimilarity, TextJaccard>::default();
    let keys = family.keys(&texts, 0).unwrap();
    let test = Conformance::new(metric, pairs).draws(160);
    println!("{}", test.check(&keys).unwrap());
    // The families of sets do not keep what is promised for bags.
    let wrong = family
        .keys(
            &TextJaccard {
                bag: false,
                ..texts.clone()
            },
            0,
        )
        .unwrap();
    let refused = Conformance::new(texts.metric().unwrap(), pairs).check(&wrong);
    assert!(
        matches!(refused, Err(Violation::Function(_))),
        "{refused:?}"
    );
}

/// Empty items meet nobody.
#[test]
fn empty_items_have_no_bucket() {
    fn all_none<F: LshFamily>(family: &F, item: &F::Item)
    where
        F::Functions: LshFunctions<Key = MinValue>,
    {
        let mut keys = [value_of(1); 8];
        family
            .draw(8, 0)
            .hash_into(item, &mut Default::default(), &mut keys);
        assert_eq!(keys, [None; 8], "{family:?}");
    }
    all_none(&Universal::new(Integers), &[][..]);
    all_none(&Universal::new(Bag::new(Integers)), &[][..]);
    all_none(&Permutation::new(3).unwrap(), &[][..]);
    all_none(&ConsistentWeighted, &Weights::default());
}
