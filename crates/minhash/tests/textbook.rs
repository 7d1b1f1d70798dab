//! The worked numbers of the textbook on similarity and minhash, section by section.

use std::num::NonZeroU64;

use lookalike_core::{
    Banding, LshFamily, LshFunctions, Metric, Probability, conformance::metric_axioms, random, tune,
};
use lookalike_engine::{BySignature, Columns, Exact, Join, Pair, Signatures};
use lookalike_minhash::{
    Compact, Counts, Estimate, Integers, Jaccard, Keep, MinValue, Modular, ModularFunctions,
    OnePass, Permutations, Universal, generate::sets_with, minimum_of, similarity,
};

/// The rows in which a column, written from the first row on, holds a 1.
fn rows(column: &str) -> Vec<u64> {
    let ones = (0..).zip(column.chars()).filter(|(_, bit)| *bit == '1');
    ones.map(|(row, _)| row).collect()
}

fn distance(a: &[u64], b: &[u64]) -> f64 {
    let jaccard = Jaccard::new(Integers);
    jaccard.distance(&jaccard.prepare(a), &jaccard.prepare(b))
}

#[test]
fn section_2_common_elements() {
    // 4 of 8, 3 of 8.
    assert_eq!(
        similarity(&[1, 2, 3, 4, 5, 6], &[3, 4, 5, 6, 7, 8]),
        1.0 / 2.0
    );
    assert_eq!(similarity(&[1, 2, 3, 4, 5], &[3, 4, 5, 6, 7, 8]), 3.0 / 8.0);
    assert_eq!(distance(&[1, 2, 3, 4, 5], &[3, 4, 5, 6, 7, 8]), 5.0 / 8.0);
}

#[test]
fn section_2_bit_vectors() {
    let (a, b) = (rows("10111"), rows("10011"));
    assert_eq!(similarity(&a, &b), 3.0 / 4.0);
    assert_eq!(distance(&a, &b), 1.0 / 4.0);
    let counts = Counts::of(&a, &b);
    // AND is the intersection, OR the union.
    assert_eq!(counts.a as u32, (0b10111u8 & 0b10011).count_ones());
    assert_eq!(counts.union() as u32, (0b10111u8 | 0b10011).count_ones());
}

#[test]
fn section_2_four_sets() {
    // a, b, c, d, e are 0, 1, 2, 3, 4.
    let [s1, s2, s3, _s4] = four_sets();
    assert_eq!(similarity(s1, s3), 1.0 / 4.0);
    assert_eq!(distance(s1, s3), 3.0 / 4.0);
    assert_eq!(similarity(s1, s2), 0.0);
    let sets = four_sets();
    assert_eq!(metric_axioms(&Jaccard::new(Integers), &sets), Ok(()));
}

fn four_sets() -> [&'static [u64]; 4] {
    [&[0, 3], &[2], &[1, 3, 4], &[0, 2, 3]]
}

#[test]
fn section_2_types_of_rows() {
    let counts = Counts::of(&rows("1100111"), &rows("1110010"));
    assert_eq!(counts, Counts { a: 3, b: 2, c: 1 });
    assert_eq!(counts.d(7), Some(1));
    assert_eq!(counts.similarity(), 3.0 / (3.0 + 2.0 + 1.0));
}

/// The signature matrix of columns, a line a permutation, as the textbook prints it.
fn signatures(permutations: &[[u64; 7]], columns: &[&str], keep: Keep) -> Vec<String> {
    let tables = permutations.iter().map(|table| table.to_vec()).collect();
    let functions = Permutations::with(tables, keep).unwrap();
    let of_columns: Vec<Vec<MinValue>> = columns
        .iter()
        .map(|column| signature(&functions, &rows(column)))
        .collect();
    let number = |value: &MinValue| value.map_or("∞".into(), |value| value.to_string());
    (0..permutations.len())
        .map(|line| {
            of_columns
                .iter()
                .map(|column| number(&column[line]))
                .collect()
        })
        .collect()
}

