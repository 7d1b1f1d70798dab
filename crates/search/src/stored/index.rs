//! An index in a program: asked and changed by several threads.

use std::{
    io::Write,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
    time::Duration,
};

use lookalike_core::Bounds;
use lookalike_output::Progress;
use lookalike_store::{Store, Writer};

use super::{
    ask::{Answer, Memory, Neighbour, View, Wanted},
    change::{Change, PreparedItem, find, open_segments},
    fresh::Fresh,
    hashes::Worker,
    head::{Bound, Manifest},
    merge::merge,
    pack::Packer,
    segment::{Reading, Segment},
};
use crate::{Dataset, Error, Id, Plan, Registry, Table};

/// Items that are found by their similarity, in memory or in a file.
///
/// What comes from a file stays there, and is read as far as a query needs it. Changes are in memory, visible to all threads at
/// once, until they are [committed](Index::commit) to the file or [saved](Index::save) to a new one. Threads share `&Index`.
///
/// ```
/// use lookalike_core::plugin::Value;
/// use lookalike_hamming::plugin::{BitSampling, Code, CodeReading};
/// use lookalike_search::{Dataset, Id, Index, Offer, Registry, Request, Wanted};
///
/// let registry = Registry::default().with::<BitSampling>();
/// let codes = ["ffee0011", "12345678", "ffee0013"].map(Value::Text);
/// let codes = Dataset::parse::<Code>(codes, CodeReading::default())?;
/// let plan = registry.plan(&Request::new("hamming", 2.0), &codes)?.plan;
///
/// let index = Index::new(&registry, &plan)?;
/// index.insert(&Id::from("a"), &codes, 0)?;
/// index.insert(&Id::from("b"), &codes, 1)?;
/// let near = index.asker()?.ask(&codes, 2, &Wanted::default())?.found;
/// assert_eq!((near[0].id.to_string(), near[0].distance), ("a".into(), 1.0));
/// // The third code is like the first.
/// let offer = index.add_new(&Id::from("c"), &codes, 2, 2.0)?;
/// assert!(matches!(offer, Offer::Duplicate(near) if near.id == Id::from("a")));
///
/// // Several threads add items of their own, and a snapshot stays as it is. The family is chosen when the program runs.
/// let request = Request::new("hamming", 2.0).family("bit-sampling").recall(0.99);
/// let index = Index::new(&registry, &registry.plan(&request, &codes)?.plan)?;
/// let empty = index.snapshot()?;
/// std::thread::scope(|scope| {
///     for place in 0..codes.len() {
///         let (index, codes) = (&index, &codes);
///         scope.spawn(move || index.insert(&Id::from(place as u64), codes, place).unwrap());
///     }
/// });
/// assert_eq!((empty.len(), index.len()), (0, 3));
///
/// // It is written to anything, and opened from a path or from bytes.
/// let mut bytes = Vec::new();
/// index.write_to(&mut bytes)?;
/// let copy = Index::from_bytes(&registry, bytes)?;
/// assert_eq!(copy.show(&Id::from(1))?.as_deref(), Some("12345678"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Index {
    registry: Registry,
    bound: Bound,
    path: Option<PathBuf>,
    live: RwLock<Live>,
    /// Of threads that have inserted something: one takes half a megabyte.
    packers: Mutex<Vec<Packer>>,
}

/// What changes.
pub(super) struct Live {
    /// Those of the file, then those that are in memory.
    pub(super) segments: Arc<Vec<Segment>>,
    /// How many are those of the file.
    pub(super) stored: usize,
    /// Where the others are.
    memory: Option<Writer>,
    pub(super) fresh: Fresh,
    /// Documents of the file that were removed.
    removed: Vec<Id>,
    /// Counts the times when segments or fresh items were replaced by others.
    generation: u64,
    pub(super) store: Option<Store>,
}

/// What became of an item that was offered.
#[derive(Clone, Debug, PartialEq)]
pub enum Offer {
    /// Nothing like it is there, so it was added.
    New,
    /// It was not added, since this document is like it: the nearest.
    Duplicate(Neighbour),
}

