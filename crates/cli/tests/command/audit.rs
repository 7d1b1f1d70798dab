//! `lookalike audit`: what is measured, what is said, and what is refused.

use std::{fs, ops::Deref};

use serde_json::{Value, json};

use crate::folder::Folder;

/// A folder in which the command runs.
struct Scene(Folder);

impl Deref for Scene {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        &self.0
    }
}

impl Scene {
    /// With a corpus of 120 texts of forty words in `in.jsonl`: every third has a near copy and, after each tenth, a copy.
    fn new() -> Self {
        let scene = Self(Folder::new());
        let text = |i: usize, changed: usize| -> String {
            let word = |place| match place < changed {
                true => format!("new{place} "),
                false => format!("t{i}w{place} "),
            };
            (0..40).map(word).collect()
        };
        let mut texts = Vec::new();
        for i in 0..120 {
            texts.push(text(i, 0));
            if i % 3 == 0 {
                texts.push(text(i, 1 + i % 4));
            }
            if i % 10 == 0 {
                texts.push(text(i, 0));
            }
        }
        let record = |(i, text)| format!("{}\n", json!({"id": format!("d{i}"), "text": text}));
        let records = texts.iter().enumerate().map(record);
        fs::write(scene.path("in.jsonl"), records.collect::<String>()).unwrap();
        scene
    }

    /// With a run over it that misses some pairs.
    fn with_run(args: &str) -> Self {
        let scene = Self::new();
        scene.says(&format!(
            "dedup in.jsonl --out out --quiet --bands 3 --rows 5 {args}"
        ));
        scene
    }

    /// Replaces something in a file.
    fn edit(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name}: {from}");
        fs::write(self.path(name), text.replacen(from, to, 1)).unwrap();
    }

    /// The exit code, stdout and stderr of a command.
    fn run(&self, args: &str, stdin: &str) -> (i32, String, String) {
        let said = self.lookalike(args.split_whitespace(), stdin);
        (said.code, said.out, said.error)
    }

    /// What a command prints that must go well.
    fn says(&self, args: &str) -> String {
        let (code, out, error) = self.run(args, "");
        assert_eq!((code, error.as_str()), (0, ""), "{args}");
        out
    }

    fn json(&self, args: &str) -> Value {
        serde_json::from_str(&self.says(&format!("{args} --json"))).unwrap()
    }

    /// The message of a command that must fail.
    fn fails(&self, code: i32, args: &str) -> String {
        let (found, out, error) = self.run(args, "");
        assert_eq!((found, out.as_str()), (code, ""), "{args}: {error}");
        error
    }
}

