//! The text and the id of a record.

use super::string::{self, Said};
use super::walk::{Cursor, utf8};
use super::{Unexpected, unquote};
use crate::values::Written;
use crate::{FieldPath, Values};
use lookalike_core::plugin::Value;
use std::ops::Range;

/// The fields of a record that are asked for.
#[derive(Clone, Debug)]
pub(crate) struct Fields {
    pub(crate) text: FieldPath,
    /// The setting that chooses the text.
    pub(crate) text_option: lookalike_core::plugin::Setting,
    pub(crate) id: FieldPath,
    /// Whether every record must have an id.
    pub(crate) id_required: bool,
    /// Fields that a record may have besides.
    pub(crate) more: Vec<FieldPath>,
    /// Whether the text may be any value.
    pub(crate) values: bool,
    /// The bytes of a record of packed bytes.
    pub(crate) record_bytes: Option<u32>,
}

/// Buffers for what is not in the input as such; used again for every record.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    text: Vec<u8>,
    id: String,
    more: Vec<Found>,
    values: Written,
}

/// What a well-formed record has. Ranges are those of the input.
#[derive(Debug)]
pub(super) struct Walked {
    text: Text,
    id: Option<Range<usize>>,
    /// After the closing brace.
    pub(super) end: usize,
}

#[derive(Debug)]
enum Text {
    Absent,
    /// A value that is not a string.
    Other(Range<usize>),
    String(Said),
}

/// What is asked for of a record.
#[derive(Debug)]
pub(super) struct Parts<'a> {
    pub(super) value: Value<'a>,
    pub(super) id: Option<&'a str>,
    pub(super) fields: Values<'a>,
}

/// Why a well-formed record is not a document.
#[derive(Clone, Copy, Debug)]
pub(super) enum Unfit {
    /// It has no text.
    NoText,
    /// Its text starts with this byte, and so is not a string.
    TextType(u8),
    /// It has no id, but must.
    NoId,
    /// Its id starts with this byte.
    IdType(u8),
}

/// Where a value was found, so that a literal key wins over nested ones.
#[derive(Debug, Default)]
struct Found {
    literal: Option<Range<usize>>,
    nested: Option<Range<usize>>,
}

impl Found {
    fn range(&self) -> Option<&Range<usize>> {
        self.literal.as_ref().or(self.nested.as_ref())
    }

    /// Looks at a member that has been checked: whether it is the field, or holds it.
    #[inline(always)]
    fn note<const LINES: bool>(
        &mut self,
        path: &FieldPath,
        bytes: &[u8],
        name: &[u8],
        value: &Range<usize>,
    ) -> Result<(), Unexpected> {
        if name == path.as_str().as_bytes() {
            self.literal = Some(value.clone());
        }
        if let Some((first, below)) = path.nested()
            && name == first.as_bytes()
        {
            self.nested = descend::<LINES>(bytes, value.clone(), below)?;
        }
        Ok(())
    }
}

/// Walks the record that starts at `at`. Of equal keys the last one counts.
#[inline]
pub(super) fn walk<const LINES: bool>(
    bytes: &[u8],
    at: usize,
    fields: &Fields,
    scratch: &mut Scratch,
) -> Result<Walked, Unexpected> {
    let mut cursor = Cursor::<LINES>::new(bytes, at);
    let mut text = Text::Absent;
    let mut nested_text = None;
    let mut id = Found::default();
    if !fields.more.is_empty() {
        scratch.more.clear();
        scratch.more.resize_with(fields.more.len(), Found::default);
    }
    let mut more = cursor.enter()?;
    while more {
        let key = cursor.key()?;
        let decoded;
        let name = if key.escaped {
            // A key with a lone surrogate is no name that could be asked for.
            decoded = unquote(&bytes[key.inner.start - 1..key.inner.end + 1]);
            decoded.as_deref().unwrap_or_default().as_bytes()
        } else {
            &bytes[key.inner]
        };
        let value = if name == fields.text.as_str().as_bytes() {
            if let Text::String(earlier) = &text {
                utf8(said(bytes, earlier, scratch))?;
            }
            let start = cursor.at;
            if cursor.peek() == Some(b'"') {
                let (said, end) = string::read(bytes, start + 1, &mut scratch.text)?;
                cursor.at = end;
                text = Text::String(said);
                start..end
            } else {
                text = Text::Other(cursor.value()?);
                start..cursor.at
            }
        } else {
            cursor.value()?
        };
        if let Some((first, below)) = fields.text.nested()
            && name == first.as_bytes()
        {
            nested_text = descend::<LINES>(bytes, value.clone(), below)?;
        }
        id.note::<LINES>(&fields.id, bytes, name, &value)?;
        if !fields.more.is_empty() {
            note_more::<LINES>(&mut scratch.more, fields, bytes, name, &value)?;
        }
        more = cursor.more()?;
    }
    if let (Text::Absent, Some(range)) = (&text, nested_text) {
        text = if bytes[range.start] == b'"' {
            Text::String(string::read(bytes, range.start + 1, &mut scratch.text)?.0)
        } else {
            Text::Other(range)
        };
    }
    Ok(Walked {
        text,
        id: id.range().cloned(),
        end: cursor.at,
    })
}