fn signature<F: LshFunctions<Item = [u64], Key = MinValue>>(
    functions: &F,
    item: &[u64],
) -> Vec<MinValue> {
    let mut keys = vec![None; functions.len()];
    functions.hash_into(item, &mut Default::default(), &mut keys);
    keys
}

/// The similarity of two columns, and that of their signatures.
fn both_similarities(permutations: &[[u64; 7]], a: &str, b: &str) -> (f64, f64) {
    let tables = permutations.iter().map(|table| table.to_vec()).collect();
    let functions = Permutations::with(tables, Keep::Place).unwrap();
    let [a, b] = [a, b].map(rows);
    let [of_a, of_b] = [&a, &b].map(|rows| signature(&functions, rows));
    let estimate = Estimate::new(&of_a, &of_b).unwrap();
    (similarity(&a, &b), estimate.similarity())
}

#[test]
fn section_3_first_matrix() {
    let [a, b, c, d] = ["1100111", "1110010", "1000011", "0111100"];
    let permutations = [
        [4, 2, 7, 1, 6, 3, 5],
        [3, 4, 7, 2, 6, 1, 5],
        [2, 3, 7, 6, 1, 5, 4],
    ];
    let lines = signatures(&permutations, &[a, b, c, d], Keep::Place);
    assert_eq!(lines, ["2231", "1112", "1221"]);
    assert_eq!(
        both_similarities(&permutations, a, b),
        (1.0 / 2.0, 2.0 / 3.0)
    );
    assert_eq!(both_similarities(&permutations, c, d), (0.0, 0.0));
}

const SECOND: [&str; 4] = ["1100011", "0011100", "1000011", "0111100"];

#[test]
fn section_3_second_matrix() {
    let permutations = [
        [2, 3, 7, 6, 1, 5, 4],
        [4, 2, 1, 3, 6, 7, 5],
        [3, 4, 7, 2, 6, 1, 5],
    ];
    let by_place = signatures(&permutations, &SECOND, Keep::Place);
    assert_eq!(by_place, ["2121", "2141", "1212"]);
    let by_row = signatures(&permutations, &SECOND, Keep::Row);
    assert_eq!(by_row, ["1515", "2313", "6464"]);
    let [c1, c2, c3, c4] = SECOND;
    let expected = [
        (c1, c3, 0.75, 2.0 / 3.0),
        (c2, c4, 0.75, 1.0),
        (c1, c2, 0.0, 0.0),
        (c3, c4, 0.0, 0.0),
    ];
    for (x, y, columns, of_signatures) in expected {
        assert_eq!(
            both_similarities(&permutations, x, y),
            (columns, of_signatures)
        );
    }
}

#[test]
fn section_3_second_matrix_under_other_permutations() {
    let permutations = [
        [1, 3, 7, 6, 2, 5, 4],
        [4, 2, 1, 3, 6, 7, 5],
        [3, 4, 7, 6, 1, 2, 5],
    ];
    let lines = signatures(&permutations, &SECOND, Keep::Place);
    assert_eq!(lines, ["1212", "2141", "2121"]);
}

#[test]
fn section_3_third_matrix() {
    let columns = ["0010010", "1001010", "1100001", "0101100"];
    let permutations = [
        [1, 2, 3, 4, 5, 6, 7],
        [7, 6, 5, 4, 3, 2, 1],
        [6, 3, 1, 7, 2, 5, 4],
    ];
    let lines = signatures(&permutations, &columns, Keep::Place);
    assert_eq!(lines, ["3112", "2213", "1532"]);
}

/// x + 1 and 3x + 1 modulo 5.
fn h1_h2() -> Vec<Modular> {
    let modulo_5 = |a, b| Modular::new(a, b, 5, 5).unwrap();
    vec![modulo_5(1, 1), modulo_5(3, 1)]
}

