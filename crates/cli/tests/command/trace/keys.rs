//! Families whose items have keys: blocks, multi-probe, partitions, walks, q-grams, digests; and more families of vectors
//! and sets. What each trace shows is held against the definition of the family.

use serde_json::{Value, json};

use super::families::{args, rows, tables};
use super::{as_json, trace};
use crate::folder::Folder;

/// The parts of a cell of keys.
fn keys(cell: &Value) -> Vec<String> {
    let text = |it: &Value| it.as_str().unwrap().to_owned();
    match cell.as_array() {
        Some(parts) => parts.iter().map(text).collect(),
        None => vec![text(cell)],
    }
}

/// Of 8 bits in 3 blocks, 2 that differ leave one block alone.
#[test]
fn blocks_of_codes() {
    let text = trace(&args(
        "--code 10111000 --code 10011001 --code 01000111 --by blocks",
    ));
    insta::assert_snapshot!(text.split_once("3  What is looked at").unwrap().1, @r"

    All bits, in random order, are cut into 3 blocks. What a code has in a block is
    its key there.

    block  bits
        1  1  3  6
        2  4  5  7
        3  2  8

    4  Keys

    In each block, the bits in their order.

        keys
    C1  1: 110  2: 110  3: 00
    C2  1: 100  2: 110  3: 01
    C3  1: 001  2: 001  3: 11

    5  Candidates

    Codes that differ in at most 2 bits meet for certain, because some block has
    none of them. The probability is that codes at the distance meet.

    pair   Hamming distance  probability  candidate  shared keys
    C1 C2                 2            1  yes        2: 110
    C1 C3                 8            0  no         –
    C2 C3                 6      0.03571  no         –
    ");
    let json = as_json(&args(
        "--code 10111000 --code 10011001 --by blocks --blocks 4 --flips 1",
    ));
    let places: Vec<String> = rows(&json, "What is looked at")
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|row| keys(&row[1]))
        .collect();
    let mut sorted = places.clone();
    sorted.sort();
    assert_eq!(
        sorted,
        ["1", "2", "3", "4", "5", "6", "7", "8"],
        "all bits once"
    );
    // Four blocks of two bits; a query asks for its own key and two more.
    let both = tables(&json, "Keys");
    assert_eq!(
        (keys(&both[0][0][1]).len(), keys(&both[1][0][1]).len()),
        (4, 12)
    );
    // Four blocks with a flip each find up to 7 bits.
    assert_eq!(rows(&json, "Candidates")[0][2], "1");
}

/// 1 − (1 − h)^3 with the hypergeometric h that at most one of two sampled bits differs.
#[test]
fn multi_probe_flips_bits_of_keys() {
    let json = as_json(&args(
        "--code 10111000 --code 01000111 --code 10111000 --by multi-probe",
    ));
    assert_eq!(
        json["summary"],
        "3 codes of 8 bits, 3 bands × 2 rows, 1 flip"
    );
    let both = tables(&json, "Keys");
    let [stored, asked] = [&both[0][0][1], &both[1][0][1]].map(keys);
    assert_eq!((stored.len(), asked.len()), (3, 9));
    for key in &stored {
        let (band, bits) = key.split_once(": ").unwrap();
        let near = asked
            .iter()
            .filter_map(|it| it.strip_prefix(&format!("{band}: ")));
        let flips = |other: &str| {
            bits.chars()
                .zip(other.chars())
                .filter(|(a, b)| a != b)
                .count()
        };
        assert!(
            near.clone().all(|other| flips(other) <= 1) && near.count() == 3,
            "{asked:?}"
        );
    }
    let candidates = rows(&json, "Candidates");
    // Eight bits that differ: never within a flip of two. Copies: always.
    assert_eq!([&candidates[0][2], &candidates[0][3]], ["0", "no"]);
    assert_eq!([&candidates[1][2], &candidates[1][3]], ["1", "yes"]);
    let near = as_json(&args(
        "--code 10111000 --code 01010000 --by multi-probe --bands 2 --rows 3 --flips 0",
    ));
    // Four of eight bits differ: C(4, 3)/C(8, 3) = 1/14, and 1 − (13/14)².
    assert_eq!(rows(&near, "Candidates")[0][2], "0.13776");
    assert_eq!(tables(&near, "Keys").len(), 1);
}

