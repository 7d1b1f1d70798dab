//! Near-duplicate text: from files to verified clusters.
//!
//! ```text
//! files ──read, shingle, sketch──▶ keys ──join──▶ candidates ──compare exactly──▶ matches ──▶ clusters ──▶ files
//!            first pass                                          second pass                     third pass
//! ```
//!
//! [`Config`] says what is read, how and what is written; [`run`] does it. The command `lookalike dedup`
//! is the same with a progress bar. [`explain`] says why two documents are a pair, or none;
//! [`audit`] measures what a run has found and missed.
//!
//! Documents with the same text are found by a hash of the text and go through the rest as one. What is
//! remembered of a document is where it is, its keys and its id; its text is read again if it becomes a candidate.

pub mod audit;
mod config;
mod copies;
mod documents;
mod error;
pub mod explain;
mod find;
mod finished;
mod folder;
mod forecast;
mod groups;
mod guard;
mod held;
mod hidden;
mod identity;
mod mirror;
mod output;
mod page;
mod plan;
mod progress;
pub mod report;
mod run;
mod sketch;
mod skipped;
mod verify;
mod worth;

pub use config::{
    Cluster, Compress, Config, Data, FUNCTIONS, Grouping, HashWidth, Keep, Mode, Output, Preset,
    SOURCE, Sketch, TextFamily, Verification, Verify, WAYS, Wrong,
};
pub use error::{Error, nearest, place};
pub use folder::{Folder, check_folder};
pub use forecast::Forecast;
pub use hidden::Hidden;
pub use plan::{Point, TextPlan};
pub use progress::{Progress, Stage};
pub use report::Report;
pub use run::{forecast, run};
