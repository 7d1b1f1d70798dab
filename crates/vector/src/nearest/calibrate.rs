//! What share of the nearest vectors a search finds, measured on a sample.
//!
//! Some vectors of the collection are asked for, and their true neighbours are searched among all codes. A neighbour is
//! found if its cell is scanned, and if the error of its estimate is within reach: two numbers that are noted once, so that
//! every effort can be judged without asking again.

use lookalike_core::random;
use rayon::prelude::*;

use super::{
    Index,
    ask::{Effort, Scratch, Wanted},
    blocks::BLOCK,
    bound,
    scan::estimate,
};
use crate::Vectors;

/// Vectors that are asked for.
const SAMPLE: u32 = 1000;
/// Of them, those with which exact comparisons are counted.
const COUNTED: usize = 64;
/// Neighbours of one vector within a limit that are looked for.
const MOST: usize = 100;
/// Neighbours of one vector that are looked for if few are within the limit.
const FEW: usize = 10;
/// Pairs within the limit that say enough about those at the limit.
const ENOUGH: usize = 2000;
/// How far the true neighbours are searched, in standard deviations of the error.
const CERTAIN: f64 = 4.5;
/// Standard errors that a sample is allowed to be too good by.
const MARGIN: f64 = 2.0;
/// Reaches that are worth a try, in standard deviations of the error.
const DEVIATIONS: [f64; 7] = [0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0];

/// True neighbours of some vectors, and what it takes to find them.
pub(crate) struct Sample {
    asked: Vec<Asked>,
}

/// A vector of the sample.
struct Asked {
    place: u32,
    neighbours: Vec<Neighbour>,
}

/// What it takes to find a neighbour.
struct Neighbour {
    /// Codes of the cells before its own.
    before: u32,
    /// The error of its estimate, as u of the [bound].
    reach: f32,
}

/// What a search finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) share: f64,
    pub(crate) standard_error: f64,
}

impl Found {
    /// A share that is rarely too high.
    fn surely(self) -> f64 {
        self.share - MARGIN * self.standard_error
    }
}

/// An effort, what it finds, and how many vectors it compares exactly.
pub(crate) struct Chosen {
    pub(crate) effort: Effort,
    pub(crate) found: Found,
    pub(crate) compared: f64,
}

impl Sample {
    pub(crate) fn new(index: &Index, vectors: &Vectors, wanted: Wanted) -> Self {
        let places = sample(index);
        let mut home = vec![0; vectors.len()];
        for (place, &id) in (0u32..).zip(&index.ids) {
            if let Some(home) = home.get_mut(id as usize) {
                *home = place;
            }
        }
        let neighbours = |wanted: Wanted| -> Vec<Asked> {
            let places = places.par_iter();
            let asked = places.map_init(Scratch::default, |scratch, &place| Asked {
                place,
                neighbours: index.neighbours(vectors, &home, place, wanted, scratch),
            });
            asked.collect()
        };
        let within = Wanted {
            k: wanted.k.min(MOST),
            limit: wanted.limit,
        };
        let mut asked = neighbours(within);
        let pairs: usize = asked.iter().map(|asked| asked.neighbours.len()).sum();
        // Farther neighbours are harder to find than those within the limit.
        if wanted.limit.is_finite() && pairs < ENOUGH {
            asked = neighbours(Wanted {
                k: within.k.min(FEW),
                limit: f64::INFINITY,
            });
        }
        Self { asked }
    }

    /// What an effort finds of all neighbours.
    pub(crate) fn found(&self, effort: Effort) -> Found {
        let of_one = |asked: &Asked| {
            let is_found =
                |it: &&Neighbour| (it.before as usize) < effort.scanned && it.reach <= effort.reach;
            let found = asked.neighbours.iter().filter(is_found).count();
            (found as f64, asked.neighbours.len() as f64)
        };
        let counts: Vec<(f64, f64)> = self.asked.iter().map(of_one).collect();
        let all: f64 = counts.iter().map(|(_, all)| all).sum();
        if all == 0.0 {
            return Found {
                share: 1.0,
                standard_error: 0.0,
            };
        }
        let share = counts.iter().map(|(found, _)| found).sum::<f64>() / all;
        let apart = counts.iter().map(|(found, all)| (found - share * all).powi(2));
        Found {
            share,
            standard_error: apart.sum::<f64>().sqrt() / all,
        }
    }

