use lookalike_core::{
    Scheme,
    plugin::{Error, Family, KeyFamily, Proposal, Task},
};
use serde::{Deserialize, Serialize};

use super::{
    EditDistance, banding,
    calibrate::{Costs, calibrated},
    edits,
};
use crate::{Strings, Units};

/// Steps of random walks through strings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cgk {
    /// How far the lengths of strings that may meet differ; `None`: the limit.
    pub reach: Option<u32>,
}

impl Family for Cgk {
    const NAME: &'static str = "cgk";
    const SUMMARY: &'static str =
        "CGK embedding: steps of random walks through strings; its recall is measured on a sample";
    const CAVEAT: &'static str = "Nothing useful is proved about single keys of this family: its recall is measured on a sample of the strings.";
    type Distance = EditDistance;
    type Keys = CgkKeys;

    fn keys(&self, distance: &EditDistance, _: usize) -> Result<CgkKeys, Error> {
        Ok(CgkKeys {
            units: distance.units,
            reach: self.reach.unwrap_or(1),
        })
    }

    fn propose(
        &self,
        distance: &EditDistance,
        items: &Strings,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        let Some(reach) = self.reach.or(edits(task.limit)) else {
            return Ok(None);
        };
        let settled = Self { reach: Some(reach) };
        let costs = Costs {
            rows: &[3, 5, 8, 12],
            key: 60.0,
            letter: 2.0,
        };
        let proposal = calibrated(&settled.keys(distance, 0)?, &costs, distance, items, task)?;
        Ok(proposal.map(|found| found.of(settled)))
    }
}

/// The keys of [`Cgk`].
#[derive(Clone, Copy, Debug)]
pub struct CgkKeys {
    units: Units,
    reach: u32,
}

impl KeyFamily for CgkKeys {
    type Item = str;
    type Source = crate::Cgk;

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<crate::Cgk, Error> {
        let banding = banding(Cgk::NAME, scheme)?;
        Ok(crate::Cgk::new(self.units, self.reach, banding, seed))
    }
}
