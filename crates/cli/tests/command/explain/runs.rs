//! Two documents of a run.

use std::fs;

use serde_json::{Value, json};

use super::scene::{Scene, roses};

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
fn what_cannot_be_explained_says_why() {
    let scene = run();
    insta::assert_snapshot!(scene.fails(1, "explain --run out page-17 page-81"), @r"error: no document of the run is called `page-81`; did you mean `page-18`, `page-17`?");
    insta::assert_snapshot!(scene.fails(1, "explain --run out zzz 17"), @r"error: no document of the run is called `zzz`");
    insta::assert_snapshot!(scene.fails(1, "explain --run out page-17 in.jsonl:1"), @r"error: `page-17` and `in.jsonl:1` are one document: name two");
    insta::assert_snapshot!(scene.fails(1, "explain --run nowhere a b"), @r"error: nowhere: not the folder of a finished run: there is no run.toml in it");
    insta::assert_snapshot!(scene.fails(1, "explain nowhere.txt in.jsonl"), @r"error: nowhere.txt: no such file or folder");
    insta::assert_snapshot!(scene.fails(1, "explain out in.jsonl"), @r"error: out: 2 files, but a document is one: name a file");
    fs::remove_file(scene.path("in.jsonl")).unwrap();
    insta::assert_snapshot!(scene.fails(1, "explain --run out page-17 17"), @r"error: in.jsonl: no such file or folder: out/run.toml names it as an input of the run: put it back");
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
