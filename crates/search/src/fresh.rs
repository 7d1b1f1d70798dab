use std::collections::BTreeSet;

use hashbrown::HashMap;
use lookalike_engine::{BucketIndex, Id as Number};

use crate::{Error, Id, file::digest, hashing::Hashing};

/// What was inserted since the file was written, in memory.
#[derive(Debug)]
pub(crate) struct Fresh {
    pub(crate) index: BucketIndex<Hashing>,
    /// By number.
    pub(crate) texts: Vec<FreshText>,
    ids: HashMap<Id, Number>,
    by_text: HashMap<u128, Number>,
}

/// A text, and the documents that have it.
#[derive(Debug)]
pub(crate) struct FreshText {
    pub(crate) text: Box<str>,
    pub(crate) has_keys: bool,
    pub(crate) ids: BTreeSet<Id>,
}

impl Fresh {
    pub(crate) fn new(hashing: &Hashing) -> Self {
        Self {
            index: BucketIndex::new(hashing.clone()),
            texts: Vec::new(),
            ids: HashMap::new(),
            by_text: HashMap::new(),
        }
    }

    /// How many documents.
    pub(crate) fn documents(&self) -> usize {
        self.ids.len()
    }

    /// The texts that documents have.
    pub(crate) fn living(&self) -> impl Iterator<Item = (Number, &FreshText)> {
        let all = (0..).zip(&self.texts);
        all.filter(|(_, text)| !text.ids.is_empty())
    }

    pub(crate) fn ids(&self) -> impl Iterator<Item = &Id> {
        self.ids.keys()
    }

    pub(crate) fn contains(&self, id: &Id) -> bool {
        self.ids.contains_key(id)
    }

    pub(crate) fn text(&self, id: &Id) -> Option<&str> {
        let number = *self.ids.get(id)?;
        Some(&self.texts[number as usize].text)
    }

    /// Adds a document whose id is not there.
    pub(crate) fn insert(&mut self, id: Id, text: &str, elements: &[u64]) -> Result<(), Error> {
        let digest = digest(text);
        let number = match self.by_text.get(&digest) {
            Some(&number) => number,
            None => {
                let number = self.index.insert(elements)?;
                self.by_text.insert(digest, number);
                self.texts.push(FreshText {
                    text: text.into(),
                    has_keys: !elements.is_empty(),
                    ids: BTreeSet::new(),
                });
                number
            }
        };
        self.texts[number as usize].ids.insert(id.clone());
        self.ids.insert(id, number);
        Ok(())
    }

    /// Takes over texts of which each has its number in an index.
    pub(crate) fn absorb(
        &mut self,
        index: BucketIndex<Hashing>,
        texts: Vec<FreshText>,
    ) -> Result<(), Error> {
        let shift = self.index.merge(index)?;
        for (number, text) in (shift..).zip(&texts) {
            self.ids
                .extend(text.ids.iter().cloned().map(|id| (id, number)));
            self.by_text.entry(digest(&text.text)).or_insert(number);
        }
        self.texts.extend(texts);
        Ok(())
    }

    /// Whether the document was there.
    pub(crate) fn remove(&mut self, id: &Id) -> bool {
        let Some(number) = self.ids.remove(id) else {
            return false;
        };
        let text = &mut self.texts[number as usize];
        text.ids.remove(id);
        if text.ids.is_empty() {
            let digest = digest(&text.text);
            self.by_text.remove(&digest);
            text.text = "".into();
            self.index.remove(number);
        }
        true
    }
}
