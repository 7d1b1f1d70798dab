//! Several 32-bit floats at a time: one type per width that processors have.

/// Some floats that are added and multiplied together.
///
/// # Safety
/// Methods of a type may be called on processors with its instructions only, from functions that are compiled for them.
#[expect(
    unsafe_code,
    reason = "the methods are instructions that not every processor has"
)]
pub(super) trait Lanes: Copy {
    /// How many there are.
    const COUNT: usize;

    /// The same number everywhere.
    unsafe fn splat(number: f32) -> Self;

    /// The first numbers of a list.
    unsafe fn load(numbers: &[f32]) -> Self;

    /// The numbers of a list that is too short, then zeros.
    unsafe fn load_few(numbers: &[f32]) -> Self;

    /// Writes the numbers to the start of a list.
    unsafe fn store(self, to: &mut [f32]);

    /// The sum of all numbers.
    unsafe fn sum(self) -> f32;

    /// `self` + a · b.
    unsafe fn add_product(self, a: Self, b: Self) -> Self;

    /// `self` − |a − b|.
    unsafe fn subtract_difference(self, a: Self, b: Self) -> Self;

    /// One bit for each number that is at least that of `other`.
    unsafe fn at_least(self, other: Self) -> u32;
}

/// Eight numbers for any processor.
#[derive(Clone, Copy)]
pub(super) struct Plain([f32; 8]);

#[expect(unsafe_code, reason = "of the trait; nothing here is unsafe")]
impl Lanes for Plain {
    const COUNT: usize = 8;

    #[inline(always)]
    unsafe fn splat(number: f32) -> Self {
        Self([number; 8])
    }

    #[inline(always)]
    unsafe fn load(numbers: &[f32]) -> Self {
        Self(*numbers.first_chunk().expect("eight numbers"))
    }

    #[inline(always)]
    unsafe fn load_few(numbers: &[f32]) -> Self {
        let mut all = [0.0; 8];
        all[..numbers.len()].copy_from_slice(numbers);
        Self(all)
    }

    #[inline(always)]
    unsafe fn store(self, to: &mut [f32]) {
        to[..8].copy_from_slice(&self.0);
    }

    #[inline(always)]
    unsafe fn sum(self) -> f32 {
        let four: [f32; 4] = std::array::from_fn(|lane| self.0[lane] + self.0[lane + 4]);
        (four[0] + four[2]) + (four[1] + four[3])
    }

    #[inline(always)]
    unsafe fn add_product(self, a: Self, b: Self) -> Self {
        Self(std::array::from_fn(|lane| {
            self.0[lane] + a.0[lane] * b.0[lane]
        }))
    }

    #[inline(always)]
    unsafe fn subtract_difference(self, a: Self, b: Self) -> Self {
        Self(std::array::from_fn(|lane| {
            self.0[lane] - (a.0[lane] - b.0[lane]).abs()
        }))
    }

