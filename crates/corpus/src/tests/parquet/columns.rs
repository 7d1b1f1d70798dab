//! Which columns are read, and what becomes of their values.

use super::super::{Folder, scan, texts};
use super::{Column, Values, all, file, plain, strings};
use crate::{Error, ErrorKind, Options};

fn options(text: &str, id: Option<&str>) -> Options {
    Options {
        text: text.parse().unwrap(),
        id: id.map(|id| id.parse().unwrap()),
        ..Options::default()
    }
}

fn ids(schema: &str, values: Values, id: Option<&str>) -> Vec<Option<String>> {
    let rows = match &values {
        Values::Bytes(values) => values.len(),
        Values::Int32(values) => values.len(),
        Values::Int64(values) => values.len(),
        Values::Float(values) => values.len(),
        Values::Double(values) => values.len(),
        Values::Bool(values) => values.len(),
        Values::Fixed(values) => values.len(),
    };
    let columns = vec![all(values), strings(vec!["a"; rows])];
    let folder = Folder::new(&[("a.parquet", &file(schema, plain(), &[columns]))]);
    let corpus = folder.open("a.parquet", options("text", id)).unwrap();
    let seen = scan(&corpus).unwrap();
    seen.into_iter().map(|s| s.id).collect()
}

fn schema(id: &str) -> String {
    format!("message m {{ required {id}; required binary text (UTF8); }}")
}

#[test]
fn ids_are_strings_or_integers_of_any_kind() {
    let is = |schema_of: &str, values: Values, expected: &[&str]| {
        let found = ids(&schema(schema_of), values, Some("id"));
        let found: Vec<&str> = found.iter().flatten().map(String::as_str).collect();
        assert_eq!(found, expected, "{schema_of}");
    };
    is("int32 id", Values::Int32(vec![-1, 7]), &["-1", "7"]);
    is(
        "int32 id (UINT_32)",
        Values::Int32(vec![-1, 7]),
        &["4294967295", "7"],
    );
    is(
        "int32 id (INTEGER(8, false))",
        Values::Int32(vec![255]),
        &["255"],
    );
    is(
        "int64 id",
        Values::Int64(vec![i64::MIN]),
        &["-9223372036854775808"],
    );
    is(
        "int64 id (UINT_64)",
        Values::Int64(vec![-1]),
        &["18446744073709551615"],
    );
    is(
        "int64 id (INTEGER(64, false))",
        Values::Int64(vec![-2]),
        &["18446744073709551614"],
    );
    let strings = Values::Bytes(vec!["x\"y".into(), "".into()]);
    is("binary id (UTF8)", strings.clone(), &["\"x\\\"y\"", "\"\""]);
    is("binary id", strings.clone(), &["\"x\\\"y\"", "\"\""]);
    is("binary id (ENUM)", strings, &["\"x\\\"y\"", "\"\""]);
}

#[test]
fn a_column_that_only_happens_to_be_called_id_is_none() {
    for (kind, values) in [
        ("double id", Values::Double(vec![1.5])),
        ("float id", Values::Float(vec![1.5])),
        ("boolean id", Values::Bool(vec![true])),
        ("int64 id (DECIMAL(9, 2))", Values::Int64(vec![1])),
    ] {
        assert_eq!(ids(&schema(kind), values, None), [None]);
    }
}

fn error(schema: &str, columns: Vec<Column>, text: &str, id: Option<&str>) -> String {
    let folder = Folder::new(&[("a.parquet", &file(schema, plain(), &[columns]))]);
    let corpus = folder.open("a.parquet", options(text, id)).unwrap();
    let e = scan(&corpus).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Content);
    folder.message(&e)
}

