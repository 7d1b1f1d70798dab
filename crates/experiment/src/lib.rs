//! Experiments from TOML: any family on any data, measured against the truth.
//!
//! ```text
//! file ──sweep──▶ runs ──Registry──▶ data, family ──▶ truth ──seeds──▶ candidates, matches ──▶ Outcome ──▶ files
//! ```
//!
//! An [`Experiment`] is what a file says; [`Experiment::run`] does it and gives an [`Outcome`]. Families are found by name
//! in a [`Registry`], which a [`Plugin`] of your own joins with one line.
//!
//! What is measured: candidates and matches against the exact distances of all pairs, or of a sample of the items with
//! everything; how often pairs at each distance became candidates, beside what the family promised; times, memory,
//! buckets. Functions are drawn anew for every seed, and errors are those between seeds.

mod bins;
mod buckets;
pub mod data;
mod error;
mod estimate;
mod examples;
mod experiment;
mod keys;
mod measure;
mod meeting;
mod outcome;
mod page;
mod plugin;
mod plugins;
mod problem;
mod progress;
mod registry;
mod repetition;
mod resolved;
mod run;
mod scheme;
mod settings;
mod signatures;
mod stages;
mod summary;
mod sweep;
mod tally;
mod tree;
mod truth;
mod written;

use data::{Data, Loaded};
use run::Request;

pub use buckets::{Buckets, Size};
pub use error::Error;
pub use estimate::Estimate;
pub use experiment::Experiment;
pub use keys::toml_key;
/// A program that has it as its allocator is told how much memory each stage took.
pub use lookalike_memory::Counting;
pub use measure::Measure;
pub use outcome::{
    Clusters, Example, Fate, Found, GroupFound, Outcome, Point, Run, Times, TruthFound,
};
pub use plugin::{Election, FamilySearch, Meeting, Plugin, Search, SignatureOf, Verifier};
pub use registry::{Entry, Registry};
pub use settings::{Settings, Truth};
pub use signatures::{Agreement, Signatures};
pub use stages::Stage;
