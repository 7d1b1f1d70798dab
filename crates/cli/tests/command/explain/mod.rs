//! `lookalike explain`: every step of the way, for two files and for two documents of a run.

mod files;
mod runs;
mod scene;
