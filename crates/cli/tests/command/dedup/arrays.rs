//! JSON arrays in and out: what JSONL gives. Arrays of numbers are not texts.

use serde_json::{Value, json};

use super::scene::Scene;
use super::texts::{lines, passage};

fn records() -> Vec<Value> {
    let record = |n: u32| {
        let tag = ["a", "b \"]\"", "c,{"][n as usize % 3];
        let replaced: &[usize] = if n < 6 { &[] } else { &[50] };
        json!({"id": n, "text": passage(tag, replaced), "meta": {"n": [n]}})
    };
    (0..12).map(record).collect()
}

#[test]
fn an_array_gives_what_lines_give() {
    let scene = Scene::with("in.jsonl", lines(records()));
    scene.write("flat.json", Value::from(records()).to_string());
    scene.write("pretty.json", format!("{:#}\n", Value::from(records())));
    scene.dedup("in.jsonl --out records");
    let ids = |records: &[Value]| -> Vec<Value> {
        let id = |record: &Value| record["id"].clone();
        records.iter().map(id).collect()
    };
    for name in ["flat", "pretty"] {
        scene.dedup(&format!("{name}.json --out {name}"));
        for file in ["clusters.jsonl", "pairs.jsonl"] {
            let expected = scene.read(&format!("records/{file}"));
            assert!(expected.lines().count() >= 3);
            assert_eq!(scene.read(&format!("{name}/{file}")), expected);
        }
        let content = scene.read(&format!("{name}.json"));
        for kind in ["kept", "removed"] {
            let written = scene.read(&format!("{name}/{kind}/{name}.json"));
            let array: Vec<Value> = serde_json::from_str(&written).unwrap();
            let expected = scene.lines(&format!("records/{kind}/in.jsonl"));
            assert_eq!(ids(&array), ids(&expected), "{kind}");
            // Records are as they were, to the byte.
            for record in array {
                let record = match name {
                    "flat" => record.to_string(),
                    _ => format!("{record:#}").replace('\n', "\n  "),
                };
                assert!(content.contains(&record) && written.contains(&record));
            }
        }
        scene.dedup(&format!(
            "{name}.json --out noted --mode annotate --overwrite"
        ));
        let noted = scene.read(&format!("noted/annotated/{name}.json"));
        let noted: Vec<Value> = serde_json::from_str(&noted).unwrap();
        assert_eq!(noted.len(), 12);
        assert!(noted.iter().all(|record| record["lookalike"].is_object()));
    }
}

#[test]
fn rows_of_numbers_and_bytes_that_are_not_text_are_refused() {
    let scene = Scene::with("a.npy", b"\x93NUMPY");
    scene.write("b.bin", [0, 1]);
    scene.write("c.dat", b"\xff\xfe");
    scene.write("d.dat", "some text, that is one document");
    assert!(
        scene
            .fails(1, "a.npy")
            .contains("a.npy: rows of an array (format `npy`) are not text")
    );
    assert!(
        scene
            .fails(1, "b.bin")
            .contains("b.bin: rows of an array (format `packed`) are not text")
    );
    assert!(
        scene
            .fails(1, "c.dat --format bytes")
            .contains("c.dat:1: not UTF-8")
    );
    scene.dedup("d.dat --format bytes --out bytes");
    assert_eq!(scene.files("bytes/kept"), ["d.dat"]);
}
