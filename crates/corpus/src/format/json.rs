use super::table::first_byte;
use super::{Cutting, Facts, Layout};
use crate::annotate::Annotation;
use crate::feed::Feed;
use crate::json::{self, Elements, Fields};
use crate::lines::{Lines, Read, Scratch, Span};
use crate::split::Split;
use crate::{Error, File, Place, blocks};
use std::io::Write;

/// One JSON array of objects, each of which may have any number of lines.
///
/// A block ends after a comma between two objects, so that the array is never held whole.
#[derive(Debug)]
pub(super) struct Json;

impl Layout for Json {
    fn facts(&self) -> Facts {
        Facts {
            has_fields: true,
            ..Facts::new("json", &["json"])
        }
    }

    /// Text may start with a bracket too, so that a name is needed.
    fn sniff(&self, head: &[u8], is_named: bool) -> bool {
        is_named && first_byte(head) == Some(b'[')
    }

    fn cut(&self, cutting: &mut Cutting<'_>) -> Result<Option<usize>, Error> {
        let (bytes, start) = (cutting.bytes, cutting.start);
        let new = || match start {
            0 => Elements::before().after(blocks::mark(0, bytes)),
            _ => Elements::within(),
        };
        let elements = cutting.state.array.get_or_insert_with(new);
        elements
            .last(bytes, cutting.ended)
            .map_err(|(at, what)| Error::Array {
                file: cutting.file.name().to_owned(),
                line: cutting.line + blocks::newlines(&bytes[..at]),
                message: what.to_owned(),
            })
    }

    /// What opens the array.
    fn skip(&self, _file: &File, start: u64, bytes: &[u8]) -> usize {
        match start {
            0 => memchr::memchr(b'[', bytes).map_or(bytes.len(), |open| open + 1),
            _ => 0,
        }
    }

    fn start(&self, lines: &Lines<'_>, mut at: usize, mut line: u64) -> Option<(usize, u64)> {
        loop {
            match lines.bytes.get(at)? {
                b'\n' => line += 1,
                b' ' | b'\t' | b'\r' => {}
                b']' => return None,
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
        fields: &Fields,
        scratch: &'a mut Scratch,
    ) -> Result<Read<'a>, Error> {
        json::element(lines.bytes, at, fields, &mut scratch.json, lines.at(line))
    }

    fn end(&self, lines: &Lines<'_>, at: usize) -> Span {
        json::element_end(lines.bytes, at)
    }

    fn split(&self, mut split: Split<'_, '_>) -> Result<(), Error> {
        let mut arrays = Arrays::new(split.feed()?, 3);
        for (document, place) in split.records.in_order() {
            let number = split.output(document, place);
            let mut to = |number, bytes: &[u8]| write(split.to.output(number), bytes);
            let record = arrays.record(place, number, &mut to)?;
            to(number, &record)?;
        }
        arrays.end(|number, bytes| write(split.to.output(number), bytes))
    }

    fn annotate(&self, annotation: Annotation<'_, '_>) -> Result<(), Error> {
        let member = annotation.member();
        let mut arrays = Arrays::new(annotation.feed()?, 2);
        let (out, skipped) = (annotation.out, annotation.skipped);
        let mut to = |number, bytes: &[u8]| match number {
            0 => write(out, bytes),
            _ => write(skipped, bytes),
        };
        for (document, place) in annotation.records.in_order() {
            let number = usize::from(document.is_none());
            let record = arrays.record(place, number, &mut to)?;
            let Some(i) = document else {
                to(number, &record)?;
                continue;
            };
            let mut written = Vec::new();
            member.write(&record, place, (annotation.value)(i), &mut written)?;
            to(number, &written)?;
        }
        arrays.end(to)
    }
}

fn write(out: &mut dyn Write, bytes: &[u8]) -> Result<(), Error> {
    out.write_all(bytes)
        .map_err(|reason| Error::Write { reason })
}

/// Copies the records of an array to several, each of which is an array again.
struct Arrays<'c> {
    feed: Feed<'c>,
    outputs: usize,
    /// Whether what opens the array was copied.
    is_open: bool,
    /// Which outputs have a record.
    has_records: [bool; 3],
}

impl<'c> Arrays<'c> {
    fn new(feed: Feed<'c>, outputs: usize) -> Self {
        Self {
            feed,
            outputs,
            is_open: false,
            has_records: [false; 3],
        }
    }

    /// The next record, after what comes before it has been written: what opens the array goes to all outputs, and what
    /// separates records to one that has some.
    fn record(
        &mut self,
        place: &Place,
        number: usize,
        mut to: impl FnMut(usize, &[u8]) -> Result<(), Error>,
    ) -> Result<Vec<u8>, Error> {
        let mut before = Vec::new();
        self.feed.copy_to(place, &mut before)?;
        if !self.is_open {
            self.is_open = true;
            (0..self.outputs).try_for_each(|n| to(n, &before))?;
        } else if self.has_records[number] {
            to(number, &before)?;
        }
        self.has_records[number] = true;
        let mut record = Vec::with_capacity(place.bytes as usize);
        self.feed.copy(u64::from(place.bytes), &mut record)?;
        Ok(record)
    }

    /// Writes what follows the last record to all outputs.
    fn end(mut self, mut to: impl FnMut(usize, &[u8]) -> Result<(), Error>) -> Result<(), Error> {
        let mut rest = Vec::new();
        self.feed.copy_rest(&mut rest)?;
        (0..self.outputs).try_for_each(|n| to(n, &rest))
    }
}
