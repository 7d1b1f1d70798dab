//! What is remembered of the documents between the passes: where they are, not what they say.

use lookalike_corpus::{Corpus, Place};
use lookalike_engine::Id;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::{Error, Keep};

/// A document's number, in the order of the input.
pub(crate) type Doc = u32;

/// All documents of a corpus.
///
/// Documents with the same text are one *item*; a document without tokens is no item, and meets nobody.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    pub(crate) places: Vec<Place>,
    /// Bytes of the text.
    pub(crate) lengths: Vec<u32>,
    pub(crate) items: Vec<Option<Id>>,
    pub(crate) ids: Ids,
}

/// The ids that documents have, as JSON.
#[derive(Debug, Default)]
pub(crate) struct Ids {
    text: String,
    /// Where the id of a document ends; empty where it has none.
    ends: Vec<usize>,
}

impl Ids {
    pub(crate) fn push(&mut self, id: Option<&str>) {
        self.text.push_str(id.unwrap_or_default());
        self.ends.push(self.text.len());
    }

    pub(crate) fn append(&mut self, other: &Self) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
    }

    /// The id of a document, if it has one.
    pub(crate) fn get(&self, doc: Doc) -> Option<&str> {
        let doc = doc as usize;
        let start = doc.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..self.ends[doc]]).filter(|id| !id.is_empty())
    }
}

impl Documents {
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The id of a document as JSON: its own, or else its file and line.
    pub(crate) fn id(&self, corpus: &Corpus, doc: Doc) -> String {
        match self.ids.get(doc) {
            Some(id) => id.to_owned(),
            None => serde_json::Value::from(self.name(corpus, doc)).to_string(),
        }
    }

    /// Where a document is, for people: file and line.
    pub(crate) fn name(&self, corpus: &Corpus, doc: Doc) -> String {
        let place = &self.places[doc as usize];
        let file = corpus.files()[place.file as usize].name();
        format!("{file}:{}", place.line)
    }

    /// Refuses ids that two documents have.
    pub(crate) fn check_ids(&self, corpus: &Corpus) -> Result<(), Error> {
        let all = || 0..self.len() as Doc;
        let with_ids = all().filter(|&doc| self.ids.get(doc).is_some()).count();
        // Where only some have ids, the names of the others may be among them.
        let names_too = (1..self.len()).contains(&with_ids);
        let hash = |doc: Doc| match self.ids.get(doc) {
            Some(id) => Some((xxh3_64(id.as_bytes()), doc)),
            None => names_too.then(|| (xxh3_64(self.id(corpus, doc).as_bytes()), doc)),
        };
        let mut hashes: Vec<(u64, Doc)> = all().into_par_iter().filter_map(hash).collect();
        hashes.par_sort_unstable();
        let same = |pair: &&[(u64, Doc)]| {
            pair[0].0 == pair[1].0 && self.id(corpus, pair[0].1) == self.id(corpus, pair[1].1)
        };
        // The first in the input, however the hashes are ordered.
        let twice = hashes.windows(2).filter(same).min_by_key(|pair| pair[1].1);
        match twice {
            None => Ok(()),
            Some(pair) => Err(Error::DuplicateId {
                id: self.id(corpus, pair[1].1),
                first: self.name(corpus, pair[0].1),
                second: self.name(corpus, pair[1].1),
            }),
        }
    }

    /// All documents, those to be kept first. The order is total, and does not depend on that of the input where it
    /// goes by length and all have ids.
    pub(crate) fn in_order_of(&self, keep: Keep) -> Vec<Doc> {
        let mut docs: Vec<Doc> = (0..self.len() as Doc).collect();
        let length = |doc: Doc| self.lengths[doc as usize];
        // Documents with an id come before those without.
        let id = |doc: Doc| self.ids.get(doc).map_or((true, ""), |id| (false, id));
        match keep {
            Keep::First => {}
            Keep::Last => docs.reverse(),
            Keep::Longest => docs.par_sort_unstable_by(|&a, &b| {
                let longer = length(b).cmp(&length(a));
                longer.then_with(|| (id(a), a).cmp(&(id(b), b)))
            }),
            Keep::Shortest => docs.par_sort_unstable_by(|&a, &b| {
                let shorter = length(a).cmp(&length(b));
                shorter.then_with(|| (id(a), a).cmp(&(id(b), b)))
            }),
        }
        docs
    }
}
