//! The same codes in every format give the same answers.

use std::io::Write;

use super::scene::{Scene, codes, hex, npy};

#[test]
fn every_format_has_the_same_codes() {
    let scene = Scene::new();
    let codes = codes(300, 16, 9);
    let lines = hex(&codes);
    scene.write("codes.txt", &lines);
    let packed = codes.concat();
    scene.write("codes.bin", &packed);
    scene.write("codes.npy", npy("'|u1'", "False", "(300, 16)", &packed));
    let record = |(row, line): (usize, &str)| format!("{{\"id\": {row}, \"hash\": \"{line}\"}}\n");
    let jsonl: String = lines.lines().enumerate().map(record).collect();
    scene.write("codes.jsonl", &jsonl);
    scene.write(
        "deep.jsonl",
        jsonl
            .replace("\"hash\": ", "\"image\": {\"p\": ")
            .replace("\"}", "\"}}"),
    );
    let row = |(row, line): (usize, &str)| format!("{row},{line}\n");
    let csv: String = lines.lines().enumerate().map(row).collect();
    scene.write("codes.csv", "id,hash\n".to_owned() + &csv);
    scene.write(
        "codes.tsv",
        "id\thash\n".to_owned() + &csv.replace(',', "\t"),
    );
    let array: Vec<&str> = jsonl.lines().collect();
    scene.write("codes.json", format!("[{}]", array.join(",\n")));
    let bits = |code: &Vec<u8>| -> String {
        let bits = code
            .iter()
            .map(|byte| format!("{:08b}", byte.reverse_bits()));
        bits.collect::<String>() + "\n"
    };
    let bits: String = codes.iter().map(bits).collect();
    scene.write("bits.txt", &bits);
    scene.write(
        "codes.npy.zst",
        zstd::encode_all(&scene.bytes("codes.npy")[..], 1).unwrap(),
    );
    scene.write("codes.bin.zst", zstd::encode_all(&packed[..], 1).unwrap());
    scene.write(
        "codes.csv.zst",
        zstd::encode_all(&scene.bytes("codes.csv")[..], 1).unwrap(),
    );
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(jsonl.as_bytes()).unwrap();
    scene.write("codes.jsonl.gz", gz.finish().unwrap());

    let args = "--hamming 12 --exact --json";
    let rows = scene.lines(&format!("pairs codes.npy {args}"));
    assert!(rows.len() > 50, "{}", rows.len());
    assert!(rows[0].starts_with("{\"a\": "), "{}", rows[0]);
    for other in [
        "codes.bin --bits 128",
        "codes.npy --format npy",
        "codes.jsonl",
        "codes.jsonl --format jsonl",
        "codes.jsonl.gz",
        "codes.json",
        "codes.csv",
        "codes.csv.zst",
        "codes.tsv",
        "codes.npy.zst",
        "codes.bin.zst --bits 128",
        "codes.bin --format packed --set bits=128 --bits 128",
        "deep.jsonl --field image.p",
    ] {
        assert_eq!(
            scene.lines(&format!("pairs {other} {args}")),
            rows,
            "{other}"
        );
    }
    let named: Vec<String> = rows
        .iter()
        .map(|line| {
            let mut pair: serde_json::Value = serde_json::from_str(line).unwrap();
            let name = |row: &serde_json::Value| format!("codes.txt:{}", row.as_u64().unwrap() + 1);
            let [a, b] = [name(&pair["a"]), name(&pair["b"])];
            format!(
                "{{\"a\": \"{a}\", \"b\": \"{b}\", \"distance\": {}}}",
                pair["distance"].take()
            )
        })
        .collect();
    assert_eq!(scene.lines(&format!("pairs codes.txt {args}")), named);
    let bits = scene.lines(&format!("pairs bits.txt --format bits {args}"));
    let bits: Vec<String> = bits
        .iter()
        .map(|line| line.replace("bits.txt", "codes.txt"))
        .collect();
    assert_eq!(bits, named);
    assert_eq!(
        scene
            .lines(&format!("pairs codes.jsonl --ignore-ids {args}"))
            .len(),
        rows.len()
    );

    // From a pipe.
    for (format, bytes) in [("packed --bits 128", packed), ("jsonl", jsonl.into_bytes())] {
        let said = scene.run_with(&format!("pairs - --format {format} {args}"), bytes);
        assert_eq!(said.out.lines().collect::<Vec<_>>(), rows, "{}", said.error);
    }
}

#[test]
fn what_people_write_is_read() {
    let scene = Scene::new();
    scene.write("codes.txt", "0xFFFF\r\n\r\n  fffe\n0Xffff");
    let lines = scene.lines("pairs codes.txt --hamming 1 --format hex --format lines");
    let pair = |distance: u32, a: u32, b: u32| format!("{distance}\tcodes.txt:{a}\tcodes.txt:{b}");
    assert_eq!(lines, [pair(0, 1, 4), pair(1, 1, 3), pair(1, 3, 4)]);
}

#[test]
fn several_files_are_one_collection() {
    let scene = Scene::new();
    scene.write("a.txt", "00ff\nabcd\n");
    scene.write("b.jsonl", "{\"id\": 7, \"hash\": \"00fe\"}\n");
    scene.write("c.npy", npy("'|u1'", "False", "(1, 2)", &[0, 0xfe]));
    let lines = scene.lines("pairs a.txt b.jsonl c.npy --hamming 1");
    assert_eq!(
        lines,
        ["0\t7\tc.npy[0]", "1\ta.txt:1\t7", "1\ta.txt:1\tc.npy[0]"]
    );
}

#[test]
fn queries_in_json_have_all_their_answers_in_one_line() {
    let scene = Scene::new();
    scene.write("codes.txt", "00\n01\nff\n");
    scene.write(
        "new.jsonl",
        "{\"id\": \"q\", \"hash\": \"03\"}\n{\"hash\": \"aa\"}\n",
    );
    let lines = scene.lines("query codes.txt new.jsonl --hamming 2 --json");
    assert_eq!(
        lines,
        [
            "{\"query\": \"q\", \"hits\": [{\"id\": \"codes.txt:2\", \"distance\": 1}, \
             {\"id\": \"codes.txt:1\", \"distance\": 2}]}",
            "{\"query\": \"new.jsonl:2\", \"hits\": []}",
        ]
    );
}

#[test]
fn the_examples_of_the_help_page_run() {
    let scene = Scene::new();
    scene.write("hashes.txt", "00ff00ff\n00ff00fe\n");
    scene.write(
        "codes.npy",
        npy("'|u1'", "False", "(2, 32)", &[[0; 32], [0; 32]].concat()),
    );
    scene.write(
        "images.jsonl",
        "{\"url\": \"a\", \"phash\": \"00ff\"}\n{\"url\": \"b\", \"phash\": \"00fe\"}\n",
    );
    scene.write("corpus.jsonl", "{\"text\": \"a b\"}\n{\"text\": \"a b\"}\n");
    scene.write("baskets.txt", "1 2 3\n2 3 4\n");
    scene.write("names.txt", "Charles Darwin\nCharls Darwin\n");
    let help = scene.run("pairs --help").out;
    let (_, after) = help.split_once("Examples:\n").unwrap();
    let lines = after.lines().map(str::trim);
    let mut run = 0;
    // Digests have tests of their own.
    let examples = lines.filter_map(|line| line.strip_prefix("lookalike "));
    for args in examples.filter(|args| !args.contains("--tlsh")) {
        assert!(!scene.lines(args).is_empty(), "{args}");
        run += 1;
    }
    assert_eq!(run, 8);
}
