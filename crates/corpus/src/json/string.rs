//! JSON strings: where one ends, and what it says.
//!
//! The text of a record is found and unescaped in one walk. Without a backslash it stays
//! where it is. With one, the walk goes 64 bytes at a time: the masks of a step give all
//! its escapes at once, and each run between two of them is copied as 64 bytes whatever
//! its length, since the next run overwrites what was too much. Branches then depend on
//! the number of escapes in 64 bytes alone, not on the places where they are; real pages
//! have one in every 30 bytes.
//!
//! Checking UTF-8 is left to the caller, who may check what comes out: an escape gives
//! whole characters, so what comes out is UTF-8 if and only if what went in is.

use super::Unexpected;
use super::masks::{masks, special};
use std::ops::Range;

/// Bytes that one step of 64 may look at: the last copy starts at most at byte 65.
const WINDOW: usize = 65 + 64;

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
fn run(bytes: &[u8], mut at: usize, ascii: &mut bool) -> Result<usize, Unexpected> {
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

/// Unescapes the string from `at`, of which the bytes before `next` are plain.
fn unescape(
    bytes: &[u8],
    at: usize,
    mut next: usize,
    buffer: &mut Vec<u8>,
) -> Result<(usize, usize), Unexpected> {
    let mut len = next - at;
    room(buffer, len + 2 * WINDOW);
    buffer[..len].copy_from_slice(&bytes[at..next]);
    loop {
        let stop = wide(bytes, &mut next, buffer, &mut len)?;
        room(buffer, len + 2 * WINDOW);
        match stop {
            Stop::Quote => return Ok((len, next + 1)),
            Stop::Unicode => {
                // Text of another script is often one such escape after another.
                while bytes[next..].starts_with(b"\\u") {
                    let (c, after) = unicode(bytes, next)?;
                    room(buffer, len + 2 * WINDOW);
                    len += c.encode_utf8(&mut buffer[len..len + 4]).len();
                    next = after;
                }
            }
        }
    }
}

/// Why the steps of 64 end.
enum Stop {
    /// At the closing quote.
    Quote,
    /// At `\u`.
    Unicode,
}

/// Escapes of a step that are read without asking whether there are so many.
const UNASKED: usize = 4;

/// Unescapes 64 bytes at a time up to the closing quote or the next `\u`.
#[inline]
fn wide(
    bytes: &[u8],
    next: &mut usize,
    buffer: &mut Vec<u8>,
    len: &mut usize,
) -> Result<Stop, Unexpected> {
    let (mut at, mut out) = (*next, *len);
    // Bytes of this step that were read with the one before: 1 after an escape across.
    let mut from = 0;
    while let Some(window) = bytes.get(at..).and_then(|b| b.first_chunk::<WINDOW>()) {
        let found = window.first_chunk::<64>().map(masks).ok_or(Unexpected)?;
        room(buffer, out + 2 * WINDOW);
        let escaped = escaped(found.backslash, from as u64);
        let stop = found.stop & !escaped;
        let mut step = Step {
            window,
            starts: found.backslash & !escaped,
            end: 64,
            from,
            to: 0,
            failed: false,
        };
        let across = (step.starts >> 63) as usize;
        if stop != 0 {
            step.end = stop.trailing_zeros() as usize;
            // What follows is another string's.
            step.starts &= (1 << step.end) - 1;
        }
        let room = &mut buffer[out..out + 2 * WINDOW];
        for _ in 0..UNASKED {
            step.escape(room);
        }
        while step.starts != 0 {
            step.escape(room);
        }
        step.escape(room);
        if step.failed {
            (*next, *len) = (at + from, out);
            return narrow(bytes, next, buffer, len);
        }
        out += step.to;
        if stop != 0 {
            (*next, *len) = (at + step.end, out);
            return if bytes[*next] == b'"' {
                Ok(Stop::Quote)
            } else {
                Err(Unexpected)
            };
        }
        at += 64;
        from = across;
    }
    (*next, *len) = (at + from, out);
    narrow(bytes, next, buffer, len)
}

/// The escapes of 64 bytes.
struct Step<'a> {
    window: &'a [u8; WINDOW],
    /// The backslashes that start an escape and are still to be read.
    starts: u64,
    /// Where the string ends, or 64.
    end: usize,
    from: usize,
    to: usize,
    /// Whether an escape was not a simple one.
    failed: bool,
}

