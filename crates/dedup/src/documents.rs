//! What is remembered of the documents between the passes: where they are, not what they say.

use std::ops::Range;

use lookalike_corpus::{Corpus, Place};
use lookalike_engine::Id;
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use crate::{
    Error, Keep,
    worth::{self, Worth},
};

/// A document's number, in the order of the input.
pub(crate) type Doc = u32;

/// All documents of a corpus.
///
/// Documents with the same text are one *item*. Items with shingles come first, in the order of the keys; those without
/// follow, and meet only their copies. An empty document is not an item.
#[derive(Debug, Default)]
pub(crate) struct Documents {
    pub(crate) places: Vec<Place>,
    /// Bytes of the text.
    pub(crate) lengths: Vec<u32>,
    pub(crate) items: Vec<Option<Id>>,
    pub(crate) ids: Column,
    /// What they are compared within, if that was asked for.
    pub(crate) groups: Column,
    /// What decides which are kept, if that was asked for.
    pub(crate) worths: Column,
    /// How many are not of the older corpus, which comes last.
    pub(crate) own: usize,
    /// How many of these have a shingle.
    pub(crate) with_shingles: usize,
}

/// What a document is called where its id is, as JSON: the id, or else its file and line.
pub(crate) fn id_of(id: Option<&str>, corpus: &Corpus, place: &Place) -> String {
    match id {
        Some(id) => id.to_owned(),
        None => serde_json::Value::from(name_of(corpus, place)).to_string(),
    }
}

/// Where a document is, for people: file and line.
fn name_of(corpus: &Corpus, place: &Place) -> String {
    let file = corpus.files()[place.file as usize].name();
    format!("{file}:{}", place.line)
}

/// A value for each document, as JSON, where it has one.
#[derive(Debug, Default)]
pub(crate) struct Column {
    text: String,
    /// Where the value of a document ends; empty where it has none.
    ends: Vec<usize>,
}

impl Column {
    pub(crate) fn push(&mut self, value: Option<&str>) {
        self.text.push_str(value.unwrap_or_default());
        self.ends.push(self.text.len());
    }

    pub(crate) fn append(&mut self, other: &Self) {
        let shift = self.text.len();
        self.text.push_str(&other.text);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
    }

    /// The value of a document, if it has one.
    pub(crate) fn get(&self, doc: Doc) -> Option<&str> {
        let doc = doc as usize;
        let start = doc.checked_sub(1).map_or(0, |before| self.ends[before]);
        Some(&self.text[start..self.ends[doc]]).filter(|value| !value.is_empty())
    }

    /// Bytes of all values.
    pub(crate) fn bytes(&self) -> usize {
        self.text.len()
    }

    /// Whether it was asked for, and no document has a value.
    pub(crate) fn is_vacant(&self) -> bool {
        !self.ends.is_empty() && self.text.is_empty()
    }
}

impl Documents {
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// The documents of a part that follows.
    pub(crate) fn append(&mut self, part: &Self) {
        self.places.extend_from_slice(&part.places);
        self.lengths.extend_from_slice(&part.lengths);
        self.ids.append(&part.ids);
        self.groups.append(&part.groups);
        self.worths.append(&part.worths);
    }

    /// Whether a document is of the older corpus.
    pub(crate) fn is_old(&self, doc: Doc) -> bool {
        doc as usize >= self.own
    }

    /// The id of a document as JSON: its own, or else its file and line.
    pub(crate) fn id(&self, corpus: &Corpus, doc: Doc) -> String {
        id_of(self.ids.get(doc), corpus, &self.places[doc as usize])
    }

    /// What a document is called on a page: its id without quotes, or else its file and line.
    pub(crate) fn title(&self, corpus: &Corpus, doc: Doc) -> String {
        let id = self.ids.get(doc);
        let plain = |id: &str| serde_json::from_str(id).unwrap_or_else(|_| id.to_owned());
        id.map_or_else(|| self.name(corpus, doc), plain)
    }

    /// Where a document is, for people: file and line.
    pub(crate) fn name(&self, corpus: &Corpus, doc: Doc) -> String {
        name_of(corpus, &self.places[doc as usize])
    }

    /// Refuses ids that two documents have. An older corpus may have the same as a newer one.
    pub(crate) fn check_ids(&self, corpus: &Corpus) -> Result<(), Error> {
        let (own, all) = (self.own as Doc, self.len() as Doc);
        self.check_ids_of(0..own, corpus)?;
        self.check_ids_of(own..all, corpus)
    }

    fn check_ids_of(&self, docs: Range<Doc>, corpus: &Corpus) -> Result<(), Error> {
        let all = || docs.clone();
        let with_ids = all().filter(|&doc| self.ids.get(doc).is_some()).count();
        // Where only some have ids, the names of the others may be among them.
        let names_too = (1..docs.len()).contains(&with_ids);
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
    /// goes by what documents are and all have ids. Those of the older corpus come before all others.
    pub(crate) fn in_order_of(&self, keep: &Keep) -> Vec<Doc> {
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
            Keep::Max(_) | Keep::Min(_) => {
                let is_max = matches!(keep, Keep::Max(_));
                let worths: Vec<Option<Worth>> = (docs.par_iter())
                    .map(|&doc| Worth::parse(self.worths.get(doc)?))
                    .collect();
                let worth = |doc: Doc| worths[doc as usize].as_ref();
                docs.par_sort_unstable_by(|&a, &b| {
                    let better = worth::better(worth(a), worth(b), is_max);
                    better.then_with(|| (id(a), a).cmp(&(id(b), b)))
                });
            }
        }
        docs.sort_by_key(|&doc| !self.is_old(doc));
        docs
    }
}
