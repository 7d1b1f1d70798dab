//! `--mode`, and what is printed.

use serde_json::{Value, json};

use super::scene::Scene;
use super::texts::{five, passage, similarity};

#[test]
fn annotate_adds_a_member_to_every_record_and_removes_none() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out --mode annotate");
    let notes = [
        json!({"duplicate_of": null}),
        json!({"duplicate_of": "first", "similarity": similarity(1)}),
        json!({"duplicate_of": null}),
        json!({"duplicate_of": "first", "similarity": 1}),
        json!({"duplicate_of": null}),
    ];
    let input = five();
    let expected: String = input
        .lines()
        .zip(notes)
        .map(|(line, note)| {
            let open = line.strip_suffix('}').unwrap();
            let note = spaced(&note);
            format!("{open}, \"lookalike\": {note}}}\n")
        })
        .collect();
    assert_eq!(scene.read("out/annotated/in.jsonl"), expected);
    let files = scene.files("out");
    assert!(
        files
            .iter()
            .all(|name| !name.contains("kept") && !name.contains("removed")),
        "{files:?}"
    );
}

/// As the command writes it: a space after colons and commas, members in this order.
fn spaced(note: &Value) -> String {
    match note.get("similarity") {
        None => "{\"duplicate_of\": null}".into(),
        Some(similarity) => format!(
            "{{\"duplicate_of\": {}, \"similarity\": {similarity}}}",
            note["duplicate_of"]
        ),
    }
}

#[test]
fn what_was_annotated_is_not_annotated_over() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out once --mode annotate");
    let said = scene.run("once/annotated --out twice --mode annotate");
    let says = "once/annotated/in.jsonl:1: the record has a field `lookalike` already";
    assert!(said.code == 1 && said.error.contains(says), "{said:?}");
}

#[test]
fn report_writes_no_documents() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out looked --mode report");
    scene.dedup("in.jsonl --out cleaned");
    let expected = [
        "clusters.jsonl",
        "pairs.jsonl",
        "report.html",
        "report.json",
        "run.toml",
    ];
    assert_eq!(scene.files("looked"), expected);
    for name in ["clusters.jsonl", "pairs.jsonl"] {
        let of = |folder| scene.read(&format!("{folder}/{name}"));
        assert_eq!(of("looked"), of("cleaned"));
    }
    assert_eq!(
        scene.report("looked")["documents"],
        scene.report("cleaned")["documents"]
    );
}

#[test]
fn text_cannot_be_annotated() {
    let scene = Scene::with("in.txt", "a b c\n");
    let error = scene.fails(1, "in.txt --mode annotate");
    assert!(
        error.contains("in.txt") && error.contains("--mode remove"),
        "{error}"
    );
}

#[test]
fn json_is_the_report_alone() {
    let scene = Scene::with("in.jsonl", five());
    let said = scene.run("in.jsonl --out out --json");
    assert_eq!((said.code, said.error.as_str()), (0, ""));
    assert_eq!(said.out, scene.read("out/report.json"));
    let printed: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(printed["documents"]["removed"], 2);
}

#[test]
fn the_curve_comes_before_and_the_counts_after() {
    let scene = Scene::with("in.jsonl", five());
    let said = scene.run("in.jsonl --out out --no-chart");
    assert_eq!((said.code, said.error.as_str()), (0, ""));
    let (text, time) = said.out.trim_end().rsplit_once('\n').unwrap();
    insta::assert_snapshot!(text, @r"
    13 bands × 7 rows: how likely a pair becomes a candidate

    similarity  one band  candidate  missed
    0.7         0.08235   0.67283    0.32717
    0.8         0.20972   0.95310    0.04690
    0.9         0.47830   0.99979    0.00021

    documents   5
    kept        3  out/kept
    removed     2  out/removed
    copies      1  with the text of another
    candidates  1  pairs of texts that shared a bucket
    matches     1  from 0.8 on, compared exactly
    pairs       3  out/pairs.jsonl
    clusters    1  out/clusters.jsonl
    ");
    assert!(time.contains("B of text in "), "{time}");
}

#[test]
fn the_chart_marks_the_threshold() {
    let scene = Scene::with("in.jsonl", five());
    let said = scene.run("in.jsonl --out out --threshold 0.65 --width 60");
    assert!(said.out.contains("┊ threshold 0.65"), "{}", said.out);
    let widest = said.out.lines().map(|line| line.chars().count()).max();
    assert!(widest.unwrap() <= 60, "{}", said.out);
}

/// Who looks at the first lines only still wants the results.
#[cfg(unix)]
#[test]
fn a_reader_that_leaves_does_not_end_the_run() {
    use std::process::{Command, Stdio};
    let scene = Scene::with("in.jsonl", five());
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("lookalike"))
        .args(["dedup", "in.jsonl", "--out", "out"])
        .current_dir(scene.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let code = child.wait().unwrap().code();
    assert_eq!(
        (code, super::scene::exists(scene.path("out"))),
        (Some(0), true)
    );
}

#[test]
fn what_follows_from_very_many_copies_is_counted_not_listed() {
    let line = format!("{{\"text\": \"{}\"}}\n", passage("a", &[]));
    for (copies, listed) in [
        (100, 100 * 99 / 2),
        // Over two million pairs: all of the first 32, and the first with each of the others.
        (2100, 32 * 31 / 2 + 2100 - 32),
    ] {
        let scene = Scene::with("in.jsonl", line.repeat(copies));
        scene.dedup("in.jsonl --out out --allow-mass-removal");
        let pairs = &scene.report("out")["pairs"];
        assert_eq!(pairs["listed"], listed);
        assert_eq!(pairs["not_listed"], copies * (copies - 1) / 2 - listed);
        assert_eq!(scene.pairs("out").len(), listed);
        let said = scene.run("in.jsonl --out again --allow-mass-removal");
        let says = said.out.contains("unlisted");
        assert_eq!(says, copies == 2100, "{}", said.out);
    }
}
