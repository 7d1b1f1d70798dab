use std::sync::{Mutex, PoisonError};

use lookalike_core::KeySource;

/// Memory that is used again from item to item: taken for an item, and given back after it.
///
/// There are as many as were ever in use at the same time. The lock is held for a push or a pop alone.
#[derive(Debug)]
pub(crate) struct Spare<T>(Mutex<Vec<T>>);

impl<T: Default> Spare<T> {
    pub(crate) fn new() -> Self {
        Self(Mutex::new(Vec::new()))
    }

    pub(crate) fn take(&self) -> T {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.pop().unwrap_or_default()
    }

    pub(crate) fn give_back(&self, used: T) {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        spare.push(used);
    }
}

/// What one item needs on its way into an index.
pub(crate) struct ItemScratch<S: KeySource> {
    pub(crate) of_source: S::Scratch,
    /// The (band, key, payload) triples that it is stored under.
    pub(crate) keys: Vec<(u32, u64, S::Payload)>,
}

impl<S: KeySource> Default for ItemScratch<S> {
    fn default() -> Self {
        Self {
            of_source: S::Scratch::default(),
            keys: Vec::new(),
        }
    }
}
