//! `lookalike explain`: every step of the way, for two files and for two documents of a run.

mod files;
#[path = "../folder/mod.rs"]
mod folder;
mod runs;
mod scene;
