use lookalike_core::KeySource;
use lookalike_engine::{Id as Number, Query};
use lookalike_minhash::ShinglerScratch;
use rayon::prelude::*;

use crate::{
    Error, Id, TextIndex,
    compare::{Compare, reaching},
    file::{Item, Stored},
    hashing::{Hashing, KeyScratch},
};

/// How many candidates are compared at most, unless another limit is asked for.
pub const LIMIT: usize = 1 << 16;

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ask {
    /// At most so many documents.
    pub k: usize,
    /// Only documents at least so similar, from 0 to 1.
    pub min: f64,
    /// At most so many texts are compared, those first that share the most buckets.
    pub limit: usize,
}

impl Default for Ask {
    fn default() -> Self {
        Self {
            k: 10,
            min: 0.0,
            limit: LIMIT,
        }
    }
}

impl Ask {
    /// Refuses numbers outside their range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        match (0.0..=1.0).contains(&self.min) {
            true => Ok(()),
            false => Err(Error::Parameter {
                name: "min",
                value: self.min,
                expected: "from 0 to 1",
            }),
        }
    }
}

/// A document that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct SimilarText {
    /// Its id.
    pub id: Id,
    /// The Jaccard similarity, exactly.
    pub similarity: f64,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The most similar first; of equals the smaller id.
    pub hits: Vec<SimilarText>,
    /// Whether the text that was asked for has a shingle; without one it is like nothing.
    pub has_shingles: bool,
    /// Texts that share a bucket with the one asked for.
    pub candidates: usize,
    /// Those that were compared; fewer where the limit is smaller.
    pub compared: usize,
}

/// A reader of a [`TextIndex`]. One for each thread.
#[derive(Debug)]
pub struct Searcher<'a> {
    index: &'a TextIndex,
    fresh: Query<'a, Hashing>,
    memory: Memory,
}

/// What a reader uses again from query to query. The index keeps it for the next reader.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    compare: Compare,
    shingler: ShinglerScratch,
    elements: Vec<u64>,
    keys: KeyScratch,
    asked: Vec<(u32, u64)>,
    met: Vec<u32>,
    buffer: Vec<u8>,
}

impl Drop for Searcher<'_> {
    fn drop(&mut self) {
        self.index.give_back(std::mem::take(&mut self.memory));
    }
}

/// A text that shares a bucket with the one asked for.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    place: Place,
    buckets: u32,
}

#[derive(Clone, Copy, Debug)]
enum Place {
    Stored(u32),
    Fresh(Number),
}

/// From so many candidates on they are compared on all threads.
const MANY: usize = 256;
/// Candidates of one task.
const TASK: usize = 32;

impl<'a> Searcher<'a> {
    pub(crate) fn new(index: &'a TextIndex) -> Self {
        Self {
            index,
            fresh: index.fresh.index.query(),
            memory: index.memory(),
        }
    }

