//! `lookalike explain`: every step of the way, for two files and for two documents of a run.

use std::{fs, path::PathBuf};

use assert_cmd::cargo::cargo_bin_cmd;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A folder in which the command runs.
struct Scene(TempDir);

impl Scene {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> &Self {
        fs::write(self.path(name), bytes).unwrap();
        self
    }

    /// The exit code, stdout and stderr of a command.
    fn run(&self, args: &str) -> (i32, String, String) {
        self.run_with(args, "")
    }

    fn run_with(&self, args: &str, stdin: &str) -> (i32, String, String) {
        let output = cargo_bin_cmd!("lookalike")
            .args(args.split_whitespace())
            .current_dir(self.0.path())
            .env_remove("COLUMNS")
            .write_stdin(stdin)
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    /// What a command prints that must go well.
    fn says(&self, args: &str) -> String {
        let (code, out, error) = self.run(args);
        assert_eq!((code, error.as_str()), (0, ""), "{args}");
        out
    }

    fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.says(&format!("{args} --json"))).unwrap()
    }

    /// The message of a command that must fail.
    fn fails(&self, code: i32, args: &str) -> String {
        let (found, out, error) = self.run(args);
        assert_eq!((found, out.as_str()), (code, ""), "{args}: {error}");
        error
    }
}

fn roses() -> Scene {
    let scene = Scene::new();
    scene.write("red.txt", "A rose is red, a rose is white.");
    scene.write("white.txt", "A rose is white, a rose is red.");
    scene
}

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

/// Six records: an id that is a string, one that is a number, one that looks like a number, none.
fn run() -> Scene {
    let scene = Scene::new();
    let words = |from: usize| -> String { (from..from + 60).map(|i| format!("w{i} ")).collect() };
    let records = [
        json!({"id": "page-17", "text": words(0)}),
        json!({"id": 17, "text": words(2)}),
        json!({"id": "17", "text": words(0)}),
        json!({"text": words(500)}),
        json!({"id": "", "text": words(900)}),
        json!({"id": "page-18", "text": words(40)}),
    ];
    let lines: Vec<String> = records.iter().map(Value::to_string).collect();
    scene.write("in.jsonl", lines.join("\n"));
    scene.says("dedup in.jsonl --out out --quiet --bands 60 --rows 2");
    scene
}