#[test]
fn a_column_that_is_not_there_or_not_fit_is_named_with_those_that_are_there() {
    let schema = "message m {
        required int64 key;
        required binary body (UTF8);
        optional group meta { optional double score; }
        optional group tags (LIST) { repeated group list { required binary element (UTF8); } }
    }";
    let columns = || {
        vec![
            all(Values::Int64(vec![1])),
            strings(["a"]),
            Column {
                definition: vec![1],
                ..all(Values::Double(vec![]))
            },
            Column {
                definition: vec![2],
                repetition: vec![0],
                ..strings(["t"])
            },
        ]
    };
    let present = "the file has `key`, `body`, `meta.score`, `tags.list.element`: choose one with";
    let e = |text, id| error(schema, columns(), text, id);
    assert_eq!(
        e("text", None),
        format!("a.parquet: no column `text`; {present} `text_field`")
    );
    assert_eq!(
        e("meta", None),
        format!("a.parquet: no column `meta`; {present} `text_field`")
    );
    assert_eq!(
        e("key", None),
        format!("a.parquet: the column `key` holds integers, not text; {present} `text_field`")
    );
    assert_eq!(
        e("tags.list.element", None),
        format!(
            "a.parquet: the column `tags.list.element` holds lists, not text; {present} `text_field`"
        )
    );
    assert_eq!(
        e("body", Some("id")),
        format!("a.parquet: no column `id`; {present} `id_field`")
    );
    assert_eq!(
        e("body", Some("meta.score")),
        format!(
            "a.parquet: the column `meta.score` holds numbers that are not integers, not strings \
             or integers; {present} `id_field`"
        )
    );
}

#[test]
fn nested_columns_go_by_their_path() {
    let schema = "message m {
        optional group meta { required group of { optional binary body (UTF8); } required int32 n; }
    }";
    let body = Column {
        definition: vec![2, 2],
        ..strings(["a", "b"])
    };
    let n = Column {
        definition: vec![1, 1],
        ..all(Values::Int32(vec![5, 6]))
    };
    let content = file(schema, plain(), &[vec![body, n]]);
    let folder = Folder::new(&[("a.parquet", &content)]);
    let corpus = folder
        .open("a.parquet", options("meta.of.body", Some("meta.n")))
        .unwrap();
    let seen = scan(&corpus).unwrap();
    assert!(seen.iter().map(|s| s.text.as_str()).eq(["a", "b"]));
    assert!(
        seen.iter()
            .map(|s| s.id.as_deref())
            .eq([Some("5"), Some("6")])
    );
}

#[test]
fn a_group_that_is_null_has_no_text() {
    let schema = "message m { optional group meta { optional binary body (UTF8); } }";
    let body = Column {
        definition: vec![2, 1],
        ..strings(["a"])
    };
    let absent = Column {
        definition: vec![2, 0],
        ..strings(["a"])
    };
    for column in [body, absent] {
        assert_eq!(
            error(schema, vec![column], "meta.body", None),
            "a.parquet:2: the text in `meta.body` is null, not a string: choose another field with \
             `text_field`"
        );
    }
}

#[test]
fn a_name_with_a_dot_comes_before_a_path() {
    use parquet::basic::{LogicalType, Repetition, Type as Physical};
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::types::Type;
    use std::sync::Arc;
    let leaf = |name: &str| {
        let leaf = Type::primitive_type_builder(name, Physical::BYTE_ARRAY)
            .with_repetition(Repetition::OPTIONAL)
            .with_logical_type(Some(LogicalType::String));
        Arc::new(leaf.build().unwrap())
    };
    let group = Type::group_type_builder("a")
        .with_repetition(Repetition::OPTIONAL)
        .with_fields(vec![leaf("b")]);
    let fields = vec![Arc::new(group.build().unwrap()), leaf("a.b")];
    let schema = Type::group_type_builder("m")
        .with_fields(fields)
        .build()
        .unwrap();
    let mut writer =
        SerializedFileWriter::new(Vec::new(), Arc::new(schema), Arc::new(plain().build())).unwrap();
    let of = writer.schema_descr().columns().to_vec();
    let mut rows = writer.next_row_group().unwrap();
    for (text, level, of) in [("nested", 2, &of[0]), ("literal", 1, &of[1])] {
        let mut column = rows.next_column().unwrap().unwrap();
        let column_of = Column {
            definition: vec![level],
            ..strings([text])
        };
        super::write(&mut column, &column_of, of);
        column.close().unwrap();
    }
    rows.close().unwrap();
    let folder = Folder::new(&[("a.parquet", &writer.into_inner().unwrap())]);
    assert_eq!(
        texts(&folder.open("a.parquet", options("a.b", None)).unwrap()),
        ["literal"]
    );
}

