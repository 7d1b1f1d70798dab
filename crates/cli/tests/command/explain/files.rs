//! Two files.

use serde_json::{Value, json};

use super::scene::{Scene, roses};

const ROSES: &str = "explain red.txt white.txt --shingle words:3 --bands 20 --rows 2";

#[test]
fn the_textbooks_roses() {
    let scene = roses();
    insta::assert_snapshot!(scene.says(&format!("{ROSES} --threshold 0.4")), @r#"
    A  red.txt    31 bytes  6 shingles, 5 of them different
    B  white.txt  31 bytes  6 shingles, 5 of them different
    shingles words:3, tokens words

    type  A  B  shingles
    a     1  1         3  in both    ██████████████████████████████
    b     1  0         2  only in A  ████████████████████
    c     0  1         2  only in B  ████████████████████

    similarity  0.42857 = 3/7 = a/(a+b+c)
    estimate    0.40000 = 16/40 functions agree
                standard error 0.07825; off by -0.37 of them

    in both: 3
      "a rose is"
      "rose is red"
      "rose is white"

    only in A: 2
      "is red a"
      "red a rose"

    only in B: 2
      "is white a"
      "white a rose"

    20 bands × 2 rows: ● agree, ○ differ, ▶ the band meets
      1 ●○    2 ○○  ▶ 3 ●●    4 ○●    5 ●○    6 ●○    7 ○○    8 ●○    9 ○○   10 ○●
     11 ●○   12 ●○   13 ○●   14 ○○   15 ○●   16 ○○   17 ○●  ▶18 ●●   19 ○○   20 ○●

    met         2 of 20: 3, 18
    likely      0.18367 for a band, t^2
                0.98273 for one band or more, hence a candidate

    verdict: a candidate, and a match: 0.42857 is 0.4 or more
    "#);
}

#[test]
fn a_cascade_says_which_keys_are_shared() {
    let scene = roses();
    scene.write(
        "cascade.toml",
        "threshold = 0.4\namplify = [{ or = 2 }, { and = 3 }, { or = 4 }]\nfamily.shingle = \"words:3\"",
    );
    insta::assert_snapshot!(scene.says("explain red.txt white.txt --config cascade.toml --show 0"), @r"
    A  red.txt    31 bytes  6 shingles, 5 of them different
    B  white.txt  31 bytes  6 shingles, 5 of them different
    shingles words:3, tokens words

    type  A  B  shingles
    a     1  1         3  in both    ██████████████████████████████
    b     1  0         2  only in A  ████████████████████
    c     0  1         2  only in B  ████████████████████

    similarity  0.42857 = 3/7 = a/(a+b+c)
    estimate    0.45833 = 11/24 functions agree
                standard error 0.10102; off by +0.29 of them

    or:2,and:3,or:4: ● agree, ○ differ, ▶ the band meets
    ▶1 ●○ ○● ●○  ▶2 ○● ●○ ○●   3 ●○ ○● ○○  ▶4 ○● ●○ ○●

    met         3 of 4: 1, 2, 4
    keys        3 shared: 1/b366c9be16be3207, 2/30038ff6f0a52ac4, 4/cc6d402560569451
    likely      0.30546 for a band
                0.76730 for one band or more, hence a candidate

    verdict: a candidate, and a match: 0.42857 is 0.4 or more
    ");
}

#[test]
fn texts_without_shingles_and_short_ones() {
    let scene = Scene::new();
    scene
        .write("hi.txt", "hi")
        .write("none.txt", "")
        .write("dots.txt", "...");
    insta::assert_snapshot!(scene.says("explain hi.txt none.txt"), @r#"
    A  hi.txt    2 bytes  shorter than a shingle, so one as a whole
    B  none.txt  0 bytes  empty: no shingle
    shingles words:5, tokens words

    type  A  B  shingles
    a     1  1         0  in both
    b     1  0         1  only in A  ██████████████████████████████
    c     0  1         0  only in B

    similarity  0 = 0/1 = a/(a+b+c)

    only in A: 1
      "hi"

    verdict: no pair: B has no shingle, and what has none is like nothing
    "#);
    let same = scene.says("explain hi.txt hi.txt");
    assert!(
        same.contains("the two texts are the same, byte for byte"),
        "{same}"
    );
    assert!(same.ends_with("verdict: a pair: the texts are the same, which needs no bucket\n"));
    let none = scene.says("explain dots.txt none.txt");
    assert!(
        none.contains("similarity  none: neither has a shingle"),
        "{none}"
    );
    assert!(none.contains("A and B have no shingle"), "{none}");
}

#[test]
fn the_verdict_names_the_numbers() {
    let scene = roses();
    let verdict = |args: &str| {
        let out = scene.says(&format!("{ROSES} {args}"));
        let (_, verdict) = out.split_once("verdict: ").unwrap();
        verdict.trim_end().to_owned()
    };
    assert_eq!(
        verdict("--threshold 0.5"),
        "a candidate, but no match: 0.42857 is below 0.5"
    );
    scene.write("none.toml", "verify.method = \"none\"");
    assert_eq!(
        verdict("--threshold 0.5 --config none.toml"),
        "a candidate, and accepted, though 0.42857 is below 0.5: verify is none, so nobody looks"
    );
    scene.write("signature.toml", "verify.method = \"signature\"");
    let estimated = verdict("--threshold 0.4 --config signature.toml");
    assert!(
        estimated.starts_with(
            "a candidate, but rejected, though 0.42857 is 0.4 or more: the estimate is 0.39"
        ),
        "{estimated}"
    );
    let rare = |threshold: &str| {
        let args = "explain red.txt white.txt --shingle words:3 --bands 1 --rows 20 --threshold";
        let out = scene.says(&format!("{args} {threshold}"));
        let (_, verdict) = out.split_once("verdict: ").unwrap();
        verdict.trim_end().to_owned()
    };
    assert_eq!(
        rare("0.4"),
        "missed: 0.42857 is 0.4 or more, but no band meets"
    );
    assert_eq!(
        rare("0.5"),
        "no candidate, rightly: no band meets, and 0.42857 is below 0.5"
    );
}

#[test]
fn json_has_the_same_numbers() {
    let scene = roses();
    let json = scene.json(&format!("{ROSES} --threshold 0.4"));
    assert_eq!(json["rows"], json!({"a": 3, "b": 2, "c": 2}));
    assert_eq!(json["similarity"], 3.0 / 7.0);
    assert_eq!(json["estimate"]["agreed"], 16);
    assert_eq!(json["estimate"]["functions"], 40);
    assert_eq!(json["met"], json!([3, 18]));
    assert_eq!(json["verdict"], "match");
    assert_eq!(json["candidate"], true);
    assert_eq!(json["settings"]["bands"], 20);
    assert_eq!(json["settings"]["family"]["shingle"], "words:3");
    assert_eq!(
        json["shingles"]["only_in_a"],
        json!(["is red a", "red a rose"])
    );
    assert_eq!(json["agreements"][2], "11");
    assert!(json.get("run").is_none());
}

#[test]
fn shingles_are_shown_as_many_as_asked_for_and_fit_the_width() {
    let scene = Scene::new();
    let words = |tag: &str| -> String { (0..40).map(|i| format!("{tag}{i}\u{7} ")).collect() };
    scene.write("a.txt", words("a")).write("b.txt", words("b"));
    let out = scene.says("explain a.txt b.txt --show 2 --tokens whitespace --width 40");
    assert!(out.contains("only in A: 36, the first 2\n"), "{out}");
    // No control character comes through.
    assert!(
        out.contains("  \"a0\\u{7} a1\\u{7} a2\\u{7} a3\\u{7} a4\\u…\n"),
        "{out}"
    );
    assert!(!out.contains('\u{7}') && !out.contains("in both:"), "{out}");
    let out = scene.says("explain a.txt b.txt --show 0");
    assert!(!out.contains("only in A:"), "{out}");
}

#[test]
fn a_document_may_come_from_a_pipe_or_be_compressed() {
    let scene = roses();
    let piped = "explain - white.txt --shingle words:3 --show 0 --json";
    let (code, out, error) = scene.run_with(piped, "A rose is red, a rose is white.");
    assert_eq!((code, error.as_str()), (0, ""));
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["similarity"], 3.0 / 7.0);
    // A zstd frame with one raw block.
    let text = b"A rose is red, a rose is white.";
    let mut frame = vec![0x28, 0xB5, 0x2F, 0xFD, 0, 10 << 3];
    frame.extend(&((text.len() as u32) << 3 | 1).to_le_bytes()[..3]);
    frame.extend(text);
    scene.write("red.zst", frame);
    assert_eq!(scene.json("explain red.zst red.txt")["same_text"], true);
}

#[test]
fn short_texts_may_be_skipped() {
    let scene = Scene::new();
    scene.write("hi.txt", "hi");
    let skipped = scene.says("explain hi.txt hi.txt --short skip");
    assert!(skipped.contains("too short for a shingle\n"), "{skipped}");
    assert!(skipped.contains("A and B have no shingle"), "{skipped}");
    let preset = scene.json("explain hi.txt hi.txt --preset fineweb");
    assert_eq!(
        (&preset["settings"]["bands"], &preset["settings"]["rows"]),
        (&json!(14), &json!(8))
    );
}

#[test]
fn the_examples_of_the_help_run() {
    let scene = roses();
    scene
        .write("draft.txt", "one draft")
        .write("final.txt", "one more");
    let record = |i| {
        format!(
            "{}\n",
            json!({"id": format!("page-{i}"), "text": format!("text {i}")})
        )
    };
    scene.write("pages.jsonl", (1..50).map(record).collect::<String>());
    scene.says("dedup pages.jsonl --out clean --quiet");
    let help = scene.says("explain --help");
    let (_, after) = help.split_once("Examples:\n").unwrap();
    let after = after.replace("\\\n", " ");
    let examples = after
        .lines()
        .filter_map(|line| line.trim().strip_prefix("lookalike "));
    let said: Vec<String> = examples.map(|example| scene.says(example)).collect();
    assert_eq!(said.len(), 4);
    assert!(said.iter().all(|said| said.contains("verdict: ")));
}

#[test]
fn wrong_use_is_refused() {
    let scene = roses();
    for (args, said) in [
        ("explain red.txt", "<B>"),
        ("explain - -", "stdin is one document, not both"),
        ("explain a b --run out --max-expansion 9", "--max-expansion"),
        ("explain red.txt white.txt --bands 5", "--rows <R>"),
        (
            "explain red.txt white.txt --bands 300 --rows 300",
            "at most 65536",
        ),
        (
            "explain red.txt white.txt --show many",
            "'many' for '--show",
        ),
        ("explain red.txt white.txt --threshold 2", "from 0.001 to 1"),
        ("explain red.txt white.txt --run out --seed 4", "--seed <N>"),
        (
            "explain red.txt white.txt --shingle chars:5 --tokens words",
            "--shingle chars",
        ),
    ] {
        let error = scene.fails(2, args);
        assert!(error.contains(said), "{args}: {error}");
    }
    let error = scene.fails(1, "explain red.txt white.txt --config none.toml");
    assert!(error.starts_with("error: none.toml: "), "{error}");
}
