//! `lookalike pairs` and `lookalike query`, from files to lines, for every kind of items.

mod bad_input;
mod bags;
mod codes;
mod digests;
mod fields;
mod formats;
mod names;
mod predictions;
mod query;
mod scene;
mod sets;
mod strings;
mod vectors;
mod written_codes;

pub(crate) use scene::npy;
