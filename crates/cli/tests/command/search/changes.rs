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
    assert_eq!(scene.json("index stats in.idx")[0]["texts"], 5);
    let out = scene.says("index remove in.idx c d 7");
    assert_eq!(counts(&out), ["removed 3", "documents 5"]);
    assert_eq!(scene.hits("query in.idx page.txt"), [[]]);
    assert!(
        !scene
            .bytes("in.idx")
            .windows(3)
            .any(|bytes| bytes == b"c0 ")
    );
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
        error.contains("more.jsonl:2: the id \"near\" is in the index already: remove it first"),
        "{error}"
    );
    scene.write(
        "twice.jsonl",
        record("new", "one two") + &record("new", "three four"),
    );
    let error = scene.fails(1, "index add in.idx twice.jsonl");
    assert!(
        error.contains("twice.jsonl:2: the id \"new\" is that of twice.jsonl:1 too"),
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
        error.contains("broken.jsonl:2: the text in `text` is a number"),
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
fn the_same_documents_make_the_same_file() {
    let scene = Scene::with_index();
    let all = scene.bytes("in.idx");
    let records = String::from_utf8(scene.bytes("in.jsonl")).unwrap();
    let lines: Vec<&str> = records.split_inclusive('\n').collect();
    scene.write("first.jsonl", lines[..3].concat());
    scene.write("rest.jsonl", lines[3..].concat());
    for threads in [1, 2, 7] {
        scene.quiet(&format!(
            "index build first.jsonl --out in.idx --overwrite --bands 64 --rows 1 --threads {threads}"
        ));
        assert_ne!(scene.bytes("in.idx"), all);
        scene.quiet(&format!("index add in.idx rest.jsonl --threads {threads}"));
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
    scene.quiet("index build in.jsonl --out in.idx --threshold 0.7 --recall 0.9 --shingle stopwords --normalize nfkc,accents --seed 5 --family universal");
    let out = scene.says("index stats in.idx");
    for line in [
        "documents       3  in.idx",
        "texts           2  different ones",
        "empty           3  without a shingle: like nothing, never found",
        "shingle     stopwords",
        "normalize   nfkc, accents",
        "sketch      universal",
        "seed        5",
        "format      version 1",
    ] {
        assert!(out.lines().any(|said| said == line), "{line}\n{out}");
    }
    assert!(out.contains("\nsimilarity  found\n0.6  "), "{out}");
    let stats = &scene.json("index stats in.idx")[0];
    assert_eq!(stats["settings"]["threshold"], 0.7);
    assert_eq!(
        stats["settings"]["family"]["normalize"],
        json!(["nfkc", "accents"])
    );
    // Nothing that decides is left to what a later version takes for granted.
    assert!(
        stats["settings"]["family"]["stop_words"]
            .as_array()
            .unwrap()
            .len()
            == 303
    );
    assert!(stats["plan"]["recall"].as_f64().unwrap() >= 0.9);
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
    scene.quiet("index build empty.jsonl --out in.idx --overwrite");
    assert_eq!(documents(&scene), 0);
    let out = scene.says("query in.idx --text word");
    assert!(out.starts_with("nothing alike found"), "{out}");
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
            let has_plan =
                has_plan || words.contains(&"--new") || words[..2] == ["query", "codes.idx"];
            // Of a folder of texts it is said what a document is.
            let mut lines = said.error.lines();
            let is_silent = lines.all(|line| line.contains(": one per file ("));
            assert_eq!(is_silent, !has_plan, "{args}: {said:?}");
            assert!(!said.out.is_empty(), "{args}");
            run += 1;
        }
    }
    assert_eq!(run, 34);
}

#[test]
fn an_empty_index_promises_nothing() {
    let scene = Scene::new();
    scene.write("in.jsonl", "");
    let out = scene.says("index build in.jsonl --out in.idx");
    assert!(!out.contains("the index finds"), "{out}");
    let out = scene.says("query in.idx --text word");
    assert!(!out.contains("the index finds"), "{out}");
    scene.write("in.jsonl", record(1, "one two three four five"));
    let out = scene.says("index add in.idx in.jsonl");
    assert!(out.contains("the index finds"), "{out}");
    // A number has its unit beside it.
    let out = scene.says("index stats in.idx");
    let text = out.lines().find(|line| line.starts_with("text ")).unwrap();
    assert!(text.ends_with(" 0.0 kB"), "{out}");
}
