use std::ops::Range;

use bytemuck::{bytes_of, pod_read_unaligned};
use lookalike_core::random;
use lookalike_memory::{Large, prefetch};
use rayon::prelude::*;

use super::{
    ROWS,
    buckets::Table,
    scan::{self, BLOCK, Bars, Product, fill_table},
};
use crate::{Vectors, families::Rotation, sums};

/// A point among the directions of vectors. Seen from there, directions spread more evenly over buckets than from the
/// origin, and the angle between two of them is wider.
#[derive(Clone, Debug)]
pub(crate) struct Centre(Vec<f32>);

impl Centre {
    /// The mean direction.
    pub(crate) fn of(vectors: &Vectors) -> Self {
        /// Vectors that are summed by one thread. Their sums are added in order, so that threads change nothing.
        const RUN: usize = 1 << 12;
        let lengths = vectors.lengths();
        let runs = lengths.par_chunks(RUN).enumerate().map(|(run, lengths)| {
            let mut sum = vec![0.0f64; vectors.dimensions()];
            for (place, &length) in (run * RUN..)
                .zip(lengths)
                .filter(|(_, length)| **length > 0.0)
            {
                let factor = 1.0 / length;
                for (sum, &number) in sum.iter_mut().zip(vectors.get(place)) {
                    *sum += factor * f64::from(number);
                }
            }
            sum
        });
        let mut sum = vec![0.0f64; vectors.dimensions()];
        for run in runs.collect::<Vec<_>>() {
            sum.iter_mut().zip(run).for_each(|(sum, run)| *sum += run);
        }
        let count = vectors.len().max(1) as f64;
        Self(sum.iter().map(|sum| (sum / count) as f32).collect())
    }

    /// The direction of a vector, seen from here. A vector of zeros stays one.
    pub(crate) fn seen(&self, vector: &[f32]) -> Vec<f32> {
        let length = sums::length(vector) as f32;
        match length > 0.0 {
            true => {
                let factor = 1.0 / length;
                let numbers = vector.iter().zip(&self.0);
                numbers
                    .map(|(number, centre)| number * factor - centre)
                    .collect()
            }
            false => vec![0.0; vector.len()],
        }
    }
}

/// One bit for each coordinate of a rotated vector, and what is needed to estimate products from them.
///
/// Let v and w be directions seen from the centre, y the signs of w after the rotation, and ρ the cosine of w and y. Then
/// ⟨v, y⟩·‖w‖/(ρ·‖y‖) estimates ⟨v, w⟩. If the rotation is uniform, the estimate is unbiased, and its error is
/// ‖v⊥‖·‖w‖·√(1/ρ² − 1)·u, where v⊥ is the part of v that is orthogonal to w and u one coordinate of a uniform point on a
/// sphere of D − 1 dimensions: nearly normal with deviation 1/√(D − 1).
pub(super) struct Sketches {
    /// Bytes of a code.
    bytes: usize,
    /// For each vector its [`Known`], then its code: side by side, so that they are in one line of memory.
    codes: Large<u8>,
    /// The coordinates of each vector, rounded. From them the table is made with which a vector is compared with codes:
    /// that is as fast as to read it, and takes a quarter of the memory.
    rounded: Large<i8>,
}

/// What is known of a vector w.
#[derive(Clone, Copy, Default)]
struct Known {
    /// ‖w‖²/2.
    half: f32,
    /// ‖w‖²/⟨w, y⟩: what turns ⟨v, y⟩ into an estimate of ⟨v, w⟩.
    scale: f32,
    /// The deviation of the estimate for ‖v⊥‖ = 1.
    deviation: f32,
    /// What turns sums of its rounded coordinates into products.
    product: Product,
}

/// Codes of the items of a table, laid out for [scanning](scan), and their bars.
#[derive(Default)]
pub(super) struct Blocks {
    codes: Vec<u8>,
    scales: Vec<f32>,
    /// Minus what the estimate must reach for this item, apart from what the other item adds.
    biases: Vec<f32>,
    /// What each item brings as a row that is compared with codes.
    bars: Vec<Bars>,
}

