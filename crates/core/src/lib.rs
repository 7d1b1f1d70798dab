//! The theory of locality-sensitive hashing, as values.
//!
//! A locality-sensitive function sends an item to a bucket, or to none. A
//! [`Scheme`] turns the answers of k functions into a set of keys. **Two items
//! are candidates if and only if they share a key.**
//!
//! ```text
//! item ──functions──▶ signature ──scheme──▶ (band, key) … ──▶ the engine
//! ```
//!
//! | to … | read |
//! |---|---|
//! | write a family | [`LshFamily`], [`LshFunctions`], [`Key`], [`Metric`] |
//! | amplify it | [`Scheme`], [`Amplified`], [`Drawn`] |
//! | know what it promises | [`Probability`], [`Bounds`], [`Sensitivity`] |
//! | choose bands and rows | [`tune`], [`Banding`] |
//! | prove that a family keeps its promise | [`conformance`] |
//! | feed the engine without a family | [`KeySource`] |
//! | write a plugin: a kind, a distance, a family | [`plugin`] |

mod amplified;
mod banding;
pub mod beta;
pub mod conformance;
mod drawn;
mod error;
mod family;
mod fold;
mod items;
mod key;
mod metric;
mod mix;
mod pair;
pub mod plugin;
mod probability;
pub mod random;
pub mod sampled;
mod scheme;
mod sensitivity;
mod source;
pub mod tune;

pub use amplified::Amplified;
pub use banding::Banding;
pub use drawn::{Drawn, DrawnScratch};
pub use error::Error;
pub use family::{LshFamily, LshFunctions};
pub use items::{Distances, Items, Near, Tile};
pub use key::Key;
pub use metric::{Axioms, DistanceFn, Metric};
pub use mix::mix;
pub use pair::{Match, Pair};
pub use probability::{Bounds, Probability};
pub use scheme::{Scheme, Step};
pub use sensitivity::{CascadeStage, Sensitivity};
pub use source::{KEY_LIMIT, KeySource, Payload, TooManyKeys, addressed_bits};
