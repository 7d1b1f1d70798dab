//! The documents of a run, found again, and the check that they are still the same.

use hashbrown::HashTable;
use lookalike_corpus::{Corpus, Place};
use serde::Deserialize;
use xxhash_rust::xxh3::xxh3_128_with_seed;

use lookalike_output::{Progress, Stage};

use crate::{Error, documents::Doc, finished::Finished};

/// What `report.json` says of the documents and pairs of a run.
#[derive(Debug, Deserialize)]
pub(super) struct Counted {
    pub(super) documents: CountedDocuments,
    pub(super) pairs: CountedPairs,
    against: Option<CountedAgainst>,
    files: Vec<CountedFile>,
}

#[derive(Debug, Deserialize)]
struct CountedAgainst {
    documents: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct CountedDocuments {
    pub(super) read: u64,
    pub(super) empty: u64,
    text_bytes: u64,
}

#[derive(Debug, Deserialize)]
pub(super) struct CountedPairs {
    pub(super) listed: u64,
    pub(super) not_listed: u64,
}

#[derive(Debug, Deserialize)]
struct CountedFile {
    name: String,
    documents: u64,
}

/// All documents of a run.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) places: Vec<Place>,
    /// How many are not of the older corpus, which comes last.
    pub(super) own: usize,
    /// What stands for the item of each.
    pub(super) digests: Vec<u128>,
    /// A hash of each id; the older corpus may have the same ids.
    ids: Vec<u128>,
    by_id: HashTable<Doc>,
}

/// What one block of documents becomes.
#[derive(Default)]
struct Part {
    places: Vec<Place>,
    digests: Vec<u128>,
    ids: Vec<u128>,
    text_bytes: u64,
}

impl Known {
    /// Goes through the inputs of a run.
    pub(super) fn new(
        finished: &Finished,
        corpus: &Corpus,
        counted: &Counted,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let mut known = Self {
            places: Vec::new(),
            own: 0,
            digests: Vec::new(),
            ids: Vec::new(),
            by_id: HashTable::new(),
        };
        let mut files = vec![0; corpus.files().len()];
        let own = corpus.own_files().len();
        let mut text_bytes = 0;
        progress.start(Stage::Read, corpus.bytes());
        corpus.scan(
            || (),
            |(), documents| {
                let mut part = Part::default();
                while let Some(document) = documents.next()? {
                    let id = finished.id(corpus, &document);
                    part.places.push(document.place);
                    part.digests.push(finished.digest(&document));
                    let is_old = document.place.file as usize >= own;
                    part.ids.push(hash(&id, is_old));
                    part.text_bytes += document.text.len() as u64;
                }
                Ok::<_, Error>(part)
            },
            |block, part| {
                progress.reach(block.consumed);
                files[block.file as usize] += part.places.len() as u64;
                text_bytes += part.text_bytes;
                known.places.extend(part.places);
                known.digests.extend(part.digests);
                known.ids.extend(part.ids);
                Ok(())
            },
        )?;
        known.own = known
            .places
            .partition_point(|place| (place.file as usize) < own);
        let files = corpus.own_files().iter().zip(files);
        let files: Vec<CountedFile> = files
            .map(|(file, documents)| CountedFile {
                name: file.name().to_owned(),
                documents,
            })
            .collect();
        known.check(finished, counted, &files, text_bytes)?;
        known.number();
        Ok(known)
    }

    fn check(
        &self,
        finished: &Finished,
        counted: &Counted,
        files: &[CountedFile],
        text_bytes: u64,
    ) -> Result<(), Error> {
        if files.len() != counted.files.len() {
            let (now, before) = (files.len(), counted.files.len());
            return Err(finished.changed(format!("{now} files instead of {before}")));
        }
        for (now, before) in files.iter().zip(&counted.files) {
            let (name, documents) = (&now.name, now.documents);
            if *name != before.name {
                return Err(finished.changed(format!("{name} instead of {}", before.name)));
            }
            if documents != before.documents {
                let before = before.documents;
                let message = format!("{name}: {documents} documents instead of {before}");
                return Err(finished.changed(message));
            }
        }
        let old = (self.places.len() - self.own) as u64;
        let before = counted.against.as_ref().map_or(0, |old| old.documents);
        if old != before {
            let message = format!("{old} documents instead of {before} in the older corpus");
            return Err(finished.changed(message));
        }
        let before = counted.documents.text_bytes;
        if text_bytes != before {
            return Err(finished.changed(format!("{text_bytes} bytes of text instead of {before}")));
        }
        Ok(())
    }

    fn number(&mut self) {
        let ids = &self.ids;
        let hash = |doc: &Doc| ids[*doc as usize] as u64;
        self.by_id.reserve(ids.len(), hash);
        for (doc, id) in (0..).zip(ids) {
            self.by_id.insert_unique(*id as u64, doc, hash);
        }
    }

    /// The document that has an id, written as JSON.
    pub(super) fn by_id(&self, id: &str, is_old: bool) -> Option<Doc> {
        let id = hash(id, is_old);
        let same = |doc: &Doc| self.ids[*doc as usize] == id;
        self.by_id.find(id as u64, same).copied()
    }

    pub(super) fn digest(&self, doc: Doc) -> u128 {
        self.digests[doc as usize]
    }
}

fn hash(id: &str, is_old: bool) -> u128 {
    xxh3_128_with_seed(id.as_bytes(), is_old.into())
}
