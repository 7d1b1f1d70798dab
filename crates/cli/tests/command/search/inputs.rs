//! What a query is, and what a document.

use serde_json::{Value, json};

use super::scene::{Scene, passage, record, six};

#[test]
fn a_record_is_a_query_and_so_is_any_other_file() {
    let scene = Scene::with_index();
    let two =
        record("q1", &passage("b", &[])) + &format!("{{\"text\": \"{}\"}}\n", passage("a", &[]));
    scene.write("new.jsonl", &two);
    // A text of many lines is one query.
    scene.write("page.txt", passage("b", &[]).replace(' ', "\n"));
    scene.write("page.html", passage("b", &[]).replace(' ', "\r\n"));
    scene.write("nameless", &two);
    scene.write("pages/one.txt", passage("a", &[50]));
    scene.write("pages/two.ndjson", &two);
    for target in ["in.idx", "in.jsonl"] {
        let queries = |args: &str| -> Vec<(String, usize)> {
            let lines = scene.json(&format!("query {target} {args}"));
            let hits = |line: &serde_json::Value| line["hits"].as_array().unwrap().len();
            let of = |line: &serde_json::Value| (line["query"].to_string(), hits(line));
            lines.iter().map(of).collect()
        };
        let is = |name: &str, hits| (format!("\"{name}\""), hits);
        assert_eq!(queries("new.jsonl"), [is("q1", 1), is("new.jsonl:2", 5)]);
        assert_eq!(queries("nameless"), [is("q1", 1), is("nameless:2", 5)]);
        assert_eq!(
            queries("new.jsonl --ignore-ids"),
            [is("new.jsonl:1", 1), is("new.jsonl:2", 5)]
        );
        assert_eq!(
            queries("page.txt page.html"),
            [is("page.txt", 1), is("page.html", 1)]
        );
        assert_eq!(
            queries("pages/*"),
            [
                is("pages/one.txt", 5),
                is("q1", 1),
                is("pages/two.ndjson:2", 5)
            ]
        );
        // A folder gives the files of one format.
        assert_eq!(queries("pages"), [is("q1", 1), is("pages/two.ndjson:2", 5)]);
        assert_eq!(queries("page.txt --queries lines").len(), 100);
        // Both passages in one text are like each of them.
        assert_eq!(
            queries("new.jsonl --queries files -k 9"),
            [is("new.jsonl", 6)]
        );
    }
}

#[test]
fn stdin_is_a_text_or_records_and_never_two_things() {
    let scene = Scene::with_index();
    let page = passage("b", &[]).replace(' ', "\n");
    let two = record("q1", &page) + &record(2, &passage("a", &[]));
    for target in ["in.idx", "in.jsonl"] {
        let said = scene.run_with(&["query", target, "-", "--json"], page.clone());
        assert!(
            said.out
                .starts_with("{\"query\": \"stdin\", \"hits\": [{\"id\": \"other\""),
            "{said:?}"
        );
        assert_eq!(said.out.lines().count(), 1);
        let said = scene.run_with(&["query", target, "-", "--json"], two.clone());
        let lines: Vec<&str> = said.out.lines().collect();
        assert!(lines[0].starts_with("{\"query\": \"q1\""), "{said:?}");
        assert!(lines[1].starts_with("{\"query\": 2,"), "{said:?}");
    }
    // The corpus may come from there, too.
    let said = scene.run_with(
        &["query", "-", "--text", &page, "--json"],
        scene.bytes("in.jsonl"),
    );
    assert!(said.out.contains("\"other\""), "{said:?}");
    let error = scene.fails(2, "query - -");
    assert!(error.contains("not both"), "{error}");
    // And what becomes an index.
    let build = ["index", "build", "-", "--out", "piped.idx", "--quiet"];
    assert_eq!(scene.run_with(&build, scene.bytes("in.jsonl")).code, 0);
    assert_eq!(scene.json("index stats piped.idx")[0]["documents"], 6);
}

#[test]
fn documents_without_an_id_go_by_file_and_line() {
    let scene = Scene::new();
    scene.write(
        "lines.txt",
        format!("{}\n\n{}\n", passage("a", &[]), passage("b", &[])),
    );
    scene.write("page.txt", passage("b", &[]));
    scene.quiet("index build lines.txt --out lines.idx");
    let found = [[("\"lines.txt:3\"".to_owned(), 1.0)]];
    assert_eq!(scene.hits("query lines.idx page.txt"), found);
    assert_eq!(scene.hits("query lines.txt page.txt"), found);
    scene.quiet("index build lines.txt --format files --out files.idx");
    let stats = &scene.json("index stats files.idx")[0];
    assert_eq!(
        (&stats["documents"], &stats["items"]),
        (&1.into(), &1.into())
    );
}

