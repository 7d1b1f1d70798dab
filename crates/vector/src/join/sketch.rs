use std::ops::Range;

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
    /// One code per vector.
    codes: Large<u8>,
    /// For each vector, 16 bytes for every four of its coordinates: the product with any four signs, in steps.
    tables: Large<u8>,
    of_vector: Vec<OfVector>,
}

/// What is known of a vector w beside its code.
#[derive(Clone, Copy, Default)]
struct OfVector {
    /// ‖w‖².
    square: f32,
    /// ‖w‖²/⟨w, y⟩: what turns ⟨v, y⟩ into an estimate of ⟨v, w⟩.
    scale: f32,
    /// The deviation of the estimate for ‖v⊥‖ = 1.
    deviation: f32,
    /// The size of a step in the vector's table.
    step: f32,
    /// What a sum of table entries lacks to be a product, after scaling by the step.
    base: f32,
}

/// Codes of the items of a table, laid out for [scanning](scan), and their bars.
#[derive(Default)]
pub(super) struct Blocks {
    codes: Vec<u8>,
    scales: Vec<f32>,
    /// Minus what the estimate must reach for this item, apart from what the other item adds.
    biases: Vec<f32>,
    /// 1 − cos of the limit.
    gap: f32,
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
        let mut codes = Large::zeroed(vectors.len() * bytes);
        let mut tables = Large::zeroed(vectors.len() * length * 4);
        let mut of_vector = vec![OfVector::default(); vectors.len()];
        let rows = codes
            .par_chunks_mut(bytes)
            .zip(tables.par_chunks_mut(length * 4));
        let rows = rows.zip(&mut of_vector).enumerate();
        rows.for_each_init(Vec::new, |turned, (place, ((code, table), known))| {
            rotation.turn(&centre.seen(vectors.get(place)), turned);
            turned.iter_mut().for_each(|number| *number *= factor);
            *known = OfVector::new(turned);
            for (byte, eight) in code.iter_mut().zip(turned.as_chunks::<8>().0) {
                *byte = scan::signs(eight);
            }
            (known.step, known.base) = scan::product_table(turned, table);
        });
        Self {
            bytes,
            codes,
            tables,
            of_vector,
        }
    }

    /// Lays out the codes of the items of a table, with bars for pairs within `limit` degrees: an estimate that is too low
    /// by less than some `deviations` reaches its bar. The memory of another table is used again.
    pub(super) fn lay_out(&self, table: &Table, limit: f64, deviations: f64, blocks: &mut Blocks) {
        let gap = 1.0 - limit.to_radians().cos();
        // ‖v⊥‖ is at most the distance of the two directions.
        let slack = (deviations * (2.0 * gap).sqrt()) as f32;
        let items = &table.items;
        let padded = items.len().next_multiple_of(BLOCK);
        blocks.codes.resize(padded * self.bytes, 0);
        blocks.scales.resize(padded, 0.0);
        blocks.biases.resize(padded, f32::NEG_INFINITY);
        blocks.gap = gap as f32;
        let codes = blocks.codes.par_chunks_mut(BLOCK * self.bytes);
        let rest = blocks
            .scales
            .par_chunks_mut(BLOCK)
            .zip(blocks.biases.par_chunks_mut(BLOCK));
        let rows = items.par_chunks(BLOCK).zip(codes).zip(rest);
        rows.for_each(|((items, codes), (scales, biases))| {
            // All at once: one after the other, each would wait for its memory.
            for &item in items {
                prefetch(&self.codes, item as usize * self.bytes);
                prefetch(&self.of_vector, item as usize);
            }
            for (lane, &item) in items.iter().enumerate() {
                let item = item as usize;
                let code = &self.codes[item * self.bytes..][..self.bytes];
                for (place, &byte) in code.iter().enumerate() {
                    codes[place * BLOCK + byte_of(lane)] = byte;
                }
                let known = self.of_vector[item];
                scales[lane] = known.scale;
                biases[lane] = slack * known.deviation - 0.5 * known.square;
            }
            biases[items.len()..].fill(f32::NEG_INFINITY);
        });
    }

    /// Asks for the memory that [`scan`](Self::scan) reads of an item.
    pub(super) fn prefetch(&self, item: u32) {
        let bytes = self.bytes * 32;
        let start = item as usize * bytes;
        (start..start + bytes)
            .step_by(64)
            .for_each(|line| prefetch(&self.tables, line));
        prefetch(&self.of_vector, item as usize);
    }

    /// Adds the places in a table whose estimated product with an item reaches the bar.
    pub(super) fn scan(
        &self,
        item: u32,
        blocks: &Blocks,
        places: Range<usize>,
        passed: &mut Vec<u32>,
    ) {
        let item = item as usize;
        let known = self.of_vector[item];
        let bytes = self.bytes * 32;
        let bars = Bars {
            step: known.step,
            base: known.base,
            least: 0.5 * known.square - blocks.gap,
        };
        let table = &self.tables[item * bytes..][..bytes];
        scan::scan(table, bars, blocks.view(self.bytes), places, passed);
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

impl OfVector {
    /// All but the step and the base, which are known once the table is made.
    fn new(turned: &[f32]) -> Self {
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
            square,
            scale: square / sum,
            deviation: (square * (inverse - 1.0).max(0.0) / (dimensions - 1.0)).sqrt(),
            ..Self::default()
        }
    }
}
