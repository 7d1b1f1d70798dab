use std::{
    fmt,
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use lookalike_core::KeySource;

use crate::{
    BucketIndex, Error, Id,
    index::promised,
    query::Asked,
    spare::{ItemScratch, Spare},
};

/// What became of an item that was offered.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Offer {
    /// Nothing stored is near enough: it was stored, with this id.
    New(Id),
    /// It was not stored.
    Duplicate {
        /// The nearest stored item, of several the first.
        id: Id,
        /// Their distance.
        distance: f64,
    },
}

impl<S: KeySource> BucketIndex<S> {
    /// Stores an item unless one that meets it is near enough: `near` returns the distance if it is.
    ///
    /// Returns the nearest of several. For many threads there is [`Gate`].
    ///
    /// # Errors
    /// If the item has or asks too many keys, or if the index is full.
    pub fn insert_unless(
        &mut self,
        item: &S::Item,
        near: impl FnMut(Id) -> Option<f64>,
    ) -> Result<Offer, Error> {
        let mut scratch = self.spare.take();
        scratch.hash(&self.source, item)?;
        let offer = match self.nearest(&mut scratch, 0, near) {
            Some(duplicate) => duplicate,
            None => Offer::New(self.store(&scratch.keys)?),
        };
        self.spare.give_back(scratch);
        Ok(offer)
    }

    /// The nearest item that is near enough, among those with the id `since` or a larger one.
    fn nearest(
        &self,
        scratch: &mut ItemScratch<S>,
        since: Id,
        mut near: impl FnMut(Id) -> Option<f64>,
    ) -> Option<Offer> {
        let ItemScratch { asked, met, .. } = scratch;
        met.clear();
        self.meet(asked, since, |hit| met.push(hit.id));
        met.sort_unstable();
        met.dedup();
        let found = met.iter().filter_map(|&id| Some((id, near(id)?)));
        let nearest = found.min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map(|(id, distance)| Offer::Duplicate { id, distance })
    }
}

impl<S: KeySource> ItemScratch<S> {
    /// Notes the keys of an item: those it is stored under, and those it asks.
    fn hash(&mut self, source: &S, item: &S::Item) -> Result<(), Error> {
        let within = promised(source);
        let Self {
            of_source,
            keys,
            asked,
            ..
        } = self;
        keys.clear();
        asked.clear();
        let stored = source.keys(item, of_source, |band, key, payload| {
            within(band, key);
            keys.push((band, key, payload));
        });
        let ask = |band, key, payload| asked.push(Asked::new(band, key, payload));
        let asks = stored.and_then(|()| source.probes(item, of_source, ask));
        asks.map_err(Error::Query)
    }
}

/// Takes a stream of items from many threads, and stores those that are not near anything stored.
///
/// A thread that queries and then inserts leaves a moment in which another thread does the same, and both items are
/// stored. Here one of them is always the first: of items that all meet and are near each other, exactly one is
/// [new](Offer::New), however many threads offer them.
///
/// Items are hashed without a lock. An item is compared with what is stored while other threads compare theirs; only what
/// was stored in the meantime is compared under the exclusive lock. A value is stored with each item, to compare it by.
///
/// ```
/// # use lookalike_core::{KeySource, TooManyKeys};
/// use lookalike_engine::{Gate, Offer};
/// # #[derive(Clone)]
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
///
/// // Under this source words meet that share their first letter. Alike are those of the same length.
/// let gate = Gate::new(FirstLetter);
/// let offer = |word: &str| gate.offer(word, word.len(), |&length| (length == word.len()).then_some(0.0));
/// assert_eq!(offer("rose")?, Offer::New(0));
/// assert_eq!(offer("red")?, Offer::New(1));
/// std::thread::scope(|scope| {
///     for word in ["rust", "read", "rice"] {
///         scope.spawn(move || assert_eq!(offer(word).unwrap(), Offer::Duplicate { id: 0, distance: 0.0 }));
///     }
/// });
/// # Ok::<(), lookalike_engine::Error>(())
/// ```
pub struct Gate<S: KeySource, T> {
    source: S,
    stored: RwLock<GateParts<S, T>>,
    spare: Spare<ItemScratch<S>>,
}

/// What a [`Gate`] has stored.
#[derive(Debug)]
pub struct GateParts<S: KeySource, T> {
    /// The items.
    pub index: BucketIndex<S>,
    /// The value of each item, by its id.
    pub values: Vec<T>,
}

impl<S: KeySource + Clone, T> Gate<S, T> {
    /// Nothing is stored yet.
    pub fn new(source: S) -> Self {
        let stored = GateParts {
            index: BucketIndex::new(source.clone()),
            values: Vec::new(),
        };
        Self {
            source,
            stored: RwLock::new(stored),
            spare: Spare::new(),
        }
    }
}

impl<S: KeySource, T> Gate<S, T> {
    /// Stores an item, and a value with it, unless a stored item that meets it is near enough.
    ///
    /// `near` gets the value of a stored item and returns the distance if it is small enough. Other threads may wait for
    /// it.
    ///
    /// # Errors
    /// If the item has or asks too many keys, or if the gate is full.
    pub fn offer(
        &self,
        item: &S::Item,
        value: T,
        near: impl FnMut(&T) -> Option<f64>,
    ) -> Result<Offer, Error> {
        let mut scratch = self.spare.take();
        scratch.hash(&self.source, item)?;
        let offer = self.offer_hashed(&mut scratch, value, near)?;
        self.spare.give_back(scratch);
        Ok(offer)
    }

    fn offer_hashed(
        &self,
        scratch: &mut ItemScratch<S>,
        value: T,
        mut near: impl FnMut(&T) -> Option<f64>,
    ) -> Result<Offer, Error> {
        let mut look = |stored: &GateParts<S, T>, since: Id| {
            let near = |id: Id| near(&stored.values[id as usize]);
            stored.index.nearest(scratch, since, near)
        };
        let seen = {
            let stored = self.read();
            if let Some(duplicate) = look(&stored, 0) {
                return Ok(duplicate);
            }
            stored.index.given
        };
        let mut stored = self.write();
        if let Some(duplicate) = look(&stored, seen) {
            return Ok(duplicate);
        }
        let id = stored.index.store(&scratch.keys)?;
        stored.values.push(value);
        Ok(Offer::New(id))
    }

    /// Removes an item, so that items near it are new again. Returns whether it was there.
    pub fn remove(&self, id: Id) -> bool {
        self.write().index.remove(id)
    }

    /// How many items are stored.
    pub fn len(&self) -> usize {
        self.read().index.len()
    }

    /// Whether none is stored.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The items and their values.
    pub fn into_parts(self) -> GateParts<S, T> {
        let stored = self.stored.into_inner();
        stored.unwrap_or_else(PoisonError::into_inner)
    }

    // A panic of `near` leaves nothing half done: nothing is changed before it has answered.
    fn read(&self) -> RwLockReadGuard<'_, GateParts<S, T>> {
        self.stored.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, GateParts<S, T>> {
        self.stored.write().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<S: KeySource, T> fmt::Debug for Gate<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Gate");
        debug
            .field("source", &self.source.describe())
            .finish_non_exhaustive()
    }
}
