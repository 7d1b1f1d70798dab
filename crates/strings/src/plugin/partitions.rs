use lookalike_core::{
    Items,
    plugin::{Error, Family, Proposal, Task},
};
use serde::{Deserialize, Serialize};

use super::{
    EditDistance,
    certain::{CertainKeys, proposal},
    edits,
    meetings::meetings,
};
use crate::Strings;

/// Strings cut into parts, one of which is left as it is: certain up to a number of edits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Partitions {
    /// Edits up to which everything is found; `None`: the limit.
    pub reach: Option<u32>,
}

/// Nanoseconds to store the parts of a string.
const STORE_COST: f64 = 700.0;
/// Nanoseconds to ask for a piece.
const PROBE_COST: f64 = 12.0;
/// Nanoseconds to compare a candidate.
const CANDIDATE_COST: f64 = 130.0;

impl Family for Partitions {
    const NAME: &'static str = "partitions";
    const SUMMARY: &'static str =
        "strings cut into parts, one of which is left as it is: certain up to a number of edits";
    const CAVEAT: &'static str =
        "Strings within `reach` edits meet for certain. A plan sets `reach` to the limit.";
    type Distance = EditDistance;
    type Keys = CertainKeys<crate::Partitions>;

    fn keys(&self, distance: &EditDistance, _: usize) -> Result<Self::Keys, Error> {
        let reach = self.reach.unwrap_or(1);
        let source = crate::Partitions::new(distance.variant, distance.units, reach)?;
        Ok(CertainKeys {
            family: Self::NAME,
            reach: source.reach(),
            source,
        })
    }

    fn propose(
        &self,
        distance: &EditDistance,
        items: &Strings,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        let reach = self.reach.or(edits(task.limit));
        let (Some(reach), None, false) = (reach, &task.scheme, task.symmetric) else {
            return Ok(None);
        };
        let source = match crate::Partitions::new(distance.variant, distance.units, reach) {
            Ok(source) => source,
            Err(error) if self.reach.is_some() || task.is_named => return Err(error.into()),
            Err(_) => return Ok(None),
        };
        let queries = task.queries.unwrap_or(items.count()) as f64;
        let storing = STORE_COST * items.count() as f64;
        let asking = PROBE_COST * queries * source.most_probes() as f64;
        let comparing = CANDIDATE_COST * meetings(&source, f64::from(reach) + 1.0, items, task);
        let settled = Self { reach: Some(reach) };
        let cost = storing + asking + comparing;
        Ok(Some(proposal(settled, reach, cost, task)))
    }
}
