//! The third pass when nothing is removed: records with members added to them.

use crate::csv::{self, Header};
use crate::feed::Feed;
use crate::{Corpus, Error, Format, Records};
use serde::de::IgnoredAny;
use std::collections::HashMap;
use std::io::Write;

impl Corpus {
    /// Copies a file of records, with a member `name` added at the end of some of them.
    ///
    /// `value` is asked once for each document, by its number among those of the file,
    /// for the value as JSON. What was passed over goes to `skipped` with its line end;
    /// everything else stays as it is.
    ///
    /// CSV gets a column `name` that holds the JSON, empty where there is no value. The
    /// header goes to `skipped` as well. Parquet gets such a column too, null where there
    /// is no value.
    ///
    /// # Errors
    ///
    /// If the file's documents are not records, if one has such a member already, if
    /// reading or writing fails, or if the file is not what it was.
    pub fn annotate(
        &self,
        records: Records<'_>,
        name: &str,
        mut value: impl FnMut(usize) -> Option<String>,
        out: &mut (dyn Write + Send),
        skipped: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        let of = self.file(records.file)?;
        #[cfg(feature = "parquet")]
        if of.format() == Format::Parquet {
            return crate::parquet::annotate(self, of, records, name, value, out, skipped);
        }
        if !matches!(of.format(), Format::Jsonl | Format::Csv) {
            return Err(Error::NotRecords {
                file: of.name().to_owned(),
            });
        }
        let mut feed = Feed::new(self, records.file)?;
        let header = of.header();
        if let Some(header) = header {
            if header.columns.iter().any(|column| column == name) {
                return Err(Error::has_field(of.name(), header.line, name));
            }
            let mut row = Vec::new();
            feed.copy(header.end, &mut row)?;
            write(out, &[&row, &column(name, header)])?;
            let at = row.len();
            feed.copy(header.next - header.end, &mut row)?;
            write(out, &[&row[at..]])?;
            write(skipped, &[&row])?;
        }
        let mut record = Vec::new();
        for (document, place) in records.in_order() {
            feed.copy_to(place, out)?;
            let Some(i) = document else {
                feed.copy(u64::from(place.bytes), skipped)?;
                feed.copy_line_end(skipped)?;
                continue;
            };
            let value = value(i);
            if let Some(header) = header {
                feed.copy(u64::from(place.bytes), out)?;
                write(out, &[&column(&value.unwrap_or_default(), header)])?;
                continue;
            }
            let Some(value) = value else {
                feed.copy(u64::from(place.bytes), out)?;
                continue;
            };
            record.clear();
            feed.copy(u64::from(place.bytes), &mut record)?;
            let (before, after) = open_end(&record).ok_or_else(|| Error::changed(of.name()))?;
            if has_member(&record, name) {
                return Err(Error::has_field(of.name(), place.line, name));
            }
            let comma = if before.ends_with(b"{") { "" } else { ", " };
            let member = format!("{comma}{}: {value}", serde_json::Value::from(name));
            write(out, &[before, member.as_bytes(), after])?;
        }
        feed.copy_rest(out)
    }
}

fn write(out: &mut dyn Write, parts: &[&[u8]]) -> Result<(), Error> {
    for part in parts {
        out.write_all(part)
            .map_err(|reason| Error::Write { reason })?;
    }
    Ok(())
}

/// What a row gets at its end.
fn column(value: &str, header: &Header) -> Vec<u8> {
    let mut column = vec![header.delimiter];
    column.extend(csv::field(value, header.delimiter).bytes());
    column
}

/// Whether a record has a member of that name. A record without such a word anywhere is not parsed again.
fn has_member(record: &[u8], name: &str) -> bool {
    let may = memchr::memmem::find(record, name.as_bytes()).is_some() || record.contains(&b'\\');
    may && serde_json::from_slice::<HashMap<String, IgnoredAny>>(record)
        .is_ok_and(|members| members.contains_key(name))
}

/// The record up to its last member, and what follows it: blanks and the closing brace.
fn open_end(record: &[u8]) -> Option<(&[u8], &[u8])> {
    let open = record.trim_ascii_end().strip_suffix(b"}")?.trim_ascii_end();
    Some(record.split_at(open.len()))
}
