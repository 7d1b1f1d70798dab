//! Queries by a measure: the query itself, one text, several files, whole items in the answer.

use super::scene::Scene;

fn scene() -> Scene {
    let scene = Scene::new();
    scene.write("codes.txt", "00ff\n00fe\nabcd\n00ff\n");
    scene
}

#[test]
fn a_query_is_not_its_own_answer() {
    let scene = scene();
    let line = |query: u32, distance: u32, id: u32| {
        format!("codes.txt:{query}\t{distance}\tcodes.txt:{id}")
    };
    let others = [
        line(1, 0, 4),
        line(1, 1, 2),
        line(2, 1, 1),
        line(2, 1, 4),
        line(4, 0, 1),
        line(4, 1, 2),
    ];
    assert_eq!(scene.lines("query codes.txt codes.txt --hamming 1"), others);
    // However the file is named, and with as many answers as were asked for.
    let first: Vec<String> = [&others[0], &others[2], &others[4]]
        .map(|line| line.replacen("codes.txt", "./codes.txt", 1))
        .to_vec();
    assert_eq!(
        scene.lines("query codes.txt ./codes.txt --hamming 1 -k 1"),
        first
    );
    let all = scene.lines("query codes.txt codes.txt --hamming 1 --self");
    assert_eq!(all.len(), others.len() + 4);
    let nearest = scene.lines("query codes.txt codes.txt --measure hamming -k 1 --self");
    assert_eq!(
        nearest,
        [line(1, 0, 1), line(2, 0, 2), line(3, 0, 3), line(4, 0, 1)]
    );
    // Another file with the same codes is another collection.
    scene.write("same.txt", scene.read("codes.txt"));
    assert_eq!(scene.lines("query codes.txt same.txt --hamming 0").len(), 6);
}

#[test]
fn one_text_is_one_query() {
    let scene = scene();
    let lines = scene.lines("query codes.txt --text 00fe --hamming 1 -k 2");
    assert_eq!(lines, ["text\t0\tcodes.txt:2", "text\t1\tcodes.txt:1"]);
    let lines = scene.lines("query codes.txt --text abcd --hamming 1 --json --texts");
    assert_eq!(
        lines,
        [
            "{\"query\": null, \"hits\": [{\"id\": \"codes.txt:3\", \"distance\": 0, \"text\": \"abcd\"}]}"
        ]
    );
    scene.write("sets.txt", "1 2 3\n4 5\n");
    let lines = scene.lines("query sets.txt --text 3,2 --kind set --jaccard 0.6");
    assert_eq!(lines, ["text\t0.666666667\tsets.txt:1"]);
}

#[test]
fn queries_come_from_several_files_and_from_a_pipe() {
    let scene = scene();
    scene.write("a.jsonl", "{\"id\": \"q\", \"hash\": \"abcc\"}\n");
    scene.write("b.txt", "00ff\n");
    let lines = scene.lines("query codes.txt a.jsonl b.txt --hamming 1 -k 1");
    assert_eq!(lines, ["q\t1\tcodes.txt:3", "b.txt:1\t0\tcodes.txt:1"]);
    let said = scene.run_with("query codes.txt - --hamming 1 -k 1 -q", "abcd\n");
    assert_eq!(
        said.out.split('\t').nth(2),
        Some("codes.txt:3\n"),
        "{said:?}"
    );
    let said = scene.run_with("query - b.txt --hamming 0 -q", "00ff\n");
    assert_eq!(said.out.lines().count(), 1, "{said:?}");
    scene.write("new.dat", "hash\nabcd\n");
    let lines = scene.lines("query codes.txt new.dat --queries csv --hamming 0");
    assert_eq!(lines, ["new.dat:2\t0\tcodes.txt:3"]);
}

#[test]
fn families_and_brute_force_agree() {
    let scene = Scene::new();
    let line = |n: u64| {
        let words = (0..30).map(|i| format!("w{}", (n / 4) * 40 + i + (n % 4) * (i % 7 / 6)));
        words.collect::<Vec<_>>().join(" ")
    };
    let lines: Vec<String> = (0..200).map(line).collect();
    scene.write("texts.txt", lines.join("\n"));
    let ask = "query texts.txt texts.txt --jaccard 0.3 -k 2 --shingle words:1 --json";
    let exact = scene.lines(&format!("{ask} --exact"));
    assert!(exact.iter().any(|line| line.contains("similarity")));
    let found = scene.lines(&format!(
        "{ask} --family fast-similarity --bands 128 --rows 1"
    ));
    assert_eq!(found, exact);
}
