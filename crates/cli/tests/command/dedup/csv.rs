//! CSV, in and out: what JSONL gives.

use serde_json::{Value, json};

use super::scene::Scene;
use super::texts::{lines, passage};

/// Documents of which some are near each other and some are equal, with all that must be quoted.
fn documents() -> Vec<(u32, String, &'static str, f64)> {
    let document = |n: u32| {
        let tag = ["a,", "\"b\"", "c\n", "d;\t"][n as usize % 4];
        let replaced: &[usize] = match n % 5 {
            0 | 1 => &[],
            2 => &[50],
            3 => &[20, 50, 80],
            _ => &[10, 20, 30, 40, 50, 60, 70, 80, 90],
        };
        let lang = if n.is_multiple_of(3) { "de" } else { "en" };
        (100 - n, passage(tag, replaced), lang, f64::from(n) / 8.0)
    };
    (0..40).map(document).collect()
}

fn jsonl() -> String {
    let record =
        |(id, text, lang, score)| json!({"id": id, "text": text, "lang": lang, "score": score});
    lines(documents().into_iter().map(record))
}

/// The same as rows; the text is quoted, as all of it must be.
fn rows(delimiter: char, end: &str) -> String {
    let d = delimiter;
    let row = |(id, text, lang, score): (u32, String, &str, f64)| {
        format!(
            "{id}{d}\"{}\"{d}{lang}{d}{score}{end}",
            text.replace('"', "\"\"")
        )
    };
    let rows: String = documents().into_iter().map(row).collect();
    format!("id{d}text{d}lang{d}score{end}{rows}")
}

/// Names and contents of tables that hold the same.
fn tables() -> [(&'static str, String); 4] {
    [
        ("a.csv", rows(',', "\n")),
        ("b.csv", rows(';', "\r\n")),
        ("c.tsv", rows('\t', "\n")),
        // As spreadsheets write it; the last row has no end.
        ("d.csv", format!("\u{feff}{}", rows(',', "\r\n").trim_end())),
    ]
}

#[test]
fn the_same_corpus_gives_the_same_results() {
    let scene = Scene::with("in.jsonl", jsonl());
    for settings in [
        "",
        "--within lang --keep longest",
        "--keep max:score --verify signature",
        "--keep min:score --threshold 0.6 --cluster components",
    ] {
        scene.dedup(&format!("in.jsonl --out records --overwrite {settings}"));
        for (name, table) in tables() {
            scene.write(name, table);
            scene.dedup(&format!("{name} --out rows --overwrite {settings}"));
            for file in ["clusters.jsonl", "pairs.jsonl"] {
                let records = scene.read(&format!("records/{file}"));
                assert!(records.lines().count() > 3);
                assert_eq!(scene.read(&format!("rows/{file}")), records, "{name}");
            }
            for kind in ["kept", "removed"] {
                let id = |record: &Value| record["id"].to_string();
                let records = scene.lines(&format!("records/{kind}/in.jsonl"));
                let wanted: Vec<String> = records.iter().map(id).collect();
                let found = ids(&scene.read(&format!("rows/{kind}/{name}")));
                assert_eq!(found, wanted, "{name} {kind} {settings}");
            }
        }
    }
}

/// The ids of rows: what stands before the quote that opens the text.
fn ids(table: &str) -> Vec<String> {
    let rows = table.lines().filter(|line| {
        let end = line.find(|c: char| !c.is_ascii_digit()).unwrap_or(0);
        end > 0 && line[end + 1..].starts_with('"')
    });
    let id = |row: &str| row.chars().take_while(char::is_ascii_digit).collect();
    rows.map(id).collect()
}

/// Each document is alone in its group, so that none is removed.
#[test]
fn every_format_comes_out_as_it_went_in_where_nothing_is_removed() {
    let mut files = tables().to_vec();
    files.push((
        "e.jsonl",
        jsonl() + " \r\n{\"id\": 0,\t\"text\":\"\\u0061\", \"lang\": null}",
    ));
    for (name, content) in files {
        let scene = Scene::with(name, &content);
        scene.dedup(&format!("{name} --within id --out out"));
        assert_eq!(scene.read(&format!("out/kept/{name}")), content, "{name}");
    }
    let text = "one\n\n two \r\nthree";
    for (format, removed) in [("lines", vec!["f.txt"]), ("files", vec![])] {
        let scene = Scene::with("f.txt", text);
        scene.dedup(&format!("f.txt --format {format} --out out"));
        assert_eq!(scene.read("out/kept/f.txt"), text);
        assert_eq!(scene.files("out/removed"), removed);
    }
}
