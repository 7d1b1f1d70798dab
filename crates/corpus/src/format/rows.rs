//! Rows that all have the same number of bytes.

use super::{Cutting, Facts, Head, Layout};
use crate::item::Item;
use crate::json::Fields;
use crate::lines::{Lines, Read, Scratch, Span};
use crate::split::Split;
use crate::{Error, File};
use std::fmt;

/// Where the rows of a file are, and what they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Array {
    /// Where the first row starts in the file.
    pub(super) start: u64,
    pub(super) extent: Extent,
    pub(super) item: Item,
    /// The items of a row.
    pub(super) columns: u64,
}

/// How far the rows of a file go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// There are as many as the head announces.
    Announced(u64),
    /// They follow each other until the file ends.
    Open,
    /// The same, and each row starts with the number of its items.
    Counted,
}

/// The bytes of the number of its items with which a row may start: a little-endian integer.
pub(super) const COUNT: usize = 4;

/// A format of rows that all have the same number of bytes. [`Rows`] makes a [`Layout`] of it.
pub(super) trait RowFormat: fmt::Debug + Sync {
    fn facts(&self) -> Facts;

    /// Whether a file that starts with these decompressed bytes has this format.
    fn sniff(&self, _head: &[u8]) -> bool {
        false
    }

    /// Reads from the first bytes where rows are; none if these bytes do not say it yet.
    fn array(
        &self,
        file: &File,
        bytes: &[u8],
        is_whole: bool,
        fields: &Fields,
    ) -> Result<Option<Array>, Error>;

    /// Copies each row to one of three outputs.
    fn split(&self, split: Split<'_, '_>) -> Result<(), Error> {
        let feed = split.feed()?;
        split.by_record(feed, [&[]; 3], |_, _| Ok(()))
    }
}

/// What is true of formats of rows.
pub(super) const fn facts(name: &'static str, extensions: &'static [&'static str]) -> Facts {
    Facts {
        is_array: true,
        has_head: true,
        ..Facts::new(name, extensions)
    }
}

impl Array {
    /// The bytes of a row, with the number of its items.
    pub(super) fn row_bytes(&self) -> u64 {
        self.lead() as u64 + self.columns * self.item.bytes() as u64
    }

    /// The bytes of a row before its items.
    fn lead(&self) -> usize {
        match self.extent {
            Extent::Announced(_) | Extent::Open => 0,
            Extent::Counted => COUNT,
        }
    }

    /// The array of a file whose head was read.
    pub(super) fn of(head: Option<&Head>) -> Option<&Self> {
        match head {
            Some(Head::Array(array)) => Some(array),
            _ => None,
        }
    }

    /// The array of a file whose head must have been read.
    pub(super) fn known<'a>(head: Option<&'a Head>, file: &str) -> Result<&'a Self, Error> {
        Self::of(head).ok_or_else(|| Error::changed(file))
    }

    /// The end of the last whole row. Rows other than those that were announced are refused.
    fn cut(&self, cutting: &Cutting<'_>) -> Result<Option<usize>, Error> {
        let there = cutting.start + cutting.bytes.len() as u64;
        let each = self.row_bytes();
        let bytes = there.saturating_sub(self.start);
        if let Some(reason) = self.fault(cutting, bytes) {
            let file = cutting.file.name().to_owned();
            return Err(Error::Rows { file, reason });
        }
        let end = self.start + bytes / each * each;
        let end = end.saturating_sub(cutting.start);
        Ok(usize::try_from(end)
            .ok()
            .filter(|&end| end > self.skip(cutting.start, cutting.bytes)))
    }

    /// What is wrong with rows of which there are some bytes by now.
    fn fault(&self, cutting: &Cutting<'_>, bytes: u64) -> Option<String> {
        let each = self.row_bytes();
        match self.extent {
            Extent::Announced(rows) if bytes > rows.saturating_mul(each) => Some(format!(
                "bytes follow the {rows} rows that its head announces"
            )),
            Extent::Announced(rows) if cutting.ended && bytes < rows.saturating_mul(each) => {
                Some(format!(
                    "truncated: its head announces {rows} rows, but it ends after {}",
                    bytes / each
                ))
            }
            Extent::Open if cutting.ended && !bytes.is_multiple_of(each) => Some(format!(
                "{bytes} bytes are not a whole number of records of {each} bytes; the file is cut off, or its records \
                 have another length"
            )),
            Extent::Counted => self.miscounted(cutting),
            _ => None,
        }
    }

    /// The first row that does not start with the number of items that all rows have, or that the file cuts off.
    fn miscounted(&self, cutting: &Cutting<'_>) -> Option<String> {
        let each = usize::try_from(self.row_bytes()).unwrap_or(usize::MAX);
        for (row, bytes) in (cutting.line - 1..).zip(cutting.bytes.chunks(each)) {
            let count = bytes.first_chunk().map(|&count| i32::from_le_bytes(count));
            let columns = self.columns;
            if let Some(count) = count.filter(|&count| u64::try_from(count) != Ok(columns)) {
                return Some(format!(
                    "row {row}, counted from 0, has dimension {count}, but row 0 has {columns}: all rows of a file must \
                     have the same dimension"
                ));
            }
            if cutting.ended && bytes.len() < each {
                return Some(format!(
                    "truncated: row {row}, counted from 0, has {} of its {each} bytes",
                    bytes.len()
                ));
            }
        }
        None
    }

    /// The bytes at the start of a block that are before the first row.
    fn skip(&self, start: u64, bytes: &[u8]) -> usize {
        let before = self.start.saturating_sub(start);
        usize::try_from(before).map_or(bytes.len(), |before| before.min(bytes.len()))
    }

    /// The items of a row; none if that is not what the bytes are.
    fn items<'a>(&self, row: &'a [u8]) -> Option<&'a [u8]> {
        let (count, items) = row.split_at_checked(self.lead())?;
        let is_whole = row.len() as u64 == self.row_bytes();
        let is_counted = count.is_empty() || count == (self.columns as u32).to_le_bytes();
        (is_whole && is_counted).then_some(items)
    }
}

