//! Sums of table entries, chosen by the bits of codes, for 64 codes at a time.
//!
//! Four bits of a code choose one of 16 entries of a table: a byte shuffle does that for 32 codes at once, or for 64 with
//! AVX-512. Entries have six bits, so that four of them add up in a byte before they are widened.

use std::ops::Range;

/// Codes in a block.
pub(super) const BLOCK: usize = 64;

/// Where the bytes of a code are among those of its block: bytes of one parity are widened together, and come out in the
/// order of codes.
pub(super) fn byte_of(lane: usize) -> usize {
    2 * (lane % 32) + lane / 32
}

/// The largest entry of a table.
const LARGEST: f32 = 63.0;

/// What turns a sum of entries into an estimate, and what that must reach.
#[derive(Clone, Copy)]
pub(super) struct Bars {
    pub(super) step: f32,
    pub(super) base: f32,
    pub(super) least: f32,
}

/// Codes in blocks: byte i of all codes of a block, at the places of [`byte_of`], then byte i + 1; a scale and a bias for
/// each code.
#[derive(Clone, Copy)]
pub(super) struct Blocks<'a> {
    pub(super) bytes: usize,
    pub(super) codes: &'a [u8],
    pub(super) scales: &'a [f32],
    pub(super) biases: &'a [f32],
}

/// One bit for each number that is not negative.
pub(super) fn signs(eight: &[f32; 8]) -> u8 {
    let bits = eight.iter().enumerate();
    bits.fold(0, |byte, (bit, &number)| {
        byte | u8::from(number >= 0.0) << bit
    })
}

/// For every four numbers, their product with any four signs, as a whole number of steps above the least. Returns the
/// step, and the product of a sum of 0 entries.
pub(super) fn product_table(numbers: &[f32], table: &mut [u8]) -> (f32, f32) {
    let (fours, _) = numbers.as_chunks::<4>();
    let range = |four: &[f32; 4]| four.iter().map(|number| number.abs()).sum::<f32>();
    let widest = fours.iter().map(range).fold(0.0, f32::max);
    let step = (2.0 * widest / LARGEST).max(f32::MIN_POSITIVE);
    let base = -fours.iter().map(range).sum::<f32>();
    fill_table(fours, 1.0 / step, table.as_chunks_mut::<16>().0);
    (step, base)
}

fn fill_table(fours: &[[f32; 4]], steps: f32, table: &mut [[u8; 16]]) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        #[expect(
            unsafe_code,
            reason = "a fifth of the time of the plain loop, measured"
        )]
        // SAFETY: the processor has AVX2.
        return unsafe { fill_with_avx2(fours, steps, table) };
    }
    plain_fill(fours, steps, table);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn fill_with_avx2(fours: &[[f32; 4]], steps: f32, table: &mut [[u8; 16]]) {
    plain_fill(fours, steps, table);
}

/// The signs that an entry stands for, one list for each of its four bits.
const SIGNS: [[f32; 16]; 4] = {
    let mut signs = [[-1.0; 16]; 4];
    let mut entry = 0;
    while entry < 16 {
        let mut bit = 0;
        while bit < 4 {
            if entry >> bit & 1 == 1 {
                signs[bit][entry] = 1.0;
            }
            bit += 1;
        }
        entry += 1;
    }
    signs
};

#[inline(always)]
fn plain_fill(fours: &[[f32; 4]], steps: f32, table: &mut [[u8; 16]]) {
    for (four, entries) in fours.iter().zip(table) {
        let range: f32 = four.iter().map(|number| number.abs()).sum();
        let mut products = [range; 16];
        for (&number, signs) in four.iter().zip(&SIGNS) {
            for (product, sign) in products.iter_mut().zip(signs) {
                *product += number * sign;
            }
        }
        // At 2^23 floats are whole numbers, and the low bits are the nearest one.
        *entries = products.map(|product| (product * steps + 8_388_608.0).to_bits() as u8);
    }
}

