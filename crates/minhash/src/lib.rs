//! MinHash on shingles and integer sets.

mod canonical;
mod chars;
mod elements;
mod error;
mod fast_similarity;
mod hash;
mod normalize;
mod scan;
mod shingle;
mod shingler;
mod stop_words;
mod tokens;
mod unicode;
mod value;

pub use elements::{Elements, Integers};
pub use error::Error;
pub use fast_similarity::{FastSimilarity, FastSimilarityFunctions, FastSimilarityScratch};
pub use normalize::Normalize;
pub use shingle::{Length, Shingle};
pub use shingler::{Shingler, ShinglerScratch, Width};
pub use stop_words::STOP_WORDS;
pub use tokens::Tokens;
pub use value::{Value, minimum_of, value_of};