#[test]
fn fields_are_chosen_by_name() {
    let scene = Scene::new();
    let record = |key: &str, body: &str| {
        format!(
            "{}\n",
            serde_json::json!({"key": key, "meta": {"body": body}})
        )
    };
    scene.write(
        "in.jsonl",
        record("k", &passage("a", &[])) + &record("l", &passage("b", &[])),
    );
    let fields = "--text-field meta.body --id-field key";
    scene.quiet(&format!("index build in.jsonl --out in.idx {fields}"));
    for target in ["in.idx", "in.jsonl"] {
        let hits = scene.hits(&format!("query {target} in.jsonl {fields}"));
        assert_eq!(
            hits,
            [[("\"k\"".to_owned(), 1.0)], [("\"l\"".to_owned(), 1.0)]]
        );
    }
}

#[test]
fn a_corpus_of_csv_is_indexed_and_asked_as_one_of_jsonl_is() {
    let scene = Scene::with_index();
    let six = six();
    let rows = six.lines().map(|line| {
        let record: Value = serde_json::from_str(line).unwrap();
        format!("{},{}\n", record["id"], record["text"])
    });
    scene.write("in.csv", "id,text\n".to_owned() + &rows.collect::<String>());
    scene.quiet("index build in.csv --out csv.idx --format csv --bands 64 --rows 1");
    let ask = |target: &str, asked: &str| scene.says(&format!("query {target} {asked} --json"));
    let expected = ask("in.idx", "in.jsonl");
    assert_eq!(ask("csv.idx", "in.jsonl"), expected);
    assert_eq!(ask("csv.idx", "in.csv"), expected);
    assert_eq!(ask("in.idx", "in.csv --queries csv"), expected);
}

#[test]
fn stop_words_and_short_texts_are_settings_of_an_index() {
    let scene = Scene::new();
    scene.write("in.txt", "one two\none of these and one of those\n");
    scene.write("words.txt", "of # and no other\n");
    scene.quiet(
        "index build in.txt --format lines --out a.idx --shingle stopwords --stop-words words.txt",
    );
    scene.quiet("index build in.txt --format lines --out b.idx --short skip");
    scene.quiet("index build in.txt --format lines --out c.idx");
    let stats = scene.says("index stats a.idx --json");
    let stats: Value = serde_json::from_str(&stats).unwrap();
    assert_eq!(stats["plan"]["parameters"]["stop_words"], json!(["of"]));
    let found = |index| {
        scene
            .run_with(&["query", index, "--text", "one two", "--json"], "")
            .out
    };
    assert!(
        found("b.idx").contains("\"hits\": []"),
        "{}",
        found("b.idx")
    );
    assert!(
        found("c.idx").contains("\"similarity\": 1"),
        "{}",
        found("c.idx")
    );
}

#[test]
fn a_limit_of_expansion_can_be_lifted_everywhere() {
    let scene = Scene::with_index();
    // Bytes that nobody looks at are the quickest to read.
    let padding = "-".repeat(68_000_000);
    let records = format!("{{\"padding\": \"{padding}\", \"id\": \"long\", \"text\": \"a b\"}}\n");
    let packed = |text: &str| zstd::bulk::compress(text.as_bytes(), 1).unwrap();
    scene.write("long.jsonl.zst", packed(&records));
    scene.write("long.txt.zst", packed(&padding));
    for command in [
        "index build long.jsonl.zst --out long.idx --quiet",
        "index add in.idx long.jsonl.zst --quiet",
        "query in.jsonl long.jsonl.zst --json",
        "query in.idx long.jsonl.zst --json",
        "query long.jsonl.zst in.jsonl --json",
        "explain long.txt.zst in.jsonl",
    ] {
        let error = scene.fails(1, command);
        assert!(error.contains("allow more with --max-expansion"), "{error}");
        let said = scene.run(&format!("{command} --max-expansion 100000"));
        assert_eq!(said.code, 0, "{command}: {said:?}");
    }
}
