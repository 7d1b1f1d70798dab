//! The second pass: candidates are compared by what they say, exactly.
//!
//! Candidates come in batches. A batch is put into an order in which documents that are connected stand
//! together, so that each is read again about once however many candidates it has, and is cut into tasks.

use std::sync::Mutex;

use hashbrown::HashMap;
use lookalike_corpus::{Corpus, Place, Reader};
use lookalike_engine::{Id, Match, Pair};
use lookalike_minhash::{
    BagScratch, Counts, Elements, Overlap, SetOrBag, Shingler, ShinglerScratch,
};
use rayon::prelude::*;

use crate::{Error, find::Compared, held::Held};

/// Candidates that wait to be compared together.
pub(crate) const BATCH: usize = 1 << 20;
/// Candidates of one task, and how many more it may have to keep those of one item together.
const TASK: usize = 64;
const MORE: usize = 1 << 12;
/// Bytes of elements that the workers remember together.
const REMEMBERED: usize = 32 << 20;
/// What a product of a threshold and a count may be off by.
pub(crate) const ROUNDING: f64 = 1e-9;

/// Compares documents by their exact Jaccard similarity.
pub(crate) struct Exact<'a> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) counted: &'a SetOrBag<Shingler>,
    pub(crate) held: &'a Held,
    /// A document of each item.
    pub(crate) places: &'a (dyn Fn(Id) -> Place + Sync),
    pub(crate) threshold: f64,
    /// What is told how far it is.
    pub(crate) compared: &'a Compared<'a>,
    /// Workers that no task uses.
    pub(crate) idle: Mutex<Vec<Worker<'a>>>,
}

/// What one task at a time uses.
pub(crate) struct Worker<'a> {
    reader: Reader<'a>,
    counted: BagScratch<ShinglerScratch>,
    overlap: Overlap<'a>,
    /// The item in `overlap`.
    holds: Option<Id>,
    remembered: HashMap<Id, Vec<u64>>,
    bytes: usize,
}

impl<'a> Exact<'a> {
    /// Adds the matches among `candidates` to `matches`.
    pub(crate) fn run(
        &self,
        candidates: &mut [Pair],
        matches: &mut Vec<Match>,
    ) -> Result<(), Error> {
        order(candidates);
        let found: Vec<Vec<Match>> = tasks(candidates)
            .into_par_iter()
            .map(|task| {
                let idle = || self.idle.lock().expect("no task panics holding it");
                let worker = idle().pop();
                let mut worker = worker.unwrap_or_else(|| Worker::new(self.corpus));
                let found = worker.run(self, task);
                self.compared.add(task.len() as u64);
                idle().push(worker);
                found
            })
            .collect::<Result<_, Error>>()?;
        matches.extend(found.into_iter().flatten());
        Ok(())
    }
}

/// Whether a similarity reaches the threshold; a fraction that is the threshold does, however it is rounded.
pub(crate) fn reaches(counts: Counts, threshold: f64) -> bool {
    counts.a as f64 >= threshold * counts.union() as f64 - ROUNDING
}

impl<'a> Worker<'a> {
    fn new(corpus: &'a Corpus) -> Self {
        Self {
            reader: corpus.reader(),
            counted: BagScratch::default(),
            overlap: Overlap::default(),
            holds: None,
            remembered: HashMap::new(),
            bytes: 0,
        }
    }

    fn run(&mut self, exact: &Exact<'a>, task: &[Pair]) -> Result<Vec<Match>, Error> {
        let mut matches = Vec::new();
        for &pair in task {
            if self.holds != Some(pair.a()) {
                self.holds = None;
                match exact.held.get(pair.a()) {
                    Some(elements) => self.overlap.hold(elements),
                    None => {
                        let elements = self.elements(exact, pair.a())?.to_vec();
                        self.overlap.hold(elements);
                    }
                }
                self.holds = Some(pair.a());
            }
            let counts = match exact.held.get(pair.b()) {
                Some(elements) => self.overlap.compare(elements),
                None => {
                    self.elements(exact, pair.b())?;
                    self.overlap.compare(&self.remembered[&pair.b()])
                }
            };
            if reaches(counts, exact.threshold) {
                let distance = counts.distance();
                matches.push(Match { pair, distance });
            }
        }
        Ok(matches)
    }

    /// The elements of an item that is not held: remembered, or else read again.
    fn elements(&mut self, exact: &Exact<'a>, item: Id) -> Result<&[u64], Error> {
        if !self.remembered.contains_key(&item) {
            let document = self.reader.read(&(exact.places)(item))?;
            let mut elements = Vec::new();
            let scratch = &mut self.counted;
            exact.counted.collect(document.text, scratch, &mut elements);
            if self.bytes > REMEMBERED / rayon::current_num_threads() {
                self.remembered.clear();
                self.bytes = 0;
            }
            self.bytes += 8 * elements.capacity();
            self.remembered.insert(item, elements);
        }
        Ok(&self.remembered[&item])
    }
}

/// Puts pairs that are connected next to each other, and pairs with the same first item.
fn order(pairs: &mut [Pair]) {
    let mut numbers: HashMap<Id, u32> = HashMap::new();
    let mut parents: Vec<u32> = Vec::new();
    fn root(parents: &mut [u32], mut of: u32) -> u32 {
        while parents[of as usize] != of {
            let above = parents[parents[of as usize] as usize];
            parents[of as usize] = above;
            of = above;
        }
        of
    }
    let mut number = |id: Id, parents: &mut Vec<u32>| {
        *numbers.entry(id).or_insert_with(|| {
            parents.push(parents.len() as u32);
            parents.len() as u32 - 1
        })
    };
    let mut labelled: Vec<(u32, Pair)> = Vec::with_capacity(pairs.len());
    for &pair in &*pairs {
        let (a, b) = (
            number(pair.a(), &mut parents),
            number(pair.b(), &mut parents),
        );
        let (a, b) = (root(&mut parents, a), root(&mut parents, b));
        parents[a.max(b) as usize] = a.min(b);
        labelled.push((a, pair));
    }
    for (label, _) in &mut labelled {
        *label = root(&mut parents, *label);
    }
    labelled.sort_unstable();
    for (pair, (_, ordered)) in pairs.iter_mut().zip(labelled) {
        *pair = ordered;
    }
}

/// Cuts where the first item changes.
fn tasks(pairs: &[Pair]) -> Vec<&[Pair]> {
    let mut tasks = Vec::new();
    let mut rest = pairs;
    while !rest.is_empty() {
        let mut end = TASK.min(rest.len());
        while end < rest.len().min(MORE) && rest[end].a() == rest[end - 1].a() {
            end += 1;
        }
        let (task, after) = rest.split_at(end);
        tasks.push(task);
        rest = after;
    }
    tasks
}
