//! What users do with the file of an index.

use std::{path::Path, time::Duration};

use lookalike_output::{Inventory, Progress, Stage, Suggestions};
use lookalike_store::Store;

use super::{
    ask::{Memory, Neighbour, View, Wanted},
    change::{Change, PreparedItem, find},
    fresh::Fresh,
    head::Bound,
    index::Index,
    segment::{Reading, Segment},
    stats::{FileBytes, IndexStats, RecallAt},
};
use crate::{Dataset, Error, Id, Planned, Registry, Request, Source};

/// Bytes of an input that are in memory at a time.
const BATCH: u64 = 1 << 30;
/// Items that are hashed at a time.
const RUN: usize = 1 << 14;

/// How items are added to an index.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Add {
    /// Only items that have no match within this distance are added: neither in the index nor among those that were added
    /// before them.
    pub new: Option<f64>,
    /// What becomes of an item whose id is in the index.
    pub if_taken: IfTaken,
    /// How long to wait for other processes that change the index.
    pub wait: Duration,
}

impl Add {
    /// How items are added.
    #[must_use]
    pub fn new(new: Option<f64>, if_taken: IfTaken, wait: Duration) -> Self {
        Self {
            new,
            if_taken,
            wait,
        }
    }
}

/// What becomes of an item whose id is in the index already.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IfTaken {
    /// It is an error, and nothing is added.
    #[default]
    Refuse,
    /// It takes the place of the one that has the id.
    Replace,
    /// It is left out.
    Skip,
}

/// What was added.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Added {
    /// Documents that were added.
    pub added: u64,
    /// Documents whose ids were taken: those that were replaced, or left out.
    pub taken: u64,
    /// Items that were not added because something is like them.
    pub similar: Vec<Similar>,
    /// What was read.
    pub inventory: Inventory,
    /// What the index holds now.
    pub stats: IndexStats,
}

/// An item that was not added, and what it is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Similar {
    /// The item.
    pub id: Id,
    /// The nearest document.
    pub near: Neighbour,
}

/// What was removed.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Removed {
    /// Documents.
    pub removed: u64,
    /// What the index holds now.
    pub stats: IndexStats,
}

impl Index {
    /// Makes the file of an index from all items of a source, whole or not at all. The request is planned with the items that are
    /// read first, up to a gigabyte.
    ///
    /// Runs on the threads of the current rayon pool; the file is the same for every number of them.
    ///
    /// # Errors
    /// If an item cannot be read, two have one id, no family meets the request, there is a file of that name (unless `overwrite`
    /// is true and it is an index), or the file cannot be written.
    pub fn build(
        registry: &Registry,
        request: &Request,
        source: &Source,
        path: &Path,
        overwrite: bool,
        progress: &dyn Progress,
    ) -> Result<(Planned, Added), Error> {
        // Before any work is done.
        drop(lookalike_store::Writer::create(path, overwrite)?);
        let mut started: Option<(Planned, Change)> = None;
        let mut adding = Adding::default();
        let add = Add::default();
        let inventory = read(registry, source, progress, &mut |batch| {
            let (_, change) = match &mut started {
                Some(started) => started,
                none => {
                    let planned = registry.plan_index(request, &batch)?;
                    let bound = Bound::new(registry, &planned.plan, &source.reading)?;
                    let change = Change::create(bound, path, overwrite, progress)?;
                    none.insert((planned, change))
                }
            };
            adding.batch(change, &batch, &add)
        })?;
        let (planned, change) = started.expect("there are items");
        change.commit(progress)?;
        progress.inputs(&inventory);
        let stats = Self::open(registry, path)?.stats();
        Ok((planned, adding.added(inventory, stats)))
    }

    /// Adds all items of a source to the file of an index, all at once. The index is read and changed as the plan in it says.
    ///
    /// # Errors
    /// If an item cannot be read or is of another kind, an id is taken, another process changes the index for longer than there is
    /// to wait, or the file is damaged or cannot be written. Nothing is added then.
    pub fn add(
        registry: &Registry,
        path: &Path,
        source: &Source,
        add: &Add,
        progress: &dyn Progress,
    ) -> Result<Added, Error> {
        let mut change = Change::open(registry, path, add.wait)?;
        let mut adding = Adding::default();
        let source = Source {
            kinds: vec![registry.kind_named(&change.head().plan.kind)?],
            reading: change.head().reading.clone(),
            width: Some(change.head().plan.width),
            ..source.clone()
        };
        let inventory = read(registry, &source, progress, &mut |batch| {
            adding.batch(&mut change, &batch, add)
        })?;
        change.commit(progress)?;
        progress.inputs(&inventory);
        let stats = Self::open(registry, path)?.stats();
        Ok(adding.added(inventory, stats))
    }