/// How much an estimate may be too low, and how much lower it is at the limit than for equal directions.
#[derive(Clone, Copy)]
struct Allowance {
    /// Half the square of how far directions at the limit are apart.
    gap: f32,
    /// In units of the deviation of a vector: because a code has only signs.
    slack: f32,
    /// In units of the steps to which a row is rounded.
    slack_of_rounding: f32,
}

impl Sketches {
    pub(super) fn new(vectors: &Vectors, centre: &Centre, seed: u64) -> Self {
        let length = vectors
            .dimensions()
            .next_power_of_two()
            .max(Rotation::<f32>::SHORTEST);
        let rotation = Rotation::draw(length, &mut random::stream(seed, u64::MAX));
        let factor = (length as f32).powf(-1.5);
        let bytes = length / 8;
        let mut codes = Large::zeroed(vectors.len() * (Known::BYTES + bytes));
        let mut rounded = Large::zeroed(vectors.len() * length);
        let all = codes
            .par_chunks_mut(Known::BYTES + bytes)
            .zip(rounded.par_chunks_mut(length))
            .enumerate();
        all.for_each_init(Vec::new, |turned, (place, (record, steps))| {
            rotation.turn(&centre.seen(vectors.get(place)), turned);
            turned.iter_mut().for_each(|number| *number *= factor);
            let step = scan::round(turned, steps);
            let code = Known::of(turned, Product::new(step, steps)).write(record);
            for (byte, eight) in code.iter_mut().zip(turned.as_chunks::<8>().0) {
                *byte = scan::signs(eight);
            }
        });
        Self {
            bytes,
            codes,
            rounded,
        }
    }

    /// Lays out the codes of the items of a table, with bars for pairs within `limit` degrees: an estimate that is too low
    /// by less than some `deviations` reaches its bar. The memory of another table is used again.
    pub(super) fn lay_out(
        &self,
        table: Table<'_>,
        limit: f64,
        deviations: f64,
        blocks: &mut Blocks,
    ) {
        /// How far two equal directions may be apart where they are seen from the centre, in 32-bit floats.
        const SEEN: f64 = 1e-6;
        let chord = 2.0 * (limit / 2.0).to_radians().sin() + SEEN;
        let dimensions = (self.bytes * 8) as f64;
        let allowance = Allowance {
            gap: (chord * chord / 2.0) as f32,
            // ‖v⊥‖ is at most the distance of the two directions.
            slack: (deviations * chord) as f32,
            // Each coordinate of a row is off by at most half a step, with equal chances.
            slack_of_rounding: (deviations * (dimensions / 12.0).sqrt()) as f32,
        };
        let items = table.items;
        let padded = items.len().next_multiple_of(BLOCK);
        blocks.codes.resize(padded * self.bytes, 0);
        blocks.scales.resize(padded, 0.0);
        blocks.biases.resize(padded, f32::NEG_INFINITY);
        blocks.bars.resize(padded, Bars::default());
        let codes = blocks.codes.par_chunks_mut(BLOCK * self.bytes);
        let scales = blocks.scales.par_chunks_mut(BLOCK);
        let biases = blocks.biases.par_chunks_mut(BLOCK);
        let bars = blocks.bars.par_chunks_mut(BLOCK);
        let of_blocks = codes.zip(scales.zip(biases)).zip(bars).enumerate();
        of_blocks.for_each(|(block, ((codes, (scales, biases)), bars))| {
            let (of_block, later) =
                items[block * BLOCK..].split_at(BLOCK.min(items.len() - block * BLOCK));
            // All at once: one after the other, each would wait for its memory.
            for &item in later.iter().take(BLOCK) {
                let start = item as usize * self.record();
                prefetch(&self.codes, start);
                prefetch(&self.codes, start + self.record() - 1);
            }
            let records: [&[u8]; BLOCK] = std::array::from_fn(|lane| {
                of_block.get(lane).map_or(&[][..], |&item| {
                    &self.codes[item as usize * self.record()..][..self.record()]
                })
            });
            scan::transpose(&records[..of_block.len()], Known::BYTES, codes);
            biases[of_block.len()..].fill(f32::NEG_INFINITY);
            for (lane, record) in records[..of_block.len()].iter().enumerate() {
                let known = Known::read(record);
                scales[lane] = known.scale;
                biases[lane] = allowance.slack * known.deviation - known.half;
                bars[lane] = known.bars(&allowance);
            }
        });
    }

