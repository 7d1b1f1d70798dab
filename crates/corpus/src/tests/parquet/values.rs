//! Values of every type of column.

use super::super::Folder;
use super::super::values::{Owned, any_value, scan_values, values};
use super::{Column, Values, all, file, plain, some_strings, strings, ways};
use crate::half::to_f32;
use crate::{Corpus, ErrorKind, OnError, Options};
use parquet::data_type::{ByteArray, FixedLenByteArray};
use proptest::prelude::*;

fn field(name: &str) -> Options {
    Options {
        text: name.parse().unwrap(),
        ..any_value()
    }
}

/// A file and its corpus, which is read while the folder is there.
fn open(content: &[u8], options: Options) -> (Folder, Corpus) {
    let folder = Folder::new(&[("a.parquet", content)]);
    let corpus = folder.open("a.parquet", options).unwrap();
    (folder, corpus)
}

/// A column of lists: null, or with elements that may be null.
fn lists<T: Clone>(
    rows: &[Option<Vec<Option<T>>>],
    values: impl FnOnce(Vec<T>) -> Values,
) -> Column {
    let mut column = Column::default();
    let mut flat = Vec::new();
    for row in rows {
        match row {
            None => column.definition.push(0),
            Some(elements) if elements.is_empty() => column.definition.push(1),
            Some(elements) => {
                for element in elements {
                    column.definition.push(2 + i16::from(element.is_some()));
                    flat.extend(element.clone());
                }
            }
        }
        let more = row.as_ref().map_or(0, |row| row.len().saturating_sub(1));
        column.repetition.push(0);
        column.repetition.extend(vec![1; more]);
    }
    column.values = values(flat);
    column
}

fn schema(element: &str) -> String {
    format!(
        "message m {{ optional group v (LIST) {{ repeated group list {{ optional {element}; }} }} required int32 id; }}"
    )
}

fn ids(rows: usize) -> Column {
    all(Values::Int32((0..rows as i32).collect()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]
    #[test]
    fn lists_of_numbers_come_back(
        rows in prop::collection::vec(prop::collection::vec(any::<u32>(), 0..6), 0..30),
        block in 1..100usize,
        way in 0..28usize,
    ) {
        let (_, way) = ways().swap_remove(way);
        let group = |element: &str, column: Column| {
            let content = file(&schema(element), way.clone(), &[vec![column, ids(rows.len())]]);
            let (_folder, mut corpus) = open(&content, field("v"));
            corpus.sizes.block = block;
            let seen = scan_values(&corpus).unwrap();
            let mut reader = corpus.reader();
            for (value, place) in &seen {
                assert_eq!(&Owned::from(reader.read_value(place).unwrap().value), value);
            }
            seen.into_iter().map(|(value, _)| value).collect::<Vec<_>>()
        };
        let some = |row: &Vec<u32>| Some(row.iter().map(|&n| Some(n)).collect::<Vec<_>>());
        let rows: Vec<_> = rows.iter().map(some).collect();
        let flat = |row: &Option<Vec<Option<u32>>>| row.iter().flatten().flatten().copied().collect::<Vec<u32>>();
        let expected = |owned: &dyn Fn(Vec<u32>) -> Owned| rows.iter().map(|row| owned(flat(row))).collect::<Vec<_>>();

        let long = |n: u32| i64::from(n) - (1 << 31);
        let signed = expected(&|row| Owned::Signed(row.into_iter().map(long).collect()));
        let column = lists(&rows, |flat| Values::Int64(flat.into_iter().map(long).collect()));
        prop_assert_eq!(group("int64 element", column), signed);
        let signed = expected(&|row| Owned::Signed(row.into_iter().map(|n| (n as i32).into()).collect()));
        let column = || lists(&rows, |flat| Values::Int32(flat.into_iter().map(|n| n as i32).collect()));
        prop_assert_eq!(group("int32 element", column()), signed);
        let integers = expected(&|row| Owned::Integers(row.into_iter().map(u64::from).collect()));
        prop_assert_eq!(group("int32 element (INTEGER(32, false))", column()), integers);

        let half = |n: u32| to_f32(n as u16);
        let floats = expected(&|row| Owned::Floats(row.into_iter().map(|n| half(n).to_bits()).collect()));
        let bytes = |n: u32| FixedLenByteArray::from((n as u16).to_le_bytes().to_vec());
        let column = lists(&rows, |flat| Values::Fixed(flat.into_iter().map(bytes).collect()));
        prop_assert_eq!(group("fixed_len_byte_array(2) element (FLOAT16)", column), floats);

        // Any bits, so that some are not finite.
        let float = f32::from_bits;
        let floats = expected(&|row| Owned::Floats(row.into_iter().map(|n| float(n).to_bits()).collect()));
        let column = lists(&rows, |flat| Values::Float(flat.into_iter().map(float).collect()));
        prop_assert_eq!(group("float element", column), floats);

        let double = |n: u32| f64::from_bits(u64::from(n) << 29 | u64::from(n));
        let doubles = expected(&|row| Owned::Doubles(row.into_iter().map(|n| double(n).to_bits()).collect()));
        let column = lists(&rows, |flat| Values::Double(flat.into_iter().map(double).collect()));
        prop_assert_eq!(group("double element", column), doubles);

        let texts = expected(&|row| Owned::Json(serde_json::json!(row.iter().map(|n| format!("{n}\"")).collect::<Vec<_>>()).to_string()));
        let column = lists(&rows, |flat| {
            Values::Bytes(flat.iter().map(|n| ByteArray::from(format!("{n}\"").as_str())).collect())
        });
        prop_assert_eq!(group("binary element (UTF8)", column), texts);
    }

    #[test]
    fn bytes_come_back(rows in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..40), 0..30)) {
        let column = all(Values::Bytes(rows.iter().map(|row| ByteArray::from(row.clone())).collect()));
        let schema = "message m { required binary v; required int32 id; }";
        let content = file(schema, plain(), &[vec![column, ids(rows.len())]]);
        let expected: Vec<Owned> = rows.into_iter().map(Owned::Bytes).collect();
        prop_assert_eq!(values(&open(&content, field("v")).1), expected);
    }
}

