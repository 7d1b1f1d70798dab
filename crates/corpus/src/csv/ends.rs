//! Where rows end in a block that is still being read.

use memchr::{memchr, memrchr2};

/// Looks for the last end of a row in bytes to which more are added.
///
/// Only quotes are looked at one by one: outside of them a quote opens a field if and only
/// if a delimiter or a line end is before it.
#[derive(Debug)]
pub(crate) struct Ends {
    /// The first byte of the first row.
    first: usize,
    /// What comes before has been looked at.
    at: usize,
    is_quoted: bool,
    last: Option<usize>,
}

impl Ends {
    /// For rows that start at this byte.
    pub(crate) fn new(first: usize) -> Self {
        Self {
            first,
            at: first,
            is_quoted: false,
            last: None,
        }
    }

    /// The end of the last row in the bytes, which start with those of the call before.
    /// If more bytes start with the `\n` of a `\r`, that is a blank line.
    pub(crate) fn last(&mut self, bytes: &[u8], delimiter: u8) -> Option<usize> {
        while self.at < bytes.len() {
            let rest = &bytes[self.at..];
            let quote = memchr(b'"', rest);
            match (self.is_quoted, quote) {
                (true, None) => self.at = bytes.len(),
                (true, Some(len)) => match rest.get(len + 1) {
                    // Whether it is doubled is not known yet.
                    None => {
                        self.at += len;
                        break;
                    }
                    Some(b'"') => self.at += len + 2,
                    Some(_) => {
                        self.at += len + 1;
                        self.is_quoted = false;
                    }
                },
                (false, None) => {
                    self.note(rest);
                    self.at = bytes.len();
                }
                (false, Some(len)) => {
                    self.note(&rest[..len]);
                    self.at += len;
                    self.is_quoted = self.at == self.first || {
                        let before = bytes[self.at - 1];
                        before == delimiter || matches!(before, b'\n' | b'\r')
                    };
                    self.at += 1;
                }
            }
        }
        self.last
    }

    /// Looks at bytes from here on that are in no quotes.
    fn note(&mut self, plain: &[u8]) {
        if let Some(end) = memrchr2(b'\n', b'\r', plain) {
            self.last = Some(self.at + end + 1);
        }
    }
}
