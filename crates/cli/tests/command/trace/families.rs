//! Codes, vectors, strings and prints: the textbook's numbers, step by step.

use serde_json::{Value, json};

use super::{as_json, trace};
use crate::folder::Folder;

/// The rows of the tables of the step with a title.
pub(super) fn tables(json: &Value, title: &str) -> Vec<Value> {
    let steps = json["steps"].as_array().unwrap();
    let step = steps.iter().find(|step| step["title"] == title);
    let step = step.unwrap_or_else(|| panic!("no step {title}: {json:#}"));
    let tables = step["tables"].as_array().unwrap().iter();
    tables.map(|table| table["rows"].clone()).collect()
}

pub(super) fn rows(json: &Value, title: &str) -> Value {
    tables(json, title).swap_remove(0)
}

pub(super) fn args(words: &str) -> Vec<&str> {
    words.split(' ').collect()
}

/// 10111 and 10011 differ in one of five bits; as sets they are 3/4 alike.
#[test]
fn bits_of_codes() {
    let text = trace(&args(
        "--code 10111 --code 10011 --bit 1,3,5 --amplify and:3",
    ));
    insta::assert_snapshot!(text, @r"
    2 codes of 5 bits, 3 functions in and:3

    1  Codes

    The bits of each code, counted from 1 at the left.

    bit  1  2  3  4  5
    C1   1  0  1  1  1
    C2   1  0  0  1  1

    2  Hamming distance

    The number of bits that differ. As sets of the places that hold a 1, codes also
    have a Jaccard similarity.

    pair   bits that differ  Hamming distance  1 − d/n  Jaccard of the ones
    C1 C2  3                                1      4/5                  3/4

    3  Functions: one bit each

    A function looks at one bit of a code. Two codes agree on it if that bit is the
    same.

    function  bit  C1  C2
    h1          1   1   1
    h2          3   1   0
    h3          5   1   1

    4  Bands and buckets

    1 band × 3 rows: items with the same answers in all rows of a band share its
    bucket.

    band  answers  items
       1  1 1 1    C1
       1  1 0 1    C2

    5  AND and OR

    1 where two items agree on a function. and:3 keeps a 1 where all 3 of a group
    are 1. A pair is a candidate if a 1 is left.

    pair   functions  and:3  candidate
    C1 C2  101        0      no

    6  How likely that was

    At distance d a random function agrees with probability 1 − d/n, with codes of n
    bits. AND of 3 turns p into p^3.

    pair   Hamming distance  one function    and:3
    C1 C2                 1       0.80000  0.51200
    ");
}

#[test]
fn bits_that_are_drawn_fall_into_bands() {
    let json = as_json(&args("--code 10111 --code 10011 --code 10111"));
    assert_eq!(
        json["summary"],
        "3 codes of 5 bits, 6 functions in and:2,or:3"
    );
    // Equal codes agree everywhere, with certainty.
    let pairs = rows(&json, "AND and OR");
    assert_eq!(pairs[1], json!(["C1 C3", "11 11 11", "111", "1", "yes"]));
    let likely = rows(&json, "How likely that was");
    assert_eq!(likely[1], json!(["C1 C3", "0", "1", "1", "1"]));
    // p = 0.8, p² = 0.64, 1 − 0.36³ = 0.953.
    assert_eq!(
        likely[0],
        json!(["C1 C2", "1", "0.80000", "0.64000", "0.95334"])
    );
    let other = as_json(&args("--code 10111 --code 10011 --code 10111 --seed 5"));
    assert_ne!(
        rows(&json, "Functions: one bit each"),
        rows(&other, "Functions: one bit each")
    );
}

/// Normals of ±1, as in Mining of Massive Datasets, 3.7.3: 10 2 −4 and 4 −2 4, so that one of three signs agrees.
#[test]
fn signs_of_vectors() {
    let vectors = "--vector 3,4,5,6 --vector 4,3,2,1";
    let normals = "--normal 1,-1,1,1 --normal -1,1,-1,1 --normal 1,1,-1,-1";
    let json = as_json(&args(&format!("{vectors} {normals}")));
    let found = tables(&json, "Vectors and their distances");
    assert_eq!(found[1], json!([["V1 V2", "40", "0.7875", "38.0476°"]]));
    assert_eq!(
        rows(&json, "Hyperplanes"),
        json!([
            ["h1", "(1, −1, 1, 1)", "10", "4"],
            ["h2", "(−1, 1, −1, 1)", "2", "−2"],
            ["h3", "(1, 1, −1, −1)", "−4", "4"],
        ])
    );
    assert_eq!(
        rows(&json, "Signs"),
        json!([["h1", "+1", "+1"], ["h2", "+1", "−1"], ["h3", "−1", "+1"]])
    );
    assert_eq!(
        rows(&json, "AND and OR")[0],
        json!(["V1 V2", "100", "1", "yes"])
    );
    let likely = &rows(&json, "How likely that was")[0];
    // 1 − 38.05/180.
    assert_eq!(
        (&likely[1], &likely[2]),
        (&json!("38.0476"), &json!("0.78862"))
    );
    // A vector of zeros has no side, so it is not a candidate.
    let json = as_json(&args("--vector 0,0 --vector 0,0 --bands 1 --rows 1"));
    assert_eq!(rows(&json, "Signs"), json!([["h1", "none", "none"]]));
    assert_eq!(rows(&json, "AND and OR")[0][2], "no");
}

/// A line with buckets of width a = 2: (a/2, 2a, 1/2, 1/3).
#[test]
fn buckets_on_a_line() {
    let words = "--vector 0.5,7 --vector 1.5,7 --vector 4.5,7 --line 1,0 --bucket-width 2";
    let json = as_json(&args(words));
    let places = rows(&json, "Places on the lines");
    assert_eq!(
        places,
        json!([["h1", "(1, 0)", "0", "0.25", "0.75", "2.25"]])
    );
    assert_eq!(
        rows(&json, "Bucket numbers"),
        json!([["h1", "0", "0", "2"]])
    );
    let buckets = rows(&json, "Bands and buckets");
    assert_eq!(buckets, json!([["1", "0", "V1 V2"], ["1", "2", "V3"]]));
    let likely = rows(&json, "How likely that was");
    let chance = |row: usize| likely[row][2].as_str().unwrap().parse::<f64>().unwrap();
    assert_eq!((&likely[0][1], &likely[1][1]), (&json!("1"), &json!("4")));
    assert!(chance(0) >= 0.5 && chance(1) <= 1.0 / 3.0, "{likely}");
    let drawn = as_json(&args("--vector 0.5,7 --vector 1.5,7 --by lines"));
    let summary = "2 vectors of 2 dimensions, buckets of width 1, 6 lines in and:2,or:3";
    assert_eq!(drawn["summary"], summary);
}

/// Delete b, insert f and g: 5 + 6 − 2·4 = 3. With replacements it is 3, too.
#[test]
fn the_table_of_edits() {
    let text = trace(&args("--string abcde --string acfdeg --variant indel"));
    insta::assert_snapshot!(text, @r"
    2 strings, inserts and deletes, neighbourhoods of 1 deletion

    1  Strings

        string    letters
    S1  ‘abcde’         5
    S2  ‘acfdeg’        6

    2  The table of S1 and S2

    Each entry is the distance of two beginnings: the least of one more than the
    entry above (delete), one more than the entry to the left (insert), and the
    entry diagonally above where the letters are equal. The last entry is the
    distance, 3; a shortest way to it is marked.

           a   c   f   d   e   g
       0*  1   2   3   4   5   6
    a  1   0*  1   2   3   4   5
    b  2   1*  2   3   4   5   6
    c  3   2   1*  2*  3   4   5
    d  4   3   2   3   2*  3   4
    e  5   4   3   4   3   2*  3*

    3  The edits from S1 to S2

    The letters that stay, ‘acde’, are a longest common subsequence (LCS): 5 + 6 −
    2·4 = 3.

       edit
    1  delete ‘b’
    2  insert ‘f’
    3  insert ‘g’

    4  Deletion neighbourhoods

    The family that finds similar strings: the keys of a string are what remains of
    it without at most 1 letter.

        what remains
    S1  ‘abcde’  ‘bcde’  ‘acde’  ‘abde’  ‘abce’  ‘abcd’
    S2  ‘acfdeg’  ‘cfdeg’  ‘afdeg’  ‘acdeg’  ‘acfeg’  ‘acfdg’  ‘acfde’

    5  Candidates

    Strings within 1 edit share a key for certain. Those farther apart may share
    one, and are compared.

    pair   distance  candidate  shared keys
    S1 S2         3  no         –
    ");
    let json = as_json(&args("--string kitten --string sitting"));
    let table = rows(&json, "The table of S1 and S2");
    assert_eq!((&table[6][7], &table[6][8]), (&json!("2"), &json!("3")));
    assert_eq!(
        rows(&json, "The edits from S1 to S2"),
        json!([
            ["1", "replace ‘k’ by ‘s’"],
            ["2", "replace ‘e’ by ‘i’"],
            ["3", "insert ‘g’"]
        ])
    );
    let json = as_json(&args(
        "--string rose --string orse --variant osa --deletions 1",
    ));
    assert_eq!(
        rows(&json, "The edits from S1 to S2"),
        json!([["1", "swap ‘r’ and ‘o’"]])
    );
    let candidates = rows(&json, "Candidates");
    assert_eq!(
        candidates,
        json!([["S1 S2", "1", "yes", ["‘ose’", "‘rse’"]]])
    );
}

#[test]
fn three_squares_of_a_grid() {
    let words =
        "--grid 4x4 --squares 1,5,9,12 --squares 1,5,9 --squares 2 --triple 1,5,9 --triple 1,5,12";
    let text = trace(&args(words));
    insta::assert_snapshot!(text, @r"
    3 prints on a grid of 4 × 4 squares, 2 functions in or:2

    1  Squares

    A print becomes the set of the squares that hold minutiae; a minutia near a
    border also counts next door. Squares are numbered from 0 at the bottom left,
    row by row. The three squares of h1 have a border.

    P1         P2         P3
    ■ · · ·    · · · ·    · · · ·
    · ▣ · ·    · ▣ · ·    · □ · ·
    · ▣ · ·    · ▣ · ·    · □ · ·
    · ▣ · ·    · ▣ · ·    · □ ■ ·

    ■ holds minutiae, · does not; ▣ and □: the same for the three squares

    print  squares held     their numbers
    P1     4 of 16, 0.25    1  5  9  12
    P2     3 of 16, 0.1875  1  5  9
    P3     1 of 16, 0.0625  2

    2  Squares in common

    What functions of three squares go by is the share of all N squares that two
    prints have in common. Minhash goes by the share of their own squares, the
    Jaccard similarity.

    pair   in common c   c/N  1 − c/N  Jaccard
    P1 P2            3  3/16   0.8125      3/4
    P1 P3            0  0/16        1      0/5
    P2 P3            0  0/16        1      0/4

    3  Functions: three squares each

    A function is three squares. It has one bucket: the prints with minutiae in all
    three of them. The others are in no bucket.

    function  squares  P1  P2  P3
    h1        1 5 9    in  in  –
    h2        1 5 12   in  –   –

    4  Bands and buckets

    2 bands × 1 row: items with the same answers in all rows of a band share its
    bucket.

    band  answers  items
       1  in       P1 P2
       2  in       P1

    5  AND and OR

    1 where two items agree on a function. or:2 keeps a 1 where at least one of 2 is
    1. A pair is a candidate if a 1 is left.

    pair   functions  or:2  candidate
    P1 P2  10         1     yes
    P1 P3  00         0     no
    P2 P3  00         0     no

    6  How likely that was

    At distance d a random function agrees with probability C(c, 3)/C(N, 3) ≈
    (c/N)³, with c of N squares in common, d = 1 − c/N. OR of 2 turns p into 1 − (1
    − p)^2.

    pair   1 − c/N  one function     or:2
    P1 P2   0.8125       0.00179  0.00357
    P1 P3        1             0        0
    P2 P3        1             0        0
    ");
}

/// 164 of 1024 squares in common, 16 %, as prints of one finger have; and 41, 4 %, as others have: near 0.004096 and
/// 0.000064 for one function, 0.985 and 0.063 for one of 1024.
#[test]
fn the_numbers_of_fingerprints() {
    let squares = |range: std::ops::Range<u32>| {
        let numbers: Vec<String> = range.map(|square| square.to_string()).collect();
        numbers.join(",")
    };
    let [a, b, c] = [squares(0..205), squares(41..246), squares(164..369)];
    let words = [
        "--grid",
        "32x32",
        "--squares",
        &a,
        "--squares",
        &b,
        "--squares",
        &c,
    ];
    let json = as_json(&words);
    let common = rows(&json, "Squares in common");
    assert_eq!(
        (&common[0][1], &common[1][1]),
        (&json!("164"), &json!("41"))
    );
    let likely = rows(&json, "How likely that was");
    let chance = |row: usize, column: usize| {
        let text = likely[row][column].as_str().unwrap();
        text.parse::<f64>().unwrap()
    };
    assert_eq!((chance(0, 2), chance(1, 2)), (0.00405, 0.000060));
    assert!(
        (chance(0, 3) - 0.98425).abs() < 1e-4 && (chance(1, 3) - 0.05930).abs() < 1e-3,
        "{likely}"
    );
    assert_eq!(
        json["summary"],
        "3 prints on a grid of 32 × 32 squares, 1024 functions in or:1024"
    );
}

#[test]
fn prints_are_normalised() {
    let folder = Folder::new();
    folder.write("a.xyt", "100 100 90 50\n140 100 90 50\n120 160 90 50\n");
    folder.write("b.xyt", "300 300 0 50\n340 300 0 50\n320 360 0 50\n");
    let trace = |more: &[&str]| -> Value {
        let start = [
            "trace", "--print", "a.xyt", "--print", "b.xyt", "--grid", "4x4", "--json",
        ];
        let said = folder.lookalike(start.iter().chain(more).copied(), "");
        assert_eq!((said.code, said.error.as_str()), (0, ""));
        serde_json::from_str(&said.out).unwrap()
    };
    let json = trace(&[]);
    assert_eq!(
        rows(&json, "Normalise"),
        json!([
            ["a", "3", "(120.0, 120.0)", "(80.0, 80.0)", "0°"],
            ["b", "3", "(320.0, 320.0)", "(80.0, 80.0)", "0°"],
        ])
    );
    // Moved by 200 pixels, and the same squares.
    let squares = rows(&json, "Squares");
    assert_eq!(squares[0][2], squares[1][2]);
    let as_it_lay = trace(&["--position", "frame", "--tolerance", "0"]);
    assert_eq!(rows(&as_it_lay, "Squares")[1][2], "none");
    let turned = trace(&["--orientation", "mean-direction"]);
    assert_eq!(rows(&turned, "Normalise")[0][4], "90°");
}

/// Any cascade, an OR inside an AND as well, over minhash too.
#[test]
fn and_and_or_step_by_step() {
    let words = "--set a,d --set b,d,e --set a,c,d --by permutations --amplify or:2,and:2";
    let json = as_json(&args(words));
    assert_eq!(
        json["summary"],
        "3 sets, 5 elements, 4 functions in or:2,and:2"
    );
    for pair in rows(&json, "AND and OR").as_array().unwrap() {
        let [functions, or, and, candidate] = [1, 2, 3, 4].map(|i| pair[i].as_str().unwrap());
        let groups: Vec<bool> = functions
            .split(' ')
            .map(|group| group.contains('1'))
            .collect();
        let digits: String = groups
            .iter()
            .map(|any| if *any { '1' } else { '0' })
            .collect();
        assert_eq!(or, digits);
        let all = groups.iter().all(|any| *any);
        assert_eq!(
            (and, candidate),
            if all { ("1", "yes") } else { ("0", "no") }
        );
    }
    // J = 1/4: p = 0.25, 1 − 0.75² = 0.4375, 0.4375² = 0.19141.
    let likely = rows(&json, "How likely that was");
    assert_eq!(
        likely[0],
        json!(["S1 S2", "0.75", "0.25000", "0.43750", "0.19141"])
    );
}