    #[inline(always)]
    unsafe fn at_least(self, other: Self) -> u32 {
        (0..8)
            .map(|lane| u32::from(self.0[lane] >= other.0[lane]) << lane)
            .sum()
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions of x86")]
mod x86 {
    use std::arch::x86_64::*;

    use super::Lanes;

    #[derive(Clone, Copy)]
    pub(in crate::brute) struct Avx2(__m256);

    // SAFETY of all methods: see the trait; lists are checked to be long enough.
    impl Lanes for Avx2 {
        const COUNT: usize = 8;

        #[inline(always)]
        unsafe fn splat(number: f32) -> Self {
            unsafe { Self(_mm256_set1_ps(number)) }
        }

        #[inline(always)]
        unsafe fn load(numbers: &[f32]) -> Self {
            let numbers: &[f32; 8] = numbers.first_chunk().expect("eight numbers");
            unsafe { Self(_mm256_loadu_ps(numbers.as_ptr())) }
        }

        #[inline(always)]
        unsafe fn load_few(numbers: &[f32]) -> Self {
            assert!(numbers.len() < 8, "fewer than eight numbers");
            unsafe {
                let places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
                let given = _mm256_set1_epi32(numbers.len() as i32);
                // Places that are not given are not read.
                let mask = _mm256_cmpgt_epi32(given, places);
                Self(_mm256_maskload_ps(numbers.as_ptr(), mask))
            }
        }

        #[inline(always)]
        unsafe fn store(self, to: &mut [f32]) {
            let to: &mut [f32; 8] = to.first_chunk_mut().expect("eight numbers");
            unsafe { _mm256_storeu_ps(to.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        unsafe fn sum(self) -> f32 {
            unsafe {
                let high = _mm256_extractf128_ps::<1>(self.0);
                let four = _mm_add_ps(_mm256_castps256_ps128(self.0), high);
                let two = _mm_add_ps(four, _mm_movehl_ps(four, four));
                _mm_cvtss_f32(_mm_add_ss(two, _mm_movehdup_ps(two)))
            }
        }

        #[inline(always)]
        unsafe fn add_product(self, a: Self, b: Self) -> Self {
            unsafe { Self(_mm256_fmadd_ps(a.0, b.0, self.0)) }
        }

        #[inline(always)]
        unsafe fn subtract_difference(self, a: Self, b: Self) -> Self {
            unsafe {
                let difference = _mm256_sub_ps(a.0, b.0);
                let absolute = _mm256_andnot_ps(_mm256_set1_ps(-0.0), difference);
                Self(_mm256_sub_ps(self.0, absolute))
            }
        }

        #[inline(always)]
        unsafe fn at_least(self, other: Self) -> u32 {
            unsafe { _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(self.0, other.0)) as u32 }
        }
    }

    #[derive(Clone, Copy)]
    pub(in crate::brute) struct Avx512(__m512);

    // SAFETY of all methods: see the trait; lists are checked to be long enough.
    impl Lanes for Avx512 {
        const COUNT: usize = 16;

        #[inline(always)]
        unsafe fn splat(number: f32) -> Self {
            unsafe { Self(_mm512_set1_ps(number)) }
        }

        #[inline(always)]
        unsafe fn load(numbers: &[f32]) -> Self {
            let numbers: &[f32; 16] = numbers.first_chunk().expect("sixteen numbers");
            unsafe { Self(_mm512_loadu_ps(numbers.as_ptr())) }
        }

        #[inline(always)]
        unsafe fn load_few(numbers: &[f32]) -> Self {
            assert!(numbers.len() < 16, "fewer than sixteen numbers");
            let mask = (1u16 << numbers.len()) - 1;
            // Places outside the mask are not read.
            unsafe { Self(_mm512_maskz_loadu_ps(mask, numbers.as_ptr())) }
        }

        #[inline(always)]
        unsafe fn store(self, to: &mut [f32]) {
            let to: &mut [f32; 16] = to.first_chunk_mut().expect("sixteen numbers");
            unsafe { _mm512_storeu_ps(to.as_mut_ptr(), self.0) }
        }

        #[inline(always)]
        unsafe fn sum(self) -> f32 {
            unsafe { _mm512_reduce_add_ps(self.0) }
        }

        #[inline(always)]
        unsafe fn add_product(self, a: Self, b: Self) -> Self {
            unsafe { Self(_mm512_fmadd_ps(a.0, b.0, self.0)) }
        }

        #[inline(always)]
        unsafe fn subtract_difference(self, a: Self, b: Self) -> Self {
            unsafe {
                Self(_mm512_sub_ps(
                    self.0,
                    _mm512_abs_ps(_mm512_sub_ps(a.0, b.0)),
                ))
            }
        }

        #[inline(always)]
        unsafe fn at_least(self, other: Self) -> u32 {
            unsafe { u32::from(_mm512_cmp_ps_mask::<_CMP_GE_OQ>(self.0, other.0)) }
        }
    }
}
