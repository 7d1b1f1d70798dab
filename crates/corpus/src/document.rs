use crate::json::{self, At, Fields, Scratch};
use crate::{Corpus, Error, File, Format, OnError, Values};

/// A document of a corpus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Document<'a> {
    /// Its text.
    pub text: &'a str,
    /// Its id as JSON: `"a"` or `17`. Strings are written one way, whatever escapes the
    /// record has, so that equal ids are equal here.
    pub id: Option<&'a str>,
    /// The further fields that were asked for.
    pub fields: Values<'a>,
    /// Where it is.
    pub place: Place,
}

/// Where a document is: enough to read it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The first byte of the record in the decompressed file.
    pub start: u64,
    /// The line of the record, from 1; 1 for a whole file.
    pub line: u64,
    /// The bytes of the record, without its line end: `\n` and any `\r` before it.
    pub bytes: u32,
    /// The file's number in [`Corpus::files`](crate::Corpus::files).
    pub file: u32,
}

/// A record that was passed over, since it is not a document ([`OnError::Skip`]).
#[derive(Debug)]
pub struct Skipped {
    /// Where it is.
    pub place: Place,
    /// Why it is not a document.
    pub reason: Error,
}

/// Some documents of one file that follow each other: what one call of a scan sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// The file's number in [`Corpus::files`](crate::Corpus::files).
    pub file: u32,
    /// The line at which the block starts, from 1.
    pub first_line: u64,
    /// Bytes of the inputs that have been read so far, as they are on disk: compare with
    /// [`Corpus::bytes`](crate::Corpus::bytes) for progress.
    pub consumed: u64,
}

/// Whole lines of a file, or a whole file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    /// The bytes as text where they are plain text and valid as a whole.
    text: Option<&'a str>,
    format: Format,
    name: &'a str,
    file: u32,
    /// Where `bytes` start in the file.
    start: u64,
    first_line: u64,
    /// The most bytes of a record.
    limit: u64,
}

/// The documents of a block, one after the other.
///
/// Not an [`Iterator`], since a document may live in a buffer that the next one uses.
#[derive(Debug)]
pub struct Documents<'a> {
    lines: Lines<'a>,
    at: usize,
    line: u64,
    fields: &'a Fields,
    scratch: &'a mut Scratch,
    on_error: OnError,
    skipped: Vec<Skipped>,
}

impl<'a> Documents<'a> {
    pub(crate) fn new(lines: Lines<'a>, corpus: &'a Corpus, scratch: &'a mut Scratch) -> Self {
        Self {
            lines,
            at: 0,
            line: lines.first_line,
            fields: &corpus.fields,
            scratch,
            on_error: corpus.options.on_error,
            skipped: Vec::new(),
        }
    }

    /// The next document, until there is none.
    ///
    /// # Errors
    ///
    /// If the record is not a document and is not to be passed over; the error says why
    /// and where.
    #[expect(
        clippy::should_implement_trait,
        reason = "it lends, which Iterator cannot"
    )]
    #[inline]
    pub fn next(&mut self) -> Result<Option<Document<'_>>, Error> {
        if self.on_error == OnError::Skip {
            self.skip()?;
        }
        let Some(at) = self.start() else {
            return Ok(None);
        };
        let (document, next) = self
            .lines
            .document(at, self.line, self.fields, self.scratch)?;
        self.at = next;
        self.line += 1;
        Ok(Some(document))
    }

    /// What was passed over since this was last asked, in its order.
    pub fn take_skipped(&mut self) -> Vec<Skipped> {
        std::mem::take(&mut self.skipped)
    }

    /// Passes over what is not a document. A document is so read twice, since what lends
    /// one cannot go on to the next.
    fn skip(&mut self) -> Result<(), Error> {
        while let Some(at) = self.start() {
            let read = self
                .lines
                .document(at, self.line, self.fields, self.scratch);
            let reason = match read {
                Err(e) if e.is_of_record() => e,
                Err(e) => return Err(e),
                Ok(_) => return Ok(()),
            };
            let (end, next) = self.lines.end(at);
            let place = self.lines.place(self.line, at, end)?;
            self.skipped.push(Skipped { place, reason });
            self.at = next;
            self.line += 1;
        }
        Ok(())
    }

    /// The start of the next line that is not blank. A file as a document has no lines.
    #[inline]
    fn start(&mut self) -> Option<usize> {
        let bytes = self.lines.bytes;
        if self.lines.format == Format::Files {
            return (self.line == self.lines.first_line).then_some(self.at);
        }
        let mut at = self.at;
        loop {
            match bytes.get(at) {
                Some(b' ' | b'\t' | b'\r') => at += 1,
                Some(b'\n') => {
                    at += 1;
                    self.at = at;
                    self.line += 1;
                }
                Some(_) => return Some(self.at),
                None => return None,
            }
        }
    }
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
            Format::Jsonl => None,
            Format::Lines | Format::Files => simdutf8::basic::from_utf8(bytes).ok(),
        };
        Self {
            bytes,
            text,
            format: of.format(),
            name: of.name(),
            file,
            start,
            first_line,
            limit,
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
        if self.format == Format::Jsonl {
            let file = self.name;
            let record = json::record(self.bytes, at, fields, scratch, At { file, line })?;
            let document = Document {
                text: record.text,
                id: record.id,
                fields: record.fields,
                place: self.place(line, at, record.end)?,
            };
            return Ok((document, record.next));
        }
        let (end, next) = self.end(at);
        let valid = self.text.and_then(|text| text.get(at..end));
        let document = Document {
            text: match valid {
                Some(text) => text,
                None => self.utf8(line, at, end)?,
            },
            id: None,
            fields: Values::default(),
            place: self.place(line, at, end)?,
        };
        Ok((document, next))
    }

    /// The end of the line at `at` without what ends it, and the start of the next.
    fn end(&self, at: usize) -> (usize, usize) {
        let all = self.bytes.len();
        if self.format == Format::Files {
            return (all, all);
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

    #[inline]
    fn place(&self, line: u64, at: usize, end: usize) -> Result<Place, Error> {
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

    /// A part of the lines as text. In a whole file the line of a fault is counted.
    fn utf8(&self, line: u64, at: usize, end: usize) -> Result<&'a str, Error> {
        let part = &self.bytes[at..end];
        simdutf8::compat::from_utf8(part).map_err(|e| {
            let valid = &part[..e.valid_up_to()];
            let start = memchr::memrchr(b'\n', valid).map_or(0, |newline| newline + 1);
            Error::Utf8 {
                file: self.name.to_owned(),
                line: line + memchr::memchr_iter(b'\n', valid).count() as u64,
                byte: (valid.len() - start) as u64 + 1,
            }
        })
    }
}
