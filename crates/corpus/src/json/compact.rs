//! Unescaping without a branch: every 64 bytes cost the same, whatever escapes they hold.
//!
//! Escaped bytes are replaced where they stand, by two shuffles that are a perfect hash
//! of the eight simple escapes; then the backslashes are squeezed out, eight bytes at a
//! time, by a shuffle for each of the 256 patterns. On pages with an escape in every 30
//! bytes, at places that no predictor can know, this takes less than half of the time of a
//! loop over the escapes. It needs AVX2, which is looked for at run time.

use super::Unexpected;
use super::unescape::{Stop, escaped, room as make_room};
use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi8, _mm_cvtsi64_si128, _mm_cvtsi128_si64, _mm_set1_epi8,
    _mm_shuffle_epi8, _mm256_add_epi8, _mm256_and_si256, _mm256_andnot_si256, _mm256_blendv_epi8,
    _mm256_castsi256_si128, _mm256_cmpeq_epi8, _mm256_extracti128_si256, _mm256_min_epu8,
    _mm256_movemask_epi8, _mm256_or_si256, _mm256_set_epi64x, _mm256_set1_epi8, _mm256_set1_epi32,
    _mm256_set1_epi64x, _mm256_shuffle_epi8, _mm256_srli_epi16, _mm256_xor_si256,
};

/// Bytes of the buffer that 64 bytes of input may write to: each store is of eight.
const ROOM: usize = 64 + 8;

/// Whether this machine can.
#[inline]
pub(super) fn available() -> bool {
    is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt")
}

