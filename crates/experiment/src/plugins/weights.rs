use lookalike_minhash::{ConsistentWeighted, WeightedJaccard, Weights as Weighted};
use serde::{Deserialize, Serialize};

use super::texts::MINHASH;
use crate::{Error, FamilySearch, Measure, Plugin, data::Weights};

pub(super) const WEIGHTED: Measure = Measure::Similarity("weighted Jaccard similarity");

/// [`ConsistentWeighted`].
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ConsistentWeights {}

impl Plugin for ConsistentWeights {
    const NAME: &'static str = "consistent-weighted";
    const MEASURE: Measure = WEIGHTED;
    const SUMMARY: &'static str = "minhash of weighted sets (Ioffe 2010)";
    const SENSITIVITY: &'static str = MINHASH;
    type Data = Weights;
    type Search = FamilySearch<ConsistentWeighted, WeightedJaccard>;

    fn search(&self, _: &Vec<Weighted>) -> Result<Self::Search, Error> {
        Ok(FamilySearch::new(ConsistentWeighted, WeightedJaccard))
    }
}
