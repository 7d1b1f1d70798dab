use std::any::TypeId;

use bytemuck::{cast_slice, cast_slice_mut};
use lookalike_core::random::{self, Stream};

use crate::Scalar;

/// A pseudo-random rotation: three rounds of random signs and a Hadamard transform, up to a factor.
///
/// n·log n additions instead of n² products. The coordinates of a rotated vector are close to independent normal ones
/// (Andoni, Indyk, Laarhoven, Razenshteyn and Schmidt, 2015).
#[derive(Clone)]
pub(crate) struct Rotation<T> {
    /// ±1, for each round.
    signs: [Vec<T>; ROUNDS],
}

const ROUNDS: usize = 3;
/// The shortest vector that is transformed.
pub(crate) const SHORTEST: usize = 16;

impl<T: Scalar> Rotation<T> {
    /// The fewest numbers of a vector.
    pub(crate) const SHORTEST: usize = SHORTEST;

    /// A rotation of vectors of `length` numbers, a power of two.
    pub(crate) fn draw(length: usize, rng: &mut Stream) -> Self {
        debug_assert!(length.is_power_of_two() && length >= SHORTEST, "{length}");
        let signs = [(); ROUNDS].map(|()| {
            let mut signs = Vec::with_capacity(length);
            while signs.len() < length {
                let word = rng.next_u64();
                let sign = |bit: usize| match word >> bit & 1 {
                    0 => T::one(),
                    _ => -T::one(),
                };
                signs.extend((0..64.min(length - signs.len())).map(sign));
            }
            signs
        });
        Self { signs }
    }

    /// A vector, with zeros up to the length, rotated.
    pub(crate) fn turn(&self, vector: &[T], turned: &mut Vec<T>) {
        turned.clear();
        turned.resize(self.signs[0].len(), T::zero());
        turned[..vector.len()].copy_from_slice(vector);
        for signs in &self.signs {
            hadamard(turned, signs);
        }
    }
}

/// Random signs, then the Hadamard transform without its factor, of a power of two numbers.
pub(crate) fn hadamard<T: Scalar>(numbers: &mut [T], signs: &[T]) {
    #[cfg(target_arch = "x86_64")]
    if TypeId::of::<T>() == TypeId::of::<f32>() && is_x86_feature_detected!("avx2") {
        let (numbers, signs) = (cast_slice_mut(numbers), cast_slice(signs));
        #[expect(
            unsafe_code,
            reason = "an eighth of the time of the plain loop, measured"
        )]
        // SAFETY: the processor has AVX2.
        return unsafe { step_with_avx2(numbers, signs) };
    }
    plain_step(numbers, signs);
}

/// The same sums and differences, eight numbers at a time.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[expect(unsafe_code, reason = "loads and stores of vectors")]
fn step_with_avx2(numbers: &mut [f32], signs: &[f32]) {
    use std::arch::x86_64::*;
    let (rows, _) = numbers.as_chunks_mut::<8>();
    // SAFETY of all loads and stores: rows of eight numbers.
    let load = |row: &[f32; 8]| unsafe { _mm256_loadu_ps(row.as_ptr()) };
    let store = |row: &mut [f32; 8], v| unsafe { _mm256_storeu_ps(row.as_mut_ptr(), v) };
    // The first three levels are within a row: a + b in the place of a, a − b in that of b.
    let flips = [0b1010_1010, 0b1100_1100, 0b1111_0000].map(|mask: u8| {
        let flip = |bit: u8| if mask >> bit & 1 == 1 { -0.0f32 } else { 0.0 };
        load(&[0, 1, 2, 3, 4, 5, 6, 7].map(flip))
    });
    for (row, signs) in rows.iter_mut().zip(signs.as_chunks::<8>().0) {
        let v = _mm256_mul_ps(load(row), load(signs));
        let v = _mm256_add_ps(
            _mm256_permute_ps::<0b10_11_00_01>(v),
            _mm256_xor_ps(v, flips[0]),
        );
        let v = _mm256_add_ps(
            _mm256_permute_ps::<0b01_00_11_10>(v),
            _mm256_xor_ps(v, flips[1]),
        );
        let v = _mm256_add_ps(
            _mm256_permute2f128_ps::<1>(v, v),
            _mm256_xor_ps(v, flips[2]),
        );
        store(row, v);
    }
    // Two levels at a time, so that rows are read and written half as often.
    let mut half = 1;
    while 2 * half < rows.len() {
        for four in rows.chunks_exact_mut(4 * half) {
            let (ab, cd) = four.split_at_mut(2 * half);
            let ((a, b), (c, d)) = (ab.split_at_mut(half), cd.split_at_mut(half));
            for (((a, b), c), d) in a.iter_mut().zip(b).zip(c).zip(d) {
                let (va, vb, vc, vd) = (load(a), load(b), load(c), load(d));
                let (sum_ab, less_ab) = (_mm256_add_ps(va, vb), _mm256_sub_ps(va, vb));
                let (sum_cd, less_cd) = (_mm256_add_ps(vc, vd), _mm256_sub_ps(vc, vd));
                store(a, _mm256_add_ps(sum_ab, sum_cd));
                store(b, _mm256_add_ps(less_ab, less_cd));
                store(c, _mm256_sub_ps(sum_ab, sum_cd));
                store(d, _mm256_sub_ps(less_ab, less_cd));
            }
        }
        half *= 4;
    }
    if half < rows.len() {
        let (low, high) = rows.split_at_mut(half);
        for (low, high) in low.iter_mut().zip(high) {
            let (a, b) = (load(low), load(high));
            store(low, _mm256_add_ps(a, b));
            store(high, _mm256_sub_ps(a, b));
        }
    }
}

