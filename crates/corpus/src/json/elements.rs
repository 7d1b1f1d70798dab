//! Where the elements of a JSON array end.
//!
//! Only strings and brackets are looked at, so that a block can be cut long before its elements are parsed. What is wrong
//! within an element is found by the parser; what is wrong between elements is found here.

use crate::lines::Span;
use memchr::memchr2;

/// Looks for the last comma between elements in bytes to which more are added.
#[derive(Debug)]
pub(crate) struct Elements {
    /// What comes before has been looked at.
    at: usize,
    /// Brackets that are open, the array's own among them.
    depth: usize,
    is_string: bool,
    /// What came last at the depth of the array.
    last: Last,
    /// After the last comma between elements.
    end: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Last {
    /// The bracket that opens the array, or nothing yet.
    Open,
    Comma,
    Element,
    /// The bracket that closes the array.
    Close,
}

impl Elements {
    /// For an array that opens within the bytes.
    pub(crate) fn before() -> Self {
        Self {
            at: 0,
            depth: 0,
            is_string: false,
            last: Last::Open,
            end: None,
        }
    }

    /// For bytes that follow a comma between elements.
    pub(crate) fn within() -> Self {
        Self {
            depth: 1,
            last: Last::Comma,
            ..Self::before()
        }
    }

    /// Starts behind what was looked at elsewhere.
    pub(crate) fn after(self, at: usize) -> Self {
        Self { at, ..self }
    }

    /// The place after the last comma between elements, in bytes which start with those of the call before.
    ///
    /// # Errors
    ///
    /// With the place of a fault, and what it is.
    pub(crate) fn last(
        &mut self,
        bytes: &[u8],
        ended: bool,
    ) -> Result<Option<usize>, (usize, &'static str)> {
        while let Some(&byte) = bytes.get(self.at) {
            if self.is_string {
                let rest = &bytes[self.at..];
                match memchr2(b'"', b'\\', rest) {
                    None => self.at = bytes.len(),
                    Some(len) if rest[len] == b'"' => {
                        self.at += len + 1;
                        self.is_string = false;
                    }
                    // What is escaped may not be there yet.
                    Some(len) if len + 1 == rest.len() => {
                        self.at += len;
                        break;
                    }
                    Some(len) => self.at += len + 2,
                }
                continue;
            }
            self.note(byte).map_err(|what| (self.at, what))?;
            self.at += 1;
        }
        match ended && self.last != Last::Close {
            true => Err((bytes.len(), "the array is not closed: the file ends first")),
            false => Ok(self.end),
        }
    }

    /// Looks at a byte outside of strings.
    fn note(&mut self, byte: u8) -> Result<(), &'static str> {
        match (byte, self.depth) {
            (b' ' | b'\t' | b'\r' | b'\n', _) => return Ok(()),
            (_, 0) if self.last == Last::Close => return Err("something follows the array"),
            (b'[', 0) => {
                self.depth = 1;
                return Ok(());
            }
            (_, 0) => return Err("the file does not start with `[`, so it is not an array"),
            (b',', 1) if self.last != Last::Element => return Err("an element is missing"),
            (b',', 1) => {
                self.last = Last::Comma;
                self.end = Some(self.at + 1);
                return Ok(());
            }
            (b']', 1) if self.last == Last::Comma => return Err("trailing comma"),
            (b']', 1) => {
                self.last = Last::Close;
                self.depth = 0;
                return Ok(());
            }
            (b'}', 1) => return Err("`}` closes nothing"),
            (b'"', _) => self.is_string = true,
            (b'[' | b'{', _) => self.depth += 1,
            (b']' | b'}', _) => self.depth -= 1,
            _ => {}
        }
        self.last = Last::Element;
        Ok(())
    }
}

/// Where the element that starts at `at` ends: before the blanks, and the comma or the bracket, that follow it.
pub(crate) fn element_end(bytes: &[u8], at: usize) -> Span {
    let mut depth = 0usize;
    let mut next = at;
    while let Some(&byte) = bytes.get(next) {
        match byte {
            b'"' => {
                next = string_end(bytes, next + 1);
                continue;
            }
            b'[' | b'{' => depth += 1,
            b',' | b']' | b'}' if depth == 0 => break,
            b']' | b'}' => depth -= 1,
            _ => {}
        }
        next += 1;
    }
    let end = at + bytes[at..next].trim_ascii_end().len();
    let after = match bytes.get(next) {
        Some(b',') => next + 1,
        _ => next,
    };
    Span::lines(bytes, at, end, after)
}

/// The place after the closing quote, or the end.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match memchr2(b'"', b'\\', rest) {
            None => return bytes.len(),
            Some(len) if rest[len] == b'"' => return at + len + 1,
            Some(len) => at += len + 2,
        }
    }
}
