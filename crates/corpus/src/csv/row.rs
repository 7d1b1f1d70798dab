//! The fields of a row.

use super::{Header, Unclosed};
use crate::Error;
use crate::json::At;
use crate::lines::{Read, Span};
use crate::values::Written;
use lookalike_core::plugin::Value;
use memchr::{memchr, memchr3};
use serde::de::IgnoredAny;
use std::ops::Range;

/// A field as it stands in the bytes of a row.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    raw: Range<usize>,
    form: Form,
}

#[derive(Clone, Copy, Debug)]
enum Form {
    Plain,
    /// In quotes, with none inside.
    Quoted,
    /// With quotes that are not part of what it says.
    Mixed,
}

/// The bytes of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Extent {
    pub(super) columns: usize,
    /// The end without what ends the row.
    pub(super) end: usize,
    /// The start of the next row.
    pub(super) next: usize,
}

/// Goes through the fields of the row at the start of the bytes.
#[inline]
pub(super) fn walk(
    bytes: &[u8],
    delimiter: u8,
    mut each: impl FnMut(Cell),
) -> Result<Extent, Unclosed> {
    let mut at = 0;
    let mut columns = 0;
    loop {
        let start = at;
        let mut form = Form::Plain;
        if bytes.get(at) == Some(&b'"') {
            form = Form::Quoted;
            at += 1;
            loop {
                at += memchr(b'"', &bytes[at..]).ok_or(Unclosed)? + 1;
                if bytes.get(at) != Some(&b'"') {
                    break;
                }
                form = Form::Mixed;
                at += 1;
            }
        }
        let is_at_end = |b: &u8| *b == delimiter || matches!(b, b'\n' | b'\r');
        if !bytes.get(at).is_none_or(is_at_end) {
            let rest = &bytes[at..];
            at += memchr3(delimiter, b'\n', b'\r', rest).unwrap_or(rest.len());
            if let Form::Quoted = form {
                form = Form::Mixed;
            }
        }
        columns += 1;
        let raw = start..at;
        each(Cell { raw, form });
        if bytes.get(at) != Some(&delimiter) {
            return Ok(Extent {
                columns,
                end: at,
                next: at + line_end(&bytes[at..]),
            });
        }
        at += 1;
    }
}

/// The bytes that end a line here.
fn line_end(bytes: &[u8]) -> usize {
    match bytes {
        [b'\r', b'\n', ..] => 2,
        [b'\r' | b'\n', ..] => 1,
        _ => 0,
    }
}

/// Where the row at `at` ends.
pub(crate) fn end(bytes: &[u8], at: usize, delimiter: u8) -> Span {
    let (end, next) = match walk(&bytes[at..], delimiter, |_| ()) {
        Ok(extent) => (at + extent.end, at + extent.next),
        Err(Unclosed) => (bytes.len(), bytes.len()),
    };
    Span::lines(bytes, at, end, next)
}

impl Cell {
    /// What the field says.
    pub(super) fn read<'a>(&self, row: &'a str, said: &'a mut String) -> &'a str {
        let Range { start, end } = self.raw;
        match self.form {
            Form::Plain => &row[start..end],
            Form::Quoted => &row[start + 1..end - 1],
            Form::Mixed => {
                said.clear();
                let mut rest = &row[start + 1..end];
                while let Some(quote) = memchr(b'"', rest.as_bytes()) {
                    let is_doubled = rest.as_bytes().get(quote + 1) == Some(&b'"');
                    said.push_str(&rest[..quote + usize::from(is_doubled)]);
                    rest = &rest[quote + 1 + usize::from(is_doubled)..];
                    if !is_doubled {
                        break;
                    }
                }
                said.push_str(rest);
                said
            }
        }
    }
}

/// Buffers for what is not in the input as such; used again for every row.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    cells: Vec<Cell>,
    text: String,
    said: String,
    id: String,
    json: String,
    values: Written,
}

/// Reads the row that starts at `at`; `utf8` gives a part of the bytes as text.
pub(crate) fn record<'a>(
    bytes: &'a [u8],
    at: usize,
    header: &Header,
    scratch: &'a mut Scratch,
    place: At<'_>,
    utf8: impl FnOnce(usize) -> Result<&'a str, Error>,
) -> Result<Read<'a>, Error> {
    let Scratch {
        cells,
        text,
        said,
        id,
        json,
        values,
    } = scratch;
    cells.clear();
    let columns = header.columns.len();
    let extent = walk(&bytes[at..], header.delimiter, |cell| {
        if cells.len() < columns {
            cells.push(cell);
        }
    });
    let extent = extent.map_err(|Unclosed| Error::OpenQuote {
        file: place.file.to_owned(),
        line: place.line,
    })?;
    let row = utf8(at + extent.end)?;
    if extent.columns != columns {
        return Err(Error::Columns {
            file: place.file.to_owned(),
            line: place.line,
            found: extent.columns,
            expected: columns,
            delimiter: header.delimiter.into(),
        });
    }
    let wanted = &header.wanted;
    let said_id = wanted.id.map(|id| cells[id].read(row, said));
    let id = match said_id {
        Some("") if wanted.id_required => {
            return Err(Error::IdType {
                file: place.file.to_owned(),
                line: place.line,
                field: header.columns[wanted.id.unwrap_or_default()].clone(),
                found: "empty",
            });
        }
        None | Some("") => None,
        Some(said) => {
            to_json(said, is_integer(said), id);
            Some(id.as_str())
        }
    };
    values.clear();
    for column in &wanted.more {
        let said = column.map_or("", |column| cells[column].read(row, said));
        if said.is_empty() {
            values.push(None);
        } else {
            to_json(said, is_number(said), json);
            values.push(Some(json));
        }
    }
    Ok(Read {
        value: Value::Text(cells[wanted.text].read(row, text)),
        id,
        fields: values.values(),
        span: Span::lines(bytes, at, at + extent.end, at + extent.next),
    })
}

/// What a field says as JSON.
fn to_json(said: &str, is_number: bool, json: &mut String) {
    json.clear();
    if is_number {
        json.push_str(said);
    } else if said.bytes().all(|b| b >= b' ' && b != b'"' && b != b'\\') {
        json.push('"');
        json.push_str(said);
        json.push('"');
    } else {
        json.push_str(&serde_json::Value::from(said).to_string());
    }
}

/// Whether this is an integer as JSON writes it, so that ids are those of the same records in JSONL.
fn is_integer(said: &str) -> bool {
    match said.strip_prefix('-').unwrap_or(said).as_bytes() {
        [b'0'] => said == "0",
        [b'1'..=b'9', digits @ ..] => digits.iter().all(u8::is_ascii_digit),
        _ => false,
    }
}

/// Whether this is a number as JSON writes it.
fn is_number(said: &str) -> bool {
    let may = matches!(said.as_bytes(), [b'-' | b'0'..=b'9', ..]);
    // The parser would take blanks.
    may && !said.ends_with(|c: char| c.is_ascii_whitespace())
        && serde_json::from_str::<IgnoredAny>(said).is_ok()
}
