use std::{fmt, ops::Range};

use lookalike_core::{KeySource, Near};

use crate::{BucketIndex, Error, Hit, Id};

/// An item that shares keys with a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HitCount {
    /// The stored item.
    pub id: Id,
    /// The number of its [hits](Query::hits).
    pub hits: u32,
}

/// A reader of a [`BucketIndex`], with memory that it uses again from query to query.
///
/// [`hits`](Query::hits) visits everything that a query meets; the other methods summarise it.
pub struct Query<'a, S: KeySource> {
    index: &'a BucketIndex<S>,
    scratch: S::Scratch,
    asked: Vec<Asked<S::Payload>>,
    pub(crate) met: Vec<Id>,
    counts: Vec<HitCount>,
    pub(crate) near: Vec<Near>,
}

/// A key that is asked for, and where its postings are.
#[derive(Clone, Debug)]
pub(crate) struct Asked<P> {
    band: u32,
    key: u64,
    payload: P,
    slot: Range<u32>,
}

impl<P> Asked<P> {
    pub(crate) fn new(band: u32, key: u64, payload: P) -> Self {
        let slot = 0..0;
        Self {
            band,
            key,
            payload,
            slot,
        }
    }
}

impl<'a, S: KeySource> Query<'a, S> {
    pub(crate) fn new(index: &'a BucketIndex<S>) -> Self {
        Self {
            index,
            scratch: S::Scratch::default(),
            asked: Vec::new(),
            met: Vec::new(),
            counts: Vec::new(),
            near: Vec::new(),
        }
    }

    /// Visits every hit: an item once for each key that it shares with the query.
    ///
    /// # Errors
    /// If the query asks too many keys.
    pub fn hits(
        &mut self,
        item: &S::Item,
        visit: impl FnMut(Hit<S::Payload>),
    ) -> Result<(), Error> {
        self.ask(item)?;
        self.index.meet(&mut self.asked, visit);
        Ok(())
    }

    /// The stored items that share a key with `item`, each once, by id.
    ///
    /// # Errors
    /// If the query asks too many keys.
    pub fn candidates(&mut self, item: &S::Item) -> Result<&[Id], Error> {
        self.collect(item)?;
        self.met.dedup();
        Ok(&self.met)
    }

    /// The stored items that share a key with `item`, by id, each with the number of hits.
    ///
    /// # Errors
    /// If the query asks too many keys.
    pub fn votes(&mut self, item: &S::Item) -> Result<&[HitCount], Error> {
        self.collect(item)?;
        self.counts.clear();
        let same = self.met.chunk_by(|a, b| a == b);
        self.counts.extend(same.map(|same| HitCount {
            id: same[0],
            hits: same.len() as u32,
        }));
        Ok(&self.counts)
    }

    fn collect(&mut self, item: &S::Item) -> Result<(), Error> {
        self.meet(item)?;
        self.met.sort_unstable();
        Ok(())
    }

    /// Gathers the ids of all hits.
    pub(crate) fn meet(&mut self, item: &S::Item) -> Result<(), Error> {
        self.ask(item)?;
        self.index.meet_ids(&mut self.asked, &mut self.met);
        Ok(())
    }

    /// Notes the keys that are asked for.
    fn ask(&mut self, item: &S::Item) -> Result<(), Error> {
        self.asked.clear();
        let ask = |band, key, payload| self.asked.push(Asked::new(band, key, payload));
        let asked = self.index.source.probes(item, &mut self.scratch, ask);
        asked.map_err(Error::Query)
    }
}

impl<S: KeySource> BucketIndex<S> {
    /// Where the postings of each key are. Several loops, so that the memory accesses of all keys are under way together.
    #[inline(always)]
    fn find(&self, asked: &mut [Asked<S::Payload>]) {
        for asked in &*asked {
            self.frozen[asked.band as usize].expect(asked.key);
        }
        for asked in &mut *asked {
            asked.slot = self.frozen[asked.band as usize].slot(asked.key);
        }
        for asked in asked {
            asked.slot = self.frozen[asked.band as usize].narrow(asked.key, asked.slot.clone());
        }
    }

    /// Puts the ids of all hits into `met`.
    fn meet_ids(&self, asked: &mut [Asked<S::Payload>], met: &mut Vec<Id>) {
        self.find(asked);
        met.clear();
        let mut filled = 0;
        for asked in &*asked {
            let frozen = &self.frozen[asked.band as usize];
            frozen.copy_ids(asked.slot.clone(), met, &mut filled);
        }
        met.truncate(filled);
        if !self.is_frozen() {
            for asked in asked {
                let recent = self.recent[asked.band as usize].of(asked.key);
                met.extend(recent.map(|(id, _)| id));
            }
        }
        if self.removed.count() > 0 {
            met.retain(|&id| !self.removed.has(id));
        }
    }

    /// Visits the stored items, once for each of the keys that they have.
    fn meet(&self, asked: &mut [Asked<S::Payload>], mut visit: impl FnMut(Hit<S::Payload>)) {
        self.find(asked);
        for asked in asked {
            let band = asked.band as usize;
            let frozen = self.frozen[band].read(asked.slot.clone());
            let bucket = asked.slot.len() + self.recent[band].of(asked.key).count();
            for (id, stored) in frozen.chain(self.recent[band].of(asked.key)) {
                if !self.removed.has(id) {
                    visit(Hit {
                        id,
                        band: asked.band,
                        stored,
                        asked: asked.payload,
                        bucket: bucket as u32,
                    });
                }
            }
        }
    }
}

impl<S: KeySource> fmt::Debug for Query<'_, S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query")
            .field("index", self.index)
            .finish_non_exhaustive()
    }
}
