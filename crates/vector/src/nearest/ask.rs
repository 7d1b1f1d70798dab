use std::collections::BinaryHeap;

use lookalike_core::Near;
use lookalike_memory::prefetch;

use super::{
    Index, Space,
    blocks::BLOCK,
    bound, points, rerank,
    scan::{Bars, Candidate, scan},
    table::Table,
};
use crate::{
    Vectors,
    brute::{ByAngle, Form, Row},
    sums,
};

/// How far a query goes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Effort {
    /// Codes to scan at least, in whole cells.
    pub(crate) scanned: usize,
    /// Standard deviations that an estimate may be off before its vector is ruled out.
    pub(crate) deviations: f64,
    /// Whether what rounding the table adds to errors is allowed for, too, at its worst.
    pub(crate) is_proved: bool,
}

/// Memory that is used again from query to query.
#[derive(Default)]
pub(crate) struct Scratch {
    query: Vec<f32>,
    pub(super) turned: Vec<f32>,
    pub(super) table: Table,
    of_centres: Table,
    pub(super) order: Vec<Candidate>,
    candidates: Vec<Candidate>,
    ids: Vec<u32>,
    squares: Vec<f32>,
    kept: Vec<(f32, u32)>,
    /// The squares of the nearest so far, as bits: the order of numbers that are not negative.
    nearest: BinaryHeap<u32>,
    /// Vectors that were compared exactly.
    pub(super) compared: usize,
}

/// What is wanted of a query.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wanted {
    pub(crate) k: usize,
    pub(crate) limit: f64,
}

/// Candidates that are compared at a time at least.
const BATCH: usize = 48;

impl Index {
    /// The nearest vectors, the nearest first, then by id.
    pub(crate) fn near(
        &self,
        vectors: &Vectors,
        query: &[f32],
        wanted: Wanted,
        effort: Effort,
        scratch: &mut Scratch,
    ) -> Vec<Near> {
        scratch.compared = 0;
        if wanted.k == 0 || self.ids.is_empty() || !self.prepare(query, scratch) {
            return Vec::new();
        }
        self.choose_cells(effort.scanned, scratch);
        let mut ask = Ask::new(self, vectors, wanted, effort, scratch);
        ask.scan_cells();
        ask.answer(query)
    }

    /// Turns a query and makes its table; whether it is a point.
    pub(super) fn prepare(&self, query: &[f32], scratch: &mut Scratch) -> bool {
        let Some(factor) = self.recipe.space.factor(query) else {
            return false;
        };
        scratch.query.clear();
        scratch
            .query
            .extend(query.iter().map(|&it| (f64::from(it) * factor) as f32));
        scratch.turned.clear();
        scratch.turned.resize(self.turn.dimensions(), 0.0);
        points::seen(self.recipe.space, &self.mean, query, &mut scratch.turned);
        self.turn.turn(&mut scratch.turned);
        scratch.table.fill(self.blocks.layout, &scratch.turned);
        true
    }

    /// Puts the cells in order, those that are likely to have neighbours first, until they have enough codes.
    pub(super) fn choose_cells(&self, scanned: usize, scratch: &mut Scratch) {
        let order = &mut scratch.order;
        order.clear();
        if self.cells() == 1 {
            order.push(Candidate {
                estimate: 0.0,
                place: 0,
            });
            return;
        }
        scratch
            .of_centres
            .fill(self.of_centres.layout, &scratch.turned);
        let bars = Bars {
            start: 0.0,
            least: f32::NEG_INFINITY,
            per_error: 0.0,
            per_scale: 0.0,
        };
        let all = 0..self.of_centres.spreads.len();
        scan(&scratch.of_centres, &self.of_centres, all, bars, order);
        let nearest_first = |a: &Candidate, b: &Candidate| {
            b.estimate
                .total_cmp(&a.estimate)
                .then(a.place.cmp(&b.place))
        };
        // The nearest are put in order until they are enough; a guess of how many saves most of the sorting.
        let (mut sorted, mut codes) = (0, 0);
        let share = scanned as f64 / self.codes().max(1) as f64;
        let mut guess = (share * 1.25 * self.cells() as f64) as usize + 8;
        while codes < scanned && sorted < order.len() {
            let more = guess.min(order.len() - sorted);
            let rest = &mut order[sorted..];
            if more < rest.len() {
                rest.select_nth_unstable_by(more - 1, nearest_first);
            }
            rest[..more].sort_unstable_by(nearest_first);
            for cell in &rest[..more] {
                if codes >= scanned {
                    break;
                }
                codes += self.codes_of(cell.place as usize);
                sorted += 1;
            }
            guess = more;
        }
        order.truncate(sorted.max(1));
    }

