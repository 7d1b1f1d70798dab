//! What share of the nearest vectors a search finds, measured on a sample.
//!
//! Some vectors of the collection are asked for, and their true neighbours are searched among all codes. The cell of a
//! neighbour is noted once, so that the share of neighbours in scanned cells is known for any number of codes. What the
//! errors of estimates lose on top hardly depends on that number, so it is measured for
//! a few numbers of standard deviations.

use lookalike_core::random;
use rayon::prelude::*;

use super::{
    Index,
    ask::{Effort, Scratch, Wanted},
    blocks::BLOCK,
};
use crate::Vectors;

/// Vectors that are asked for.
const SAMPLE: u32 = 700;
/// Of them, those with which numbers of standard deviations are compared.
const PART: usize = 150;
/// Of them, those that tell how many are needed.
const FIRST: usize = 50;
/// Pairs of a vector and its neighbour that are enough.
const PAIRS: usize = 200_000;
/// Neighbours of one vector that are looked for if few are within the limit.
const FEW: usize = 10;
/// Pairs within the limit that say enough about those at the limit.
const ENOUGH: usize = 2000;
/// How far the true neighbours are searched, in standard deviations of the error.
const CERTAIN: f64 = 3.0;
/// Standard errors that a sample is allowed to be too good by.
const MARGIN: f64 = 2.0;
/// Standard deviations of the error that are worth a try.
const DEVIATIONS: [f64; 6] = [0.5, 0.75, 1.0, 1.5, 2.0, 3.0];
/// Times that codes are added if a sample finds too little.
const STEPS: u32 = 8;

/// Some vectors and their true neighbours.
pub(crate) struct Sample<'a> {
    index: &'a Index,
    vectors: &'a Vectors,
    wanted: Wanted,
    asked: Vec<Asked>,
}

/// A vector of the sample.
struct Asked {
    place: u32,
    /// The distance of its farthest neighbour.
    farthest: f64,
    /// For each neighbour, the codes in cells before its own.
    before: Vec<u32>,
}

/// What a search finds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) share: f64,
    pub(crate) standard_error: f64,
}

impl Found {
    /// Of the numbers that were found and of all, one pair per query.
    fn new(counts: &[(f64, f64)]) -> Self {
        let all: f64 = counts.iter().map(|(_, all)| all).sum();
        if all == 0.0 {
            return Self {
                share: 1.0,
                standard_error: 0.0,
            };
        }
        let share = counts.iter().map(|(found, _)| found).sum::<f64>() / all;
        let apart = counts
            .iter()
            .map(|(found, all)| (found - share * all).powi(2));
        Self {
            share,
            standard_error: apart.sum::<f64>().sqrt() / all,
        }
    }

    /// A share that is rarely too high.
    fn surely(self) -> f64 {
        self.share - MARGIN * self.standard_error
    }
}

/// An effort, what it finds, and how many vectors it compares exactly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub(crate) effort: Effort,
    pub(crate) found: Found,
    pub(crate) compared: f64,
}

impl<'a> Sample<'a> {
    pub(crate) fn new(index: &'a Index, vectors: &'a Vectors, wanted: Wanted) -> Self {
        let home = home(index, vectors);
        let all = sample(index);
        let mut sample = Self {
            index,
            vectors,
            wanted,
            asked: Vec::new(),
        };
        let (first, rest) = all.split_at(all.len().min(FIRST));
        sample.ask_for(first, &home);
        // Vectors with many neighbours say much each, and take long.
        let each = sample.pairs() as f64 / first.len().max(1) as f64;
        let enough = (PAIRS as f64 / each.max(1.0)) as usize;
        sample.ask_for(&rest[..rest.len().min(enough)], &home);
        if wanted.limit.is_finite() && sample.pairs() < ENOUGH {
            // Farther neighbours are harder to find than those within the limit.
            sample.wanted = Wanted {
                k: wanted.k.min(FEW),
                limit: f64::INFINITY,
            };
            sample.asked.clear();
            sample.ask_for(&all, &home);
        }
        sample
    }

    /// True neighbours that were found.
    fn pairs(&self) -> usize {
        self.asked.iter().map(|asked| asked.before.len()).sum()
    }

    /// Asks for some vectors among all codes.
    fn ask_for(&mut self, places: &[u32], home: &[u32]) {
        let asked = places
            .par_iter()
            .map_init(Scratch::default, |scratch, &place| {
                let everything = Effort {
                    scanned: self.index.codes(),
                    deviations: CERTAIN,
                    is_proved: false,
                };
                let near = self.ask(place, everything, scratch);
                let before = self.index.codes_before(scratch);
                let before = near.iter().map(|(id, _)| {
                    let block = home[*id as usize] / BLOCK as u32;
                    let cell = self.index.starts.partition_point(|&start| start <= block) - 1;
                    before[cell]
                });
                Asked {
                    place,
                    farthest: near.last().map_or(0.0, |(_, distance)| *distance),
                    before: before.collect(),
                }
            });
        let asked: Vec<Asked> = asked.collect();
        self.asked.extend(asked);
    }

