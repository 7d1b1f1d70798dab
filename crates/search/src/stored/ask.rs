//! Queries to an index.

use std::ops::Range;

use xxhash_rust::xxh3::xxh3_128;

use super::{
    change::find,
    encoded::Encoded,
    fresh::Fresh,
    hashes::{Met, Posting, Worker},
    head::Bound,
    segment::{Found, Reading, Segment},
};
use crate::{Dataset, Error, Id};

/// What a query asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wanted {
    /// The most answers.
    pub k: usize,
    /// The largest distance of an answer.
    pub limit: f64,
    /// The most items that are compared: those that share the most buckets with the query.
    pub compared: usize,
}

impl Default for Wanted {
    /// The ten nearest among the first 65 536 candidates.
    fn default() -> Self {
        Self {
            k: 10,
            limit: f64::INFINITY,
            compared: 1 << 16,
        }
    }
}

/// A document that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Neighbour {
    /// Its id.
    pub id: Id,
    /// The exact distance.
    pub distance: f64,
}

/// The answer to a query.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The nearest first; of equally near ones the smaller id.
    pub found: Vec<Neighbour>,
    /// Whether the query has keys. One without anything to hash, such as an empty text, is like nothing.
    pub has_keys: bool,
    /// Items that share a bucket with the query; equal ones count once per segment.
    pub candidates: usize,
    /// Those that were compared.
    pub compared: usize,
}

/// What is searched: segments, and perhaps what is only in memory.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) bound: &'a Bound,
    pub(crate) segments: &'a [Segment],
    pub(crate) fresh: Option<&'a Fresh>,
}

/// Where an item is: in a segment, or after the last one what is fresh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct At {
    segment: u32,
    item: u32,
}

/// Memory that is used again from query to query.
#[derive(Default)]
pub(crate) struct Memory {
    keys: Vec<Posting>,
    met: Vec<At>,
    reading: Reading,
    encoded: Encoded,
    held: Vec<Held>,
}

/// An item that is compared.
#[derive(Clone, Copy, Debug)]
struct Held {
    at: At,
    /// `None` for what is fresh.
    found: Option<Found>,
}

impl<'a> View<'a> {
    /// Answers a query from buckets. `since` leaves out fresh items before that number and all segments.
    pub(crate) fn ask(
        self,
        worker: &mut dyn Worker,
        memory: &mut Memory,
        (data, place): (&Dataset, usize),
        wanted: &Wanted,
        since: Option<u32>,
    ) -> Result<Answer, Error> {
        let Memory {
            keys,
            met,
            reading,
            encoded,
            held,
        } = memory;
        keys.clear();
        worker.ask(data, place, keys)?;
        let verified = self.bound.hashes.verified();
        let mut chosen = match verified {
            Some(count) => self.ranked(worker, keys, reading, since, count)?,
            None => {
                met.clear();
                self.meet(keys, reading, since, |at, _, _| met.push(at))?;
                met.sort_unstable();
                let counted = met.chunk_by(|a, b| a == b);
                counted.map(|same| (same[0], same.len() as u32)).collect()
            }
        };
        let candidates = chosen.len();
        if chosen.len() > wanted.compared {
            self.keep_most_met(&mut chosen, wanted.compared, reading)?;
        }
        encoded.clear();
        held.clear();
        for &(at, _) in &chosen {
            self.hold(at, reading, encoded, held)?;
        }
        let near = worker.near(data, place, encoded, wanted.limit)?;
        let mut near: Vec<(f64, Held)> = near
            .iter()
            .map(|near| (near.distance, held[near.id as usize]))
            .collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(Answer {
            found: self.documents(&near, wanted.k, reading)?,
            has_keys: !keys.is_empty(),
            candidates,
            compared: held.len(),
        })
    }

    /// Visits all items that share a key with a query: which of the keys, and the payload.
    fn meet(
        self,
        keys: &[Posting],
        reading: &mut Reading,
        since: Option<u32>,
        mut visit: impl FnMut(At, u32, u64),
    ) -> Result<(), Error> {
        for (asked, key) in (0..).zip(keys) {
            if since.is_none() {
                for (segment, number) in self.segments.iter().zip(0..) {
                    segment.meet(key.band, key.hash, &mut reading.buffer, |entry| {
                        let item = entry.number;
                        visit(
                            At {
                                segment: number,
                                item,
                            },
                            asked,
                            entry.payload,
                        );
                    })?;
                }
            }
            let Some(fresh) = self.fresh else { continue };
            for &(item, payload) in fresh.meet(key) {
                if since.is_none_or(|since| item >= since) {
                    visit(self.fresh_at(item), asked, payload);
                }
            }
        }
        Ok(())
    }

    fn fresh_at(self, item: u32) -> At {
        At {
            segment: self.segments.len() as u32,
            item,
        }
    }

