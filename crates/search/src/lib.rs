//! Texts that are like a text: an index in one file, built, changed and asked.
//!
//! ```text
//! text ──shingle, sketch──▶ keys ──one page of each band──▶ candidates ──their texts, compared exactly──▶ the k most similar
//! ```
//!
//! | to … | read |
//! |---|---|
//! | make an index of files, add to it, remove from it | [`build`], [`add`], [`remove`] |
//! | ask it, change it, store it | [`TextIndex`], [`Searcher`] |
//! | do without one: compare every document | [`scan`], [`Scan`] |
//! | let each text of a stream in once, from many threads | [`Gate`] |
//!
//! Answers are exact: a similarity is the Jaccard similarity of the two texts, never an estimate. What is approximate is
//! whether a document is found: at the threshold with the stated recall, above it more often, below it less.

mod bound;
mod brute;
mod build;
mod codes;
mod compare;
mod compared;
mod dataset;
mod entry;
mod erased;
mod error;
mod file;
mod fresh;
mod gate;
mod generate;
mod hashing;
mod id;
mod index;
mod joining;
mod keys;
mod meant;
mod names;
mod plan;
mod planner;
mod read;
mod registry;
mod request;
mod scan;
mod search;
mod searcher;
mod settings;
mod slice;
mod stats;
mod stored;
mod table;
mod tables;
mod text;
mod unique;
mod vote;

pub use brute::BruteForce;
pub use build::{Added, add, build, remove};
pub use codes::{ItemCode, ItemCodes};
pub use dataset::Dataset;
pub use entry::{Entry, Promise};
pub use error::{Error, IGNORE_IDS};
pub use file::is_index;
pub use gate::{Gate, Offer};
pub use generate::{GeneratorEntry, MadeUp};
pub use id::Id;
pub use index::TextIndex;
pub use joining::RESERVED;
pub use keys::{Keys, KeysScratch};
pub use lookalike_store::{Error as StoreError, is_store};
pub use names::Names;
pub use plan::{Bid, Plan, Planned};
pub use read::{FIELD, Source};
pub use registry::Registry;
pub use request::Request;
pub use scan::{Found, Scan, scan};
pub use search::{Asker, Comparer, Search, SignatureOfId};
pub use searcher::{Answer, Ask, LIMIT, Searcher, SimilarText};
pub use settings::Settings;
pub use stats::{FileBytes, Stats};
pub use stored::{
    Add, Added as IndexAdded, Answer as IndexAnswer, FileBytes as IndexFileBytes, IfTaken, Index,
    IndexAsker, IndexStats, Neighbour, Offer as IndexOffer, Removed, Similar, Snapshot, Wanted,
};
pub use table::Table;
pub use tables::{Candidates, Tables};
pub use text::{
    Bounded, FAST_SIMILARITY, FUNCTIONS, HashWidth, Point, SchemeRequest, TextFamily, TextInput,
    TextPlan, WrongSetting,
};
pub use unique::Pairs;
pub use vote::{Vote, neighbour_mean};
