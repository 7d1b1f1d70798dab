//! Comparing one vector with many, and many with many.
//!
//! Scores in 32-bit floats drop what cannot be within the limit; what remains is compared exactly, in 64 bits. So answers
//! are those of the exact distance, bit by bit, at the speed of the scores.

mod form;
mod lanes;
mod scan;
mod tile;

pub(crate) use form::{ByAngle, ByDot, ByEuclidean, ByManhattan, Form, Row};

use std::ops::Range;

use lookalike_core::{Distances, Items, Match, Near, Pair, Tile};
use lookalike_memory::prefetch;

use crate::Vectors;
use tile::QueryTile;

/// Vectors under a form of comparison.
pub(crate) struct Compared<'a, F> {
    vectors: &'a Vectors,
    lengths: &'a [f64],
    form: F,
}

impl<'a, F: Form> Compared<'a, F> {
    pub(crate) fn new(vectors: &'a Vectors, form: F) -> Self {
        Self {
            vectors,
            lengths: vectors.lengths(),
            form,
        }
    }

    pub(crate) fn row(&self, place: u32) -> Row<'a> {
        Row {
            numbers: self.vectors.get(place as usize),
            length: self.lengths[place as usize],
        }
    }

    /// The distance of a vector to the item at a place, if it is within the limit. Vectors without a direction have no
    /// angle to others.
    #[inline]
    pub(crate) fn within(&self, a: Row<'_>, place: u32, limit: f64) -> Option<Near> {
        let b = self.row(place);
        if self.form.is_empty(a) || self.form.is_empty(b) {
            return None;
        }
        let distance = self.form.exact(a, b);
        (distance <= limit).then_some(Near {
            id: place,
            distance,
        })
    }

    /// Asks for the memory of a vector.
    fn ask(&self, place: u32) {
        /// Numbers in a line of memory.
        const LINE: usize = 16;
        let dimensions = self.vectors.dimensions();
        let start = place as usize * dimensions;
        // The processor reads on by itself in what is longer.
        (start..start + dimensions.min(256))
            .step_by(LINE)
            .for_each(|line| prefetch(self.vectors.numbers(), line));
    }

    /// The pairs within the limit, in their order.
    pub(crate) fn matches(&self, pairs: &[Pair], limit: f64) -> Vec<Match> {
        let compare = |(number, &pair): (usize, &Pair)| {
            if let Some(later) = pairs.get(number + AHEAD) {
                self.ask(later.a());
                self.ask(later.b());
            }
            let distance = self.pair(pair, limit)?;
            Some(Match { pair, distance })
        };
        pairs.iter().enumerate().filter_map(compare).collect()
    }

    fn near_row(&self, row: Row<'_>, places: &[u32], limit: f64, found: &mut Vec<Near>) {
        for (number, &place) in places.iter().enumerate() {
            if let Some(&later) = places.get(number + AHEAD) {
                self.ask(later);
            }
            found.extend(self.within(row, place, limit));
        }
    }
}

/// Vectors that are asked for before they are read.
const AHEAD: usize = 4;

impl<F: Form> Items<[f32]> for Compared<'_, F> {
    fn count(&self) -> usize {
        self.vectors.len()
    }

    fn item(&self, place: usize) -> &[f32] {
        self.vectors.get(place)
    }
}

impl<F: Form> Distances<[f32]> for Compared<'_, F> {
    fn near(&self, item: &[f32], places: &[u32], limit: f64, found: &mut Vec<Near>) {
        self.near_row(Row::new(item), places, limit, found);
    }

    fn near_in(&self, item: &[f32], places: Range<u32>, limit: f64, found: &mut Vec<Near>) {
        self.tile_of(&[item])
            .near(places, &[limit], usize::MAX, std::slice::from_mut(found));
    }

    fn near_place(&self, place: u32, places: &[u32], limit: f64, found: &mut Vec<Near>) {
        self.near_row(self.row(place), places, limit, found);
    }

    fn pair(&self, pair: Pair, limit: f64) -> Option<f64> {
        let near = self.within(self.row(pair.a()), pair.b(), limit)?;
        Some(near.distance)
    }

    fn tile<'a>(&'a self, queries: &[&[f32]]) -> Option<Box<dyn Tile + 'a>> {
        Some(Box::new(self.tile_of(queries)))
    }
}

impl<F: Form> Compared<'_, F> {
    fn tile_of(&self, queries: &[&[f32]]) -> QueryTile<'_, F> {
        QueryTile::new(self, queries, scan::Level::best())
    }
}