fn said<'a>(bytes: &'a [u8], said: &Said, scratch: &'a Scratch) -> &'a [u8] {
    match said {
        Said::Plain(range) => &bytes[range.clone()],
        Said::Unescaped(len) => &scratch.text[..*len],
    }
}

/// The value below an object that has been checked already.
fn descend<const LINES: bool>(
    bytes: &[u8],
    object: Range<usize>,
    path: &[String],
) -> Result<Option<Range<usize>>, Unexpected> {
    let Some((first, below)) = path.split_first() else {
        return Ok(Some(object));
    };
    if bytes[object.start] != b'{' {
        return Ok(None);
    }
    let mut cursor = Cursor::<LINES>::new(&bytes[..object.end], object.start);
    let mut found = None;
    let mut more = cursor.enter()?;
    while more {
        let key = cursor.key()?;
        let name = unquote(&bytes[key.inner.start - 1..key.inner.end + 1]);
        let value = cursor.value()?;
        if name.as_deref() == Some(first) {
            found = descend::<LINES>(bytes, value, below)?;
        }
        more = cursor.more()?;
    }
    Ok(found)
}

/// What is asked for of a record, or why it is not there.
pub(super) fn document<'a>(
    bytes: &'a [u8],
    walked: &Walked,
    fields: &Fields,
    scratch: &'a mut Scratch,
) -> Result<Result<Parts<'a>, Unfit>, Unexpected> {
    let value = match &walked.text {
        Text::Absent => return Ok(Err(Unfit::NoText)),
        Text::Other(range) if fields.values => Value::Json(utf8(&bytes[range.clone()])?),
        Text::Other(range) => return Ok(Err(Unfit::TextType(bytes[range.start]))),
        Text::String(Said::Plain(range)) => Value::Text(utf8(&bytes[range.clone()])?),
        Text::String(Said::Unescaped(len)) => Value::Text(utf8(&scratch.text[..*len])?),
    };
    let id = match &walked.id {
        Some(range) => id(&bytes[range.clone()], &mut scratch.id)?,
        None => Err(Unfit::NoId),
    };
    let id = match id {
        Ok(id) => Some(id),
        Err(unfit) if fields.id_required => return Ok(Err(unfit)),
        Err(_) => None,
    };
    let fields = if fields.more.is_empty() {
        Values::default()
    } else {
        values(bytes, &scratch.more, &mut scratch.values)?
    };
    Ok(Ok(Parts { value, id, fields }))
}

/// The id as JSON: a string or an integer.
fn id<'a>(raw: &'a [u8], rewritten: &'a mut String) -> Result<Result<&'a str, Unfit>, Unexpected> {
    // Negative zero is a number with a fraction to serde_json.
    let integer = || {
        let digits = raw.strip_prefix(b"-").unwrap_or(raw);
        digits.iter().all(u8::is_ascii_digit) && raw != b"-0"
    };
    match raw.first() {
        Some(b'"') if is_escaped(raw) => {
            *rewritten = canonical(raw)?;
            Ok(Ok(rewritten))
        }
        Some(b'"') => Ok(Ok(utf8(raw)?)),
        Some(_) if integer() => Ok(Ok(utf8(raw)?)),
        Some(&first) => Ok(Err(Unfit::IdType(first))),
        None => Err(Unexpected),
    }
}

/// Looks at a member for all further fields; apart, since most runs ask for none.
#[inline(never)]
fn note_more<const LINES: bool>(
    more: &mut [Found],
    fields: &Fields,
    bytes: &[u8],
    name: &[u8],
    value: &Range<usize>,
) -> Result<(), Unexpected> {
    for (path, found) in fields.more.iter().zip(more) {
        found.note::<LINES>(path, bytes, name, value)?;
    }
    Ok(())
}

/// Writes the values of the further fields.
#[inline(never)]
fn values<'a>(
    bytes: &[u8],
    more: &[Found],
    written: &'a mut Written,
) -> Result<Values<'a>, Unexpected> {
    written.clear();
    for found in more {
        match found.range().map(|range| &bytes[range.clone()]) {
            Some(raw) if raw.starts_with(b"\"") && is_escaped(raw) => {
                written.push(Some(&canonical(raw)?));
            }
            Some(raw) => written.push(Some(utf8(raw)?)),
            None => written.push(None),
        }
    }
    Ok(written.values())
}

fn is_escaped(string: &[u8]) -> bool {
    memchr::memchr(b'\\', string).is_some()
}

/// A JSON string with no more escapes than it needs.
fn canonical(string: &[u8]) -> Result<String, Unexpected> {
    let said = unquote(string).ok_or(Unexpected)?;
    Ok(serde_json::Value::String(said).to_string())
}
