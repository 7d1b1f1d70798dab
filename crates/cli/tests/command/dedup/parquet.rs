//! Parquet, in and out.

use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::RowAccessor;
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};

use super::scene::Scene;
use super::texts::{lines, passage};

const SCHEMA: &str = "message m {
    required int64 id; optional binary text (UTF8); optional binary lang (UTF8);
}";

/// Documents of which some are near each other and some are equal.
fn documents() -> Vec<(i64, String, &'static str)> {
    let tags = ["a", "b", "c", "d"];
    let document = |n: usize| {
        let tag = tags[n % 4];
        let replaced: &[usize] = match n % 5 {
            0 | 1 => &[],
            2 => &[50],
            3 => &[20, 50, 80],
            _ => &[10, 20, 30, 40, 50, 60, 70, 80, 90],
        };
        let lang = if n.is_multiple_of(3) { "de" } else { "en" };
        (100 - n as i64, passage(tag, replaced), lang)
    };
    (0..40).map(document).collect()
}

fn jsonl() -> String {
    let record = |(id, text, lang)| json!({"id": id, "text": text, "lang": lang});
    lines(documents().into_iter().map(record))
}

/// The same as Parquet, in row groups of so many.
fn parquet(rows: usize, codec: Compression) -> Vec<u8> {
    let schema = Arc::new(parse_message_type(SCHEMA).unwrap());
    let properties = WriterProperties::builder().set_compression(codec);
    let mut writer =
        SerializedFileWriter::new(Vec::new(), schema, Arc::new(properties.build())).unwrap();
    for some in documents().chunks(rows) {
        let mut group = writer.next_row_group().unwrap();
        let levels = vec![1; some.len()];
        let mut ids = group.next_column().unwrap().unwrap();
        let values: Vec<i64> = some.iter().map(|d| d.0).collect();
        let written = ids.typed::<Int64Type>().write_batch(&values, None, None);
        written.unwrap();
        ids.close().unwrap();
        for column in [0, 1] {
            let value = |d: &(i64, String, &str)| ByteArray::from([&d.1, d.2][column]);
            let values: Vec<ByteArray> = some.iter().map(value).collect();
            let mut out = group.next_column().unwrap().unwrap();
            let typed = out.typed::<ByteArrayType>();
            typed.write_batch(&values, Some(&levels), None).unwrap();
            out.close().unwrap();
        }
        group.close().unwrap();
    }
    writer.into_inner().unwrap()
}

fn open(scene: &Scene, name: &str) -> SerializedFileReader<std::fs::File> {
    SerializedFileReader::try_from(scene.path(name).as_path()).unwrap()
}

fn ids(scene: &Scene, name: &str) -> Vec<i64> {
    let file = open(scene, name);
    let rows = file.get_row_iter(None).unwrap();
    rows.map(|row| row.unwrap().get_long(0).unwrap()).collect()
}

fn ids_of_records(scene: &Scene, name: &str) -> Vec<i64> {
    let id = |line: &Value| line["id"].as_i64().unwrap();
    scene.lines(name).iter().map(id).collect()
}

#[test]
fn the_same_corpus_gives_the_same_results() {
    let scene = Scene::with("a.jsonl", jsonl());
    for settings in [
        "",
        "--within lang --keep longest",
        "--keep min:id --verify signature",
    ] {
        scene.dedup(&format!("a.jsonl --out records --overwrite {settings}"));
        for (rows, codec) in [
            (1000, Compression::ZSTD(Default::default())),
            (7, Compression::SNAPPY),
            (1, Compression::UNCOMPRESSED),
        ] {
            scene.write("a.parquet", parquet(rows, codec));
            for threads in [1, 3] {
                scene.dedup(&format!(
                    "a.parquet --out rows --overwrite --threads {threads} {settings}"
                ));
                for name in ["clusters.jsonl", "pairs.jsonl"] {
                    let records = scene.read(&format!("records/{name}"));
                    assert!(records.lines().count() > 3);
                    assert_eq!(scene.read(&format!("rows/{name}")), records);
                }
                for kind in ["kept", "removed"] {
                    assert_eq!(
                        ids(&scene, &format!("rows/{kind}/a.parquet")),
                        ids_of_records(&scene, &format!("records/{kind}/a.jsonl"))
                    );
                }
            }
        }
    }
}