#[test]
fn other_columns_are_what_they_say() {
    let schema = "message m { required binary text (UTF8); required int32 n; required double f; repeated int32 many;
        optional group inner { repeated int64 old; } }";
    let many = |values: Values, definition: &[i16]| Column {
        values,
        definition: definition.to_vec(),
        repetition: vec![0, 1, 0],
    };
    let content = file(
        schema,
        plain(),
        &[vec![
            strings(["a\"", "b"]),
            all(Values::Int32(vec![-3, 4])),
            all(Values::Double(vec![0.5, 2.0])),
            many(Values::Int32(vec![7, 8]), &[1, 1, 0]),
            many(Values::Int64(vec![9, 10]), &[2, 2, 1]),
        ]],
    );
    let json = |json: &str| Owned::Json(json.to_owned());
    let of = |name: &str| values(&open(&content, field(name)).1);
    assert_eq!(
        of("text"),
        [Owned::Text("a\"".into()), Owned::Text("b".into())]
    );
    assert_eq!(of("n"), [json("-3"), json("4")]);
    assert_eq!(of("f"), [json("0.5"), json("2.0")]);
    assert_eq!(
        of("many"),
        [Owned::Signed(vec![7, 8]), Owned::Signed(vec![])]
    );
    let old = [Owned::Signed(vec![9, 10]), Owned::Signed(vec![])];
    assert_eq!(of("inner.old"), old);
    assert_eq!(of("inner"), old);
    let e = scan_values(&open(&content, field("none")).1).unwrap_err();
    assert!(e.to_string().contains("no column `none`"), "{e}");
    // As text a list is refused as before.
    let text = Options {
        values: false,
        ..field("many")
    };
    let e = scan_values(&open(&content, text).1).unwrap_err();
    assert!(e.to_string().contains("holds lists"), "{e}");
}

#[test]
fn what_a_row_lacks_is_an_error_of_the_row() {
    let message = |element: &str, column: Column| {
        let rows = column
            .repetition
            .iter()
            .filter(|&&level| level == 0)
            .count();
        let content = file(&schema(element), plain(), &[vec![column, ids(rows)]]);
        let e = scan_values(&open(&content, field("v")).1).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Content);
        let message = e.to_string();
        let skip = Options {
            on_error: OnError::Skip,
            ..field("v")
        };
        assert_eq!(values(&open(&content, skip).1).len(), 1);
        message[message.find(".parquet").unwrap()..].to_owned()
    };
    let good = || Some(vec![Some(1)]);
    let integers = |bad| lists(&[good(), bad], Values::Int64);
    assert_eq!(
        message("int64 element", integers(None)),
        ".parquet:2: the column `v` has no value in this row"
    );
    let null = ".parquet:2: the column `v` has a list with a null in this row";
    assert_eq!(
        message(
            "int64 element",
            integers(Some(vec![Some(3), None, Some(4)]))
        ),
        null
    );
    for bad in [vec![None], vec![Some(0.5), None]] {
        let column = lists(&[Some(vec![Some(0.5)]), Some(bad)], Values::Float);
        assert_eq!(message("float element", column), null);
    }
    let schema = "message m { optional binary v; }";
    let content = file(schema, plain(), &[vec![some_strings(&[Some("a"), None])]]);
    let e = scan_values(&open(&content, field("v")).1).unwrap_err();
    assert!(e.to_string().ends_with("has no value in this row"), "{e}");
}