    /// The items that a family finds most promising.
    fn ranked(
        self,
        worker: &mut dyn Worker,
        keys: &[Posting],
        reading: &mut Reading,
        since: Option<u32>,
        count: usize,
    ) -> Result<Vec<(At, u32)>, Error> {
        let mut hits = Vec::new();
        self.meet(keys, reading, since, |at, asked, payload| {
            hits.push((at, asked, payload));
        })?;
        let mut items: Vec<At> = hits.iter().map(|hit| hit.0).collect();
        items.sort_unstable();
        items.dedup();
        // Numbers that do not depend on how the index came about: by what the items are.
        let mut living = Vec::with_capacity(items.len());
        for &at in &items {
            let count = self.count_living(at, reading)?;
            if count > 0 {
                living.push((self.digest(at, reading)?, at, count));
            }
        }
        living.sort_unstable();
        let equal: Vec<&[(u128, At, u32)]> = living.chunk_by(|a, b| a.0 == b.0).collect();
        let numbered = (0..).zip(&equal);
        let mut numbers: Vec<(At, u32)> = numbered
            .flat_map(|(number, equal)| equal.iter().map(move |it| (it.1, number)))
            .collect();
        numbers.sort_unstable();
        let number_of = |at: At| {
            let place = numbers.binary_search_by_key(&at, |it| it.0).ok()?;
            Some(numbers[place].1)
        };
        let mut met: Vec<Met> = hits
            .iter()
            .filter_map(|&(at, asked, payload)| {
                Some(Met {
                    asked,
                    number: number_of(at)?,
                    payload,
                    bucket: 0,
                })
            })
            .collect();
        met.sort_unstable_by_key(|met| (met.asked, met.number, met.payload));
        met.dedup();
        for bucket in met.chunk_by_mut(|a, b| a.asked == b.asked) {
            let documents = |met: &Met| equal[met.number as usize].iter().map(|it| it.2);
            let count = bucket.chunk_by(|a, b| a.number == b.number);
            let count: u32 = count.flat_map(|same| documents(&same[0])).sum();
            bucket.iter_mut().for_each(|met| met.bucket = count);
        }
        let ranked = worker.rank(&met).into_iter().take(count);
        let items = ranked.flat_map(|number| equal[number as usize].iter().map(|it| (it.1, 1)));
        Ok(items.collect())
    }

    /// Keeps the different items that share the most buckets, of those with equally many the ones with the smallest digests: so it
    /// does not depend on how the index came about.
    fn keep_most_met(
        self,
        chosen: &mut Vec<(At, u32)>,
        count: usize,
        reading: &mut Reading,
    ) -> Result<(), Error> {
        let mut ordered = Vec::with_capacity(chosen.len());
        for &(at, met) in &*chosen {
            ordered.push((std::cmp::Reverse(met), self.digest(at, reading)?, at));
        }
        ordered.sort_unstable();
        let different = ordered.chunk_by(|a, b| a.1 == b.1).take(count);
        chosen.clear();
        chosen.extend(different.flatten().map(|&(met, _, at)| (at, met.0)));
        Ok(())
    }

    /// A hash of the bytes of an item that tells it from all others.
    fn digest(self, at: At, reading: &mut Reading) -> Result<u128, Error> {
        Ok(xxh3_128(self.bytes(at, reading)?))
    }

    fn count_living(self, at: At, reading: &mut Reading) -> Result<u32, Error> {
        match (self.segments.get(at.segment as usize), self.fresh) {
            (Some(segment), _) => {
                let found = segment.item(at.item, reading)?;
                Ok(segment.count_living(&found)?)
            }
            (None, Some(fresh)) => Ok(fresh.draft.count_living(at.item)),
            (None, None) => Ok(0),
        }
    }

