//! What the author of a plugin writes: a [`Kind`] of item, a [`Distance`] over it, and a [`Family`] of keys (or a
//! [`Method`] without keys) that searches it.
//!
//! ```text
//! Value ──Kind::parse──▶ items ──Distance──▶ exact distances
//!                          └───Family─────▶ keys ──engine──▶ candidates ──Distance──▶ matches
//! ```
//!
//! | word | trait | what it is |
//! |---|---|---|
//! | kind | [`Kind`] | what an item is: parsed, kept, shown, stored as bytes |
//! | distance | [`Distance`] | an exact metric over a kind, with its parameters |
//! | measure | [`Measure`] | a number by which users state a distance: a flag, a TOML key |
//! | family | [`Family`] | draws keys for a distance and proposes how to use them |
//! | method | [`Method`] | searches a distance without keys in buckets, such as brute force |
//! | generator | [`Generator`] | makes up items for experiments, if a kind has one |
//!
//! A plugin depends on this crate and on serde. Four functions are required: [`Kind::parse`], [`Kind::show`],
//! [`Distance::metric`] and [`Family::keys`]. With [`Distance::specimens`],
//! [`conformance::plugin`](crate::conformance::plugin) checks all of it.

mod coder;
mod column;
mod distance;
mod error;
mod family;
mod generator;
mod hit;
mod kind;
mod measure;
mod method;
mod shown;
mod specimens;
mod task;
mod value;

pub use coder::Coder;
pub use column::Column;
pub use distance::{Distance, ItemOf, ItemsOf, Kernel, KindOf, MetricOf, Params};
pub use error::{Error, Remedied, Remedy, Setting};
pub use family::{Family, KeyFamily, SignatureOf, sample_distances, tuned};
pub use generator::{Generated, Generator, Group};
pub use hit::Hit;
pub use kind::{Container, Kind, PlainFile};
pub use measure::Measure;
pub use method::Method;
pub use shown::{is_url, printable, shown};
pub use specimens::Specimens;
pub use task::{Proposal, Recall, Task};
pub use value::Value;