    /// The documents that are most like a text.
    pub fn ask(&mut self, text: &str, ask: &Ask) -> Result<Answer, Error> {
        ask.check()?;
        let Memory {
            shingler, elements, ..
        } = &mut self.memory;
        self.index.hashing.elements(text, shingler, elements);
        let has_shingles = !elements.is_empty();
        let mut candidates = self.candidates()?;
        let met = candidates.len();
        if met > ask.limit {
            candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.buckets));
            candidates.truncate(ask.limit);
        }
        if !candidates.is_empty() {
            self.memory.compare.hold(&self.memory.elements);
        }
        let similar = self.similar(&candidates, ask.min)?;
        Ok(Answer {
            hits: self.rank(similar, ask.k)?,
            has_shingles,
            candidates: met,
            compared: candidates.len(),
        })
    }

    /// The texts that share a bucket.
    fn candidates(&mut self) -> Result<Vec<Candidate>, Error> {
        let index = self.index;
        let Memory {
            elements,
            keys,
            asked,
            met,
            buffer,
            ..
        } = &mut self.memory;
        let mut candidates = Vec::new();
        if let Some(stored) = &index.stored {
            asked.clear();
            met.clear();
            let keys = index.hashing.keys(elements, keys, |band, key, ()| {
                asked.push((band, key));
            });
            keys.map_err(lookalike_engine::Error::Query)?;
            for &(band, key) in &*asked {
                stored.meet(band, key, buffer, |item| met.push(item))?;
            }
            met.sort_unstable();
            let counted = met.chunk_by(|a, b| a == b).map(|same| Candidate {
                place: Place::Stored(same[0]),
                buckets: same.len() as u32,
            });
            candidates.extend(counted);
        }
        if !index.fresh.index.is_empty() {
            let votes = self.fresh.votes(elements)?.iter();
            candidates.extend(votes.map(|met| Candidate {
                place: Place::Fresh(met.id),
                buckets: met.hits,
            }));
        }
        Ok(candidates)
    }

    /// Those that are similar enough, with their similarity.
    fn similar(
        &mut self,
        candidates: &[Candidate],
        min: f64,
    ) -> Result<Vec<(f64, Similar<'a>)>, Error> {
        let index = self.index;
        if candidates.len() < MANY {
            let Memory {
                compare, buffer, ..
            } = &mut self.memory;
            let compared = candidates
                .iter()
                .map(|candidate| index.compare(candidate, min, compare, buffer));
            return compared.filter_map(Result::transpose).collect();
        }
        let first = &self.memory.compare;
        let compared = candidates.par_chunks(TASK).map_init(
            || (first.again(), Vec::new()),
            |(compare, buffer), task| {
                let compared = task
                    .iter()
                    .map(|candidate| index.compare(candidate, min, compare, buffer));
                compared.filter_map(Result::transpose).collect()
            },
        );
        let compared: Vec<Vec<_>> = compared.collect::<Result<_, Error>>()?;
        Ok(compared.into_iter().flatten().collect())
    }

    /// The documents of the most similar texts.
    fn rank(
        &mut self,
        mut similar: Vec<(f64, Similar<'a>)>,
        k: usize,
    ) -> Result<Vec<SimilarText>, Error> {
        similar.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut hits = Vec::new();
        for equal in similar.chunk_by(|a, b| a.0 == b.0) {
            let left = k - hits.len();
            if left == 0 {
                break;
            }
            let mut ids = Vec::new();
            for (_, similar) in equal {
                match similar {
                    Similar::Fresh(number) => {
                        let text = &self.index.fresh.texts[*number as usize];
                        ids.extend(text.ids.iter().take(left).cloned());
                    }
                    Similar::Stored(stored, item) => {
                        let removed = &self.index.removed;
                        let buffer = &mut self.memory.buffer;
                        ids.extend(stored.ids_of(item, left, removed, buffer)?);
                    }
                }
            }
            ids.sort_unstable();
            let similarity = equal[0].0;
            let best = ids.into_iter().take(left);
            hits.extend(best.map(|id| SimilarText { id, similarity }));
        }
        Ok(hits)
    }
}

/// A text that is similar enough.
#[derive(Clone, Copy, Debug)]
enum Similar<'a> {
    Stored(&'a Stored, Item),
    Fresh(Number),
}

impl TextIndex {
    fn compare(
        &self,
        candidate: &Candidate,
        min: f64,
        compare: &mut Compare,
        buffer: &mut Vec<u8>,
    ) -> Result<Option<(f64, Similar<'_>)>, Error> {
        let (counts, similar) = match (candidate.place, &self.stored) {
            (Place::Stored(number), Some(stored)) => {
                let item = stored.item(number, buffer)?;
                if self.removed.has_all_of(number, &item) {
                    return Ok(None);
                }
                let counts = compare.stored(&self.hashing, stored, &item)?;
                (counts, Similar::Stored(stored, item))
            }
            (Place::Stored(_), None) => return Ok(None),
            (Place::Fresh(number), _) => {
                let text = &self.fresh.texts[number as usize].text;
                (compare.text(&self.hashing, text), Similar::Fresh(number))
            }
        };
        Ok(reaching(counts, min).map(|similarity| (similarity, similar)))
    }
}
