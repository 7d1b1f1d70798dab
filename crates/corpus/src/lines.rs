//! Bytes of a file that are whole records, and the records in them.

use crate::csv;
use crate::format::{Head, Layout};
use crate::json::{self, At, Fields};
use crate::{Error, File, Place, Record, Values};
use lookalike_core::plugin::Value;

/// Whole records of a file, or a whole file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'a> {
    pub(crate) bytes: &'a [u8],
    /// The bytes as text where all of them must be text, and are.
    text: Option<&'a str>,
    pub(crate) layout: &'static dyn Layout,
    /// What the start of the file said.
    pub(crate) head: Option<&'a Head>,
    pub(crate) name: &'a str,
    file: u32,
    /// Where `bytes` start in the file.
    start: u64,
    pub(crate) first_line: u64,
    /// The most bytes of a record.
    limit: u64,
}

/// Where a record ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Span {
    /// Its end, without what ends it.
    pub(crate) end: usize,
    /// The start of what follows it.
    pub(crate) next: usize,
    /// The lines from its start to `next`.
    pub(crate) lines: u64,
}

impl Span {
    /// Of a record that is one line.
    #[inline]
    pub(crate) fn line(end: usize, next: usize) -> Self {
        Self {
            end,
            next,
            lines: 1,
        }
    }

    /// Of a record that starts at `at` and may have line ends in it.
    pub(crate) fn lines(bytes: &[u8], at: usize, end: usize, next: usize) -> Self {
        Self {
            end,
            next,
            lines: memchr::memchr_iter(b'\n', &bytes[at..next]).count() as u64,
        }
    }
}

/// A record as a format reads it.
#[derive(Debug)]
pub(crate) struct Read<'a> {
    pub(crate) value: Value<'a>,
    pub(crate) id: Option<&'a str>,
    pub(crate) fields: Values<'a>,
    pub(crate) span: Span,
}

impl<'a> Read<'a> {
    /// A text without an id and fields.
    pub(crate) fn text(text: &'a str, span: Span) -> Self {
        Self::of(Value::Text(text), span)
    }

    /// A value without an id and fields.
    pub(crate) fn of(value: Value<'a>, span: Span) -> Self {
        Self {
            value,
            id: None,
            fields: Values::default(),
            span,
        }
    }
}

/// Buffers that are used again for every record.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    pub(crate) json: json::Scratch,
    pub(crate) csv: csv::Scratch,
    pub(crate) row: Row,
}

/// Buffers for a row.
#[derive(Debug, Default)]
pub(crate) struct Row {
    #[cfg(feature = "parquet")]
    pub(crate) bytes: Vec<u8>,
    pub(crate) numbers: Numbers,
}

/// Buffers for numbers of each type.
#[derive(Debug, Default)]
pub(crate) struct Numbers {
    pub(crate) naturals: Vec<u64>,
    pub(crate) signed: Vec<i64>,
    pub(crate) floats: Vec<f32>,
    pub(crate) doubles: Vec<f64>,
}

impl<'a> Lines<'a> {
    /// These bytes of a file, which start at a byte and a line of it.
    pub(crate) fn new(
        bytes: &'a [u8],
        of: &'a File,
        file: u32,
        start: u64,
        first_line: u64,
        limit: u64,
    ) -> Self {
        let layout = of.format().layout();
        let is_text = layout.facts().is_text;
        Self {
            bytes,
            text: is_text
                .then(|| simdutf8::basic::from_utf8(bytes).ok())
                .flatten(),
            layout,
            head: of.head(),
            name: of.name(),
            file,
            start,
            first_line,
            limit,
        }
    }

    /// The record that starts at `at`, and where it ends.
    #[inline]
    pub(crate) fn record(
        &self,
        at: usize,
        line: u64,
        fields: &Fields,
        scratch: &'a mut Scratch,
    ) -> Result<(Record<'a>, Span), Error> {
        let read = self.layout.read(self, at, line, fields, scratch)?;
        let record = Record {
            value: read.value,
            id: read.id,
            fields: read.fields,
            place: self.place(line, at, read.span.end)?,
        };
        Ok((record, read.span))
    }

    /// The start of the next line that is not blank, from the start of a line.
    #[inline]
    pub(crate) fn next_line(&self, mut line_start: usize, mut line: u64) -> Option<(usize, u64)> {
        let mut at = line_start;
        loop {
            match self.bytes.get(at)? {
                b'\n' => {
                    line_start = at + 1;
                    line += 1;
                }
                b' ' | b'\t' | b'\r' => {}
                _ => return Some((line_start, line)),
            }
            at += 1;
        }
    }

    /// All bytes as one record, if it was not read yet.
    pub(crate) fn whole(&self, at: usize, line: u64) -> Option<(usize, u64)> {
        (line == self.first_line).then_some((at, line))
    }

    /// The end of the line at `at`: `\n` and any `\r` before it end it.
    pub(crate) fn line_end(&self, at: usize) -> Span {
        let rest = &self.bytes[at..];
        let (line, next) = match memchr::memchr(b'\n', rest) {
            Some(len) => (&rest[..len], at + len + 1),
            None => (rest, self.bytes.len()),
        };
        let end = line
            .iter()
            .rposition(|&b| b != b'\r')
            .map_or(0, |last| last + 1);
        Span::line(at + end, next)
    }

    /// A line for messages.
    #[inline]
    pub(crate) fn at(&self, line: u64) -> At<'a> {
        At {
            file: self.name,
            line,
        }
    }

    #[inline]
    pub(crate) fn place(&self, line: u64, at: usize, end: usize) -> Result<Place, Error> {
        let bytes = (end - at) as u64;
        match u32::try_from(bytes) {
            Ok(short) if bytes <= self.limit => Ok(Place {
                start: self.start + at as u64,
                line,
                bytes: short,
                file: self.file,
            }),
            _ => Err(Error::TooLong {
                file: self.name.to_owned(),
                line,
                limit: self.limit,
            }),
        }
    }

    /// A part of the bytes as text.
    pub(crate) fn utf8(&self, line: u64, at: usize, end: usize) -> Result<&'a str, Error> {
        match self.text.and_then(|text| text.get(at..end)) {
            Some(text) => Ok(text),
            None => utf8(&self.bytes[at..end], self.name, line),
        }
    }
}

/// Bytes as text that starts at a line; the lines up to a fault are counted.
pub(crate) fn utf8<'a>(bytes: &'a [u8], file: &str, line: u64) -> Result<&'a str, Error> {
    simdutf8::compat::from_utf8(bytes).map_err(|e| {
        let valid = &bytes[..e.valid_up_to()];
        let start = memchr::memrchr(b'\n', valid).map_or(0, |newline| newline + 1);
        Error::Utf8 {
            file: file.to_owned(),
            line: line + memchr::memchr_iter(b'\n', valid).count() as u64,
            byte: (valid.len() - start) as u64 + 1,
        }
    })
}
