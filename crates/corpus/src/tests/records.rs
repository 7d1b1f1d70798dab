//! The walk over records against serde_json.

use super::{Seen, scan, stdin};
use crate::{Error, Format, Options};
use proptest::prelude::*;
use serde::de::IgnoredAny;
use serde_json::Value;

/// What serde_json makes of a line.
enum Plain {
    Broken,
    /// Not the document that is asked for.
    Unfit,
    Document(String, Option<Value>, Vec<Option<Value>>),
    /// Skipping takes it, but reading does not: a lone surrogate or a number out of range.
    SkippedOnly,
}

/// Further fields that are asked for.
const FIELDS: [&str; 4] = ["meta", "meta.text", "id", "text"];

fn plain(line: &[u8], text: &str, id: &str) -> Plain {
    let Ok(line) = std::str::from_utf8(line) else {
        return Plain::Broken;
    };
    if serde_json::from_str::<IgnoredAny>(line).is_err() {
        return Plain::Broken;
    }
    let record = match serde_json::from_str(line) {
        Ok(Value::Object(record)) => record,
        Ok(_) => return Plain::Unfit,
        Err(_) => return Plain::SkippedOnly,
    };
    let find = |path: &str| {
        record.get(path).or_else(|| {
            let (first, below) = path.split_once('.')?;
            below
                .split('.')
                .try_fold(record.get(first)?, |value, part| value.get(part))
        })
    };
    match find(text) {
        Some(Value::String(text)) => Plain::Document(
            text.clone(),
            find(id).cloned(),
            FIELDS.iter().map(|path| find(path).cloned()).collect(),
        ),
        _ => Plain::Unfit,
    }
}

fn walked(line: &[u8], text: &str) -> Result<Vec<Seen>, Error> {
    let options = Options {
        format: Some(Format::Jsonl),
        text: text.parse().unwrap(),
        fields: FIELDS.map(|path| path.parse().unwrap()).to_vec(),
        ..Options::default()
    };
    scan(&stdin(line, options)?)
}

fn string() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => "[ -~]{0,40}",
        2 => "[\\\\\"/\n\r\t\u{8}\u{c}\u{1}]{1,6}",
        1 => "\\PC{0,8}",
        1 => Just("\u{1F600}é漢\u{7f}\u{2028}".to_owned()),
    ];
    prop::collection::vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

/// JSON of a string with escapes where they need not be.
fn quoted() -> impl Strategy<Value = String> {
    (string(), any::<u64>()).prop_map(|(s, mut bits)| {
        let mut json = String::from("\"");
        for c in s.chars() {
            bits = bits.rotate_left(7).wrapping_mul(0x9E37_79B9_7F4A_7C15);
            let plain = serde_json::to_string(&c).unwrap();
            if bits >> 61 == 0 {
                let mut units = [0; 2];
                for unit in c.encode_utf16(&mut units) {
                    json += &format!("\\u{unit:04x}");
                }
            } else if c == '/' {
                json += "\\/";
            } else {
                json += &plain[1..plain.len() - 1];
            }
        }
        json + "\""
    })
}

fn blank() -> impl Strategy<Value = &'static str> {
    prop_oneof![6 => Just(""), 2 => Just(" "), 1 => Just("\t \r"), 1 => Just("   ")]
}

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        6 => quoted(),
        1 => any::<i64>().prop_map(|n| n.to_string()),
        1 => any::<u64>().prop_map(|n| n.to_string()),
        1 => any::<f32>().prop_map(|n| serde_json::to_string(&n).unwrap()),
        1 => prop_oneof![Just("true"), Just("false"), Just("null"), Just("-0"), Just("0.5e-3")]
            .prop_map(str::to_owned),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|v| format!("[{}]", v.join(" ,"))),
            object(inner),
        ]
    })
}

fn object(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    let key = prop_oneof![
        3 => Just("\"text\"".to_owned()),
        2 => Just("\"id\"".to_owned()),
        1 => Just("\"t\\u0065xt\"".to_owned()),
        2 => Just("\"meta\"".to_owned()),
        1 => Just("\"meta.text\"".to_owned()),
        1 => quoted(),
    ];
    let member = (blank(), key, blank(), blank(), value, blank())
        .prop_map(|(a, key, b, c, value, d)| format!("{a}{key}{b}:{c}{value}{d}"));
    prop::collection::vec(member, 0..6).prop_map(|members| format!("{{{}}}", members.join(",")))
}