/// Bytes of fresh items that are kept before they become a segment.
const FRESH: usize = 64 << 20;
/// Segments in memory, at most: more are merged.
const SEGMENTS: usize = 8;

impl Index {
    /// An index in memory, for items of a plan.
    ///
    /// # Errors
    /// If the registry does not have what the plan names.
    pub fn new(registry: &Registry, plan: &Plan) -> Result<Self, Error> {
        Self::with_reading(registry, plan, &Table::new())
    }

    /// The same; values are read as `reading` says.
    ///
    /// # Errors
    /// If the registry does not have what the plan names.
    pub fn with_reading(registry: &Registry, plan: &Plan, reading: &Table) -> Result<Self, Error> {
        let bound = Bound::new(registry, plan, reading)?;
        Ok(Self::of(registry, bound, None, Vec::new(), None))
    }

    /// Opens a file. Nothing of it is read but what the last commit says.
    ///
    /// # Errors
    /// If it cannot be read, is not an index, is damaged, or was made by families that hash otherwise.
    pub fn open(registry: &Registry, path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        Self::of_store(registry, Store::open(path)?, Some(path.to_owned()))
    }

    /// Opens what [`write_to`](Index::write_to) wrote.
    ///
    /// # Errors
    /// As [`open`](Index::open).
    pub fn from_bytes(registry: &Registry, bytes: Vec<u8>) -> Result<Self, Error> {
        Self::of_store(registry, Store::from_bytes(bytes)?, None)
    }

    fn of_store(registry: &Registry, store: Store, path: Option<PathBuf>) -> Result<Self, Error> {
        let manifest = Manifest::of(&store)?;
        let bound = Bound::of(registry, &manifest.head, &store)?;
        let segments = open_segments(&store, &manifest)?;
        Ok(Self::of(registry, bound, path, segments, Some(store)))
    }

    fn of(
        registry: &Registry,
        bound: Bound,
        path: Option<PathBuf>,
        segments: Vec<Segment>,
        store: Option<Store>,
    ) -> Self {
        let live = Live {
            stored: segments.len(),
            segments: Arc::new(segments),
            memory: None,
            fresh: Fresh::new(bound.draft()),
            removed: Vec::new(),
            generation: 0,
            store,
        };
        Self {
            registry: registry.clone(),
            bound,
            path,
            live: RwLock::new(live),
            packers: Mutex::default(),
        }
    }