/// Signs, then the Hadamard transform without its factor.
#[inline(always)]
fn plain_step<T: Scalar>(numbers: &mut [T], signs: &[T]) {
    for (number, &sign) in numbers.iter_mut().zip(signs) {
        *number = *number * sign;
    }
    // The first four levels within 16 numbers, the others between rows of 16.
    for block in numbers.as_chunks_mut::<SHORTEST>().0 {
        *block = level::<T, 8>(level::<T, 4>(level::<T, 2>(level::<T, 1>(*block))));
    }
    let (rows, _) = numbers.as_chunks_mut::<SHORTEST>();
    let mut half = 1;
    while half < rows.len() {
        for pair in rows.chunks_exact_mut(2 * half) {
            let (low, high) = pair.split_at_mut(half);
            for (low, high) in low.iter_mut().zip(high) {
                for (low, high) in low.iter_mut().zip(high) {
                    (*low, *high) = (*low + *high, *low - *high);
                }
            }
        }
        half *= 2;
    }
}

/// Sums and differences of numbers that are `HALF` apart. The constant makes it a few shuffles.
#[inline(always)]
fn level<T: Scalar, const HALF: usize>(numbers: [T; SHORTEST]) -> [T; SHORTEST] {
    std::array::from_fn(|place| match place & HALF {
        0 => numbers[place] + numbers[place | HALF],
        _ => numbers[place ^ HALF] - numbers[place],
    })
}

/// A rotation of its own for stream `number` of a seed.
pub(super) fn rotation<T: Scalar>(length: usize, seed: u64, number: u64) -> Rotation<T> {
    Rotation::draw(length, &mut random::stream(seed, number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rotation_keeps_lengths_and_angles() {
        for length in [16, 32, 128, 1024] {
            let rotation = rotation::<f64>(length, 5, 0);
            let mut rng = random::stream(1, 1);
            let mut vector = || {
                (0..length - 3)
                    .map(|_| rng.unit() - 0.5)
                    .collect::<Vec<f64>>()
            };
            let (a, b) = (vector(), vector());
            let (mut x, mut y) = (Vec::new(), Vec::new());
            rotation.turn(&a, &mut x);
            rotation.turn(&b, &mut y);
            let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
            let factor = (length as f64).powi(3);
            assert!((dot(&x, &y) / factor - dot(&a, &b)).abs() < 1e-9);
            assert!((dot(&x, &x) / factor - dot(&a, &a)).abs() < 1e-9);
        }
    }

    #[test]
    fn a_step_is_the_transform_by_its_definition() {
        for length in [16usize, 64] {
            let mut rng = random::stream(2, 0);
            let numbers: Vec<f32> = (0..length).map(|_| rng.unit() as f32).collect();
            let signs = rotation::<f32>(length, 1, 0).signs[1].clone();
            let entry = |row: usize, column: usize| match (row & column).count_ones() % 2 {
                0 => 1.0,
                _ => -1.0,
            };
            let expected: Vec<f32> = (0..length)
                .map(|row| {
                    let terms = (0..length).map(|it| entry(row, it) * numbers[it] * signs[it]);
                    terms.sum()
                })
                .collect();
            let (mut fast, mut plain) = (numbers.clone(), numbers);
            hadamard(&mut fast, &signs);
            plain_step(&mut plain, &signs);
            assert_eq!(fast, plain);
            let near = |(a, b): (&f32, &f32)| (a - b).abs() < 1e-4;
            assert!(
                fast.iter().zip(&expected).all(near),
                "{fast:?} {expected:?}"
            );
        }
    }
}
