use lookalike_core::{
    Scheme, Step,
    plugin::{Error, Family, Proposal, Recall, Task, tuned},
};
use serde::{Deserialize, Serialize};

use super::{HammingDistance, cheapest, refuse_wide};
use crate::{CodeMethod, Codes};

/// Bits drawn at random, under any cascade.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BitSampling {}

impl Family for BitSampling {
    const NAME: &'static str = "bit-sampling";
    const SUMMARY: &'static str = "bits drawn at random; those of a band are distinct";
    type Distance = HammingDistance;
    type Keys = crate::BitSampling;

    fn keys(&self, _: &HammingDistance, bits: usize) -> Result<crate::BitSampling, Error> {
        Ok(crate::BitSampling::new(bits)?)
    }

    /// The bits of a code: those of a band are distinct.
    fn distinct_functions(bits: usize) -> Option<u32> {
        u32::try_from(bits).ok()
    }

    /// The cheapest number of bits per table, with the fewest tables that reach the recall.
    fn propose(
        &self,
        distance: &HammingDistance,
        codes: &Codes,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        if let Some(scheme) = &task.scheme {
            refuse_wide(scheme, codes)?;
            return tuned(self, distance, codes, task);
        }
        let plan = cheapest(codes, task, |task| task.sampling(0..=0));
        Ok(plan.and_then(|plan| match plan.method {
            CodeMethod::BitSampling { rows, tables, .. } => Some(Proposal {
                parameters: self.clone(),
                scheme: Scheme::new([Step::And(rows), Step::Or(tables)]).ok()?,
                recall: Recall::Proved(plan.recall),
                seconds: plan.seconds,
            }),
            _ => None,
        }))
    }
}
