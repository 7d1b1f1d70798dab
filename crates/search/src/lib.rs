//! Items that are like an item: pairs, queries and indexes, for every kind, distance and family of a registry.
//!
//! ```text
//! files ──read──▶ Dataset ──Request, plan──▶ Plan ──▶ Search: pairs, query           in memory
//!                                                 └─▶ Index: add, remove, query      one file, changed by several processes
//! ```
//!
//! | to … | read |
//! |---|---|
//! | know the kinds, measures and families there are | [`Registry`] |
//! | read items, and plan how to search them | [`Source`], [`Request`], [`Plan`] |
//! | find pairs, or the items that are like a query, in memory | [`Search`] |
//! | keep items to be asked, changed by threads and processes; let each item of a stream in once | [`Index`] |
//! | compare texts with every document of a corpus that is not held in memory | [`Scan`] |
//!
//! Answers are exact: a distance is computed from the two items, never estimated. What is approximate is whether an item is found,
//! and the plan says with which probability.

mod bound;
mod brute;
mod codes;
mod compared;
mod dataset;
mod entry;
mod erased;
mod error;
mod generate;
mod id;
mod joining;
mod keys;
mod names;
mod plan;
mod planner;
mod read;
mod registry;
mod request;
mod scan;
mod search;
mod slice;
mod stored;
mod table;
mod tables;
mod text;
mod unique;
mod vote;

pub use brute::BruteForce;
pub use codes::{ItemCode, ItemCodes};
pub use dataset::Dataset;
pub use entry::{Entry, Promise};
pub use error::{Error, IGNORE_IDS, REPLACE, SKIP};
pub use generate::{GeneratorEntry, MadeUp};
pub use id::Id;
pub use joining::RESERVED;
pub use keys::{Keys, KeysScratch};
pub use lookalike_store::{Error as StoreError, is_store};
pub use names::Names;
pub use plan::{Bid, Plan, Planned};
pub use read::{FIELD, Source};
pub use registry::Registry;
pub use request::Request;
pub use scan::{Found, Scan};
pub use search::{Asker, Comparer, Search, SignatureOfId};
pub use stored::{
    Add, Added, Answer, FileBytes, IfTaken, Index, IndexAsker, IndexStats, Neighbour, Offer,
    RecallAt, Removed, Similar, Snapshot, Wanted,
};
pub use table::Table;
pub use tables::{Candidates, Tables};
pub use text::{
    Bounded, FAST_SIMILARITY, FUNCTIONS, HashWidth, Point, SchemeRequest, TextFamily, TextInput,
    TextPlan, WrongSetting,
};
pub use unique::Pairs;
pub use vote::{Vote, neighbour_mean};
