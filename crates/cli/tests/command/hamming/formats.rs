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
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(jsonl.as_bytes()).unwrap();
    scene.write("codes.jsonl.gz", gz.finish().unwrap());

    let args = "--radius 12 --exact --json";
    let rows = scene.lines(&format!("pairs codes.npy {args}"));
    assert!(rows.len() > 50, "{}", rows.len());
    assert!(rows[0].starts_with("{\"a\": "), "{}", rows[0]);
    for other in [
        "codes.bin --bits 128",
        "codes.npy --format npy",
        "codes.jsonl",
        "codes.jsonl --format jsonl",
        "codes.jsonl.gz",
        "codes.csv",
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
    assert_eq!(
        scene
            .lines(&format!("pairs codes.jsonl --ignore-ids {args}"))
            .len(),
        rows.len()
    );

    // From a pipe.
    for (format, bytes) in [("bin --bits 128", packed), ("jsonl", jsonl.into_bytes())] {
        let said = scene.run_with(&format!("pairs - --format {format} {args}"), bytes);
        assert_eq!(said.out.lines().collect::<Vec<_>>(), rows, "{}", said.error);
    }
}

#[test]
fn what_people_write_is_read() {
    let scene = Scene::new();
    scene.write("codes.txt", "0xFFFF\r\n\r\n  fffe\n0Xffff");
    let lines = scene.lines("pairs codes.txt --radius 1 --format hex");
    let pair = |distance: u32, a: u32, b: u32| format!("{distance}\tcodes.txt:{a}\tcodes.txt:{b}");
    assert_eq!(lines, [pair(0, 1, 4), pair(1, 1, 3), pair(1, 3, 4)]);
}

#[test]
fn queries_in_json_have_all_their_answers_in_one_line() {
    let scene = Scene::new();
    scene.write("codes.txt", "00\n01\nff\n");
    scene.write(
        "new.jsonl",
        "{\"id\": \"q\", \"hash\": \"03\"}\n{\"hash\": \"aa\"}\n",
    );
    let lines = scene.lines("query codes.txt new.jsonl --radius 2 --json");
    assert_eq!(
        lines,
        [
            "{\"query\": \"q\", \"hits\": [{\"id\": \"codes.txt:2\", \"distance\": 1}, \
             {\"id\": \"codes.txt:1\", \"distance\": 2}]}",
            "{\"query\": \"new.jsonl:2\", \"hits\": []}",
        ]
    );
}
