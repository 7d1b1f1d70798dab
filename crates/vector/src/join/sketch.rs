use std::ops::Range;

use bytemuck::{bytes_of, pod_read_unaligned};
use lookalike_core::random;
use lookalike_memory::{Large, prefetch};
use rayon::prelude::*;

use super::{
    buckets::Table,
    scan::{self, BLOCK, Bars, byte_of},
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
    /// What each vector brings when it is compared with codes.
    rows: Vec<OfRow>,
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
}

#[derive(Clone, Copy, Default)]
struct OfRow {
    known: Known,
    /// The least is ‖v‖²/2.
    bars: Bars,
}

/// Codes of the items of a table, laid out for [scanning](scan), and their bars.
#[derive(Default)]
pub(super) struct Blocks {
    codes: Vec<u8>,
    scales: Vec<f32>,
    /// Minus what the estimate must reach for this item, apart from what the other item adds.
    biases: Vec<f32>,
    /// Half the square of how far directions at the limit are apart.
    gap: f32,
    /// How much an estimate may be too low, in units of what is known of its vectors: because a code has only signs, and
    /// because rows are rounded.
    slack: f32,
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
        let mut rows = vec![OfRow::default(); vectors.len()];
        let all = codes
            .par_chunks_mut(Known::BYTES + bytes)
            .zip(rounded.par_chunks_mut(length));
        let all = all.zip(&mut rows).enumerate();
        all.for_each_init(Vec::new, |turned, (place, ((record, steps), row))| {
            rotation.turn(&centre.seen(vectors.get(place)), turned);
            turned.iter_mut().for_each(|number| *number *= factor);
            let known = Known::of(turned);
            let code = known.write(record);
            for (byte, eight) in code.iter_mut().zip(turned.as_chunks::<8>().0) {
                *byte = scan::signs(eight);
            }
            let step = scan::round(turned, steps);
            *row = OfRow {
                known,
                bars: Bars::new(step, steps, known.half),
            };
        });
        Self {
            bytes,
            codes,
            rounded,
            rows,
        }
    }

    /// Lays out the codes of the items of a table, with bars for pairs within `limit` degrees: an estimate that is too low
    /// by less than some `deviations` reaches its bar. The memory of another table is used again.
    pub(super) fn lay_out(&self, table: &Table, limit: f64, deviations: f64, blocks: &mut Blocks) {
        /// How far two equal directions may be apart where they are seen from the centre, in 32-bit floats.
        const SEEN: f64 = 1e-6;
        let chord = 2.0 * (limit / 2.0).to_radians().sin() + SEEN;
        // ‖v⊥‖ is at most the distance of the two directions.
        blocks.slack = (deviations * chord) as f32;
        // Each coordinate of a row is off by at most half a step, with equal chances.
        let dimensions = (self.bytes * 8) as f64;
        blocks.slack_of_rounding = (deviations * (dimensions / 12.0).sqrt()) as f32;
        blocks.gap = (chord * chord / 2.0) as f32;
        let (items, slack) = (&table.items, blocks.slack);
        let record = Known::BYTES + self.bytes;
        let padded = items.len().next_multiple_of(BLOCK);
        blocks.codes.resize(padded * self.bytes, 0);
        blocks.scales.resize(padded, 0.0);
        blocks.biases.resize(padded, f32::NEG_INFINITY);
        let codes = blocks.codes.par_chunks_mut(BLOCK * self.bytes);
        let rest = blocks
            .scales
            .par_chunks_mut(BLOCK)
            .zip(blocks.biases.par_chunks_mut(BLOCK));
        let rows = items.par_chunks(BLOCK).zip(codes).zip(rest);
        rows.for_each(|((items, codes), (scales, biases))| {
            // All at once: one after the other, each would wait for its memory.
            for &item in items {
                prefetch(&self.codes, item as usize * record);
            }
            for (lane, &item) in items.iter().enumerate() {
                let (known, code) = Known::read(&self.codes[item as usize * record..][..record]);
                for (place, &byte) in code.iter().enumerate() {
                    codes[place * BLOCK + byte_of(lane)] = byte;
                }
                scales[lane] = known.scale;
                biases[lane] = slack * known.deviation - known.half;
            }
            biases[items.len()..].fill(f32::NEG_INFINITY);
        });
    }

    /// Compares rows of a table with all later places of their bucket, which ends at `end`. Adds the pairs of places whose
    /// estimated product reaches the bar. `made` is memory that is used again.
    pub(super) fn scan(
        &self,
        table: &Table,
        rows: Range<usize>,
        end: usize,
        blocks: &Blocks,
        made: &mut Vec<u8>,
        passed: &mut Vec<[u32; 2]>,
    ) {
        /// Rows whose memory is asked for before they are read.
        const AHEAD: usize = 4;
        let length = self.bytes * 8;
        made.resize(rows.len() * length * 4, 0);
        let mut bars = Vec::with_capacity(rows.len());
        for (row, entries) in rows.clone().zip(made.chunks_exact_mut(length * 4)) {
            if let Some(&later) = table.items.get(row + AHEAD) {
                let start = later as usize * length;
                let lines = (start..start + length).step_by(64);
                lines.for_each(|line| prefetch(&self.rounded, line));
                prefetch(&self.rows, later as usize);
            }
            let item = table.items[row] as usize;
            bars.push(self.rows[item].bars(blocks));
            scan::fill_table(&self.rounded[item * length..][..length], entries);
        }
        let rows = scan::Rows {
            first: rows.start,
            tables: made,
            bars: &bars,
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

impl OfRow {
    /// The bars for one limit.
    fn bars(&self, blocks: &Blocks) -> Bars {
        // The error of rounding adds to that of the signs as independent errors do. For the latter, a vector near this one
        // is about as long.
        let of_signs = blocks.slack * self.known.deviation;
        let of_rounding = blocks.slack_of_rounding * self.bars.rounding() * self.known.scale;
        let both = of_signs.hypot(of_rounding);
        Bars {
            least: self.bars.least - blocks.gap - (both - of_signs),
            ..self.bars
        }
    }
}

impl Known {
    /// Bytes in front of a code.
    const BYTES: usize = size_of::<[f32; 3]>();

    fn of(turned: &[f32]) -> Self {
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
        }
    }

    /// Writes itself to the start of a record, and returns the rest of it.
    fn write(self, record: &mut [u8]) -> &mut [u8] {
        let (own, code) = record.split_at_mut(Self::BYTES);
        own.copy_from_slice(bytes_of(&[self.half, self.scale, self.deviation]));
        code
    }

    /// What [`write`](Self::write) wrote, and the rest.
    fn read(record: &[u8]) -> (Self, &[u8]) {
        let (own, code) = record.split_at(Self::BYTES);
        let [half, scale, deviation] = pod_read_unaligned(own);
        let known = Self {
            half,
            scale,
            deviation,
        };
        (known, code)
    }
}
