//! What is wrong with a line, in serde_json's words where it is the JSON.

use super::At;
use super::record::{Fields, Unfit};
use crate::{Error, lines};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// The error of a line that the walk refused.
#[cold]
pub(super) fn error(line: &[u8], fields: &Fields, unfit: Option<Unfit>, at: At<'_>) -> Error {
    let file = || at.file.to_owned();
    match unfit {
        None => broken(line, fields, at),
        Some(Unfit::NoText) => Error::NoField {
            file: file(),
            line: at.line,
            field: fields.text.to_string(),
            present: keys(line),
            option: fields.text_option,
        },
        Some(Unfit::NoId) => Error::NoField {
            file: file(),
            line: at.line,
            field: fields.id.to_string(),
            present: keys(line),
            option: crate::ID_FIELD,
        },
        Some(Unfit::TextType(first)) => Error::TextType {
            file: file(),
            line: at.line,
            field: fields.text.to_string(),
            found: kind(first),
            option: fields.text_option,
        },
        Some(Unfit::IdType(first)) => Error::IdType {
            file: file(),
            line: at.line,
            field: fields.id.to_string(),
            found: match first {
                b'-' | b'0'..=b'9' => "a number that is not an integer",
                first => kind(first),
            },
        },
    }
}

/// What a value is, by its first byte.
fn kind(first: u8) -> &'static str {
    match first {
        b'"' => "a string",
        b'{' => "an object",
        b'[' => "an array",
        b'n' => "null",
        b't' | b'f' => "a boolean",
        _ => "a number",
    }
}

fn broken(line: &[u8], fields: &Fields, at: At<'_>) -> Error {
    let file = at.file.to_owned();
    if let Err(e) = lines::utf8(line, at.file, at.line) {
        return e;
    }
    let json = |e: serde_json::Error| {
        let whole = e.to_string();
        let of_line = line
            .split(|byte| *byte == b'\n')
            .nth(e.line().saturating_sub(1));
        let named = of_line.and_then(|line| known_fault(line, e.column()));
        let said = || whole.split(" at line ").next().unwrap_or(&whole).to_owned();
        Error::Json {
            file: at.file.to_owned(),
            // An element of an array may have several lines.
            line: at.line + (e.line() as u64).saturating_sub(1),
            column: e.column() as u64,
            message: named.unwrap_or_else(said),
        }
    };
    if let Err(e) = serde_json::from_slice::<IgnoredAny>(line) {
        return json(e);
    }
    let first = line.iter().copied().find(|b| !b.is_ascii_whitespace());
    match first {
        Some(b'{') => {}
        first => {
            return Error::NotAnObject {
                file,
                line: at.line,
                found: first.map_or("nothing", kind),
            };
        }
    }
    // Skipping a string lets lone surrogates pass; reading it does not.
    let mut de = serde_json::Deserializer::from_slice(line);
    match (Strings { fields }).deserialize(&mut de) {
        Err(e) => json(e),
        Ok(()) => Error::Json {
            file,
            line: at.line,
            column: 1,
            message: "a record that cannot be read".to_owned(),
        },
    }
}

/// Faults that other programs write, by what is at a column, from 1.
fn known_fault(line: &[u8], column: usize) -> Option<String> {
    let text = String::from_utf8_lossy(&line[..line.len().min(column + 8)]).into_owned();
    let before = text.get(..column.min(text.len()))?;
    let is_word = |c: char| c.is_ascii_alphabetic() || c == '-';
    let word = before.trim_end_matches(is_word).len();
    let word = text[word..]
        .split(|c| !is_word(c))
        .next()
        .unwrap_or_default();
    if ["NaN", "Infinity", "-Infinity", "-NaN"].contains(&word) {
        return Some(format!(
            "{word} is not a value of JSON; write null or a number"
        ));
    }
    // A fault shows at the end of an escape, or of the one after it, which should have been the other half.
    let is_near = |at: usize| before.len() - at <= 13;
    let escapes = before.match_indices("\\u").map(|(at, _)| at);
    let mut digits = escapes
        .filter(|&at| is_near(at))
        .filter_map(|at| text.get(at + 2..at + 6));
    let is_surrogate = |digits: &&str| {
        let code = u32::from_str_radix(digits, 16);
        code.is_ok_and(|code| (0xD800..0xE000).contains(&code))
    };
    digits.find(is_surrogate).map(|digits| {
        format!("lone surrogate `\\u{digits}`: half of a character, which no text can hold; write `\\ufffd`")
    })
}

/// Reads the strings of a record that are asked for, at any depth, and skips the rest.
struct Strings<'f> {
    fields: &'f Fields,
}

impl<'de> DeserializeSeed<'de> for Strings<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Strings<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a record")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(key) = map.next_key::<String>()? {
            let asked = [&self.fields.text, &self.fields.id]
                .into_iter()
                .chain(&self.fields.more)
                .any(|path| path.as_str().split('.').next() == Some(&key) || path.as_str() == key);
            if asked {
                map.next_value::<serde_json::Value>()?;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// The keys of a record in their order, each once.
fn keys(line: &[u8]) -> Vec<String> {
    struct Keys(Vec<String>);
    impl<'de> Deserialize<'de> for Keys {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_map(KeysVisitor).map(Self)
        }
    }
    struct KeysVisitor;
    impl<'de> Visitor<'de> for KeysVisitor {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a record")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<String>, A::Error> {
            let (mut keys, mut seen) = (Vec::new(), HashSet::new());
            while let Some((key, _)) = map.next_entry::<String, IgnoredAny>()? {
                if seen.insert(key.clone()) {
                    keys.push(key);
                }
            }
            Ok(keys)
        }
    }
    serde_json::from_slice::<Keys>(line).map_or_else(|_| Vec::new(), |keys| keys.0)
}
