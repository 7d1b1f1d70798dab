use lookalike_core::plugin::{Error, Family, Proposal, Task};
use serde::{Deserialize, Serialize};

use super::{AngleDistance, Probes, plan::Planner, projection_cost};
use crate::{Vectors, families};

/// Sides of random hyperplanes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hyperplanes {
    /// Keys that a query asks of a table, the likeliest first; `None`: what is cheapest.
    pub probes: Option<u32>,
}

impl Family for Hyperplanes {
    const NAME: &'static str = "hyperplanes";
    const SUMMARY: &'static str = "the sides of random hyperplanes on which a vector lies";
    const KEY_COST: f64 = 5.0;
    type Distance = AngleDistance;
    type Keys = Probes<families::Hyperplanes<f32>>;

    fn keys(&self, _: &AngleDistance, dimensions: usize) -> Result<Self::Keys, Error> {
        Probes::new(families::Hyperplanes::new(dimensions), self.probes)
    }

    fn propose(
        &self,
        distance: &AngleDistance,
        vectors: &Vectors,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        self.keys(distance, vectors.dimensions())?;
        if task.is_exact() {
            return Ok(None);
        }
        let planner = Planner::new(distance, vectors, task)?;
        let variants = planner.probes(self.probes);
        let variants = variants.into_iter().map(|probes| Self { probes });
        planner.cheapest(variants, |_| projection_cost(vectors.dimensions()))
    }
}
