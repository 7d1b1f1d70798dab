//! The trace gives the textbook's worked examples step by step, and the engine's candidates.

use std::collections::BTreeSet;

use lookalike_core::{Banding, LshFamily};
use lookalike_engine::{Columns, Join};
use lookalike_minhash::trace::{Functions, Matrix, Trace, Work};
use lookalike_minhash::{Keep, Permutation, Permutations};
use proptest::prelude::*;

fn banding(bands: u32, rows: u32) -> Banding {
    Banding::new(bands, rows).unwrap()
}

/// The signatures, a line a function, as the textbook prints them.
fn lines(trace: &Trace) -> Vec<String> {
    let number = |value: &Option<u64>| value.map_or("∞".into(), |value| value.to_string());
    let lines = trace.signatures.iter();
    lines
        .map(|line| line.iter().map(number).collect())
        .collect()
}

fn by_permutations(matrix: Matrix, tables: &[[u64; 7]], keep: Keep) -> Trace {
    let tables: Vec<Vec<u64>> = tables.iter().map(|table| table.to_vec()).collect();
    let bands = tables.len() as u32;
    let permutations = Permutations::with(tables, keep).unwrap();
    let functions = Functions::Permutations(permutations, keep);
    Trace::new(matrix, functions, banding(bands, 1)).unwrap()
}

/// What the signatures say of two sets, and what is true.
fn similarities(trace: &Trace, a: &str, b: &str) -> (f64, f64) {
    let pair = trace.pairs.iter().find(|pair| pair.sets == [a, b]).unwrap();
    (pair.estimated, pair.exact)
}

#[test]
fn section_3_one_pass() {
    let sets = [vec![0, 3], vec![2], vec![1, 3, 4], vec![0, 2, 3]];
    let matrix = Matrix::of_sets(&sets).unwrap();
    let functions = ["x+1 mod 5", "3x+1 mod 5"].map(|text| text.parse().unwrap());
    let functions = Functions::Modular(functions.to_vec());
    let trace = Trace::new(matrix, functions, banding(1, 2)).unwrap();
    let Work::OnePass { functions, rows } = &trace.work else {
        panic!("{:?}", trace.work);
    };
    assert_eq!(functions, &["x + 1 mod 5", "3x + 1 mod 5"]);
    let (none, some) = (None, Some::<u64>);
    let expected = [
        (
            [1, 1],
            [
                [some(1), none, none, some(1)],
                [some(1), none, none, some(1)],
            ],
        ),
        (
            [2, 4],
            [
                [some(1), none, some(2), some(1)],
                [some(1), none, some(4), some(1)],
            ],
        ),
        (
            [3, 2],
            [
                [some(1), some(3), some(2), some(1)],
                [some(1), some(2), some(4), some(1)],
            ],
        ),
        (
            [4, 0],
            [
                [some(1), some(3), some(2), some(1)],
                [some(0), some(2), some(0), some(0)],
            ],
        ),
        (
            [0, 3],
            [
                [some(1), some(3), some(0), some(1)],
                [some(0), some(2), some(0), some(0)],
            ],
        ),
    ];
    assert_eq!(rows.len(), expected.len());
    for ((number, pass), (hashes, table)) in (0..).zip(rows).zip(expected) {
        assert_eq!((pass.row, &pass.hashes[..]), (number, &hashes[..]));
        assert_eq!(
            pass.table,
            table.map(|line| line.to_vec()),
            "after row {number}"
        );
    }
    assert_eq!(rows[3].lowered, [[false; 4], [true, false, true, true]]);
    assert_eq!(lines(&trace), ["1301", "0200"]);
    assert_eq!(similarities(&trace, "S1", "S4"), (1.0, 2.0 / 3.0));
    let candidates: Vec<_> = trace.candidates().map(|pair| &pair.sets).collect();
    assert_eq!(candidates, [&["S1", "S4"]]);
}

#[test]
fn section_3_practice() {
    let matrix = Matrix::of_sets(&[vec![1, 3, 4], vec![2, 3, 5]]).unwrap();
    let functions = ["x mod 5", "2x+1 mod 5"].map(|text| text.parse().unwrap());
    let functions = Functions::Modular(functions.to_vec());
    let trace = Trace::new(matrix, functions, banding(2, 1)).unwrap();
    assert_eq!(lines(&trace), ["10", "20"]);
}

