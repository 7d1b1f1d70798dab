use std::{
    fmt,
    sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
};

use lookalike_core::KeySource;

use crate::{BucketIndex, Error, Id, index::promised, query::Asked};

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
    /// Stores an item unless one that meets it is near enough: `near` gives the distance of those that are.
    ///
    /// Of several the nearest is answered. For many threads there is [`Gate`].
    pub fn insert_unless(
        &mut self,
        item: &S::Item,
        near: impl FnMut(Id) -> Option<f64>,
    ) -> Result<Offer, Error> {
        let mut hashed = Hashed::new(&self.source, item)?;
        match self.nearest(&mut hashed, 0, near) {
            Some(duplicate) => Ok(duplicate),
            None => self.store(&hashed.keys).map(Offer::New),
        }
    }

    /// The nearest item, from the id `since` on, of those that are near enough.
    fn nearest(
        &self,
        hashed: &mut Hashed<S>,
        since: Id,
        mut near: impl FnMut(Id) -> Option<f64>,
    ) -> Option<Offer> {
        let mut met = Vec::new();
        self.meet(&mut hashed.asked, since, |hit| met.push(hit.id));
        met.sort_unstable();
        met.dedup();
        let found = met.into_iter().filter_map(|id| Some((id, near(id)?)));
        let nearest = found.min_by(|a, b| a.1.total_cmp(&b.1));
        nearest.map(|(id, distance)| Offer::Duplicate { id, distance })
    }
}

/// The keys of an item: those it is stored under, and those it asks.
struct Hashed<S: KeySource> {
    keys: Vec<(u32, u64, S::Payload)>,
    asked: Vec<Asked<S::Payload>>,
}

impl<S: KeySource> Hashed<S> {
    fn new(source: &S, item: &S::Item) -> Result<Self, Error> {
        let within = promised(source);
        let scratch = &mut S::Scratch::default();
        let (mut keys, mut asked) = (Vec::new(), Vec::new());
        let stored = source.keys(item, scratch, |band, key, payload| {
            within(band, key);
            keys.push((band, key, payload));
        });
        let ask = |band, key, payload| asked.push(Asked::new(band, key, payload));
        let asks = stored.and_then(|()| source.probes(item, scratch, ask));
        asks.map_err(Error::Query)?;
        Ok(Self { keys, asked })
    }
}

/// A stream of items from many threads, of which those are stored that nothing stored is like.
///
/// To look whether something alike is there and then to insert leaves a moment in which another thread does the same, and
/// both items are in. Here one of them is always the first: of items of which each is near enough to
/// every other, and meets it, exactly one is [new](Offer::New), however many threads offer them.
///
/// Items are hashed without a lock. What is stored already is compared while others compare, too; only what came in the
/// meantime is compared while the item's place is kept. A value is stored with each item: what it is compared by.
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
    stored: RwLock<Stored<S, T>>,
}

struct Stored<S: KeySource, T> {
    index: BucketIndex<S>,
    /// By id.
    values: Vec<T>,
}

impl<S: KeySource + Clone, T> Gate<S, T> {
    /// Nothing is stored yet.
    pub fn new(source: S) -> Self {
        let stored = Stored {
            index: BucketIndex::new(source.clone()),
            values: Vec::new(),
        };
        Self {
            source,
            stored: RwLock::new(stored),
        }
    }
}

impl<S: KeySource, T> Gate<S, T> {
    /// Stores an item, and a value with it, unless a stored one that meets it is near enough.
    ///
    /// `near` is asked with the values of those that meet it, and gives their distance if it is small enough; it may be
    /// asked while others wait.
    pub fn offer(
        &self,
        item: &S::Item,
        value: T,
        mut near: impl FnMut(&T) -> Option<f64>,
    ) -> Result<Offer, Error> {
        let mut hashed = Hashed::new(&self.source, item)?;
        let mut look = |stored: &Stored<S, T>, since: Id| {
            let near = |id: Id| near(&stored.values[id as usize]);
            stored.index.nearest(&mut hashed, since, near)
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
        let id = stored.index.store(&hashed.keys)?;
        stored.values.push(value);
        Ok(Offer::New(id))
    }

    /// Removes an item: what is like it will be new again. Whether it was there.
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

    /// The items, and the value of each by its id.
    pub fn into_parts(self) -> (BucketIndex<S>, Vec<T>) {
        let stored = self.stored.into_inner();
        let Stored { index, values } = stored.unwrap_or_else(PoisonError::into_inner);
        (index, values)
    }

    // A panic of `near` leaves nothing half done: nothing is changed before it has answered.
    fn read(&self) -> RwLockReadGuard<'_, Stored<S, T>> {
        self.stored.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Stored<S, T>> {
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
