//! `lookalike trace`: the textbook's worked examples as they are printed, pages, and what is refused.

use crate::folder::{Folder, Said};
use serde_json::{Value, json};

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

#[test]
fn section_3_one_pass() {
    let text = trace(&[&FOUR_SETS[..], &TWO_HASHES].concat());
    insta::assert_snapshot!(text, @r"
    4 sets, 5 elements, 2 functions in 2 bands × 1 row

    1  The characteristic matrix: 1 where the set has the element

    row  S1  S2  S3  S4
      0   1   0   0   1
      1   0   0   1   0
      2   0   1   0   1
      3   1   0   1   1
      4   0   0   1   0

    2  One pass: the minima after each row, * where it has lowered one

    h1(x) = x + 1 mod 5
    h2(x) = 3x + 1 mod 5

    row  h1  h2  S1     S2     S3     S4
      0   1   1  1* 1*  ∞  ∞   ∞  ∞   1* 1*
      1   2   4  1  1   ∞  ∞   2* 4*  1  1
      2   3   2  1  1   3* 2*  2  4   1  1
      3   4   0  1  0*  3  2   2  0*  1  0*
      4   0   3  1  0   3  2   0* 0   1  0

    3  Signatures: the least value of the set's rows

        band  S1  S2  S3  S4
    h1     1   1   3   0   1
    h2     2   0   2   0   0

    4  Buckets: sets with the same values in a band, 2 bands × 1 row

    band  values  sets
       1  1       S1 S4
       1  3       S2
       1  0       S3
       2  0       S1 S3 S4
       2  2       S2

    5  Pairs: candidates share a bucket

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

    1  The characteristic matrix: 1 where the set has the element

    row  S1  S2  S3  S4
      1   1   1   1   0
      2   1   1   0   1
      3   0   1   0   1
      4   0   0   0   1
      5   1   0   0   1
      6   1   1   1   0
      7   1   0   1   0

    2  Permutations: the place of each row in the new order

    row  π1  π2  π3
      1   4   3   2
      2   2   4   3
      3   7   7   7
      4   1   2   6
      5   6   6   1
      6   3   1   5
      7   5   5   4

    3  Signatures: the place of the set's first row in the new order

        band  S1  S2  S3  S4
    π1     1   2   2   3   1
    π2     2   1   1   1   2
    π3     3   1   2   2   1

    4  Buckets: sets with the same values in a band, 3 bands × 1 row

    band  values  sets
       1  2       S1 S2
       1  3       S3
       1  1       S4
       2  1       S1 S2 S3
       2  2       S4
       3  1       S1 S4
       3  2       S2 S3

    5  Pairs: candidates share a bucket

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

    1  Texts and their shingles, words:3

    T1  A rose is red, a rose is white.
        ‘a rose is’  ‘rose is red’  ‘is red a’  ‘red a rose’  ‘rose is white’
    T2  A rose is white, a rose is red.
        ‘a rose is’  ‘rose is red’  ‘rose is white’  ‘is white a’  ‘white a rose’
    T3  A rose is a rose is a rose.
        ‘a rose is’  ‘rose is a’  ‘is a rose’

    2  The characteristic matrix: 1 where the set has the element

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

    3  Permutations: the place of each row in the new order

    row  π1  π2
      0   2   7
      1   6   1
      2   9   8
      3   1   5
      4   5   3
      5   4   9
      6   3   2
      7   8   4
      8   7   6

    4  Signatures: the place of the set's first row in the new order

        band  T1  T2  T3
    π1     1   1   2   2
    π2     2   1   1   4

    5  Buckets: sets with the same values in a band, 2 bands × 1 row

    band  values  sets
       1  1       T1
       1  2       T2 T3
       2  1       T1 T2
       2  4       T3

    6  Pairs: candidates share a bucket

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
fn a_page_has_the_steps() {
    let folder = Folder::new();
    let args = [
        &["trace", "--html", "trace.html"][..],
        &FOUR_SETS,
        &TWO_HASHES,
    ]
    .concat();
    let said = folder.lookalike(args.iter().copied(), "");
    assert_eq!((said.code, said.error.as_str()), (0, ""));
    let page = folder.read("trace.html");
    for part in [
        ">In one picture</h2>",
        "<h3>The characteristic matrix</h3>",
        "<h3>One pass over the rows</h3>",
        "<td>h2(x)</td><td>3x + 1 mod 5</td>",
        "<span class=\"part\">1</span> <span class=\"part\"><strong>0</strong></span>",
        "<h3>Signatures</h3>",
        "<strong>S1 S3 S4</strong>",
        "<td>S1, S4</td><td><span class=\"good\">✓ in band 1, 2</span></td><td class=\"number\">1.0000</td>",
        "data-bands=\"2\" data-rows=\"1\"",
    ] {
        assert!(page.contains(part), "{part}");
    }

    let hostile = [
        "trace",
        "--html",
        "trace.html",
        "--text",
        "</script> <b>bold</b> & co",
        "--text",
        "b",
    ];
    assert_eq!(folder.lookalike(hostile, "").code, 0);
    let page = folder.read("trace.html");
    assert!(!page.contains("<b>bold") && page.contains("&lt;b&gt;bold&lt;/b&gt;"));
}

#[test]
fn all_of_it_is_one_picture() {
    let folder = Folder::new();
    let args = ["trace", "--svg", "trace.svg", "--threshold", "0.6"];
    let args = [&args[..], &FOUR_SETS, &TWO_HASHES].concat();
    let said = folder.lookalike(args.iter().copied(), "");
    assert_eq!((said.code, said.error.as_str()), (0, ""));
    let picture = folder.read("trace.svg");
    // S1 and S4 are 2/3 alike, S1 and S3 1/4, S3 and S4 1/5; S2 meets nobody.
    for part in [
        ">only 3</text>",
        ">from 0.6 on</text>",
        ">S1, S4</text>",
        ">0.67: match</text>",
        ">0.25: no match</text>",
        ">0.20: no match</text>",
        ">{0, 2, 3}</text>",
    ] {
        assert!(picture.contains(part), "{part}");
    }
    assert_eq!(picture.matches("match</text>").count(), 3);

    let many = ["trace", "--svg", "x.svg", "--bands", "3", "--rows", "3"];
    let said = folder.lookalike([&many[..], &FOUR_SETS].concat().iter().copied(), "");
    assert_eq!(said.code, 2);
    assert!(
        said.error.contains("--svg: a signature is 9"),
        "{}",
        said.error
    );
    let page = ["trace", "--html", "x.html", "--bands", "3", "--rows", "3"];
    let said = folder.lookalike([&page[..], &FOUR_SETS].concat().iter().copied(), "");
    assert_eq!(said.code, 0);
    assert!(!folder.read("x.html").contains("In one picture"));
}

#[test]
fn texts_cannot_move_the_cursor() {
    let text = trace(&["--text", "a \u{1b}[2Jb", "--shingle", "chars:2"]);
    assert!(!text.contains('\u{1b}'));
    assert!(text.ends_with("none: there is only one set\n"));
}

#[test]
fn wrong_use_says_what_would_do() {
    for (args, message) in [
        (
            &["--set", "1", "--keep", "row"][..],
            "--keep row is for permutations: add --by permutations, or give --permutation",
        ),
        (
            &["--set", "1,x"],
            "invalid value '1,x' for '--set <N,..>': `x` is no number; write them like 0,3,4",
        ),
        (
            &["--set", "1", "--shingle", "words:2"],
            "--shingle is for texts, not for sets of numbers",
        ),
        (
            &["--set", "1", "--text", "a"],
            "the argument '--set <N,..>' cannot be used with '--text <TEXT>'",
        ),
        (
            &[
                "--set", "1,2", "--bands", "3", "--rows", "1", "--hash", "x mod 5",
            ],
            "--bands 3 --rows 1 need 3 functions, but 1 function is given",
        ),
        (
            &["--set", "1,2", "--permutation", "1,2,3"],
            "permutation is [1, 2, 3], but must be of as many places as there are elements, 2",
        ),
        (
            &["--set", "1,2", "--permutation", "1,1"],
            "--permutation is [1, 1], but must be each of 1 to 2 once",
        ),
        (
            &["--set", "1", "--hash", "x mod 6"],
            "invalid value 'x mod 6' for '--hash <FUNCTION>': p is 6, but must be a prime",
        ),
        (
            &["--set", "1", "--hash", "x"],
            "invalid value 'x' for '--hash <FUNCTION>': function is x, but must be such as 3x+1 mod 5, with a prime after mod",
        ),
        (
            &["--set", "1", "--bands", "9", "--rows", "8"],
            "--bands 9 --rows 8 need 72 functions, but a trace shows at most 64",
        ),
        (
            &["--set", "1", "--bands", "65", "--rows", "1"],
            "invalid value '65' for '--bands <B>': 65 is not in 1..=64",
        ),
    ] {
        assert_eq!(refused(2, args), format!("error: {message}"));
    }
    let nothing = refused(2, &[]);
    assert!(
        nothing.contains("<FILE|--text <TEXT>|--set <N,..>|--column <BITS>>"),
        "{nothing}"
    );
}

#[test]
fn what_is_too_large_or_nothing_is_refused() {
    let many: Vec<&str> = ["--set", "1"].repeat(17);
    assert_eq!(
        refused(1, &many),
        "error: 17 sets are given, but a trace shows at most 16"
    );
    let long: Vec<String> = (0..201).map(|n| n.to_string()).collect();
    assert_eq!(
        refused(1, &["--set", &long.join(",")]),
        "error: 201 different elements are given, but a trace shows at most 200"
    );
    assert_eq!(
        refused(1, &["--set", ""]),
        "error: no different elements are given: a trace needs some"
    );
    assert_eq!(
        refused(1, &["--column", "101", "--column", "10"]),
        "error: column is 10, but must be 3 digits 0 or 1, as many as the first has"
    );
    assert_eq!(
        refused(1, &["--text", "..."]),
        "error: no text has a shingle: give longer texts, or shorter shingles, such as --shingle chars:3"
    );

    let folder = Folder::new();
    folder.write("large.txt", "a line\n".repeat(10_000));
    folder.write("blank.txt", " \n\n");
    folder.write("bytes.txt", b"\xff\xfe");
    for (file, message) in [
        (
            "large.txt",
            "more than 65536 bytes, but a trace is for small inputs; take some lines with head",
        ),
        ("blank.txt", "no line with a text"),
        (
            "bytes.txt",
            "not UTF-8: invalid utf-8 sequence of 1 bytes from index 0",
        ),
        ("absent.txt", "No such file or directory (os error 2)"),
    ] {
        let said = folder.lookalike(["trace", file], "");
        assert_eq!(
            (said.code, said.error),
            (1, format!("error: {file}: {message}\n"))
        );
    }
}
