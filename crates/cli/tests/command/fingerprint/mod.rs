//! `lookalike fingerprint`, from files to ranked lists.

mod answers;
mod bad_input;
mod evaluate;
mod real;
mod scene;
