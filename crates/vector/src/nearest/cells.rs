//! Cells of a collection: each vector is in that of its nearest pivot.

use lookalike_core::random;
use rayon::prelude::*;

use super::{
    Partition,
    fastest::{Loop, fastest},
    points::Points,
    turn::Turn,
};

/// Vectors that are compared with pivots by one thread, and pivots that are compared side by side.
const RUN: usize = 96;
const LANES: usize = 16;
/// Vectors whose sums stay in registers.
const ROWS: usize = 6;
/// Vectors per cell that are looked at to move pivots to the means of their cells.
const SAMPLE: usize = 40;

/// Vectors by cell.
pub(super) struct Cells {
    /// For each cell the end of its vectors in `ids`.
    pub(super) ends: Vec<usize>,
    pub(super) ids: Vec<u32>,
    /// The mean of each cell, or its pivot if it is empty; seen from the mean of all.
    pub(super) centres: Vec<f32>,
}

impl Cells {
    /// One cell of all vectors, around their mean.
    pub(super) fn one(points: &Points<'_>) -> Self {
        let count = points.vectors.len();
        let mut point = vec![0.0; points.vectors.dimensions()];
        let ids: Vec<u32> = (0..count as u32)
            .filter(|&id| points.read(id as usize, &mut point))
            .collect();
        Self {
            ends: vec![ids.len()],
            ids,
            centres: vec![0.0; point.len()],
        }
    }

    /// Cells of a partition.
    pub(super) fn new(points: &Points<'_>, partition: Partition, cells: usize, seed: u64) -> Self {
        let count = points.vectors.len();
        let pivots = match partition {
            Partition::None => return Self::one(points),
            Partition::CrossPolytope => axes(points.vectors.dimensions(), cells, seed),
            Partition::Pivots => {
                let sample = (SAMPLE * cells).min(count) as u32;
                let drawn = drawn(count as u32, sample, seed);
                let mut first = Vec::new();
                let mut point = vec![0.0; points.vectors.dimensions()];
                for &id in &drawn {
                    if first.len() == cells * point.len() {
                        break;
                    }
                    if points.read(id as usize, &mut point) {
                        first.extend_from_slice(&point);
                    }
                }
                match first.is_empty() {
                    true => first,
                    false => Self::around(points, &drawn, first).centres,
                }
            }
        };
        // Too few for an axis, or no vector of the sample has a direction.
        if pivots.is_empty() {
            return Self::one(points);
        }
        let all: Vec<u32> = (0..count as u32).collect();
        Self::around(points, &all, pivots)
    }

    /// Some vectors in cells around pivots.
    fn around(points: &Points<'_>, ids: &[u32], pivots: Vec<f32>) -> Self {
        let dimensions = points.vectors.dimensions();
        let packed = Pivots::new(&pivots, dimensions);
        let runs = ids.par_chunks(RUN);
        let cell_of: Vec<Option<u32>> = runs
            .flat_map_iter(|ids| packed.nearest(points, ids))
            .collect();
        let mut ends = vec![0usize; pivots.len() / dimensions];
        for &cell in cell_of.iter().flatten() {
            ends[cell as usize] += 1;
        }
        let (mut starts, mut all) = (Vec::with_capacity(ends.len()), 0);
        for end in &mut ends {
            starts.push(all);
            all += *end;
            *end = all;
        }
        let (mut sorted, mut next) = (vec![0; all], starts.clone());
        for (&id, cell) in ids.iter().zip(&cell_of) {
            if let Some(cell) = *cell {
                let place = &mut next[cell as usize];
                sorted[*place] = id;
                *place += 1;
            }
        }
        let mut centres = pivots;
        let cells = centres.par_chunks_mut(dimensions).zip(&starts).zip(&ends);
        cells.for_each_init(
            || vec![0.0; dimensions],
            |point, ((centre, &start), &end)| {
                if start == end {
                    return;
                }
                let mut sum = vec![0.0f64; dimensions];
                for &id in &sorted[start..end] {
                    points.read(id as usize, point);
                    for (sum, &number) in sum.iter_mut().zip(&*point) {
                        *sum += f64::from(number);
                    }
                }
                let count = (end - start) as f64;
                for (centre, sum) in centre.iter_mut().zip(sum) {
                    *centre = (sum / count) as f32;
                }
            },
        );
        Self {
            ends,
            ids: sorted,
            centres,
        }
    }
}

/// Some places below `count` in a random order, each at most once.
fn drawn(count: u32, wanted: u32, seed: u64) -> Vec<u32> {
    let mut rng = random::stream(seed, 0);
    let mut places: Vec<u32> = (0..count).collect();
    let wanted = wanted.min(count);
    for first in 0..wanted {
        let other = first + random::below(count - first, &mut rng);
        places.swap(first as usize, other as usize);
    }
    places.truncate(wanted as usize);
    places
}

