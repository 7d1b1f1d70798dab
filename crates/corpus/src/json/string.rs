//! JSON strings: where one ends, and what it says.
//!
//! Checking UTF-8 is left to the caller, who may check what comes out: an escape gives
//! whole characters, so what comes out is UTF-8 if and only if what went in is.

use super::Unexpected;
use super::masks::{masks, special};
use super::unescape::unescape;
use std::ops::Range;

/// A string whose end is known.
#[derive(Clone, Debug)]
pub(super) struct Scanned {
    /// Without the quotes.
    pub(super) inner: Range<usize>,
    /// Whether it holds a backslash.
    pub(super) escaped: bool,
    /// Whether every byte is ASCII; may be false for a string that is followed closely
    /// by other bytes.
    pub(super) ascii: bool,
}

/// What a string says.
#[derive(Clone, Debug)]
pub(super) enum Said {
    /// It is the input's bytes.
    Plain(Range<usize>),
    /// It had escapes, and is the first bytes of the buffer.
    Unescaped(usize),
}

/// Finds the end of the string whose opening quote is before `at`, and checks its escapes
/// by the grammar alone (a lone surrogate passes, as when serde_json skips a value).
#[inline]
pub(super) fn scan(bytes: &[u8], at: usize) -> Result<Scanned, Unexpected> {
    let (mut escaped, mut ascii) = (false, true);
    let mut next = at;
    loop {
        let stop = run(bytes, next, &mut ascii)?;
        match bytes[stop] {
            b'"' => {
                return Ok(Scanned {
                    inner: at..stop,
                    escaped,
                    ascii,
                });
            }
            b'\\' => {
                escaped = true;
                next = match bytes.get(stop + 1) {
                    Some(b'u') => {
                        hex(bytes, stop + 2)?;
                        stop + 6
                    }
                    Some(&b) if SIMPLE[usize::from(b)] != 0 => stop + 2,
                    _ => return Err(Unexpected),
                };
            }
            _ => return Err(Unexpected),
        }
    }
}

/// The first quote, backslash or control byte from `at` on.
#[inline]
pub(super) fn run(bytes: &[u8], mut at: usize, ascii: &mut bool) -> Result<usize, Unexpected> {
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<16>()) {
        let (found, high) = special(chunk);
        *ascii &= !high;
        if found != 0 {
            return Ok(at + found.trailing_zeros() as usize);
        }
        at += 16;
    }
    for (i, &b) in bytes.iter().enumerate().skip(at) {
        if b == b'"' || b == b'\\' || b < 0x20 {
            return Ok(i);
        }
        *ascii &= b < 0x80;
    }
    Err(Unexpected)
}

/// Reads the string whose opening quote is before `at`, into `buffer` if it has escapes;
/// also gives the place after its closing quote.
#[inline]
pub(super) fn read(
    bytes: &[u8],
    at: usize,
    buffer: &mut Vec<u8>,
) -> Result<(Said, usize), Unexpected> {
    let mut next = at;
    while let Some(chunk) = bytes.get(next..).and_then(|rest| rest.first_chunk::<64>()) {
        let found = masks(chunk);
        let special = found.backslash | found.stop;
        if special != 0 {
            next += special.trailing_zeros() as usize;
            return end_or_unescape(bytes, at, next, buffer);
        }
        next += 64;
    }
    next = run(bytes, next, &mut true)?;
    end_or_unescape(bytes, at, next, buffer)
}

fn end_or_unescape(
    bytes: &[u8],
    at: usize,
    stop: usize,
    buffer: &mut Vec<u8>,
) -> Result<(Said, usize), Unexpected> {
    match bytes[stop] {
        b'"' => Ok((Said::Plain(at..stop), stop + 1)),
        b'\\' => unescape(bytes, at, stop, buffer).map(|(len, end)| (Said::Unescaped(len), end)),
        _ => Err(Unexpected),
    }
}

/// The four hexadecimal digits at `at`.
pub(super) fn hex(bytes: &[u8], at: usize) -> Result<u32, Unexpected> {
    let digits = bytes.get(at..at + 4).ok_or(Unexpected)?;
    digits.iter().try_fold(0, |code, &d| {
        let digit = (d as char).to_digit(16).ok_or(Unexpected)?;
        Ok(code << 4 | digit)
    })
}

/// What a byte after a backslash stands for; 0 if it stands for nothing by itself.
pub(super) static SIMPLE: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b'/' as usize] = b'/';
    table[b'b' as usize] = 0x08;
    table[b'f' as usize] = 0x0C;
    table[b'n' as usize] = b'\n';
    table[b'r' as usize] = b'\r';
    table[b't' as usize] = b'\t';
    table
};
