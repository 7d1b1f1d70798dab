//! The straight path: what is found in a small corpus, and what the files say.

use std::collections::BTreeMap;

use serde_json::json;

use super::scene::Scene;
use super::texts::{five, passage, records, similarity};

#[test]
fn near_copies_and_copies_go_and_the_rest_stays() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out");
    let input = five();
    let input: Vec<&str> = input.split_inclusive('\n').collect();
    let [kept, removed] =
        ["kept", "removed"].map(|folder| scene.read(&format!("out/{folder}/in.jsonl")));
    assert_eq!(kept, [input[0], input[2], input[4]].concat());
    assert_eq!(removed, [input[1], input[3]].concat());
    let expected = [
        ".files.toml",
        "clusters.jsonl",
        "kept/in.jsonl",
        "pairs.jsonl",
        "removed/in.jsonl",
        "report.html",
        "report.json",
        "run.toml",
    ];
    assert_eq!(scene.files("out"), expected);
}

#[test]
fn clusters_name_the_one_that_stays_and_the_others_with_their_similarity() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out");
    let near = similarity(1);
    assert_eq!(
        scene.read("out/clusters.jsonl"),
        format!(
            "{{\"representative\": \"first\", \"size\": 3, \"members\": [{{\"id\": \"near\", \"similarity\": {near}}}, \
             {{\"id\": \"copy\", \"similarity\": 1}}]}}\n"
        )
    );
}

#[test]
fn every_pair_of_a_cluster_is_listed_with_its_exact_similarity() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out");
    let near = similarity(1);
    assert_eq!(
        scene.read("out/pairs.jsonl"),
        format!(
            "{{\"a\": \"first\", \"b\": \"near\", \"similarity\": {near}}}\n\
             {{\"a\": \"first\", \"b\": \"copy\", \"similarity\": 1}}\n\
             {{\"a\": \"near\", \"b\": \"copy\", \"similarity\": {near}}}\n"
        )
    );
}

#[test]
fn the_report_counts() {
    let scene = Scene::with("in.jsonl", five() + "{\"id\": \"none\", \"text\": \" \"}\n");
    scene.dedup("in.jsonl --out out --threads 2");
    let report = scene.report("out");
    let text_bytes: usize = scene
        .lines("in.jsonl")
        .iter()
        .map(|record| record["text"].as_str().unwrap().len())
        .sum();
    let removed = scene.lines("out/removed/in.jsonl");
    let text = |record: &serde_json::Value| record["text"].as_str().unwrap().len();
    let removed: usize = removed.iter().map(text).sum();
    assert_eq!(
        report["documents"],
        json!({"read": 6, "kept": 4, "removed": 2, "empty": 1, "short": 0, "skipped": 0, "copies": 1, "text_bytes": text_bytes, "removed_text_bytes": removed})
    );
    // "first" and "copy" are one text, so there is one pair of texts and three of documents.
    let pairs = &report["pairs"];
    let counts = [
        "candidates",
        "matches",
        "listed",
        "not_listed",
        "not_compared",
    ];
    assert_eq!(
        counts.map(|count| pairs[count].as_u64().unwrap()),
        [1, 1, 3, 0, 0]
    );
    assert_eq!(report["clusters"], json!({"count": 1, "largest": 3}));
    assert_eq!(
        report["files"],
        json!([{"name": "in.jsonl", "bytes": scene.bytes("in.jsonl").len(), "documents": 6, "removed": 2, "skipped": 0}])
    );
    assert_eq!(report["threshold"], 0.8);
    assert_eq!(
        (&report["plan"]["bands"], &report["plan"]["rows"]),
        (&json!(13), &json!(7))
    );
    assert!(report["plan"]["recall"].as_f64().unwrap() >= 0.95);
    let times = &report["times"];
    let parts = ["read", "compare", "write"].map(|part| times[part].as_f64().unwrap());
    assert!((parts.iter().sum::<f64>() - times["total"].as_f64().unwrap()).abs() < 1e-5);
    assert_eq!(times["threads"], 2);
}

#[test]
fn the_settings_of_a_run_are_complete() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out");
    let folder = scene.path("").canonicalize().unwrap();
    let folder = folder.display().to_string();
    let settings = scene.read("out/run.toml").replace(&folder, "FOLDER");
    insta::assert_snapshot!(settings, @r#"
    seed = 0
    threshold = 0.8
    bands = 13
    rows = 7
    max_bucket = 1000

    [data]
    inputs = ["in.jsonl"]
    text = "text"
    on_error = "stop"
    folder = "FOLDER"
    max_expansion = 200
    max_record = 1073741824
    max_window = 1073741824

    [family]
    name = "fast-similarity"
    tokens = "words"
    shingle = "words:5"
    normalize = []
    short = "whole"
    hash = 64

    [verify]
    method = "exact"

    [cluster]
    method = "star"
    keep = "first"

    [output]
    mode = "remove"
    compress = "none"
    max_removed = 0.9
    "#);
}

