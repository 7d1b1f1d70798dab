//! The texts of the sample, compared exactly with all documents: what is truly there.

use std::ops::Range;

use lookalike_corpus::{Corpus, Document};
use lookalike_minhash::{BagScratch, Counts, Elements, SetOrBag, Shingler, ShinglerScratch, Short};

use super::{
    buckets::Buckets,
    degrees::Degree,
    known::Known,
    listed::Listed,
    prefixes::Prefixes,
    sampled::{Grouped, Sampled},
};
use lookalike_output::{Progress, Stage};

use crate::{Error, finished::Finished, identity, verify::reaches};

/// What the scan of the corpus finds.
#[derive(Debug)]
pub(super) struct Truth {
    /// The ends of pairs at each text of the sample, with documents that have another text.
    pub(super) texts: Vec<Degree>,
    /// The pairs of each document, those of the older corpus aside, with documents of the sample that have another text.
    pub(super) documents: Vec<Degree>,
    /// The ends of pairs at documents of the sample, by similarity.
    pub(super) buckets: Buckets,
    /// Whether each document has no shingle.
    pub(super) is_empty: Vec<bool>,
    /// Whether each document would be a pair with a copy of it.
    pub(super) has_copies: Vec<bool>,
}

/// What is compared in one scan.
struct Batch<'a> {
    /// The number of the first text.
    first: u32,
    texts: Vec<Grouped>,
    prefixes: Prefixes,
    finished: &'a Finished,
    shingler: &'a Shingler,
    counted: &'a SetOrBag<Shingler>,
    sampled: &'a Sampled,
    listed: &'a Listed,
}

/// A text of the sample and a document that are alike.
struct Alike {
    text: u32,
    similarity: f64,
    is_found: bool,
}

/// What one block of documents becomes.
#[derive(Default)]
struct Part {
    is_empty: Vec<bool>,
    has_copies: Vec<bool>,
    /// What is alike, by the place of the document in the block.
    alike: Vec<(u32, Alike)>,
}

/// What one thread uses again from document to document.
#[derive(Default)]
struct State {
    counted: BagScratch<ShinglerScratch>,
    elements: Vec<u64>,
    /// For each set the document that it was last a candidate of.
    seen: Vec<u64>,
    documents: u64,
    candidates: Vec<u32>,
}

impl Truth {
    /// Goes through the corpus, once for each batch of texts that fits into memory.
    pub(super) fn new(
        finished: &Finished,
        corpus: &Corpus,
        known: &Known,
        sampled: &Sampled,
        listed: &Listed,
        room: u64,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let config = &finished.config;
        let shingler = config.family.shingler();
        let counted = config.family.elements();
        let mut truth = Self {
            texts: vec![Degree::default(); sampled.len()],
            documents: vec![Degree::default(); known.own],
            buckets: Buckets::from(config.threshold),
            is_empty: Vec::new(),
            has_copies: Vec::new(),
        };
        for batch in sampled.batches(known, room) {
            let Range { start: first, .. } = batch;
            let texts = sampled.sets(batch, finished, corpus, known, &counted)?;
            let sets: Vec<&[u64]> = texts.iter().map(|text| &*text.set).collect();
            let batch = Batch {
                first,
                prefixes: Prefixes::new(&sets, config.threshold),
                texts,
                finished,
                shingler: &shingler,
                counted: &counted,
                sampled,
                listed,
            };
            progress.start(Stage::Read, corpus.bytes());
            truth.add(&batch, corpus, progress)?;
        }
        Ok(truth)
    }

    fn add(
        &mut self,
        batch: &Batch<'_>,
        corpus: &Corpus,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let mut is_empty = Vec::with_capacity(self.documents.len());
        let mut has_copies = Vec::with_capacity(self.documents.len());
        corpus.scan(
            State::default,
            |state, documents| {
                let mut part = Part::default();
                while let Some(document) = documents.next()? {
                    batch.document(&document, state, &mut part);
                }
                Ok::<_, Error>(part)
            },
            |block, part| {
                progress.reach(block.consumed);
                for (place, alike) in &part.alike {
                    self.count(is_empty.len() + *place as usize, alike, batch);
                }
                is_empty.extend(part.is_empty);
                has_copies.extend(part.has_copies);
                Ok(())
            },
        )?;
        (self.is_empty, self.has_copies) = (is_empty, has_copies);
        Ok(())
    }

    /// Counts a text of the sample and a document that are alike.
    ///
    /// A pair has two ends, and is seen at each that is drawn. None of the older corpus is drawn, so that a pair with
    /// it has both ends at its other document.
    fn count(&mut self, doc: usize, alike: &Alike, batch: &Batch<'_>) {
        let copies = batch.sampled.copies(alike.text);
        let found = u32::from(alike.is_found);
        let ends = match self.documents.get_mut(doc) {
            Some(of_document) => {
                of_document.of += copies;
                of_document.found += copies * found;
                1
            }
            None => 2,
        };
        let of_text = &mut self.texts[alike.text as usize];
        of_text.of += ends;
        of_text.found += ends * found;
        let Finished { plan, promised, .. } = batch.finished;
        let promised = promised.candidate(plan, alike.similarity);
        let ends = u64::from(ends * copies);
        let found = alike.is_found;
        self.buckets.add(alike.similarity, ends, found, promised);
    }
}

impl Batch<'_> {
    /// Compares a document with the texts that may be like it.
    fn document(&self, document: &Document<'_>, state: &mut State, part: &mut Part) {
        let place = part.is_empty.len() as u32;
        let State {
            counted,
            elements,
            seen,
            documents,
            candidates,
        } = state;
        elements.clear();
        self.counted.collect(document.text, counted, elements);
        part.is_empty.push(elements.is_empty());
        let skips_short = self.finished.config.family.short == Short::Skip;
        let (text, has_shingles) = (document.text, !elements.is_empty());
        let has_copies = identity::has_copies(text, has_shingles, self.shingler, skips_short);
        part.has_copies.push(has_copies);
        *documents += 1;
        candidates.clear();
        seen.resize(self.texts.len(), 0);
        for &element in &*elements {
            for &set in self.prefixes.with(element) {
                let last = &mut seen[set as usize];
                if *last != *documents {
                    *last = *documents;
                    candidates.push(set);
                }
            }
        }
        if candidates.is_empty() {
            return;
        }
        elements.sort_unstable();
        elements.dedup();
        let digest = self.finished.digest(document);
        let group = self.finished.group(document);
        for &number in &*candidates {
            let text = self.first + number;
            let Grouped { set, group: its } = &self.texts[number as usize];
            if *its != group || self.sampled.digest(text) == digest {
                continue;
            }
            let counts = Counts::of(set, elements);
            if reaches(counts, self.finished.config.threshold) {
                let alike = Alike {
                    text,
                    similarity: counts.similarity(),
                    is_found: self.listed.has(text, digest),
                };
                part.alike.push((place, alike));
            }
        }
    }
}