    /// The bytes of an item, as its kind encodes it.
    fn bytes<'r>(self, at: At, reading: &'r mut Reading) -> Result<&'r [u8], Error>
    where
        'a: 'r,
    {
        match (self.segments.get(at.segment as usize), self.fresh) {
            (Some(segment), _) => {
                let found = segment.item(at.item, reading)?;
                Ok(segment.bytes(&found, reading)?)
            }
            (None, Some(fresh)) => Ok(fresh.draft.bytes(at.item, &mut reading.unpacker)),
            (None, None) => Ok(&[]),
        }
    }

    /// The bytes of the item of a document.
    pub(crate) fn bytes_of(self, id: &Id, reading: &mut Reading) -> Result<Option<Vec<u8>>, Error> {
        let fresh = self
            .fresh
            .and_then(|fresh| fresh.draft.find(id).map(|it| fresh.draft.item_of(it)));
        let at = match fresh {
            Some(item) => Some(self.fresh_at(item)),
            None => find(self.segments, id, reading)?.map(|(segment, _, item)| At {
                segment: segment as u32,
                item,
            }),
        };
        at.map(|at| Ok(self.bytes(at, reading)?.to_vec()))
            .transpose()
    }

    /// Adds an item to those that are compared, if it has documents.
    fn hold(
        self,
        at: At,
        reading: &mut Reading,
        encoded: &mut Encoded,
        held: &mut Vec<Held>,
    ) -> Result<(), Error> {
        let found = match (self.segments.get(at.segment as usize), self.fresh) {
            (Some(segment), _) => {
                let found = segment.item(at.item, reading)?;
                if !segment.has_living(&found)? {
                    return Ok(());
                }
                encoded.push(segment.bytes(&found, reading)?);
                Some(found)
            }
            (None, Some(fresh)) => {
                if fresh.draft.count_living(at.item) == 0 {
                    return Ok(());
                }
                encoded.push(fresh.draft.bytes(at.item, &mut reading.unpacker));
                None
            }
            (None, None) => return Ok(()),
        };
        held.push(Held { at, found });
        Ok(())
    }

    /// The first `k` documents of items that come nearest first.
    fn documents(
        self,
        near: &[(f64, Held)],
        k: usize,
        reading: &mut Reading,
    ) -> Result<Vec<Neighbour>, Error> {
        let mut found = Vec::new();
        for equal in near.chunk_by(|a, b| a.0 == b.0) {
            let left = k - found.len();
            if left == 0 {
                break;
            }
            let mut ids = Vec::new();
            for (_, held) in equal {
                self.ids(held, left, reading, &mut ids)?;
            }
            ids.sort_unstable();
            let distance = equal[0].0;
            let ids = ids.into_iter().take(left);
            found.extend(ids.map(|id| Neighbour { id, distance }));
        }
        Ok(found)
    }

    /// Adds the ids of an item's documents, the smallest `most` of them.
    fn ids(
        self,
        held: &Held,
        most: usize,
        reading: &mut Reading,
        ids: &mut Vec<Id>,
    ) -> Result<(), Error> {
        match (&held.found, self.fresh) {
            (Some(found), _) => {
                let segment = &self.segments[held.at.segment as usize];
                let mut left = most;
                for document in found.item.first_document..found.end_document {
                    if left == 0 {
                        break;
                    }
                    if !segment.is_removed(document)? {
                        ids.push(segment.document(document, &mut reading.buffer)?.0);
                        left -= 1;
                    }
                }
            }
            (None, Some(fresh)) => {
                let own = fresh.ids(held.at.item).into_iter();
                ids.extend(own.take(most).cloned());
            }
            (None, None) => {}
        }
        Ok(())
    }

    /// Compares queries with every item.
    pub(crate) fn scan(
        self,
        data: &Dataset,
        places: Range<usize>,
        wanted: &Wanted,
    ) -> Result<Vec<Answer>, Error> {
        /// Items, and bytes of items, that are in memory at a time.
        const ITEMS: usize = 1 << 14;
        const BYTES: usize = 1 << 25;
        let mut best: Vec<Vec<Neighbour>> = vec![Vec::new(); places.len()];
        let mut compared = 0;
        let mut reading = Reading::default();
        let (mut encoded, mut held) = (Encoded::default(), Vec::new());
        let mut block = |encoded: &mut Encoded, held: &mut Vec<Held>, reading: &mut Reading| {
            compared += held.len();
            self.scan_block(
                encoded,
                held,
                (data, places.clone()),
                wanted,
                reading,
                &mut best,
            )?;
            encoded.clear();
            held.clear();
            Ok::<(), Error>(())
        };
        let numbered = (0..).zip(self.segments.iter().map(Segment::items));
        let fresh = self
            .fresh
            .map(|fresh| (self.segments.len() as u32, fresh.draft.items()));
        for (segment, items) in numbered.chain(fresh) {
            for item in 0..items {
                self.hold(At { segment, item }, &mut reading, &mut encoded, &mut held)?;
                if encoded.len() >= ITEMS || encoded.bytes() >= BYTES {
                    block(&mut encoded, &mut held, &mut reading)?;
                }
            }
        }
        block(&mut encoded, &mut held, &mut reading)?;
        let answer = |found| Answer {
            found,
            has_keys: true,
            candidates: compared,
            compared,
        };
        Ok(best.into_iter().map(answer).collect())
    }

    fn scan_block(
        self,
        encoded: &Encoded,
        held: &[Held],
        (data, places): (&Dataset, Range<usize>),
        wanted: &Wanted,
        reading: &mut Reading,
        best: &mut [Vec<Neighbour>],
    ) -> Result<(), Error> {
        if held.is_empty() {
            return Ok(());
        }
        // In the order of ids, so that of equally near items those with the smallest ids are among the first k.
        let mut order = Vec::with_capacity(held.len());
        for (place, held) in held.iter().enumerate() {
            let mut ids = Vec::new();
            self.ids(held, 1, reading, &mut ids)?;
            order.push((ids.pop(), place));
        }
        order.sort_unstable();
        let mut ordered = Encoded::default();
        order
            .iter()
            .for_each(|&(_, place)| ordered.push(encoded.get(place)));
        let (k, limit) = (wanted.k, wanted.limit);
        let near = self.bound.hashes.scan(&ordered, data, places, k, limit)?;
        for (best, near) in best.iter_mut().zip(near) {
            let near: Vec<(f64, Held)> = near
                .iter()
                .map(|near| (near.distance, held[order[near.id as usize].1]))
                .collect();
            best.extend(self.documents(&near, k, reading)?);
            best.sort_by(|a, b| {
                let distance = a.distance.total_cmp(&b.distance);
                distance.then_with(|| a.id.cmp(&b.id))
            });
            best.truncate(k);
        }
        Ok(())
    }
}