#[test]
fn a_sample_gives_intervals() {
    let scene = Scene::with_run("");
    insta::assert_snapshot!(scene.says("audit out --sample 100"), @r"
    out: from 0.8 on, 3 bands × 5 rows, candidates compared exactly

                        95% interval
    precision  1        exact               of all 53 listed pairs, compared again
    recall     0.94060  0.87206 to 0.97865  of the pairs of 100 of 172 documents
               0.92453  0.84059 to 0.97257  of those with different texts
    promised   0.86504                      of those, by the S-curve at their similarities
               0.69610                      by the S-curve at 0.8

    ~44  42 to 49  pairs of different texts that are alike
     ~3  1 to 8    of them missed
     12            pairs of copies: the same text, found for certain

    similarity    ends  found  recall   promised
    0.80 to 0.85    26     22  0.84615  0.77139
    0.85 to 0.90    13     13  1        0.92238
    0.90 to 0.95    14     14  1        0.98572
    0.95 to 1.00     0      0  –        –

    ends: of pairs with different texts, at the drawn documents; a pair has two
    promised: by the S-curve at their similarities
    ");
}

#[test]
fn everything_gives_the_true_numbers() {
    let scene = Scene::with_run("");
    insta::assert_snapshot!(scene.says("audit out"), @r"
    out: from 0.8 on, 3 bands × 5 rows, candidates compared exactly

                        95% interval
    precision  1        exact         of all 53 listed pairs, compared again
    recall     0.94643  exact         of the pairs of all 172 documents
               0.93182  exact         of those with different texts
    promised   0.85988                of those, by the S-curve at their similarities
               0.69610                by the S-curve at 0.8

    44    pairs of different texts that are alike
     3    of them missed
    12    pairs of copies: the same text, found for certain

    similarity    ends  found  recall   promised
    0.80 to 0.85    44     38  0.86364  0.76283
    0.85 to 0.90    20     20  1        0.92238
    0.90 to 0.95    24     24  1        0.98572
    0.95 to 1.00     0      0  –        –

    ends: of pairs with different texts, at the drawn documents; a pair has two
    promised: by the S-curve at their similarities
    ");
}

#[test]
fn unverified_runs_have_a_precision() {
    let scene = Scene::with_run("--verify none --threshold 0.9");
    let json = scene.json("audit out");
    let precision = json["listed"]["precision"]["share"].as_f64().unwrap();
    assert!(precision < 0.9, "{precision}");
    let text = scene.says("audit out");
    assert!(text.contains("candidates compared not at all"), "{text}");
    assert!(
        text.contains(&format!("precision  {precision:.5}")),
        "{text}"
    );
}

#[test]
fn json_has_the_same_numbers() {
    let scene = Scene::with_run("");
    let text = scene.says("audit out --sample 100 --seed 4");
    let json = scene.json("audit out --sample 100 --seed 4");
    for share in [&json["recall"], &json["different_texts"]] {
        let number = |name: &str| share[name].as_f64().unwrap();
        let (low, high) = (number("low"), number("high"));
        assert!(low < number("share") && number("share") < high);
        for number in [number("share"), low, high] {
            assert!(text.contains(&format!("{number:.5}")), "{number} {text}");
        }
        assert_eq!(share["is_exact"], false);
    }
    assert_eq!(json["documents"], json!({"sampled": 100, "all": 172}));
    assert_eq!(json["listed"]["precision"]["share"], 1.0);
    assert_eq!(json["copies"], 12);
    assert_eq!(json["plan"]["bands"], 3);
    assert_eq!(
        (&json["threshold"], &json["verify"]),
        (&json!(0.8), &json!("exact"))
    );
    assert_eq!(json["buckets"].as_array().unwrap().len(), 4);
    // Another seed, another sample; the same seed, the same.
    let other = scene.json("audit out --sample 100 --seed 5");
    assert_ne!(json["recall"], other["recall"]);
    assert_eq!(
        json,
        scene.json("audit out --sample 100 --seed 4 --threads 1")
    );
}

#[test]
fn every_mode_and_every_kind_of_id_can_be_measured() {
    let scene = Scene::new();
    let mut measured = Vec::new();
    for args in ["", "--mode annotate", "--mode report", "--ignore-ids"] {
        scene.says(&format!(
            "dedup in.jsonl --out out --overwrite --quiet --bands 3 --rows 5 {args}"
        ));
        measured.push(scene.json("audit out")["recall"].clone());
    }
    assert!(measured.iter().all(|recall| *recall == measured[0]));
    assert!(measured[0]["share"].as_f64().unwrap() < 1.0);
}

#[test]
fn an_older_corpus_that_has_changed_is_refused() {
    let scene = Scene::new();
    fs::copy(scene.path("in.jsonl"), scene.path("old.jsonl")).unwrap();
    scene.says("dedup in.jsonl --against old.jsonl --out out --quiet --allow-mass-removal");
    let json = scene.json("audit out");
    assert_eq!(json["documents"]["all"], 172);
    // 12 inside the input, and each of the 172 with the older corpus, copies twice.
    assert_eq!(json["copies"], 12 + 172 + 2 * 12);
    fs::write(scene.path("old.jsonl"), "{\"text\": \"\"}").unwrap();
    insta::assert_snapshot!(scene.fails(1, "audit out"), @r"error: 1 documents instead of 172 in the older corpus: the inputs have changed since out was written: run dedup again");
}

#[test]
fn what_came_from_a_pipe_can_be_given_again() {
    let scene = Scene::new();
    let input = scene.read("in.jsonl");
    let (code, ..) = scene.run("dedup - --out out --quiet --mode report", &input);
    assert_eq!(code, 0);
    let (code, out, error) = scene.run("audit out", &input);
    assert_eq!((code, error.as_str()), (0, ""));
    assert!(out.contains("of the pairs of all 172 documents"), "{out}");
    let (code, _, error) = scene.run("audit out", "");
    assert_eq!(code, 1);
    assert!(error.contains("0 documents instead of 172"), "{error}");
}

#[test]
fn inputs_that_have_changed_are_refused() {
    let scene = Scene::with_run("");
    let input = scene.read("in.jsonl");
    let restore = || fs::write(scene.path("in.jsonl"), &input).unwrap();
    fs::write(
        scene.path("in.jsonl"),
        format!("{input}{{\"id\": 1, \"text\": \"\"}}\n"),
    )
    .unwrap();
    insta::assert_snapshot!(scene.fails(1, "audit out"), @r"error: in.jsonl: 50895 bytes instead of 50873: the inputs have changed since out was written: run dedup again");
    restore();
    scene.edit("in.jsonl", "t7w0 ", "t7w0 more ");
    insta::assert_snapshot!(scene.fails(1, "audit out"), @r"error: in.jsonl: 50878 bytes instead of 50873: the inputs have changed since out was written: run dedup again");
    restore();
    // As long as before, but called otherwise: d0 is in a pair.
    scene.edit("in.jsonl", "\"d0\"", "\"x0\"");
    insta::assert_snapshot!(scene.fails(1, "audit out"), @r#"error: no document is called "d0" any more: the inputs have changed since out was written: run dedup again"#);
    restore();
    // As many bytes, without a word.
    let pairs = scene.read("out/pairs.jsonl");
    let records = input
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    // It is in no pair, whose similarity would be another.
    let alone = |record: &Value| !pairs.contains(&record["id"].to_string());
    let text = records.into_iter().find(alone).unwrap()["text"].to_string();
    scene.edit(
        "in.jsonl",
        &text,
        &format!("\"{}\"", ".".repeat(text.len() - 2)),
    );
    insta::assert_snapshot!(scene.fails(1, "audit out"), @r"error: 1 documents without a shingle instead of 0: the inputs have changed since out was written: run dedup again");
    restore();
    scene.edit("out/report.json", "\"in.jsonl\"", "\"on.jsonl\"");
    let error = scene.fails(1, "audit out");
    assert!(
        error.starts_with("error: in.jsonl instead of on.jsonl: the inputs"),
        "{error}"
    );
    fs::remove_file(scene.path("in.jsonl")).unwrap();
    insta::assert_snapshot!(scene.fails(1, "audit out"), @r"error: in.jsonl: no such file or folder: out/run.toml names it as an input of the run: put it back");
}

#[test]
fn texts_that_have_changed_quietly_are_noticed() {
    let scene = Scene::with_run("");
    // d0 is in pairs; its words are others, and as long.
    scene.edit("in.jsonl", "t0w30 t0w31 ", "t0w90 t0w91 ");
    let error = scene.fails(1, "audit out");
    assert!(
        error.contains("listed pairs have another similarity now: the inputs have changed"),
        "{error}"
    );
}

#[test]
fn results_that_are_damaged_are_refused() {
    let scene = Scene::with_run("");
    let pairs = scene.read("out/pairs.jsonl");
    let lines: Vec<&str> = pairs.lines().collect();
    fs::write(scene.path("out/pairs.jsonl"), lines[1..].join("\n")).unwrap();
    insta::assert_snapshot!(scene.fails(1, "audit out"), @r"error: out/pairs.jsonl: 52 pairs, but report.json counts 53");
    fs::write(scene.path("out/pairs.jsonl"), &pairs[..pairs.len() - 9]).unwrap();
    insta::assert_snapshot!(scene.fails(1, "audit out"), @r"error: out/pairs.jsonl: line 53 is not what a run writes: EOF while parsing an object at line 1 column 45");
    fs::write(scene.path("out/report.json"), "{}").unwrap();
    insta::assert_snapshot!(scene.fails(1, "audit out"), @r"error: out/report.json: missing field `documents` at line 1 column 2");
    fs::remove_file(scene.path("out/report.json")).unwrap();
    let error = scene.fails(1, "audit out");
    assert!(
        error.starts_with("error: out/report.json: cannot read: "),
        "{error}"
    );
    insta::assert_snapshot!(scene.fails(1, "audit in.jsonl"), @r"error: in.jsonl: not the folder of a finished run: there is no run.toml in it");
    insta::assert_snapshot!(scene.fails(1, "audit nowhere"), @r"error: nowhere: not the folder of a finished run: there is no run.toml in it");
}

#[test]
fn the_examples_of_the_help_run() {
    let scene = Scene::with_run("--mode report");
    fs::rename(scene.path("out"), scene.path("clean")).unwrap();
    let help = scene.says("audit --help");
    let (_, after) = help.split_once("Examples:\n").unwrap();
    let examples = after
        .lines()
        .filter_map(|line| line.trim().strip_prefix("lookalike "));
    let said: Vec<String> = examples.map(|example| scene.says(example)).collect();
    assert_eq!(said.len(), 4);
    assert!(said.iter().all(|said| said.contains("recall")));
}

#[test]
fn wrong_use_is_refused() {
    let scene = Scene::new();
    for (args, said) in [
        ("audit", "<DIR>"),
        ("audit out --sample 0", "'0' for '--sample"),
        ("audit out --sample -3", "'-3' for '--sample"),
        ("audit out --threads 0", "1..=1024"),
        ("audit out out", "unexpected argument"),
    ] {
        let error = scene.fails(2, args);
        assert!(error.contains(said), "{args}: {error}");
    }
}
