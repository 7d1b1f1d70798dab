//! Records of JSONL, and elements of JSON arrays.
//!
//! A record is walked in place: keys are compared as they stand, values that were not
//! asked for are checked and skipped, and the text is found and unescaped in one go. Each
//! record is checked whole, by the grammar that serde_json has when it skips a value: in
//! what is not asked for, lone surrogates pass. Whatever is unexpected goes to serde_json,
//! which says what is wrong with it.
//!
//! Against serde_json with borrowed fields this takes a third of the time, of which a
//! third is the system's for reading the file: `cargo bench --bench text`.

#[cfg(target_arch = "x86_64")]
mod compact;
mod diagnose;
mod elements;
mod masks;
mod record;
mod string;
mod unescape;
mod walk;

pub(crate) use elements::{Elements, element_end};
pub(crate) use record::{Fields, Scratch};

use crate::Error;
use crate::lines::{Read, Span};

/// The line is not what the walk expects: [`diagnose`] says why.
#[derive(Clone, Copy, Debug)]
struct Unexpected;

/// Where a record is, for messages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct At<'a> {
    pub(crate) file: &'a str,
    pub(crate) line: u64,
}

/// Reads the record whose line starts at `at`.
///
/// Apart from what it may leave to serde_json, it reads every byte once and needs no
/// search for the end of the line.
#[inline]
pub(crate) fn record<'a>(
    bytes: &'a [u8],
    at: usize,
    fields: &Fields,
    scratch: &'a mut Scratch,
    place: At<'_>,
) -> Result<Read<'a>, Error> {
    let refused = |why| {
        let rest = &bytes[at..];
        let line = &rest[..memchr::memchr(b'\n', rest).unwrap_or(rest.len())];
        diagnose::error(line, fields, why, place)
    };
    let read = blanks(bytes, at)
        .and_then(|open| record::walk::<false>(bytes, open, fields, scratch))
        .and_then(|walked| Ok((line_end(bytes, walked.end)?, walked)));
    let ((end, next), walked) = match read {
        Ok(read) => read,
        Err(Unexpected) => return Err(refused(None)),
    };
    match record::document(bytes, &walked, fields, scratch) {
        Ok(Ok(parts)) => Ok(Read {
            value: parts.value,
            id: parts.id,
            fields: parts.fields,
            span: Span::line(end, next),
        }),
        Ok(Err(unfit)) => Err(refused(Some(unfit))),
        Err(Unexpected) => Err(refused(None)),
    }
}

/// Reads the element of an array that starts at `at`, and may have line ends in it.
pub(crate) fn element<'a>(
    bytes: &'a [u8],
    at: usize,
    fields: &Fields,
    scratch: &'a mut Scratch,
    place: At<'_>,
) -> Result<Read<'a>, Error> {
    let span = element_end(bytes, at);
    let bytes = &bytes[..span.end];
    let refused = |why| match diagnose::error(&bytes[at..], fields, why, place) {
        Error::NotAnObject { file, line, found } => Err(Error::ElementType { file, line, found }),
        // A block may start within a line, so that columns are not known.
        Error::Json {
            file,
            line,
            message,
            ..
        } => Err(Error::Array {
            file,
            line,
            message,
        }),
        error => Err(error),
    };
    let walked = match record::walk::<true>(bytes, at, fields, scratch) {
        Ok(walked) if walked.end == span.end => walked,
        _ => return refused(None),
    };
    match record::document(bytes, &walked, fields, scratch) {
        Ok(Ok(parts)) => Ok(Read {
            value: parts.value,
            id: parts.id,
            fields: parts.fields,
            span,
        }),
        Ok(Err(unfit)) => refused(Some(unfit)),
        Err(Unexpected) => refused(None),
    }
}

/// The first byte of the line that is no blank.
#[inline(always)]
fn blanks(bytes: &[u8], at: usize) -> Result<usize, Unexpected> {
    let mut cursor = walk::Cursor::<false>::new(bytes, at);
    cursor.blanks();
    Ok(cursor.at)
}

/// The end of the line after a record, and the start of the next one.
#[inline(always)]
fn line_end(bytes: &[u8], at: usize) -> Result<(usize, usize), Unexpected> {
    let mut cursor = walk::Cursor::<false>::new(bytes, at);
    cursor.blanks();
    let next = match cursor.peek() {
        None => cursor.at,
        Some(b'\n') => cursor.at + 1,
        Some(_) => return Err(Unexpected),
    };
    let mut end = cursor.at;
    while end > at && bytes[end - 1] == b'\r' {
        end -= 1;
    }
    Ok((end, next))
}

/// What a JSON string with its quotes says, if it is one.
fn unquote(raw: &[u8]) -> Option<String> {
    serde_json::from_slice(raw).ok()
}
