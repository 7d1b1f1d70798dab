//! Near-duplicate text: from files to verified clusters.
//!
//! ```text
//! files ──read, shingle, sketch──▶ keys ──join──▶ candidates ──compare exactly──▶ matches ──▶ clusters ──▶ files
//!            first pass                                          second pass                     third pass
//! ```
//!
//! [`Config`] says what is read, how and what is written; [`run`] does it. The command `lookalike dedup`
//! is the same with a progress bar. [`explain`] says why two documents are a pair, or none;
//! [`audit`] measures what a run has found and missed; [`clusters`] lists clusters of a run.
//!
//! Documents with the same text are found by a hash of the text and go through the rest as one. What is
//! remembered of a document is where it is, its keys and its id; its text is read again if it becomes a candidate.

pub mod audit;
pub mod clusters;
mod config;
mod copies;
mod documents;
mod error;
pub mod explain;
mod find;
mod finished;
mod forecast;
mod groups;
mod guard;
mod hashing;
mod held;
mod identity;
mod mirror;
mod output;
mod packed;
mod page;
pub mod report;
mod run;
mod sketch;
mod skipped;
mod verify;
mod worth;

pub use config::{
    Cluster, Compress, Config, Data, Equality, Grouping, Keep, Mode, Output, Preset, SOURCE,
    Tables, Verification, Verify, WAYS,
};
pub use error::{ALLOW_MASS_REMOVAL, Error, MODE};
pub use forecast::Forecast;
pub use report::Report;
pub use run::{check_folder, forecast, run};
