//! A Parquet file as JSONL: a record a row, with the columns that are asked for.
//!
//! So it is to the rest of the crate what a compressed file is: a stream of lines, which can
//! be cut into blocks, walked, and kept for a second pass. Rows are lines, in errors too.

use super::cells::{Cell, Cells, cells};
use super::columns::{self, Wanted};
use super::holding::Holding;
use super::lists::lists;
use super::table::Table;
use crate::Error;
use crate::expansion::Expansion;
use crate::json::Fields;
use parquet::data_type::ByteArray;
use std::fs;
use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

/// Bytes of JSON at a time, and of a string.
const PART: usize = 1 << 16;

/// The most rows that are decoded at a time.
const ROWS: usize = 1 << 10;

/// Bytes of values above which fewer rows are decoded at a time.
const BATCH: usize = 1 << 20;

/// The rows of a file as a stream of JSONL.
pub(crate) struct Rows {
    table: Table,
    wanted: Vec<Wanted>,
    /// Rows of the file, and those of them that have been decoded.
    rows: u64,
    done: u64,
    /// The row group that comes next.
    group: usize,
    /// The columns of the row group at hand.
    columns: Vec<Box<dyn Cells>>,
    /// Rows of the group that are not yet decoded.
    left: u64,
    /// Rows that are decoded and not yet written.
    ready: usize,
    /// Rows to decode next time.
    size: usize,
    /// The column that is written next.
    column: usize,
    /// A string that is written in parts, and where it goes on.
    string: Option<(ByteArray, usize)>,
    out: Vec<u8>,
    at: usize,
}

impl Rows {
    pub(crate) fn open(
        name: &str,
        file: fs::File,
        fields: &Fields,
        expansion: Expansion,
    ) -> Result<Self, Error> {
        let table = Table::open(name, file, expansion)?;
        let wanted = columns::wanted(&table, fields)?;
        Ok(Self {
            rows: table.total(),
            table,
            wanted,
            done: 0,
            group: 0,
            columns: Vec::new(),
            left: 0,
            ready: 0,
            size: 1,
            column: 0,
            string: None,
            out: Vec::new(),
            at: 0,
        })
    }

    /// What the column of the value holds.
    pub(crate) fn holding(&self) -> Holding {
        let wanted = &self.wanted[0];
        let column = self.table.schema().column(wanted.column);
        Holding::new(wanted, column.physical_type())
    }

