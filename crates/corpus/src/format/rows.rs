//! Rows of a fixed number of bytes.

use super::{Cutting, Facts, Head};
use crate::lines::{Lines, Read, Row, Scratch, Span};
use crate::{Error, File};
use lookalike_core::plugin::Value;

/// Where the rows of a file are, and what they hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Array {
    /// Where the first row starts in the file.
    pub(super) start: u64,
    /// The rows that the file announces.
    pub(super) rows: Option<u64>,
    pub(super) item: Item,
    /// The items of a row.
    pub(super) columns: u64,
}

/// What an item of a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    /// A byte.
    Byte,
    /// An integer of 2, 4 or 8 bytes.
    Unsigned(usize),
    /// The same with a sign.
    Signed(usize),
    /// A float of 32 bits.
    Float,
    /// A float of 64 bits.
    Double,
}

impl Item {
    pub(super) fn bytes(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Unsigned(bytes) | Self::Signed(bytes) => bytes,
            Self::Float => 4,
            Self::Double => 8,
        }
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
    /// The bytes of a row.
    pub(super) fn row_bytes(&self) -> u64 {
        self.columns * self.item.bytes() as u64
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

    /// The end of the last whole row. Fewer or more rows than were announced are refused.
    fn cut(&self, cutting: &Cutting<'_>) -> Result<Option<usize>, Error> {
        let there = cutting.start + cutting.bytes.len() as u64;
        let each = self.row_bytes();
        let bytes = there.saturating_sub(self.start);
        let fault = match self.rows {
            Some(rows) if bytes > rows.saturating_mul(each) => Some(format!(
                "bytes follow the {rows} rows that its head announces"
            )),
            Some(rows) if cutting.ended && bytes < rows.saturating_mul(each) => Some(format!(
                "truncated: its head announces {rows} rows, but it ends after {}",
                bytes / each
            )),
            None if cutting.ended && !bytes.is_multiple_of(each) => Some(format!(
                "{bytes} bytes are not a whole number of records of {each} bytes; the file is cut off, or its \
                 records have another length"
            )),
            _ => None,
        };
        if let Some(reason) = fault {
            let file = cutting.file.name().to_owned();
            return Err(Error::Rows { file, reason });
        }
        let end = self.start + bytes / each * each;
        let end = end.saturating_sub(cutting.start);
        Ok(usize::try_from(end)
            .ok()
            .filter(|&end| end > self.skip(cutting.start, cutting.bytes)))
    }

    /// The bytes at the start of a block that are before the first row.
    fn skip(&self, start: u64, bytes: &[u8]) -> usize {
        let before = self.start.saturating_sub(start);
        usize::try_from(before).map_or(bytes.len(), |before| before.min(bytes.len()))
    }

    /// What a row holds; none if it has a negative number.
    fn value<'a>(&self, bytes: &'a [u8], row: &'a mut Row) -> Option<Value<'a>> {
        Some(match self.item {
            Item::Byte => Value::Bytes(bytes),
            Item::Unsigned(size) => {
                row.integers.clear();
                row.integers.extend(bytes.chunks_exact(size).map(unsigned));
                Value::Integers(&row.integers)
            }
            Item::Signed(size) => {
                row.integers.clear();
                row.integers.extend(bytes.chunks_exact(size).map(unsigned));
                let sign = 1 << (8 * size - 1);
                if row.integers.iter().any(|integer| integer & sign != 0) {
                    return None;
                }
                Value::Integers(&row.integers)
            }
            Item::Float => {
                let (chunks, _) = bytes.as_chunks::<4>();
                row.floats.clear();
                row.floats
                    .extend(chunks.iter().map(|bytes| f32::from_le_bytes(*bytes)));
                Value::Floats(&row.floats)
            }
            Item::Double => {
                let (chunks, _) = bytes.as_chunks::<8>();
                row.doubles.clear();
                row.doubles
                    .extend(chunks.iter().map(|bytes| f64::from_le_bytes(*bytes)));
                Value::Doubles(&row.doubles)
            }
        })
    }
}

/// A little-endian integer of at most 8 bytes.
fn unsigned(bytes: &[u8]) -> u64 {
    let mut all = [0; 8];
    all[..bytes.len()].copy_from_slice(bytes);
    u64::from_le_bytes(all)
}

/// [`Layout::cut`](super::Layout::cut) of rows.
pub(super) fn cut(cutting: &Cutting<'_>) -> Result<Option<usize>, Error> {
    match Array::of(cutting.head()?) {
        Some(array) => array.cut(cutting),
        None => Ok(None),
    }
}

/// [`Layout::skip`](super::Layout::skip) of rows.
pub(super) fn skip(file: &File, start: u64, bytes: &[u8]) -> usize {
    Array::of(file.head()).map_or(bytes.len(), |array| array.skip(start, bytes))
}

/// [`Layout::lines`](super::Layout::lines) of rows: each counts as one.
pub(super) fn lines(file: &File, start: u64, bytes: &[u8]) -> u64 {
    Array::of(file.head()).map_or(0, |array| {
        let rows = bytes.len() - array.skip(start, bytes);
        rows as u64 / array.row_bytes()
    })
}

/// [`Layout::start`](super::Layout::start) of rows.
pub(super) fn start(lines: &Lines<'_>, at: usize, line: u64) -> Option<(usize, u64)> {
    (at < lines.bytes.len()).then_some((at, line))
}

/// [`Layout::read`](super::Layout::read) of rows.
pub(super) fn read<'a>(
    lines: &Lines<'a>,
    at: usize,
    line: u64,
    scratch: &'a mut Scratch,
) -> Result<Read<'a>, Error> {
    let array = Array::known(lines.head, lines.name)?;
    let span = end(lines, at);
    let bytes = &lines.bytes[at..span.end];
    if bytes.len() as u64 != array.row_bytes() {
        return Err(Error::changed(lines.name));
    }
    match array.value(bytes, &mut scratch.row) {
        Some(value) => Ok(Read::of(value, span)),
        None => Err(Error::Negative {
            file: lines.name.to_owned(),
            row: line - 1,
        }),
    }
}

/// [`Layout::end`](super::Layout::end) of rows.
pub(super) fn end(lines: &Lines<'_>, at: usize) -> Span {
    let each = Array::of(lines.head).map_or(u64::MAX, Array::row_bytes);
    let each = usize::try_from(each).unwrap_or(usize::MAX);
    let end = at.saturating_add(each).min(lines.bytes.len());
    Span::line(end, end)
}
