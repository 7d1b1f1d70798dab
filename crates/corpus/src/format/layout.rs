//! What the passes ask of a format.

use super::rows::Array;
use crate::annotate::Annotation;
use crate::csv;
use crate::json::{self, Fields};
use crate::lines::{Lines, Read, Scratch, Span};
use crate::split::Split;
use crate::stream::Stream;
use crate::{Corpus, Error, File, blocks};
use std::fmt;

/// What is true of all files of a format.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts {
    pub(crate) name: &'static str,
    pub(crate) extensions: &'static [&'static str],
    /// The extension of what mirrors stdin.
    pub(crate) stdin_extension: &'static str,
    pub(crate) is_whole_file: bool,
    pub(crate) has_fields: bool,
    pub(crate) is_array: bool,
    pub(crate) is_compressed_inside: bool,
    /// Whether all of a block must be UTF-8, so that it is checked at once.
    pub(crate) is_text: bool,
    /// Whether the first bytes may be any, so that only a name tells that a file is compressed.
    pub(crate) has_any_bytes: bool,
    /// Whether something at the start of a file says how the rest is read.
    pub(crate) has_head: bool,
}

impl Facts {
    /// Those of a format of records that end with their lines.
    pub(crate) const fn new(name: &'static str, extensions: &'static [&'static str]) -> Self {
        Self {
            name,
            extensions,
            stdin_extension: name,
            is_whole_file: false,
            has_fields: false,
            is_array: false,
            is_compressed_inside: false,
            is_text: false,
            has_any_bytes: false,
            has_head: false,
        }
    }
}

/// What the start of a file says about the rest.
#[derive(Debug)]
pub(crate) enum Head {
    Csv(csv::Header),
    Array(Array),
    #[cfg(feature = "parquet")]
    Parquet(crate::parquet::Holding),
}

/// Bytes of a file that are to be cut after a record. They start with a record, and more are added until the end of one is
/// found.
#[derive(Debug)]
pub(crate) struct Cutting<'a> {
    pub(crate) file: &'a File,
    pub(crate) fields: &'a Fields,
    pub(crate) bytes: &'a [u8],
    /// The place of the first byte in the file.
    pub(crate) start: u64,
    /// The line of the first byte.
    pub(crate) line: u64,
    /// The bytes that were there at the last call.
    pub(crate) searched: usize,
    /// Whether these are the last bytes of the file.
    pub(crate) ended: bool,
    /// What earlier calls for these bytes found.
    pub(crate) state: &'a mut State,
}

impl<'a> Cutting<'a> {
    /// The head of the file, once enough of it is there.
    pub(crate) fn head(&self) -> Result<Option<&'a Head>, Error> {
        self.file.read_head(self.bytes, self.ended, self.fields)
    }
}

/// What is known about bytes that were not enough.
#[derive(Debug, Default)]
pub(crate) struct State {
    pub(crate) csv: Option<csv::Ends>,
    pub(crate) array: Option<json::Elements>,
}

/// A format: the one place that knows how its files are written.
///
/// Methods are called once per block or per record, never per byte.
pub(crate) trait Layout: fmt::Debug + Sync {
    fn facts(&self) -> Facts;

    /// Whether a file that starts with these decompressed bytes has this format. A format that content alone does not
    /// show may still be told from others of the same extension, if the name has one.
    fn sniff(&self, _head: &[u8], _is_named: bool) -> bool {
        false
    }

    /// Refuses a file that is compressed, or not on disk, where that cannot be read.
    fn check_origin(&self, _name: &str, _is_plain: bool, _is_on_disk: bool) -> Result<(), Error> {
        Ok(())
    }

    /// The records as a stream of lines, where they are not in the file as such.
    fn stream(&self, _file: &File, _corpus: &Corpus) -> Result<Option<Stream>, Error> {
        Ok(None)
    }

    /// Reads the head from the first bytes; none if it is not all there.
    fn head(
        &self,
        _file: &File,
        _bytes: &[u8],
        _is_whole: bool,
        _fields: &Fields,
    ) -> Result<Option<Head>, Error> {
        Ok(None)
    }

    /// The end of the last whole record. It is called until it finds one, and for the last bytes of the file, which
    /// are not cut: there it may refuse a file that ends too early.
    fn cut(&self, cutting: &mut Cutting<'_>) -> Result<Option<usize>, Error> {
        let Cutting {
            bytes, searched, ..
        } = *cutting;
        Ok(memchr::memrchr(b'\n', &bytes[searched..]).map(|newline| searched + newline + 1))
    }

    /// Bytes at the start of a block that no record has.
    fn skip(&self, _file: &File, start: u64, bytes: &[u8]) -> usize {
        blocks::mark(start, bytes)
    }

    /// The lines that start within these bytes of a file, whose first one is at `start`. For the first block it is called
    /// with what no record has, too.
    fn lines(&self, _file: &File, _start: u64, bytes: &[u8]) -> u64 {
        blocks::newlines(bytes)
    }

    /// Where the next record starts, and its line.
    fn start(&self, lines: &Lines<'_>, at: usize, line: u64) -> Option<(usize, u64)> {
        lines.next_line(at, line)
    }

    /// Reads the record that starts at `at`.
    fn read<'a>(
        &self,
        lines: &Lines<'a>,
        at: usize,
        line: u64,
        fields: &Fields,
        scratch: &'a mut Scratch,
    ) -> Result<Read<'a>, Error>;

    /// Where the record at `at` ends, even if it cannot be read.
    fn end(&self, lines: &Lines<'_>, at: usize) -> Span {
        lines.line_end(at)
    }

    /// Copies each record to one of three outputs.
    fn split(&self, split: Split<'_, '_>) -> Result<(), Error> {
        split.by_line()
    }

    /// Copies a file with a member added to records.
    fn annotate(&self, annotation: Annotation<'_, '_>) -> Result<(), Error> {
        Err(Error::NotRecords {
            file: annotation.of.name().to_owned(),
        })
    }
}
