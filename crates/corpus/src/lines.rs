//! Bytes of a file that are whole records, and the records in them.

use crate::csv::{self, Header};
use crate::json::{self, At, Fields, Record};
use crate::{Document, Error, File, Format, Place, Values};

/// Whole records of a file, or a whole file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    /// The bytes as text where they are no JSON and valid as a whole.
    text: Option<&'a str>,
    format: Format,
    /// What CSV needs.
    header: Option<&'a Header>,
    name: &'a str,
    file: u32,
    /// Where `bytes` start in the file.
    start: u64,
    pub(crate) first_line: u64,
    /// The most bytes of a record.
    limit: u64,
}

/// Buffers that are used again for every record.
#[derive(Debug, Default)]
pub(crate) struct Scratch {
    json: json::Scratch,
    csv: csv::Scratch,
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
        let text = match of.format() {
            Format::Jsonl | Format::Parquet => None,
            Format::Csv | Format::Lines | Format::Files => simdutf8::basic::from_utf8(bytes).ok(),
        };
        Self {
            bytes,
            text,
            format: of.format(),
            header: of.header(),
            name: of.name(),
            file,
            start,
            first_line,
            limit,
        }
    }

    /// Where the next record starts, and its line, from the start of a line on. What is
    /// blank is no record; a file as a document is one if it was not read yet.
    #[inline]
    pub(crate) fn start(&self, mut line_start: usize, mut line: u64) -> Option<(usize, u64)> {
        if self.format == Format::Files {
            return (line == self.first_line).then_some((line_start, line));
        }
        // Blanks may be a row.
        let is_csv = self.format == Format::Csv;
        let mut at = line_start;
        loop {
            match self.bytes.get(at) {
                Some(b'\n') => {
                    at += 1;
                    line_start = at;
                    line += 1;
                }
                Some(b'\r') if is_csv => {
                    at += 1;
                    line_start = at;
                }
                Some(b' ' | b'\t' | b'\r') if !is_csv => at += 1,
                Some(_) => return Some((line_start, line)),
                None => return None,
            }
        }
    }

    /// The document that starts at `at`, and where the next line does.
    #[inline]
    pub(crate) fn document(
        &self,
        at: usize,
        line: u64,
        fields: &Fields,
        scratch: &'a mut Scratch,
    ) -> Result<(Document<'a>, usize), Error> {
        let place = At {
            file: self.name,
            line,
        };
        let record = match (self.format, self.header) {
            (Format::Jsonl | Format::Parquet, _) => {
                json::record(self.bytes, at, fields, &mut scratch.json, place)?
            }
            (Format::Csv, Some(header)) => {
                let utf8 = |end| self.utf8(line, at, end);
                csv::record(self.bytes, at, header, &mut scratch.csv, place, utf8)?
            }
            (Format::Csv, None) => return Err(Error::changed(self.name)),
            (Format::Lines | Format::Files, _) => {
                let (end, next) = self.end(at);
                Record {
                    text: self.utf8(line, at, end)?,
                    id: None,
                    fields: Values::default(),
                    end,
                    next,
                }
            }
        };
        let document = Document {
            text: record.text,
            id: record.id,
            fields: record.fields,
            place: self.place(line, at, record.end)?,
        };
        Ok((document, record.next))
    }

    /// The end of the record at `at` without what ends it, and the start of the next.
    pub(crate) fn end(&self, at: usize) -> (usize, usize) {
        let all = self.bytes.len();
        if self.format == Format::Files {
            return (all, all);
        }
        if let Some(header) = self.header {
            return csv::end(self.bytes, at, header.delimiter);
        }
        let rest = &self.bytes[at..];
        let (line, next) = match memchr::memchr(b'\n', rest) {
            Some(len) => (&rest[..len], at + len + 1),
            None => (rest, all),
        };
        let end = line
            .iter()
            .rposition(|&b| b != b'\r')
            .map_or(0, |last| last + 1);
        (at + end, next)
    }

    /// The lines that the record from `at` to the start of the next one takes.
    #[inline]
    pub(crate) fn count(&self, at: usize, next: usize) -> u64 {
        match self.format {
            Format::Csv => memchr::memchr_iter(b'\n', &self.bytes[at..next]).count() as u64,
            Format::Jsonl | Format::Lines | Format::Files | Format::Parquet => 1,
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
    fn utf8(&self, line: u64, at: usize, end: usize) -> Result<&'a str, Error> {
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
