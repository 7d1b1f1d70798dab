//! Which field of a record holds the item, if no flag says it.

use super::scene::Scene;

/// Records with a field of their kind need no flag.
#[test]
fn the_field_of_a_kind_decides_what_records_are() {
    let scene = Scene::new();
    scene.write(
        "sets.jsonl",
        "{\"set\": [1, 2, 3]}\n{\"set\": [1, 2, 3, 4]}\n",
    );
    scene.write("sets.csv", "id,set\n1,1 2 3\n2,1 2 3 4\n");
    scene.write(
        "weights.jsonl",
        "{\"weights\": {\"tea\": 2}}\n{\"weights\": {\"tea\": 3}}\n",
    );
    scene.write(
        "both.jsonl",
        "{\"text\": \"one two three four five\", \"set\": [1]}\n{\"text\": \"one two three four five\", \"set\": [2]}\n",
    );
    for (args, found) in [
        ("sets.jsonl", "0.75\tsets.jsonl:1\tsets.jsonl:2"),
        ("sets.csv", "0.75\t1\t2"),
        (
            "weights.jsonl",
            "0.666666667\tweights.jsonl:1\tweights.jsonl:2",
        ),
        ("both.jsonl", "1\tboth.jsonl:1\tboth.jsonl:2"),
    ] {
        let lines = scene.lines(&format!("pairs {args} --jaccard 0.5"));
        assert_eq!(lines, [found], "{args}");
    }
    let query = "query sets.jsonl sets.jsonl --jaccard 0.5 -k 1";
    assert_eq!(scene.lines(query).len(), 2);
}

/// Where that leaves a doubt, the complaint is the one about the default.
#[test]
fn records_that_leave_a_doubt_are_refused() {
    let scene = Scene::new();
    scene.write("mixed.jsonl", "{\"set\": [1]}\n{\"text\": \"a b c\"}\n");
    scene.write("two.jsonl", "{\"set\": [1], \"weights\": {\"a\": 1}}\n");
    scene.write("none.jsonl", "{\"tags\": [1]}\n");
    for file in ["mixed.jsonl", "two.jsonl", "none.jsonl"] {
        let said = scene.run(&format!("pairs {file} --jaccard 0.5"));
        assert_eq!(said.code, 1, "{said:?}");
        let start = format!("error: {file}:1: no field `text`");
        assert!(said.error.starts_with(&start), "{said:?}");
        assert!(said.error.contains("--field"), "{said:?}");
    }
    // A stream is read once.
    let said = scene.run_with("pairs - --jaccard 0.5", "{\"set\": [1]}\n");
    assert!(
        said.error.contains("no field `text`; the record has `set`"),
        "{said:?}"
    );
}

/// Lines with commas may be a table; a file says so by its name, stdin does not.
#[test]
fn a_table_on_stdin_is_asked_about() {
    let scene = Scene::new();
    let note = "if it is a table, say so with --format csv";
    let table = "id,hash\n1,00ff\n2,00fe\n";
    let said = scene.run_with("pairs - --hamming 1", table);
    assert_eq!(said.code, 1, "{said:?}");
    assert!(
        said.error.contains(note) && said.error.contains("stdin:1"),
        "{said:?}"
    );
    let said = scene.run_with("pairs - --hamming 1 --format csv", table);
    assert_eq!((said.code, &*said.out), (0, "1\t1\t2\n"), "{said:?}");
    for (args, input) in [
        ("pairs - --hamming 1 --format csv", table),
        ("pairs - --hamming 1", "00ff\n00fe\n"),
        ("pairs - --hamming 1", "{\"id\": 1, \"hash\": \"00ff\"}\n"),
        ("pairs - --jaccard 0.5 --quiet", "id,text\nid,text\n"),
    ] {
        let said = scene.run_with(args, input);
        assert_eq!(said.code, 0, "{args}: {said:?}");
        assert!(!said.error.contains(note), "{args}: {said:?}");
    }
}

/// An index where items are expected is recognised.
#[test]
fn an_index_is_not_a_file_of_items() {
    let scene = Scene::new();
    scene.write("texts.txt", "one two three four five six\n");
    scene.lines("index build texts.txt --out texts.idx");
    for args in [
        "pairs texts.idx --jaccard 0.5",
        "pairs texts.txt texts.idx --jaccard 0.5",
        "query texts.txt texts.idx --jaccard 0.5",
    ] {
        let said = scene.run(args);
        assert_eq!(said.code, 1, "{args}: {said:?}");
        let message = "texts.idx: an index, not a file of items: ask it with `lookalike query texts.idx FILE`";
        assert!(said.error.contains(message), "{args}: {said:?}");
    }
    let print = (0..30).map(|i| {
        format!(
            "{} {} {} 60\n",
            50 + 37 * i % 200,
            50 + 53 * i % 300,
            17 * i % 360
        )
    });
    scene.write("finger.xyt", print.collect::<String>());
    scene.lines("fingerprint enroll finger.xyt --index prints.idx");
    for args in [
        "pairs prints.idx --hamming 3",
        "query prints.idx --text 00ff --hamming 3",
    ] {
        let said = scene.run(args);
        assert_eq!(said.code, 1, "{args}: {said:?}");
        let message = "prints.idx: an index of fingerprints, not a file of items: search it with `lookalike fingerprint search prints.idx FILE`";
        assert!(said.error.contains(message), "{args}: {said:?}");
    }
}
