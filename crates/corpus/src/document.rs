use crate::json::Fields;
use crate::lines::{Lines, Scratch};
use crate::{Corpus, Error, OnError, Values};
use lookalike_core::plugin::Value;

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

/// A record of a corpus, with its value as it is: text or anything else.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Record<'a> {
    /// Its value. A JSON string, a cell of CSV, a line and a file of text are [`Value::Text`], other JSON values
    /// [`Value::Json`] as they are written. Binary columns of Parquet, rows of bytes and files of bytes are
    /// [`Value::Bytes`]; lists of numbers in Parquet and rows of numbers are [`Value::Integers`], [`Value::Signed`],
    /// [`Value::Floats`] or [`Value::Doubles`].
    pub value: Value<'a>,
    /// Its id as JSON: `"a"` or `17`. Strings are written one way, whatever escapes the
    /// record has, so that equal ids are equal here.
    pub id: Option<&'a str>,
    /// The further fields that were asked for.
    pub fields: Values<'a>,
    /// Where it is.
    pub place: Place,
}

impl<'a> Record<'a> {
    /// The record as a document, if its value is text.
    #[inline]
    pub(crate) fn document(self, file: &str) -> Result<Document<'a>, Error> {
        let Value::Text(text) = self.value else {
            return Err(Error::NotTextValue {
                file: file.to_owned(),
                line: self.place.line,
                found: self.value.described(),
            });
        };
        Ok(Document {
            text,
            id: self.id,
            fields: self.fields,
            place: self.place,
        })
    }
}

/// Where a document is: enough to read it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The first byte of the record in the decompressed file.
    pub start: u64,
    /// The line on which the record starts, from 1; 1 for a whole file. In Parquet and in
    /// arrays rows count as lines.
    pub line: u64,
    /// The bytes of the record, without its line end: `\n` and any `\r` before it.
    pub bytes: u32,
    /// The file's number in [`Corpus::files`](crate::Corpus::files).
    pub file: u32,
}

impl Place {
    /// The number of the row, from 0 as NumPy counts, in a file of rows
    /// ([`Format::is_array`](crate::Format::is_array)).
    #[must_use]
    pub fn row(&self) -> u64 {
        self.line - 1
    }
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
        let name = self.lines.name;
        match self.next_value()? {
            Some(record) => record.document(name).map(Some),
            None => Ok(None),
        }
    }

    /// The next record with its value, until there is none. Values other than text are given if
    /// [`Options::values`](crate::Options::values) was set.
    ///
    /// ```
    /// # use lookalike_core::plugin::Value;
    /// # use lookalike_corpus::{Corpus, Error, Options};
    /// # let folder = tempfile::tempdir().unwrap();
    /// # let path = folder.path().join("sets.jsonl");
    /// # std::fs::write(&path, "{\"id\": \"a\", \"set\": [1, 5]}\n{\"id\": \"b\", \"set\": \"1 5\"}\n").unwrap();
    /// # let inputs = [path.display().to_string()];
    /// let options = Options {
    ///     text: "set".parse()?,
    ///     values: true,
    ///     ..Options::default()
    /// };
    /// let corpus = Corpus::open(&inputs, options)?;
    /// corpus.scan(
    ///     || (),
    ///     |(), documents| {
    ///         while let Some(record) = documents.next_value()? {
    ///             match record.id {
    ///                 Some("\"a\"") => assert_eq!(record.value, Value::Json("[1, 5]")),
    ///                 _ => assert_eq!(record.value, Value::Text("1 5")),
    ///             }
    ///         }
    ///         Ok::<_, Error>(())
    ///     },
    ///     |_, ()| Ok(()),
    /// )?;
    /// # Ok::<(), Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the record cannot be read and is not to be passed over; the error says why and where.
    #[inline]
    pub fn next_value(&mut self) -> Result<Option<Record<'_>>, Error> {
        if self.on_error == OnError::Skip {
            self.skip()?;
        }
        let Some(at) = self.start() else {
            return Ok(None);
        };
        let (record, span) = self
            .lines
            .record(at, self.line, self.fields, self.scratch)?;
        self.at = span.next;
        self.line += span.lines;
        Ok(Some(record))
    }

    /// What was passed over since this was last asked, in its order.
    pub fn take_skipped(&mut self) -> Vec<Skipped> {
        std::mem::take(&mut self.skipped)
    }

    /// Passes over what is not a document. A document is so read twice, since what lends
    /// one cannot go on to the next.
    fn skip(&mut self) -> Result<(), Error> {
        while let Some(at) = self.start() {
            let read = self.lines.record(at, self.line, self.fields, self.scratch);
            let reason = match read {
                Err(e) if e.is_of_record() => e,
                Err(e) => return Err(e),
                Ok(_) => return Ok(()),
            };
            let span = self.lines.layout.end(&self.lines, at);
            let place = self.lines.place(self.line, at, span.end)?;
            self.skipped.push(Skipped { place, reason });
            self.at = span.next;
            self.line += span.lines;
        }
        Ok(())
    }

    /// Goes to the next record.
    #[inline]
    fn start(&mut self) -> Option<usize> {
        let (at, line) = self.lines.layout.start(&self.lines, self.at, self.line)?;
        (self.at, self.line) = (at, line);
        Some(at)
    }
}
