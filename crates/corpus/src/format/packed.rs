use super::rows::{self, Array, Item};
use super::{Cutting, Facts, Head, Layout};
use crate::json::Fields;
use crate::lines::{Lines, Read, Scratch, Span};
use crate::split::Split;
use crate::{Error, File};

/// Records of a fixed number of bytes, one after the other until the file ends.
#[derive(Debug)]
pub(super) struct Packed;

impl Layout for Packed {
    fn facts(&self) -> Facts {
        Facts {
            stdin_extension: "bin",
            has_any_bytes: true,
            ..rows::facts("packed", &["bin"])
        }
    }

    fn head(
        &self,
        file: &File,
        _bytes: &[u8],
        _is_whole: bool,
        fields: &Fields,
    ) -> Result<Option<Head>, Error> {
        let Some(bytes) = fields.record_bytes else {
            let file = file.name().to_owned();
            return Err(Error::NoRecordBytes { file });
        };
        Ok(Some(Head::Array(Array {
            start: 0,
            rows: None,
            item: Item::Byte,
            columns: bytes.into(),
        })))
    }

    fn cut(&self, cutting: &mut Cutting<'_>) -> Result<Option<usize>, Error> {
        rows::cut(cutting)
    }

    fn skip(&self, file: &File, start: u64, bytes: &[u8]) -> usize {
        rows::skip(file, start, bytes)
    }

    fn lines(&self, file: &File, start: u64, bytes: &[u8]) -> u64 {
        rows::lines(file, start, bytes)
    }

    fn start(&self, lines: &Lines<'_>, at: usize, line: u64) -> Option<(usize, u64)> {
        rows::start(lines, at, line)
    }

    fn read<'a>(
        &self,
        lines: &Lines<'a>,
        at: usize,
        line: u64,
        _fields: &Fields,
        scratch: &'a mut Scratch,
    ) -> Result<Read<'a>, Error> {
        rows::read(lines, at, line, scratch)
    }

    fn end(&self, lines: &Lines<'_>, at: usize) -> Span {
        rows::end(lines, at)
    }

    fn split(&self, split: Split<'_, '_>) -> Result<(), Error> {
        let feed = split.feed()?;
        split.by_record(feed, [&[]; 3], |_, _| Ok(()))
    }
}
