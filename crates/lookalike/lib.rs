#![doc = include_str!("../../README.md")]
//!
//! ---
//!
//! # The crates
//!
//! This crate is a facade: the theory of `lookalike-core` at its top level (families, schemes,
//! [`tune`], [`conformance`]), and beside it the [`engine`], the families ([`minhash`], [`hamming`], [`fingerprint`]), the
//! reading of documents ([`corpus`]), how results are written ([`output`]), what is built of them ([`dedup`], [`search`], [`prints`],
//! [`experiment`]), and pages to look at ([`report`]).

pub use lookalike_core::*;
pub use lookalike_corpus as corpus;
pub use lookalike_dedup as dedup;
pub use lookalike_engine as engine;
pub use lookalike_experiment as experiment;
pub use lookalike_fingerprint as fingerprint;
pub use lookalike_hamming as hamming;
pub use lookalike_minhash as minhash;
pub use lookalike_output as output;
pub use lookalike_prints as prints;
pub use lookalike_report as report;
pub use lookalike_search as search;

/// Every kind, distance, family and method of the project. Of equally cheap plans the first that joined wins.
#[must_use]
pub fn builtin() -> search::Registry {
    use fingerprint::plugin::{GridSquares, LocalTriples};
    use hamming::plugin::{BitSampling, Blocks, MultiProbe};
    use minhash::plugin::{
        ConsistentWeighted, FastSimilarity, HashedJaccard, OnePass, Over, Permutation, SetJaccard,
        TextJaccard, Universal,
    };
    search::Registry::default()
        .with::<Over<FastSimilarity, TextJaccard>>()
        .with::<Over<Universal, TextJaccard>>()
        .with::<Over<FastSimilarity, SetJaccard>>()
        .with::<Over<Universal, SetJaccard>>()
        .with::<Permutation>()
        .with::<OnePass>()
        .with::<ConsistentWeighted>()
        .with::<Over<FastSimilarity, HashedJaccard>>()
        .with::<Over<Universal, HashedJaccard>>()
        .with::<Blocks>()
        .with::<BitSampling>()
        .with::<MultiProbe>()
        .with::<LocalTriples>()
        .with::<GridSquares>()
}
