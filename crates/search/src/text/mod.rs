//! How texts become sets, and how sets become bands: what comparing with a corpus and `dedup` share.

mod banding;
mod family;
mod input;

pub use banding::{Bounded, FUNCTIONS, Point, SchemeRequest, TextPlan};
pub use family::{FAST_SIMILARITY, HashWidth, TextFamily};
pub use input::TextInput;

/// A setting outside its range, or one that contradicts another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct WrongSetting {
    /// The path of the setting in a file, such as `family.tokens`: where a message can point.
    pub key: &'static str,
    /// What was given, and what would be accepted.
    pub message: String,
}

impl WrongSetting {
    /// What is wrong with the setting at a path.
    pub fn new(key: &'static str, message: impl Into<String>) -> Self {
        let message = message.into();
        Self { key, message }
    }
}