#[test]
fn two_documents_of_a_run() {
    let scene = run();
    insta::assert_snapshot!(scene.says("explain --run out page-17 17 --show 1"), @r#"
    A  page-17  230 bytes  56 shingles
    B  17       232 bytes  56 shingles
    shingles words:5, tokens words

    type  A  B  shingles
    a     1  1        54  in both    ██████████████████████████████
    b     1  0         2  only in A  ██
    c     0  1         2  only in B  ██

    similarity  0.93103 = 54/58 = a/(a+b+c)
    estimate    0.91667 = 110/120 functions agree
                standard error 0.02313; off by -0.62 of them

    in both: 54, the first 1
      "w2 w3 w4 w5 w6"

    only in A: 2, the first 1
      "w0 w1 w2 w3 w4"

    only in B: 2, the first 1
      "w56 w57 w58 w59 w60"

    60 bands × 2 rows: ● agree, ○ differ, ▶ the band meets
    ▶ 1 ●●  ▶ 2 ●●    3 ●○  ▶ 4 ●●    5 ●○  ▶ 6 ●●    7 ○●  ▶ 8 ●●  ▶ 9 ●●  ▶10 ●●
    ▶11 ●●  ▶12 ●●  ▶13 ●●  ▶14 ●●  ▶15 ●●   16 ●○  ▶17 ●●  ▶18 ●●  ▶19 ●●   20 ●○
    ▶21 ●●  ▶22 ●●  ▶23 ●●  ▶24 ●●  ▶25 ●●  ▶26 ●●  ▶27 ●●  ▶28 ●●  ▶29 ●●  ▶30 ●●
    ▶31 ●●  ▶32 ●●  ▶33 ●●   34 ●○   35 ●○  ▶36 ●●  ▶37 ●●  ▶38 ●●  ▶39 ●●  ▶40 ●●
    ▶41 ●●  ▶42 ●●   43 ○●  ▶44 ●●  ▶45 ●●  ▶46 ●●  ▶47 ●●  ▶48 ●●  ▶49 ●●  ▶50 ●●
    ▶51 ●●  ▶52 ●●  ▶53 ●●  ▶54 ●●  ▶55 ●●   56 ●○   57 ●○  ▶58 ●●  ▶59 ●●  ▶60 ●●

    met         50 of 60: 1, 2, 4, 6, 8, 9, 10, 11, 12, 13, 14, 15, 17, 18, 19, 21,…
    likely      0.86683 for a band, t^2
                1 − 2.9e-53 for one band or more, hence a candidate

    verdict: a candidate, and a match: 0.93103 is 0.8 or more
    run:     listed in pairs.jsonl with 0.93103; in the same cluster
             A stays, for a cluster of 3
             B was removed as a duplicate of "page-17", similarity 0.93103
    "#);
    insta::assert_snapshot!(scene.says("explain --run out in.jsonl:4 in.jsonl:6 --show 0").split_once("verdict").unwrap().1, @r"
    : no candidate, rightly: no band meets, and 0 is below 0.8
    run:     not listed in pairs.jsonl; not in one cluster
             A stays: it is in no cluster
             B stays: it is in no cluster
    ");
}

#[test]
fn ids_are_strings_numbers_or_places() {
    let scene = run();
    let ids = |args: &str| {
        let json = scene.json(&format!("explain --run out {args}"));
        [
            json["run"]["a"]["id"].clone(),
            json["run"]["b"]["id"].clone(),
        ]
    };
    assert_eq!(ids("page-17 17"), [json!("page-17"), json!(17)]);
    assert_eq!(ids("17 \"17\""), [json!(17), json!("17")]);
    assert_eq!(
        ids("in.jsonl:1 in.jsonl:4"),
        [json!("page-17"), json!("in.jsonl:4")]
    );
    let json = scene.json("explain --run out 17 \"17\"");
    assert_eq!(json["run"]["same_cluster"], true);
    assert_eq!(json["run"]["a"]["duplicate_of"], "page-17");
    assert_eq!(
        json["run"]["listed"]["similarity"],
        (json["similarity"].as_f64().unwrap() * 1e9).round() / 1e9
    );
    assert_eq!(json["run"]["b"]["similarity"], 1.0);
}

#[test]
fn what_a_run_does_not_compare_is_said() {
    let scene = Scene::new();
    let text: String = (0..60).map(|i| format!("w{i} ")).collect();
    let line = |id: u32, lang: Option<&str>| {
        format!("{}\n", json!({"id": id, "lang": lang, "text": text}))
    };
    let new = [
        line(1, Some("en")),
        line(2, Some("en")),
        line(3, Some("de")),
        line(4, None),
    ];
    scene.write("new.jsonl", new.concat());
    scene.write(
        "old.jsonl",
        [line(1, Some("en")), line(7, Some("en"))].concat(),
    );
    scene.says("dedup new.jsonl --against old.jsonl --within lang --out out --quiet");
    let said = |ids: &str| {
        let said = scene.says(&format!("explain --run out {ids}"));
        said.split_once("verdict: ").unwrap().1.to_owned()
    };
    insta::assert_snapshot!(said("1 2"), @r"
    a pair: the texts are the same, which needs no bucket
    run:     listed in pairs.jsonl with 1; in the same cluster
             A was removed as a duplicate of 1 of the older corpus, similarity 1
             B was removed as a duplicate of 1 of the older corpus, similarity 1
    ");
    insta::assert_snapshot!(said("1 3"), @r#"
    not compared: lang is "en" in A and "de" in B
    run:     not listed in pairs.jsonl; not in one cluster
             A was removed as a duplicate of 1 of the older corpus, similarity 1
             B stays: it is in no cluster
    "#);
    insta::assert_snapshot!(said("3 4"), @r#"
    not compared: lang is "de" in A and nothing in B
    run:     not listed in pairs.jsonl; not in one cluster
             A stays: it is in no cluster
             B stays: it is in no cluster
    "#);
    insta::assert_snapshot!(said("2 7"), @r"
    a pair: the texts are the same, which needs no bucket
    run:     listed in pairs.jsonl with 1; not in one cluster
             A was removed as a duplicate of 1 of the older corpus, similarity 1
             B is of the older corpus
    ");
    insta::assert_snapshot!(said("7 old.jsonl:1"), @r"
    not compared: both are of the older corpus
    run:     not listed in pairs.jsonl; not in one cluster
             A is of the older corpus
             B is of the older corpus
    ");
    // Both corpora have a 1, and the input comes first.
    insta::assert_snapshot!(said("1 old.jsonl:1"), @r"
    a pair: the texts are the same, which needs no bucket
    run:     listed in pairs.jsonl with 1; in the same cluster
             A was removed as a duplicate of 1 of the older corpus, similarity 1
             B is of the older corpus
    ");
    let json = scene.json("explain --run out 1 3");
    let within = json!({"within": {"field": "lang", "a": "en", "b": "de"}});
    assert_eq!(json["run"]["not_compared"], within);
    assert_eq!(json["verdict"], "not-compared");
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
fn what_cannot_be_explained_says_why() {
    let scene = run();
    insta::assert_snapshot!(scene.fails(1, "explain --run out page-17 page-81"), @r"error: no document of the run is called `page-81`; did you mean `page-18`, `page-17`?");
    insta::assert_snapshot!(scene.fails(1, "explain --run out zzz 17"), @r"error: no document of the run is called `zzz`");
    insta::assert_snapshot!(scene.fails(1, "explain --run out page-17 in.jsonl:1"), @r"error: `page-17` and `in.jsonl:1` are one document: name two");
    insta::assert_snapshot!(scene.fails(1, "explain --run nowhere a b"), @r"error: nowhere: not the folder of a finished run: there is no run.toml in it");
    insta::assert_snapshot!(scene.fails(1, "explain nowhere.txt in.jsonl"), @r"error: nowhere.txt: no such file or folder");
    insta::assert_snapshot!(scene.fails(1, "explain out in.jsonl"), @r"error: out: 6 files, but a document is one: name a file");
    fs::remove_file(scene.path("in.jsonl")).unwrap();
    insta::assert_snapshot!(scene.fails(1, "explain --run out page-17 17"), @r"error: in.jsonl: no such file or folder: out/run.toml names the inputs as they are seen from the folder in which it ran: run this there");
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

#[test]
fn a_run_whose_inputs_have_changed_is_not_explained() {
    let scene = roses();
    let record = |i| format!("{}\n", json!({"id": i, "text": format!("text number {i}")}));
    let records: String = (1..5).map(record).collect();
    scene.write("pages.jsonl", &records);
    scene.says("dedup pages.jsonl --out clean --quiet");
    scene.says("explain --run clean 1 2");
    scene.write("pages.jsonl", records.replace("number 3", "number three"));
    let error = scene.fails(1, "explain --run clean 1 2");
    assert!(error.starts_with("error: pages.jsonl: "), "{error}");
    assert!(
        error.contains("the inputs have changed since clean was written"),
        "{error}"
    );
}
