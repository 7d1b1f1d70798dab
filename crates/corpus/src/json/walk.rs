//! A walk over the members of a JSON object in place.

use super::Unexpected;
use super::string::{self, Scanned};
use serde::de::IgnoredAny;
use std::ops::Range;

/// A place in a block of records: each on one line, or over any `LINES`.
#[derive(Debug)]
pub(super) struct Cursor<'a, const LINES: bool> {
    pub(super) bytes: &'a [u8],
    pub(super) at: usize,
    /// The end of the line, once it was needed: a line may have many nested values.
    line_end: Option<usize>,
}

impl<'a, const LINES: bool> Cursor<'a, LINES> {
    pub(super) fn new(bytes: &'a [u8], at: usize) -> Self {
        Self {
            bytes,
            at,
            line_end: None,
        }
    }

    #[inline(always)]
    pub(super) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Skips what JSON counts as blank; line ends only if a record may have them.
    #[inline(always)]
    pub(super) fn blanks(&mut self) {
        loop {
            match self.peek() {
                Some(b' ' | b'\t' | b'\r') => self.at += 1,
                Some(b'\n') if LINES => self.at += 1,
                _ => return,
            }
        }
    }

    #[inline(always)]
    pub(super) fn expect(&mut self, byte: u8) -> Result<(), Unexpected> {
        if self.peek() == Some(byte) {
            self.at += 1;
            Ok(())
        } else {
            Err(Unexpected)
        }
    }

    /// Enters an object: whether it has members.
    #[inline]
    pub(super) fn enter(&mut self) -> Result<bool, Unexpected> {
        self.expect(b'{')?;
        self.blanks();
        if self.peek() == Some(b'}') {
            self.at += 1;
            return Ok(false);
        }
        Ok(true)
    }

    /// The key of the next member; the cursor is then at its value.
    #[inline]
    pub(super) fn key(&mut self) -> Result<Scanned, Unexpected> {
        let key = self.string()?;
        self.blanks();
        self.expect(b':')?;
        self.blanks();
        Ok(key)
    }

    /// Goes on after a value: whether another member follows.
    #[inline]
    pub(super) fn more(&mut self) -> Result<bool, Unexpected> {
        self.blanks();
        let more = match self.peek() {
            Some(b',') => true,
            Some(b'}') => false,
            _ => return Err(Unexpected),
        };
        self.at += 1;
        if more {
            self.blanks();
        }
        Ok(more)
    }

    /// A string that is checked but not read.
    #[inline]
    fn string(&mut self) -> Result<Scanned, Unexpected> {
        self.expect(b'"')?;
        let scanned = string::scan(self.bytes, self.at)?;
        self.at = scanned.inner.end + 1;
        if !scanned.ascii {
            utf8(&self.bytes[scanned.inner.clone()])?;
        }
        Ok(scanned)
    }

    /// A value that is checked but not read.
    #[inline]
    pub(super) fn value(&mut self) -> Result<Range<usize>, Unexpected> {
        let start = self.at;
        match self.peek() {
            Some(b'"') => {
                self.string()?;
            }
            Some(b'{' | b'[') => self.nested()?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b't') => self.literal(b"true")?,
            Some(b'f') => self.literal(b"false")?,
            Some(b'n') => self.literal(b"null")?,
            _ => return Err(Unexpected),
        }
        Ok(start..self.at)
    }

    fn literal(&mut self, word: &[u8]) -> Result<(), Unexpected> {
        if !self.bytes[self.at..].starts_with(word) {
            return Err(Unexpected);
        }
        self.at += word.len();
        Ok(())
    }

    fn number(&mut self) -> Result<(), Unexpected> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if let Some(b'e' | b'E') = self.peek() {
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Unexpected> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            Err(Unexpected)
        } else {
            Ok(())
        }
    }

    /// An object or an array, skipped by serde_json, which does not recurse for it.
    fn nested(&mut self) -> Result<(), Unexpected> {
        let end = *self.line_end.get_or_insert_with(|| {
            let newline = match LINES {
                true => None,
                false => memchr::memchr(b'\n', &self.bytes[self.at..]),
            };
            newline.map_or(self.bytes.len(), |len| self.at + len)
        });
        let rest = &self.bytes[self.at..end];
        let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<IgnoredAny>();
        match values.next() {
            Some(Ok(_)) => {}
            _ => return Err(Unexpected),
        }
        let len = values.byte_offset();
        utf8(&rest[..len])?;
        self.at += len;
        Ok(())
    }
}

#[inline]
pub(super) fn utf8(bytes: &[u8]) -> Result<&str, Unexpected> {
    simdutf8::basic::from_utf8(bytes).map_err(|_| Unexpected)
}