/// The ends of random orthogonal axes, each with its opposite: pivots that do not depend on the vectors.
fn axes(dimensions: usize, cells: usize, seed: u64) -> Vec<f32> {
    let mut pivots = Vec::with_capacity(cells * dimensions);
    for number in 0..cells / 2 {
        // Orthogonal within each rotation.
        let turn = Turn::draw(
            dimensions,
            random::derive(seed, (number / dimensions) as u64),
        );
        let mut axis = vec![0.0; turn.dimensions()];
        axis[number % dimensions] = 1.0;
        turn.turn(&mut axis);
        pivots.extend_from_slice(&axis[..dimensions]);
        pivots.extend(axis[..dimensions].iter().map(|number| -number));
    }
    pivots
}

/// Pivots, the numbers of 16 next to each other.
struct Pivots {
    dimensions: usize,
    packed: Vec<[f32; LANES]>,
    /// Half the squared length of each, in the same groups.
    halves: Vec<[f32; LANES]>,
}

impl Pivots {
    fn new(pivots: &[f32], dimensions: usize) -> Self {
        let (mut packed, mut halves) = (Vec::new(), Vec::new());
        for group in pivots.chunks(LANES * dimensions) {
            let at = |lane: usize, place: usize| group.get(lane * dimensions + place);
            packed.extend((0..dimensions).map(|place| {
                std::array::from_fn::<f32, LANES, _>(|lane| at(lane, place).copied().unwrap_or(0.0))
            }));
            halves.push(std::array::from_fn(|lane| match at(lane, 0) {
                Some(_) => {
                    let pivot = &group[lane * dimensions..][..dimensions];
                    0.5 * pivot.iter().map(|number| number * number).sum::<f32>()
                }
                None => f32::INFINITY,
            }));
        }
        Self {
            dimensions,
            packed,
            halves,
        }
    }

    /// The nearest pivot of some vectors; `None` for those that are not points. Ties go to the first.
    fn nearest(&self, points: &Points<'_>, ids: &[u32]) -> Vec<Option<u32>> {
        let mut rows = vec![0.0; ids.len().next_multiple_of(ROWS) * self.dimensions];
        let read = rows.chunks_exact_mut(self.dimensions).zip(ids);
        let is_point: Vec<bool> = read
            .map(|(row, &id)| points.read(id as usize, row))
            .collect();
        let mut best = vec![Best::default(); rows.len() / self.dimensions];
        fastest(Compare {
            pivots: self,
            rows: &rows,
            best: &mut best,
        });
        let found = best.iter().zip(is_point);
        found
            .map(|(best, is_point)| is_point.then(|| best.pivot()))
            .collect()
    }
}

/// For each place in a group, the best score and its group.
#[derive(Clone, Copy)]
struct Best {
    scores: [f32; LANES],
    groups: [u32; LANES],
}

impl Default for Best {
    fn default() -> Self {
        Self {
            scores: [f32::NEG_INFINITY; LANES],
            groups: [0; LANES],
        }
    }
}

impl Best {
    fn pivot(&self) -> u32 {
        let of_lane = |lane: usize| self.groups[lane] * LANES as u32 + lane as u32;
        let mut best = (f32::NEG_INFINITY, 0);
        for (lane, &score) in self.scores.iter().enumerate() {
            let pivot = of_lane(lane);
            if score > best.0 || (score == best.0 && pivot < best.1) {
                best = (score, pivot);
            }
        }
        best.1
    }
}

/// Compares rows with all pivots. Each product is summed number by number, so that every processor gives the same.
struct Compare<'a> {
    pivots: &'a Pivots,
    rows: &'a [f32],
    best: &'a mut [Best],
}

impl Loop for Compare<'_> {
    type Answer = ();

    #[inline(always)]
    fn run(self) {
        let dimensions = self.pivots.dimensions;
        let groups = self.pivots.packed.chunks_exact(dimensions);
        for (group, (packed, halves)) in groups.zip(&self.pivots.halves).enumerate() {
            let rows = self.rows.chunks_exact(ROWS * dimensions);
            for (rows, best) in rows.zip(self.best.chunks_exact_mut(ROWS)) {
                let rows: [&[f32]; ROWS] =
                    std::array::from_fn(|row| &rows[row * dimensions..][..dimensions]);
                let mut sums = [[0.0f32; LANES]; ROWS];
                for (place, numbers) in packed.iter().enumerate() {
                    for (row, sums) in rows.iter().zip(&mut sums) {
                        let number = row[place];
                        for (sum, other) in sums.iter_mut().zip(numbers) {
                            *sum += number * other;
                        }
                    }
                }
                for (best, sums) in best.iter_mut().zip(&sums) {
                    let scores = sums.iter().zip(halves).map(|(sum, half)| sum - half);
                    let own = best.scores.iter_mut().zip(&mut best.groups);
                    for ((best, best_group), score) in own.zip(scores) {
                        let is_better = score > *best;
                        *best = if is_better { score } else { *best };
                        *best_group = if is_better { group as u32 } else { *best_group };
                    }
                }
            }
        }
    }
}