    /// What decides which items are found.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.bound.head.plan
    }

    /// How values are read.
    #[must_use]
    pub fn reading(&self) -> &Table {
        &self.bound.head.reading
    }

    /// Bounds on the probability that an item at a distance from a query is found, if anything is promised.
    #[must_use]
    pub fn promise(&self, distance: f64) -> Option<Bounds> {
        self.bound.hashes.promise(distance)
    }

    /// Whether queries look into buckets. Otherwise they are compared with everything.
    #[must_use]
    pub fn has_buckets(&self) -> bool {
        self.bound.hashes.bands() > 0
    }

    /// How many documents there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        let live = self.read();
        let stored = live.segments.iter().map(|it| u64::from(it.living()));
        stored.sum::<u64>() + u64::from(live.fresh.draft.living())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Roughly the bytes of memory that changes take until they are committed; of an index in memory, all of its bytes.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let live = self.read();
        let segments = live.memory.as_ref().map_or(0, Writer::bytes);
        segments + live.fresh.draft.memory() as u64
    }

    /// Whether there is a document with this id.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn contains(&self, id: &Id) -> Result<bool, Error> {
        self.read().find(id, &mut Reading::default())
    }

    /// The item of a document, as text that its kind reads back.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn show(&self, id: &Id) -> Result<Option<String>, Error> {
        let live = self.read();
        let mut reading = Reading::default();
        let view = live.view(&self.bound);
        let Some(bytes) = view.bytes_of(id, &mut reading)? else {
            return Ok(None);
        };
        let mut encoded = super::encoded::Encoded::default();
        encoded.push(&bytes);
        Ok(Some(self.bound.hashes.decode(&encoded)?.show(0)))
    }

    /// Adds the item at a place of a dataset, under an id that must be new.
    ///
    /// # Errors
    /// If the id is taken, the item is of another kind or width, or the file cannot be read.
    pub fn insert(&self, id: &Id, data: &Dataset, place: usize) -> Result<(), Error> {
        let prepared = self.prepare(data, place)?;
        let mut live = self.write();
        if live.find(id, &mut Reading::default())? {
            return Err(taken(id));
        }
        live.fresh.push(id.clone(), &prepared.added());
        live.keep_small(&self.bound)
    }

    /// Adds an item unless one within `limit` is found in its buckets.
    ///
    /// A thread that queries and then inserts leaves a moment in which another thread does the same, and both items are
    /// added. Here one is always the first: of items that all meet and are within the limit of each other, one is new, however
    /// many threads offer them.
    ///
    /// # Errors
    /// If the id is taken, the item is of another kind or width, or the file cannot be read.
    pub fn add_new(
        &self,
        id: &Id,
        data: &Dataset,
        place: usize,
        limit: f64,
    ) -> Result<Offer, Error> {
        let prepared = self.prepare(data, place)?;
        let mut worker = self.bound.hashes.worker()?;
        let mut memory = Memory::default();
        let wanted = Wanted {
            k: 1,
            limit,
            ..Wanted::default()
        };
        let mut look = |live: &Live, since| {
            let view = live.view(&self.bound);
            let found = match self.has_buckets() {
                true => {
                    view.ask(&mut *worker, &mut memory, (data, place), &wanted, since)?
                        .found
                }
                false => {
                    view.scan(data, place..place + 1, &wanted)?
                        .swap_remove(0)
                        .found
                }
            };
            Ok::<_, Error>(found.into_iter().next().map(Offer::Duplicate))
        };
        loop {
            let (generation, seen) = {
                let live = self.read();
                if let Some(duplicate) = look(&live, None)? {
                    return Ok(duplicate);
                }
                (live.generation, live.fresh.draft.items())
            };
            let mut live = self.write();
            if live.generation != generation {
                // What was fresh is in another place now.
                continue;
            }
            if let Some(duplicate) = look(&live, Some(seen))? {
                return Ok(duplicate);
            }
            if live.find(id, &mut Reading::default())? {
                return Err(taken(id));
            }
            live.fresh.push(id.clone(), &prepared.added());
            live.keep_small(&self.bound)?;
            return Ok(Offer::New);
        }
    }

    fn prepare(&self, data: &Dataset, place: usize) -> Result<PreparedItem, Error> {
        let lock = || self.packers.lock().unwrap_or_else(PoisonError::into_inner);
        let spare = lock().pop();
        let mut packer = spare.unwrap_or_else(Packer::new);
        let prepared = self
            .bound
            .prepare_run(data, place..place + 1, &mut packer)?
            .swap_remove(0);
        lock().push(packer);
        Ok(prepared)
    }

    /// Removes a document. Whether it was there.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn remove(&self, id: &Id) -> Result<bool, Error> {
        let mut live = self.write();
        if live.fresh.draft.remove(id) {
            live.keep_small(&self.bound)?;
            return Ok(true);
        }
        let Some((segment, document, _)) = find(&live.segments, id, &mut Reading::default())?
        else {
            return Ok(false);
        };
        let stored = live.stored;
        Arc::make_mut(&mut live.segments)[segment].remove(document)?;
        match segment < stored {
            true => live.removed.push(id.clone()),
            false => live.keep_small(&self.bound)?,
        }
        Ok(true)
    }

    /// Answers queries; one for each thread.
    ///
    /// # Errors
    /// If a parameter of the family is wrong.
    pub fn asker(&self) -> Result<IndexAsker<'_>, Error> {
        Ok(IndexAsker {
            index: self,
            worker: self.bound.hashes.worker()?,
            memory: Memory::default(),
        })
    }

    /// Compares queries with every item: for each of those at `places` the nearest. It misses nothing.
    ///
    /// # Errors
    /// If the queries are of another kind or width, or the file cannot be read.
    pub fn scan(
        &self,
        queries: &Dataset,
        places: std::ops::Range<usize>,
        wanted: &Wanted,
    ) -> Result<Vec<Answer>, Error> {
        self.snapshot()?.scan(queries, places, wanted)
    }

    /// The index as it is now. Later changes do not change the snapshot.
    ///
    /// # Errors
    /// If there is no room for what is fresh.
    pub fn snapshot(&self) -> Result<Snapshot, Error> {
        let mut live = self.write();
        live.flush(&self.bound)?;
        Ok(Snapshot {
            bound: self.bound.clone(),
            segments: Arc::clone(&live.segments),
        })
    }

    /// Writes the changes to the file that was opened, on top of what others have changed meanwhile: all of them or, if an id is
    /// taken by now, none. When this returns they are on disk.
    ///
    /// # Errors
    /// If another process holds the file for longer than `wait`, an id is taken, the file cannot be written, or the index was not
    /// opened from a file.
    pub fn commit(&self, wait: Duration, progress: &dyn Progress) -> Result<(), Error> {
        let Some(path) = &self.path else {
            return Err(Error::NoFile);
        };
        let mut live = self.write();
        live.flush(&self.bound)?;
        let mut change = Change::open(&self.registry, path, wait)?;
        let mut reading = Reading::default();
        for id in &live.removed {
            // Another process may have removed it, too.
            change.remove(id, &mut reading)?;
        }
        let new = &live.segments[live.stored..];
        for segment in new {
            for document in 0..segment.documents() {
                if segment.is_removed(document)? {
                    continue;
                }
                let (id, _) = segment.document(document, &mut reading.buffer)?;
                if change.contains(&id, &mut reading)? {
                    return Err(taken(&id));
                }
            }
        }
        change.take(new)?;
        change.commit(progress)?;
        let reopened = Self::open(&self.registry, path)?;
        let generation = live.generation + 1;
        *live = reopened
            .live
            .into_inner()
            .unwrap_or_else(PoisonError::into_inner);
        live.generation = generation;
        Ok(())
    }

    /// Whether the file is still as it was when it was opened or last committed.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn is_current(&self) -> Result<bool, Error> {
        match &self.read().store {
            Some(store) => Ok(store.is_current()?),
            None => Ok(true),
        }
    }

    /// Writes the whole index to a new file, which appears when it is complete. Removed documents are not in it.
    ///
    /// # Errors
    /// If there is a file of that name, unless `overwrite` is true and it is an index; or if it cannot be written.
    pub fn save(
        &self,
        path: impl AsRef<Path>,
        overwrite: bool,
        progress: &dyn Progress,
    ) -> Result<(), Error> {
        let snapshot = self.snapshot()?;
        let mut change = Change::create(self.bound.clone(), path.as_ref(), overwrite, progress)?;
        change.take(&snapshot.segments)?;
        change.commit(progress)?;
        Ok(())
    }

    /// Writes the whole index as bytes, the same as [`save`](Index::save) writes to a file. They are made in memory.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn write_to(&self, out: &mut dyn Write) -> Result<(), Error> {
        let snapshot = self.snapshot()?;
        let mut change = Change::in_memory(self.bound.clone())?;
        change.take(&snapshot.segments)?;
        if let Some(store) = change.commit(&())? {
            store.write_to(out)?;
        }
        Ok(())
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Live> {
        // A panic leaves nothing half done: what can fail comes before what is changed.
        self.live.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Live> {
        self.live.write().unwrap_or_else(PoisonError::into_inner)
    }
}

