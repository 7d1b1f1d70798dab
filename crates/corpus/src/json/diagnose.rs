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
        Error::Json {
            file: at.file.to_owned(),
            // An element of an array may have several lines.
            line: at.line + (e.line() as u64).saturating_sub(1),
            column: e.column() as u64,
            message: whole.split(" at line ").next().unwrap_or(&whole).to_owned(),
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
