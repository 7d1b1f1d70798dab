//! Every command of `docs/cookbook.md` does what it says, in a shell, one after the other.

use std::{fs, path::Path, process::Command};

use serde_json::json;

const COOKBOOK: &str = include_str!("../../../../docs/cookbook.md");

/// A hundred words that no other number has.
fn text(number: usize) -> String {
    (0..100).map(|i| format!("w{number}x{i} ")).collect()
}

/// The files that the recipes name.
fn kitchen(folder: &Path) {
    let write = |name: &str, text: String| {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    };
    let record = |id: &str, of: usize| {
        let lang = if of.is_multiple_of(2) { "en" } else { "de" };
        json!({"id": id, "text": text(of), "score": of, "lang": lang, "url": format!("/{of}")})
            .to_string()
            + "\n"
    };
    write(
        "corpus.jsonl",
        record("a1", 1) + &record("b1", 2) + &record("a2", 1),
    );
    write("new.jsonl", record("n1", 2) + &record("n2", 3));
    write("old.jsonl", record("o1", 2));
    write("dirty.jsonl", record("d1", 4) + "{\"text\": \n");
    write(
        "copies.jsonl",
        (0..20).map(|i| record(&format!("c{i}"), 5)).collect(),
    );
    write(
        "table.csv",
        format!("key,body\nk1,{}\nk2,{}\n", text(6), text(6)),
    );
    write("page.txt", text(1));
    write("books/one.txt", text(8));
    write("books/two.txt", text(8));
    write("books/drafts/one.txt", text(8));
    write("books/README.md", text(9));
    let hashes = "00ff00ff00ff00ff\n00ff00ff00ff00fe\n1234567890abcdef\n";
    write("hashes.txt", hashes.into());
    write("queries.txt", "00ff00ff00ff00f0\n".into());
    let image = |url: &str, phash: &str| json!({"url": url, "phash": phash}).to_string() + "\n";
    write(
        "images.jsonl",
        image("a.png", "00ff00ff") + &image("b.png", "00ff00fe"),
    );
    write("downloads/report.txt", text(10).repeat(3));
    write("downloads/report-copy.doc", text(10).repeat(3) + "the end");
    write("suspicious.exe", text(10).repeat(3));
    write("baskets.txt", "1 2 3 4\n2 3 4\n7 8\n".into());
    let buyer = |id: u32, tea: f64| json!({"id": id, "weights": {"tea": tea, "milk": 1}});
    let buyers = [buyer(1, 1.0), buyer(2, 2.0)];
    write("buyers.jsonl", buyers.map(|it| format!("{it}\n")).concat());
    write("codes.bin", "a code of 32 bytes, all of text!".repeat(3));
    let word =
        |id: &str, numbers: [f64; 3]| json!({"id": id, "vector": numbers}).to_string() + "\n";
    let words = [
        word("trout", [1.0, 0.9, 0.0]),
        word("herring", [1.0, 1.0, 0.0]),
        word("oak", [0.0, 0.0, 1.0]),
    ];
    write("words.jsonl", words.concat());
    write("more.jsonl", word("salmon", [0.9, 1.0, 0.1]));
    let flower = |species: &str, height: f64| {
        let vector = [height, 2.0 * height];
        json!({"vector": vector, "species": species, "height": height}).to_string() + "\n"
    };
    write(
        "flowers.jsonl",
        flower("setosa", 1.0) + &flower("virginica", 3.0),
    );
    write("new-flowers.jsonl", flower("unknown", 1.2));
    write("pages/1.jsonl", record("p1", 7));
    let gzip = Command::new("gzip")
        .arg(folder.join("pages/1.jsonl"))
        .status();
    assert!(gzip.unwrap().success());
}

#[test]
fn every_recipe_works() {
    let folder = tempfile::tempdir().unwrap();
    kitchen(folder.path());
    let program = assert_cmd::cargo::cargo_bin!("lookalike");
    let path = format!(
        "{}:{}",
        program.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    let mut count = 0;
    for block in COOKBOOK.split("```sh\n").skip(1) {
        for line in block.split("```").next().unwrap().lines() {
            let output = Command::new("bash")
                .args(["-c", line])
                .env("PATH", &path)
                .current_dir(folder.path())
                .output()
                .unwrap();
            let error = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{line}\n{error}");
            count += 1;
        }
    }
    assert!(count > 20);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).unwrap();
    let ids = |name: &str| -> Vec<String> {
        let id = |line: &str| {
            serde_json::from_str::<serde_json::Value>(line).unwrap()["id"]
                .as_str()
                .unwrap()
                .to_owned()
        };
        read(name).lines().map(id).collect()
    };
    assert_eq!(ids("clean/kept/corpus.jsonl"), ["a1", "b1"]);
    assert_eq!(ids("fresh/kept/new.jsonl"), ["n2"]);
    assert_eq!(ids("filtered.jsonl"), ["a1", "b1"]);
    assert_eq!(ids("urls/kept/corpus.jsonl"), ["a1", "b1"]);
    assert_eq!(read("ids/removed_ids.txt"), "a2\n");
    assert_eq!(read("rows/removed/table.csv").lines().count(), 2);
    assert_eq!(read("rest/skipped/dirty.jsonl"), "{\"text\": \n");
    assert_eq!(ids("one/kept/copies.jsonl"), ["c0"]);
    assert!(folder.path().join("packed/kept/1.jsonl.gz").is_file());
    assert!(folder.path().join("man1/lookalike-audit.1").is_file());
}