#[test]
fn section_3_first_matrix() {
    let columns = ["1100111", "1110010", "1000011", "0111100"];
    let tables = [
        [4, 2, 7, 1, 6, 3, 5],
        [3, 4, 7, 2, 6, 1, 5],
        [2, 3, 7, 6, 1, 5, 4],
    ];
    let matrix = Matrix::of_columns(&columns).unwrap();
    let trace = by_permutations(matrix, &tables, Keep::Place);
    assert_eq!(lines(&trace), ["2231", "1112", "1221"]);
    assert_eq!(similarities(&trace, "S1", "S2"), (2.0 / 3.0, 1.0 / 2.0));
    assert_eq!(similarities(&trace, "S3", "S4"), (0.0, 0.0));

    // The same, given as sets of the numbers of their rows.
    let sets = columns.map(|column| {
        let bits = (1..).zip(column.chars());
        bits.filter(|(_, bit)| *bit == '1')
            .map(|(row, _)| row)
            .collect()
    });
    let again = by_permutations(Matrix::of_sets(&sets).unwrap(), &tables, Keep::Place);
    assert_eq!(again, trace);
}

#[test]
fn section_3_second_matrix_by_row_number() {
    let columns = ["1100011", "0011100", "1000011", "0111100"];
    let tables = [
        [2, 3, 7, 6, 1, 5, 4],
        [4, 2, 1, 3, 6, 7, 5],
        [3, 4, 7, 2, 6, 1, 5],
    ];
    let matrix = Matrix::of_columns(&columns).unwrap();
    let place = by_permutations(matrix.clone(), &tables, Keep::Place);
    assert_eq!(lines(&place), ["2121", "2141", "1212"]);
    let row = by_permutations(matrix, &tables, Keep::Row);
    assert_eq!(lines(&row), ["1515", "2313", "6464"]);
    assert_eq!(place.pairs, row.pairs);
    for (a, b, both) in [
        ("S1", "S3", (2.0 / 3.0, 0.75)),
        ("S2", "S4", (1.0, 0.75)),
        ("S1", "S2", (0.0, 0.0)),
        ("S3", "S4", (0.0, 0.0)),
    ] {
        assert_eq!(similarities(&row, a, b), both, "{a} {b}");
    }
}

#[test]
fn section_3_third_matrix() {
    let columns = ["0010010", "1001010", "1100001", "0101100"];
    let tables = [
        [1, 2, 3, 4, 5, 6, 7],
        [7, 6, 5, 4, 3, 2, 1],
        [6, 3, 1, 7, 2, 5, 4],
    ];
    let trace = by_permutations(Matrix::of_columns(&columns).unwrap(), &tables, Keep::Place);
    assert_eq!(lines(&trace), ["3112", "2213", "1532"]);
}

proptest! {
    #[test]
    fn the_engine_finds_the_same_candidates(
        sets in prop::collection::vec(prop::collection::vec(0u64..12, 0..8), 1..10),
        bands in 1u32..5, rows in 1u32..4, seed: u64,
    ) {
        prop_assume!(sets.iter().any(|set| !set.is_empty()));
        let matrix = Matrix::of_sets(&sets).unwrap();
        let banding = banding(bands, rows);
        let family = Permutation::new(matrix.rows().len() as u32).unwrap();
        let source = family.amplify(banding.scheme()).draw(seed).unwrap();
        let functions = Functions::Permutations(source.functions().clone(), Keep::Place);
        let trace = Trace::new(matrix.clone(), functions, banding).unwrap();
        let found: BTreeSet<[String; 2]> = trace.candidates().map(|pair| pair.sets.clone()).collect();

        let items: Vec<&[u64]> = matrix.columns().iter().map(Vec::as_slice).collect();
        let columns = Columns::build(&source, &items).unwrap();
        let pairs = Join::new(&columns).candidates().found;
        let name = |i: u32| format!("S{}", i + 1);
        let expected = pairs.iter().map(|pair| [name(pair.a()), name(pair.b())]).collect();
        prop_assert_eq!(found, expected);
    }
}
