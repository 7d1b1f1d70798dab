//! The bytes that matter inside a JSON string, as bit masks of 64 bytes.
//!
//! SSE2 is part of every x86-64, so its intrinsics need no check at run time. Elsewhere
//! the same masks come from arithmetic on eight bytes at a time.

/// Bit i is byte i of 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Masks {
    /// Backslashes.
    pub(super) backslash: u64,
    /// Quotes, and control bytes, which a string must not hold.
    pub(super) stop: u64,
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use sse2::{masks, special};
#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(super) use swar::{masks, special};

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(
    unsafe_code,
    reason = "calls of SSE2 functions, in a module that is there only where SSE2 is"
)]
mod sse2 {
    use super::Masks;
    use std::arch::x86_64::{
        __m128i, _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_or_si128, _mm_set_epi64x,
        _mm_set1_epi8,
    };

    #[inline(always)]
    pub(in super::super) fn masks(bytes: &[u8; 64]) -> Masks {
        // SAFETY: this module is compiled only if the target has SSE2.
        unsafe { masks_sse2(bytes) }
    }

    /// Both masks of 16 bytes in one, and whether a byte is not ASCII.
    #[inline(always)]
    pub(in super::super) fn special(bytes: &[u8; 16]) -> (u32, bool) {
        // SAFETY: this module is compiled only if the target has SSE2.
        unsafe { special_sse2(bytes) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn masks_sse2(bytes: &[u8; 64]) -> Masks {
        let (parts, _) = bytes.as_chunks::<16>();
        let mut found = Masks {
            backslash: 0,
            stop: 0,
        };
        for (i, part) in parts.iter().enumerate() {
            let v = load(part);
            found.backslash |= bits(backslash(v)) << (16 * i);
            found.stop |= bits(stop(v)) << (16 * i);
        }
        found
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn special_sse2(bytes: &[u8; 16]) -> (u32, bool) {
        let v = load(bytes);
        let special = bits(_mm_or_si128(backslash(v), stop(v)));
        (special as u32, bits(v) != 0)
    }

    /// The compiler makes one unaligned load of the two halves.
    #[inline]
    #[target_feature(enable = "sse2")]
    fn load(bytes: &[u8; 16]) -> __m128i {
        let whole = u128::from_le_bytes(*bytes);
        _mm_set_epi64x((whole >> 64) as i64, whole as i64)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn bits(lanes: __m128i) -> u64 {
        u64::from(_mm_movemask_epi8(lanes) as u16)
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn backslash(v: __m128i) -> __m128i {
        _mm_cmpeq_epi8(v, _mm_set1_epi8(b'\\' as i8))
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn stop(v: __m128i) -> __m128i {
        let quote = _mm_cmpeq_epi8(v, _mm_set1_epi8(b'"' as i8));
        let control = _mm_cmpeq_epi8(_mm_min_epu8(v, _mm_set1_epi8(0x1F)), v);
        _mm_or_si128(quote, control)
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod swar {
    use super::Masks;

    const ONES: u64 = 0x0101_0101_0101_0101;
    const LOW: u64 = 0x7F7F_7F7F_7F7F_7F7F;
    const HIGH: u64 = 0x8080_8080_8080_8080;

    /// One bit a byte from the highest bit of each byte.
    #[inline(always)]
    fn bits(lanes: u64) -> u64 {
        ((lanes & HIGH) >> 7).wrapping_mul(0x0102_0408_1020_4080) >> 56
    }

    /// The highest bit of each byte that is zero.
    #[inline(always)]
    fn zero(v: u64) -> u64 {
        !(((v & LOW) + LOW) | v)
    }

    #[inline(always)]
    fn equal(v: u64, byte: u8) -> u64 {
        zero(v ^ (ONES * u64::from(byte)))
    }

    #[inline(always)]
    fn stop(v: u64) -> u64 {
        equal(v, b'"') | zero(v & (ONES * 0xE0))
    }

    #[inline(always)]
    pub(in super::super) fn masks(bytes: &[u8; 64]) -> Masks {
        let (parts, _) = bytes.as_chunks::<8>();
        let mut found = Masks {
            backslash: 0,
            stop: 0,
        };
        for (i, part) in parts.iter().enumerate() {
            let v = u64::from_le_bytes(*part);
            found.backslash |= bits(equal(v, b'\\')) << (8 * i);
            found.stop |= bits(stop(v)) << (8 * i);
        }
        found
    }

    /// Both masks of 16 bytes in one, and whether a byte is not ASCII.
    #[inline(always)]
    pub(in super::super) fn special(bytes: &[u8; 16]) -> (u32, bool) {
        let (parts, _) = bytes.as_chunks::<8>();
        let mut special = 0;
        let mut high = 0;
        for (i, part) in parts.iter().enumerate() {
            let v = u64::from_le_bytes(*part);
            special |= bits(equal(v, b'\\') | stop(v)) << (8 * i);
            high |= v & HIGH;
        }
        (special as u32, high != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::{Masks, masks, special, swar};
    use proptest::prelude::*;

    fn plain(bytes: &[u8; 64]) -> Masks {
        let mask =
            |wanted: fn(u8) -> bool| (0..64).fold(0, |m, i| m | (u64::from(wanted(bytes[i])) << i));
        Masks {
            backslash: mask(|b| b == b'\\'),
            stop: mask(|b| b == b'"' || b < 0x20),
        }
    }

    proptest! {
        #[test]
        fn masks_are_those_of_the_definition(bytes in prop::array::uniform32(any::<u8>()), near in prop::array::uniform32(0x1Eu8..0x24)) {
            let mut both = [0; 64];
            both[..32].copy_from_slice(&bytes);
            both[32..].copy_from_slice(&near);
            prop_assert_eq!(masks(&both), plain(&both));
            prop_assert_eq!(swar::masks(&both), plain(&both));
            let part: &[u8; 16] = both[24..40].try_into().unwrap();
            prop_assert_eq!(special(part), swar::special(part));
            let mut whole = [b' '; 64];
            whole[..16].copy_from_slice(part);
            let all = plain(&whole);
            prop_assert_eq!(u64::from(special(part).0), all.backslash | all.stop);
            prop_assert_eq!(special(part).1, !part.is_ascii());
        }
    }
}
