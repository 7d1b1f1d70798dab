use std::fmt;

use lookalike_core::{Items, KeySource, Payload};
use rayon::prelude::*;

use crate::{
    Error, Id, Pair, Query,
    frozen::{Frozen, Posting},
    gathered::Gathered,
    marks::Marks,
    recent::Recent,
    runs::{in_batches, in_runs},
    spare::{ItemScratch, Spare},
};

/// Buckets that answer queries: which stored items share a key with this one?
///
/// An index has a *frozen* part, compact and quick to read, a *recent* part, quick to add to, and marks
/// for what was removed. Ids count insertions and are never used again. [`freeze`](BucketIndex::freeze) moves
/// everything to the frozen part and forgets the keys of removed items; it takes time in proportion to the index, so call
/// it after many changes, not after each.
///
/// Readers share `&BucketIndex`, each with a [`Query`] of its own.
///
/// ```
/// # use lookalike_core::{KeySource, TooManyKeys};
/// # use lookalike_engine::BucketIndex;
/// # struct FirstLetter;
/// # impl KeySource for FirstLetter {
/// #     type Item = str; type Payload = (); type Scratch = ();
/// #     fn bands(&self) -> usize { 1 }
/// #     fn key_bits(&self) -> u32 { 8 }
/// #     fn describe(&self) -> String { "FirstLetter".into() }
/// #     fn keys(&self, word: &str, _: &mut (), mut emit: impl FnMut(u32, u64, ())) -> Result<(), TooManyKeys> {
/// #         word.as_bytes().first().into_iter().for_each(|&letter| emit(0, letter.into(), ()));
/// #         Ok(())
/// #     }
/// # }
/// // A source under which words meet that share their first letter:
/// let mut index = BucketIndex::build(FirstLetter, &["rose", "white", "red"])?;
/// let read = index.insert("read")?;
/// assert_eq!(index.query().candidates("rust")?, [0, 2, 3]);
/// assert!(index.remove(read));
/// assert_eq!(index.query().candidates("rust")?, [0, 2]);
/// # Ok::<(), lookalike_engine::Error>(())
/// ```
pub struct BucketIndex<S: KeySource> {
    pub(crate) source: S,
    pub(crate) frozen: Vec<Frozen<S::Payload>>,
    pub(crate) recent: Vec<Recent<S::Payload>>,
    pub(crate) removed: Marks,
    /// Ids given so far.
    pub(crate) given: u32,
    pub(crate) spare: Spare<ItemScratch<S>>,
}

/// Items that a bulk build hashes between two moments of gathering.
const WAVE: usize = 1 << 16;
/// Items that one thread hashes at a time.
const RUN: usize = 256;

impl<S: KeySource> BucketIndex<S> {
    /// An empty index.
    pub fn new(source: S) -> Self {
        let bands = source.bands();
        let bits = source.key_bits();
        let frozen = || Frozen::build(bits, Gathered::with_capacity(bits, 0));
        Self {
            frozen: (0..bands).map(|_| frozen()).collect(),
            recent: (0..bands).map(|_| Recent::new()).collect(),
            removed: Marks::default(),
            given: 0,
            spare: Spare::new(),
            source,
        }
    }

    /// A frozen index of all `items`, whose ids are their places.
    ///
    /// # Errors
    /// If an item has too many keys, or if there are too many items.
    pub fn build(source: S, items: &(impl Items<S::Item> + ?Sized)) -> Result<Self, Error> {
        let mut index = Self::new(source);
        let count = items.count();
        let mut bands = index.gather(|_| count);
        for start in (0..count).step_by(WAVE) {
            let end = count.min(start + WAVE);
            index.give(end - start)?;
            let runs = in_runs(start..end, RUN, &|| {
                let (mut scratch, index, bands) = (S::Scratch::default(), &index, bands.len());
                Box::new(move |run| {
                    let mut postings = Vec::with_capacity(run.len() * bands);
                    in_batches(run, items, |first, batch| {
                        let emit = |band, posting| postings.push((band, posting));
                        index.hash_all(first as Id, batch, &mut scratch, emit)
                    })?;
                    Ok(postings)
                })
            })?;
            for (band, posting) in runs.into_iter().flatten() {
                bands[band as usize].push(posting);
            }
        }
        index.refreeze(bands)?;
        Ok(index)
    }

