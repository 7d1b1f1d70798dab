//! Digests as a kind, TLSH's distance, and its family, for the registry.

mod files;
mod kind;
mod specimens;
mod tlsh;

pub use files::EditedFiles;
pub use kind::DigestKind;
pub use tlsh::{TlshDistance, TlshFamily};

use lookalike_core::plugin;

impl From<crate::Error> for plugin::Error {
    fn from(error: crate::Error) -> Self {
        let refused = Self::new(error.to_string());
        match error {
            crate::Error::Parameter { name, .. } => refused.about(name),
            _ => refused,
        }
    }
}
