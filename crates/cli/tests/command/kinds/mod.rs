//! `lookalike pairs` and `lookalike query`, from files to lines, for every kind of items.

mod bad_input;
mod codes;
mod fields;
mod formats;
mod names;
mod query;
mod scene;
mod sets;

pub(crate) use scene::npy;
