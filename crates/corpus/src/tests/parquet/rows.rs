//! Rows are documents, however they are written.

use super::super::{Folder, Seen, gzip, scan, stdin, texts, twice};
use super::{Column, TWO, Values, all, file, groups, plain, some_strings, strings, text, ways};
use crate::{Error, ErrorKind, Format, OnError, Options};

fn jsonl(rows: usize) -> String {
    let record = |id: usize| {
        let text = serde_json::Value::from(text(id as i64));
        format!("{{\"text\": {text}, \"id\": {id}}}\n")
    };
    (0..rows).map(record).collect()
}

#[test]
fn rows_are_the_same_as_records_however_they_are_written() {
    let folder = Folder::new(&[("a.jsonl", jsonl(60).as_bytes())]);
    let records = scan(&folder.open("a.jsonl", twice()).unwrap()).unwrap();
    for (way, properties) in ways() {
        folder.write(
            "a.parquet",
            &file(TWO, properties, &groups(&[25, 0, 1, 34])),
        );
        let corpus = folder.open("a.parquet", twice()).unwrap();
        assert_eq!(corpus.files()[0].format(), Format::Parquet);
        let rows = scan(&corpus).unwrap();
        assert_eq!(rows, records, "{way}");
        let mut reader = corpus.reader();
        for row in rows.iter().rev() {
            assert_eq!(Seen::from(reader.read(&row.place).unwrap()), *row, "{way}");
        }
    }
}

#[test]
fn blocks_do_not_matter() {
    let folder = Folder::new(&[("a.parquet", &file(TWO, plain(), &groups(&[300, 400])))]);
    let expected = scan(&folder.open("a.parquet", twice()).unwrap()).unwrap();
    assert_eq!(expected.len(), 700);
    for block in [1, 100, 5000] {
        let mut corpus = folder.open("a.parquet", twice()).unwrap();
        corpus.sizes.block = block;
        assert_eq!(scan(&corpus).unwrap(), expected);
        assert_eq!(scan(&corpus).unwrap(), expected);
    }
}

#[test]
fn all_of_the_file_is_consumed_at_the_end() {
    let content = file(TWO, plain(), &groups(&[300, 400]));
    let folder = Folder::new(&[("a.parquet", &content)]);
    let corpus = folder.open("a.parquet", Options::default()).unwrap();
    let mut consumed = 0;
    corpus
        .scan(
            || (),
            |(), _| Ok::<_, Error>(()),
            |block, ()| {
                assert!(block.consumed >= consumed);
                consumed = block.consumed;
                Ok(())
            },
        )
        .unwrap();
    assert_eq!(corpus.bytes(), Some(content.len() as u64));
    assert_eq!(consumed, content.len() as u64);
}

#[test]
fn long_texts_are_written_in_parts() {
    let long: Vec<String> = (1..6).map(|n| "a\n\u{E9}".repeat(n * 50_000)).collect();
    let column = strings(long.iter().map(String::as_str));
    let schema = "message m { required binary text (UTF8); }";
    for (_, properties) in ways() {
        let folder = Folder::new(&[(
            "a.parquet",
            &file(schema, properties, &[vec![column.clone()]]),
        )]);
        assert_eq!(
            texts(&folder.open("a.parquet", Options::default()).unwrap()),
            long
        );
    }
}

#[test]
fn files_without_rows() {
    for groups in [groups(&[]), groups(&[0]), groups(&[0, 0])] {
        let folder = Folder::new(&[("a.parquet", &file(TWO, plain(), &groups))]);
        let corpus = folder.open("a.parquet", twice()).unwrap();
        assert_eq!(scan(&corpus).unwrap(), []);
    }
}

#[test]
fn a_row_without_a_text_is_no_document() {
    let schema = "message m { optional binary text (UTF8); }";
    let column = some_strings(&[Some("a"), Some(""), None, Some("b")]);
    let folder = Folder::new(&[("a.parquet", &file(schema, plain(), &[vec![column]]))]);
    let e = scan(&folder.open("a.parquet", Options::default()).unwrap()).unwrap_err();
    assert_eq!(
        folder.message(&e),
        "a.parquet:3: the text in `text` is null, not a string: choose another field with `text_field`"
    );
    assert_eq!(e.kind(), ErrorKind::Content);
}

