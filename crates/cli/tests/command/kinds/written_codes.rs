//! `lookalike codes`: SimHash codes, for use elsewhere.

use super::scene::{Scene, distance};

const TEXTS: &str = "\
{\"id\": \"a\", \"text\": \"the quick brown fox jumps over the lazy dog and runs away from the farm\"}
{\"id\": \"b\", \"text\": \"The quick brown fox jumps over the lazy dog, and runs away from the farm!\"}
{\"id\": \"c\", \"text\": \"an entirely different text about ships that pass each other in the night\"}
{\"id\": \"d\", \"text\": \"\"}
";

fn scene() -> Scene {
    let scene = Scene::new();
    scene.write("texts.jsonl", TEXTS);
    scene
}

fn bytes(hex: &str) -> Vec<u8> {
    let byte = |place| u8::from_str_radix(&hex[place..place + 2], 16).unwrap();
    (0..hex.len()).step_by(2).map(byte).collect()
}

#[test]
fn equal_sets_have_equal_codes() {
    let scene = scene();
    for (set, digits) in [("", 16), ("--set bits=128", 32)] {
        let lines = scene.lines(&format!("codes texts.jsonl --family simhash {set}"));
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0], lines[1]);
        assert_eq!((lines[2].len(), lines[3].as_str()), (digits, ""));
        let apart = distance(&bytes(&lines[0]), &bytes(&lines[2]));
        assert!(apart > digits as u32, "{apart}");
    }
    let said = scene.run("codes texts.jsonl --family simhash");
    assert!(
        said.error.contains("3 codes of 64 bits, by simhash"),
        "{said:?}"
    );
    assert!(
        said.error
            .contains("1 item has nothing to hash, and no code"),
        "{said:?}"
    );
    let other = scene.lines("codes texts.jsonl --family simhash --seed 1 -q");
    assert_ne!(other, scene.lines("codes texts.jsonl --family simhash -q"));
}

#[test]
fn codes_are_items_again() {
    let scene = scene();
    scene.lines("codes texts.jsonl --family simhash --out codes.jsonl");
    let pairs = scene.lines("pairs codes.jsonl --hamming 3 --exact -q");
    assert_eq!(pairs, ["0\ta\tb"]);
    let records = scene.lines("codes texts.jsonl --family simhash --json -q");
    assert_eq!(records.len(), 3);
    assert!(
        records[2].starts_with("{\"id\": \"c\", \"hash\": \""),
        "{records:?}"
    );
    scene.lines("codes texts.jsonl --family simhash --out codes.txt");
    assert_eq!(
        scene.lines("pairs codes.txt --hamming 3 --exact -q"),
        ["0\tcodes.txt:1\tcodes.txt:2"]
    );
}

#[test]
fn an_array_has_no_room_for_items_without_a_code() {
    let scene = scene();
    let said = scene.run("codes texts.jsonl --family simhash --out codes.npy");
    assert_eq!(said.code, 1, "{said:?}");
    assert!(said.error.contains("d has nothing to hash"), "{said:?}");
    assert!(!scene.path("codes.npy").exists());
    let three: String = TEXTS
        .lines()
        .take(3)
        .map(|line| format!("{line}\n"))
        .collect();
    scene.write("three.jsonl", three);
    scene.lines("codes three.jsonl --family simhash --out codes.npy");
    assert_eq!(
        scene.lines("pairs codes.npy --hamming 3 --exact -q"),
        ["0\t0\t1"]
    );
}

#[test]
fn sets_and_weighted_sets_have_codes_too() {
    let scene = Scene::new();
    scene.write("sets.txt", "1 2 3\n3 2 1\n7 8 9\n");
    let lines = scene.lines("codes sets.txt --kind set --family simhash -q");
    assert!(lines[0] == lines[1] && lines[1] != lines[2], "{lines:?}");
    scene.write("weights.txt", "1:2 2:4\n1:1 2:2\n7:1\n");
    let lines = scene.lines("codes weights.txt --kind weighted-set --family simhash -q");
    assert!(lines[0] == lines[1] && lines[1] != lines[2], "{lines:?}");
}

#[test]
fn wrong_use_is_refused() {
    let scene = scene();
    let wrong = |args: &str, message: &str| {
        let said = scene.run(args);
        assert_eq!(said.code, 2, "{args}: {said:?}");
        assert!(said.error.contains(message), "{args}: {said:?}");
    };
    wrong("codes texts.jsonl", "--family");
    wrong(
        "codes texts.jsonl --family simash",
        "did you mean `simhash`?",
    );
    wrong(
        "codes texts.jsonl --family universal",
        "universal has no codes: simhash, tlsh have",
    );
    wrong(
        "codes texts.jsonl --family simhash --set bits=100",
        "64 or 128",
    );
    wrong(
        "codes texts.jsonl --family simhash --set bit=64",
        "did you mean `bits`?",
    );
    wrong(
        "codes texts.jsonl --family simhash --out codes.parquet",
        ".jsonl for records",
    );
    wrong(
        "codes texts.jsonl --family simhash --kind code",
        "simhash is for",
    );
    scene.write("codes.txt", "kept");
    let said = scene.run("codes texts.jsonl --family simhash --out codes.txt");
    assert!(
        said.code == 1 && said.error.contains("codes.txt: exists already"),
        "{said:?}"
    );
    scene.lines("codes texts.jsonl --family simhash --out codes.txt --overwrite");
}

/// With repeated words the counts matter only if they are asked for.
#[test]
fn counts_are_a_choice() {
    let scene = Scene::new();
    let repeated = format!("{}x\n", "a b c ".repeat(10));
    scene.write("texts.txt", format!("a b c a b x\n{repeated}"));
    let codes = |set: &str| {
        scene.lines(&format!(
            "codes texts.txt --shingle words:1 --family simhash {set} -q"
        ))
    };
    let once = codes("");
    assert_eq!(once[0], once[1]);
    let counted = codes("--set counts=true");
    assert_ne!(counted[0], counted[1]);
}

/// Every family that has codes is found by `pairs` as well, planned by its promise.
#[test]
fn simhash_is_planned_by_its_promise() {
    let scene = scene();
    let said = scene.run("pairs texts.jsonl --jaccard 0.8 --family simhash");
    assert_eq!(said.out, "1\ta\tb\n", "{said:?}");
    let said =
        scene.run("pairs texts.jsonl --jaccard 0.8 --family simhash --set bits=128 --recall 0.99");
    assert_eq!(said.code, 0, "{said:?}");
    let said = scene.run("pairs texts.jsonl --jaccard 0.8 --family simhash --exact");
    assert!(said.error.contains("cannot promise"), "{said:?}");
    let said = scene.run("pairs texts.jsonl --jaccard 0.8 --family simhash --set counts=true");
    assert!(said.code == 2, "{said:?}");
    let args =
        "pairs texts.jsonl --jaccard 0.8 --family simhash --set counts=true --bands 20 --rows 8";
    let said = scene.run(args);
    assert!(said.code == 0 && said.error.contains("unknown"), "{said:?}");
}