    /// The counter of bytes read so far.
    pub(crate) fn on_disk(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.table.source.on_disk)
    }

    /// Writes some more JSON; none at the end.
    fn fill(&mut self) -> Result<(), Error> {
        self.out.clear();
        self.at = 0;
        while self.out.len() < PART {
            if let Some((string, from)) = &mut self.string {
                let to = string.len().min(*from + PART);
                escape(&string.data()[*from..to], &mut self.out);
                *from = to;
                if to == string.len() {
                    self.out.push(b'"');
                    self.string = None;
                }
                continue;
            }
            if self.column == self.wanted.len() {
                self.out.extend_from_slice(b"}\n");
                self.column = 0;
                self.ready -= 1;
            }
            if self.column == 0 && self.ready == 0 && !self.decode()? {
                return Ok(());
            }
            let wanted = &self.wanted[self.column];
            let cell = self.columns[self.column].next();
            self.column += 1;
            if !matches!(cell, Cell::Null) || wanted.says_null {
                self.out.extend_from_slice(wanted.key.as_bytes());
            }
            match cell {
                Cell::Null if wanted.says_null => self.out.extend_from_slice(b"null"),
                Cell::Null => {}
                Cell::Json(json) => self.out.extend_from_slice(json.as_bytes()),
                Cell::Written(json) => self.out.extend_from_slice(&json),
                Cell::Text(string) => {
                    self.out.push(b'"');
                    self.string = Some((string, 0));
                }
            }
        }
        Ok(())
    }

    /// Decodes some rows: whether there were any.
    fn decode(&mut self) -> Result<bool, Error> {
        while self.left == 0 {
            if self.group > 0 {
                self.end_group()?;
            }
            if self.group == self.table.groups().len() {
                return Ok(false);
            }
            self.open_group()?;
        }
        let rows = self.size.min(usize::try_from(self.left).unwrap_or(ROWS));
        let mut bytes = 0;
        for place in 0..self.columns.len() {
            let read = self.columns[place].read(rows);
            let (read, size) = read.map_err(|e| self.table.source.error(&self.place(place), e))?;
            if read != rows {
                return Err(self.miscounted(place));
            }
            bytes += size;
        }
        self.ready = rows;
        self.done += rows as u64;
        self.table.source.count_rows(self.done, self.rows);
        self.left -= rows as u64;
        self.size = next_size(self.size, bytes);
        Ok(true)
    }

    fn open_group(&mut self) -> Result<(), Error> {
        self.columns.clear();
        self.left = self.table.rows(self.group);
        for wanted in &self.wanted {
            let pages = self.table.pages(self.group, wanted.column)?;
            let column = self.table.schema().column(wanted.column);
            self.columns.push(match wanted.element {
                Some(element) => lists(column, wanted.holds, element, pages),
                None => cells(column, wanted.holds, pages),
            });
        }
        self.group += 1;
        Ok(())
    }

    /// Every column must end where the group does.
    fn end_group(&mut self) -> Result<(), Error> {
        for place in 0..self.columns.len() {
            let read = self.columns[place].read(1);
            let (more, _) = read.map_err(|e| self.table.source.error(&self.place(place), e))?;
            if more > 0 {
                return Err(self.miscounted(place));
            }
        }
        Ok(())
    }

    fn miscounted(&self, place: usize) -> Error {
        let rows = self.table.rows(self.group - 1);
        let place = self.place(place);
        let source = &self.table.source;
        source.refuse(format!(
            "{place}: not the {rows} rows that the row group has"
        ))
    }

    fn place(&self, place: usize) -> String {
        self.table.place(self.group - 1, self.wanted[place].column)
    }
}

impl Read for Rows {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.out.len() {
            let source = Arc::clone(&self.table.source);
            source.guard(|| self.fill()).map_err(io::Error::other)?;
        }
        let part = &self.out[self.at..];
        let len = part.len().min(buffer.len());
        buffer[..len].copy_from_slice(&part[..len]);
        self.at += len;
        Ok(len)
    }
}

/// How many rows to decode after so many, which took so many bytes.
pub(super) fn next_size(rows: usize, bytes: usize) -> usize {
    match bytes > BATCH {
        true => rows.div_ceil(2),
        false => (2 * rows).min(ROWS),
    }
}

/// Writes what stands between the quotes of a JSON string. Bytes that are no text stay what
/// they are: whoever reads the record says which row they are in.
pub(super) fn escape(text: &[u8], out: &mut Vec<u8>) {
    let plain = |&b: &u8| b >= 0x20 && b != b'"' && b != b'\\';
    let mut rest = text;
    while !rest.is_empty() {
        // Whole chunks without a branch on every byte.
        let chunks = rest.chunks_exact(32);
        let clean = chunks.take_while(|c| c.iter().fold(true, |all, b| all & plain(b)));
        let skip = 32 * clean.count();
        let len = rest[skip..].iter().position(|b| !plain(b));
        let (before, after) = rest.split_at(len.map_or(rest.len(), |n| skip + n));
        out.extend_from_slice(before);
        let Some((&special, after)) = after.split_first() else {
            return;
        };
        match special {
            b'"' | b'\\' => out.extend_from_slice(&[b'\\', special]),
            b'\n' => out.extend_from_slice(b"\\n"),
            b'\r' => out.extend_from_slice(b"\\r"),
            b'\t' => out.extend_from_slice(b"\\t"),
            _ => out.extend_from_slice(format!("\\u{special:04x}").as_bytes()),
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_escaped_string_says_the_same(text in any::<String>(), plain in "[a-z ]{0,80}") {
            for text in [format!("{text}{plain}"), format!("{plain}\"\\\n\0{text}")] {
                let mut out = vec![b'"'];
                escape(text.as_bytes(), &mut out);
                out.push(b'"');
                prop_assert_eq!(serde_json::from_slice::<String>(&out).unwrap(), text);
            }
        }
    }
}
