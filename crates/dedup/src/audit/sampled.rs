use std::ops::Range;

use hashbrown::HashMap;
use lookalike_corpus::Corpus;
use lookalike_minhash::{BagScratch, Elements, SetOrBag, Shingler};
use rayon::prelude::*;

use super::known::Known;
use crate::{Error, documents::Doc, finished::Finished};

/// The texts of the documents that were drawn.
#[derive(Debug)]
pub(super) struct Sampled {
    texts: Vec<Text>,
    by_digest: HashMap<u128, u32>,
    /// The text of each document that was drawn.
    pub(super) documents: Vec<u32>,
}

/// The set of a text, and what stands for the documents that it is compared with.
#[derive(Debug)]
pub(super) struct Grouped {
    /// Ascending, each element once.
    pub(super) set: Vec<u64>,
    pub(super) group: Option<u64>,
}

/// A text that was drawn, within its group.
#[derive(Debug)]
struct Text {
    digest: u128,
    /// A document that has it.
    doc: Doc,
    /// How many of those that were drawn have it.
    documents: u32,
}

impl Sampled {
    pub(super) fn new(known: &Known, docs: &[u64]) -> Self {
        let mut sampled = Self {
            texts: Vec::new(),
            by_digest: HashMap::new(),
            documents: Vec::with_capacity(docs.len()),
        };
        for &doc in docs {
            let doc = doc as Doc;
            let digest = known.digest(doc);
            let next = sampled.texts.len() as u32;
            let text = *sampled.by_digest.entry(digest).or_insert(next);
            if text == next {
                sampled.texts.push(Text {
                    digest,
                    doc,
                    documents: 0,
                });
            }
            sampled.texts[text as usize].documents += 1;
            sampled.documents.push(text);
        }
        sampled
    }

    /// How many different texts there are.
    pub(super) fn len(&self) -> usize {
        self.texts.len()
    }

    /// The number of a text, if it was drawn.
    pub(super) fn text(&self, digest: u128) -> Option<u32> {
        self.by_digest.get(&digest).copied()
    }

    pub(super) fn digest(&self, text: u32) -> u128 {
        self.texts[text as usize].digest
    }

    /// How many documents of the sample have a text.
    pub(super) fn copies(&self, text: u32) -> u32 {
        self.texts[text as usize].documents
    }

    /// The texts in runs whose sets can be held together, by the bytes of their records.
    pub(super) fn batches(&self, known: &Known, room: u64) -> Vec<Range<u32>> {
        let mut batches = Vec::new();
        let (mut start, mut bytes) = (0, 0);
        for (number, text) in (0..).zip(&self.texts) {
            let more = u64::from(known.places[text.doc as usize].bytes);
            if bytes + more > room && number > start {
                batches.push(start..number);
                (start, bytes) = (number, 0);
            }
            bytes += more;
        }
        batches.push(start..self.texts.len() as u32);
        batches
    }

    /// The sets of some texts, read again.
    pub(super) fn sets(
        &self,
        batch: Range<u32>,
        finished: &Finished,
        corpus: &Corpus,
        known: &Known,
        counted: &SetOrBag<Shingler>,
    ) -> Result<Vec<Grouped>, Error> {
        let texts = &self.texts[batch.start as usize..batch.end as usize];
        texts
            .par_iter()
            .map_init(
                || (corpus.reader(), BagScratch::default()),
                |(reader, scratch), text| {
                    let document = reader.read(&known.places[text.doc as usize])?;
                    Ok(Grouped {
                        set: counted.set(document.text, scratch),
                        group: finished.group(&document),
                    })
                },
            )
            .collect()
    }
}