fn taken(id: &Id) -> Error {
    Error::Taken {
        id: id.clone(),
        place: None,
    }
}

impl Live {
    fn view<'a>(&'a self, bound: &'a Bound) -> View<'a> {
        View {
            bound,
            segments: &self.segments,
            fresh: Some(&self.fresh),
        }
    }

    fn find(&self, id: &Id, reading: &mut Reading) -> Result<bool, Error> {
        Ok(self.fresh.draft.find(id).is_some() || find(&self.segments, id, reading)?.is_some())
    }

    /// Makes a segment of what is fresh.
    fn flush(&mut self, bound: &Bound) -> Result<(), Error> {
        let has_removed = self.fresh.draft.removed() > 0;
        if self.fresh.draft.living() == 0 && !has_removed {
            return Ok(());
        }
        self.generation += 1;
        let mut fresh = std::mem::replace(&mut self.fresh, Fresh::new(bound.draft()));
        if fresh.draft.living() == 0 {
            return Ok(());
        }
        let memory = match &mut self.memory {
            Some(memory) => memory,
            none => none.insert(Writer::in_memory()?),
        };
        let info = fresh.draft.flush(bound.hashes.payload(), memory)?;
        let segment = Segment::with(&info, |name, place| memory.written(name, place))?;
        Arc::make_mut(&mut self.segments).push(segment);
        Ok(())
    }

