//! An index by a measure: items of any kind, and several processes.

use std::{process::Stdio, thread};

use serde_json::json;

use super::scene::{Scene, passage, record, six};

/// Codes of which those that follow each other differ in one bit.
fn codes(count: u64) -> String {
    let code = |i: u64| {
        format!(
            "{:016x}\n",
            (i / 8).wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ ((1 << (i % 8)) - 1)
        )
    };
    (0..count).map(code).collect()
}

fn with_codes() -> Scene {
    let scene = Scene::new();
    scene.write("codes.txt", codes(64));
    let said = scene.run("index build codes.txt --hamming 3 --exact --out codes.idx --json");
    assert_eq!(said.code, 0, "{said:?}");
    scene
}

/// The ids that are found for one text.
fn found(scene: &Scene, args: &str) -> Vec<String> {
    let said = scene.run(&format!("query {args} --quiet"));
    assert_eq!((said.code, said.error.as_str()), (0, ""), "{args}");
    let ids = said
        .out
        .lines()
        .map(|line| line.split('\t').nth(2).unwrap().to_owned());
    ids.collect()
}

#[test]
fn codes_are_found_by_their_index_as_without_one() {
    let scene = with_codes();
    scene.write("new.txt", codes(9));
    for args in ["--hamming 3 --exact", "--hamming 2 -k 3", "--hamming 1"] {
        let by_index = scene.run(&format!("query codes.idx new.txt {args} --json --quiet"));
        let args = args.replace(" --exact", "");
        let by_scan = scene.run(&format!(
            "query codes.txt new.txt {args} --json --quiet --exact"
        ));
        let hits = |out: &str| -> Vec<serde_json::Value> {
            let lines = out
                .lines()
                .map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
            lines.map(|line| line["hits"].clone()).collect()
        };
        assert_eq!(hits(&by_index.out), hits(&by_scan.out), "{args}");
        assert_eq!(hits(&by_index.out).len(), 9);
    }
    // Without a threshold the buckets say what is near.
    assert_eq!(
        found(&scene, "codes.idx --text 0000000000000000 -k 2"),
        ["codes.txt:1", "codes.txt:2"]
    );
    let error = scene.fails(2, "query codes.idx new.txt --jaccard 0.5");
    assert!(
        error.contains("items of the kind code, which have no Jaccard similarity: use --hamming"),
        "{error}"
    );
    let error = scene.fails(1, "query codes.idx --text xyz");
    assert!(error.contains("--text"), "{error}");
    let error = scene.fails(1, "pairs codes.idx --hamming 3");
    assert!(
        error.contains("codes.idx: an index, not a file of items"),
        "{error}"
    );
}

#[test]
fn sets_and_texts_have_an_index_too() {
    let scene = Scene::new();
    scene.write("in.jsonl", six());
    let said = scene.run("index build in.jsonl --jaccard 0.3 --bands 64 --rows 1 --out texts.idx");
    assert_eq!(said.code, 0, "{said:?}");
    assert!(
        said.out.contains("items            4  different ones"),
        "{}",
        said.out
    );
    scene.write("page.jsonl", record("page", &passage("a", &[])));
    let hits = scene.hits("query texts.idx page.jsonl");
    let ids: Vec<&str> = hits[0].iter().map(|hit| hit.0.as_str()).collect();
    assert_eq!(ids, ["7", "\"copy\"", "\"first\"", "\"near\"", "\"far\""]);
    // All are compared.
    assert_eq!(scene.hits("query texts.idx page.jsonl --exact"), hits);
    scene.write("sets.txt", "1 2 3 4\n2 3 4\n7 8\n");
    let said = scene
        .run("index build sets.txt --kind set --jaccard 0.5 --bands 32 --rows 1 --out sets.idx");
    assert_eq!(said.code, 0, "{said:?}");
    assert_eq!(
        found(&scene, "sets.idx --text 2,3,4"),
        ["sets.txt:2", "sets.txt:1"]
    );
}

