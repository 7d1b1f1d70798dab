//! Families over fingerprints. What is true is whose they are, of which no function knows: nothing is promised.

use lookalike_core::{
    Drawn, Items, KeySource, LshFamily, LshFunctions, Metric, Scheme, TooManyKeys,
};
use lookalike_engine::{Hit, Id};
use lookalike_fingerprint::{
    Frame, Grid, GridSquares, LocalTriples, Matcher, Squares as Held, Triples, TriplesScratch,
    Votes, Work,
};
use lookalike_minhash::FastSimilarity;
use lookalike_prints::THRESHOLD;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::squares::{BY_SQUARES, Numbers, grid_squares};
use crate::{
    Error, Measure, Meeting, Plugin, Search, Verifier,
    data::{GridTable, Print, Prints},
};

const FINGER: Measure = Measure::Same("same finger");
const UNKNOWN: &str = "none: prints of a finger may lie anyhow";

/// 0 for prints of one finger, 1 for others.
#[derive(Clone, Copy, Debug)]
pub(super) struct SameFinger;

impl Metric for SameFinger {
    type Item = Print;
    type Prepared = u32;

    fn prepare(&self, print: &Print) -> u32 {
        print.finger
    }

    fn distance(&self, a: &u32, b: &u32) -> f64 {
        if a == b { 0.0 } else { 1.0 }
    }
}

/// The matcher's word on every pair.
fn matcher<'a>(prints: &'a dyn Items<Print>) -> Option<Verifier<'a>> {
    let matcher = Matcher::default();
    let places = (0..prints.count()).into_par_iter();
    let ready: Vec<_> = places
        .map(|place| matcher.prepare(&prints.item(place).template))
        .collect();
    thread_local! {
        static WORK: std::cell::RefCell<Work> = std::cell::RefCell::default();
    }
    Some(Box::new(move |pair| {
        let [a, b] = [pair.a(), pair.b()].map(|id| &ready[id as usize]);
        let score = WORK.with_borrow_mut(|work| matcher.compare_with(a, b, work).score());
        score >= THRESHOLD
    }))
}

/// A family over squares, on prints under a grid.
#[derive(Debug)]
pub(super) struct Gridded<F> {
    family: F,
    grid: Grid,
}

/// What gives prints the keys of their squares.
#[derive(Debug)]
pub(super) struct GriddedSource<S> {
    source: S,
    grid: Grid,
}

impl<S: KeySource<Item = Held>> KeySource for GriddedSource<S> {
    type Item = Print;
    type Payload = S::Payload;
    type Scratch = S::Scratch;

    fn bands(&self) -> usize {
        self.source.bands()
    }

    fn key_bits(&self) -> u32 {
        self.source.key_bits()
    }

    fn describe(&self) -> String {
        format!("{:?}, {}", self.grid, self.source.describe())
    }

    fn keys(
        &self,
        print: &Print,
        scratch: &mut S::Scratch,
        emit: impl FnMut(u32, u64, S::Payload),
    ) -> Result<(), TooManyKeys> {
        self.source
            .keys(&self.grid.squares(&print.template), scratch, emit)
    }
}

impl<F> Search for Gridded<F>
where
    F: LshFamily<Item = Held> + Clone + Sync,
    <F::Functions as LshFunctions>::Key: Sync,
{
    type Item = Print;
    type Source = GriddedSource<Drawn<F>>;
    type Metric = SameFinger;

    fn metric(&self) -> &SameFinger {
        &SameFinger
    }

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Self::Source, Error> {
        let amplified = self.family.clone().amplify(scheme.clone());
        Ok(GriddedSource {
            source: amplified.draw(seed)?,
            grid: self.grid,
        })
    }

    fn verifier<'a>(&'a self, prints: &'a dyn Items<Print>) -> Option<Verifier<'a>> {
        matcher(prints)
    }
}

/// [`GridSquares`] over prints.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct GridSquaresPrints {
    /// Squares of a function.
    each: u32,
    grid: GridTable,
}

impl Default for GridSquaresPrints {
    fn default() -> Self {
        Self {
            each: 3,
            grid: GridTable::default(),
        }
    }
}

impl Plugin for GridSquaresPrints {
    const NAME: &'static str = "grid-squares";
    const MEASURE: Measure = FINGER;
    const SUMMARY: &'static str = BY_SQUARES;
    const SENSITIVITY: &'static str = UNKNOWN;
    type Data = Prints;
    type Search = Gridded<GridSquares>;

    fn search(&self, _: &Vec<Print>) -> Result<Self::Search, Error> {
        let grid = self.grid.grid("family.grid")?;
        let family = grid_squares(grid.total(), self.each)?;
        Ok(Gridded { family, grid })
    }
}

