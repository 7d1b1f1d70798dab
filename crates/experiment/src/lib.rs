//! Experiments from TOML: any family on any data, measured against the truth.
//!
//! ```text
//! file ──sweep──▶ runs ──Registry──▶ data, family ──▶ truth ──seeds──▶ candidates, matches ──▶ Outcome ──▶ files
//! ```
//!
//! An [`Experiment`] is what a file says; [`Experiment::run`] does it and returns an [`Outcome`]. Kinds, families and
//! generators are those of a [`Registry`](lookalike_search::Registry), also those of a third party.
//!
//! A run compares candidates and matches with the truth: the exact distances of all pairs, or of a sample of the items to
//! everything, or the labels of the items. It measures how often pairs at each distance become candidates, next to what
//! the family promises; times, memory and buckets. It draws new functions for each seed, and errors are those between
//! seeds. [`FIGURES`] lists what is measured, and feeds every output.

mod bins;
mod buckets;
mod chosen;
mod data;
mod error;
mod estimate;
mod examples;
mod experiment;
mod figures;
mod keys;
mod likeness;
mod met;
mod outcome;
mod page;
mod problem;
mod progress;
mod repetition;
mod resolved;
mod run;
mod sensitivity;
mod settings;
mod signatures;
mod stages;
mod summary;
mod sweep;
mod tally;
mod tree;
mod truth;
mod written;

pub use buckets::{Buckets, Size};
pub use error::Error;
pub use estimate::Estimate;
pub use experiment::Experiment;
pub use figures::{FIGURES, Figure, Unit, number as three_digits};
pub use keys::toml_key;
pub use likeness::Likeness;
/// A program that has it as its allocator is told how much memory each stage took.
pub use lookalike_memory::Counting;
pub use outcome::{
    Clusters, Example, Fate, Found, GroupFound, Outcome, Point, Run, Times, TruthFound,
};
pub use sensitivity::RunSensitivity;
pub use settings::{Settings, Truth, TruthBy};
pub use signatures::{Agreement, Signatures};
pub use stages::Stage;
