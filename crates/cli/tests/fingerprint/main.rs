//! `lookalike fingerprint`, from files to ranked lists.

mod answers;
mod bad_input;
mod evaluate;
#[path = "../folder/mod.rs"]
mod folder;
mod real;
mod scene;