fn check(line: &[u8]) -> Result<(), TestCaseError> {
    for path in ["text", "meta.text"] {
        match (walked(line, path), plain(line, path, "id")) {
            (Ok(seen), Plain::Document(text, id, fields)) => {
                prop_assert_eq!(seen.len(), 1);
                prop_assert_eq!(&seen[0].text, &text);
                prop_assert_eq!(seen[0].place.line, 1);
                match id {
                    // An integer of any length stays one here, but not there.
                    Some(Value::Number(id)) if id.is_f64() => {}
                    Some(id @ (Value::String(_) | Value::Number(_))) => {
                        prop_assert_eq!(&seen[0].id, &Some(id.to_string()));
                    }
                    _ => prop_assert_eq!(&seen[0].id, &None),
                }
                let read = |json: &Option<String>| {
                    json.as_ref()
                        .map(|json| serde_json::from_str(json).unwrap())
                };
                prop_assert_eq!(seen[0].fields.iter().map(read).collect::<Vec<_>>(), fields);
            }
            (Ok(seen), Plain::Broken | Plain::Unfit) => {
                prop_assert!(seen.is_empty(), "accepted {seen:?}");
            }
            (Err(e), Plain::Document(..)) => prop_assert!(false, "refused: {e}"),
            (Err(e), Plain::Broken) => {
                prop_assert!(matches!(e, Error::Json { .. } | Error::Utf8 { .. }), "{e}");
            }
            (_, Plain::SkippedOnly) | (Err(_), Plain::Unfit) => {}
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn a_record_says_what_serde_json_says(a in blank(), record in object(value()), b in blank()) {
        check(format!("{a}{record}{b}").as_bytes())?;
    }

    #[test]
    fn a_broken_record_is_refused_as_by_serde_json(
        record in object(value()),
        breaks in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>()), 1..3),
    ) {
        let mut line = record.into_bytes();
        for (at, how, byte) in breaks {
            let at = at.index(line.len() + 1);
            let byte = if byte == b'\n' { b' ' } else { byte };
            match how {
                0 => line.truncate(at),
                1 if at < line.len() => line[at] = byte,
                2 if at < line.len() => { line.remove(at); }
                _ => line.insert(at, b"\"\\{}[],:0eu"[usize::from(byte) % 11]),
            }
        }
        check(&line)?;
    }
}

#[test]
fn long_strings_end_and_escape_at_every_place() {
    for len in 0..300 {
        for escape in [
            "",
            "\\n",
            "\\\\",
            "\\\"",
            "\\u00e9",
            "\\ud83d\\ude00",
            "\\\\\\\\\\n",
        ] {
            let text = format!("{}{escape}{escape}{}", "é".repeat(len / 2), "x".repeat(len));
            let line = format!("{{\"text\":\"{text}\",\"more\":\"{}\"}}", "y".repeat(200));
            check(line.as_bytes()).unwrap();
        }
    }
}

#[test]
fn of_equal_keys_the_last_counts_and_all_are_checked() {
    let seen = walked(
        br#"{"text": "a\n", "id": 1, "text": "b", "id": "c"}"#,
        "text",
    )
    .unwrap();
    assert_eq!(
        (seen[0].text.as_str(), seen[0].id.as_deref()),
        ("b", Some("\"c\""))
    );
    assert!(walked(b"{\"text\": \"\xFF\", \"text\": \"b\"}", "text").is_err());
    assert!(walked(br#"{"text": "b", "text": 3}"#, "text").is_err());
}

#[test]
fn a_literal_key_wins_over_a_nested_one() {
    let both = br#"{"meta.text": "literal", "meta": {"text": "nested"}}"#;
    assert_eq!(walked(both, "meta.text").unwrap()[0].text, "literal");
    let nested = br#"{"meta": {"text": "nes\u0074ed"}}"#;
    assert_eq!(walked(nested, "meta.text").unwrap()[0].text, "nested");
}

#[test]
fn ids_are_canonical() {
    let id = |json: &str| {
        let line = format!("{{\"id\": {json}, \"text\": \"\"}}");
        walked(line.as_bytes(), "text").unwrap()[0].id.clone()
    };
    assert_eq!(id(r#""\u0061\/""#).unwrap(), r#""a/""#);
    assert_eq!(id("-17").unwrap(), "-17");
    assert_eq!(
        id("123456789012345678901234567890").unwrap(),
        "123456789012345678901234567890"
    );
    assert_eq!(id("-0"), None);
    assert_eq!(id("null"), None);
    assert_eq!(id("1.5"), None);
}

#[test]
fn fields_are_json_as_it_stands_with_canonical_strings() {
    let fields = |line: &str| walked(line.as_bytes(), "text").unwrap()[0].fields.clone();
    let some = |json: &str| Some(json.to_owned());
    assert_eq!(
        fields(
            r#"{"text": "\u0061", "id": 1.50, "meta": { "text" : "\u0062", "o": [ "\u0063" ]}}"#
        ),
        [
            some(r#"{ "text" : "\u0062", "o": [ "\u0063" ]}"#),
            some(r#""b""#),
            some("1.50"),
            some(r#""a""#),
        ]
    );
    assert_eq!(
        fields(r#"{"text": "", "meta": {"text": 1}, "meta.text": null, "id": [], "id": -0}"#),
        [
            some(r#"{"text": 1}"#),
            some("null"),
            some("-0"),
            some("\"\"")
        ]
    );
    assert_eq!(fields(r#"{"text": ""}"#)[..3], [None, None, None]);
    let e = walked(br#"{"text": "", "meta": {"text": "\ud800"}}"#, "text").unwrap_err();
    assert!(e.to_string().starts_with("stdin:1:38: broken JSON"), "{e}");
}

#[test]
fn lines_and_files_have_no_fields() {
    for format in [Format::Lines, Format::Files] {
        let options = Options {
            format: Some(format),
            fields: vec!["a".parse().unwrap()],
            ..Options::default()
        };
        let seen = scan(&stdin(b"{\"a\": 1}\n", options).unwrap()).unwrap();
        assert!(seen[0].fields.is_empty());
    }
}