    /// Removes documents from the file of an index, all of them or, if one is not there, none.
    ///
    /// Ids are given as JSON, or without quotes where that leaves no doubt.
    ///
    /// # Errors
    /// If an id is not there, another process changes the index for longer than `wait`, or the file is damaged or cannot be
    /// written.
    pub fn remove_ids(
        registry: &Registry,
        path: &Path,
        ids: &[String],
        wait: Duration,
        progress: &dyn Progress,
    ) -> Result<Removed, Error> {
        let mut change = Change::open(registry, path, wait)?;
        let mut reading = Reading::default();
        let meant = ids
            .iter()
            .map(|given| meant(&change.segments, given, &mut reading));
        let meant = meant.collect::<Result<Vec<Id>, Error>>()?;
        let mut removed = 0;
        for id in meant {
            // An id that is given twice is removed once.
            removed += u64::from(change.remove(&id, &mut reading)?);
        }
        change.commit(progress)?;
        let stats = Self::open(registry, path)?.stats();
        Ok(Removed { removed, stats })
    }

    /// Writes the file of an index again, with one segment and without what was removed.
    ///
    /// # Errors
    /// If another process changes the index for longer than `wait`, or the file is damaged or cannot be written.
    pub fn compact(
        registry: &Registry,
        path: &Path,
        wait: Duration,
        progress: &dyn Progress,
    ) -> Result<IndexStats, Error> {
        Change::open(registry, path, wait)?.compact(progress)?;
        Ok(Self::open(registry, path)?.stats())
    }

    /// Reads every byte of the file, and everything that it says.
    ///
    /// # Errors
    /// If a byte is not as it was written. The error names the part.
    pub fn check(&self) -> Result<(), Error> {
        let live = self.read();
        let Some(store) = &live.store else {
            return Ok(());
        };
        let parts: Vec<(u64, String)> = (1..)
            .zip(live.segments[..live.stored].iter())
            .flat_map(|(number, segment)| {
                let parts = segment.parts.info.parts();
                let named = |(name, place): (&str, lookalike_store::Place)| {
                    (place.number(), format!("{name} of segment {number}"))
                };
                parts.map(named).collect::<Vec<_>>()
            })
            .collect();
        let name = |number: u64| {
            let found = parts.iter().find(|part| part.0 == number);
            found.map(|part| part.1.clone())
        };
        store.check(&name)?;
        let mut reading = Reading::default();
        for segment in &live.segments[..live.stored] {
            for item in 0..segment.items() {
                let found = segment.item(item, &mut reading)?;
                segment.bytes(&found, &mut reading)?;
            }
            for document in 0..segment.documents() {
                segment.document(document, &mut reading.buffer)?;
            }
        }
        Ok(())
    }

    /// What the index holds.
    #[must_use]
    pub fn stats(&self) -> IndexStats {
        let live = self.read();
        let sum = |of: fn(&Segment) -> u32| {
            let each = live.segments.iter().map(of);
            each.map(u64::from).sum::<u64>()
        };
        let store = live.store.as_ref();
        IndexStats {
            documents: sum(Segment::living) + u64::from(live.fresh.draft.living()),
            items: sum(Segment::items) + u64::from(live.fresh.draft.items()),
            leftover: sum(Segment::removed),
            keyless: sum(|segment| segment.parts.info.keyless),
            segments: live.segments.len() as u64,
            plan: self.plan().clone(),
            recalls: RecallAt::around(self.plan(), |distance| self.promise(distance)),
            changes: store.map_or(0, Store::sequence),
            file: store.map_or(FileBytes::default(), |store| {
                let own = &live.segments[..live.stored];
                FileBytes::new(store.bytes(), store.overhead(), own)
            }),
        }
    }
}

/// Reads a source in batches, and shows how far it is.
fn read(
    registry: &Registry,
    source: &Source,
    progress: &dyn Progress,
    take: &mut dyn FnMut(Dataset) -> Result<(), Error>,
) -> Result<Inventory, Error> {
    let mut is_started = false;
    let mut reached = |done, total| {
        if !std::mem::replace(&mut is_started, true) {
            progress.start(Stage::Read, total);
        }
        progress.reach(done);
    };
    registry.read_batches(source, BATCH, &mut reached, take)
}

/// What was added so far.
#[derive(Default)]
struct Adding {
    added: u64,
    taken: u64,
    similar: Vec<Similar>,
    /// For items that must be new: what this change has added, ready to be asked.
    fresh: Option<Fresh>,
}

impl Adding {
    fn added(self, inventory: Inventory, stats: IndexStats) -> Added {
        Added {
            added: self.added,
            taken: self.taken,
            similar: self.similar,
            inventory,
            stats,
        }
    }

    fn batch(&mut self, change: &mut Change, data: &Dataset, add: &Add) -> Result<(), Error> {
        let first_row = change.next_row;
        let bound = change.bound.clone();
        let run = |start: usize| start..data.len().min(start + RUN);
        let mut prepared = bound.prepare(data, run(0))?;
        for start in (0..data.len()).step_by(RUN) {
            // The next items are hashed while these are added.
            let (added, next) = rayon::join(
                || self.run(change, data, run(start).zip(&prepared), first_row, add),
                || bound.prepare(data, run((start + RUN).min(data.len()))),
            );
            added?;
            prepared = next?;
        }
        let rows = (0..data.len() as u32).filter_map(|place| data.names().row(place));
        change.next_row += rows.max().map_or(0, |row| row + 1);
        Ok(())
    }

