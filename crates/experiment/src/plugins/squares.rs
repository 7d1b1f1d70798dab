use lookalike_fingerprint::{CommonSquares, GridSquares, Squares as Held};
use lookalike_minhash::{Elements, FastSimilarity, Jaccard, Universal};
use serde::{Deserialize, Serialize};

use super::texts::{JACCARD, MINHASH, TOGETHER};
use crate::{Error, FamilySearch, Measure, Plugin, data::Squares};

pub(super) const UNCOMMON: Measure = Measure::Distance("share of squares not in common");
pub(super) const BY_SQUARES: &str = "functions of a few squares, in their one bucket or in none";

/// The squares of a print as a set of integers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Numbers;

impl Elements for Numbers {
    type Item = Held;
    type Scratch = Vec<u64>;

    fn visit(&self, held: &Held, numbers: &mut Vec<u64>, take: &mut dyn FnMut(&[u64])) {
        numbers.clear();
        numbers.extend(held.elements());
        take(numbers);
    }
}

/// [`GridSquares`] over squares.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GridSquaresSquares {
    /// Squares of a function.
    each: u32,
}

impl Default for GridSquaresSquares {
    fn default() -> Self {
        Self { each: 3 }
    }
}

/// The family over a grid of so many squares, with so many a function.
pub(super) fn grid_squares(total: u32, each: u32) -> Result<GridSquares, Error> {
    let family = GridSquares::new(total)?;
    let family = family.each(each);
    family.map_err(|error| Error::from(error).about("family.each"))
}

impl Plugin for GridSquaresSquares {
    const NAME: &'static str = "grid-squares";
    const MEASURE: Measure = UNCOMMON;
    const SUMMARY: &'static str = BY_SQUARES;
    const SENSITIVITY: &'static str = "(d1, d2, C(c1, t)/C(N, t), C(c2, t)/C(N, t)), c = N·(1 − d)";
    type Data = Squares;
    type Search = FamilySearch<GridSquares, CommonSquares>;

    fn search(&self, items: &Vec<Held>) -> Result<Self::Search, Error> {
        let total = items.first().map_or(self.each, Held::total);
        let family = grid_squares(total, self.each)?;
        Ok(FamilySearch::new(family, CommonSquares))
    }
}

/// [`FastSimilarity`] over squares.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FastSimilaritySquares {}

impl Plugin for FastSimilaritySquares {
    const NAME: &'static str = "fast-similarity";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str = "minhash of the squares that hold minutiae";
    const SENSITIVITY: &'static str = MINHASH;
    const CAVEAT: &'static str = TOGETHER;
    type Data = Squares;
    type Search = FamilySearch<FastSimilarity<Numbers>, Jaccard<Numbers>>;

    fn search(&self, _: &Vec<Held>) -> Result<Self::Search, Error> {
        let family = FastSimilarity::new(Numbers);
        Ok(FamilySearch::new(family, Jaccard::new(Numbers)))
    }
}

/// [`Universal`] over squares.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UniversalSquares {}

impl Plugin for UniversalSquares {
    const NAME: &'static str = "universal";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str = "minhash of the squares, a hash function for each value";
    const SENSITIVITY: &'static str = MINHASH;
    type Data = Squares;
    type Search = FamilySearch<Universal<Numbers>, Jaccard<Numbers>>;

    fn search(&self, _: &Vec<Held>) -> Result<Self::Search, Error> {
        let family = Universal::new(Numbers);
        Ok(FamilySearch::new(family, Jaccard::new(Numbers)))
    }
}
