//! Texts, sets and weighted sets, in every format that can carry them.

use std::sync::Arc;

use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;
use serde_json::{Value, json};

use super::scene::{Scene, npy};

/// Sets of which 0 and 1 share 3 of 5 elements, 0 and 3 are equal, and 2 is like nothing.
const SETS: [&[i64]; 4] = [&[1, 2, 3, 4], &[2, 3, 4, 5], &[7, 8], &[4, 3, 2, 1]];

fn jsonl(field: &str, items: impl IntoIterator<Item = Value>) -> String {
    let record = |(id, item)| format!("{}\n", json!({"id": id, field: item}));
    (0..).zip(items).map(record).collect()
}

/// A Parquet file with ids and a list column.
fn list_column() -> Vec<u8> {
    let schema = "message m { required int64 id; required group set (LIST) {
        repeated group list { required int64 element; } } }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut ids = group.next_column().unwrap().unwrap();
    let written = ids
        .typed::<Int64Type>()
        .write_batch(&[0, 1, 2, 3], None, None);
    written.unwrap();
    ids.close().unwrap();
    let elements = SETS.concat();
    let repeated: Vec<i16> = SETS
        .iter()
        .flat_map(|set| (0..set.len()).map(|i| i16::from(i > 0)))
        .collect();
    let mut column = group.next_column().unwrap().unwrap();
    let defined = vec![1; elements.len()];
    let written =
        column
            .typed::<Int64Type>()
            .write_batch(&elements, Some(&defined), Some(&repeated));
    written.unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.into_inner().unwrap()
}

/// A Parquet file with ids and texts.
fn text_column(texts: &[String]) -> Vec<u8> {
    let schema = "message m { required int64 id; required binary text (UTF8); }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, Default::default()).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut ids = group.next_column().unwrap().unwrap();
    let numbers: Vec<i64> = (0..texts.len() as i64).collect();
    let written = ids.typed::<Int64Type>().write_batch(&numbers, None, None);
    written.unwrap();
    ids.close().unwrap();
    let values: Vec<ByteArray> = texts.iter().map(|text| text.as_str().into()).collect();
    let mut column = group.next_column().unwrap().unwrap();
    let written = column
        .typed::<ByteArrayType>()
        .write_batch(&values, None, None);
    written.unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.into_inner().unwrap()
}

#[test]
fn sets_in_every_format() {
    let scene = Scene::new();
    let records = jsonl("set", SETS.iter().map(|set| json!(set)));
    scene.write("sets.jsonl", &records);
    scene.write(
        "sets.jsonl.zst",
        zstd::encode_all(records.as_bytes(), 1).unwrap(),
    );
    let array: Vec<&str> = records.lines().collect();
    scene.write("sets.json", format!("[{}]", array.join(",")));
    let words = |set: &&[i64]| set.iter().map(i64::to_string).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = SETS.iter().map(words).collect();
    scene.write("sets.txt", lines.join("\n"));
    let row = |(id, line): (usize, &String)| format!("{id},{line}\n");
    let rows: String = lines.iter().enumerate().map(row).collect();
    scene.write("sets.csv", format!("id,set\n{rows}"));
    scene.write("sets.tsv", format!("id\tset\n{}", rows.replace(',', "\t")));
    scene.write("sets.parquet", list_column());
    let expected = ["1\t0\t3", "0.6\t0\t1", "0.6\t1\t3"];
    for input in [
        "sets.jsonl",
        "sets.jsonl.zst",
        "sets.json",
        "sets.csv",
        "sets.tsv",
        "sets.parquet",
    ] {
        for how in ["--exact", "--family fast-similarity --recall 0.999"] {
            let args = format!("pairs {input} --kind set --jaccard 0.6 {how}");
            assert_eq!(scene.lines(&args), expected, "{args}");
        }
    }
    // Arrays are sets, whatever the field is called.
    let args = "pairs sets.jsonl --field set --jaccard 0.6";
    assert_eq!(scene.lines(args), expected);
    let args = "pairs sets.txt --kind set --jaccard 0.6";
    let named = expected.map(|line| {
        let words: Vec<&str> = line.split('\t').collect();
        let name = |word: &str| format!("sets.txt:{}", word.parse::<u32>().unwrap() + 1);
        format!("{}\t{}\t{}", words[0], name(words[1]), name(words[2]))
    });
    assert_eq!(scene.lines(args), named);
    let said = scene.run_with("pairs - --kind set --jaccard 0.7 --json -q", records);
    assert_eq!(
        said.out, "{\"a\": 0, \"b\": 3, \"similarity\": 1}\n",
        "{said:?}"
    );
}

