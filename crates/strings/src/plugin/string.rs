use lookalike_core::plugin::{Error, Kind, Value};

use crate::Strings;

/// Strings: lines of text, JSON strings, cells of tables.
///
/// A string is taken as it is written: neither trimmed nor normalised. An empty string is an item like any other, as far
/// from another as that is long; blank lines of a text file are passed over before they come here.
#[derive(Clone, Copy, Debug)]
pub struct StringKind;

impl Kind for StringKind {
    const NAME: &'static str = "string";
    const FIELD: &'static str = "text";
    type Item = str;
    type Items = Strings;
    type Reading = ();

    fn parse(value: Value<'_>, (): &(), strings: &mut Strings) -> Result<(), Error> {
        strings.push(value.text()?);
        Ok(())
    }

    fn show(string: &str, _: usize) -> String {
        string.to_owned()
    }

    fn encode(string: &str, _: usize, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(string.as_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::Items;

    #[test]
    fn strings_come_back_as_they_are() {
        let mut strings = Strings::default();
        for string in ["", " rose ", "e\u{301}", "a\nb", "\u{0}"] {
            let mut bytes = Vec::new();
            StringKind::encode(string, 0, &mut bytes);
            StringKind::decode(&bytes, &mut strings).unwrap();
            let shown = StringKind::show(string, 0);
            StringKind::parse(Value::Text(&shown), &(), &mut strings).unwrap();
            let last = strings.count() - 1;
            assert_eq!([strings.item(last - 1), strings.item(last)], [string; 2]);
        }
        for (value, problem) in [
            (Value::Json("[1]"), "expected text, found the array `[1]`"),
            (Value::Bytes(b"\xff"), "the bytes are not UTF-8 text"),
        ] {
            let wrong = StringKind::parse(value, &(), &mut strings).unwrap_err();
            assert!(wrong.to_string().starts_with(problem), "{wrong}");
        }
        assert_eq!(strings.count(), 10);
    }
}
