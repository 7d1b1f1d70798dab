//! `lookalike hamming`, from files to lines.

mod answers;
mod bad_input;
#[path = "../folder/mod.rs"]
mod folder;
mod formats;
mod scene;