impl Step<'_> {
    /// Reads a run and the escape after it; without one, the run up to the end. Does the
    /// same work in both cases, since which it is cannot be predicted.
    #[inline(always)]
    fn escape(&mut self, room: &mut [u8]) {
        let real = usize::from(self.starts != 0);
        let start = if self.starts != 0 {
            self.starts.trailing_zeros() as usize
        } else {
            self.end.max(self.from)
        };
        room[self.to..self.to + 64].copy_from_slice(&self.window[self.from..self.from + 64]);
        self.to += start - self.from;
        let plain = SIMPLE[usize::from(self.window[start + 1])];
        room[self.to] = plain;
        self.to += real;
        self.failed |= (self.starts != 0) & (plain == 0);
        self.from = start + 2 * real;
        self.starts &= self.starts.wrapping_sub(1);
    }
}

/// The twin of [`wide`] for the last bytes of the input.
fn narrow(
    bytes: &[u8],
    next: &mut usize,
    buffer: &mut Vec<u8>,
    len: &mut usize,
) -> Result<Stop, Unexpected> {
    loop {
        let stop = run(bytes, *next, &mut true)?;
        let run = &bytes[*next..stop];
        room(buffer, *len + run.len() + WINDOW);
        buffer[*len..*len + run.len()].copy_from_slice(run);
        *len += run.len();
        *next = stop;
        match (bytes[stop], bytes.get(stop + 1)) {
            (b'"', _) => return Ok(Stop::Quote),
            (b'\\', Some(b'u')) => return Ok(Stop::Unicode),
            (b'\\', Some(&b)) if SIMPLE[usize::from(b)] != 0 => {
                buffer[*len] = SIMPLE[usize::from(b)];
                *len += 1;
                *next += 2;
            }
            _ => return Err(Unexpected),
        }
    }
}

/// The bytes that a backslash before them escapes, given all backslashes and whether the
/// first byte is escaped (1 or 0).
///
/// The first of a run of backslashes escapes the second, the third the fourth, and so on.
/// Adding a run's start to it carries through the run, which tells runs that start at
/// odd places from those at even ones (Langdale and Lemire, Parsing Gigabytes of JSON per
/// Second, VLDB Journal 2019, §3.1.1).
#[inline(always)]
fn escaped(backslash: u64, first: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let backslash = backslash & !first;
    let follows = backslash << 1 | first;
    let odd_starts = backslash & !EVEN & !follows;
    let even_runs = odd_starts.wrapping_add(backslash);
    let invert = even_runs << 1;
    (EVEN ^ invert) & follows
}

/// Makes the buffer at least `len` bytes, with a growth that is amortised.
#[inline(always)]
fn room(buffer: &mut Vec<u8>, len: usize) {
    if buffer.len() < len {
        grow(buffer, len);
    }
}

#[cold]
fn grow(buffer: &mut Vec<u8>, len: usize) {
    buffer.resize(len.max(2 * buffer.len()).max(1 << 12), 0);
}

/// The character of the escape `\u…` at `at`, with its second half if it has one.
fn unicode(bytes: &[u8], at: usize) -> Result<(char, usize), Unexpected> {
    let first = hex(bytes, at + 2)?;
    if let Some(c) = char::from_u32(first) {
        return Ok((c, at + 6));
    }
    if first >= 0xDC00 || bytes.get(at + 6..at + 8) != Some(b"\\u") {
        return Err(Unexpected);
    }
    let second = hex(bytes, at + 8)?;
    if !(0xDC00..0xE000).contains(&second) {
        return Err(Unexpected);
    }
    let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    char::from_u32(code).map(|c| (c, at + 12)).ok_or(Unexpected)
}

/// The four hexadecimal digits at `at`.
fn hex(bytes: &[u8], at: usize) -> Result<u32, Unexpected> {
    let digits = bytes.get(at..at + 4).ok_or(Unexpected)?;
    digits.iter().try_fold(0, |code, &d| {
        let digit = (d as char).to_digit(16).ok_or(Unexpected)?;
        Ok(code << 4 | digit)
    })
}

/// What a byte after a backslash stands for; 0 if it stands for nothing by itself.
static SIMPLE: [u8; 256] = {
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
