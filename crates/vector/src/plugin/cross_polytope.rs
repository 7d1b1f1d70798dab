use lookalike_core::plugin::{Error, Family, Proposal, Task};
use serde::{Deserialize, Serialize};

use super::{AngleDistance, Probes, plan::Planner};
use crate::{Vectors, families};

/// Nearest vertices of rotated cross-polytopes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CrossPolytope {
    /// Directions of a function, a power of two; `None`: what is cheapest.
    pub directions: Option<u32>,
    /// Keys that a query asks of a table, the likeliest first; `None`: what is cheapest.
    pub probes: Option<u32>,
}

/// Directions that are worth a try.
const DIRECTIONS: [u32; 4] = [16, 64, 128, 256];

impl Family for CrossPolytope {
    const NAME: &'static str = "cross-polytope";
    const SUMMARY: &'static str = "the nearest of many random directions and their opposites";
    const CAVEAT: &'static str = "beyond 32 dimensions, directions come from a fast rotation that is close to a random one; the promise is a range that covers the difference";
    const KEY_COST: f64 = 150.0;
    type Distance = AngleDistance;
    type Keys = Probes<families::CrossPolytope<f32>>;

    fn keys(&self, _: &AngleDistance, dimensions: usize) -> Result<Self::Keys, Error> {
        let directions = self.directions;
        let directions = directions.unwrap_or(families::CrossPolytope::<f32>::DIRECTIONS);
        let family = families::CrossPolytope::new(dimensions, directions)?;
        Probes::new(family, self.probes)
    }

    fn propose(
        &self,
        distance: &AngleDistance,
        vectors: &Vectors,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        self.keys(distance, vectors.dimensions())?;
        if task.is_exact() || super::is_small(vectors, task) {
            return Ok(None);
        }
        let planner = Planner::new(distance, vectors, task)?;
        let directions = match (self.directions, &task.scheme) {
            (None, None) => DIRECTIONS.to_vec(),
            (given, _) => vec![given.unwrap_or(families::CrossPolytope::<f32>::DIRECTIONS)],
        };
        let probes = planner.probes(self.probes);
        let variants = directions.iter().flat_map(|&directions| {
            probes.iter().map(move |&probes| Self {
                directions: Some(directions),
                probes,
            })
        });
        planner.cheapest(variants, |family| {
            cost(vectors.dimensions(), family.directions.unwrap_or(1))
        })
    }
}

/// Nanoseconds of a function: its share of a rotation, and the search for the largest.
pub(super) fn cost(dimensions: usize, directions: u32) -> f64 {
    let directions = f64::from(directions);
    let length = dimensions.next_power_of_two().max(128) as f64;
    let turning = match dimensions {
        0..=32 => 0.05 * dimensions as f64,
        _ => 0.12 * length.max(directions).log2(),
    };
    10.0 + directions * (0.3 + turning)
}
