//! Which of sixteen edges agree in two bytes, as a bit mask.
//!
//! SSE2 is part of every x86-64, so its intrinsics need no check at run time. Elsewhere it is a loop.

/// Edges in a block.
pub(super) const BLOCK: usize = 16;

/// Bytes from `least` to `least + more`, round the end of a byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub(super) least: u8,
    pub(super) more: u8,
}

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
pub(super) use sse2::within;

#[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
pub(super) use plain::within;

#[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
#[expect(
    unsafe_code,
    reason = "a call of an SSE2 function, in a module that is there only where SSE2 is"
)]
mod sse2 {
    use super::{BLOCK, Range};
    use std::arch::x86_64::{
        __m128i, _mm_and_si128, _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_set_epi64x,
        _mm_set1_epi8, _mm_sub_epi8,
    };

    /// Bit i says that byte i of both lists is within its range.
    #[inline(always)]
    pub(in super::super) fn within(
        one: &[u8; BLOCK],
        of_one: Range,
        other: &[u8; BLOCK],
        of_other: Range,
    ) -> u16 {
        // SAFETY: this module is compiled only if the target has SSE2.
        unsafe { both(one, of_one, other, of_other) }
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn both(one: &[u8; BLOCK], of_one: Range, other: &[u8; BLOCK], of_other: Range) -> u16 {
        let lanes = _mm_and_si128(lanes(one, of_one), lanes(other, of_other));
        _mm_movemask_epi8(lanes) as u16
    }

    #[inline]
    #[target_feature(enable = "sse2")]
    fn lanes(bytes: &[u8; BLOCK], range: Range) -> __m128i {
        // The compiler makes one unaligned load of the two halves.
        let whole = u128::from_le_bytes(*bytes);
        let bytes = _mm_set_epi64x((whole >> 64) as i64, whole as i64);
        let beyond = _mm_sub_epi8(bytes, _mm_set1_epi8(range.least as i8));
        let more = _mm_set1_epi8(range.more as i8);
        _mm_cmpeq_epi8(_mm_min_epu8(beyond, more), beyond)
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "sse2"))))]
mod plain {
    use super::{BLOCK, Range};

    /// Bit i says that byte i of both lists is within its range.
    pub(in super::super) fn within(
        one: &[u8; BLOCK],
        of_one: Range,
        other: &[u8; BLOCK],
        of_other: Range,
    ) -> u16 {
        let within = |byte: u8, range: Range| byte.wrapping_sub(range.least) <= range.more;
        let both = |i: usize| within(one[i], of_one) & within(other[i], of_other);
        (0..BLOCK).fold(0, |mask, i| mask | u16::from(both(i)) << i)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_ways_find_the_same(
            one: [u8; BLOCK], other: [u8; BLOCK], least: (u8, u8), more: (u8, u8), same: u16,
        ) {
            let of_one = Range { least: least.0, more: more.0 };
            let of_other = Range { least: least.1, more: more.1 };
            // Ends of ranges too, which are rare by chance.
            let one = std::array::from_fn(|i| if same >> i & 1 == 1 { least.0.wrapping_add(more.0) } else { one[i] });
            let found = within(&one, of_one, &other, of_other);
            prop_assert_eq!(found, plain::within(&one, of_one, &other, of_other));
        }
    }
}