#[test]
fn section_3_one_pass_row_by_row() {
    let sets = four_sets();
    let mut pass = OnePass::new(h1_h2(), 4);
    let after_each_row = [
        "1 ∞ ∞ 1 | 1 ∞ ∞ 1",
        "1 ∞ 2 1 | 1 ∞ 4 1",
        "1 3 2 1 | 1 2 4 1",
        "1 3 2 1 | 0 2 0 0",
        "1 3 0 1 | 0 2 0 0",
    ];
    for (row, expected) in (0..).zip(after_each_row) {
        let members: Vec<usize> = (0..4).filter(|&set| sets[set].contains(&row)).collect();
        pass.row(row, &members).unwrap();
        let number = |least: &Option<u64>| least.map_or("∞".into(), |least| least.to_string());
        let line = |line: &Vec<_>| line.iter().map(number).collect::<Vec<_>>().join(" ");
        let table: Vec<String> = pass.signature().iter().map(line).collect();
        assert_eq!(table.join(" | "), expected, "after row {row}");
    }
    let estimate = Estimate::new(&pass.column(0), &pass.column(3)).unwrap();
    assert_eq!(estimate.similarity(), 1.0);
    assert_eq!(similarity(sets[0], sets[3]), 2.0 / 3.0);
    // Column by column it is the same.
    let functions = ModularFunctions::with(h1_h2());
    for (column, set) in sets.into_iter().enumerate() {
        assert_eq!(pass.column(column), signature(&functions, set));
    }
}

#[test]
fn section_3_practice() {
    // h = x mod 5, g = 2x + 1 mod 5
    let functions = [(1, 0), (2, 1)].map(|(a, b)| Modular::new(a, b, 5, 5).unwrap());
    let functions = ModularFunctions::with(functions.to_vec());
    let minima = |rows: &[u64]| {
        let signature = signature(&functions, rows);
        signature.into_iter().map(minimum_of).collect::<Vec<_>>()
    };
    assert_eq!(minima(&[1, 3, 4]), [Some(1), Some(2)]);
    assert_eq!(minima(&[2, 3, 5]), [Some(0), Some(0)]);
}

#[test]
fn section_3_how_many_functions() {
    for (error, functions) in [(0.1, 185), (0.05, 738), (0.02, 4612)] {
        assert_eq!(
            tune::functions_for_estimate(error, 0.95).unwrap(),
            functions
        );
    }
}

/// So many functions keep the promise: at most 5% of the estimates are farther off.
#[test]
fn section_3_the_error_of_an_estimate() {
    const DRAWS: u64 = 2000;
    let pair = sets_with(60, 0.5, 1).unwrap();
    let (mut far, mut squares) = (0, 0.0);
    for seed in 0..DRAWS {
        let functions = Universal::new(Integers).draw(185, seed);
        let [a, b] = [pair.a(), pair.b()].map(|set| signature(&functions, set));
        let error = Estimate::new(&a, &b).unwrap().similarity() - pair.similarity();
        far += u32::from(error.abs() > 0.1);
        squares += error * error;
    }
    assert!(f64::from(far) <= 0.05 * DRAWS as f64, "{far} of {DRAWS}");
    // The standard error √(J(1−J)/n); its own is about 1/√(2·draws).
    let expected = tune::standard_error(Probability::new(pair.similarity()).unwrap(), 185);
    let ratio = (squares / DRAWS as f64).sqrt() / expected;
    assert!(
        (ratio - 1.0).abs() < 4.0 / (2.0 * DRAWS as f64).sqrt(),
        "{ratio}"
    );
}

#[test]
fn section_3_a_signature_of_100_values() {
    let functions = Universal::new(Integers).draw(100, 7);
    let values = signature(&functions, &[1, 2, 3]);
    let minima: Vec<u32> = values
        .iter()
        .map(|&value| {
            minimum_of(value)
                .unwrap()
                .try_into()
                .expect("four bytes hold it")
        })
        .collect();
    assert_eq!(size_of_val(&minima[..]), 400);
    // "About 100 bytes" takes one byte each.
    assert_eq!(Compact::new(&values).unwrap().bytes().len(), 100);
}