/// The largest product decides, by the direction or its opposite.
#[test]
fn directions_of_cross_polytopes() {
    let json = as_json(&args(
        "--vector 3,4,5 --vector 3,-4,5 --vector 0,0,0 --by cross-polytope",
    ));
    let directions = rows(&json, "Directions");
    let directions = directions.as_array().unwrap();
    assert_eq!(directions.len(), 2 * 8);
    let number = |cell: &Value| {
        cell.as_str()
            .unwrap()
            .replace('−', "-")
            .parse::<f64>()
            .unwrap()
    };
    let answers = rows(&json, "Nearest directions");
    for function in 0..2 {
        let of_function = &directions[8 * function..][..8];
        for vector in 0..2 {
            let product = |row: &Value| number(&row[3 + vector]);
            let largest = of_function
                .iter()
                .max_by(|a, b| product(a).abs().total_cmp(&product(b).abs()));
            let largest = largest.unwrap();
            let sign = if product(largest) < 0.0 { "−" } else { "+" };
            let expected = format!("{sign}{}", largest[1].as_str().unwrap());
            assert_eq!(answers[function][1 + vector], expected);
        }
        assert_eq!(answers[function][3], "none");
        // g·x by hand.
        let row = &of_function[0];
        let direction: Vec<f64> = row[2]
            .as_str()
            .unwrap()
            .trim_matches(['(', ')'])
            .split(", ")
            .map(|it| number(&json!(it)))
            .collect();
        let by_hand = 3.0 * direction[0] + 4.0 * direction[1] + 5.0 * direction[2];
        assert!((by_hand - number(&row[3])).abs() < 2e-3, "{row}");
    }
    let more = as_json(&args(
        "--vector 3,4 --vector 4,3 --by cross-polytope --directions 16 --bands 2 --rows 2",
    ));
    assert_eq!(rows(&more, "Directions").as_array().unwrap().len(), 64);
}

/// (|1 − 3| + |1 − 1.5|) = 2.5, and 2·atan(t)/π − ln(1 + t²)/(π·t) at t = 4/2.5.
#[test]
fn cauchy_lines_go_by_the_manhattan_distance() {
    let json = as_json(&args(
        "--vector 1,1 --vector 3,1.5 --by cauchy-lines --bucket-width 4 --bands 2 --rows 1",
    ));
    assert_eq!(json["title"], "Cauchy lines, step by step");
    let t: f64 = 4.0 / 2.5;
    let pi = std::f64::consts::PI;
    let p = 2.0 * t.atan() / pi - (1.0 + t * t).ln() / (pi * t);
    let likely = &rows(&json, "How likely that was")[0];
    assert_eq!(
        (&likely[1], &likely[2]),
        (&json!("2.5"), &json!(format!("{p:.5}")))
    );
    // Lines that are given may be of either law.
    let given = as_json(&args(
        "--vector 1,1 --vector 3,1.5 --by cauchy-lines --line 1,0",
    ));
    assert_eq!(given["title"], "Cauchy lines, step by step");
}

/// A hundred draws agree about as often as the formula says.
#[test]
fn simhash_of_sets() {
    let json = as_json(&args(
        "--set a,d --set c --set a,c,d --by simhash --bands 2 --rows 2",
    ));
    let components = rows(&json, "Hyperplanes");
    let products = tables(&json, "Products and bits");
    let number = |cell: &Value| {
        cell.as_str()
            .unwrap()
            .replace('−', "-")
            .parse::<f64>()
            .unwrap()
    };
    for function in 0..4 {
        // Rows a, c, d; S3 has all of them.
        let sum: f64 = (0..3)
            .map(|row| number(&components[row][1 + function]))
            .sum();
        let product = number(&products[0][function][3]);
        assert!((sum - product).abs() < 2e-3, "{sum} {product}");
        assert_eq!(
            products[1][function][4],
            if product > 0.0 { "1" } else { "0" }
        );
    }
    let codes = rows(&json, "Codes and angles");
    // {a, d} and {a, c, d}: 2/√6.
    assert_eq!([&codes[1][1], &codes[1][2]], ["0.8165", "35.2644°"]);
    assert_eq!([&codes[0][1], &codes[0][3]], ["0", "32"]);
    let likely = rows(&json, "How likely that was");
    // J = 0 has one angle, 90°.
    assert_eq!(likely[0][2], "0.50000");
    assert_eq!(likely[1][2], "0.79517 to 0.80409");
    let texts = as_json(&[
        "--shingle",
        "chars:2",
        "--text",
        "abcab",
        "--text",
        "abcabab",
        "--by",
        "simhash",
    ]);
    assert_eq!(rows(&texts, "Hyperplanes")[0][0], "‘ab’");
}

/// One edit leaves one of two parts as it is.
#[test]
fn parts_of_strings() {
    let json = as_json(&args(
        "--string rose --string roses --string nose --string x --by partitions",
    ));
    let both = tables(&json, "Partitions");
    assert_eq!(keys(&both[0][0][1]), ["4/1: ‘ro’", "4/2: ‘se’"]);
    assert!(
        keys(&both[1][1][1]).contains(&"4/1: ‘ro’".into()),
        "{}",
        both[1][1]
    );
    assert_eq!(keys(&both[0][3][1]), ["1: too short"]);
    let candidates = rows(&json, "Candidates");
    for pair in candidates.as_array().unwrap() {
        let distance: u32 = pair[1].as_str().unwrap().parse().unwrap();
        assert!(distance > 1 || pair[2] == "yes", "{pair}");
    }
    assert_eq!(candidates[2], json!(["S2 S3", "2", "no", "–"]));
}