    /// The cheapest effort that surely finds a share; `None` if no effort does. `cost` is that of some codes to scan and
    /// some vectors to compare.
    pub(crate) fn choose(
        &self,
        index: &Index,
        vectors: &Vectors,
        wanted: Wanted,
        share: f64,
        cost: impl Fn(f64, f64) -> f64,
    ) -> Option<Chosen> {
        let mut best: Option<(f64, Chosen)> = None;
        for deviations in DEVIATIONS {
            let reach = bound::reach_of(index.turn.dimensions(), deviations) as f32;
            let Some(effort) = self.least(index, reach, share) else {
                continue;
            };
            let compared = self.compared(index, vectors, wanted, effort);
            let cost = cost(effort.scanned as f64, compared);
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                let found = self.found(effort);
                best = Some((
                    cost,
                    Chosen {
                        effort,
                        found,
                        compared,
                    },
                ));
            }
        }
        best.map(|(_, chosen)| chosen)
    }

    /// The fewest codes that are enough with a reach.
    fn least(&self, index: &Index, reach: f32, share: f64) -> Option<Effort> {
        let effort = |scanned: usize| Effort {
            scanned,
            reach,
            is_proved: false,
        };
        let is_enough = |scanned: usize| self.found(effort(scanned)).surely() >= share;
        let (mut low, mut high) = (0, index.codes());
        if !is_enough(high) {
            return None;
        }
        while high - low > 1 {
            let middle = low + (high - low) / 2;
            match is_enough(middle) {
                true => high = middle,
                false => low = middle,
            }
        }
        Some(effort(high))
    }

    /// How many vectors a query compares exactly, on the average.
    pub(crate) fn compared(&self, index: &Index, vectors: &Vectors, wanted: Wanted, effort: Effort) -> f64 {
        let asked = &self.asked[..self.asked.len().min(COUNTED)];
        let counts = asked.par_iter().map_init(Scratch::default, |scratch, asked| {
            index.near(vectors, vectors.get(asked.place as usize), wanted, effort, scratch);
            scratch.compared
        });
        counts.sum::<usize>() as f64 / asked.len().max(1) as f64
    }
}

/// The vectors that are asked for.
fn sample(index: &Index) -> Vec<u32> {
    let is_id = |id: &&u32| **id != u32::MAX;
    let mut ids: Vec<u32> = index.ids.iter().filter(is_id).copied().collect();
    ids.sort_unstable();
    let count = SAMPLE.min(ids.len() as u32);
    let mut rng = random::stream(index.recipe.seed, 2);
    let chosen = random::distinct(ids.len() as u32, count, &mut rng);
    chosen.into_iter().map(|place| ids[place as usize]).collect()
}

impl Index {
    /// The neighbours of a vector, but for itself, and what it takes to find them.
    fn neighbours(
        &self,
        vectors: &Vectors,
        home: &[u32],
        place: u32,
        wanted: Wanted,
        scratch: &mut Scratch,
    ) -> Vec<Neighbour> {
        let everything = Effort {
            scanned: self.codes(),
            reach: bound::reach_of(self.turn.dimensions(), CERTAIN) as f32,
            is_proved: false,
        };
        let one_more = Wanted {
            k: wanted.k.saturating_add(1),
            ..wanted
        };
        let query = vectors.get(place as usize);
        let mut near = self.near(vectors, query, one_more, everything, scratch);
        near.retain(|near| near.id != place);
        near.truncate(wanted.k);
        let mut before = vec![0; self.cells()];
        let mut codes = 0;
        for cell in &scratch.order {
            before[cell.place as usize] = codes;
            codes += self.codes_of(cell.place as usize) as u32;
        }
        let farthest = match near.last() {
            Some(last) if near.len() == wanted.k => last.distance,
            _ => wanted.limit,
        };
        let worst = self.recipe.space.squared(farthest) as f32;
        let neighbour = |id: u32| {
            let place = home[id as usize];
            let block = place / BLOCK as u32;
            let cell = self.starts.partition_point(|&start| start <= block) - 1;
            Neighbour {
                before: before[cell],
                reach: self.reach_of(place, cell, worst, scratch),
            }
        };
        near.iter().map(|near| neighbour(near.id)).collect()
    }

    /// The u that the error of an estimate has at least, if a vector at this squared distance is not found.
    fn reach_of(&self, place: u32, cell: usize, worst: f32, scratch: &Scratch) -> f32 {
        let centre = self.centre(cell);
        let square = super::rerank::squared_distance(&scratch.turned, centre);
        let estimate = estimate(&scratch.table, &self.blocks, place as usize) - 0.5 * square;
        let spread = self.blocks.spreads[place as usize / BLOCK];
        let missing = -0.5 * worst - self.rounding(&scratch.turned) - estimate;
        let per_reach = square.min(worst).sqrt() * spread.error;
        match missing > 0.0 {
            true => missing / per_reach,
            false => 0.0,
        }
    }
}
