#![doc = include_str!("../../README.md")]
//!
//! ---
//!
//! # The crates
//!
//! This crate is a facade: the theory of `lookalike-core` at its top level (families, schemes,
//! [`tune`], [`conformance`]), and beside it the [`engine`], the families ([`minhash`], [`hamming`], [`fingerprint`]), the
//! reading of documents ([`corpus`]), how results are written ([`output`]), what is built of them ([`dedup`], [`search`], [`codes`], [`prints`],
//! [`experiment`]), and pages to look at ([`report`]).

pub use lookalike_codes as codes;
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