    /// Codes of a cell, with those to spare.
    pub(super) fn codes_of(&self, cell: usize) -> usize {
        (self.starts[cell + 1] - self.starts[cell]) as usize * BLOCK
    }

    /// The centre of a cell, turned.
    pub(super) fn centre(&self, cell: usize) -> &[f32] {
        let dimensions = self.turn.dimensions();
        &self.centres[cell * dimensions..][..dimensions]
    }

    /// How wrong an estimate can be in 32-bit floats, whatever the codes.
    pub(super) fn rounding(&self, turned: &[f32]) -> f32 {
        let length = turned
            .iter()
            .map(|number| number * number)
            .sum::<f32>()
            .sqrt();
        let reach = length + self.farthest;
        // Never nothing: what is as near as the bar is near.
        4.0 * f32::EPSILON * reach * reach + f32::MIN_POSITIVE
    }
}

/// One query.
struct Ask<'a> {
    index: &'a Index,
    vectors: &'a Vectors,
    wanted: Wanted,
    effort: Effort,
    scratch: &'a mut Scratch,
    /// The largest squared distance that a neighbour can have, as far as is known.
    worst: f32,
    /// How wrong squared distances and estimates can be.
    relative: f32,
    absolute: f32,
    rounding: f32,
    /// The largest u of the [bound] that an error may have.
    reach: f32,
}

impl<'a> Ask<'a> {
    fn new(
        index: &'a Index,
        vectors: &'a Vectors,
        wanted: Wanted,
        effort: Effort,
        scratch: &'a mut Scratch,
    ) -> Self {
        let space = index.recipe.space;
        let (relative, absolute) = rerank::error(space, vectors.dimensions());
        scratch.candidates.clear();
        scratch.kept.clear();
        scratch.nearest.clear();
        let squared = space.squared(wanted.limit) as f32;
        Self {
            rounding: index.rounding(&scratch.turned),
            reach: bound::reach_of(index.turn.dimensions(), effort.deviations) as f32,
            worst: squared * (1.0 + relative) + absolute,
            index,
            vectors,
            wanted,
            effort,
            scratch,
            relative,
            absolute,
        }
    }

    fn scan_cells(&mut self) {
        let order = std::mem::take(&mut self.scratch.order);
        for (number, cell) in order.iter().enumerate() {
            let place = cell.place as usize;
            let range = self.index.starts[place] as usize..self.index.starts[place + 1] as usize;
            if let Some(later) = order.get(number + 1) {
                self.ask_for_cell(later.place as usize);
            }
            let bars = self.bars(place);
            scan(
                &self.scratch.table,
                &self.index.blocks,
                range,
                bars,
                &mut self.scratch.candidates,
            );
            let is_first = self.scratch.nearest.len() < self.wanted.k;
            if self.scratch.candidates.len() >= BATCH || is_first {
                self.compare();
            }
        }
        self.compare();
        self.scratch.order = order;
    }

    /// Asks for the first codes of a cell.
    fn ask_for_cell(&self, cell: usize) {
        const LINES: usize = 16;
        let start = self.index.starts[cell] as usize * self.index.blocks.layout.record();
        let lines = (start..).step_by(64).take(LINES);
        lines.for_each(|line| prefetch(&self.index.blocks.records, line));
    }

    /// What estimates of a cell must reach.
    fn bars(&self, cell: usize) -> Bars {
        let square = rerank::squared_distance(&self.scratch.turned, self.index.centre(cell));
        let aside = square.min(self.worst).sqrt();
        Bars {
            start: -0.5 * square,
            least: self.least(),
            per_error: self.reach * aside,
            per_scale: self.per_scale(),
        }
    }