#[test]
fn annotate_adds_real_columns() {
    let scene = Scene::with("a.jsonl", jsonl());
    scene.write("a.parquet", parquet(7, Compression::SNAPPY));
    scene.dedup("a.jsonl --out records --mode annotate");
    scene.dedup("a.parquet --out rows --mode annotate --compress gzip");
    let file = open(&scene, "rows/annotated/a.parquet");
    let names = [
        "id",
        "text",
        "lang",
        "duplicate_of",
        "similarity",
        "cluster",
    ];
    let fields = file.metadata().file_metadata().schema().get_fields();
    assert!(fields.iter().map(|field| field.name()).eq(names));
    let rows = file.get_row_iter(None).unwrap().map(Result::unwrap);
    let records = scene.lines("records/annotated/a.jsonl");
    let mut duplicates = 0;
    for (row, record) in rows.zip(&records) {
        let note = &record["lookalike"];
        let id = |name: &str| note[name].as_i64().map(|id| id.to_string());
        let [of, cluster] = ["duplicate_of", "cluster"].map(id);
        assert_eq!(row.get_string(3).ok(), of.as_ref());
        assert_eq!(row.get_double(4).ok(), note["similarity"].as_f64());
        assert_eq!(row.get_string(5).ok(), cluster.as_ref());
        duplicates += usize::from(of.is_some());
    }
    assert!(records.len() == 40 && duplicates > 20);
    let error = scene
        .run("rows/annotated --out again --mode annotate")
        .error;
    assert!(
        error.contains("a.parquet:1: the record has a field `duplicate_of` already"),
        "{error}"
    );
}

#[test]
fn pairs_and_clusters_are_also_tables() {
    let scene = Scene::with("a.jsonl", jsonl());
    scene.dedup("a.jsonl --out parquet --tables parquet");
    scene.dedup("a.jsonl --out csv --tables csv");
    scene.dedup("a.jsonl --out plain");
    for (name, columns) in [
        ("pairs", "a,b,similarity"),
        ("clusters", "cluster,id,similarity"),
    ] {
        let csv = scene.read(&format!("csv/{name}.csv"));
        let (head, rows) = csv.split_once('\n').unwrap();
        assert_eq!(head, columns);
        let file = open(&scene, &format!("parquet/{name}.parquet"));
        let text = |row: parquet::record::Row| {
            let similarity = row.get_double(2).map_or(String::new(), |s| s.to_string());
            let [a, b] = [0, 1].map(|column| row.get_string(column).unwrap());
            format!("{a},{b},{similarity}\n")
        };
        let same: String = (file.get_row_iter(None).unwrap())
            .map(|row| text(row.unwrap()))
            .collect();
        assert_eq!(same, rows);
        for folder in ["csv", "parquet"] {
            let jsonl = |folder| scene.read(&format!("{folder}/{name}.jsonl"));
            assert_eq!(jsonl(folder), jsonl("plain"), "the lists stay");
        }
    }
    let pairs = scene.pairs("plain");
    assert_eq!(scene.read("csv/pairs.csv").lines().count(), pairs.len() + 1);
    let (a, b, similarity) = &pairs[0];
    let first = format!("{a},{b},{}", similarity.unwrap());
    assert_eq!(scene.read("csv/pairs.csv").lines().nth(1), Some(&*first));
}

#[test]
fn parquet_is_kept_as_it_is_where_nothing_is_removed() {
    let scene = Scene::with("a.parquet", parquet(7, Compression::SNAPPY));
    scene.dedup("a.parquet --out out --threshold 1 --compress same");
    assert_eq!(scene.files("out/kept"), ["a.parquet"]);
    let few = ids(&scene, "out/removed/a.parquet").len();
    assert!(few < 40);
    scene.dedup("out/kept --out again");
    scene.dedup("a.parquet --out all --within id --compress gzip");
    assert_eq!(scene.bytes("all/kept/a.parquet"), scene.bytes("a.parquet"));
    assert_eq!(ids(&scene, "all/removed/a.parquet"), [0_i64; 0]);
}

