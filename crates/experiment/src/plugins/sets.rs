use lookalike_minhash::{FastSimilarity, Integers, Jaccard, Universal};
use serde::{Deserialize, Serialize};

use super::texts::{JACCARD, MINHASH, TOGETHER};
use crate::{Error, FamilySearch, Measure, Plugin, data::Sets};

/// [`FastSimilarity`] over integers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FastSimilaritySets {}

impl Plugin for FastSimilaritySets {
    const NAME: &'static str = "fast-similarity";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str =
        "minhash, all functions in one pass (Dahlgaard, Knudsen, Thorup 2017)";
    const SENSITIVITY: &'static str = MINHASH;
    const CAVEAT: &'static str = TOGETHER;
    type Data = Sets;
    type Search = FamilySearch<FastSimilarity<Integers>, Jaccard<Integers>>;

    fn search(&self, _: &Vec<Vec<u64>>) -> Result<Self::Search, Error> {
        let family = FastSimilarity::new(Integers);
        Ok(FamilySearch::new(family, Jaccard::new(Integers)))
    }
}

/// [`Universal`] over integers.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct UniversalSets {}

impl Plugin for UniversalSets {
    const NAME: &'static str = "universal";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str = "minhash, a hash function for each value";
    const SENSITIVITY: &'static str = MINHASH;
    type Data = Sets;
    type Search = FamilySearch<Universal<Integers>, Jaccard<Integers>>;

    fn search(&self, _: &Vec<Vec<u64>>) -> Result<Self::Search, Error> {
        let family = Universal::new(Integers);
        Ok(FamilySearch::new(family, Jaccard::new(Integers)))
    }
}
