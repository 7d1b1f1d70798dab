//! What families read: the tables `[data]`.
//!
//! Every kind of items comes from files (`inputs`), from the file of settings itself (`items`), or from a generator
//! (`generate`), which knows which pairs it has planted.

mod codes;
mod grid;
mod lines;
mod prints;
mod sets;
mod squares;
mod texts;
mod weights;

use std::fmt::Debug;

use lookalike_core::Items;
use lookalike_engine::Id;
use serde::{Serialize, de::DeserializeOwned};

use crate::Error;

pub use codes::Codes;
pub(crate) use grid::GridTable;
pub use lines::Lines;
pub use prints::{Print, Prints};
pub use sets::Sets;
pub use squares::Squares;
pub use texts::Texts;
pub use weights::Weights;

/// A kind of items, as the table `[data]` says where they are.
pub trait Data: DeserializeOwned + Serialize + Debug {
    /// What the items are called in a file: `kind = "text"`.
    const KIND: &'static str;
    /// An item.
    type Item: ?Sized;
    /// All of them.
    type Items: Items<Self::Item>;

    /// Reads, takes or makes the items.
    fn load(&self) -> Result<Loaded<Self::Items>, Error>;

    /// An item for people to look at.
    fn show(item: &Self::Item) -> String;
}

/// Items, what they are called, and what is known about their pairs.
#[derive(Clone, Debug)]
pub struct Loaded<I> {
    /// The items.
    pub items: I,
    /// Their names; where there are none, an item goes by its place.
    pub names: Vec<String>,
    /// Pairs that were planted.
    pub groups: Vec<Group>,
}

/// Pairs that were planted for one reason: copies at a similarity, impressions of one finger.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The reason.
    pub name: String,
    /// The items by their places.
    pub pairs: Vec<(Id, Id)>,
}

impl<I> Loaded<I> {
    /// Items without names.
    pub fn new(items: I) -> Self {
        Self {
            items,
            names: Vec::new(),
            groups: Vec::new(),
        }
    }

    /// What an item is called.
    pub(crate) fn name(&self, id: Id) -> String {
        let name = self.names.get(id as usize).cloned();
        name.unwrap_or_else(|| format!("#{id}"))
    }
}

/// The most items that are made up, and the most that all of them may hold: numbers, words or 64 bits.
const MOST: u64 = 1_000_000;
const MOST_IN_ALL: u64 = 1 << 27;

/// Refuses to make up no items, and more, of so much each, than memory is likely to hold.
fn few_enough(key: &str, items: u64, each: u64) -> Result<(), Error> {
    if items == 0 {
        return Err(Error::setting(
            key,
            "these are no items: make up at least one",
        ));
    }
    let all = items.saturating_mul(each.max(1));
    if items <= MOST && all <= MOST_IN_ALL {
        return Ok(());
    }
    let message = format!(
        "{items} items of {each} are too many: at most {MOST} can be made up, which hold at most {MOST_IN_ALL} in all"
    );
    Err(Error::setting(key, message))
}

/// Refuses items from nowhere, and from two places.
fn one_place(inputs: bool, items: bool, generate: bool) -> Result<(), Error> {
    let ways = [(inputs, "inputs"), (items, "items"), (generate, "generate")];
    let given: Vec<&str> = ways.iter().filter(|way| way.0).map(|way| way.1).collect();
    match given[..] {
        [] => Err(Error::setting(
            "data",
            "no items: say inputs = [\"FILE\"], items = […] or [data.generate]",
        )),
        [_] => Ok(()),
        [.., last] => Err(Error::setting(
            format!("data.{last}"),
            format!("{} contradict each other: choose one", given.join(" and ")),
        )),
    }
}