/// Unescapes up to the closing quote (`Some`) or, at most, up to something else than a
/// simple escape or the last 64 bytes of the input (`None`).
#[inline]
#[target_feature(enable = "avx2,popcnt")]
pub(super) fn unescape(
    bytes: &[u8],
    next: &mut usize,
    buffer: &mut Vec<u8>,
    len: &mut usize,
) -> Result<Option<Stop>, Unexpected> {
    let (mut at, mut out) = (*next, *len);
    // Whether the first byte is escaped: 1 or 0.
    let mut carry = 0;
    let mut result = Ok(None);
    while let Some(chunk) = bytes.get(at..).and_then(|rest| rest.first_chunk::<64>()) {
        make_room(buffer, out + ROOM, bytes.len() - at);
        let Some(room) = buffer[out..].first_chunk_mut::<ROOM>() else {
            break;
        };
        let (low, high) = (load(chunk, 0), load(chunk, 32));
        let backslash = bits(equal(low, b'\\'), equal(high, b'\\'));
        let escaped = escaped(backslash, carry);
        let stop = bits(stops(low), stops(high)) & !escaped;
        let starts = backslash & !escaped;
        let (low, low_other) = replaced(low, escaped as u32);
        let (high, high_other) = replaced(high, (escaped >> 32) as u32);
        let other = bits(low_other, high_other);
        // The bits up to the first stop, or all.
        let before = (stop & stop.wrapping_neg()).wrapping_sub(1);
        if other & before != 0 {
            break;
        }
        squeeze(low, starts as u32, room, 0);
        let kept_low = 32 - (starts as u32).count_ones() as usize;
        squeeze(high, (starts >> 32) as u32, room, kept_low);
        if stop != 0 {
            at += stop.trailing_zeros() as usize;
            out += (before & !starts).count_ones() as usize;
            carry = 0;
            result = if bytes[at] == b'"' {
                Ok(Some(Stop::Quote))
            } else {
                Err(Unexpected)
            };
            break;
        }
        out += 64 - starts.count_ones() as usize;
        at += 64;
        carry = starts >> 63;
    }
    // The backslash of an escape across has not been written.
    (*next, *len) = (at - carry as usize, out);
    result
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(chunk: &[u8; 64], at: usize) -> __m256i {
    let word = |i: usize| {
        let mut bytes = [0; 8];
        bytes.copy_from_slice(&chunk[at + 8 * i..at + 8 * i + 8]);
        i64::from_le_bytes(bytes)
    };
    _mm256_set_epi64x(word(3), word(2), word(1), word(0))
}

#[inline]
#[target_feature(enable = "avx2")]
fn equal(v: __m256i, byte: u8) -> __m256i {
    _mm256_cmpeq_epi8(v, _mm256_set1_epi8(byte as i8))
}

/// Quotes and control bytes.
#[inline]
#[target_feature(enable = "avx2")]
fn stops(v: __m256i) -> __m256i {
    let control = _mm256_cmpeq_epi8(_mm256_min_epu8(v, _mm256_set1_epi8(0x1F)), v);
    _mm256_or_si256(equal(v, b'"'), control)
}

#[inline]
#[target_feature(enable = "avx2")]
fn bits(low: __m256i, high: __m256i) -> u64 {
    let low = u64::from(_mm256_movemask_epi8(low) as u32);
    let high = u64::from(_mm256_movemask_epi8(high) as u32);
    low | high << 32
}

/// The bytes with those that are escaped replaced by what they stand for, and those of
/// them that are no simple escape.
#[inline]
#[target_feature(enable = "avx2")]
fn replaced(v: __m256i, escaped: u32) -> (__m256i, __m256i) {
    let lanes = spread(escaped);
    let hash = _mm256_add_epi8(v, _mm256_set1_epi8(HASH_ADD as i8));
    // Shifts are of 16 bits; the mask drops what comes from the neighbour.
    let hash = _mm256_xor_si256(hash, _mm256_srli_epi16::<4>(hash));
    let hash = _mm256_and_si256(hash, _mm256_set1_epi8(15));
    let known = _mm256_shuffle_epi8(twice(&NAMES), hash);
    let meant = _mm256_shuffle_epi8(twice(&MEANT), hash);
    let other = _mm256_andnot_si256(_mm256_cmpeq_epi8(known, v), lanes);
    (_mm256_blendv_epi8(v, meant, lanes), other)
}

/// A lane for each bit.
#[inline]
#[target_feature(enable = "avx2")]
fn spread(bits: u32) -> __m256i {
    const ONES: i64 = 0x0101_0101_0101_0101;
    let all = _mm256_set1_epi32(bits as i32);
    let byte = _mm256_shuffle_epi8(all, _mm256_set_epi64x(3 * ONES, 2 * ONES, ONES, 0));
    let select = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    _mm256_cmpeq_epi8(_mm256_and_si256(byte, select), select)
}

#[inline]
#[target_feature(enable = "avx2")]
fn twice(table: &[u8; 16]) -> __m256i {
    let whole = u128::from_le_bytes(*table);
    let (low, high) = (whole as i64, (whole >> 64) as i64);
    _mm256_set_epi64x(high, low, high, low)
}

/// Writes the bytes whose bit is not set.
#[inline]
#[target_feature(enable = "avx2,popcnt")]
fn squeeze(v: __m256i, drop: u32, room: &mut [u8; ROOM], to: usize) {
    let halves = [_mm256_castsi256_si128(v), _mm256_extracti128_si256::<1>(v)];
    let dropped_before = |bit: u32| (drop & ((1 << bit) - 1)).count_ones() as usize;
    for (i, half) in (0..).zip(halves) {
        for (eight, add) in [(2 * i, 0), (2 * i + 1, 8)] {
            let pattern = drop >> (8 * eight) & 0xFF;
            let to = to + 8 * eight as usize - dropped_before(8 * eight);
            let kept = kept(half, pattern as u8, add);
            // `to` is at most 56: the mask tells the compiler.
            let to = to & 63;
            room[to..to + 8].copy_from_slice(&kept.to_le_bytes());
        }
    }
}

/// The bytes from `add` on whose bit is not set.
#[inline]
#[target_feature(enable = "avx2")]
fn kept(half: __m128i, pattern: u8, add: i8) -> i64 {
    let order = _mm_cvtsi64_si128(i64::from_le_bytes(KEEP[usize::from(pattern)]));
    let order = _mm_add_epi8(order, _mm_set1_epi8(add));
    _mm_cvtsi128_si64(_mm_shuffle_epi8(half, order))
}

/// With this added, a byte and its upper half make a perfect hash of simple escapes.
const HASH_ADD: u8 = 3;

/// What may follow a backslash, and what it then means.
const ESCAPES: [(u8, u8); 8] = [
    (b'"', b'"'),
    (b'\\', b'\\'),
    (b'/', b'/'),
    (b'b', 0x08),
    (b'f', 0x0C),
    (b'n', b'\n'),
    (b'r', b'\r'),
    (b't', b'\t'),
];

const fn hash(name: u8) -> usize {
    let sum = name.wrapping_add(HASH_ADD);
    ((sum ^ sum >> 4) & 15) as usize
}

/// By hash, the byte that has it; 0, which is no byte's here, where none has.
const NAMES: [u8; 16] = {
    let mut table = [0; 16];
    let mut i = 0;
    while i < ESCAPES.len() {
        table[hash(ESCAPES[i].0)] = ESCAPES[i].0;
        i += 1;
    }
    table
};

const MEANT: [u8; 16] = {
    let mut table = [0; 16];
    let mut i = 0;
    while i < ESCAPES.len() {
        table[hash(ESCAPES[i].0)] = ESCAPES[i].1;
        i += 1;
    }
    table
};

/// For each pattern of eight bits, the places of those not set.
static KEEP: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut pattern = 0;
    while pattern < 256 {
        let (mut bit, mut kept) = (0, 0);
        while bit < 8 {
            if pattern >> bit & 1 == 0 {
                table[pattern][kept] = bit as u8;
                kept += 1;
            }
            bit += 1;
        }
        pattern += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::{ESCAPES, NAMES, hash};

    #[test]
    fn the_hash_is_perfect() {
        for (name, _) in ESCAPES {
            assert_eq!(NAMES[hash(name)], name);
        }
        assert_ne!(NAMES[hash(0)], 0);
    }
}
