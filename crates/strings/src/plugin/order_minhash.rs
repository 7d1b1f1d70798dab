use lookalike_core::{
    Scheme,
    plugin::{Error, Family, KeyFamily, Proposal, Task},
};
use serde::{Deserialize, Serialize};

use super::{
    EditDistance, banding,
    calibrate::{Costs, calibrated},
};
use crate::{Strings, Units};

/// q-grams with the smallest hashes, in the order in which they stand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OrderMinhash {
    /// Letters of a q-gram.
    pub gram: u32,
}

impl Default for OrderMinhash {
    fn default() -> Self {
        Self { gram: 3 }
    }
}

impl Family for OrderMinhash {
    const NAME: &'static str = "order-minhash";
    const SUMMARY: &'static str =
        "q-grams with the smallest hashes, in their order; its recall is measured on a sample";
    const CAVEAT: &'static str = "The bounds that are proved for this family are far from what it does: its recall is measured on a sample of the strings.";
    type Distance = EditDistance;
    type Keys = OrderMinhashKeys;

    fn keys(&self, distance: &EditDistance, _: usize) -> Result<OrderMinhashKeys, Error> {
        let keys = OrderMinhashKeys {
            units: distance.units,
            gram: self.gram,
        };
        // Refuses a wrong length.
        keys.source(&Scheme::default(), 0)?;
        Ok(keys)
    }

    fn propose(
        &self,
        distance: &EditDistance,
        items: &Strings,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        // It needs more bands and more candidates than the walks of `cgk` wherever it was measured.
        if !task.is_named {
            return Ok(None);
        }
        let costs = Costs {
            rows: &[2, 3, 4, 5, 6],
            key: 200.0,
            letter: 6.0,
        };
        let proposal = calibrated(&self.keys(distance, 0)?, &costs, distance, items, task)?;
        Ok(proposal.map(|found| found.of(self.clone())))
    }
}

/// The keys of [`OrderMinhash`].
#[derive(Clone, Copy, Debug)]
pub struct OrderMinhashKeys {
    units: Units,
    gram: u32,
}

impl KeyFamily for OrderMinhashKeys {
    type Item = str;
    type Source = crate::OrderMinhash;

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<crate::OrderMinhash, Error> {
        let banding = banding(OrderMinhash::NAME, scheme)?;
        Ok(crate::OrderMinhash::new(
            self.units, self.gram, banding, seed,
        )?)
    }
}
