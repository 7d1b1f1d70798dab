//! Documents come and go.

use serde_json::{Value, json};

use crate::kinds::npy;

use super::scene::{Scene, passage, record};

fn documents(scene: &Scene) -> Value {
    scene.json("index stats in.idx")[0]["documents"].clone()
}

/// The first two counts of what was said.
fn counts(out: &str) -> Vec<String> {
    let words = |line: &str| {
        line.split_whitespace()
            .take(2)
            .collect::<Vec<_>>()
            .join(" ")
    };
    out.lines().take(2).map(words).collect()
}

#[test]
fn documents_are_added_and_removed() {
    let scene = Scene::with_index();
    scene.write("page.txt", passage("c", &[]));
    scene.write(
        "more.jsonl",
        record("c", &passage("c", &[50])) + &record("d", &passage("a", &[])),
    );
    assert_eq!(scene.hits("query in.idx page.txt"), [[]]);
    let out = scene.says("index add in.idx more.jsonl");
    assert_eq!(counts(&out), ["added 2", "documents 8"]);
    assert_eq!(scene.hits("query in.idx page.txt")[0][0].0, "\"c\"");
    // Its text is that of others, which is stored once.
    assert_eq!(scene.json("index stats in.idx")[0]["items"], 5);
    let out = scene.says("index remove in.idx c d 7");
    assert_eq!(counts(&out), ["removed 3", "documents 5"]);
    assert_eq!(scene.hits("query in.idx page.txt"), [[]]);
    // What was removed is in the file until that is written again.
    assert_eq!(scene.json("index stats in.idx")[0]["leftover"], 3);
    scene.quiet("index compact in.idx");
    assert_eq!(scene.json("index stats in.idx")[0]["leftover"], 0);
    scene.write("gone.txt", "\"first\"\n\n near \n");
    let done = &scene.json("index remove in.idx other --ids gone.txt")[0];
    assert_eq!(
        (&done["removed"], &done["documents"]),
        (&json!(3), &json!(2))
    );
    let said = scene.run_with(
        &["index", "remove", "in.idx", "--ids", "-", "-q"],
        "copy\nfar\n",
    );
    assert_eq!(
        (said.code, said.out.as_str(), said.error.as_str()),
        (0, "", "")
    );
    assert_eq!(documents(&scene), 0);
    assert_eq!(scene.hits("query in.idx page.txt"), [[]]);
}

#[test]
fn all_are_added_or_removed_or_none() {
    let scene = Scene::with_index();
    let before = scene.bytes("in.idx");
    scene.write(
        "more.jsonl",
        record("new", "one two") + &record("near", "three four"),
    );
    let error = scene.fails(1, "index add in.idx more.jsonl");
    assert!(
        error.contains("more.jsonl:2: the id \"near\" is in the index already: remove it first, replace it with --replace, or leave the new one out with --skip"),
        "{error}"
    );
    scene.write(
        "twice.jsonl",
        record("new", "one two") + &record("new", "three four"),
    );
    let error = scene.fails(1, "index add in.idx twice.jsonl");
    assert!(
        error.contains(
            "twice.jsonl:2: the id \"new\" is also the id of twice.jsonl:1: ids must be unique"
        ),
        "{error}"
    );
    let error = scene.fails(1, "index remove in.idx first frist");
    assert!(
        error.contains("no document has the id frist; did you mean first?"),
        "{error}"
    );
    scene.write("broken.jsonl", record("new", "one two") + "{\"text\": 3}\n");
    let error = scene.fails(1, "index add in.idx broken.jsonl");
    assert!(
        error.contains("broken.jsonl:2: expected text, found the value `3`"),
        "{error}"
    );
    assert_eq!(scene.bytes("in.idx"), before);
}