/// Letters follow each other as in the string, forwards and backwards, and the band looks at those in brackets.
#[test]
fn walks_through_strings() {
    let json = as_json(&args(
        "--string rose --string roses --by cgk --bands 4 --rows 2",
    ));
    let walks = rows(&json, "Random walks");
    let stored = tables(&json, "Keys").swap_remove(0);
    for walk in walks.as_array().unwrap() {
        let band: usize = walk[0].as_str().unwrap().parse().unwrap();
        let (item, string) = if walk[1] == "S1" {
            (0, "rose")
        } else {
            (1, "roses")
        };
        let steps = keys(&walk[3]);
        let (forwards, backwards): (String, String) =
            (string.into(), string.chars().rev().collect());
        // Every third band looks at two walks.
        let (first, second) = steps.split_at(steps.len() / 2);
        let walked = match band % 3 {
            1 => vec![(&steps[..], forwards)],
            2 => vec![(&steps[..], backwards)],
            _ => vec![(first, forwards), (second, backwards)],
        };
        for (steps, order) in walked {
            let letters = steps.concat();
            let mut seen: Vec<char> = letters.chars().filter(|c| c.is_alphabetic()).collect();
            seen.dedup();
            let seen: String = seen.into_iter().collect();
            assert!(order.starts_with(&seen), "{walk}");
        }
        let looked: String = steps
            .iter()
            .filter(|it| it.starts_with('['))
            .cloned()
            .collect();
        let looked = looked.replace(['[', ']'], "");
        let key = format!("{band}: ‘{looked}’ {}", walk[2].as_str().unwrap());
        assert!(keys(&stored[item][1]).contains(&key), "{key} of {stored}");
    }
    assert_eq!(rows(&json, "Candidates")[0][2], "yes");
}

/// All three pairs of letters of a string, in their order, if a band takes three.
#[test]
fn q_grams_in_their_order() {
    let json = as_json(&args(
        "--string rose --string orse --by order-minhash --gram 2 --bands 2 --rows 3",
    ));
    let stored = rows(&json, "Order minhash");
    assert_eq!(
        keys(&stored[0][1]),
        ["1: ‘ro’ ‘os’ ‘se’", "2: ‘ro’ ‘os’ ‘se’"]
    );
    assert_eq!(
        keys(&stored[1][1]),
        ["1: ‘or’ ‘rs’ ‘se’", "2: ‘or’ ‘rs’ ‘se’"]
    );
    assert_eq!(
        rows(&json, "Candidates")[0],
        json!(["S1 S2", "2", "no", "–"])
    );
}

#[test]
fn digests_of_files() {
    let folder = Folder::new();
    let lines = |of: u32| {
        (0..400u32)
            .map(|n| format!("line {} of a file\n", n * n % of))
            .collect::<String>()
    };
    folder.write("a.txt", lines(977));
    folder.write("b.txt", lines(977) + "and one more line at the end\n");
    folder.write("short.txt", "short");
    let start = ["trace", "--digest", "a.txt", "--digest", "b.txt"];
    let said = folder.lookalike(start.into_iter().chain(["--json"]), "");
    assert_eq!((said.code, said.error.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&said.out).unwrap();
    let distance = &rows(&json, "Distance")[0];
    let numbers: Vec<u32> = (1..6)
        .map(|i| distance[i].as_str().unwrap().parse().unwrap())
        .collect();
    assert_eq!(numbers[..4].iter().sum::<u32>(), numbers[4]);
    assert!(numbers[4] < 40, "{distance}");
    assert_eq!(rows(&json, "Candidates")[0][1], numbers[4].to_string());
    // The digest itself may be given, and is the same.
    let digest = tables(&json, "Digests")[1][0][1]
        .as_str()
        .unwrap()
        .to_owned();
    let given = folder.lookalike(
        ["trace", "--digest", &digest, "--digest", "b.txt", "--json"],
        "",
    );
    let given: Value = serde_json::from_str(&given.out).unwrap();
    assert_eq!(rows(&given, "Distance"), rows(&json, "Distance"));
    let said = folder.lookalike(["trace", "--digest", "short.txt"], "");
    assert_eq!(
        (said.code, said.error.as_str()),
        (
            1,
            "error: short.txt: too short or too uniform for a digest\n"
        )
    );
}