#[test]
fn one_column_can_be_text_and_id() {
    let schema = "message m { required binary text (UTF8); }";
    let content = file(schema, plain(), &[vec![strings(["a", "b"])]]);
    let folder = Folder::new(&[("a.parquet", &content)]);
    let corpus = folder
        .open("a.parquet", options("text", Some("text")))
        .unwrap();
    let seen = scan(&corpus).unwrap();
    assert!(
        seen.iter()
            .map(|s| s.id.as_deref())
            .eq([Some("\"a\""), Some("\"b\"")])
    );
}

#[test]
fn a_file_without_columns() {
    let empty = file("message m { }", plain(), &[]);
    let folder = Folder::new(&[("a.parquet", &empty)]);
    let e = scan(&folder.open("a.parquet", Options::default()).unwrap()).unwrap_err();
    assert!(matches!(e, Error::NoColumn { .. }), "{e}");
    assert_eq!(
        folder.message(&e),
        "a.parquet: no column `text`; the file has no columns"
    );
}

#[test]
fn further_fields_are_strings_numbers_or_booleans() {
    let schema = "message m {
        required binary text (UTF8); optional double score; required float half;
        required boolean good; required int32 n; optional binary s (UTF8);
        repeated binary tags (UTF8);
    }";
    let optional = |values, definition: [i16; 3]| Column {
        definition: definition.to_vec(),
        ..all(values)
    };
    let columns = vec![
        strings(["a", "b", "c"]),
        optional(Values::Double(vec![0.1, f64::NAN]), [1, 1, 0]),
        all(Values::Float(vec![0.1, f32::INFINITY, 1e30])),
        all(Values::Bool(vec![true, false, true])),
        all(Values::Int32(vec![1, -2, 3])),
        optional(Values::Bytes(vec!["x\n".into()]), [0, 0, 1]),
        Column {
            repetition: vec![0; 3],
            ..optional(Values::Bytes(vec![]), [0; 3])
        },
    ];
    let folder = Folder::new(&[("a.parquet", &file(schema, plain(), &[columns]))]);
    let open = |fields: &[&str]| {
        let options = Options {
            fields: fields.iter().map(|f| f.parse().unwrap()).collect(),
            ..Options::default()
        };
        scan(&folder.open("a.parquet", options).unwrap())
    };
    let seen = open(&["score", "half", "good", "n", "s", "none", "text", "n"]).unwrap();
    let fields: Vec<Vec<&str>> = seen
        .iter()
        .map(|s| {
            s.fields
                .iter()
                .map(|f| f.as_deref().unwrap_or("-"))
                .collect()
        })
        .collect();
    assert_eq!(
        fields[0],
        ["0.1", "0.1", "true", "1", "-", "-", "\"a\"", "1"]
    );
    assert_eq!(
        fields[1],
        ["-", "-", "false", "-2", "-", "-", "\"b\"", "-2"]
    );
    assert_eq!(
        fields[2],
        ["-", "1e+30", "true", "3", "\"x\\n\"", "-", "\"c\"", "3"]
    );
    let e = open(&["tags"]).unwrap_err();
    assert_eq!(
        folder.message(&e),
        "a.parquet: the column `tags` holds lists, not strings, numbers or booleans; the file has \
         `text`, `score`, `half`, `good`, `n`, `s`, `tags`: choose one of these"
    );
}
