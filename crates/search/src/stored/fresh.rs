//! What was added since the last segment was written, in memory and ready to be asked.

use hashbrown::HashMap;

use super::{
    draft::{Added, Draft, Pushed},
    hashes::Posting,
};
use crate::Id;

/// A draft with buckets.
#[derive(Debug)]
pub(crate) struct Fresh {
    pub(crate) draft: Draft,
    /// By band and hash: items, and what was stored with them.
    buckets: HashMap<u64, Vec<(u32, u64)>>,
    /// The documents of each item, with those that were removed.
    documents: Vec<Vec<u32>>,
}

impl Fresh {
    pub(crate) fn new(draft: Draft) -> Self {
        Self {
            draft,
            buckets: HashMap::new(),
            documents: Vec::new(),
        }
    }

    /// Adds a document whose id is not there.
    pub(crate) fn push(&mut self, id: Id, added: &Added<'_>) {
        let Pushed {
            document,
            item,
            is_new,
        } = self.draft.push(id, added);
        if !is_new {
            self.documents[item as usize].push(document);
            return;
        }
        self.documents.push(vec![document]);
        for key in added.keys {
            let bucket = self.buckets.entry(slot(key)).or_default();
            bucket.push((item, key.payload));
        }
    }

    /// The items that have a key, and what was stored with them. Some may have no documents any more.
    pub(crate) fn meet(&self, key: &Posting) -> &[(u32, u64)] {
        self.buckets.get(&slot(key)).map_or(&[], Vec::as_slice)
    }

    /// The ids of an item's documents, in their order.
    pub(crate) fn ids(&self, item: u32) -> Vec<&Id> {
        let documents = self.documents[item as usize].iter();
        let mut ids: Vec<&Id> = documents.filter_map(|&it| self.draft.id(it)).collect();
        ids.sort_unstable();
        ids
    }

    /// Whether most of it was removed, so that writing the rest again gives memory back.
    pub(crate) fn is_mostly_removed(&self) -> bool {
        const FEW: u32 = 1024;
        let removed = self.draft.removed();
        removed > FEW && removed > self.draft.living()
    }
}

fn slot(key: &Posting) -> u64 {
    u64::from(key.band) << 32 | u64::from(key.hash)
}
