//! The nearest vectors by sketches, as a method.

use std::{marker::PhantomData, sync::Arc};

use lookalike_core::{
    Items, Near, Scheme,
    plugin::{Distance, Error, Method, Params, Proposal, Recall, Task},
};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{AngleDistance, EuclideanDistance, Vector};
use crate::{
    Vectors,
    nearest::{
        self, Bits, Effort, Index, Measured, Partition, Recipe, Sample, Scratch, Space, Wanted,
    },
};

/// Sketches of a few bits per coordinate, in cells, and exact distances for what they do not rule out.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, bound = "D: Default")]
pub struct SketchesBy<D> {
    /// How vectors are divided into cells; `None`: what is cheapest.
    pub partition: Option<Partition>,
    /// The number of cells; `None`: the power of two at or below 2·√n.
    pub cells: Option<u32>,
    /// Bits for each coordinate, 1, 2 or 4; `None`: fewer for more dimensions.
    pub bits: Option<u8>,
    /// Codes that a query scans, in whole cells, the likeliest first; `None`: as many as the recall needs.
    pub scanned: Option<u32>,
    /// Standard deviations that an estimate may be off before its vector is ruled out; `None`: what the recall needs.
    pub deviations: Option<f64>,
    #[serde(skip)]
    distance: PhantomData<D>,
}

/// A distance of a space that sketches estimate.
pub trait InSpace: Distance<Kind = Vector> + Params {
    /// The space.
    const SPACE: Space;
}

impl InSpace for AngleDistance {
    const SPACE: Space = Space::Angle;
}

impl InSpace for EuclideanDistance {
    const SPACE: Space = Space::Euclidean;
}

/// Sketches of some vectors, and how far queries go.
#[derive(Debug)]
pub struct BuiltSketches {
    index: Arc<Index>,
    effort: Effort,
}

impl BuiltSketches {
    /// Bytes in memory, next to the vectors.
    #[must_use]
    pub fn size(&self) -> usize {
        self.index.size()
    }
}

/// Vectors below which all codes are scanned, unless cells are asked for.
const FEW: usize = 5000;
/// Dimensions at which one bit is enough.
const ONE_BIT: usize = 300;
/// The share of codes that a query scans, as a first guess.
const SCANNED: f64 = 0.1;
/// Nanoseconds to build: to compare a vector with a pivot, for each dimension; to write a code, for each dimension.
const ASSIGN: f64 = 0.02;
const WRITE: f64 = 5.0;
/// Nanoseconds of a query: to begin; for each dimension; for each cell; for each code, itself and its groups of four
/// bits; for each exact comparison, itself and its dimensions.
const BEGIN: f64 = 2000.0;
const TURN: f64 = 5.0;
const CELL: f64 = 2.0;
const SCAN: (f64, f64) = (0.3, 0.014);
const COMPARE: (f64, f64) = (20.0, 0.3);
/// Vectors of the sample on which a recall is measured.
const SAMPLE: f64 = 700.0;

/// What queries and the index cost.
struct Cost {
    dimensions: f64,
    nibbles: f64,
    cells: f64,
}

impl Cost {
    fn build(&self, count: f64) -> f64 {
        let assign = if self.cells > 1.0 {
            ASSIGN * self.cells
        } else {
            0.0
        };
        1e-9 * count * self.dimensions * (WRITE + assign)
    }

    fn query(&self, scanned: f64, compared: f64) -> f64 {
        let scan = scanned * (SCAN.0 + SCAN.1 * self.nibbles);
        let compare = compared * (COMPARE.0 + COMPARE.1 * self.dimensions);
        1e-9 * (BEGIN + TURN * self.dimensions + CELL * self.cells + scan + compare)
    }
}

impl<D: InSpace> SketchesBy<D> {
    /// What decides how the index looks.
    fn recipe(&self, vectors: &Vectors, seed: u64) -> Result<Recipe, Error> {
        let count = vectors.len();
        let bits = match self.bits {
            Some(bits) => Bits::try_from(bits).map_err(|error| Error::new(error).about("bits"))?,
            None if vectors.dimensions() >= ONE_BIT => Bits::One,
            None => Bits::Two,
        };
        let usual = if count < FEW && self.cells.is_none() {
            Partition::None
        } else {
            Partition::Pivots
        };
        let partition = self.partition.unwrap_or(usual);
        let cells = match (partition, self.cells) {
            (_, Some(0)) => {
                return Err(Error::new("cells is 0, but must be at least 1").about("cells"));
            }
            (Partition::None, _) => 1,
            (_, Some(cells)) => (cells as usize).min(count.max(1)),
            (_, None) => usual_cells(count),
        };
        Ok(Recipe {
            space: D::SPACE,
            partition,
            cells,
            bits,
            seed,
        })
    }

    /// With everything settled.
    fn settled(recipe: Recipe, effort: Effort) -> Self {
        Self {
            partition: Some(recipe.partition),
            cells: Some(recipe.cells as u32),
            bits: Some(recipe.bits.into()),
            scanned: (!effort.is_proved).then_some(effort.scanned as u32),
            deviations: Some(effort.deviations),
            distance: PhantomData,
        }
    }

    /// How far queries go, if that is settled.
    fn effort(&self, recipe: Recipe, codes: usize) -> Option<Effort> {
        let is_proved = recipe.partition == Partition::None;
        let scanned = match is_proved {
            true => codes,
            false => self.scanned? as usize,
        };
        Some(Effort {
            scanned,
            deviations: self.deviations?,
            is_proved,
        })
    }

