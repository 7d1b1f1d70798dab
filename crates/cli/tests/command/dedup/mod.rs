//! `lookalike dedup`: what is read, what is found, what is written, and what is refused.

#[cfg(unix)]
mod accidents;
mod arrays;
mod clusters;
mod compressed;
mod csv;
mod determinism;
mod documents;
mod equal;
mod faults;
mod inputs;
mod large;
mod methods;
mod modes;
mod output_folder;
mod packed;
mod parquet;
mod policies;
mod results;
mod scene;
mod settings;
mod slips;
mod texts;
mod wrong_use;
