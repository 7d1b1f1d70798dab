//! Results that are complete or absent.
//!
//! | to … | read |
//! |---|---|
//! | write a folder of results that appears when it is complete | [`ResultFolder`], [`check_folder`] |
//! | replace one file by another in one step | [`Replacement`] |
//! | keep files that are removed when a run ends, even if it was killed | [`TemporaryFolder`] |
//! | tell a caller how far a run is, and what its inputs were | [`Progress`], [`Stage`], [`Inventory`] |
//! | suggest the word that was meant | [`nearest`], [`did_you_mean`], [`Suggestions`] |
//! | put a message of serde in plain words | [`without_types`] |
//! | say where a TOML file is wrong | [`place`], [`TomlProblem`] |
//!
//! Every tool that writes uses these, so that the same rules hold for all of them. The engine is the exception: it
//! knows `core` and `memory` alone, and replaces the file of an index itself.

mod ending;
mod error;
mod folder;
mod progress;
mod replacement;
mod suggest;
mod temporary;
mod toml_problem;
mod types;

pub use ending::end_publishing;
pub use error::{Error, OUT, OVERWRITE};
pub use folder::{ResultFile, ResultFolder, check_folder};
pub use progress::{FormatFiles, Inventory, LeftOut, Progress, Stage};
pub use replacement::Replacement;
pub use suggest::{Suggestions, did_you_mean, nearest};
pub use temporary::{TemporaryFolder, remove_temporary};
pub use toml_problem::{TomlProblem, place, suggestion};
pub use types::without_types;
