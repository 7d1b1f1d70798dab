//! Estimates of all codes of a block at a time.
//!
//! Four bits of a code choose one of 16 entries of the query's [`Table`]: a byte shuffle does that for 32 codes at once.

use std::ops::Range;

#[cfg(target_arch = "x86_64")]
use super::fastest::Level;
use super::{
    blocks::{BLOCK, Blocks, byte_of},
    table::Table,
};

/// A code whose estimate reached the bar of its block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Candidate {
    /// The estimate of −‖q − x‖²/2.
    pub(super) estimate: f32,
    /// The place of the code.
    pub(super) place: u32,
}

/// What estimates of a cell must reach.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bars {
    /// What all estimates of the cell have: −‖q − c‖²/2.
    pub(super) start: f32,
    /// The least −‖q − x‖²/2.
    pub(super) least: f32,
    /// By how much the bar of a block is lower for each unit of its largest error, and of its largest scale.
    pub(super) per_error: f32,
    pub(super) per_scale: f32,
}

impl Bars {
    /// What estimates of a block must reach, without the start.
    #[inline(always)]
    fn of_block(&self, blocks: &Blocks, block: usize) -> f32 {
        let spread = blocks.spreads[block];
        self.least - (self.per_error * spread.error + self.per_scale * spread.scale) - self.start
    }
}

/// Adds the codes of some blocks whose estimates reach their bars, in their order.
pub(super) fn scan(
    table: &Table,
    blocks: &Blocks,
    range: Range<usize>,
    bars: Bars,
    found: &mut Vec<Candidate>,
) {
    #[cfg(target_arch = "x86_64")]
    if Level::used() >= Level::Avx2 {
        let is_wide = super::table::bits_of_entries(blocks.layout.bits) > 6;
        #[expect(unsafe_code, reason = "20 to 30 times as fast as the plain loop")]
        // SAFETY: the processor has AVX2.
        return unsafe {
            match is_wide {
                false => x86::scan::<false>(table, blocks, range, bars, found),
                true => x86::scan::<true>(table, blocks, range, bars, found),
            }
        };
    }
    plain_scan(table, blocks, range, bars, found);
}

/// The same for any processor, with the same sums and the same rounding.
fn plain_scan(
    table: &Table,
    blocks: &Blocks,
    range: Range<usize>,
    bars: Bars,
    found: &mut Vec<Candidate>,
) {
    for block in range {
        let bar = bars.of_block(blocks, block);
        for place in block * BLOCK..(block + 1) * BLOCK {
            let estimate = estimate(table, blocks, place);
            if estimate > bar {
                found.push(Candidate {
                    estimate: estimate + bars.start,
                    place: place as u32,
                });
            }
        }
    }
}

/// The estimate of one code, without what all estimates of its cell have.
pub(super) fn estimate(table: &Table, blocks: &Blocks, place: usize) -> f32 {
    let (codes, lane) = (blocks.block(place / BLOCK), place % BLOCK);
    let mut sum = 0u16;
    for (byte, entries) in table.entries.as_chunks::<32>().0.iter().enumerate() {
        let code = codes[byte * BLOCK + byte_of(lane)];
        sum += u16::from(entries[usize::from(code & 15)]);
        sum += u16::from(entries[16 + usize::from(code >> 4)]);
    }
    let (scale, bias) = blocks.factors(place);
    let product = f32::from(sum) * table.step + table.base;
    product * scale + bias
}

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions of x86")]
mod x86 {
    use std::arch::x86_64::*;

    use super::*;