#[test]
fn items_are_added_replaced_skipped_and_removed() {
    let scene = with_codes();
    scene.write("more.jsonl", "{\"id\": \"a\", \"hash\": \"ffffffffffffffff\"}\n{\"id\": \"b\", \"hash\": \"0000000000000000\"}\n");
    let done = &scene.json("index add codes.idx more.jsonl --new")[0];
    assert_eq!(
        (&done["added"], &done["similar"], &done["documents"]),
        (
            &json!(1),
            &json!([{"id": "b", "near": "codes.txt:1", "distance": 0.0}]),
            &json!(65)
        )
    );
    let error = scene.fails(1, "index add codes.idx more.jsonl");
    assert!(
        error.contains("the id \"a\" is in the index already"),
        "{error}"
    );
    scene.write(
        "other.jsonl",
        "{\"id\": \"a\", \"hash\": \"fffffffffffffff0\"}\n",
    );
    let done = &scene.json("index add codes.idx other.jsonl --skip")[0];
    assert_eq!((&done["added"], &done["skipped"]), (&json!(0), &json!(1)));
    let done = &scene.json("index add codes.idx other.jsonl --replace")[0];
    assert_eq!(
        (&done["added"], &done["replaced"], &done["documents"]),
        (&json!(1), &json!(1), &json!(65))
    );
    assert_eq!(
        found(&scene, "codes.idx --text fffffffffffffff0 --hamming 0"),
        ["a"]
    );
    assert_eq!(
        found(&scene, "codes.idx --text ffffffffffffffff --hamming 0"),
        [""; 0]
    );
    let error = scene.fails(1, "index remove codes.idx a codes.txt:99");
    assert!(
        error.contains("no document has the id codes.txt:99; did you mean codes.txt:9"),
        "{error}"
    );
    scene.quiet("index remove codes.idx a codes.txt:1");
    assert_eq!(scene.json("index stats codes.idx")[0]["documents"], 63);
    scene.quiet("index compact codes.idx");
    let stats = &scene.json("index stats codes.idx")[0];
    assert_eq!(
        (&stats["documents"], &stats["leftover"], &stats["segments"]),
        (&json!(63), &json!(0), &json!(1))
    );
    assert_eq!(stats["file"]["unused"], 0);
    assert!(
        scene
            .says("index check codes.idx")
            .contains("sound: 63 documents")
    );
}

#[test]
fn a_damaged_index_is_an_error_that_names_the_part() {
    let scene = with_codes();
    let bytes = scene.bytes("codes.idx");
    let length = bytes.len();
    for place in (0..length).step_by(length / 40) {
        let mut flipped = bytes.clone();
        flipped[place] ^= 4;
        scene.write("codes.idx", flipped);
        let said = scene.run("index check codes.idx");
        assert_eq!(said.code, 1, "byte {place}: {said:?}");
        assert!(
            said.error.contains("damaged") || said.error.contains("not an index"),
            "{said:?}"
        );
    }
    scene.write("codes.idx", &bytes[..length / 2]);
    let error = scene.fails(1, "query codes.idx --text 0000000000000000");
    assert!(
        error.contains("damaged: end: the file is shorter than it was: restore it from a copy"),
        "{error}"
    );
}

#[test]
fn processes_that_add_at_once_lose_nothing() {
    let scene = with_codes();
    let file = |process: usize, round: usize| {
        format!(
            "{{\"id\": \"{process}-{round}\", \"hash\": \"{:016x}\"}}\n",
            process * 1000 + round
        )
    };
    thread::scope(|scope| {
        for process in 0..4 {
            let scene = &scene;
            scope.spawn(move || {
                for round in 0..3 {
                    let name = format!("{process}-{round}.jsonl");
                    scene.write(&name, file(process, round));
                    scene.quiet(&format!("index add codes.idx {name}"));
                    assert!(
                        found(
                            scene,
                            &format!("codes.idx --text {:016x} -k 9", process * 1000 + round)
                        )
                        .contains(&format!("{process}-{round}"))
                    );
                }
            });
        }
    });
    assert_eq!(scene.json("index stats codes.idx")[0]["documents"], 64 + 12);
    assert!(scene.says("index check codes.idx").contains("sound"));
}

#[test]
fn a_writer_that_waits_too_long_names_the_other() {
    let scene = with_codes();
    // One that reads from a pipe which says nothing holds the lock.
    let mut holder = scene
        .command("index add codes.idx - --quiet")
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let error = loop {
        let said = scene.run("index compact codes.idx --wait 0 --quiet");
        // It had not begun yet.
        if said.code == 1 {
            break said.error;
        }
    };
    assert!(
        error.contains(&format!("in use by process {}", holder.id())),
        "{error}"
    );
    drop(holder.stdin.take());
    holder.wait().unwrap();
}