#[test]
fn an_id_that_reads_like_another_is_said_as_json() {
    let scene = Scene::with_index();
    scene.write("more.jsonl", record("7", "one two three four five six"));
    scene.quiet("index add in.idx more.jsonl");
    let error = scene.fails(1, "index remove in.idx 7");
    assert!(
        error.contains("7 is the number 7 and the string \"7\": say which, as JSON"),
        "{error}"
    );
    scene.quiet("index remove in.idx \"7\"");
    scene.quiet("index remove in.idx 7");
    assert_eq!(documents(&scene), 5);
}

#[test]
fn the_file_is_the_same_for_every_number_of_threads() {
    let scene = Scene::with_index();
    let all = scene.bytes("in.idx");
    for threads in [1, 2, 7] {
        let build = "index build in.jsonl --out in.idx --overwrite --bands 64 --rows 1";
        scene.quiet(&format!("{build} --threads {threads}"));
        assert_eq!(scene.bytes("in.idx"), all, "{threads} threads");
    }
}

#[test]
fn stats_say_what_it_holds_and_how_it_was_made() {
    let scene = Scene::new();
    scene.write(
        "in.jsonl",
        record(1, "red green blue") + &record(2, "") + &record(3, "red green blue"),
    );
    scene.quiet("index build in.jsonl --out in.idx --jaccard 0.7 --recall 0.9 --shingle stopwords --normalize nfkc,accents --seed 5 --family universal");
    let out = scene.says("index stats in.idx");
    let spaced = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in [
        "documents 3 in.idx",
        "items 2 different ones",
        "empty 3 without anything to hash: never found in buckets",
        "kind text",
        "family universal",
        "threshold jaccard 0.7",
        "shingle stopwords",
        "seed 5",
        "format version 2",
    ] {
        assert!(
            out.lines().any(|said| spaced(said) == line),
            "{line}\n{out}"
        );
    }
    assert!(out.contains("\nJaccard similarity  found\n0.85"), "{out}");
    let stats = &scene.json("index stats in.idx")[0];
    assert_eq!(stats["plan"]["threshold"], 0.7);
    let parameters = &stats["plan"]["parameters"];
    assert_eq!(parameters["normalize"], json!(["nfkc", "accents"]));
    let recalls = stats["recalls"].as_array().unwrap();
    let found: Vec<f64> = recalls
        .iter()
        .map(|recall| recall["found"].as_f64().unwrap())
        .collect();
    assert!(
        found.len() > 3 && found.is_sorted_by(|a, b| a >= b),
        "{stats}"
    );
    assert_eq!(stats["file"]["bytes"], scene.bytes("in.idx").len());
}

#[test]
fn an_index_is_not_overwritten_unless_asked() {
    let scene = Scene::with_index();
    let before = scene.bytes("in.idx");
    let error = scene.fails(1, "index build in.jsonl --out in.idx");
    assert!(
        error.contains("in.idx: exists already") && error.contains("--overwrite"),
        "{error}"
    );
    assert_eq!(scene.bytes("in.idx"), before);
    scene.write("notes.txt", "important");
    let error = scene.fails(1, "index build in.jsonl --out notes.txt --overwrite");
    assert!(
        error.contains("notes.txt: not an index, so it is not replaced"),
        "{error}"
    );
    scene.write("empty.jsonl", "");
    let error = scene.fails(1, "index build empty.jsonl --out in.idx --overwrite");
    assert!(error.contains("no items: the input is empty"), "{error}");
    assert_eq!(scene.bytes("in.idx"), before);
}

/// A folder with all files that examples name.
fn examples() -> Scene {
    let scene = Scene::new();
    let ferry = "the ferry to the island leaves at nine";
    scene.write(
        "corpus.jsonl",
        record("doc-17", ferry) + &record("doc-18", "b"),
    );
    scene.write("more.jsonl", record("doc-19", "c"));
    scene.write("new.jsonl", record("doc-20", "d"));
    scene.write("page.txt", "the ferry to the island leaves at ten");
    scene.write("pages/page.txt", "e");
    scene.write("gone.txt", "doc-18\n");
    for name in ["codes", "new", "more"] {
        let rows = [[0x0f; 32], [0xf0; 32]].concat();
        scene.write(
            &format!("{name}.npy"),
            npy("'|u1'", "False", "(2, 32)", &rows),
        );
        scene.write(&format!("{name}.bin"), &rows);
    }
    scene.write("baskets.txt", "1 2 3\n2 3 4\n");
    let flower = "{\"vector\": [1, 2], \"class\": \"setosa\"}\n";
    scene.write("known.jsonl", flower);
    scene.write("fresh.jsonl", flower);
    scene
}

