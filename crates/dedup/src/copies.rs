use lookalike_engine::Id;

use crate::documents::{Doc, Documents};

/// The documents of each item, those to be kept first.
#[derive(Debug)]
pub(crate) struct Copies {
    /// Item i has `docs[starts[i]..starts[i + 1]]`.
    starts: Vec<u32>,
    docs: Vec<Doc>,
    /// The place of each item's first document in the order of keeping.
    ranks: Vec<u32>,
    /// Documents from this one on are of the older corpus.
    own: Doc,
}

impl Copies {
    /// From the documents and the order in which they are kept.
    pub(crate) fn new(documents: &Documents, items: usize, in_order: &[Doc]) -> Self {
        let mut starts = vec![0; items + 1];
        for item in documents.items.iter().flatten() {
            starts[*item as usize + 1] += 1;
        }
        for item in 0..items {
            starts[item + 1] += starts[item];
        }
        let mut next = starts.clone();
        let mut docs = vec![0; starts[items] as usize];
        let mut ranks = vec![u32::MAX; items];
        for (rank, &doc) in (0..).zip(in_order) {
            if let Some(item) = documents.items[doc as usize] {
                let item = item as usize;
                docs[next[item] as usize] = doc;
                next[item] += 1;
                ranks[item] = ranks[item].min(rank);
            }
        }
        Self {
            starts,
            docs,
            ranks,
            own: documents.own as Doc,
        }
    }

    /// The documents of an item; there is at least one.
    pub(crate) fn of(&self, item: Id) -> &[Doc] {
        let item = item as usize;
        &self.docs[self.starts[item] as usize..self.starts[item + 1] as usize]
    }

    /// The documents of an item that are not of the older corpus; those that are come before them.
    pub(crate) fn own(&self, item: Id) -> &[Doc] {
        let docs = self.of(item);
        &docs[docs.partition_point(|&doc| self.is_old(doc))..]
    }

    pub(crate) fn is_old(&self, doc: Doc) -> bool {
        doc >= self.own
    }

    /// Whether an item has a document of the older corpus.
    pub(crate) fn has_old(&self, item: Id) -> bool {
        self.is_old(self.of(item)[0])
    }

    pub(crate) fn items(&self) -> impl Iterator<Item = Id> {
        0..(self.starts.len() - 1) as Id
    }

    /// A rank for each item; the smaller, the rather it is kept.
    pub(crate) fn ranks(&self) -> &[u32] {
        &self.ranks
    }
}
