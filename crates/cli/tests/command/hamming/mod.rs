//! `lookalike hamming`, from files to lines.

mod answers;
mod bad_input;
mod formats;
mod scene;
