use lookalike_core::{
    Bounds, LshFamily, Scheme,
    plugin::{Error, Family, KeyFamily, Proposal, Task},
};
use serde::{Deserialize, Serialize};

use super::{
    DotDistance,
    plan::{Planned, Planner},
    projection_cost,
};
use crate::{
    Vectors,
    families::{LiftedHyperplanes, LiftedSource},
    sums,
};

/// Sides of random hyperplanes, for inner products of queries with stored vectors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DotHyperplanes {
    /// The length of the longest stored vector; `None`: that of the vectors.
    pub longest: Option<f64>,
    /// The length of the longest query, up to which the promise holds; `None`: that of the queries, or that of the longest
    /// stored vector if the queries are not known yet.
    pub query_length: Option<f64>,
    /// Keys that a query asks of a table, the likeliest first; `None`: what is cheapest.
    pub probes: Option<u32>,
}

impl Family for DotHyperplanes {
    const NAME: &'static str = "hyperplanes";
    const SUMMARY: &'static str =
        "the sides of random hyperplanes, of vectors lifted so that angles follow inner products";
    const CAVEAT: &'static str = "At an inner product s, functions agree as those of hyperplanes for angles do at acos(s / (longest · query_length)). \
         Shorter queries find more and longer ones less, so that nothing is promised of vectors that are far apart.";
    const KEY_COST: f64 = 5.0;
    type Distance = DotDistance;
    type Keys = LiftedHyperplanes<f32>;

    fn keys(&self, _: &DotDistance, dimensions: usize) -> Result<Self::Keys, Error> {
        let longest = self.longest.unwrap_or(1.0);
        let query = self.query_length.unwrap_or(longest);
        let probes = self.probes.unwrap_or(1);
        Ok(LiftedHyperplanes::new(dimensions, longest, query, probes)?)
    }

    /// Settles the longest vector and the longest query.
    fn propose(
        &self,
        distance: &DotDistance,
        vectors: &Vectors,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        let lengths = vectors.rows().map(sums::length);
        let found = lengths.fold(0.0, f64::max);
        let longest = self
            .longest
            .unwrap_or(if found > 0.0 { found } else { 1.0 });
        if found > longest {
            let message = format!("longest is {longest}, but a vector has the length {found}");
            return Err(Error::new(message).about("longest"));
        }
        let asked = task.longest_query.filter(|&length| length > 0.0);
        let query_length = self.query_length.or(asked).unwrap_or(longest);
        if let Some(asked) = asked.filter(|&asked| asked > query_length) {
            let message =
                format!("query_length is {query_length}, but a query has the length {asked}");
            return Err(Error::new(message).about("query_length"));
        }
        let settled = Self {
            longest: Some(longest),
            query_length: Some(query_length),
            probes: self.probes,
        };
        settled.keys(distance, vectors.dimensions())?;
        if task.is_exact() {
            return Ok(None);
        }
        let planner = Planner::new(distance, vectors, task)?;
        let variants = planner.probes(self.probes).into_iter();
        let variants = variants.map(|probes| Self {
            probes,
            ..settled.clone()
        });
        planner.cheapest(variants, |_| projection_cost(vectors.dimensions()))
    }
}

impl KeyFamily for LiftedHyperplanes<f32> {
    type Item = [f32];
    type Source = LiftedSource<f32>;

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<LiftedSource<f32>, Error> {
        Ok(Self::source(self, scheme, seed)?)
    }

    /// The distance is the inner product with a minus sign.
    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        Some(Self::promise(self, scheme, -distance))
    }
}

impl Planned for LiftedHyperplanes<f32> {
    fn probes(&self) -> u32 {
        Self::probes(self)
    }

    /// Of the longest queries.
    fn met(&self, rows: u32, distance: f64) -> f64 {
        match distance < 0.0 {
            true => super::plan::met(
                self.hyperplanes(),
                rows,
                Self::probes(self),
                self.angle(-distance),
            ),
            false => 0.0,
        }
    }

    fn by_chance(&self, rows: u32, distance: f64) -> f64 {
        self.hyperplanes()
            .collision(self.angle(-distance))
            .upper()
            .all(rows)
            .value()
    }
}
