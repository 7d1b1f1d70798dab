//! MinHash on shingles and integer sets.
//!
//! ```text
//! text ──normalize──▶ text ──tokens──▶ token hashes ──shingle──▶ element hashes ──family──▶ signature
//! ```
//!
//! | to … | read |
//! |---|---|
//! | make sets of texts | [`Shingler`], [`Shingle`], [`Tokens`], [`Normalize`] |
//! | take sets as they are | [`Integers`], [`Hashes`], [`Bag`], [`SetOrBag`], [`Weights`] |
//! | sketch them | [`FastSimilarity`] (the one to use), [`Universal`], [`ConsistentWeighted`] |
//! | have a code of bits | [`SimHash`] |
//! | show how it works | [`Permutation`], [`Permutations`], [`Modular`], [`OnePass`]; all of it in [`trace`] |
//! | estimate a similarity | [`Estimate`], [`Compact`] |
//! | know it exactly | [`Jaccard`], [`similarity`], [`Overlap`], [`WeightedJaccard`] |
//! | have something to work on | [`generate`] |
//!
//! A set without elements has no minimum: it meets nobody, not even another empty set.

mod bag;
mod canonical;
mod chars;
mod elements;
mod error;
mod fast_similarity;
pub mod generate;
mod hash;
mod intersection;
mod jaccard;
mod lanes;
mod ln;
mod modular;
mod normalize;
mod one_pass;
mod overlap;
mod permutation;
pub mod plugin;
mod rolling;
mod scan;
mod scatter;
mod set_or_bag;
mod shingle;
mod shingler;
mod short;
mod signature;
mod simhash;
mod stop_words;
mod together;
mod tokens;
pub mod trace;
mod unicode;
mod universal;
mod value;
mod weighted;
mod weights;

pub use bag::{Bag, BagScratch};
pub use elements::{Elements, Hashes, Integers};
pub use error::Error;
pub use fast_similarity::{FastSimilarity, FastSimilarityFunctions, FastSimilarityScratch};
pub use jaccard::{Counts, Jaccard, similarity};
pub use modular::{Modular, ModularFunctions};
pub use normalize::Normalize;
pub use one_pass::OnePass;
pub use overlap::Overlap;
pub use permutation::{Keep, Permutation, Permutations};
pub use set_or_bag::SetOrBag;
pub use shingle::{Length, Shingle};
pub use shingler::{Shingler, ShinglerScratch, Width};
pub use short::Short;
pub use signature::{Compact, Estimate, compact_into, equal_bytes, estimate_from_bytes};
pub use simhash::{
    CodeBits, Coordinates, SetCoordinates, SimHash, SimHashCoder, SimHashFunctions,
    WeightCoordinates,
};
pub use stop_words::STOP_WORDS;
pub use tokens::Tokens;
pub use universal::{Universal, UniversalFunctions, UniversalScratch};
pub use value::{MinValue, minimum_of, value_of};
pub use weighted::{ConsistentSamples, ConsistentWeighted};
pub use weights::{WeightedJaccard, Weights};
