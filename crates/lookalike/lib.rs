#![doc = include_str!("../../README.md")]
//!
//! ---
//!
//! # The crates
//!
//! This crate is a facade: the theory of `lookalike-core` at its top level (families, schemes, [`tune`],
//! [`conformance`], and [`plugin`] for families of your own), and one module per feature.
//!
//! | feature and module | what it is |
//! |---|---|
//! | `engine` | buckets: join, index, verification, clusters |
//! | `minhash` | texts, sets and weighted sets |
//! | `hamming` | bit vectors |
//! | `vector` | dense vectors: angles, Euclidean and Manhattan distance, inner products |
//! | `digest` | TLSH digests of files |
//! | `fingerprint` | minutiae, and formats of them |
//! | `strings` | strings under edit distance |
//! | `corpus` | records of files |
//! | `output` | results that are complete or absent |
//! | `search` | pairs and queries of every kind, a stored index of texts, and `builtin()` with the families that are enabled |
//! | `dedup` | near-duplicate texts |
//! | `prints` | galleries of fingerprints |
//! | `experiment` | runs from TOML files, measured against the truth |
//! | `report` | pages to look at |
//!
//! With `minhash` and `fingerprint` there is one more module, `squares`: minhash of the squares of prints.
//!
//! All of them are on by default, and `parquet` is one more. A program that needs one family and the engine compiles
//! nothing else, and no C:
//!
//! ```toml
//! [dependencies]
//! lookalike = { version = "0.1", default-features = false, features = ["minhash", "engine"] }
//! ```

pub use lookalike_core::*;
#[cfg(feature = "corpus")]
pub use lookalike_corpus as corpus;
#[cfg(feature = "dedup")]
pub use lookalike_dedup as dedup;
#[cfg(feature = "digest")]
pub use lookalike_digest as digest;
#[cfg(feature = "engine")]
pub use lookalike_engine as engine;
#[cfg(feature = "experiment")]
pub use lookalike_experiment as experiment;
#[cfg(feature = "fingerprint")]
pub use lookalike_fingerprint as fingerprint;
#[cfg(feature = "hamming")]
pub use lookalike_hamming as hamming;
#[cfg(feature = "minhash")]
pub use lookalike_minhash as minhash;
#[cfg(feature = "output")]
pub use lookalike_output as output;
#[cfg(feature = "prints")]
pub use lookalike_prints as prints;
#[cfg(feature = "report")]
pub use lookalike_report as report;
#[cfg(feature = "search")]
pub use lookalike_search as search;
#[cfg(feature = "strings")]
pub use lookalike_strings as strings;
#[cfg(feature = "vector")]
pub use lookalike_vector as vector;

#[cfg(all(feature = "minhash", feature = "fingerprint"))]
pub mod squares;

/// The kinds, distances, families and methods of the project whose features are enabled. Of equally cheap plans the
/// first that joined wins, and a name that several kinds have means the first.
#[cfg(feature = "search")]
#[must_use]
pub fn builtin() -> search::Registry {
    let registry = search::Registry::default();
    #[cfg(feature = "minhash")]
    let registry = {
        use minhash::plugin::{
            ConsistentWeighted, FastSimilarity, HashedJaccard, OnePass, Over, Permutation,
            SetJaccard, SimHash, TextJaccard, Universal, WeightedSimHash,
        };
        registry
            .with::<Over<FastSimilarity, TextJaccard>>()
            .with::<Over<Universal, TextJaccard>>()
            .with::<Over<SimHash, TextJaccard>>()
            .with::<Over<FastSimilarity, SetJaccard>>()
            .with::<Over<Universal, SetJaccard>>()
            .with::<Over<SimHash, SetJaccard>>()
            .with::<Permutation>()
            .with::<OnePass>()
            .with::<ConsistentWeighted>()
            .with::<WeightedSimHash>()
            .with::<Over<FastSimilarity, HashedJaccard>>()
            .with::<Over<Universal, HashedJaccard>>()
            .with::<Over<SimHash, HashedJaccard>>()
    };
    #[cfg(feature = "hamming")]
    let registry = {
        use hamming::plugin::{BitSampling, Blocks, MultiProbe};
        registry
            .with::<Blocks>()
            .with::<BitSampling>()
            .with::<MultiProbe>()
    };
    #[cfg(feature = "vector")]
    let registry = {
        use vector::plugin::{
            AngleDistance, CauchyLines, CrossPolytope, CrossPolytopeTables, DotHyperplanes,
            EuclideanDistance, HyperplaneTables, Hyperplanes, JoinBy, RandomLines, SketchesBy,
        };
        registry
            .with::<Hyperplanes>()
            .with::<CrossPolytope>()
            .with_method::<JoinBy<CrossPolytopeTables>>()
            .with_method::<JoinBy<HyperplaneTables>>()
            .with_method::<SketchesBy<AngleDistance>>()
            .with::<RandomLines>()
            .with_method::<SketchesBy<EuclideanDistance>>()
            .with::<CauchyLines>()
            .with::<DotHyperplanes>()
    };
    #[cfg(feature = "digest")]
    let registry = registry.with::<digest::plugin::TlshFamily>();
    #[cfg(feature = "fingerprint")]
    let registry = registry.with::<fingerprint::plugin::GridSquares>();
    #[cfg(all(feature = "minhash", feature = "fingerprint"))]
    let registry = {
        use minhash::plugin::{FastSimilarity, Over, Universal};
        registry
            .with::<Over<FastSimilarity, squares::SquaresJaccard>>()
            .with::<Over<Universal, squares::SquaresJaccard>>()
    };
    #[cfg(feature = "fingerprint")]
    let registry = registry.with::<fingerprint::plugin::PrintGridSquares>();
    #[cfg(all(feature = "minhash", feature = "fingerprint"))]
    let registry = registry.with::<squares::PrintFastSimilarity>();
    #[cfg(feature = "fingerprint")]
    let registry = registry.with::<fingerprint::plugin::LocalTriples>();
    #[cfg(feature = "strings")]
    let registry = {
        use strings::plugin::{Cgk, Deletions, OrderMinhash, Partitions};
        registry
            .with::<Deletions>()
            .with::<Partitions>()
            .with::<Cgk>()
            .with::<OrderMinhash>()
    };
    with_generators(registry)
}

/// What makes up items for experiments.
#[cfg(feature = "search")]
fn with_generators(registry: search::Registry) -> search::Registry {
    #[cfg(feature = "minhash")]
    let registry = registry
        .with_generator::<minhash::plugin::CorpusTexts>()
        .with_generator::<minhash::plugin::NewsTexts>()
        .with_generator::<minhash::plugin::SetPairs>()
        .with_generator::<minhash::plugin::WeightedSetPairs>();
    #[cfg(feature = "hamming")]
    let registry = registry
        .with_generator::<hamming::plugin::CodePairs>()
        .with_generator::<hamming::plugin::CodeClusters>();
    #[cfg(feature = "vector")]
    let registry = registry
        .with_generator::<vector::plugin::VectorPairs>()
        .with_generator::<vector::plugin::VectorClusters>();
    #[cfg(feature = "digest")]
    let registry = registry.with_generator::<digest::plugin::EditedFiles>();
    #[cfg(feature = "fingerprint")]
    let registry = registry
        .with_generator::<fingerprint::plugin::Impressions>()
        .with_generator::<fingerprint::plugin::ModelSquares>()
        .with_generator::<fingerprint::plugin::GriddedImpressions>();
    #[cfg(feature = "strings")]
    let registry = registry.with_generator::<strings::plugin::StringPairs>();
    registry
}
