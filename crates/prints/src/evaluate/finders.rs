use lookalike_core::{Drawn, KeySource, LshFamily};
use lookalike_engine::{BucketIndex, Query};
use lookalike_fingerprint::{
    Grid, GridSquares, LocalTriples, Normalize, Ranked, Selection, Template, Triples, Votes,
};

use crate::Error;

/// How candidates are found.
#[derive(Clone, Copy, Debug)]
pub enum Finding {
    /// By squares in each minutia's own frame.
    Local(Triples),
    /// By the textbook's squares on one grid, which needs prints that are aligned.
    Grid(Squares),
}

/// The textbook's family, as it is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Squares {
    /// The side of a square, in pixels.
    pub cell: f32,
    /// How near a border a minutia also counts next door, in pixels.
    pub tolerance: f32,
    /// What is done about position and orientation.
    pub normalize: Normalize,
    /// Functions of three squares.
    pub functions: u32,
    /// Which are drawn.
    pub seed: u64,
}

impl Default for Finding {
    fn default() -> Self {
        Self::Local(Triples::accurate())
    }
}

impl Default for Squares {
    /// 1024 functions on the image as it is: squares of 40 pixels, 10 pixels of tolerance.
    fn default() -> Self {
        Self {
            cell: 40.0,
            tolerance: 10.0,
            normalize: Normalize::default(),
            functions: 1024,
            seed: 0,
        }
    }
}

impl Finding {
    pub(super) fn selection(&self) -> Selection {
        match self {
            Self::Local(triples) => triples.minutiae,
            Self::Grid(_) => Selection::default(),
        }
    }
}

/// The gallery, ready to be asked.
pub(super) enum Finder {
    Local(BucketIndex<LocalTriples>),
    Grid(Grid, BucketIndex<Drawn<GridSquares>>),
}

/// Pixels that a grid covers: no image at 500 dots an inch is larger.
const COVERED: f32 = 640.0;

impl Finder {
    pub(super) fn new(method: Finding, gallery: &[&Template]) -> Result<Self, Error> {
        match method {
            Finding::Local(triples) => {
                let source = LocalTriples::new(triples)?;
                let templates: Vec<Template> = gallery.iter().map(|&one| one.clone()).collect();
                Ok(Self::Local(BucketIndex::build(source, &templates)?))
            }
            Finding::Grid(squares) => {
                let side = (COVERED / squares.cell).ceil().max(1.0) as u32;
                let grid = Grid::new(side, side, squares.cell)?
                    .tolerance(squares.tolerance)?
                    .normalize(squares.normalize);
                let family = GridSquares::new(grid.total())?;
                let source = family.or(squares.functions.max(1)).draw(squares.seed);
                let source = source.map_err(|error| Error::Unusable(error.to_string()))?;
                let prints: Vec<_> = gallery.iter().map(|one| grid.squares(one)).collect();
                Ok(Self::Grid(grid, BucketIndex::build(source, &prints)?))
            }
        }
    }

    pub(super) fn describe(&self) -> String {
        match self {
            Self::Local(index) => {
                let Triples {
                    squares,
                    neighbours,
                    crossings,
                    ..
                } = index.source().triples();
                format!(
                    "{squares} squares of {neighbours} neighbours, up to {crossings} borders crossed"
                )
            }
            Self::Grid(grid, index) => {
                let functions = index.source().bands();
                format!("{functions} functions of 3 of {} squares", grid.total())
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Local(index) => index.bytes(),
            Self::Grid(_, index) => index.bytes(),
        }
    }

    pub(super) fn asking(&self) -> Asking<'_> {
        match self {
            Self::Local(index) => Asking::Local(index.query(), Votes::default()),
            Self::Grid(grid, index) => Asking::Grid(grid, index.query()),
        }
    }
}

/// A reader of a [`Finder`].
pub(super) enum Asking<'a> {
    Local(Query<'a, LocalTriples>, Votes),
    Grid(&'a Grid, Query<'a, Drawn<GridSquares>>),
}

impl Asking<'_> {
    /// All candidates, the best first, and how many hits there were.
    pub(super) fn ranked(&mut self, probe: &Template) -> Result<(Vec<Ranked>, usize), Error> {
        match self {
            Self::Local(query, votes) => {
                query.hits(probe, |hit| {
                    votes.add(hit.id, hit.stored, hit.asked, hit.bucket);
                })?;
                let hits = votes.len();
                Ok((votes.ranked(usize::MAX), hits))
            }
            Self::Grid(grid, query) => {
                let votes = query.votes(&grid.squares(probe))?;
                let hits = votes.iter().map(|met| met.hits as usize).sum();
                let ranked = votes.iter().map(|met| Ranked {
                    id: met.id,
                    score: met.hits as f32,
                });
                let mut ranked: Vec<Ranked> = ranked.collect();
                ranked.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.id.cmp(&b.id)));
                Ok((ranked, hits))
            }
        }
    }
}