/// Adds the places among `places` whose estimate, scaled and with its bias, is at least the least.
pub(super) fn scan(
    table: &[u8],
    bars: Bars,
    blocks: Blocks<'_>,
    places: Range<usize>,
    passed: &mut Vec<u32>,
) {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "20 to 30 times as fast as the plain loop")]
    {
        if is_x86_feature_detected!("avx512bw") {
            // SAFETY: the processor has AVX-512 with bytes.
            return unsafe { x86::scan_with_avx512(table, bars, blocks, places, passed) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { x86::scan_with_avx2(table, bars, blocks, places, passed) };
        }
    }
    plain_scan(table, bars, blocks, places, passed);
}

/// The same for any processor, with the same sums and the same rounding.
fn plain_scan(
    table: &[u8],
    bars: Bars,
    blocks: Blocks<'_>,
    places: Range<usize>,
    passed: &mut Vec<u32>,
) {
    for place in places {
        let (block, lane) = (place / BLOCK, place % BLOCK);
        let codes = &blocks.codes[block * BLOCK * blocks.bytes..][..BLOCK * blocks.bytes];
        let mut sum = 0u16;
        for (byte, entries) in table.as_chunks::<32>().0.iter().enumerate() {
            let code = codes[byte * BLOCK + byte_of(lane)];
            sum += u16::from(entries[usize::from(code & 15)]);
            sum += u16::from(entries[16 + usize::from(code >> 4)]);
        }
        let product = f32::from(sum) * bars.step + bars.base;
        if product * blocks.scales[place] + blocks.biases[place] >= bars.least {
            passed.push(place as u32);
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "loads of vectors")]
mod x86 {
    use std::arch::x86_64::*;

    use super::*;

    /// The blocks that hold some places, each with its codes, scales and biases.
    #[inline(always)]
    fn each<'a>(
        blocks: Blocks<'a>,
        places: &Range<usize>,
    ) -> impl Iterator<Item = (usize, &'a [[u8; BLOCK]], &'a [f32; BLOCK], &'a [f32; BLOCK])> {
        let (codes, _) = blocks.codes.as_chunks::<BLOCK>();
        let (scales, _) = blocks.scales.as_chunks::<BLOCK>();
        let (biases, _) = blocks.biases.as_chunks::<BLOCK>();
        let range = match places.is_empty() {
            true => 0..0,
            false => places.start / BLOCK..places.end.div_ceil(BLOCK),
        };
        range.map(move |block| {
            let codes = &codes[block * blocks.bytes..][..blocks.bytes];
            (block * BLOCK, codes, &scales[block], &biases[block])
        })
    }

    /// Adds the places of the bits that are set.
    #[inline(always)]
    fn pass(mut hits: u64, first: usize, places: &Range<usize>, passed: &mut Vec<u32>) {
        while hits != 0 {
            let place = first + hits.trailing_zeros() as usize;
            hits &= hits - 1;
            if places.contains(&place) {
                passed.push(place as u32);
            }
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx2")]
    pub(super) fn scan_with_avx512(
        table: &[u8],
        bars: Bars,
        blocks: Blocks<'_>,
        places: Range<usize>,
        passed: &mut Vec<u32>,
    ) {
        let (entries, _) = table.as_chunks::<64>();
        let low = _mm512_set1_epi8(15);
        let low_byte = _mm512_set1_epi16(255);
        let (step, base) = (_mm512_set1_ps(bars.step), _mm512_set1_ps(bars.base));
        let least = _mm512_set1_ps(bars.least);
        for (first, codes, scales, biases) in each(blocks, &places) {
            let (mut even, mut odd) = (_mm512_setzero_si512(), _mm512_setzero_si512());
            for (codes, entries) in codes.as_chunks::<2>().0.iter().zip(entries) {
                // SAFETY: two rows of 64 codes, and four tables of 16 entries.
                let ([a, b], tables) = unsafe {
                    let entries = entries.as_ptr().cast::<__m128i>();
                    (
                        [0, 1].map(|row| _mm512_loadu_si512(codes[row].as_ptr().cast())),
                        [0, 1, 2, 3]
                            .map(|at| _mm512_broadcast_i32x4(_mm_loadu_si128(entries.add(at)))),
                    )
                };
                let high = |codes| _mm512_and_si512(_mm512_srli_epi16::<4>(codes), low);
                let first = _mm512_add_epi8(
                    _mm512_shuffle_epi8(tables[0], _mm512_and_si512(a, low)),
                    _mm512_shuffle_epi8(tables[1], high(a)),
                );
                let second = _mm512_add_epi8(
                    _mm512_shuffle_epi8(tables[2], _mm512_and_si512(b, low)),
                    _mm512_shuffle_epi8(tables[3], high(b)),
                );
                let four = _mm512_add_epi8(first, second);
                even = _mm512_add_epi16(even, _mm512_and_si512(four, low_byte));
                odd = _mm512_add_epi16(odd, _mm512_srli_epi16::<8>(four));
            }
            let sixteens = [
                _mm512_castsi512_si256(even),
                _mm512_extracti64x4_epi64::<1>(even),
                _mm512_castsi512_si256(odd),
                _mm512_extracti64x4_epi64::<1>(odd),
            ];
            let mut hits = 0;
            for (sixteen, sums) in sixteens.into_iter().enumerate() {
                let sums = _mm512_cvtepi32_ps(_mm512_cvtepu16_epi32(sums));
                let product = _mm512_add_ps(_mm512_mul_ps(sums, step), base);
                // SAFETY: sixteen numbers from each list of 64.
                let (scale, bias) = unsafe {
                    (
                        _mm512_loadu_ps(scales[sixteen * 16..].as_ptr()),
                        _mm512_loadu_ps(biases[sixteen * 16..].as_ptr()),
                    )
                };
                let estimate = _mm512_add_ps(_mm512_mul_ps(product, scale), bias);
                let reached = _mm512_cmp_ps_mask::<_CMP_GE_OQ>(estimate, least);
                hits |= u64::from(reached) << (16 * sixteen);
            }
            pass(hits, first, &places, passed);
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn scan_with_avx2(
        table: &[u8],
        bars: Bars,
        blocks: Blocks<'_>,
        places: Range<usize>,
        passed: &mut Vec<u32>,
    ) {
        let (entries, _) = table.as_chunks::<64>();
        let low = _mm256_set1_epi8(15);
        let low_byte = _mm256_set1_epi16(255);
        let (step, base) = (_mm256_set1_ps(bars.step), _mm256_set1_ps(bars.base));
        let least = _mm256_set1_ps(bars.least);
        for (first, codes, scales, biases) in each(blocks, &places) {
            // Sums of the first and of the second 32 bytes.
            let mut even = [_mm256_setzero_si256(); 2];
            let mut odd = [_mm256_setzero_si256(); 2];
            for (codes, entries) in codes.as_chunks::<2>().0.iter().zip(entries) {
                // SAFETY: four tables of 16 entries.
                let tables = unsafe {
                    let entries = entries.as_ptr().cast::<__m128i>();
                    [0, 1, 2, 3]
                        .map(|at| _mm256_broadcastsi128_si256(_mm_loadu_si128(entries.add(at))))
                };
                for half in 0..2 {
                    // SAFETY: 32 bytes of each of two rows of 64.
                    let [a, b] = unsafe {
                        [0, 1].map(|row: usize| {
                            _mm256_loadu_si256(codes[row][32 * half..].as_ptr().cast())
                        })
                    };
                    let high = |codes| _mm256_and_si256(_mm256_srli_epi16::<4>(codes), low);
                    let first = _mm256_add_epi8(
                        _mm256_shuffle_epi8(tables[0], _mm256_and_si256(a, low)),
                        _mm256_shuffle_epi8(tables[1], high(a)),
                    );
                    let second = _mm256_add_epi8(
                        _mm256_shuffle_epi8(tables[2], _mm256_and_si256(b, low)),
                        _mm256_shuffle_epi8(tables[3], high(b)),
                    );
                    let four = _mm256_add_epi8(first, second);
                    even[half] = _mm256_add_epi16(even[half], _mm256_and_si256(four, low_byte));
                    odd[half] = _mm256_add_epi16(odd[half], _mm256_srli_epi16::<8>(four));
                }
            }
            let mut hits = 0;
            for (sixteen, sums) in [even[0], even[1], odd[0], odd[1]].into_iter().enumerate() {
                let halves = [
                    _mm256_castsi256_si128(sums),
                    _mm256_extracti128_si256::<1>(sums),
                ];
                for (half, sums) in halves.into_iter().enumerate() {
                    let at = 16 * sixteen + 8 * half;
                    let sums = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(sums));
                    let product = _mm256_add_ps(_mm256_mul_ps(sums, step), base);
                    // SAFETY: eight numbers from each list of 64.
                    let (scale, bias) = unsafe {
                        (
                            _mm256_loadu_ps(scales[at..].as_ptr()),
                            _mm256_loadu_ps(biases[at..].as_ptr()),
                        )
                    };
                    let estimate = _mm256_add_ps(_mm256_mul_ps(product, scale), bias);
                    let reached = _mm256_movemask_ps(_mm256_cmp_ps::<_CMP_GE_OQ>(estimate, least));
                    hits |= (reached as u64) << at;
                }
            }
            pass(hits, first, &places, passed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::random;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_processor_lets_the_same_codes_pass(
            bytes in 1usize..20, count in 1usize..100, start in 0usize..100, seed in any::<u64>(),
        ) {
            let bytes = 2 * bytes;
            let mut rng = random::stream(seed, 0);
            let mut number = || rng.unit() as f32 - 0.5;
            let numbers: Vec<f32> = (0..bytes * 8).map(|_| number()).collect();
            let mut table = vec![0; bytes * 32];
            let (step, base) = product_table(&numbers, &mut table);
            prop_assert!(table.iter().all(|&entry| f32::from(entry) <= LARGEST));
            let padded = count.next_multiple_of(BLOCK);
            let scales: Vec<f32> = (0..padded).map(|_| number() + 1.0).collect();
            let biases: Vec<f32> = (0..padded).map(|_| number()).collect();
            let codes: Vec<u8> = (0..padded * bytes).map(|_| (number() * 255.0) as i32 as u8).collect();
            let blocks = Blocks { bytes, codes: &codes, scales: &scales, biases: &biases };
            let bars = Bars { step, base, least: 0.0 };
            let (mut fast, mut plain) = (Vec::new(), Vec::new());
            let places = start.min(count)..count;
            scan(&table, bars, blocks, places.clone(), &mut fast);
            plain_scan(&table, bars, blocks, places.clone(), &mut plain);
            prop_assert_eq!(fast, plain.clone());
            #[cfg(target_arch = "x86_64")]
            if is_x86_feature_detected!("avx2") {
                let mut avx2 = Vec::new();
                #[expect(unsafe_code, reason = "also where there is something better")]
                // SAFETY: the processor has AVX2.
                unsafe { x86::scan_with_avx2(&table, bars, blocks, places, &mut avx2) };
                prop_assert_eq!(avx2, plain);
            }
        }

        #[test]
        fn sums_of_entries_are_products_with_signs(
            numbers in prop::collection::vec(-1f32..1.0, 32), signs_of in prop::collection::vec(-1f32..1.0, 32),
        ) {
            let mut table = vec![0; 32 * 4];
            let (step, base) = product_table(&numbers, &mut table);
            let code: Vec<u8> = signs_of.as_chunks::<8>().0.iter().map(signs).collect();
            let mut sum = 0.0;
            for (byte, entries) in code.iter().zip(table.as_chunks::<32>().0) {
                sum += f32::from(entries[usize::from(byte & 15)]) + f32::from(entries[16 + usize::from(byte >> 4)]);
            }
            let sign = |number: f32| if number >= 0.0 { 1.0 } else { -1.0 };
            let product: f32 = numbers.iter().zip(&signs_of).map(|(a, &b)| a * sign(b)).sum();
            prop_assert!((sum * step + base - product).abs() <= 0.5 * step * 8.0 + 1e-5);
        }
    }
}
