//! The kernel of [`Universal`](crate::Universal): 32 functions at a time, their minima in registers.
//!
//! The body is plain Rust. Built for AVX2 it is four registers of eight lanes; built for the
//! least processor it is the twin that a test compares with it.

/// Functions that run side by side.
pub(crate) const LANES: usize = 32;

/// 32 functions h(x) = (x ⊕ b) · a modulo 2^32, with odd a.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lanes {
    pub(crate) a: [u32; LANES],
    pub(crate) b: [u32; LANES],
}

impl Lanes {
    /// Lowers each minimum to the least hash of `elements`, where that is lower.
    #[inline]
    pub(crate) fn lower(&self, elements: &[u32], minima: &mut [u32; LANES]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(
                unsafe_code,
                reason = "the same body, built for AVX2, is 9 times as fast"
            )]
            // SAFETY: this processor has AVX2.
            unsafe {
                lower_avx2(self, elements, minima);
            }
            return;
        }
        self.lower_plain(elements, minima);
    }

    #[inline(always)]
    fn lower_plain(&self, elements: &[u32], minima: &mut [u32; LANES]) {
        let Self { a, b } = *self;
        let mut least = *minima;
        for &x in elements {
            for lane in 0..LANES {
                let hash = (x ^ b[lane]).wrapping_mul(a[lane]);
                least[lane] = least[lane].min(hash);
            }
        }
        *minima = least;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn lower_avx2(lanes: &Lanes, elements: &[u32], minima: &mut [u32; LANES]) {
    lanes.lower_plain(elements, minima);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{array::uniform32, prelude::*};

    proptest! {
        #[test]
        fn both_builds_are_the_definition(
            a in uniform32(any::<u32>()),
            b in uniform32(any::<u32>()),
            start in uniform32(any::<u32>()),
            elements in prop::collection::vec(any::<u32>(), 0..50),
        ) {
            let lanes = Lanes { a, b };
            let (mut dispatched, mut plain) = (start, start);
            lanes.lower(&elements, &mut dispatched);
            lanes.lower_plain(&elements, &mut plain);
            prop_assert_eq!(dispatched, plain);
            for lane in 0..LANES {
                let hashes = elements.iter().map(|x| (x ^ b[lane]).wrapping_mul(a[lane]));
                prop_assert_eq!(Some(plain[lane]), hashes.chain([start[lane]]).min());
            }
        }
    }
}