/// Fields, numbers, escapes, blanks, line ends, blank lines, a byte order mark: what was read is what is written.
#[test]
fn no_byte_of_a_record_changes() {
    let strange = [
        "\u{FEFF}{\"z\": 1.50, \"text\":\"x y z\",\"n\":1e400, \"a\": [1 ,{\"text\": 2}]}\r\n",
        "\n",
        "  { \"text\" : \"caf\\u00e9 \\ud83d\\ude00\" , \"z\":1, \"z\":2 }\t\r\n",
        "{\"text\":\"no newline at the end\",\"id\":\"\\u0061\"}",
    ];
    let input = strange.concat();
    let scene = Scene::with("in.jsonl", &input);
    scene.dedup("in.jsonl --out out");
    assert_eq!(scene.read("out/kept/in.jsonl"), input);
    assert_eq!(scene.read("out/removed/in.jsonl"), "");
}

#[test]
fn each_line_of_the_input_is_in_one_of_the_outputs_as_it_was() {
    let lines: Vec<String> = (0..200)
        .map(|i| {
            let text = passage(&format!("t{}x", i % 40), &[20 + i / 40 * 10]);
            format!("{{\"text\": \"{text}\", \"n\": {i}.0}}\r\n")
        })
        .collect();
    let scene = Scene::with("in.jsonl", lines.concat());
    scene.dedup("in.jsonl --out out --bands 60 --rows 2");
    let [kept, removed] =
        ["kept", "removed"].map(|folder| scene.read(&format!("out/{folder}/in.jsonl")));
    let count = |text: &str| {
        let mut counts = BTreeMap::new();
        for line in text.split_inclusive('\n') {
            *counts.entry(line.to_owned()).or_insert(0) += 1;
        }
        counts
    };
    assert_eq!(count(&(kept.clone() + &removed)), count(&lines.concat()));
    assert_eq!(kept.lines().count(), 40);
    let in_order = |part: &str| {
        let place = |line| lines.iter().position(|l| l == line).unwrap();
        part.split_inclusive('\n').map(place).is_sorted()
    };
    assert!(in_order(&kept) && in_order(&removed));
}

#[test]
fn without_ids_documents_are_called_by_file_and_line() {
    let text = passage("a", &[]);
    let scene = Scene::with(
        "in.jsonl",
        format!("{{\"text\": \"{text}\"}}\n\n{{\"text\": \"{text}\"}}\n"),
    );
    scene.dedup("in.jsonl --out out");
    assert_eq!(
        scene.read("out/pairs.jsonl"),
        "{\"a\": \"in.jsonl:1\", \"b\": \"in.jsonl:3\", \"similarity\": 1}\n"
    );
}

#[test]
fn ids_keep_their_type_and_fields_may_be_nested() {
    let record = |id: &str| {
        format!(
            "{{\"meta\": {{\"key\": {id}, \"body\": \"{}\"}}, \"id\": 1}}\n",
            passage("a", &[])
        )
    };
    let ids = [
        "7",
        "\"7\"",
        "-12345678901234567890123",
        "\"\\u0061 \\\"b\\\"\"",
    ];
    let scene = Scene::with("in.jsonl", ids.map(record).concat());
    scene.dedup("in.jsonl --out out --text-field meta.body --id-field meta.key");
    let [cluster] = &scene.lines("out/clusters.jsonl")[..] else {
        panic!()
    };
    assert_eq!(cluster["representative"], 7);
    let text = scene.read("out/clusters.jsonl");
    for id in ["\"7\"", "-12345678901234567890123", "\"a \\\"b\\\"\""] {
        assert!(text.contains(&format!("{{\"id\": {id}, ")), "{text}");
    }
}

#[test]
fn a_field_whose_name_has_a_dot_is_found() {
    let scene = Scene::with(
        "in.jsonl",
        records([]) + "{\"a.b\": \"x y\", \"a\": {\"b\": 5}}\n",
    );
    scene.dedup("in.jsonl --out out --text-field a.b");
    assert_eq!(scene.report("out")["documents"]["read"], 1);
}

/// The page has the counts, the curve and the texts of matches, and asks nothing of the network.
#[test]
fn a_page_shows_what_was_found() {
    let scene = Scene::with("in.jsonl", five());
    scene.dedup("in.jsonl --out out --threshold 0.5");
    let page = scene.read("out/report.html");
    for said in [
        "40.0% duplicates: 2 of 5 documents, ",
        "Largest clusters",
        "in.jsonl",
        "threshold",
        "Pairs by similarity",
        "Other bands and rows",
    ] {
        assert!(page.contains(said), "{said}");
    }
    assert!(
        !page.contains("http://") || page.contains("http://www.w3.org"),
        "only names of formats"
    );
    assert!(!page.contains("src=\"http") && !page.contains("href=\"http"));
}