    /// Makes a segment of what is fresh if that is much, and gives back the memory of what was removed.
    fn keep_small(&mut self, bound: &Bound) -> Result<(), Error> {
        if self.fresh.draft.memory() >= FRESH || self.fresh.is_mostly_removed() {
            self.flush(bound)?;
        }
        let own = &self.segments[self.stored..];
        let removed: u64 = own.iter().map(|it| u64::from(it.removed())).sum();
        let living: u64 = own.iter().map(|it| u64::from(it.living())).sum();
        const FEW: u64 = 1024;
        if own.len() <= SEGMENTS && (removed <= FEW || removed <= living) {
            return Ok(());
        }
        let mut memory = Writer::in_memory()?;
        let info = merge(own, &mut memory)?;
        let merged = Segment::with(&info, |name, place| memory.written(name, place))?;
        let stored = self.stored;
        let segments = Arc::make_mut(&mut self.segments);
        segments.truncate(stored);
        if merged.documents() > 0 {
            segments.push(merged);
        }
        (self.memory, self.generation) = (Some(memory), self.generation + 1);
        Ok(())
    }
}

impl std::fmt::Debug for Index {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Index")
            .field("path", &self.path)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// Answers queries to an [`Index`].
pub struct IndexAsker<'a> {
    index: &'a Index,
    worker: Box<dyn Worker + 'a>,
    memory: Memory,
}

impl IndexAsker<'_> {
    /// The nearest documents of the query at a place of a dataset.
    ///
    /// # Errors
    /// If the query is of another kind or width, or the file cannot be read.
    pub fn ask(
        &mut self,
        queries: &Dataset,
        place: usize,
        wanted: &Wanted,
    ) -> Result<Answer, Error> {
        if !self.index.has_buckets() {
            return Ok(self
                .index
                .scan(queries, place..place + 1, wanted)?
                .swap_remove(0));
        }
        let live = self.index.read();
        let view = live.view(&self.index.bound);
        view.ask(
            &mut *self.worker,
            &mut self.memory,
            (queries, place),
            wanted,
            None,
        )
    }
}

impl std::fmt::Debug for IndexAsker<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("IndexAsker")
            .field("index", self.index)
            .finish_non_exhaustive()
    }
}

/// An [`Index`] as it was at one moment.
#[derive(Clone)]
pub struct Snapshot {
    bound: Bound,
    segments: Arc<Vec<Segment>>,
}

impl Snapshot {
    fn view(&self) -> View<'_> {
        View {
            bound: &self.bound,
            segments: &self.segments,
            fresh: None,
        }
    }

    /// How many documents there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.segments.iter().map(|it| u64::from(it.living())).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The nearest documents of the query at a place of a dataset.
    ///
    /// # Errors
    /// If the query is of another kind or width, or the file cannot be read.
    pub fn ask(&self, queries: &Dataset, place: usize, wanted: &Wanted) -> Result<Answer, Error> {
        if self.bound.hashes.bands() == 0 {
            return Ok(self.scan(queries, place..place + 1, wanted)?.swap_remove(0));
        }
        let mut worker = self.bound.hashes.worker()?;
        let memory = &mut Memory::default();
        self.view()
            .ask(&mut *worker, memory, (queries, place), wanted, None)
    }

    /// Compares queries with every item: for each of those at `places` the nearest. It misses nothing.
    ///
    /// # Errors
    /// If the queries are of another kind or width, or the file cannot be read.
    pub fn scan(
        &self,
        queries: &Dataset,
        places: std::ops::Range<usize>,
        wanted: &Wanted,
    ) -> Result<Vec<Answer>, Error> {
        self.view().scan(queries, places, wanted)
    }
}

impl std::fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Snapshot")
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}
