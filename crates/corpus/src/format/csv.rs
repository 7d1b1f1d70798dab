use super::{Cutting, Facts, Head, Layout};
use crate::annotate::{Annotation, write};
use crate::csv::{self, Ends, Header};
use crate::feed::Feed;
use crate::json::Fields;
use crate::lines::{Lines, Read, Scratch, Span};
use crate::split::Split;
use crate::{Error, File, blocks, names};
use std::path::Path;

/// Rows below a header that names the columns.
#[derive(Debug)]
pub(super) struct Csv {
    pub(super) name: &'static str,
    pub(super) extensions: &'static [&'static str],
    /// What separates cells, if the header does not decide it.
    pub(super) delimiter: Option<u8>,
}

pub(super) static CSV: Csv = Csv {
    name: "csv",
    extensions: &["csv"],
    delimiter: None,
};

impl Csv {
    /// The delimiter of a file. A name in `.tsv` counts even where CSV was asked for.
    fn delimiter(&self, file: &File) -> Option<u8> {
        let plain = names::uncompressed(Path::new(file.name()));
        let is_tsv = plain
            .extension()
            .is_some_and(|e| e.eq_ignore_ascii_case("tsv"));
        self.delimiter.or(is_tsv.then_some(b'\t'))
    }
}

/// The header of a file, once it was read.
fn header(head: Option<&Head>) -> Option<&Header> {
    match head {
        Some(Head::Csv(header)) => Some(header),
        _ => None,
    }
}

impl Layout for Csv {
    fn facts(&self) -> Facts {
        Facts {
            has_fields: true,
            is_text: true,
            has_head: true,
            ..Facts::new(self.name, self.extensions)
        }
    }

    fn head(
        &self,
        file: &File,
        bytes: &[u8],
        is_whole: bool,
        fields: &Fields,
    ) -> Result<Option<Head>, Error> {
        let delimiter = self.delimiter(file);
        let header = Header::read(bytes, is_whole, delimiter, fields, file.name())?;
        Ok(header.map(Head::Csv))
    }

    fn cut(&self, cutting: &mut Cutting<'_>) -> Result<Option<usize>, Error> {
        let Some(header) = header(cutting.head()?) else {
            return Ok(None);
        };
        let mark = blocks::mark(cutting.start, cutting.bytes);
        let ends = cutting.state.csv.get_or_insert_with(|| Ends::new(mark));
        Ok(ends.last(cutting.bytes, header.delimiter))
    }

    /// The header, or all there is if that ends within it.
    fn skip(&self, file: &File, start: u64, bytes: &[u8]) -> usize {
        let Some(header) = header(file.head()) else {
            return bytes.len();
        };
        let before = header.next.saturating_sub(start);
        usize::try_from(before).map_or(bytes.len(), |before| before.min(bytes.len()))
    }

    /// Blank lines are not rows, but blanks may be one.
    fn start(&self, lines: &Lines<'_>, mut at: usize, mut line: u64) -> Option<(usize, u64)> {
        loop {
            match lines.bytes.get(at)? {
                b'\n' => line += 1,
                b'\r' => {}
                _ => return Some((at, line)),
            }
            at += 1;
        }
    }

    fn read<'a>(
        &self,
        lines: &Lines<'a>,
        at: usize,
        line: u64,
        _fields: &Fields,
        scratch: &'a mut Scratch,
    ) -> Result<Read<'a>, Error> {
        let Some(header) = header(lines.head) else {
            return Err(Error::changed(lines.name));
        };
        let utf8 = |end| lines.utf8(line, at, end);
        let place = lines.at(line);
        csv::record(lines.bytes, at, header, &mut scratch.csv, place, utf8)
    }

    fn end(&self, lines: &Lines<'_>, at: usize) -> Span {
        let delimiter = header(lines.head).map_or(b',', |header| header.delimiter);
        csv::end(lines.bytes, at, delimiter)
    }

    /// The header goes to all outputs.
    fn split(&self, split: Split<'_, '_>) -> Result<(), Error> {
        let mut feed = split.feed()?;
        let mut row = Vec::new();
        if let Some(header) = header(split.of.head()) {
            feed.copy(header.next, &mut row)?;
        }
        split.by_record(feed, [&row; 3], Feed::copy_row_end)
    }

    /// Columns are added.
    fn annotate(&self, annotation: Annotation<'_, '_>) -> Result<(), Error> {
        let (of, added) = (annotation.of, annotation.added);
        let columns = added.table();
        let mut feed = annotation.feed()?;
        // A file without a header has no rows.
        let Some(header) = header(of.head()) else {
            return feed.copy_rest(annotation.out);
        };
        let is_there = |name: &str| header.columns.iter().any(|column| column == name);
        if let Some(column) = columns.iter().find(|column| is_there(column.name)) {
            return Err(Error::has_field(of.name(), header.line, column.name));
        }
        let cell = |value: &str| {
            let mut cell = vec![header.delimiter];
            cell.extend(csv::field(value, header.delimiter).bytes());
            cell
        };
        let names: Vec<u8> = columns
            .iter()
            .flat_map(|column| cell(column.name))
            .collect();
        let mut row = Vec::new();
        feed.copy(header.end, &mut row)?;
        write(annotation.out, &[&row, &names])?;
        let at = row.len();
        feed.copy(header.next - header.end, &mut row)?;
        write(annotation.out, &[&row[at..]])?;
        write(annotation.skipped, &[&row])?;
        annotation.by_record(feed, Feed::copy_row_end, |row, _, value, out| {
            let said = |&column| added.cell(value.clone(), column).unwrap_or_default();
            let cells = columns.iter().flat_map(|column| cell(&said(column)));
            write(out, &[row, &cells.collect::<Vec<u8>>()])
        })
    }
}