    /// Stores an item and gives it the next id.
    ///
    /// # Errors
    /// If the item has too many keys, or the index too many items.
    pub fn insert(&mut self, item: &S::Item) -> Result<Id, Error> {
        let mut scratch = self.spare.take();
        let ItemScratch { of_source, keys } = &mut scratch;
        keys.clear();
        self.hash(self.given, item, of_source, |band, posting| {
            keys.push((band, posting.key, posting.payload))
        })?;
        let id = self.given;
        self.give(1)?;
        for &(band, key, payload) in &*keys {
            self.recent[band as usize].add(Posting { key, id, payload })?;
        }
        self.spare.give_back(scratch);
        Ok(id)
    }

    /// Removes an item. Whether it was there.
    pub fn remove(&mut self, id: Id) -> bool {
        self.contains(id) && self.removed.mark(id)
    }

    /// Whether an item with this id is stored.
    #[must_use]
    pub fn contains(&self, id: Id) -> bool {
        id < self.given && !self.removed.has(id)
    }

    /// How many items are stored.
    #[must_use]
    pub fn len(&self) -> usize {
        (self.given - self.removed.count()) as usize
    }

    /// Bytes of memory that the frozen part takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.frozen.iter().map(Frozen::bytes).sum()
    }

    /// Whether none is stored.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The source of the keys.
    pub fn source(&self) -> &S {
        &self.source
    }

    /// A reader.
    pub fn query(&self) -> Query<'_, S> {
        Query::new(self)
    }

    /// The keys of a band, each with the item that is stored under it, in no particular order.
    ///
    /// # Panics
    /// If the source has no such band.
    pub fn keys(&self, band: usize) -> impl Iterator<Item = Posting<S::Payload>> {
        let frozen = self.frozen[band].postings();
        let all = frozen.chain(self.recent[band].postings());
        all.filter(|posting| !self.removed.has(posting.id))
    }

    /// All pairs of `items` of which one meets the other when it is asked for, in the order of ids. The items are those
    /// that the index was built from, in the same order.
    ///
    /// For sources that [probe](KeySource::has_probes): a [`Join`](crate::Join) sees stored keys alone. All pairs
    /// are held in memory.
    ///
    /// # Errors
    /// If an item asks too many keys.
    pub fn pairs(&self, items: &(impl Items<S::Item> + ?Sized)) -> Result<Vec<Pair>, Error> {
        let pairs = in_runs(0..items.count(), 1, &|| {
            let mut query = self.query();
            Box::new(move |run| {
                let asked = run.start;
                let met = query.candidates(items.item(asked))?.iter();
                let stored = Id::try_from(asked)
                    .ok()
                    .filter(|&asked| self.contains(asked));
                Ok(met.filter_map(|&met| Pair::new(stored?, met)).collect())
            })
        })?;
        Ok(each_once(&pairs))
    }

    /// Moves everything to the frozen part and forgets the keys of removed items.
    ///
    /// # Errors
    /// If a band has more postings than fit one frozen part. Nothing is changed then.
    pub fn freeze(&mut self) -> Result<(), Error> {
        self.check_room(None)?;
        let bands = self.take_postings(0);
        self.refreeze(bands)
    }

    /// Takes over the items of another index of the same source. Their ids grow by the returned number: the
    /// number of ids that this index had given.
    ///
    /// # Errors
    /// If the other index has another source, or if both together are too large. Nothing is changed then.
    pub fn merge(&mut self, mut other: Self) -> Result<u32, Error> {
        let (ours, theirs) = (self.source.describe(), other.source.describe());
        if ours != theirs {
            return Err(Error::Merge { ours, theirs });
        }
        self.check_room(Some(&other))?;
        let shift = self.given;
        self.give(other.given as usize)?;
        for id in (0..other.given).filter(|&id| other.removed.has(id)) {
            self.removed.mark(id + shift);
        }
        let mut bands = self.take_postings(0);
        for (band, more) in bands.iter_mut().zip(other.take_postings(shift)) {
            band.append(more);
        }
        self.refreeze(bands)?;
        Ok(shift)
    }

    /// Whether everything is in the frozen part.
    pub(crate) fn is_frozen(&self) -> bool {
        self.recent.iter().all(Recent::is_empty)
    }

    /// Whether all postings of each band fit one frozen part; asked before anything is moved.
    fn check_room(&self, other: Option<&Self>) -> Result<(), Error> {
        let postings =
            |index: &Self, band: usize| index.frozen[band].ids.len() + index.recent[band].len();
        let all = |band| postings(self, band) + other.map_or(0, |other| postings(other, band));
        let fits = (0..self.frozen.len()).all(|band| u32::try_from(all(band)).is_ok());
        if fits { Ok(()) } else { Err(Error::TooMany) }
    }

    fn give(&mut self, ids: usize) -> Result<(), Error> {
        let more = u32::try_from(ids).ok();
        self.given = more
            .and_then(|more| self.given.checked_add(more))
            .ok_or(Error::TooMany)?;
        Ok(())
    }

    fn hash(
        &self,
        id: Id,
        item: &S::Item,
        scratch: &mut S::Scratch,
        mut emit: impl FnMut(u32, Posting<S::Payload>),
    ) -> Result<(), Error> {
        let within = promised(&self.source);
        let emit = |band: u32, key: u64, payload| {
            within(band, key);
            emit(band, Posting { key, id, payload });
        };
        let keys = self.source.keys(item, scratch, emit);
        keys.map_err(|source| Error::Keys { item: id, source })
    }

    /// The postings of items whose ids start with `first`.
    fn hash_all(
        &self,
        first: Id,
        items: &[&S::Item],
        scratch: &mut S::Scratch,
        mut emit: impl FnMut(u32, Posting<S::Payload>),
    ) -> Result<(), Error> {
        let within = promised(&self.source);
        let emit = |place, band: u32, key: u64, payload| {
            within(band, key);
            let id = first + place as Id;
            emit(band, Posting { key, id, payload });
        };
        let keys = self.source.keys_of_all(items, scratch, emit);
        keys.map_err(|(place, source)| Error::Keys {
            item: first + place as Id,
            source,
        })
    }

    /// Room for the given number of postings in each band.
    fn gather(&self, postings: impl Fn(usize) -> usize) -> Vec<Gathered<S::Payload>> {
        let bits = self.source.key_bits();
        let room = |band| Gathered::with_capacity(bits, postings(band));
        (0..self.frozen.len()).map(room).collect()
    }

    /// The postings of all bands, their ids grown by `shift`, and without those of removed items.
    fn take_postings(&mut self, shift: u32) -> Vec<Gathered<S::Payload>> {
        let mut bands = self.gather(|band| self.frozen[band].ids.len() + self.recent[band].len());
        let removed = &self.removed;
        let all = bands.par_iter_mut().zip(&self.frozen).zip(&mut self.recent);
        all.for_each(|((band, frozen), recent)| {
            let recent = std::mem::replace(recent, Recent::new());
            let both = frozen.postings().chain(recent.postings());
            for posting in both.filter(|posting| !removed.has(posting.id)) {
                band.push(Posting {
                    id: posting.id + shift,
                    ..posting
                });
            }
        });
        bands
    }

    fn refreeze(&mut self, bands: Vec<Gathered<S::Payload>>) -> Result<(), Error> {
        if bands
            .iter()
            .any(|postings| u32::try_from(postings.len()).is_err())
        {
            return Err(Error::TooMany);
        }
        self.frozen = frozen(self.source.key_bits(), bands);
        Ok(())
    }
}

