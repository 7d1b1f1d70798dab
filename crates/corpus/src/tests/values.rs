//! Records with their values.

use super::{Folder, scan, stdin, texts, twice};
use crate::{Corpus, Error, ErrorKind, Format, OnError, Options, Place};
use lookalike_core::plugin::Value;

/// A value that owns what it has; floats by their bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Owned {
    Text(String),
    Json(String),
    Bytes(Vec<u8>),
    Integers(Vec<u64>),
    Signed(Vec<i64>),
    Floats(Vec<u32>),
    Doubles(Vec<u64>),
}

impl From<Value<'_>> for Owned {
    fn from(value: Value<'_>) -> Self {
        match value {
            Value::Text(text) => Self::Text(text.to_owned()),
            Value::Json(json) => Self::Json(json.to_owned()),
            Value::Bytes(bytes) => Self::Bytes(bytes.to_owned()),
            Value::Integers(row) => Self::Integers(row.to_owned()),
            Value::Signed(row) => Self::Signed(row.to_owned()),
            Value::Floats(row) => Self::Floats(row.iter().map(|f| f.to_bits()).collect()),
            Value::Doubles(row) => Self::Doubles(row.iter().map(|f| f.to_bits()).collect()),
            other => panic!("{other:?}"),
        }
    }
}

impl Owned {
    /// The same with no blanks in JSON, which people like to read with some.
    pub(crate) fn compact(self) -> Self {
        match self {
            Self::Json(json) => {
                Self::Json(json.chars().filter(|c| !c.is_ascii_whitespace()).collect())
            }
            other => other,
        }
    }
}

/// All values of a corpus, by a scan.
pub(crate) fn scan_values(corpus: &Corpus) -> Result<Vec<(Owned, Place)>, Error> {
    let mut all = Vec::new();
    corpus.scan(
        || (),
        |(), documents| {
            let mut seen = Vec::new();
            while let Some(record) = documents.next_value()? {
                seen.push((Owned::from(record.value), record.place));
            }
            Ok(seen)
        },
        |_, seen| {
            all.extend(seen);
            Ok(())
        },
    )?;
    Ok(all)
}

pub(crate) fn values(corpus: &Corpus) -> Vec<Owned> {
    let seen = scan_values(corpus).unwrap();
    seen.into_iter().map(|(value, _)| value).collect()
}

pub(crate) fn any_value() -> Options {
    Options {
        values: true,
        ..twice()
    }
}

#[test]
fn a_json_field_is_text_or_as_it_is_written() {
    let content = r#"{"text": "a\nb"}
{"text": [1, "b" ]}
{"text": {"a": 1.50}}
{"text": -3e2}
{"text": null}
"#;
    let json = |json: &str| Owned::Json(json.to_owned());
    assert_eq!(
        values(&stdin(content.as_bytes(), any_value()).unwrap()),
        [
            Owned::Text("a\nb".to_owned()),
            json("[1, \"b\" ]"),
            json("{\"a\": 1.50}"),
            json("-3e2"),
            json("null"),
        ]
    );
}

#[test]
fn a_record_has_its_id_and_fields() {
    let content = "{\"id\": 7, \"text\": [1], \"n\": \"x\"}\n{\"text\": []}";
    let options = Options {
        fields: vec!["n".parse().unwrap()],
        ..any_value()
    };
    let corpus = stdin(content.as_bytes(), options).unwrap();
    let mut seen = Vec::new();
    let take = |_, of_block: Vec<_>| {
        seen.extend(of_block);
        Ok::<_, Error>(())
    };
    let work = |(): &mut (), documents: &mut crate::Documents<'_>| {
        let mut read = Vec::new();
        while let Some(record) = documents.next_value()? {
            let id = record.id.map(str::to_owned);
            read.push((id, record.fields.get(0).map(str::to_owned)));
        }
        Ok(read)
    };
    corpus.scan(|| (), work, take).unwrap();
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(seen, [(some("7"), some("\"x\"")), (None, None)]);
}

#[test]
fn a_record_without_the_field_is_refused_or_passed_over() {
    let content = b"{\"body\": 1}\n{\"text\": 1}\n{\"text\": ]}";
    let e = scan_values(&stdin(content, any_value()).unwrap()).unwrap_err();
    assert!(e.to_string().starts_with("stdin:1: no field `text`"), "{e}");
    let skip = Options {
        on_error: OnError::Skip,
        ..any_value()
    };
    assert_eq!(
        values(&stdin(content, skip).unwrap()),
        [Owned::Json("1".to_owned())]
    );
}

#[test]
fn text_is_asked_for_as_before() {
    let content = b"{\"text\": [1]}";
    let e = scan(&stdin(content, twice()).unwrap()).unwrap_err();
    assert!(matches!(e, Error::TextType { .. }), "{e}");
    // Who asks for documents among values gets those that are text.
    let e = scan(&stdin(content, any_value()).unwrap()).unwrap_err();
    assert_eq!(
        e.to_string(),
        "stdin:1: expected text, found the array `[1]`"
    );
    assert_eq!(
        texts(&stdin(b"{\"text\": \"a\"}", any_value()).unwrap()),
        ["a"]
    );
}

#[test]
fn files_of_bytes_are_read_whole() {
    let bytes: Vec<u8> = (0..=255).collect();
    let gz = super::gzip(b"abc");
    let folder = Folder::new(&[
        ("a", &bytes),
        ("b.gz", &gz),
        ("c.dat", &gz),
        ("d", "\u{FEFF}é".as_bytes()),
        ("e", b""),
    ]);
    let options = |values| Options {
        format: Some(Format::Bytes),
        values,
        ..twice()
    };
    let mut corpus = folder.open("", options(true)).unwrap();
    corpus.sizes.block = 7;
    let expected: [&[u8]; 5] = [&bytes, b"abc", &gz, "\u{FEFF}é".as_bytes(), b""];
    assert_eq!(
        values(&corpus),
        expected.map(|bytes| Owned::Bytes(bytes.to_owned()))
    );
    let corpus = folder.open("d", options(false)).unwrap();
    assert_eq!(texts(&corpus), ["\u{FEFF}é"]);
    let e = scan(&folder.open("a", options(false)).unwrap()).unwrap_err();
    assert!(e.to_string().contains("not UTF-8"), "{e}");
}

#[test]
fn rows_of_numbers_are_not_texts() {
    let folder = Folder::new(&[
        ("a.npy", b""),
        ("b.bin", b"ab"),
        ("c.txt", b"text"),
        ("d.fvecs", b""),
    ]);
    for (name, format) in [("a.npy", "npy"), ("b.bin", "packed"), ("d.fvecs", "fvecs")] {
        let e = folder.open(name, Options::default()).unwrap_err();
        assert_eq!(e.kind(), ErrorKind::Request);
        assert_eq!(
            folder.message(&e),
            format!(
                "{name}: rows of an array (format `{format}`) are not text; name a file of texts"
            )
        );
    }
    let beside = Options {
        beside: vec![folder.input("a.npy")],
        ..Options::default()
    };
    assert!(matches!(
        folder.open("c.txt", beside).unwrap_err(),
        Error::NotText { .. }
    ));
}
