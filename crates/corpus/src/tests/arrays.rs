//! JSON arrays of records.

use super::skipped::{scan_both, split};
use super::{scan, stdin, texts, twice};
use crate::{Corpus, Error, Format, OnError, Options, Place, Records};
use proptest::prelude::*;

fn options() -> Options {
    Options {
        format: Some(Format::Json),
        fields: vec!["n".parse().unwrap()],
        ..twice()
    }
}

fn skip() -> Options {
    Options {
        on_error: OnError::Skip,
        ..options()
    }
}

const PRETTY: &str = "\u{FEFF}
[
  {
    \"id\": \"a\",
    \"text\": \"one ] , {\",
    \"n\": [1,
      2]
  },
  {\"text\": \"two\\\"\"}, {\"text\": \"three\"}
]
";

fn corpora(content: &str, options: impl Fn() -> Options) -> impl Iterator<Item = Corpus> {
    [1, 7, 50, 1000].into_iter().map(move |block| {
        let mut corpus = stdin(content.as_bytes(), options()).unwrap();
        corpus.sizes.block = block;
        corpus
    })
}

#[test]
fn elements_are_records() {
    for corpus in corpora(PRETTY, options) {
        let seen = scan(&corpus).unwrap();
        let texts: Vec<&str> = seen.iter().map(|s| s.text.as_str()).collect();
        assert_eq!(texts, ["one ] , {", "two\"", "three"]);
        assert_eq!(seen[0].id.as_deref(), Some("\"a\""));
        assert_eq!(seen[0].fields, [Some("[1,\n      2]".to_owned())]);
        let lines: Vec<u64> = seen.iter().map(|s| s.place.line).collect();
        assert_eq!(lines, [3, 9, 9]);
    }
    for empty in ["[]", " [ \n ] "] {
        assert!(texts(&stdin(empty.as_bytes(), options()).unwrap()).is_empty());
    }
}

fn message(content: &str) -> String {
    let messages: Vec<String> = corpora(content, options)
        .map(|corpus| scan(&corpus).unwrap_err().to_string())
        .collect();
    assert!(messages.iter().all(|m| *m == messages[0]), "{messages:?}");
    messages[0].clone()
}

#[test]
fn what_is_wrong_with_an_array() {
    let broken = |line: u64, what: &str| format!("{line}: broken JSON array: {what}");
    let not_closed = |line| broken(line, "the array is not closed: the file ends first");
    for (content, expected) in [
        ("", not_closed(1)),
        (
            "{\"text\": \"\"}",
            broken(1, "the file does not start with `[`, so it is not an array"),
        ),
        ("[{\"text\": \"\"}", not_closed(1)),
        ("[\n{\"text\": \"\"},", not_closed(2)),
        ("[{\"text\": \"]", not_closed(1)),
        ("[{\"text\": \"\"},\n]", broken(2, "trailing comma")),
        ("[{\"text\": \"\"},,{}]", broken(1, "an element is missing")),
        ("[,{}]", broken(1, "an element is missing")),
        ("[{\"text\": \"\"}}]", broken(1, "`}` closes nothing")),
        ("[]\n []", broken(2, "something follows the array")),
        ("[\n{\"text\": \"\"} {}]", broken(2, "trailing characters")),
        (
            "[{\"text\":\n\n \"\n\"}]",
            broken(
                3,
                "control character (\\u0000-\\u001F) found while parsing a string",
            ),
        ),
        (
            "[\n1]",
            "2: a number instead of an object: each element of the array must be {…}".to_owned(),
        ),
        (
            "[\n{\"text\":\n 1}]",
            "2: the text in `text` is a number, not a string".to_owned(),
        ),
        (
            "[\n{\"body\":\n 1}]",
            "2: no field `text`; the record has `body`".to_owned(),
        ),
    ] {
        let message = message(content);
        assert!(
            message.starts_with(&format!("stdin:{expected}")),
            "{content:?}: {message}"
        );
    }
    let mut corpus = stdin(b"[{\"text\":\n\n \"a\xFF\"}]", options()).unwrap();
    corpus.sizes.block = 4;
    assert_eq!(
        scan(&corpus).unwrap_err().to_string(),
        "stdin:3: not UTF-8 at byte 4 of the line"
    );
}

#[test]
fn outputs_are_arrays_again() {
    let content =
        "[ {\"text\": \"a\"},\n {\"text\": 1},\n\n {\"text\":\n\"b\"} ,{\"text\": \"c\"}\n]\n";
    for corpus in corpora(content, skip) {
        let [kept, removed, skipped] = split(&corpus).map(|out| String::from_utf8(out).unwrap());
        assert_eq!(kept, "[ {\"text\": \"a\"} ,{\"text\": \"c\"}\n]\n");
        assert_eq!(removed, "[ {\"text\":\n\"b\"}\n]\n");
        assert_eq!(skipped, "[ {\"text\": 1}\n]\n");
    }
    for corpus in corpora("[ ]", options) {
        assert_eq!(split(&corpus), [b"[ ]", b"[ ]", b"[ ]"]);
    }
}

