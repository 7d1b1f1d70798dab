//! Texts, sets and weighted sets for experiments.

mod sets;
mod texts;
mod weights;

pub use sets::SetPairs;
pub use texts::{CorpusTexts, NewsTexts};
pub use weights::WeightedSetPairs;

use lookalike_core::plugin::Error;

/// Refuses parameters of a `pairs` generator that would plant no pairs.
fn some_pairs(similarities: &[f64], each: u32) -> Result<(), Error> {
    let parameter = match (similarities, each) {
        ([], _) => "similarities",
        (_, 0) => "each",
        _ => return Ok(()),
    };
    let message = "there would be no pairs: give similarities = [0.5, 0.8] and each = 20";
    Err(Error::new(message).about(parameter))
}