    /// The bytes of a [`Known`] and a code.
    fn record(&self) -> usize {
        Known::BYTES + self.bytes
    }

    /// Compares rows of a table with all later places of their bucket, which ends at `end`. Adds the pairs of places whose
    /// estimated product reaches the bar. `made` is memory that is used again.
    pub(super) fn scan(
        &self,
        table: Table<'_>,
        rows: Range<usize>,
        end: usize,
        blocks: &Blocks,
        made: &mut Vec<u8>,
        passed: &mut Vec<[u32; 2]>,
    ) {
        /// Bytes of a row that are asked for before they are read; the processor reads on by itself in what is longer.
        const AHEAD: usize = 256;
        let length = self.bytes * 8;
        made.resize(rows.len() * length * 4, 0);
        for (&item, entries) in table.items[rows.clone()]
            .iter()
            .zip(made.chunks_exact_mut(length * 4))
        {
            fill_table(&self.rounded[item as usize * length..][..length], entries);
        }
        // The next rows are probably the next task of this thread. They arrive while these are compared.
        for &item in table.items[rows.end..].iter().take(ROWS) {
            let start = item as usize * length;
            let lines = (start..start + length.min(AHEAD)).step_by(64);
            lines.for_each(|line| prefetch(&self.rounded, line));
        }
        let rows = scan::Rows {
            first: rows.start,
            tables: made,
            bars: &blocks.bars[rows],
        };
        scan::scan(rows, blocks.view(self.bytes), end, passed);
    }
}

impl Blocks {
    fn view(&self, bytes: usize) -> scan::Blocks<'_> {
        scan::Blocks {
            bytes,
            codes: &self.codes,
            scales: &self.scales,
            biases: &self.biases,
        }
    }
}

impl Known {
    /// Bytes in front of a code.
    const BYTES: usize = size_of::<[f32; 5]>();

    fn of(turned: &[f32], product: Product) -> Self {
        let (mut sums, mut squares) = ([0.0f32; 16], [0.0f32; 16]);
        // Side by side, so that the loop is a few vector instructions.
        for sixteen in turned.as_chunks::<16>().0 {
            for (lane, &number) in sixteen.iter().enumerate() {
                sums[lane] += number.abs();
                squares[lane] += number * number;
            }
        }
        let (sum, square) = (sums.iter().sum::<f32>(), squares.iter().sum::<f32>());
        if sum == 0.0 {
            return Self::default();
        }
        let dimensions = turned.len() as f32;
        let inverse = square * dimensions / (sum * sum);
        Self {
            half: 0.5 * square,
            scale: square / sum,
            deviation: (square * (inverse - 1.0).max(0.0) / (dimensions - 1.0)).sqrt(),
            product,
        }
    }

    /// What an estimate must reach for this vector as a row.
    fn bars(&self, allowance: &Allowance) -> Bars {
        // The error of rounding adds to that of the signs as independent errors do. For the latter, a vector near this one
        // is about as long.
        let of_signs = allowance.slack * self.deviation;
        let of_rounding = allowance.slack_of_rounding * self.product.rounding() * self.scale;
        let both = (of_signs * of_signs + of_rounding * of_rounding).sqrt();
        Bars {
            product: self.product,
            least: self.half - allowance.gap - (both - of_signs),
        }
    }

    /// Writes itself to the start of a record, and returns the rest of it.
    fn write(self, record: &mut [u8]) -> &mut [u8] {
        let (own, code) = record.split_at_mut(Self::BYTES);
        let Product { step, base } = self.product;
        own.copy_from_slice(bytes_of(&[
            self.half,
            self.scale,
            self.deviation,
            step,
            base,
        ]));
        code
    }

    /// What [`write`](Self::write) wrote.
    fn read(record: &[u8]) -> Self {
        let [half, scale, deviation, step, base] = pod_read_unaligned(&record[..Self::BYTES]);
        Self {
            half,
            scale,
            deviation,
            product: Product { step, base },
        }
    }
}