#[test]
fn elements_are_annotated() {
    let content =
        "[\n {\"text\": \"a\"\n },\n {\"text\": 1},\n {\"text\": \"b\"}, {\"text\": \"c\"} ]";
    for corpus in corpora(content, skip) {
        let (seen, passed) = scan_both(&corpus).unwrap();
        let documents: Vec<Place> = seen.iter().map(|s| s.place).collect();
        let skipped: Vec<Place> = passed.iter().map(|s| s.place).collect();
        let annotate = |name: &str| {
            let records = Records {
                file: 0,
                documents: &documents,
                skipped: &skipped,
            };
            let (mut out, mut skipped) = (Vec::new(), Vec::new());
            let value = |i: usize| (i != 1).then(|| i.to_string());
            corpus.annotate(records, name, value, &mut out, &mut skipped)?;
            Ok::<_, Error>([out, skipped].map(|out| String::from_utf8(out).unwrap()))
        };
        let [out, skipped] = annotate("m").unwrap();
        assert_eq!(
            out,
            "[\n {\"text\": \"a\", \"m\": 0\n },\n {\"text\": \"b\"}, {\"text\": \"c\", \"m\": 2} ]"
        );
        assert_eq!(skipped, "[\n {\"text\": 1} ]");
        let e = annotate("text").unwrap_err();
        assert!(
            e.to_string()
                .starts_with("stdin:2: the record has a field `text`"),
            "{e}"
        );
    }
}

#[test]
fn an_array_is_not_held_whole() {
    let element = format!("{{\"text\": \"{}\"}}", "a\\n".repeat(3000));
    let content = format!("[{}]", vec![element; 40].join(",\n"));
    let mut corpus = stdin(content.as_bytes(), options()).unwrap();
    corpus.sizes.block = 20_000;
    let mut blocks = 0;
    let work = |(): &mut (), documents: &mut crate::Documents<'_>| {
        let mut n = 0;
        while documents.next()?.is_some() {
            n += 1;
        }
        Ok::<_, Error>(n)
    };
    let take = |_, documents: usize| {
        assert!(documents <= 4);
        blocks += 1;
        Ok(())
    };
    corpus.scan(|| (), work, take).unwrap();
    assert!(blocks >= 13);
}

/// The texts of an array, by serde_json; none if it is not an array of records with one each.
fn by_serde_json(content: &str) -> Option<Vec<String>> {
    let elements: Vec<serde_json::Map<String, serde_json::Value>> =
        serde_json::from_str(content).ok()?;
    let text = |element: &serde_json::Map<_, serde_json::Value>| {
        element
            .get("text")
            .and_then(serde_json::Value::as_str)
            .map(str::to_owned)
    };
    elements.iter().map(text).collect()
}

proptest! {
    #[test]
    fn an_array_is_what_serde_json_says(
        tokens in prop::collection::vec(0..14usize, 0..16),
        block in 1..30usize,
    ) {
        const TOKENS: [&str; 14] = [
            "{\"text\": \"a\"}", "{\"text\":\n\"]\\\"\"}", "{\"text\": 1}", ",", ",", ",\n", "[", "]", "{", "}", "\"", "\\", "1", " ",
        ];
        let inner: String = tokens.iter().map(|&token| TOKENS[token]).collect();
        for content in [format!("[{inner}]"), inner] {
            let expected = by_serde_json(&content);
            let mut corpus = stdin(content.as_bytes(), options()).unwrap();
            corpus.sizes.block = block;
            let read = scan(&corpus).ok();
            let read = read.map(|seen| seen.into_iter().map(|s| s.text).collect::<Vec<_>>());
            prop_assert_eq!(&read, &expected, "{}", content);
            // What is passed over and what is read are all elements, if the array is one.
            let mut corpus = stdin(content.as_bytes(), skip()).unwrap();
            corpus.sizes.block = block;
            let all = serde_json::from_str::<Vec<serde_json::Value>>(&content);
            if let Ok(all) = all {
                let (seen, skipped) = scan_both(&corpus).unwrap();
                prop_assert_eq!(seen.len() + skipped.len(), all.len());
                for out in split(&corpus) {
                    prop_assert!(serde_json::from_slice::<Vec<serde_json::Value>>(&out).is_ok());
                }
            } else if let Ok((_, skipped)) = scan_both(&corpus) {
                prop_assert!(!skipped.is_empty());
            }
        }
    }
}