/// The frozen parts of all bands. It knows the payload alone, so that it is compiled once and not once per source.
fn frozen<P: Payload>(bits: u32, bands: Vec<Gathered<P>>) -> Vec<Frozen<P>> {
    let frozen = |postings| Frozen::build(bits, postings);
    bands.into_par_iter().map(frozen).collect()
}

/// All pairs once, in the order of ids.
fn each_once(pairs: &[Vec<Pair>]) -> Vec<Pair> {
    let mut pairs = pairs.concat();
    pairs.par_sort_unstable();
    pairs.dedup();
    pairs
}

/// Asserts that a source emits what it says it does.
fn promised<S: KeySource>(source: &S) -> impl Fn(u32, u64) {
    let (bands, bits) = (source.bands(), source.key_bits());
    move |band, key| {
        assert!(
            (band as usize) < bands,
            "the source has {bands} bands, but emits band {band}"
        );
        assert!(
            key.checked_shr(bits).unwrap_or(0) == 0,
            "the source has keys of {bits} bits, but emits {key:#x}"
        );
    }
}

impl<S: KeySource> fmt::Debug for BucketIndex<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("BucketIndex");
        debug
            .field("source", &self.source.describe())
            .field("items", &self.len())
            .finish_non_exhaustive()
    }
}
