use lookalike_core::plugin::{Distance, Error, Family, Proposal, Task};
use serde::{Deserialize, Serialize};

use super::{
    EuclideanDistance, ManhattanDistance, Probes, Vector,
    plan::{Planned, Planner},
    projection_cost,
};
use crate::{
    Vectors,
    families::{self, Law, Lines},
};

/// Buckets of random lines with normal coordinates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RandomLines {
    /// The width of a bucket, in the unit of the distance; `None`: what is cheapest, or 1 if there are no vectors yet.
    pub width: Option<f64>,
    /// Keys that a query asks of a table, the likeliest first; `None`: what is cheapest.
    pub probes: Option<u32>,
}

/// Buckets of random lines with Cauchy coordinates.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CauchyLines {
    /// The width of a bucket, in the unit of the distance; `None`: what is cheapest, or 1 if there are no vectors yet.
    pub width: Option<f64>,
    /// Keys that a query asks of a table, the likeliest first; `None`: what is cheapest.
    pub probes: Option<u32>,
}

/// Widths that are worth a try, in limits.
const WIDTHS: [f64; 6] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

fn keys<L: Law>(
    dimensions: usize,
    width: Option<f64>,
    probes: Option<u32>,
) -> Result<Probes<Lines<f32, L>>, Error> {
    Probes::new(Lines::new(dimensions, width.unwrap_or(1.0))?, probes)
}

fn propose<F: Family<Distance: Distance<Kind = Vector>, Keys: Planned>>(
    distance: &F::Distance,
    vectors: &Vectors,
    task: &Task,
    (width, probes): (Option<f64>, Option<u32>),
    make: impl Fn(f64, Option<u32>) -> F,
) -> Result<Option<Proposal<F>>, Error> {
    // What is wrong with a parameter is an error in any case.
    make(width.unwrap_or(1.0), probes).keys(distance, vectors.dimensions())?;
    if task.is_exact() {
        return Ok(None);
    }
    let planner = Planner::new(distance, vectors, task)?;
    let probes = planner.probes(probes);
    let variants: Vec<F> = widths(width, task.limit, &planner.sample)
        .into_iter()
        .flat_map(|width| probes.iter().map(move |&probes| (width, probes)))
        .map(|(width, probes)| make(width, probes))
        .collect();
    // Products are taken in f64.
    planner.cheapest(variants, |_| 2.0 * projection_cost(vectors.dimensions()))
}

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

impl Family for RandomLines {
    const NAME: &'static str = "random-lines";
    const SUMMARY: &'static str = "buckets of random lines on which vectors are projected";
    const KEY_COST: f64 = 10.0;
    type Distance = EuclideanDistance;
    type Keys = Probes<families::RandomLines<f32>>;

    fn keys(&self, _: &EuclideanDistance, dimensions: usize) -> Result<Self::Keys, Error> {
        keys(dimensions, self.width, self.probes)
    }

    fn propose(
        &self,
        distance: &EuclideanDistance,
        vectors: &Vectors,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        let make = |width, probes| Self {
            width: Some(width),
            probes,
        };
        propose(distance, vectors, task, (self.width, self.probes), make)
    }
}

impl Family for CauchyLines {
    const NAME: &'static str = "cauchy-lines";
    const SUMMARY: &'static str = "buckets of lines whose coordinates have the Cauchy law";
    const KEY_COST: f64 = 10.0;
    type Distance = ManhattanDistance;
    type Keys = Probes<families::CauchyLines<f32>>;

    fn keys(&self, _: &ManhattanDistance, dimensions: usize) -> Result<Self::Keys, Error> {
        keys(dimensions, self.width, self.probes)
    }

    fn propose(
        &self,
        distance: &ManhattanDistance,
        vectors: &Vectors,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        let make = |width, probes| Self {
            width: Some(width),
            probes,
        };
        propose(distance, vectors, task, (self.width, self.probes), make)
    }
}