#[test]
fn weighted_sets_in_every_format() {
    let scene = Scene::new();
    // The smaller weights are 3 of the larger 4, element by element.
    let weights = [
        json!({"1": 1, "2": 2}),
        json!({"1": 2, "2": 2}),
        json!({"9": 1}),
    ];
    scene.write("w.jsonl", jsonl("weights", weights));
    scene.write("w.txt", "1:1 2:2\n1:2 2:2\n9:1\n");
    scene.write("w.csv", "id,weights\n0,1:1 2:2\n1,1:2 2:2\n2,9:1\n");
    let doubles = [1.0f64, 2.0, 0.0, 2.0, 2.0, 0.0, 0.0, 0.0, 1.0];
    let bytes: Vec<u8> = doubles.iter().flat_map(|x| x.to_le_bytes()).collect();
    scene.write("w.npy", npy("'<f8'", "False", "(3, 3)", &bytes));
    for input in ["w.jsonl", "w.csv", "w.npy"] {
        for how in ["--exact", "--family consistent-weighted --recall 0.999"] {
            let args = format!("pairs {input} --kind weighted-set --jaccard 0.75 {how}");
            assert_eq!(scene.lines(&args), ["0.75\t0\t1"], "{args}");
        }
    }
    // Objects are weighted sets, and so are rows of fractions.
    let args = "pairs w.jsonl --field weights --jaccard 0.7";
    assert_eq!(scene.lines(args), ["0.75\t0\t1"]);
    assert_eq!(scene.lines("pairs w.npy --jaccard 0.7"), ["0.75\t0\t1"]);
    let args = "pairs w.txt --kind weighted-set --jaccard 0.7";
    assert_eq!(scene.lines(args), ["0.75\tw.txt:1\tw.txt:2"]);
}

#[test]
fn texts_in_every_format() {
    let scene = Scene::new();
    let word = |tag: &str, i: usize| format!("{tag}{i}");
    let text = |tag: &str, changed: usize| -> String {
        let words = (0..40).map(|i| word(if i < changed { "new" } else { tag }, i));
        words.collect::<Vec<_>>().join(" ")
    };
    // 36 shingles; of those of the second the first two are others.
    let texts = [text("a", 0), text("a", 2), text("b", 0)];
    scene.write(
        "t.jsonl",
        jsonl("text", texts.iter().map(|text| json!(text))),
    );
    scene.write("t.txt", texts.join("\n"));
    scene.write(
        "t.csv",
        format!("id,text\n0,{}\n1,{}\n2,{}\n", texts[0], texts[1], texts[2]),
    );
    scene.write("t.parquet", text_column(&texts));
    for (number, text) in texts.iter().enumerate() {
        scene.write(&format!("folder/{number}.txt"), text);
    }
    let value = (34.0f64 / 38.0 * 1e9).round() / 1e9;
    for input in ["t.jsonl", "t.csv", "t.parquet"] {
        for how in ["", "--exact", "--family universal", "--bands 40 --rows 2"] {
            let args = format!("pairs {input} --jaccard 0.8 {how}");
            assert_eq!(scene.lines(&args), [format!("{value}\t0\t1")], "{args}");
        }
    }
    let args = "pairs t.txt --jaccard 0.8";
    assert_eq!(scene.lines(args), [format!("{value}\tt.txt:1\tt.txt:2")]);
    let args = "pairs folder --format files --jaccard 0.8";
    let expected = [format!("{value}\tfolder/0.txt\tfolder/1.txt")];
    assert_eq!(scene.lines(args), expected);
    // Parameters of the distance, as flags and by name.
    let by_flag = scene.lines("pairs t.txt --jaccard 0.8 --shingle words:1 --normalize casefold");
    let by_name = scene
        .lines("pairs t.txt --jaccard 0.8 --set shingle=words:1 --set normalize=[\"casefold\"]");
    assert_eq!(by_flag, by_name);
    assert_ne!(
        by_flag,
        scene.lines(args.replace("folder --format files", "t.txt").as_str())
    );
}

#[test]
fn answers_do_not_depend_on_threads() {
    let scene = Scene::new();
    let sets = (0..400u64).map(|n| json!((n..n + 20).map(|i| i / 3).collect::<Vec<_>>()));
    scene.write("sets.jsonl", jsonl("set", sets));
    for verb in ["pairs sets.jsonl", "query sets.jsonl sets.jsonl"] {
        let how = "--kind set --jaccard 0.6 --family fast-similarity --json";
        let [one, two, seven] =
            [1, 2, 7].map(|n| scene.lines(&format!("{verb} {how} --threads {n}")));
        assert!(one == two && two == seven && one.len() > 300, "{verb}");
    }
}
