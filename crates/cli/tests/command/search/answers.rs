//! What is found, and how it reads.

use serde_json::json;

use super::scene::{Scene, passage, record, similarity};

#[test]
fn the_most_similar_come_first_and_of_equals_the_smaller_id() {
    let scene = Scene::with_index();
    scene.write("page.txt", passage("a", &[]) + "\n");
    let all = [
        ("7".to_owned(), 1.0),
        ("\"copy\"".into(), 1.0),
        ("\"first\"".into(), 1.0),
        ("\"near\"".into(), similarity(1)),
        ("\"far\"".into(), similarity(7)),
    ];
    for target in ["in.idx", "in.jsonl"] {
        assert_eq!(
            scene.hits(&format!("query {target} page.txt")),
            [all.to_vec()]
        );
        let some = |args: &str| scene.hits(&format!("query {target} page.txt {args}"));
        assert_eq!(some("-k 2"), [all[..2].to_vec()]);
    }
    let some = |args: &str| scene.hits(&format!("query in.idx page.txt {args}"));
    assert_eq!(some("--jaccard 0.9"), [all[..4].to_vec()]);
    // A fraction that is the least is enough, however it is rounded.
    assert_eq!(
        some(&format!("--jaccard {}", 91.0 / 101.0)),
        [all[..4].to_vec()]
    );
    assert_eq!(some("--jaccard 1 -k 9"), [all[..3].to_vec()]);
}

#[test]
fn a_table_has_the_id_the_similarity_and_the_start_of_the_text() {
    let scene = Scene::with_index();
    scene.write("page.txt", passage("a", &[]));
    for target in ["in.idx", "in.jsonl"] {
        let out = scene.says(&format!("query {target} page.txt -k 4"));
        let lines: Vec<&str> = out.lines().collect();
        assert_eq!(lines[0], "query page.txt");
        assert_eq!(lines[1], "similarity  id     text");
        assert!(
            lines[2].starts_with("1           7      a0 a1 a2 a3 "),
            "{out}"
        );
        assert!(
            lines[5].starts_with("0.90099     near   a0 a1 a2 a3 "),
            "{out}"
        );
        assert!(
            lines[2..6].iter().all(|line| line.chars().count() == 80),
            "{out}"
        );
        assert!(lines[2..6].iter().all(|line| line.ends_with('…')), "{out}");
        // An index says what it finds; a corpus misses nothing.
        let says = out.contains("finds all items at Jaccard similarity 0.5");
        assert_eq!(says, target == "in.idx", "{out}");
    }
}

#[test]
fn an_index_answers_as_a_scan_does() {
    // Texts of few different words, so that many are alike, many equal and some empty.
    for seed in 0..8u64 {
        let scene = Scene::new();
        let mut state = seed;
        let mut next = |below: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let records: String = (0..60)
            .map(|id| {
                let words: Vec<String> = (0..next(8)).map(|_| format!("w{}", next(4))).collect();
                let text = words.join(" ");
                match id % 3 {
                    0 => record(id, &text),
                    1 => record(format!("doc {id}"), &text),
                    _ => format!("{}\n", json!({"text": text})),
                }
            })
            .collect();
        scene.write("in.jsonl", &records);
        let family = [
            "--shingle words:2",
            "--shingle chars:3",
            "--shingle words:1 --tokens chars",
        ];
        let family = family[seed as usize % 3];
        scene.quiet(&format!(
            "index build in.jsonl --out in.idx --bands 128 --rows 1 {family}"
        ));
        let by_index = scene.hits("query in.idx in.jsonl -k 7 --jaccard 0.3");
        let mut by_scan = scene.hits(&format!("query in.jsonl in.jsonl -k 7 {family}"));
        for hits in &mut by_scan {
            hits.retain(|hit| hit.1 >= 0.3);
        }
        assert_eq!(by_index, by_scan, "{seed}");
        assert_eq!(by_index.len(), 60);
        assert!(by_index.iter().flatten().count() > 150, "{seed}");
    }
}

#[test]
fn the_answers_are_the_same_for_every_number_of_threads() {
    let scene = Scene::with_index();
    for target in ["in.idx", "in.jsonl"] {
        let [one, two, seven] = [1, 2, 7].map(|threads| {
            scene.says(&format!(
                "query {target} in.jsonl --json --texts --threads {threads}"
            ))
        });
        assert!(one == two && two == seven);
        assert_eq!(one.lines().count(), 6);
    }
}

#[test]
fn nothing_alike_is_no_error_and_says_why() {
    let scene = Scene::with_index();
    scene.write("in.idx.txt", "");
    for (args, why) in [
        (
            "in.idx --text word",
            "nothing alike found: no document shares a bucket with it\n",
        ),
        (
            "in.jsonl --text word",
            "nothing alike found: of all documents none shares a shingle with it\n",
        ),
        (
            "in.idx --text ...",
            "nothing alike found: the query has no shingle\n",
        ),
        (
            "in.jsonl --text ...",
            "nothing alike found: the query has no shingle\n",
        ),
        (
            "in.idx far.txt --jaccard 0.99",
            "nothing alike found: of 3 candidates none reaches --jaccard 0.99\n",
        ),
    ] {
        scene.write("far.txt", passage("a", &[5, 15, 25]));
        let out = scene.says(&format!("query {args}"));
        assert!(out.contains(why), "{args}: {out}");
        let wholes = out.contains("texts are compared as wholes");
        assert_eq!(wholes, args.ends_with("word"), "{args}: {out}");
        assert_eq!(scene.hits(&format!("query {args}")), [[]]);
    }
}

#[test]
fn json_has_what_programs_need() {
    let scene = Scene::with_index();
    let line = &scene.json("query in.idx --text word")[0];
    assert_eq!(
        *line,
        json!({"query": null, "hits": [], "candidates": 0, "compared": 0})
    );
    scene.write("new.jsonl", record("q", &passage("b", &[50])));
    let hit = json!({"id": "other", "similarity": similarity(1)});
    let line = &scene.json("query in.idx new.jsonl")[0];
    assert_eq!(
        *line,
        json!({"query": "q", "hits": [hit], "candidates": 1, "compared": 1})
    );
    let line = &scene.json("query in.jsonl new.jsonl")[0];
    assert_eq!(*line, json!({"query": "q", "hits": [hit]}));
    for target in ["in.idx", "in.jsonl"] {
        let line = &scene.json(&format!("query {target} new.jsonl --texts"))[0];
        assert_eq!(line["hits"][0]["text"], passage("b", &[]), "{target}");
    }
}

#[test]
fn candidates_over_the_limit_are_named() {
    let scene = Scene::with_index();
    scene.write("page.txt", passage("a", &[]));
    let line = &scene.json("query in.idx page.txt --limit 1")[0];
    assert_eq!(
        (&line["candidates"], &line["compared"]),
        (&json!(3), &json!(1))
    );
    assert_eq!(line["hits"].as_array().unwrap().len(), 3);
    let out = scene.says("query in.idx page.txt --limit 1");
    assert!(
        out.contains("1 of 3 candidates were compared: more with --limit"),
        "{out}"
    );
}