    /// `IS_WIDE`: entries have seven bits, so two of them are added before they are widened, not four.
    #[target_feature(enable = "avx2")]
    pub(super) fn scan<const IS_WIDE: bool>(
        table: &Table,
        blocks: &Blocks,
        range: Range<usize>,
        bars: Bars,
        found: &mut Vec<Candidate>,
    ) {
        let step = _mm256_set1_ps(table.step);
        let base = _mm256_set1_ps(table.base);
        let (entries, _) = table.entries.as_chunks::<64>();
        let record = blocks.layout.record();
        let records = blocks.records[range.start * record..range.end * record].chunks_exact(record);
        for (block, record) in range.zip(records) {
            let (codes, factors) = record.split_at(entries.len() * 2 * BLOCK);
            let (factors, _) = factors.as_chunks::<32>();
            let sums = sums::<IS_WIDE>(entries, codes.as_chunks().0);
            let least = _mm256_set1_ps(bars.of_block(blocks, block));
            let mut estimates = [_mm256_setzero_ps(); 4];
            let mut reached = 0u32;
            for (eight, estimate) in estimates.iter_mut().enumerate() {
                let half = match eight % 2 {
                    0 => _mm256_castsi256_si128(sums[eight / 2]),
                    _ => _mm256_extracti128_si256::<1>(sums[eight / 2]),
                };
                let sum = _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(half));
                let product = _mm256_add_ps(_mm256_mul_ps(sum, step), base);
                // SAFETY: lists of 32 bytes.
                let [scale, bias] = unsafe {
                    [eight, 4 + eight].map(|at| _mm256_loadu_ps(factors[at].as_ptr().cast()))
                };
                *estimate = _mm256_add_ps(_mm256_mul_ps(product, scale), bias);
                let is_reached = _mm256_cmp_ps::<_CMP_GT_OQ>(*estimate, least);
                reached |= (_mm256_movemask_ps(is_reached) as u32) << (8 * eight);
            }
            if reached != 0 {
                let mut numbers = [0.0f32; BLOCK];
                for (numbers, estimate) in numbers.as_chunks_mut::<8>().0.iter_mut().zip(estimates)
                {
                    // SAFETY: a list of eight numbers.
                    unsafe { _mm256_storeu_ps(numbers.as_mut_ptr(), estimate) };
                }
                found.reserve(BLOCK);
                while reached != 0 {
                    let lane = reached.trailing_zeros() as usize;
                    reached &= reached - 1;
                    found.push(Candidate {
                        estimate: numbers[lane % BLOCK] + bars.start,
                        place: (block * BLOCK + lane) as u32,
                    });
                }
            }
        }
    }

    /// The sums of the entries that 32 codes choose, as 16-bit numbers, in the order of codes.
    #[inline(always)]
    fn sums<const IS_WIDE: bool>(entries: &[[u8; 64]], codes: &[[u8; 64]]) -> [__m256i; 2] {
        // SAFETY of all loads: lists of 16 or 32 bytes. The caller is compiled for AVX2.
        unsafe {
            let low = _mm256_set1_epi8(15);
            // All bytes, with 256 times those of odd places; and those of odd places.
            let (mut all, mut odd) = (_mm256_setzero_si256(), _mm256_setzero_si256());
            for (entries, codes) in entries.iter().zip(codes) {
                let load = |at: usize| _mm256_loadu_si256(codes[at..][..32].as_ptr().cast());
                let table = |at: usize| {
                    let entries = _mm_loadu_si128(entries[at..][..16].as_ptr().cast());
                    _mm256_broadcastsi128_si256(entries)
                };
                let (a, b) = (load(0), load(32));
                let upper = |codes| _mm256_and_si256(_mm256_srli_epi16::<4>(codes), low);
                let first = _mm256_add_epi8(
                    _mm256_shuffle_epi8(table(0), _mm256_and_si256(a, low)),
                    _mm256_shuffle_epi8(table(16), upper(a)),
                );
                let second = _mm256_add_epi8(
                    _mm256_shuffle_epi8(table(32), _mm256_and_si256(b, low)),
                    _mm256_shuffle_epi8(table(48), upper(b)),
                );
                if IS_WIDE {
                    all = _mm256_add_epi16(all, _mm256_add_epi16(first, second));
                    let odds = _mm256_add_epi16(
                        _mm256_srli_epi16::<8>(first),
                        _mm256_srli_epi16::<8>(second),
                    );
                    odd = _mm256_add_epi16(odd, odds);
                } else {
                    let four = _mm256_add_epi8(first, second);
                    all = _mm256_add_epi16(all, four);
                    odd = _mm256_add_epi16(odd, _mm256_srli_epi16::<8>(four));
                }
            }
            [_mm256_sub_epi16(all, _mm256_slli_epi16::<8>(odd)), odd]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nearest::{
        Bits,
        blocks::{Layout, write_block},
    };
    use lookalike_core::random;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_processor_gives_the_same_estimates(
            dimensions in 16usize..200, count in 1usize..100, bits in 0usize..3, seed in any::<u64>(),
        ) {
            let bits = [Bits::One, Bits::Two, Bits::Four][bits];
            let layout = Layout { bits, dimensions };
            let mut rng = random::stream(seed, 0);
            let mut numbers = |count: usize| -> Vec<f32> { (0..count).map(|_| rng.unit() as f32 - 0.5).collect() };
            let centre = numbers(dimensions);
            let vectors = numbers(dimensions * count);
            let mut blocks = Blocks::new(layout, count.div_ceil(BLOCK));
            let record = layout.record();
            for (block, vectors) in vectors.chunks(dimensions * BLOCK).enumerate() {
                let bytes = &mut blocks.records[block * record..][..record];
                blocks.spreads[block] = write_block(layout, &centre, &mut vectors.to_vec(), bytes);
            }
            let query = numbers(dimensions);
            let mut table = Table::default();
            table.fill(layout, &query);
            let square = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| (a - b) * (a - b)).sum::<f32>();
            let start = -0.5 * square(&query, &centre);
            for least in [f32::NEG_INFINITY, start - 2.0] {
                let bars = Bars { start, least, per_error: 0.1, per_scale: 0.01 };
                let (mut fast, mut plain) = (Vec::new(), Vec::new());
                scan(&table, &blocks, 0..blocks.spreads.len(), bars, &mut fast);
                plain_scan(&table, &blocks, 0..blocks.spreads.len(), bars, &mut plain);
                prop_assert_eq!(&fast, &plain);
                if least == f32::NEG_INFINITY {
                    prop_assert_eq!(fast.len(), count);
                }
                for candidate in fast {
                    let place = candidate.place as usize;
                    let vector = &vectors[place * dimensions..][..dimensions];
                    let exact = -0.5 * square(&query, vector);
                    let spread = blocks.spreads[place / BLOCK];
                    // What signs and levels leave out is orthogonal to the rest; rounding adds its own.
                    let most = (-2.0 * start).sqrt() * spread.error + table.rounding() * spread.scale + 1e-3;
                    prop_assert!((candidate.estimate - exact).abs() <= most, "{candidate:?} {exact} {most}");
                }
            }
        }
    }
}