    /// The nearest of a vector, but for itself.
    fn ask(&self, place: u32, effort: Effort, scratch: &mut Scratch) -> Vec<(u32, f64)> {
        let one_more = Wanted {
            k: self.wanted.k.saturating_add(1),
            ..self.wanted
        };
        let query = self.vectors.get(place as usize);
        let near = self
            .index
            .near(self.vectors, query, one_more, effort, scratch);
        let others = near.into_iter().filter(|near| near.id != place);
        let others = others.map(|near| (near.id, near.distance));
        others.take(self.wanted.k).collect()
    }

    /// What share of the neighbours of a part of the sample is in scanned cells.
    fn in_cells(&self, part: usize, scanned: usize) -> Found {
        let counts = self.asked.iter().take(part).map(|asked| {
            let is_scanned = |before: &&u32| (**before as usize) < scanned;
            let found = asked.before.iter().filter(is_scanned).count();
            (found as f64, asked.before.len() as f64)
        });
        Found::new(&counts.collect::<Vec<_>>())
    }

    /// What an effort finds of the neighbours of all vectors of the sample.
    pub(crate) fn measured(&self, effort: Effort) -> Measured {
        self.measured_on(self.asked.len(), effort)
    }

    fn measured_on(&self, part: usize, effort: Effort) -> Measured {
        let asked = &self.asked[..part.min(self.asked.len())];
        let counts = asked
            .par_iter()
            .map_init(Scratch::default, |scratch, asked| {
                let near = self.ask(asked.place, effort, scratch);
                let is_found = |(_, distance): &&(u32, f64)| *distance <= asked.farthest;
                let (found, all) = (near.iter().filter(is_found).count(), asked.before.len());
                ((found.min(all) as f64, all as f64), scratch.compared)
            });
        let (counts, compared): (Vec<(f64, f64)>, Vec<usize>) = counts.unzip();
        Measured {
            effort,
            found: Found::new(&counts),
            compared: compared.iter().sum::<usize>() as f64 / compared.len().max(1) as f64,
        }
    }

    /// The cheapest effort that surely finds a share; `None` if no effort does. `cost` is that of some codes to scan and
    /// some vectors to compare.
    pub(crate) fn choose(&self, share: f64, cost: impl Fn(f64, f64) -> f64) -> Option<Measured> {
        let mut best: Option<(f64, Effort, f64)> = None;
        let first = self.least(share)?;
        for deviations in DEVIATIONS {
            let mut effort = Effort {
                scanned: first,
                deviations,
                is_proved: false,
            };
            let part = self.measured_on(PART, effort);
            let kept = (part.found.share / self.in_cells(PART, first).share).min(1.0);
            let Some(scanned) = self.least(share / kept) else {
                continue;
            };
            effort.scanned = scanned;
            let cost = cost(scanned as f64, part.compared);
            if best.is_none_or(|(least, ..)| cost < least) {
                best = Some((cost, effort, kept));
            }
        }
        let (_, mut effort, kept) = best?;
        let mut wanted = share / kept;
        for _ in 0..STEPS {
            let measured = self.measured(effort);
            let missing = share - measured.found.surely();
            if missing <= 0.0 {
                return Some(measured);
            }
            wanted += missing.max(0.001);
            effort.scanned = self.least(wanted).unwrap_or(self.index.codes());
        }
        None
    }

    /// The fewest codes whose cells surely have a share of the neighbours.
    fn least(&self, share: f64) -> Option<usize> {
        let is_enough = |scanned: usize| self.in_cells(self.asked.len(), scanned).surely() >= share;
        let (mut low, mut high) = (0, self.index.codes());
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
        Some(high)
    }
}

/// The place of the code of each vector.
fn home(index: &Index, vectors: &Vectors) -> Vec<u32> {
    let mut home = vec![0; vectors.len()];
    for (place, &id) in (0u32..).zip(&index.ids) {
        if let Some(home) = home.get_mut(id as usize) {
            *home = place;
        }
    }
    home
}

/// The vectors that are asked for, in a random order.
fn sample(index: &Index) -> Vec<u32> {
    let is_id = |id: &&u32| **id != u32::MAX;
    let mut ids: Vec<u32> = index.ids.iter().filter(is_id).copied().collect();
    ids.sort_unstable();
    let count = SAMPLE.min(ids.len() as u32);
    let mut rng = random::stream(index.recipe.seed, 2);
    let chosen = random::distinct(ids.len() as u32, count, &mut rng);
    chosen
        .into_iter()
        .map(|place| ids[place as usize])
        .collect()
}

impl Index {
    /// For each cell the codes in cells before it, in the order of the last query, which was asked of all.
    fn codes_before(&self, scratch: &Scratch) -> Vec<u32> {
        let (mut before, mut codes) = (vec![0; self.cells()], 0);
        for cell in &scratch.order {
            before[cell.place as usize] = codes;
            codes += self.codes_of(cell.place as usize) as u32;
        }
        before
    }
}
