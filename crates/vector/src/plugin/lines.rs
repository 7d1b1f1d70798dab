use std::marker::PhantomData;

use lookalike_core::plugin::{Distance, Error, Family, Proposal, Task};
use serde::{Deserialize, Serialize};

use super::{
    EuclideanDistance, ManhattanDistance, Probes, Vector,
    plan::{Planned, Planner},
    projection_cost,
};
use crate::Vectors;
use crate::families::{Cauchy, Gaussian, Law, Lines};

/// Buckets of random lines whose coordinates follow a law.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields, bound = "L: Default")]
pub struct LinesBy<L> {
    /// The width of a bucket, in the unit of the distance; `None`: what is cheapest, or 1 if there are no vectors yet.
    pub width: Option<f64>,
    /// Keys that a query asks of a table, the likeliest first; `None`: what is cheapest.
    pub probes: Option<u32>,
    #[serde(skip)]
    law: PhantomData<L>,
}

/// Buckets of random lines with normal coordinates, for Euclidean distance.
pub type RandomLines = LinesBy<Gaussian>;

/// Buckets of random lines with Cauchy coordinates, for Manhattan distance.
pub type CauchyLines = LinesBy<Cauchy>;

/// A law whose lines keep a distance.
pub trait LawOf: Law + PartialEq {
    /// The name of the family.
    const NAME: &'static str;
    /// What it is, in one line.
    const SUMMARY: &'static str;
    /// The distance for which the law is stable.
    type Distance: Distance<Kind = Vector>;
}

impl LawOf for Gaussian {
    const NAME: &'static str = "random-lines";
    const SUMMARY: &'static str = "buckets of random lines on which vectors are projected";
    type Distance = EuclideanDistance;
}

impl LawOf for Cauchy {
    const NAME: &'static str = "cauchy-lines";
    const SUMMARY: &'static str = "buckets of lines whose coordinates have the Cauchy law";
    type Distance = ManhattanDistance;
}

/// Widths that are worth a try, in limits.
const WIDTHS: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// The given width, or some multiples of the limit; of copies, parts of what separates other vectors.
fn widths(given: Option<f64>, limit: f64, sample: &[f64]) -> Vec<f64> {
    if let Some(width) = given {
        return vec![width];
    }
    if limit > 0.0 {
        return WIDTHS.map(|times| times * limit).to_vec();
    }
    let usual = sample.get(sample.len() / 2).copied().filter(|&it| it > 0.0);
    vec![usual.unwrap_or(1.0) / 8.0]
}

impl<L: LawOf> LinesBy<L> {
    fn new(width: Option<f64>, probes: Option<u32>) -> Self {
        Self {
            width,
            probes,
            law: PhantomData,
        }
    }
}

impl<L: LawOf> Family for LinesBy<L>
where
    Probes<Lines<f32, L>>: Planned<Item = [f32]>,
{
    const NAME: &'static str = L::NAME;
    const SUMMARY: &'static str = L::SUMMARY;
    const KEY_COST: f64 = 10.0;
    type Distance = L::Distance;
    type Keys = Probes<Lines<f32, L>>;

    fn keys(&self, _: &L::Distance, dimensions: usize) -> Result<Self::Keys, Error> {
        let lines = Lines::new(dimensions, self.width.unwrap_or(1.0))?;
        Probes::new(lines, self.probes)
    }

    fn propose(
        &self,
        distance: &L::Distance,
        vectors: &Vectors,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        // What is wrong with a parameter is an error in any case.
        self.keys(distance, vectors.dimensions())?;
        if task.is_exact() {
            return Ok(None);
        }
        let planner = Planner::new(distance, vectors, task)?;
        let probes = planner.probes(self.probes);
        let widths = widths(self.width, task.limit, &planner.sample);
        let variants = widths.into_iter().flat_map(|width| {
            let of_probes = probes.iter();
            of_probes.map(move |&probes| Self::new(Some(width), probes))
        });
        // Products are taken in f64.
        planner.cheapest(variants, |_| 2.0 * projection_cost(vectors.dimensions()))
    }
}
