//! Text in canonical form: its tokens, and space bytes between them.
//!
//! Every byte is first mapped as if it were ASCII, by arithmetic that the compiler turns into vector
//! instructions; then the characters beyond ASCII, found by a mask, are put in place through the
//! tables of [`unicode`](crate::unicode). As long as none changes its length that is all; the rest of a
//! piece is otherwise written character by character. All ways give the same tokens.

use crate::unicode::{Class, entry};

/// Bytes that one mask covers.
pub(crate) const BLOCK: usize = 64;

/// The most bytes that the canonical form of a piece can take; a character alone gets a space before and after it.
pub(crate) fn room(bytes: usize) -> usize {
    2 * bytes + BLOCK
}

/// Writes the canonical form of `piece` under `words` to `out`, and says how long it is.
#[inline(always)]
pub(crate) fn words(piece: &str, out: &mut [u8]) -> usize {
    let bytes = piece.as_bytes();
    let mut all = 0;
    for (out, &byte) in out.iter_mut().zip(bytes) {
        all |= byte;
        *out = ascii_word(byte);
    }
    if all < 0x80 {
        return bytes.len();
    }
    let mut base = 0;
    while base < bytes.len() {
        let mut leading = mask(bytes, base, |byte| byte >= 0xc0);
        while leading != 0 {
            let at = base + leading.trailing_zeros() as usize;
            leading &= leading - 1;
            let c = char_at(piece, at);
            let entry = entry(c);
            let folded = entry.folded();
            match entry.class() {
                Class::Between => {}
                Class::Word if folded.len_utf8() == c.len_utf8() => {
                    folded.encode_utf8(&mut out[at..]);
                }
                _ => return at + words_slowly(&piece[at..], &mut out[at..]),
            }
        }
        base += BLOCK;
    }
    bytes.len()
}

/// A letter in lower case, a digit, or a space.
#[inline(always)]
const fn ascii_word(byte: u8) -> u8 {
    let lower = byte | 0x20;
    let letter = lower.wrapping_sub(b'a') < 26;
    let digit = byte.wrapping_sub(b'0') < 10;
    if letter | digit { lower } else { b' ' }
}

fn words_slowly(piece: &str, out: &mut [u8]) -> usize {
    let mut to = 0;
    for c in piece.chars() {
        if c.is_ascii() {
            out[to] = ascii_word(c as u8);
            to += 1;
            continue;
        }
        let entry = entry(c);
        match entry.class() {
            Class::Between => {
                out[to] = b' ';
                to += 1;
            }
            Class::Word => to += entry.folded().encode_utf8(&mut out[to..]).len(),
            Class::Solo => {
                out[to] = b' ';
                let length = c.encode_utf8(&mut out[to + 1..]).len();
                out[to + 1 + length] = b' ';
                to += length + 2;
            }
        }
    }
    to
}

/// Writes the canonical form of `piece` under `whitespace` to `out`, and says how long it is: as long as the piece.
#[inline(always)]
pub(crate) fn whitespace(piece: &str, out: &mut [u8]) -> usize {
    let bytes = piece.as_bytes();
    let mut suspect = 0;
    for (out, &byte) in out.iter_mut().zip(bytes) {
        suspect |= u8::from(may_start_space(byte));
        *out = if byte.wrapping_sub(9) < 5 { b' ' } else { byte };
    }
    let mut base = 0;
    while suspect != 0 && base < bytes.len() {
        let mut suspects = mask(bytes, base, may_start_space);
        while suspects != 0 {
            let at = base + suspects.trailing_zeros() as usize;
            suspects &= suspects - 1;
            let c = char_at(piece, at);
            if c.is_whitespace() {
                out[at..at + c.len_utf8()].fill(b' ');
            }
        }
        base += BLOCK;
    }
    bytes.len()
}

/// Whether a byte starts U+0085 or U+00A0, U+1680, U+2000 to U+205F, or U+3000.
#[inline(always)]
const fn may_start_space(byte: u8) -> bool {
    (byte == 0xc2) | (byte.wrapping_sub(0xe1) < 3)
}

#[inline(always)]
fn char_at(text: &str, at: usize) -> char {
    text[at..].chars().next().expect("a character starts here")
}

/// The first place from `at` on where a character starts or the text ends.
pub(crate) fn char_boundary(text: &str, at: usize) -> usize {
    let mut at = at;
    while !text.is_char_boundary(at) {
        at += 1;
    }
    at
}

/// The bits of the block at `base` for whose bytes `is` holds; none past the end.
#[inline(always)]
pub(crate) fn mask(bytes: &[u8], base: usize, is: impl Fn(u8) -> bool) -> u64 {
    let rest = &bytes[base..];
    let mut all = [0; BLOCK];
    match rest.first_chunk::<BLOCK>() {
        Some(block) => {
            for (all, &byte) in all.iter_mut().zip(block) {
                *all = if is(byte) { 0xff } else { 0 };
            }
        }
        None => {
            for (all, &byte) in all.iter_mut().zip(rest) {
                *all = if is(byte) { 0xff } else { 0 };
            }
        }
    }
    high_bits(&all)
}

/// The high bit of each byte.
#[inline(always)]
#[cfg(target_arch = "x86_64")]
fn high_bits(block: &[u8; BLOCK]) -> u64 {
    use std::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8};
    let (sixteens, _) = block.as_chunks::<16>();
    let mut bits = 0;
    for (place, sixteen) in sixteens.iter().enumerate() {
        // SAFETY: SSE2 is part of every x86-64, and sixteen bytes are read where sixteen are.
        #[expect(unsafe_code, reason = "no safe way to a mask of bytes is as fast")]
        let high = unsafe { _mm_movemask_epi8(_mm_loadu_si128(sixteen.as_ptr().cast())) };
        bits |= u64::from(high as u16) << (16 * place);
    }
    bits
}

/// The high bit of each byte.
#[inline(always)]
#[cfg(not(target_arch = "x86_64"))]
fn high_bits(block: &[u8; BLOCK]) -> u64 {
    let bit = |(place, byte): (usize, &u8)| u64::from(byte >> 7) << place;
    block.iter().enumerate().map(bit).sum()
}
