//! Texts, sets, weighted sets and hashed elements as kinds, their Jaccard distances, and minhash, for the registry.
//!
//! A family over sets is written once, as a [`SetFamily`], for everything that becomes a set: [`Over`] binds it to a
//! [`SetDistance`].

mod generate;
mod hashed;
mod over;
mod set;
mod simhash;
mod specimens;
mod teaching;
mod text;
mod weighted;

pub use generate::{CorpusTexts, NewsTexts, SetPairs, WeightedSetPairs};
pub use hashed::{Hashed, HashedJaccard};
pub use over::{FastSimilarity, Over, SetDistance, SetFamily, Universal};
pub use set::{Set, SetJaccard, Sets};
pub use simhash::{SimHash, WeightedSimHash};
pub use teaching::{OnePass, Permutation, Rows};
pub use text::{Text, TextJaccard, Texts};
pub use weighted::{ConsistentWeighted, WeightedSet, WeightedSetJaccard};

use lookalike_core::plugin::{Error, Measure};

/// How users state a Jaccard distance.
const JACCARD: &[Measure] =
    &[Measure::similarity("jaccard", "Jaccard similarity").usually(USUAL_SIMILARITY)];

/// The similarity at or above which two items are alike in an experiment that states none.
const USUAL_SIMILARITY: f64 = 0.8;

impl From<crate::Error> for Error {
    fn from(error: crate::Error) -> Self {
        let refused = Self::new(error.to_string());
        match error {
            crate::Error::Parameter { name, .. } => refused.about(name),
            _ => refused,
        }
    }
}
