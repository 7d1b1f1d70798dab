//! What a JSON string with escapes says.
//!
//! The text of a record is found and unescaped in one walk. Without a backslash it stays
//! where it is. With one, the walk goes 64 bytes at a time: their masks give all escapes
//! at once, and each run between two of them is copied as 64 bytes whatever its length,
//! since the next run overwrites what was too much. With AVX2, [`super::compact`] does it.

use super::Unexpected;
use super::masks::masks;
use super::string::{SIMPLE, hex, run};

/// Bytes that 64 may look at: the last copy of 64 starts at byte 65 or before.
const WINDOW: usize = 65 + 64;

/// Unescapes the string from `at`, of which the bytes before `next` are plain.
pub(super) fn unescape(
    bytes: &[u8],
    at: usize,
    mut next: usize,
    buffer: &mut Vec<u8>,
) -> Result<(usize, usize), Unexpected> {
    let mut len = next - at;
    room(buffer, len + 2 * WINDOW, bytes.len() - next);
    buffer[..len].copy_from_slice(&bytes[at..next]);
    loop {
        let stop = wide(bytes, &mut next, buffer, &mut len)?;
        room(buffer, len + 2 * WINDOW, bytes.len() - next);
        match stop {
            Stop::Quote => return Ok((len, next + 1)),
            Stop::Unicode => {
                // Text of another script is often one such escape after another.
                while bytes[next..].starts_with(b"\\u") {
                    let (c, after) = unicode(bytes, next)?;
                    room(buffer, len + 2 * WINDOW, bytes.len() - next);
                    len += c.encode_utf8(&mut buffer[len..len + 4]).len();
                    next = after;
                }
            }
        }
    }
}

/// Why unescaping ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Stop {
    /// At the closing quote.
    Quote,
    /// At `\u`.
    Unicode,
}

/// Unescapes up to the closing quote or the next `\u`, by the fastest way there is.
#[inline]
#[cfg_attr(
    target_arch = "x86_64",
    expect(unsafe_code, reason = "the call of a function that needs AVX2")
)]
fn wide(
    bytes: &[u8],
    next: &mut usize,
    buffer: &mut Vec<u8>,
    len: &mut usize,
) -> Result<Stop, Unexpected> {
    #[cfg(target_arch = "x86_64")]
    if super::compact::available() {
        // SAFETY: the machine has what the function needs.
        let stop = unsafe { super::compact::unescape(bytes, next, buffer, len)? };
        return match stop {
            Some(stop) => Ok(stop),
            None => narrow(bytes, next, buffer, len),
        };
    }
    portable(bytes, next, buffer, len)
}

/// Unescapes 64 bytes at a time.
fn portable(
    bytes: &[u8],
    next: &mut usize,
    buffer: &mut Vec<u8>,
    len: &mut usize,
) -> Result<Stop, Unexpected> {
    let (mut at, mut out) = (*next, *len);
    while let Some(window) = bytes.get(at..).and_then(|b| b.first_chunk::<WINDOW>()) {
        let found = window.first_chunk::<64>().map(masks).ok_or(Unexpected)?;
        room(buffer, out + 2 * WINDOW, bytes.len() - at);
        let escaped = escaped(found.backslash, 0);
        let stop = found.stop & !escaped;
        let end = stop.trailing_zeros() as usize;
        // What follows the end is another string's.
        let before = (stop & stop.wrapping_neg()).wrapping_sub(1);
        let mut starts = found.backslash & !escaped & before;
        let mut from = 0;
        while starts != 0 {
            let start = starts.trailing_zeros() as usize;
            buffer[out..out + 64].copy_from_slice(&window[from..from + 64]);
            out += start - from;
            let simple = SIMPLE[usize::from(window[start + 1])];
            if simple == 0 {
                (*next, *len) = (at + start, out);
                return if window[start + 1] == b'u' {
                    Ok(Stop::Unicode)
                } else {
                    Err(Unexpected)
                };
            }
            buffer[out] = simple;
            out += 1;
            from = start + 2;
            starts &= starts - 1;
        }
        buffer[out..out + 64].copy_from_slice(&window[from..from + 64]);
        // An escape across the end of the 64 has been read whole.
        let end = end.max(from);
        out += end - from;
        at += end;
        if stop != 0 {
            (*next, *len) = (at, out);
            return if bytes[at] == b'"' {
                Ok(Stop::Quote)
            } else {
                Err(Unexpected)
            };
        }
    }
    (*next, *len) = (at, out);
    narrow(bytes, next, buffer, len)
}

/// The twin of [`portable`] for the last bytes of the input.
fn narrow(
    bytes: &[u8],
    next: &mut usize,
    buffer: &mut Vec<u8>,
    len: &mut usize,
) -> Result<Stop, Unexpected> {
    loop {
        let stop = run(bytes, *next, &mut true)?;
        let run = &bytes[*next..stop];
        room(buffer, *len + run.len() + WINDOW, bytes.len() - stop);
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
pub(super) fn escaped(backslash: u64, first: u64) -> u64 {
    const EVEN: u64 = 0x5555_5555_5555_5555;
    let backslash = backslash & !first;
    let follows = backslash << 1 | first;
    let odd_starts = backslash & !EVEN & !follows;
    let even_runs = odd_starts.wrapping_add(backslash);
    let invert = even_runs << 1;
    (EVEN ^ invert) & follows
}

/// Makes the buffer at least `len` bytes long, where `left` more may follow: what is
/// unescaped is never longer than what it comes from.
#[inline(always)]
pub(super) fn room(buffer: &mut Vec<u8>, len: usize, left: usize) {
    if buffer.len() < len {
        grow(buffer, len, left);
    }
}

#[cold]
fn grow(buffer: &mut Vec<u8>, len: usize, left: usize) {
    buffer.resize((2 * len).min(len + left), 0);
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Way = fn(&[u8], &mut usize, &mut Vec<u8>, &mut usize) -> Result<Stop, Unexpected>;

    /// What a way makes of a string up to its first stop, with the place of that.
    fn by(way: Way, bytes: &[u8]) -> Option<(bool, usize, Vec<u8>)> {
        let (mut next, mut len) = (0, 0);
        let mut buffer = vec![0; 16];
        room(&mut buffer, 2 * WINDOW, bytes.len());
        let stop = way(bytes, &mut next, &mut buffer, &mut len).ok()?;
        buffer.truncate(len);
        Some((matches!(stop, Stop::Quote), next, buffer))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(3000))]

        #[test]
        fn all_ways_to_unescape_agree(
            pieces in prop::collection::vec(prop_oneof![
                6 => "[a-z\u{e9}]{0,40}".prop_map(String::into_bytes),
                6 => prop::sample::select(vec!["\\n", "\\\"", "\\\\", "\\/", "\\b\\f", "\\r\\t"])
                    .prop_map(|s| s.as_bytes().to_vec()),
                1 => prop::sample::select(vec!["\"", "\\u0041", "\\x", "\n", "\\", "\\\u{1}"])
                    .prop_map(|s| s.as_bytes().to_vec()),
            ], 0..40),
            quotes in 0..200usize,
        ) {
            let mut bytes = pieces.concat();
            bytes.extend(std::iter::repeat_n(b'"', quotes));
            let expected = by(narrow, &bytes);
            prop_assert_eq!(&by(portable, &bytes), &expected);
            prop_assert_eq!(&by(wide, &bytes), &expected);
        }
    }
}
