use lookalike_minhash::{FastSimilarity, Integers, Jaccard, Permutation, Universal};
use serde::{Deserialize, Serialize};

use super::texts::{JACCARD, MINHASH};
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

/// [`Permutation`] of the rows of a matrix whose columns are the items.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PermutationSets {
    /// Rows of the matrix; without it, as many as the largest element needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    universe: Option<u32>,
}

impl Plugin for PermutationSets {
    const NAME: &'static str = "permutation";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str = "minhash by explicit permutations of the rows, for teaching";
    const SENSITIVITY: &'static str = MINHASH;
    type Data = Sets;
    type Search = FamilySearch<Permutation, Jaccard<Integers>>;

    fn search(&self, items: &Vec<Vec<u64>>) -> Result<Self::Search, Error> {
        /// A table of all places for each function is held in memory.
        const MOST: u64 = 1 << 20;
        let needed = items
            .iter()
            .flatten()
            .max()
            .map_or(1, |last| last.saturating_add(1));
        let universe = self.universe.map_or(needed, u64::from);
        if needed > universe || universe > MOST {
            let message = format!(
                "elements go up to {}, so universe must be from {needed} to {MOST}, not {universe}",
                needed - 1
            );
            return Err(Error::setting("family.universe", message));
        }
        let family = Permutation::new(universe as u32)?;
        Ok(FamilySearch::new(family, Jaccard::new(Integers)))
    }
}