/// Signatures, 20 bands × 5 rows, candidates, signatures compared: for each of many seeds a pair at .8 and one at .3.
#[test]
fn section_4_the_pipeline() {
    const SEEDS: u64 = 400;
    const PAIRS: u64 = 25;
    let banding = Banding::new(20, 5).unwrap();
    let family = Universal::new(Integers).amplify(banding.scheme());
    for (wanted, printed) in [(0.8, 0.9996), (0.3, 0.0475)] {
        let (mut rates, mut accepted, mut exact) = (Vec::new(), 0, 0);
        for seed in 0..SEEDS {
            // Sets of 117 and 130 elements have these similarities exactly: 104/130, 60/200.
            let n = if wanted == 0.8 { 117 } else { 130 };
            let sets: Vec<Vec<u64>> = (0..PAIRS)
                .flat_map(|pair| {
                    let pair = sets_with(n, wanted, random::derive(seed, pair)).unwrap();
                    assert_eq!(pair.similarity(), wanted);
                    <[Vec<u64>; 2]>::from(pair.into_sets())
                })
                .collect();
            let source = family.draw(seed).unwrap();
            let columns = Columns::build(&source, &sets).unwrap();
            let join = Join::new(&columns);
            let candidates = join.candidates().found;
            assert!(
                candidates.iter().all(planted),
                "sets without a common element met"
            );
            rates.push(candidates.len() as f64 / PAIRS as f64);
            // Then signatures agree in at least .6 of the functions, or the sets themselves are compared.
            let signatures = Signatures::build(source.functions(), &sets);
            let by_signature = join.matches(&BySignature::new(&signatures, 0.4));
            accepted += by_signature.found.len();
            let jaccard = Jaccard::new(Integers);
            let matches = join
                .matches(&Exact::new(&jaccard, &sets).within(0.21))
                .found;
            assert!(matches.iter().all(|it| (it.distance - 0.2).abs() < 1e-12));
            exact += matches.len();
        }
        let n = SEEDS as f64;
        let rate = rates.iter().sum::<f64>() / n;
        let promised = banding
            .probability(Probability::new(wanted).unwrap())
            .value();
        assert!((promised - printed).abs() < 0.00005);
        // Pairs of one seed share its functions: the error is taken between seeds.
        let variance = rates.iter().map(|it| (it - rate).powi(2)).sum::<f64>() / (n - 1.0);
        let floor = promised * (1.0 - promised) / (n * PAIRS as f64);
        let error = (variance / n).max(floor).sqrt();
        assert!(
            (rate - promised).abs() < 4.0 * error,
            "{wanted}: {rate} ± {error}, not {promised}"
        );
        let candidates = (rate * n * PAIRS as f64).round() as usize;
        if wanted == 0.8 {
            // .8 ± .04 by 100 functions lies above .6 nearly always; the sets always do.
            assert_eq!(exact, candidates);
            assert!(accepted as f64 > 0.9999 * candidates as f64, "{accepted}");
        } else {
            assert_eq!(exact, 0);
            assert!(accepted <= candidates / 100, "{accepted}");
        }
    }
}

/// Pairs were put side by side.
fn planted(pair: &Pair) -> bool {
    pair.a().is_multiple_of(2) && pair.b() == pair.a() + 1
}

#[test]
fn section_4_empty_sets_are_nobodys_candidates() {
    let source = Universal::new(Integers).and(5).or(20).draw(1).unwrap();
    let sets: [&[u64]; 4] = [&[], &[1, 2], &[], &[2, 1, 2]];
    let columns = Columns::build(&source, &sets).unwrap();
    let candidates = Join::new(&columns).candidates();
    assert_eq!(candidates.found, [Pair::ordered(1, 3)]);
    let values = signature(source.functions(), &[]);
    assert_eq!(values, [None::<NonZeroU64>; 100]);
}

#[test]
fn section_5_jaccard_sensitivity() {
    let sensitivity = Universal::new(Integers).sensitivity(0.2, 0.6).unwrap();
    assert_eq!(
        (sensitivity.p1().value(), sensitivity.p2().value()),
        (0.8, 0.4)
    );
}
