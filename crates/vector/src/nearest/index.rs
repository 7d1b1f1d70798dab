use lookalike_core::random;
use lookalike_memory::prefetch;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    Bits, Space,
    blocks::{BLOCK, Blocks, Layout, write_block},
    cells::Cells,
    points::{self, Points},
    turn::Turn,
};
use crate::Vectors;

/// How a collection is divided into cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Partition {
    /// Around random vectors, moved once to the means of their cells.
    Pivots,
    /// Around the ends of random orthogonal axes, which do not depend on the vectors.
    CrossPolytope,
    /// Not at all: every query scans all codes.
    None,
}

/// What decides how an [`Index`] looks, apart from the vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Recipe {
    pub(crate) space: Space,
    pub(crate) partition: Partition,
    pub(crate) cells: usize,
    pub(crate) bits: Bits,
    pub(crate) seed: u64,
}

/// Codes of a collection, cell by cell. The vectors themselves stay where they are.
pub(crate) struct Index {
    pub(super) recipe: Recipe,
    /// The mean of all points.
    pub(super) mean: Vec<f32>,
    pub(super) turn: Turn,
    /// The centre of each cell, seen from the mean and turned.
    pub(super) centres: Vec<f32>,
    /// Sketches of the centres, which put cells in order.
    pub(super) of_centres: Blocks,
    /// For each cell, its first block; then the number of blocks.
    pub(super) starts: Vec<u32>,
    pub(super) blocks: Blocks,
    /// The vector of each code.
    pub(super) ids: Vec<u32>,
    /// The largest distance of a vector from the mean.
    pub(super) farthest: f32,
}

/// Dimensions at which two bits put cells in order.
const MANY: usize = 300;
/// The id of codes to spare.
const NONE: u32 = u32::MAX;
/// Vectors that are asked for before they are read.
const AHEAD: usize = 4;

impl Index {
    pub(crate) fn new(vectors: &Vectors, recipe: Recipe) -> Self {
        let mean = points::mean(vectors, recipe.space);
        let points = Points::new(vectors, recipe.space, &mean);
        let [for_cells, for_turn] = [0, 1].map(|stream| random::derive(recipe.seed, stream));
        let cells = Cells::new(&points, recipe.partition, recipe.cells, for_cells);
        let turn = Turn::draw(vectors.dimensions(), for_turn);
        let dimensions = turn.dimensions();
        let centres = turned_centres(&cells.centres, vectors.dimensions(), &turn);
        let layout = Layout {
            bits: recipe.bits,
            dimensions,
        };
        let (mut starts, mut lists, mut first) = (vec![0], Vec::new(), 0);
        for (cell, &end) in cells.ends.iter().enumerate() {
            for ids in cells.ids[first..end].chunks(BLOCK) {
                lists.push((cell, ids));
            }
            first = end;
            starts.push(lists.len() as u32);
        }
        let mut blocks = Blocks::new(layout, lists.len());
        let mut ids = vec![NONE; lists.len() * BLOCK];
        let records = blocks.records.par_chunks_mut(layout.record());
        let written = records
            .zip(&mut blocks.spreads)
            .zip(ids.par_chunks_mut(BLOCK));
        let farthest = written.zip(&lists).map_init(
            || vec![0.0f32; BLOCK * dimensions],
            |turned, (((record, spread), own), &(cell, ids))| {
                own[..ids.len()].copy_from_slice(ids);
                let turned = &mut turned[..ids.len() * dimensions];
                let mut farthest = 0.0f32;
                for (number, point) in turned.chunks_exact_mut(dimensions).enumerate() {
                    if let Some(&later) = ids.get(number + AHEAD) {
                        ask_for(vectors, later);
                    }
                    point[vectors.dimensions()..].fill(0.0);
                    points.read(ids[number] as usize, point);
                    turn.turn(point);
                    farthest = farthest.max(point.iter().map(|it| it * it).sum());
                }
                let centre = &centres[cell * dimensions..][..dimensions];
                *spread = write_block(layout, centre, turned, record);
                farthest
            },
        );
        let farthest = farthest.reduce(|| 0.0, f32::max).sqrt();
        Self {
            of_centres: sketched(&centres, dimensions),
            recipe,
            mean,
            turn,
            centres,
            starts,
            blocks,
            ids,
            farthest,
        }
    }

    /// How it was made.
    pub(crate) fn recipe(&self) -> Recipe {
        self.recipe
    }

    /// The number of cells.
    pub(super) fn cells(&self) -> usize {
        self.starts.len() - 1
    }

    /// Codes, and room for codes.
    pub(crate) fn codes(&self) -> usize {
        self.ids.len()
    }

    /// Bytes in memory, next to the vectors.
    pub(crate) fn size(&self) -> usize {
        let numbers = self.mean.len() + self.centres.len() + self.starts.len() + self.ids.len();
        self.blocks.size() + self.of_centres.size() + 4 * numbers
    }
}

/// Asks for the memory of a vector.
pub(super) fn ask_for(vectors: &Vectors, place: u32) {
    /// Numbers in a line of memory, and numbers after which the processor reads on by itself.
    const LINE: usize = 16;
    const ENOUGH: usize = 256;
    let start = place as usize * vectors.dimensions();
    for line in (start..start + vectors.dimensions().min(ENOUGH)).step_by(LINE) {
        prefetch(vectors.numbers(), line);
    }
}

fn turned_centres(centres: &[f32], dimensions: usize, turn: &Turn) -> Vec<f32> {
    let mut turned = vec![0.0; centres.len() / dimensions * turn.dimensions()];
    let pairs = turned
        .chunks_exact_mut(turn.dimensions())
        .zip(centres.chunks_exact(dimensions));
    for (turned, centre) in pairs {
        turned[..dimensions].copy_from_slice(centre);
        turn.turn(turned);
    }
    turned
}

/// Sketches of centres, seen from the mean of all vectors.
fn sketched(centres: &[f32], dimensions: usize) -> Blocks {
    let layout = Layout {
        // With many dimensions two bits tell cells apart, too, and take half the time.
        bits: if dimensions < MANY {
            Bits::Four
        } else {
            Bits::Two
        },
        dimensions,
    };
    let count = centres.len() / dimensions;
    let mut blocks = Blocks::new(layout, count.div_ceil(BLOCK));
    let origin = vec![0.0; dimensions];
    let records = blocks.records.chunks_exact_mut(layout.record());
    let lists = centres.chunks(BLOCK * dimensions);
    for ((record, spread), centres) in records.zip(&mut blocks.spreads).zip(lists) {
        *spread = write_block(layout, &origin, &mut centres.to_vec(), record);
    }
    blocks
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Index").field(&self.recipe).finish()
    }
}