    /// Adds some items that are ready.
    fn run<'a>(
        &mut self,
        change: &mut Change,
        data: &Dataset,
        items: impl Iterator<Item = (usize, &'a PreparedItem)>,
        first_row: u64,
        add: &Add,
    ) -> Result<(), Error> {
        let mut reading = Reading::default();
        for (place, item) in items {
            let id = id_of(data, place as u32, first_row);
            if change.contains(&id, &mut reading)? {
                self.taken += 1;
                match add.if_taken {
                    IfTaken::Skip => continue,
                    IfTaken::Replace => {
                        change.remove(&id, &mut reading)?;
                    }
                    IfTaken::Refuse => {
                        let place = data.names().origin(place as u32);
                        return Err(Error::Taken { id, place });
                    }
                }
            }
            if let Some(limit) = add.new {
                if let Some(near) = self.nearest(change, (data, place), limit)? {
                    self.similar.push(Similar { id, near });
                    continue;
                }
                let fresh = self
                    .fresh
                    .get_or_insert_with(|| Fresh::new(change.bound.draft()));
                fresh.push(id.clone(), &item.added());
            }
            change.add(id, &item.added())?;
            self.added += 1;
        }
        Ok(())
    }

    /// The nearest document within a limit, of the index or of what this change has added.
    fn nearest(
        &mut self,
        change: &Change,
        (data, place): (&Dataset, usize),
        limit: f64,
    ) -> Result<Option<Neighbour>, Error> {
        let view = View {
            bound: &change.bound,
            segments: &change.segments,
            fresh: self.fresh.as_ref(),
        };
        let wanted = Wanted {
            k: 1,
            limit,
            ..Wanted::default()
        };
        let found = match change.bound.hashes.bands() {
            0 => view.scan(data, place..place + 1, &wanted)?.swap_remove(0),
            _ => {
                let mut worker = change.bound.hashes.worker()?;
                let memory = &mut Memory::default();
                view.ask(&mut *worker, memory, (data, place), &wanted, None)?
            }
        };
        Ok(found.found.into_iter().next())
    }
}

/// What an item is called: by the id of its record, by file and line, or by its row, counted on from the rows that are in the
/// index.
fn id_of(data: &Dataset, place: u32, first_row: u64) -> Id {
    let names = data.names();
    let row = names.row(place).unwrap_or(place.into());
    names.id(place).unwrap_or_else(|| Id::from(first_row + row))
}

/// The id that is meant: as JSON, or without quotes where that leaves no doubt.
fn meant(segments: &[Segment], given: &str, reading: &mut Reading) -> Result<Id, Error> {
    let as_text = Id::from(given);
    let as_json = Id::from_json(given).filter(|id| *id != as_text);
    let is_text = find(segments, &as_text, reading)?.is_some();
    let json = match as_json {
        Some(id) => find(segments, &id, reading)?.map(|_| id),
        None => None,
    };
    match (json, is_text) {
        (Some(_), true) => Err(Error::Ambiguous { id: given.into() }),
        (Some(id), false) => Ok(id),
        (None, true) => Ok(as_text),
        (None, false) => Err(Error::Unknown {
            id: given.into(),
            near: near(segments, given, reading)?,
        }),
    }
}

/// Ids that look like one that is not there.
fn near(segments: &[Segment], given: &str, reading: &mut Reading) -> Result<Vec<Id>, Error> {
    /// Ids that are looked at.
    const LOOKED_AT: usize = 1 << 20;
    let mut near = Suggestions::default();
    let all = segments
        .iter()
        .flat_map(|segment| (0..segment.documents()).map(move |it| (segment, it)));
    for (segment, document) in all.take(LOOKED_AT) {
        if !segment.is_removed(document)? {
            let (id, _) = segment.document(document, &mut reading.buffer)?;
            near.add(given, &id.to_string(), || id);
        }
    }
    Ok(near.into_values())
}

impl Registry {
    /// A plan for an index, which is asked many times: the cheapest if there were as many queries as items. One with keys is
    /// preferred to a method, as an index grows.
    ///
    /// # Errors
    /// As [`plan`](Registry::plan).
    pub fn plan_index(&self, request: &Request, data: &Dataset) -> Result<Planned, Error> {
        let many = |entries: usize| Some(request.queries.unwrap_or(entries.max(1 << 20)));
        let request = Request {
            queries: many(data.len()),
            ..request.clone()
        };
        let planned = self.plan_for(&request, data, true)?;
        let is_method = |family: &str| {
            let mut entries = self.entries().iter();
            entries.any(|entry| entry.name == family && entry.is_method)
        };
        let is_free = request.family.is_none() && request.recall.is_none_or(|recall| recall < 1.0);
        let family = planned.bids.iter().map(|bid| bid.family);
        let family = family.into_iter().find(|family| !is_method(family));
        match family.filter(|_| is_free && is_method(&planned.plan.family)) {
            Some(family) => self.plan_for(&request.family(family), data, true),
            None => Ok(planned),
        }
    }
}