/// [`FastSimilarity`] over the squares of prints.
#[derive(Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FastSimilarityPrints {
    grid: GridTable,
}

impl Plugin for FastSimilarityPrints {
    const NAME: &'static str = "fast-similarity";
    const MEASURE: Measure = FINGER;
    const SUMMARY: &'static str = "minhash of the squares that hold minutiae";
    const SENSITIVITY: &'static str = UNKNOWN;
    type Data = Prints;
    type Search = Gridded<FastSimilarity<Numbers>>;

    fn search(&self, _: &Vec<Print>) -> Result<Self::Search, Error> {
        Ok(Gridded {
            family: FastSimilarity::new(Numbers),
            grid: self.grid.grid("family.grid")?,
        })
    }
}

/// [`LocalTriples`] over prints.
#[derive(Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct LocalTriplesPrints {
    /// How many prints with the most votes are candidates of a query.
    best: u32,
    triples: Triples,
}

impl Default for LocalTriplesPrints {
    fn default() -> Self {
        Self {
            best: 10,
            triples: Triples::default(),
        }
    }
}

impl Plugin for LocalTriplesPrints {
    const NAME: &'static str = "local-triples";
    const MEASURE: Measure = FINGER;
    const SUMMARY: &'static str = "squares in each minutia's own frame, and votes that agree";
    const SENSITIVITY: &'static str = UNKNOWN;
    type Data = Prints;
    type Search = Local;

    fn search(&self, _: &Vec<Print>) -> Result<Local, Error> {
        // What is wrong is said once, before anything is drawn.
        let made = LocalTriples::new(self.triples);
        made.map_err(|error| Error::from(error).about("family.triples"))?;
        if self.best == 0 {
            let message = "best is 0, but at least one print must be elected";
            return Err(Error::setting("family.best", message));
        }
        let (triples, best) = (self.triples, self.best as usize);
        Ok(Local { triples, best })
    }
}

/// Squares in each minutia's own frame.
#[derive(Debug)]
pub(super) struct Local {
    triples: Triples,
    best: usize,
}

/// [`LocalTriples`] of what is a print here.
#[derive(Debug)]
pub(super) struct LocalSource(LocalTriples);

impl KeySource for LocalSource {
    type Item = Print;
    type Payload = Frame;
    type Scratch = TriplesScratch;

    fn bands(&self) -> usize {
        self.0.bands()
    }

    fn key_bits(&self) -> u32 {
        self.0.key_bits()
    }

    fn describe(&self) -> String {
        self.0.describe()
    }

    fn keys(
        &self,
        print: &Print,
        scratch: &mut TriplesScratch,
        emit: impl FnMut(u32, u64, Frame),
    ) -> Result<(), TooManyKeys> {
        self.0.keys(&print.template, scratch, emit)
    }

    fn has_probes(&self) -> bool {
        self.0.has_probes()
    }

    fn probes(
        &self,
        print: &Print,
        scratch: &mut TriplesScratch,
        emit: impl FnMut(u32, u64, Frame),
    ) -> Result<(), TooManyKeys> {
        self.0.probes(&print.template, scratch, emit)
    }
}

impl Search for Local {
    type Item = Print;
    type Source = LocalSource;
    type Metric = SameFinger;

    fn metric(&self) -> &SameFinger {
        &SameFinger
    }

    fn source(&self, _: &Scheme, seed: u64) -> Result<LocalSource, Error> {
        let seed = self.triples.seed.wrapping_add(seed);
        let triples = Triples {
            seed,
            ..self.triples
        };
        Ok(LocalSource(LocalTriples::new(triples)?))
    }

    fn scheme(&self) -> Option<Scheme> {
        Some(Scheme::default())
    }

    fn meeting(&self) -> Meeting<Frame> {
        let best = self.best;
        Meeting::Votes(Box::new(move |hits: &[Hit<Frame>]| -> Vec<Id> {
            let mut votes = Votes::default();
            for hit in hits {
                votes.add(hit.id, hit.stored, hit.asked, hit.bucket);
            }
            votes.ranked(best).iter().map(|ranked| ranked.id).collect()
        }))
    }

    fn verifier<'a>(&'a self, prints: &'a dyn Items<Print>) -> Option<Verifier<'a>> {
        matcher(prints)
    }
}

/// All pairs of prints.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BrutePrints {}

impl Plugin for BrutePrints {
    const NAME: &'static str = "brute-force";
    const MEASURE: Measure = FINGER;
    const SUMMARY: &'static str = super::brute::SUMMARY;
    const SENSITIVITY: &'static str = super::brute::CERTAIN;
    type Data = Prints;
    type Search = super::brute::Brute<SameFinger>;

    fn search(&self, _: &Vec<Print>) -> Result<Self::Search, Error> {
        Ok(super::brute::Brute::verified_by(SameFinger, matcher))
    }
}