/// The layout of a format of rows. Each row counts as a line.
#[derive(Debug)]
pub(super) struct Rows<T>(pub(super) T);

impl<T: RowFormat> Layout for Rows<T> {
    fn facts(&self) -> Facts {
        self.0.facts()
    }

    fn sniff(&self, head: &[u8], _is_named: bool) -> bool {
        self.0.sniff(head)
    }

    fn head(
        &self,
        file: &File,
        bytes: &[u8],
        is_whole: bool,
        fields: &Fields,
    ) -> Result<Option<Head>, Error> {
        let array = self.0.array(file, bytes, is_whole, fields)?;
        Ok(array.map(Head::Array))
    }

    fn cut(&self, cutting: &mut Cutting<'_>) -> Result<Option<usize>, Error> {
        match Array::of(cutting.head()?) {
            Some(array) => array.cut(cutting),
            None => Ok(None),
        }
    }

    fn skip(&self, file: &File, start: u64, bytes: &[u8]) -> usize {
        Array::of(file.head()).map_or(bytes.len(), |array| array.skip(start, bytes))
    }

    fn lines(&self, file: &File, start: u64, bytes: &[u8]) -> u64 {
        Array::of(file.head()).map_or(0, |array| {
            let rows = bytes.len() - array.skip(start, bytes);
            rows as u64 / array.row_bytes()
        })
    }

    #[inline]
    fn start(&self, lines: &Lines<'_>, at: usize, line: u64) -> Option<(usize, u64)> {
        (at < lines.bytes.len()).then_some((at, line))
    }

    #[inline]
    fn read<'a>(
        &self,
        lines: &Lines<'a>,
        at: usize,
        _line: u64,
        _fields: &Fields,
        scratch: &'a mut Scratch,
    ) -> Result<Read<'a>, Error> {
        let array = Array::known(lines.head, lines.name)?;
        let span = self.end(lines, at);
        match array.items(&lines.bytes[at..span.end]) {
            Some(items) => Ok(Read::of(
                array.item.value(items, &mut scratch.row.numbers),
                span,
            )),
            None => Err(Error::changed(lines.name)),
        }
    }

    fn end(&self, lines: &Lines<'_>, at: usize) -> Span {
        let each = Array::of(lines.head).map_or(u64::MAX, Array::row_bytes);
        let each = usize::try_from(each).unwrap_or(usize::MAX);
        let end = at.saturating_add(each).min(lines.bytes.len());
        Span::line(end, end)
    }

    fn split(&self, split: Split<'_, '_>) -> Result<(), Error> {
        self.0.split(split)
    }
}