#[test]
fn the_examples_of_the_help_pages_run() {
    let pages = [
        "", " build", " add", " remove", " stats", " check", " compact",
    ];
    let pages = pages.map(|page| format!("index{page}"));
    let mut run = 0;
    for page in pages.iter().map(String::as_str).chain(["query"]) {
        let help = examples().says(&format!("{page} --help"));
        let (_, after) = help.split_once("Examples:\n").unwrap();
        let lines = after.lines().map(str::trim);
        for args in lines.filter_map(|line| line.strip_prefix("lookalike ")) {
            // Quotes as a shell takes them.
            let parts: Vec<&str> = args.split('"').collect();
            let mut words: Vec<&str> = parts[0].split_whitespace().collect();
            words.extend(parts.get(1));
            let scene = examples();
            if words[1] != "build" {
                scene.quiet("index build corpus.jsonl --out corpus.idx");
                scene.quiet("index build codes.npy --hamming 25 --out codes.idx");
            }
            let said = scene.run_with(&words, "");
            assert_eq!(said.code, 0, "{args}: {said:?}");
            // Only what needs a plan says one.
            let has_plan = ["--hamming", "--measure", "--kind"];
            let has_plan = has_plan.iter().any(|flag| words.contains(flag));
            // What is like something is named, and an index says what it finds.
            let has_plan = has_plan
                || words.contains(&"--new")
                || [["query", "codes.idx"], ["index", "build"]]
                    .iter()
                    .any(|it| words[..2] == *it);
            // Of a folder of texts it is said what a document is.
            let mut lines = said.error.lines();
            let is_silent = lines.all(|line| line.contains(": one per file ("));
            assert_eq!(is_silent, !has_plan, "{args}: {said:?}");
            assert!(!said.out.is_empty(), "{args}");
            run += 1;
        }
    }
    assert_eq!(run, 33);
}

#[test]
fn an_empty_index_promises_nothing() {
    let scene = Scene::new();
    scene.write("in.jsonl", record(1, "one two three four five"));
    scene.quiet("index build in.jsonl --out in.idx");
    let out = scene.says("index remove in.idx 1");
    assert!(!out.contains("finds at least"), "{out}");
    let out = scene.says("query in.idx --text word");
    assert!(!out.contains("finds at least"), "{out}");
    let out = scene.says("index add in.idx in.jsonl");
    assert!(
        out.contains("finds at least 0.95") && out.contains("at Jaccard similarity 0.5"),
        "{out}"
    );
}

#[test]
fn an_index_of_an_older_version_names_the_command_that_builds_it_again() {
    let scene = Scene::new();
    scene.write("in.jsonl", record(1, "one two three four five"));
    scene.write("old.idx", b"LKTEXTS\n\x01\0\0\0 and more");
    for command in [
        "query old.idx --text word",
        "index stats old.idx",
        "index check old.idx",
        "index add old.idx in.jsonl",
        "index remove old.idx 1",
        "index compact old.idx",
    ] {
        let error = scene.fails(1, command);
        assert!(error.contains("old.idx: an index of format version 1, but this program reads version 2: build it again from the items, with `lookalike index build ITEMS --out old.idx --overwrite`"), "{error}");
    }
    scene.quiet("index build in.jsonl --out old.idx --overwrite");
    assert_eq!(scene.json("index stats old.idx")[0]["documents"], 1);
}
