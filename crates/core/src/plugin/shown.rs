//! Names of files in messages.

use std::borrow::Cow;
use std::path::Path;

/// Text that a terminal shows and does not obey: control characters and marks that change the direction of writing are
/// escaped.
///
/// ```
/// use lookalike_core::plugin::printable;
///
/// assert_eq!(printable("notes.txt"), "notes.txt");
/// assert_eq!(printable("\u{1b}[31mred\n"), r"\u{1b}[31mred\u{a}");
/// ```
#[must_use]
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for character in text.chars() {
        match is_obeyed(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Whether a terminal does something else with a character than to show it.
fn is_obeyed(character: char) -> bool {
    let turns = matches!(character, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns || matches!(character, '\u{2028}' | '\u{2029}')
}

/// A path for messages: [printable], and bytes that are not Unicode are escaped, so that different names stay different.
///
/// ```
/// use lookalike_core::plugin::shown;
///
/// assert_eq!(shown("data/a.txt"), "data/a.txt");
/// assert_eq!(shown("data/\u{7}.txt"), r"data/\u{7}.txt");
/// ```
#[must_use]
pub fn shown(path: impl AsRef<Path>) -> String {
    let mut shown = String::new();
    for chunk in path.as_ref().as_os_str().as_encoded_bytes().utf8_chunks() {
        shown += &printable(chunk.valid());
        for byte in chunk.invalid() {
            shown += &format!("\\x{byte:02x}");
        }
    }
    shown
}

/// Whether a name is a URL, such as `s3://bucket/corpus`: nothing here reads or writes over a network.
///
/// ```
/// use lookalike_core::plugin::is_url;
///
/// assert!(is_url("s3://bucket/corpus") && is_url("https://example.org/a.jsonl"));
/// assert!(!is_url("data/a.jsonl") && !is_url("C://data") && !is_url("a b://c"));
/// ```
#[must_use]
pub fn is_url(name: &str) -> bool {
    let Some((scheme, _)) = name.split_once("://") else {
        return false;
    };
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    // One letter is a drive.
    scheme.len() > 1 && scheme.as_bytes()[0].is_ascii_alphabetic() && scheme.bytes().all(is_part)
}