#[test]
fn a_row_with_bytes_that_are_no_text_is_named() {
    let schema = "message m { required binary text; }";
    let column = all(Values::Bytes(vec![
        b"a".to_vec().into(),
        vec![b'b', 0xFF].into(),
    ]));
    let folder = Folder::new(&[("a.parquet", &file(schema, plain(), &[vec![column]]))]);
    let e = scan(&folder.open("a.parquet", Options::default()).unwrap()).unwrap_err();
    let Error::Utf8 { line: 2, .. } = e else {
        panic!("{e}")
    };
    assert_eq!(e.kind(), ErrorKind::Content);
}

#[test]
fn a_row_without_an_id_goes_by_its_place() {
    let ids = Column {
        definition: vec![0, 1, 0],
        ..all(Values::Int64(vec![7]))
    };
    let content = file(TWO, plain(), &[vec![strings(["a", "b", "c"]), ids]]);
    let folder = Folder::new(&[("a.parquet", &content)]);
    let seen = scan(&folder.open("a.parquet", Options::default()).unwrap()).unwrap();
    assert!(
        seen.iter()
            .map(|s| s.id.as_deref())
            .eq([None, Some("7"), None])
    );
    assert!(seen.iter().map(|s| s.place.line).eq([1, 2, 3]));
    let options = Options {
        id: Some("id".parse().unwrap()),
        ..Options::default()
    };
    let e = scan(&folder.open("a.parquet", options).unwrap()).unwrap_err();
    assert_eq!(
        folder.message(&e),
        "a.parquet:1: no field `id`; the record has `text`: choose one with `id_field`"
    );
}

#[test]
fn content_tells_parquet_where_the_name_does_not() {
    let content = file(TWO, plain(), &groups(&[3]));
    let folder = Folder::new(&[("part-0", &content), ("b.PARQUET", &content)]);
    for name in ["part-0", "b.PARQUET"] {
        let corpus = folder.open(name, Options::default()).unwrap();
        assert_eq!(corpus.files()[0].format(), Format::Parquet);
        assert_eq!(texts(&corpus).len(), 3);
    }
    assert_eq!("parquet".parse::<Format>().unwrap().to_string(), "parquet");
}

#[test]
fn parquet_must_be_a_file_as_it_is() {
    let content = file(TWO, plain(), &groups(&[3]));
    let e = stdin(&content, twice()).unwrap_err();
    assert_eq!(
        e.to_string(),
        "stdin: Parquet cannot be read from a pipe; save it to a file, and name that"
    );
    assert_eq!(e.kind(), ErrorKind::Request);
    let folder = Folder::new(&[("a.parquet.gz", &gzip(&content)), ("b", &gzip(&content))]);
    for name in ["a.parquet.gz", "b"] {
        let e = folder.open(name, twice()).unwrap_err();
        assert_eq!(
            folder.message(&e),
            format!("{name}: Parquet inside gzip or zstd cannot be read; unpack it first")
        );
    }
}

#[test]
fn a_file_that_changes_is_named() {
    let folder = Folder::new(&[("a.parquet", &file(TWO, plain(), &groups(&[3])))]);
    let corpus = folder.open("a.parquet", twice()).unwrap();
    folder.write("a.parquet", &file(TWO, plain(), &groups(&[4])));
    let e = scan(&corpus).unwrap_err();
    assert_eq!(e.kind(), ErrorKind::Changed);
}

#[test]
fn rows_that_are_no_documents_can_be_passed_over() {
    let schema = "message m { optional binary text; }";
    let column = Column {
        definition: vec![1, 0, 1, 1],
        ..all(Values::Bytes(vec![
            b"a".to_vec().into(),
            vec![0xFF].into(),
            b"b".to_vec().into(),
        ]))
    };
    let folder = Folder::new(&[("a.parquet", &file(schema, plain(), &[vec![column]]))]);
    let options = Options {
        on_error: OnError::Skip,
        ..Options::default()
    };
    let corpus = folder.open("a.parquet", options).unwrap();
    let seen = scan(&corpus).unwrap();
    assert!(
        seen.iter()
            .map(|s| (s.text.as_str(), s.place.line))
            .eq([("a", 1), ("b", 4)])
    );
}
