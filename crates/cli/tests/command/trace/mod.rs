//! `lookalike trace`: the textbook's worked examples as they are printed, pages, and what is refused.

mod families;
mod keys;
mod printed;
mod seen;
mod wrong_use;

use serde_json::Value;

use crate::folder::{Folder, Said};

fn run(args: &[&str]) -> Said {
    Folder::new().lookalike(["trace"].iter().chain(args).copied(), "")
}

/// What a run with these arguments prints.
fn trace(args: &[&str]) -> String {
    let said = run(args);
    assert_eq!((said.code, said.error.as_str()), (0, ""), "{args:?}");
    said.out
}

fn as_json(args: &[&str]) -> Value {
    serde_json::from_str(&trace(&[args, &["--json"]].concat())).unwrap()
}

/// What a run that fails with this code says, up to the usage.
fn refused(code: i32, args: &[&str]) -> String {
    let said = run(args);
    assert_eq!(
        (said.code, said.out.as_str()),
        (code, ""),
        "{args:?}: {said:?}"
    );
    said.error.split("\n\n").next().unwrap().trim_end().into()
}

const FOUR_SETS: [&str; 8] = [
    "--set", "0,3", "--set", "2", "--set", "1,3,4", "--set", "0,2,3",
];
const TWO_HASHES: [&str; 4] = ["--hash", "x+1 mod 5", "--hash", "3x+1 mod 5"];
const MATRIX: [&str; 8] = [
    "--column", "1100111", "--column", "1110010", "--column", "1000011", "--column", "0111100",
];
const PERMUTATIONS: [&str; 6] = [
    "--permutation",
    "4,2,7,1,6,3,5",
    "--permutation",
    "3,4,7,2,6,1,5",
    "--permutation",
    "2,3,7,6,1,5,4",
];
