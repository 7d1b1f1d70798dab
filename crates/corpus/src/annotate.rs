//! The third pass when nothing is removed: records with members added to them.

use crate::feed::Feed;
use crate::{Corpus, Error, File, Place, Records};
use serde::de::IgnoredAny;
use serde_json::Value;
use std::collections::HashMap;
use std::io::Write;

impl Corpus {
    /// Copies a file of records, with a member or columns added at the end of some of them.
    ///
    /// `value` is asked once for each document, by its number among those of the file,
    /// for the value as JSON. What was passed over goes to `skipped` with its line end;
    /// everything else stays as it is.
    ///
    /// CSV and Parquet get the [columns](Added::columns), with empty or null cells where there
    /// is no value. The header of CSV goes to `skipped` as well.
    ///
    /// # Errors
    ///
    /// If the file's documents are not records, if one has such a member already, if
    /// reading or writing fails, or if the file is not what it was.
    pub fn annotate<'a>(
        &'a self,
        records: Records<'a>,
        added: impl Into<Added<'a>>,
        mut value: impl FnMut(usize) -> Option<String>,
        out: &mut (dyn Write + Send),
        skipped: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        let of = self.file(records.file)?;
        of.format().layout().annotate(Annotation {
            corpus: self,
            of,
            records,
            added: added.into(),
            value: &mut value,
            out,
            skipped,
        })
    }
}

/// What is added to records.
#[derive(Clone, Copy, Debug)]
pub struct Added<'a> {
    /// The member of JSON objects, which holds the value.
    pub member: &'a str,
    /// The columns of tables: each holds the member of the value that is called so. If there are none, one column
    /// called as the member holds the value as JSON.
    pub columns: &'a [AddedColumn<'a>],
}

impl<'a> From<&'a str> for Added<'a> {
    fn from(member: &'a str) -> Self {
        Self {
            member,
            columns: &[],
        }
    }
}

/// A column that is added to a table.
#[derive(Clone, Copy, Debug)]
pub struct AddedColumn<'a> {
    /// Its name.
    pub name: &'a str,
    /// Whether it holds numbers; text otherwise.
    pub is_number: bool,
}

impl<'a> Added<'a> {
    /// The columns of a table.
    pub(crate) fn table(&self) -> Vec<AddedColumn<'a>> {
        match self.columns {
            [] => vec![AddedColumn {
                name: self.member,
                is_number: false,
            }],
            columns => columns.to_vec(),
        }
    }

    /// What a column says of a value, as text.
    pub(crate) fn cell(&self, value: Option<String>, column: AddedColumn<'_>) -> Option<String> {
        let value = value?;
        if self.columns.is_empty() {
            return Some(value);
        }
        let mut object: serde_json::Map<String, Value> = serde_json::from_str(&value).ok()?;
        match object.remove(column.name)? {
            Value::Null => None,
            Value::String(text) => Some(text),
            other => Some(other.to_string()),
        }
    }
}

/// A file that is to be copied with something added to its records.
pub(crate) struct Annotation<'a, 'w> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) of: &'a File,
    pub(crate) records: Records<'a>,
    pub(crate) added: Added<'a>,
    pub(crate) value: &'a mut dyn FnMut(usize) -> Option<String>,
    pub(crate) out: &'w mut (dyn Write + Send),
    pub(crate) skipped: &'w mut (dyn Write + Send),
}

impl<'a> Annotation<'a, '_> {
    /// The file from its start.
    pub(crate) fn feed(&self) -> Result<Feed<'a>, Error> {
        Feed::new(self.corpus, self.records.file)
    }

    /// Copies JSON objects that are lines.
    pub(crate) fn by_line(self) -> Result<(), Error> {
        let feed = self.feed()?;
        let member = self.member();
        self.by_record(feed, Feed::copy_line_end, |record, place, value, out| {
            member.write(record, place, value, out)
        })
    }

    /// Copies records with what `write` makes of each, from where the feed is. `end` copies what ends a record that was
    /// passed over.
    pub(crate) fn by_record(
        self,
        mut feed: Feed<'a>,
        end: impl Fn(&mut Feed<'a>, &mut dyn Write) -> Result<(), Error>,
        write: impl Fn(&[u8], &Place, Option<String>, &mut dyn Write) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let mut record = Vec::new();
        for (document, place) in self.records.in_order() {
            feed.copy_to(place, self.out)?;
            let Some(i) = document else {
                feed.copy(u64::from(place.bytes), self.skipped)?;
                end(&mut feed, self.skipped)?;
                continue;
            };
            record.clear();
            feed.copy(u64::from(place.bytes), &mut record)?;
            write(&record, place, (self.value)(i), self.out)?;
        }
        feed.copy_rest(self.out)
    }

    /// The member that objects get.
    pub(crate) fn member(&self) -> Member<'a> {
        Member {
            file: self.of.name(),
            name: self.added.member,
        }
    }
}

/// A member that is added to JSON objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<'a> {
    file: &'a str,
    name: &'a str,
}

impl Member<'_> {
    /// Writes an object with the member at its end, or as it is if there is no value.
    pub(crate) fn write(
        self,
        record: &[u8],
        place: &Place,
        value: Option<String>,
        out: &mut dyn Write,
    ) -> Result<(), Error> {
        let Some(value) = value else {
            return write(out, &[record]);
        };
        let (before, after) = open_end(record).ok_or_else(|| Error::changed(self.file))?;
        if has_member(record, self.name) {
            return Err(Error::has_field(self.file, place.line, self.name));
        }
        let comma = if before.ends_with(b"{") { "" } else { ", " };
        let member = format!("{comma}{}: {value}", serde_json::Value::from(self.name));
        write(out, &[before, member.as_bytes(), after])
    }
}

pub(crate) fn write(out: &mut dyn Write, parts: &[&[u8]]) -> Result<(), Error> {
    for part in parts {
        out.write_all(part)
            .map_err(|reason| Error::Write { reason })?;
    }
    Ok(())
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
