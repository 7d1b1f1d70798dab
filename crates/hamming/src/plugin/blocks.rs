use lookalike_core::{
    Scheme, Step,
    plugin::{Error, Family, Proposal, Recall, Task, tuned},
};
use serde::{Deserialize, Serialize};

use super::{HammingDistance, Probes, cheapest};
use crate::{CodeMethod, Codes};

/// All bits cut into blocks: certain up to a distance.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Blocks {
    /// How many blocks; `None`: the fewest that are certain to find everything within the limit.
    pub blocks: Option<u32>,
    /// How many bits of a block are looked at, at most; `None`: up to 64.
    pub block_bits: Option<u32>,
    /// How many bits of a block a query flips at most; `None`: what is cheapest.
    pub flips: Option<u32>,
}

impl Family for Blocks {
    const NAME: &'static str = "blocks";
    const SUMMARY: &'static str = "all bits cut into blocks: certain up to a distance";
    type Distance = HammingDistance;
    type Keys = Probes<crate::Blocks>;

    fn keys(&self, _: &HammingDistance, bits: usize) -> Result<Self::Keys, Error> {
        let family = crate::Blocks::new(bits, self.blocks.unwrap_or(1))?;
        let family = match self.block_bits {
            Some(bits) => family.at_most(bits)?,
            None => family,
        };
        Ok(Probes {
            family,
            flips: self.flips.unwrap_or(0),
            tables: |family, scheme| match *scheme.steps() {
                [] => Ok((*family, 1)),
                [Step::Or(tables)] => Ok((*family, tables)),
                _ => Err(Error::new(format!(
                    "blocks are combined by an OR alone, not by {scheme}"
                ))),
            },
        })
    }

    fn scheme(&self) -> Option<Scheme> {
        Scheme::new([Step::Or(self.blocks?)]).ok()
    }

    fn propose(
        &self,
        distance: &HammingDistance,
        codes: &Codes,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        if task.symmetric && self.flips.is_some_and(|flips| flips > 0) {
            return Ok(None);
        }
        // A given OR says how many blocks there are, unless the parameters do.
        let given = match task.scheme.as_ref().map(Scheme::steps) {
            Some([Step::Or(blocks)]) => Some(*blocks),
            _ => None,
        };
        if let Some(blocks) = self.blocks.or(given) {
            let settled = Self {
                blocks: Some(blocks),
                flips: Some(self.flips.unwrap_or(0)),
                ..self.clone()
            };
            let mut task = task.clone();
            task.scheme = task.scheme.or(settled.scheme());
            return tuned(&settled, distance, codes, &task);
        }
        if let Some(scheme) = &task.scheme {
            // Another family may take it.
            if !task.is_named {
                return Ok(None);
            }
            let message = format!("blocks are combined by an OR alone, not by {scheme}");
            return Err(Error::new(message));
        }
        let plan = cheapest(codes, task, |code_task| {
            let mut plans = code_task.blocks(self.block_bits);
            plans.retain(|plan| match plan.method {
                CodeMethod::Blocks { flips, .. } => {
                    self.flips.is_none_or(|wanted| wanted == flips)
                        && (flips == 0 || !task.symmetric)
                }
                _ => false,
            });
            plans
        });
        Ok(plan.and_then(|plan| match plan.method {
            CodeMethod::Blocks {
                blocks,
                at_most,
                flips,
            } => Some(Proposal {
                parameters: Self {
                    blocks: Some(blocks),
                    block_bits: Some(at_most),
                    flips: Some(flips),
                },
                scheme: Scheme::new([Step::Or(blocks)]).ok()?,
                recall: Recall::Proved(plan.recall),
                seconds: plan.seconds,
            }),
            _ => None,
        }))
    }
}
