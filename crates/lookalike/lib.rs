//! facade
pub use lookalike_core::*;
pub use lookalike_engine as engine;
