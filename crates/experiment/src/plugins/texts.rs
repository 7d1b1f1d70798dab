use lookalike_minhash::{FastSimilarity, Jaccard, Shingler, Universal};
use lookalike_search::TextFamily;
use serde::{Deserialize, Serialize};

use crate::{Error, FamilySearch, Measure, Plugin, data::Texts};

pub(super) const JACCARD: Measure = Measure::Similarity("Jaccard similarity");
pub(super) const MINHASH: &str = "(d1, d2, 1 − d1, 1 − d2)";

/// Of functions that are drawn together.
pub(super) const TOGETHER: &str = "What is predicted is for functions that are independent of each other. These are drawn together, and depend on each other for the better: on sets with few elements for the number of functions, what is measured is a little steeper.";

/// What turns texts into sets, or what is wrong about it.
pub(super) fn shingler(family: &TextFamily) -> Result<Shingler, Error> {
    family.check()?;
    Ok(family.shingler())
}

/// [`FastSimilarity`] over shingles.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct FastSimilarityTexts(TextFamily);

impl Plugin for FastSimilarityTexts {
    const NAME: &'static str = "fast-similarity";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str =
        "minhash, all functions in one pass (Dahlgaard, Knudsen, Thorup 2017)";
    const SENSITIVITY: &'static str = MINHASH;
    const CAVEAT: &'static str = TOGETHER;
    type Data = Texts;
    type Search = FamilySearch<FastSimilarity<Shingler>, Jaccard<Shingler>>;

    fn search(&self, _: &Vec<String>) -> Result<Self::Search, Error> {
        let shingler = shingler(&self.0)?;
        let family = FastSimilarity::new(shingler.clone());
        Ok(FamilySearch::new(family, Jaccard::new(shingler)))
    }
}

/// [`Universal`] over shingles.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct UniversalTexts(TextFamily);

impl Plugin for UniversalTexts {
    const NAME: &'static str = "universal";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str = "minhash, a hash function for each value";
    const SENSITIVITY: &'static str = MINHASH;
    type Data = Texts;
    type Search = FamilySearch<Universal<Shingler>, Jaccard<Shingler>>;

    fn search(&self, _: &Vec<String>) -> Result<Self::Search, Error> {
        let shingler = shingler(&self.0)?;
        let family = Universal::new(shingler.clone());
        Ok(FamilySearch::new(family, Jaccard::new(shingler)))
    }
}
