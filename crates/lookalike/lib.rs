#![doc = include_str!("../../README.md")]
//!
//! ---
//!
//! # The crates
//!
//! This crate is a facade: the theory of `lookalike-core` at its top level (families, schemes,
//! [`tune`], [`conformance`]) and the [`engine`] beside it.

pub use lookalike_core::*;
pub use lookalike_engine as engine;
