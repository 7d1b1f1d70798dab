//! What is printed, as text and as JSON.

use serde_json::{Value, json};

use super::{FOUR_SETS, MATRIX, PERMUTATIONS, TWO_HASHES, as_json, trace};
use crate::folder::Folder;

#[test]
fn section_3_one_pass() {
    let text = trace(&[&FOUR_SETS[..], &TWO_HASHES].concat());
    insta::assert_snapshot!(text, @r"
    4 sets, 5 elements, 2 functions in 2 bands × 1 row

    1  The characteristic matrix

    One row per element, one column per set, 1 where the set has the element.

    row  S1  S2  S3  S4
      0   1   0   0   1
      1   0   0   1   0
      2   0   1   0   1
      3   1   0   1   1
      4   0   0   1   0

    2  Jaccard similarity

    Rows of two columns are of type a (1, 1), b (1, 0), c (0, 1) or d (0, 0). The
    Jaccard similarity is a/(a+b+c): rows of type d do not count.

    pair   a  b  c  d  a/(a+b+c)
    S1 S2  0  2  1  2        0/3
    S1 S3  1  1  2  1        1/4
    S2 S3  0  1  3  1        0/4
    S1 S4  2  0  1  2        2/3
    S2 S4  1  0  2  2        1/3
    S3 S4  1  2  2  0        1/5

    3  One pass over the rows

    Functions of the row's number stand for permutations. Each row lowers the minima
    of the sets that have it; minima that a row has lowered are marked. ∞: no row
    has come yet.

    function  of row x
    h1(x)     x + 1 mod 5
    h2(x)     3x + 1 mod 5

    row  h1  h2  S1     S2     S3     S4
      0   1   1  1* 1*  ∞  ∞   ∞  ∞   1* 1*
      1   2   4  1  1   ∞  ∞   2* 4*  1  1
      2   3   2  1  1   3* 2*  2  4   1  1
      3   4   0  1  0*  3  2   2  0*  1  0*
      4   0   3  1  0   3  2   0* 0   1  0

    4  Signatures

    The minima after the last row. The column of a set is its signature.

        band  S1  S2  S3  S4
    h1     1   1   3   0   1
    h2     2   0   2   0   0

    5  Bands and buckets

    2 bands × 1 row: sets with the same values in all rows of a band share its
    bucket.

    band  values  sets
       1  1       S1 S4
       1  3       S2
       1  0       S3
       2  0       S1 S3 S4
       2  2       S2

    6  Candidates

    A pair is a candidate if it shares a bucket in at least one band. The share of
    functions that agree is an estimate of the similarity.

    pair   candidate  in bands  estimated   exact
    S1 S4  yes        1 2          1.0000  0.6667  = 2/3
    S1 S3  yes        2            0.5000  0.2500  = 1/4
    S3 S4  yes        2            0.5000  0.2000  = 1/5
    S1 S2  no         –            0.0000  0.0000  = 0/3
    S2 S3  no         –            0.0000  0.0000  = 0/4
    S2 S4  no         –            0.0000  0.3333  = 1/3
    ");
}

#[test]
fn section_3_permutations() {
    let text = trace(&[&MATRIX[..], &PERMUTATIONS].concat());
    insta::assert_snapshot!(text, @r"
    4 sets, 7 rows, 3 functions in 3 bands × 1 row

    1  The characteristic matrix

    One row per element, one column per set, 1 where the set has the element.

    row  S1  S2  S3  S4
      1   1   1   1   0
      2   1   1   0   1
      3   0   1   0   1
      4   0   0   0   1
      5   1   0   0   1
      6   1   1   1   0
      7   1   0   1   0

    2  Jaccard similarity

    Rows of two columns are of type a (1, 1), b (1, 0), c (0, 1) or d (0, 0). The
    Jaccard similarity is a/(a+b+c): rows of type d do not count.

    pair   a  b  c  d  a/(a+b+c)
    S1 S2  3  2  1  1        3/6
    S1 S3  3  2  0  2        3/5
    S2 S3  2  2  1  2        2/5
    S1 S4  2  3  2  0        2/7
    S2 S4  2  2  2  1        2/6
    S3 S4  0  3  4  0        0/7

    3  Permutations

    Each permutation puts the rows into another order: its column has the place of
    each row.

    row  π1  π2  π3  S1  S2  S3  S4
      1   4   3   2   1   1   1   0
      2   2   4   3   1   1   0   1
      3   7   7   7   0   1   0   1
      4   1   2   6   0   0   0   1
      5   6   6   1   1   0   0   1
      6   3   1   5   1   1   1   0
      7   5   5   4   1   0   1   0

    4  Signatures

    For each permutation the place of the set's first row in the new order. The
    column of a set is its signature.

        band  S1  S2  S3  S4
    π1     1   2   2   3   1
    π2     2   1   1   1   2
    π3     3   1   2   2   1

    5  Bands and buckets

    3 bands × 1 row: sets with the same values in all rows of a band share its
    bucket.

    band  values  sets
       1  2       S1 S2
       1  3       S3
       1  1       S4
       2  1       S1 S2 S3
       2  2       S4
       3  1       S1 S4
       3  2       S2 S3

    6  Candidates

    A pair is a candidate if it shares a bucket in at least one band. The share of
    functions that agree is an estimate of the similarity.

    pair   candidate  in bands  estimated   exact
    S1 S2  yes        1 2          0.6667  0.5000  = 3/6
    S2 S3  yes        2 3          0.6667  0.4000  = 2/5
    S1 S3  yes        2            0.3333  0.6000  = 3/5
    S1 S4  yes        3            0.3333  0.2857  = 2/7
    S2 S4  no         –            0.0000  0.3333  = 2/6
    S3 S4  no         –            0.0000  0.0000  = 0/7
    ");
}

#[test]
fn texts_become_sets() {
    let texts = [
        "--shingle",
        "words:3",
        "--bands",
        "2",
        "--rows",
        "1",
        "--by",
        "permutations",
        "--text",
        "A rose is red, a rose is white.",
        "--text",
        "A rose is white, a rose is red.",
        "--text",
        "A rose is a rose is a rose.",
    ];
    insta::assert_snapshot!(trace(&texts), @r"
    3 texts, 9 different shingles, 2 functions in 2 bands × 1 row

    1  Shingles

    Each text becomes the set of its shingles of 3 words.

    T1  A rose is red, a rose is white.
        ‘a rose is’  ‘rose is red’  ‘is red a’  ‘red a rose’  ‘rose is white’
    T2  A rose is white, a rose is red.
        ‘a rose is’  ‘rose is red’  ‘rose is white’  ‘is white a’  ‘white a rose’
    T3  A rose is a rose is a rose.
        ‘a rose is’  ‘rose is a’  ‘is a rose’

    2  The characteristic matrix

    One row per element, one column per set, 1 where the set has the element.

    row  T1  T2  T3  shingle
      0   1   1   1  ‘a rose is’
      1   1   1   0  ‘rose is red’
      2   1   0   0  ‘is red a’
      3   1   0   0  ‘red a rose’
      4   1   1   0  ‘rose is white’
      5   0   1   0  ‘is white a’
      6   0   1   0  ‘white a rose’
      7   0   0   1  ‘rose is a’
      8   0   0   1  ‘is a rose’

    3  Jaccard similarity

    Rows of two columns are of type a (1, 1), b (1, 0), c (0, 1) or d (0, 0). The
    Jaccard similarity is a/(a+b+c): rows of type d do not count.

    pair   a  b  c  d  a/(a+b+c)
    T1 T2  3  2  2  2        3/7
    T1 T3  1  4  2  2        1/7
    T2 T3  1  4  2  2        1/7

    4  Permutations

    Each permutation puts the rows into another order: its column has the place of
    each row.

    row  π1  π2  T1  T2  T3
      0   2   7   1   1   1
      1   6   1   1   1   0
      2   9   8   1   0   0
      3   1   5   1   0   0
      4   5   3   1   1   0
      5   4   9   0   1   0
      6   3   2   0   1   0
      7   8   4   0   0   1
      8   7   6   0   0   1

    5  Signatures

    For each permutation the place of the set's first row in the new order. The
    column of a set is its signature.

        band  T1  T2  T3
    π1     1   1   2   2
    π2     2   1   1   4

    6  Bands and buckets

    2 bands × 1 row: sets with the same values in all rows of a band share its
    bucket.

    band  values  sets
       1  1       T1
       1  2       T2 T3
       2  1       T1 T2
       2  4       T3

    7  Candidates

    A pair is a candidate if it shares a bucket in at least one band. The share of
    functions that agree is an estimate of the similarity.

    pair   candidate  in bands  estimated   exact
    T1 T2  yes        2            0.5000  0.4286  = 3/7
    T2 T3  yes        1            0.5000  0.1429  = 1/7
    T1 T3  no         –            0.0000  0.1429  = 1/7
    ");
}

#[test]
fn json_has_every_step() {
    let json = as_json(&[&FOUR_SETS[..], &TWO_HASHES].concat());
    assert_eq!(json["signatures"], json!([[1, 3, 0, 1], [0, 2, 0, 0]]));
    assert_eq!(json["work"]["by"], "one-pass");
    assert_eq!(
        json["work"]["rows"][1],
        json!({
            "row": 1, "hashes": [2, 4], "sets": ["S3"],
            "table": [[1, null, 2, 1], [1, null, 4, 1]],
            "lowered": [[false, false, true, false], [false, false, true, false]],
        })
    );
    assert_eq!(
        json["bands"][1]["buckets"][0],
        json!({"values": [0], "sets": ["S1", "S3", "S4"]})
    );
    let pair = &json["pairs"][0];
    assert_eq!(
        (&pair["sets"], &pair["estimated"]),
        (&json!(["S1", "S4"]), &json!(1.0))
    );

    let by_row = as_json(&[&MATRIX[..], &PERMUTATIONS, &["--keep", "row"]].concat());
    assert_eq!(by_row["work"]["keeps_place"], json!(false));
    assert_eq!(by_row["signatures"][0], json!([2, 2, 6, 4]));
}

/// S1 = {a, d}, S2 = {c}, S3 = {b, d, e}, S4 = {a, c, d}: the types of rows, and J = a/(a+b+c).
#[test]
fn letters_and_the_types_of_rows() {
    let sets = [
        "--set", "a,d", "--set", "c", "--set", "b,d,e", "--set", "a,c,d",
    ];
    let json = as_json(&sets);
    let words = json["matrix"]["rows"].as_array().unwrap().iter();
    let words: Vec<&str> = words.map(|row| row["element"].as_str().unwrap()).collect();
    assert_eq!(words, ["a", "b", "c", "d", "e"]);
    let types = |a: &str, b: &str| {
        let pairs = json["pairs"].as_array().unwrap().iter();
        let mut pairs = pairs.filter(|pair| pair["sets"] == json!([a, b]));
        let pair = pairs.next().unwrap();
        (pair["row_types"].clone(), pair["exact"].clone())
    };
    assert_eq!(types("S1", "S3"), (json!([1, 1, 2, 1]), json!(0.25)));
    assert_eq!(types("S1", "S2"), (json!([0, 2, 1, 2]), json!(0.0)));
    assert_eq!(types("S1", "S4"), (json!([2, 0, 1, 2]), json!(2.0 / 3.0)));
    let text = trace(&sets);
    for line in [
        "row  S1  S2  S3  S4  element",
        "  0   1   0   0   1  a",
        "pair   a  b  c  d  a/(a+b+c)",
        "S1 S3  1  1  2  1        1/4",
        "S1 S2  0  2  1  2        0/3",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line}\n{text}");
    }
    // The one-pass example with letters: rows a to e are 0 to 4.
    let json = as_json(&[&sets[..], &TWO_HASHES].concat());
    assert_eq!(json["signatures"], json!([[1, 3, 0, 1], [0, 2, 0, 0]]));
}

/// {ab, bc, ca, ab}: the second ab counts again.
#[test]
fn bags_count_repeats() {
    let texts = [
        "--shingle",
        "chars:2",
        "--text",
        "abcab",
        "--text",
        "abcabab",
    ];
    let exact = |more: &[&str]| {
        let json = as_json(&[&texts[..], more].concat());
        let pair = &json["pairs"][0];
        (pair["common"].clone(), pair["union"].clone())
    };
    assert_eq!(exact(&[]), (json!(3), json!(4)));
    assert_eq!(exact(&["--bag"]), (json!(4), json!(6)));
    let text = trace(&[&texts[..], &["--bag"]].concat());
    for line in [
        "T1  abcab    ‘ab’  ‘bc’  ‘ca’  ‘ab’",
        "  3   1   1  ‘ab’ (2nd)",
        "  5   0   1  ‘ab’ (3rd)",
    ] {
        assert!(text.contains(&format!("\n{line}\n")), "{line}\n{text}");
    }
    let json = as_json(&["--set", "1,1,2", "--set", "1,2,2", "--bag"]);
    assert_eq!(json["pairs"][0]["row_types"], json!([2, 1, 1, 0]));
}

#[test]
fn a_seed_gives_the_same_trace_and_another_seed_another() {
    let with = |seed| trace(&[&FOUR_SETS[..], &["--seed", seed]].concat());
    assert_eq!(with("1"), with("1"));
    assert_ne!(with("1"), with("2"));
}

#[test]
fn lines_of_a_file_or_of_stdin_are_texts() {
    let folder = Folder::new();
    folder.write("lines.txt", "abcab\n\n  \nabcdabd\n");
    let words = |file| ["trace", file, "--shingle", "chars:2", "--json"];
    let by_name = folder.lookalike(words("lines.txt"), "");
    assert_eq!(by_name, folder.lookalike(words("-"), "abcab\nabcdabd"));
    let json: Value = serde_json::from_str(&by_name.out).unwrap();
    let shingles = json["matrix"]["rows"].as_array().unwrap().iter();
    let shingles: Vec<&str> = shingles
        .map(|row| row["shingle"].as_str().unwrap())
        .collect();
    assert_eq!(shingles, ["ab", "bc", "ca", "cd", "da", "bd"]);
    assert_eq!(
        json["matrix"]["columns"],
        json!([[0, 1, 2], [0, 1, 3, 4, 5]])
    );
}

#[test]
fn texts_cannot_move_the_cursor() {
    let text = trace(&["--text", "a \u{1b}[2Jb", "--shingle", "chars:2"]);
    assert!(!text.contains('\u{1b}'));
    assert!(text.ends_with("There is only one set, so there are no pairs.\n"));
}
