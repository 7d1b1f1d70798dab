//! `--mode`, and what is printed.

use serde_json::{Value, json};

use super::scene::Scene;
use super::texts::{five, passage, similarity};

#[test]
fn annotate_adds_a_member_to_every_record_and_removes_none() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out --mode annotate");
    let notes = [
        json!({"duplicate_of": null, "cluster": "first"}),
        json!({"duplicate_of": "first", "similarity": similarity(1), "cluster": "first"}),
        json!({"duplicate_of": null}),
        json!({"duplicate_of": "first", "similarity": 1, "cluster": "first"}),
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
    let members = ["duplicate_of", "similarity", "cluster"];
    let members = members
        .iter()
        .filter_map(|name| Some((name, note.get(name)?)));
    let members: Vec<String> = members
        .map(|(name, value)| format!("\"{name}\": {value}"))
        .collect();
    format!("{{{}}}", members.join(", "))
}

#[test]
fn annotate_adds_columns_to_csv() {
    let text = passage("a", &[]);
    let rows = format!("id,text\n\"x, 1\",{text}\n2,{text}\n3,other words\n");
    let scene = Scene::with("in.csv", rows);
    scene.dedup("in.csv --out out --mode annotate");
    let annotated = scene.read("out/annotated/in.csv");
    let expected = format!(
        "id,text,duplicate_of,similarity,cluster\n\"x, 1\",{text},,,\"x, 1\"\n2,{text},\"x, 1\",1,\"x, 1\"\n3,other words,,,\n"
    );
    assert_eq!(annotated, expected);
    let said = scene.run("out/annotated/in.csv --out again --mode annotate");
    let says = "in.csv:1: the record has a field `duplicate_of` already";
    assert!(said.code == 1 && said.error.contains(says), "{said:?}");
}

#[test]
fn ids_lists_what_would_be_removed_and_writes_no_documents() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out --mode ids");
    scene.dedup("in.jsonl --out cleaned");
    let removed = scene.lines("cleaned/removed/in.jsonl");
    let ids: String = removed
        .iter()
        .map(|record| format!("{}\n", record["id"].as_str().unwrap()))
        .collect();
    assert_eq!(scene.read("out/removed_ids.txt"), ids);
    let folders = scene.files("out");
    assert!(
        !folders.iter().any(|name| name.contains('/')),
        "{folders:?}"
    );
    let said = scene.run("in.jsonl --mode ids --stdout");
    assert_eq!((said.code, said.out), (0, ids));
}

#[test]
fn stdout_makes_a_filter_of_it() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out");
    let before = scene.names();
    let said = scene.run_with("- --stdout", five());
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(said.out, scene.read("out/kept/in.jsonl"));
    assert!(said.error.contains("removed"), "{said:?}");
    assert_eq!(scene.names(), before, "nothing is left behind");
    let quiet = scene.run_with("- --stdout --quiet", "a b\na b\nc d\n");
    assert_eq!((&*quiet.out, &*quiet.error), ("a b\nc d\n", ""));
    // Files of one format that can follow each other do.
    scene.write("more.jsonl", five());
    let both = scene.run("in.jsonl more.jsonl --ignore-ids --stdout --quiet --out kept");
    assert_eq!(
        both.out,
        scene.read("kept/kept/in.jsonl") + &scene.read("kept/kept/more.jsonl")
    );
    scene.write("a.csv", "text\na\n");
    scene.write("b.csv", "text\nb\n");
    let said = scene.run("a.csv b.csv --stdout --quiet");
    assert!(
        said.code == 1 && said.error.contains("do not make one stream"),
        "{said:?}"
    );
    assert_eq!(scene.run("in.jsonl --stdout --mode report").code, 2);
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
fn three_lines_come_before_and_the_counts_after() {
    let scene = Scene::with("in.jsonl", five());
    let said = scene.run("in.jsonl --out out");
    assert_eq!(said.code, 0);
    insta::assert_snapshot!(said.error.trim_end(), @r"
    13 bands × 7 rows find 95.3% of the pairs at similarity 0.8, 99.98% at 0.9
    compared by shingles of 5 words: letters and digits, no case or punctuation
    5 documents: one per line of 1 jsonl file
    ");
    for line in said.error.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let (text, time) = said.out.trim_end().rsplit_once('\n').unwrap();
    insta::assert_snapshot!(text, @r"
    documents   5
    kept        3  out/kept
    removed     2  out/removed
    copies      1  with the text of another
    candidates  1  pairs of texts that shared a bucket
    matches     1  similarity of at least 0.8, compared exactly
    pairs       3  out/pairs.jsonl
    clusters    1  out/clusters.jsonl
    ");
    assert!(time.contains("B of text in "), "{time}");
}

#[test]
fn the_chart_is_drawn_on_request_and_marks_the_threshold() {
    let scene = Scene::with("in.jsonl", five());
    let said = scene.run("in.jsonl --out out --threshold 0.65 --width 60 --chart");
    assert!(said.error.contains("┊ threshold 0.65"), "{}", said.error);
    let chart = said.error.lines().skip(2);
    let widest = chart.map(|line| line.chars().count()).max();
    assert!(widest.unwrap() <= 60, "{}", said.error);
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

#[test]
fn modes_that_leave_records_alone_do_not_say_removed() {
    let scene = Scene::with("in.jsonl", five());
    for (mode, row) in [
        ("report", "duplicates"),
        ("annotate", "duplicates"),
        ("remove", "removed"),
    ] {
        let said = scene.run(&format!("in.jsonl --out {mode} --mode {mode}"));
        assert_eq!(said.code, 0, "{said:?}");
        assert!(
            said.out.lines().any(|line| line.starts_with(row)),
            "{}",
            said.out
        );
        assert_eq!(
            said.out.contains("removed"),
            mode == "remove",
            "{}",
            said.out
        );
    }
}