    fn per_scale(&self) -> f32 {
        match self.effort.is_proved {
            true => self.scratch.table.rounding(),
            false => 0.0,
        }
    }

    fn least(&self) -> f32 {
        -0.5 * self.worst * (1.0 + self.relative) - self.absolute - self.rounding
    }

    /// Compares candidates exactly that still reach their bar. The first of all are compared in two steps: the likeliest
    /// lower the bar of the others.
    fn compare(&mut self) {
        let mut candidates = std::mem::take(&mut self.scratch.candidates);
        let missing = self.wanted.k.saturating_sub(self.scratch.nearest.len());
        let mut rest = &mut candidates[..];
        if missing > 0 && missing < rest.len() {
            rest.select_nth_unstable_by(missing - 1, |a, b| b.estimate.total_cmp(&a.estimate));
            let (first, others) = rest.split_at_mut(missing);
            self.compare_all(first);
            rest = others;
        }
        self.compare_all(rest);
        candidates.clear();
        self.scratch.candidates = candidates;
    }

    fn compare_all(&mut self, candidates: &[Candidate]) {
        let (index, least) = (self.index, self.least());
        // Of any cell; infinity times no error would not be a number.
        let per_error = self.reach * self.worst.sqrt().min(f32::MAX);
        let per_scale = self.per_scale();
        let Scratch {
            ids,
            squares,
            query,
            ..
        } = &mut *self.scratch;
        let may_be_near = |candidate: &&Candidate| {
            let spread = index.blocks.spreads[candidate.place as usize / BLOCK];
            candidate.estimate >= least - (per_error * spread.error + per_scale * spread.scale)
        };
        ids.clear();
        let near = candidates.iter().filter(may_be_near);
        ids.extend(near.map(|candidate| index.ids[candidate.place as usize]));
        rerank::squared_distances(index.recipe.space, self.vectors, query, ids, squares);
        self.scratch.compared += self.scratch.ids.len();
        for at in 0..self.scratch.ids.len() {
            self.keep(self.scratch.squares[at], self.scratch.ids[at]);
        }
    }

    /// Keeps a vector that may be among the nearest.
    fn keep(&mut self, square: f32, id: u32) {
        #[expect(
            clippy::neg_cmp_op_on_partial_ord,
            reason = "numbers so small or large that their squares are not numbers are compared exactly"
        )]
        let is_far = !(square <= self.worst) && !square.is_nan();
        if is_far {
            return;
        }
        self.scratch.kept.push((square, id));
        if square.is_nan() || self.wanted.k >= self.index.codes() {
            return;
        }
        let nearest = &mut self.scratch.nearest;
        nearest.push(square.max(0.0).to_bits());
        if nearest.len() > self.wanted.k {
            nearest.pop();
        }
        if nearest.len() == self.wanted.k {
            let farthest = nearest
                .peek()
                .map_or(f32::INFINITY, |&bits| f32::from_bits(bits));
            let worst = farthest * (1.0 + 2.0 * self.relative) + 2.0 * self.absolute;
            self.worst = self.worst.min(worst);
        }
    }

    /// The exact distances of what was kept, in 64 bits.
    fn answer(self, query: &[f32]) -> Vec<Near> {
        let asked = Row::new(query);
        let exact = |id: u32| {
            let vector = self.vectors.get(id as usize);
            match self.index.recipe.space {
                Space::Angle => ByAngle.exact(asked, Row::new(vector)),
                // Lengths are not needed.
                Space::Euclidean => sums::squared_distance(query, vector).sqrt(),
            }
        };
        let kept = self.scratch.kept.iter();
        let near = kept.filter(|(square, _)| square.is_nan() || *square <= self.worst);
        let near = near.map(|&(_, id)| Near {
            id,
            distance: exact(id),
        });
        let mut near: Vec<Near> = near
            .filter(|near| near.distance <= self.wanted.limit)
            .collect();
        near.sort_unstable_by(Near::nearest_first);
        near.truncate(self.wanted.k);
        near
    }
}