#[test]
fn a_fault_is_named_with_its_row() {
    let schema = "message m { optional binary text (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut out = group.next_column().unwrap().unwrap();
    let values = [&b"one"[..], b"tw\xFFo", b"three"].map(|v| ByteArray::from(v.to_vec()));
    let typed = out.typed::<ByteArrayType>();
    typed
        .write_batch(&values, Some(&[1, 0, 1, 1]), None)
        .unwrap();
    out.close().unwrap();
    group.close().unwrap();
    let scene = Scene::with("in.parquet", writer.into_inner().unwrap());
    let error = scene.fails(1, "in.parquet --quiet");
    assert!(
        error.starts_with("error: in.parquet:2: the text in `text` is null, not a string"),
        "{error}"
    );
    scene.dedup("in.parquet --out out --on-error skip");
    let counts = |name: &str| open(&scene, name).metadata().file_metadata().num_rows();
    assert_eq!(counts("out/kept/in.parquet"), 2);
    assert_eq!(counts("out/skipped/in.parquet"), 2);
}

#[test]
fn columns_are_named_where_one_is_missing() {
    let scene = Scene::with("in.parquet", parquet(7, Compression::SNAPPY));
    let error = scene.fails(1, "in.parquet --text-field body");
    assert_eq!(
        error,
        "error: in.parquet: no column `body`; the file has `id`, `text`, `lang`: choose one with --text-field\n"
    );
    let error = scene.fails(1, "in.parquet --text-field id");
    assert!(
        error.starts_with("error: in.parquet: the column `id` holds integers, not text; "),
        "{error}"
    );
}

#[test]
fn parquet_that_is_truncated_or_lies() {
    let whole = parquet(7, Compression::GZIP(Default::default()));
    for len in [
        0,
        3,
        8,
        100,
        whole.len() / 2,
        whole.len() - 8,
        whole.len() - 1,
    ] {
        let scene = Scene::with("in.parquet", &whole[..len]);
        let error = scene.fails(1, "in.parquet --quiet");
        assert!(
            error.starts_with("error: in.parquet: cannot be read as Parquet: "),
            "{len}: {error}"
        );
    }
    // A footer of other lengths than it has.
    for lie in [0u32, 1, 100, 0x7FFF_FFFF, u32::MAX] {
        let mut lying = whole.clone();
        let end = lying.len() - 4;
        lying[end - 4..end].copy_from_slice(&lie.to_le_bytes());
        let scene = Scene::with("in.parquet", lying);
        let error = scene.fails(1, "in.parquet --quiet");
        assert!(
            error.contains("in.parquet: cannot be read as Parquet: "),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1, "{error}");
    }
}

/// A panic of the decoder is caught, and is not told in its own words on the way.
#[test]
fn damaged_pages_are_one_line_of_error_at_most() {
    let whole = parquet(40, Compression::UNCOMPRESSED);
    let scene = Scene::new();
    for place in (4..whole.len()).step_by(whole.len() / 60) {
        let mut damaged = whole.clone();
        for byte in damaged[place..].iter_mut().take(3) {
            *byte = !*byte;
        }
        scene.write("in.parquet", &damaged);
        let said = scene.run("in.parquet --out out --overwrite --quiet");
        assert!(matches!(said.code, 0 | 1), "{place}: {said:?}");
        assert!(said.error.lines().count() <= 1, "{place}: {said:?}");
        assert!(!said.error.contains("panicked"), "{place}: {said:?}");
    }
}

#[test]
fn a_dictionary_that_repeats_one_text_without_end() {
    let schema =
        Arc::new(parse_message_type("message m { required binary text (UTF8); }").unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut out = group.next_column().unwrap().unwrap();
    let values = vec![ByteArray::from("word ".repeat(20_000).into_bytes()); 3000];
    out.typed::<ByteArrayType>()
        .write_batch(&values, None, None)
        .unwrap();
    out.close().unwrap();
    group.close().unwrap();
    let scene = Scene::with("in.parquet", writer.into_inner().unwrap());
    let error = scene.fails(1, "in.parquet --quiet");
    assert!(
        error.starts_with("error: in.parquet: ")
            && error.contains("allow more with --max-expansion"),
        "{error}"
    );
}

#[test]
fn parquet_from_a_pipe_says_what_would_do() {
    let scene = Scene::new();
    let said = scene.run_with("- --out out", parquet(7, Compression::SNAPPY));
    assert_eq!(
        (said.code, said.error.as_str()),
        (
            1,
            "error: stdin: Parquet cannot be read from a pipe; save it to a file, and name that\n"
        )
    );
}
