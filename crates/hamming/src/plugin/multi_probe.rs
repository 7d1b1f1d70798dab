use lookalike_core::{
    Scheme, Step,
    plugin::{Error, Family, Proposal, Recall, Task, tuned},
};
use serde::{Deserialize, Serialize};

use super::{HammingDistance, Probes, cheapest, refuse_wide};
use crate::{CodeMethod, Codes, plan::MOST_FLIPS};

/// Bit sampling whose queries also ask for keys with flipped bits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MultiProbe {
    /// How many bits of a key a query flips at most; `None`: what is cheapest.
    pub flips: Option<u32>,
}

/// Flips of a given scheme, unless the user says how many.
const DEFAULT_FLIPS: u32 = 1;

impl Family for MultiProbe {
    const NAME: &'static str = "multi-probe";
    const SUMMARY: &'static str = "bit sampling whose queries also ask for keys with flipped bits";
    type Distance = HammingDistance;
    type Keys = Probes<crate::BitSampling>;

    fn keys(&self, _: &HammingDistance, bits: usize) -> Result<Self::Keys, Error> {
        Ok(Probes {
            family: crate::BitSampling::new(bits)?,
            flips: self.flips.unwrap_or(DEFAULT_FLIPS),
            tables: |family, scheme| {
                let wrong =
                    || Error::new(format!("multi-probe takes bands and rows, not {scheme}"));
                let banding = scheme.banding().ok_or_else(wrong)?;
                Ok((family.rows(banding.rows())?, banding.bands()))
            },
        })
    }

    fn propose(
        &self,
        distance: &HammingDistance,
        codes: &Codes,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        if task.symmetric && self.flips != Some(0) {
            return Ok(None);
        }
        if let Some(scheme) = &task.scheme {
            refuse_wide(scheme, codes)?;
            let settled = Self {
                flips: Some(self.flips.unwrap_or(DEFAULT_FLIPS)),
            };
            return tuned(&settled, distance, codes, task);
        }
        let flips = self.flips.map_or(1..=MOST_FLIPS, |flips| flips..=flips);
        let plan = cheapest(codes, task, |task| task.sampling(flips.clone()));
        Ok(plan.and_then(|plan| match plan.method {
            CodeMethod::BitSampling {
                rows,
                tables,
                flips,
            } => Some(Proposal {
                parameters: Self { flips: Some(flips) },
                scheme: Scheme::new([Step::And(rows), Step::Or(tables)]).ok()?,
                recall: Recall::Proved(plan.recall),
                seconds: plan.seconds,
            }),
            _ => None,
        }))
    }
}