    fn check(&self) -> Result<(), Error> {
        match self.deviations {
            Some(deviations) if !(deviations.is_finite() && deviations > 0.0) => {
                let message = format!("deviations is {deviations}, but must be above 0");
                Err(Error::new(message).about("deviations"))
            }
            _ => Ok(()),
        }
    }
}

/// The power of two at or below 2·√n.
fn usual_cells(count: usize) -> usize {
    let wanted = 2.0 * (count as f64).sqrt();
    (wanted.log2().floor().exp2() as usize).clamp(1, count.max(1))
}

impl<D: InSpace> Method for SketchesBy<D> {
    const NAME: &'static str = "sketches";
    const SUMMARY: &'static str = "the nearest by codes of a few bits per coordinate, in cells; exact distances for what remains";
    type Distance = D;
    type Built = BuiltSketches;

    fn propose(
        &self,
        _: &D,
        vectors: &Vectors,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        self.check()?;
        let recipe = self.recipe(vectors, task.seed)?;
        let is_other = task.is_exact() || task.symmetric || task.is_stored || task.scheme.is_some();
        let is_for_queries = task.queries.is_some() || task.is_named;
        // Few vectors are compared by brute force, unless somebody says more.
        let is_free = !task.is_named && self.partition.is_none() && self.cells.is_none();
        let is_small = is_free && vectors.len() < FEW;
        if is_other || !is_for_queries || is_small || vectors.is_empty() {
            return Ok(None);
        }
        let (count, queries) = (
            vectors.len() as f64,
            task.comparisons(vectors.len()) / vectors.len() as f64,
        );
        let dimensions = vectors.dimensions().max(crate::families::SHORTEST);
        let cost = Cost {
            dimensions: dimensions as f64,
            nibbles: dimensions as f64 * f64::from(u8::from(recipe.bits)) / 4.0,
            cells: recipe.cells as f64,
        };
        if recipe.partition == Partition::None {
            let deviations = self.deviations.unwrap_or_else(|| {
                let reach = nearest::reach(dimensions, 1.0 - task.recall);
                (reach / nearest::reach_of(dimensions, 1.0) * 1e4).ceil() / 1e4
            });
            let effort = Effort {
                scanned: vectors.len(),
                deviations,
                is_proved: true,
            };
            let loss = nearest::tail(dimensions, nearest::reach_of(dimensions, deviations));
            // A few in a hundred are compared.
            let one = cost.query(count, 0.02 * count);
            return Ok(Some(Proposal {
                parameters: Self::settled(recipe, effort),
                scheme: Scheme::default(),
                recall: Recall::Proved(1.0 - loss),
                seconds: cost.build(count) + queries * one,
            }));
        }
        let sampling = SAMPLE.min(count) * cost.query(count, 0.001 * count);
        let guessed = cost.build(count) + sampling + queries * cost.query(SCANNED * count, 100.0);
        let brute_force = 1e-9 * D::cost(vectors.dimensions()) * task.comparisons(vectors.len());
        if !task.is_named && guessed >= brute_force {
            return Ok(None);
        }
        let index = vectors.index(recipe);
        let wanted = Wanted {
            k: task.k.unwrap_or(usize::MAX),
            limit: task.limit,
        };
        let sample = Sample::new(&index, vectors, wanted);
        let measured = match self.effort(recipe, index.codes()) {
            Some(effort) => Some(sample.measured(effort)),
            None => sample.choose(task.recall, |scanned, compared| {
                cost.query(scanned, compared)
            }),
        };
        let Some(Measured {
            effort,
            found,
            compared,
        }) = measured
        else {
            return Ok(None);
        };
        Ok(Some(Proposal {
            parameters: Self::settled(recipe, effort),
            scheme: Scheme::default(),
            recall: Recall::Calibrated {
                recall: found.share,
                standard_error: found.standard_error,
            },
            seconds: cost.build(count)
                + sampling
                + queries * cost.query(effort.scanned as f64, compared),
        }))
    }

    fn build(&self, _: &D, vectors: &Vectors, seed: u64) -> Result<BuiltSketches, Error> {
        self.check()?;
        let recipe = self.recipe(vectors, seed)?;
        let index = vectors.index(recipe);
        let effort = self.effort(recipe, index.codes()).ok_or_else(|| {
            let message = format!(
                "{} needs the number of codes to scan, and deviations",
                Self::NAME
            );
            Error::new(message).about("scanned")
        })?;
        Ok(BuiltSketches { index, effort })
    }

    fn query(
        built: &BuiltSketches,
        vectors: &Vectors,
        vector: &[f32],
        k: usize,
        limit: f64,
    ) -> Vec<Near> {
        thread_local! {
            static SCRATCH: std::cell::RefCell<Scratch> = std::cell::RefCell::default();
        }
        SCRATCH.with_borrow_mut(|scratch| {
            let wanted = Wanted { k, limit };
            built
                .index
                .near(vectors, vector, wanted, built.effort, scratch)
        })
    }

    fn query_all(
        built: &BuiltSketches,
        vectors: &Vectors,
        queries: &dyn Items<[f32]>,
        k: usize,
        limit: f64,
    ) -> Vec<Vec<Near>> {
        let wanted = Wanted { k, limit };
        let places = (0..queries.count()).into_par_iter();
        let near = places.map_init(Scratch::default, |scratch, place| {
            let query = queries.item(place);
            built
                .index
                .near(vectors, query, wanted, built.effort, scratch)
        });
        near.collect()
    }
}
