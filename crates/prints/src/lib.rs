//! Fingerprints from files: who is in a database, which of its prints are of one finger, and how well that works.
//!
//! ```text
//! files ──Input──▶ prints ──Gallery::enroll──▶ index of keys ──Searcher──▶ votes ──Matcher──▶ ranked list
//! ```
//!
//! - [`Input`] reads folders, archives and files of templates, XYT, ISO or ANSI.
//! - [`Gallery`] is one file once it is saved: keys, names and minutiae.
//! - **Many-to-one**: [`Searcher::search`] finds a print in a gallery. **Many-to-many**: [`Gallery::pairs`] finds all pairs.
//! - [`evaluate`](mod@evaluate) measures: ranks, hits against penetration, and errors of the matcher.

mod error;
pub mod evaluate;
mod gallery;
mod input;
mod pairs;
mod stored;

pub use error::{Error, FORMAT, ON_ERROR};
pub use gallery::{Candidate, Gallery, Searcher};
pub use input::{Input, Label, Print, Prints};
pub use lookalike_fingerprint::DEFAULT_MATCH_SCORE as THRESHOLD;
pub use pairs::Alike;
