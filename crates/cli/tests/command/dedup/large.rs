//! A document that is large, and documents that are many.

use super::scene::Scene;

/// A record of about so many bytes, and one with a fortieth of its words replaced.
fn long(bytes: usize) -> [String; 2] {
    let words = bytes / 10;
    [false, true].map(|is_near| {
        let mut record = String::with_capacity(bytes + 100);
        record += "{\"text\": \"";
        for i in 0..words {
            let word = if is_near && i < words / 40 {
                i + words
            } else {
                i
            };
            record += &format!("w{:08x}\\n", word * 2_654_435_761 % (1 << 32));
        }
        record + "\"}\n"
    })
}

#[test]
fn a_document_of_20_megabytes_and_one_that_is_near_it() {
    let [text, near] = long(20_000_000);
    let scene = Scene::with("in.jsonl", format!("{{\"text\": \"first\"}}\n{text}{near}"));
    scene.dedup("in.jsonl --out out");
    assert_eq!(scene.read("out/kept/in.jsonl").len(), 18 + text.len());
    assert_eq!(scene.read("out/removed/in.jsonl"), near);
    let similarity = scene.pairs("out")[0].2.unwrap();
    assert!((similarity - 39.0 / 41.0).abs() < 1e-3, "{similarity}");
}

#[test]
fn a_document_of_200_megabytes() {
    let [text, _] = long(200_000_000);
    let scene = Scene::with("in.jsonl", "{\"text\": \"first\"}\n".to_owned() + &text);
    scene.dedup("in.jsonl --out out --mode report");
    assert_eq!(scene.report("out")["documents"]["read"], 2);
    assert_eq!(scene.report("out")["pairs"]["candidates"], 0);
}

/// Each second word occurs once, the others are all the same.
#[test]
fn a_million_lines_of_one_word() {
    let lines = 1_000_000;
    let line = |i| match i % 2 {
        0 => "same\n".to_owned(),
        _ => format!("word{i}\n"),
    };
    let input: String = (0..lines).map(line).collect();
    let scene = Scene::with("in.txt", &input);
    scene.dedup("in.txt --out out");
    let documents = &scene.report("out")["documents"];
    assert_eq!(documents["read"], lines);
    assert_eq!(documents["removed"], lines / 2 - 1);
    assert_eq!(
        scene.read("out/removed/in.txt"),
        "same\n".repeat(lines / 2 - 1)
    );
    let [cluster] = &scene.lines("out/clusters.jsonl")[..] else {
        panic!()
    };
    assert_eq!(cluster["size"], lines / 2);
}
