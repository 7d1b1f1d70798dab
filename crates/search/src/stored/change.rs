//! A change of an index: everything that is added and removed becomes visible at once, or not at all.

use std::{ops::Range, path::Path, time::Duration};

use hashbrown::HashSet;
use lookalike_output::Progress;
use lookalike_store::{Store, Writer};
use rayon::prelude::*;

use super::{
    draft::{Added, Draft, parts},
    encoded::Encoded,
    hashes::Posting,
    head::{Bound, Head, Manifest},
    merge::merge,
    pack::Packer,
    segment::{Info, Reading, Segment},
};
use crate::{Dataset, Error, Id, Registry};

/// Memory that a change takes before it is written to the file.
const DRAFT: usize = 1 << 30;
/// A new segment is merged with those before it that have at most this many times its documents. So there are only a few, and
/// each document is copied only a few times.
const RATIO: u64 = 4;

/// A change that is being made. It holds the lock of the file.
pub(crate) struct Change {
    pub(crate) bound: Bound,
    writer: Writer,
    /// The segments as they will be, with those that this change has written.
    pub(crate) segments: Vec<Segment>,
    pub(crate) draft: Draft,
    pub(crate) next_row: u64,
    /// Bytes of the file that are in use.
    is_new: bool,
}

/// An item that is hashed and packed.
pub(crate) struct PreparedItem {
    pub(crate) bytes: Vec<u8>,
    pub(crate) packed: Option<Vec<u8>>,
    pub(crate) keys: Vec<Posting>,
}

impl PreparedItem {
    pub(crate) fn added(&self) -> Added<'_> {
        Added {
            bytes: &self.bytes,
            packed: self.packed.as_deref(),
            keys: &self.keys,
        }
    }
}

impl Bound {
    /// Hashes and packs items on the threads of the current pool.
    pub(crate) fn prepare(
        &self,
        data: &Dataset,
        places: Range<usize>,
    ) -> Result<Vec<PreparedItem>, Error> {
        const RUN: usize = 256;
        let starts: Vec<usize> = places.clone().step_by(RUN).collect();
        let runs = starts.into_par_iter().map(|start| {
            let run = start..places.end.min(start + RUN);
            self.prepare_run(data, run, &mut Packer::new())
        });
        let runs: Vec<Vec<PreparedItem>> = runs.collect::<Result<_, Error>>()?;
        Ok(runs.into_iter().flatten().collect())
    }

    /// Hashes and packs items on this thread.
    pub(crate) fn prepare_run(
        &self,
        data: &Dataset,
        places: Range<usize>,
        packer: &mut Packer,
    ) -> Result<Vec<PreparedItem>, Error> {
        let mut worker = self.hashes.worker()?;
        let prepare = |place| {
            let (mut bytes, mut keys) = (Vec::new(), Vec::new());
            self.hashes.encode(data, place, &mut bytes)?;
            if u32::try_from(bytes.len()).is_err() {
                return Err(Error::TooLong { bytes: bytes.len() });
            }
            worker.keys(data, place, &mut keys)?;
            let packed = packer.pack(&bytes).map(<[u8]>::to_vec);
            Ok(PreparedItem {
                bytes,
                packed,
                keys,
            })
        };
        places.map(prepare).collect()
    }

    /// A draft for items of this index.
    pub(crate) fn draft(&self) -> Draft {
        Draft::new(self.hashes.bands(), self.hashes.payload())
    }
}

impl Change {
    /// Starts a new index.
    pub(crate) fn create(
        bound: Bound,
        path: &Path,
        overwrite: bool,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let writer = Writer::create_with(path, overwrite, progress)?;
        Ok(Self::new(bound, writer))
    }

    /// Starts a new index in memory.
    pub(crate) fn in_memory(bound: Bound) -> Result<Self, Error> {
        let writer = Writer::in_memory()?;
        Ok(Self::new(bound, writer))
    }

    fn new(bound: Bound, writer: Writer) -> Self {
        Self {
            draft: bound.draft(),
            bound,
            writer,
            segments: Vec::new(),
            next_row: 0,
            is_new: true,
        }
    }

    /// Waits for the lock of an index, and starts from its last state.
    pub(crate) fn open(registry: &Registry, path: &Path, wait: Duration) -> Result<Self, Error> {
        let writer = Writer::open(path, wait)?;
        let store = writer.store()?;
        let manifest = Manifest::of(&store)?;
        let bound = Bound::of(registry, &manifest.head, &store)?;
        Ok(Self {
            draft: bound.draft(),
            bound,
            writer,
            segments: open_segments(&store, &manifest)?,
            next_row: manifest.next_row,
            is_new: false,
        })
    }

    pub(crate) fn head(&self) -> &Head {
        &self.bound.head
    }

    /// Documents that there will be.
    pub(crate) fn living(&self) -> u64 {
        let stored = self.segments.iter().map(|it| u64::from(it.living()));
        stored.sum::<u64>() + u64::from(self.draft.living())
    }

    pub(crate) fn contains(&self, id: &Id, reading: &mut Reading) -> Result<bool, Error> {
        Ok(self.draft.find(id).is_some() || find(&self.segments, id, reading)?.is_some())
    }

    /// Adds a document whose id is not there.
    pub(crate) fn add(&mut self, id: Id, added: &Added<'_>) -> Result<(), Error> {
        if self.living() >= u64::from(u32::MAX) {
            return Err(Error::TooMany);
        }
        if self.draft.memory() >= DRAFT {
            self.spill()?;
        }
        self.draft.push(id, added);
        Ok(())
    }

    /// Removes a document. Whether it was there.
    pub(crate) fn remove(&mut self, id: &Id, reading: &mut Reading) -> Result<bool, Error> {
        if self.draft.remove(id) {
            return Ok(true);
        }
        match find(&self.segments, id, reading)? {
            Some((segment, document, _)) => Ok(self.segments[segment].remove(document)?),
            None => Ok(false),
        }
    }

    /// Writes what is in memory.
    pub(crate) fn spill(&mut self) -> Result<(), Error> {
        if self.draft.living() == 0 {
            self.draft = self.bound.draft();
            return Ok(());
        }
        let payload = self.bound.hashes.payload();
        let info = self.draft.flush(payload, &mut self.writer)?;
        self.segments.push(self.written(&info)?);
        Ok(())
    }

    /// A segment that was written and is not committed.
    fn written(&self, info: &Info) -> Result<Segment, Error> {
        let part = |name: &str, place| self.writer.written(name, place);
        Ok(Segment::with(info, part)?)
    }

    /// Adds everything that is left in other segments, which may be of another store.
    pub(crate) fn take(&mut self, segments: &[Segment]) -> Result<(), Error> {
        if segments.iter().all(|segment| segment.living() == 0) {
            return Ok(());
        }
        let info = merge(segments, &mut self.writer)?;
        self.segments.push(self.written(&info)?);
        Ok(())
    }

    /// Makes the change visible and durable, then merges segments and takes out what was removed where that is due.
    pub(crate) fn commit(mut self, progress: &dyn Progress) -> Result<Option<Store>, Error> {
        self.spill()?;
        if self.is_new {
            if self.segments.len() > 1 {
                return self.rewrite(progress)?.publish();
            }
            let store = self.write_commit()?;
            return self.publish_with(store);
        }
        self.write_commit()?;
        self.maintain(progress)
    }

    /// Puts all that is used into one segment of a new file.
    pub(crate) fn compact(mut self, progress: &dyn Progress) -> Result<(), Error> {
        self.spill()?;
        let rewritten = self.rewrite(progress)?;
        rewritten.publish().map(drop)
    }

    /// After a commit: merges segments of similar sizes, and rewrites the file if more than half of it is not used.
    fn maintain(mut self, progress: &dyn Progress) -> Result<Option<Store>, Error> {
        let removed: u64 = self.segments.iter().map(|it| u64::from(it.removed())).sum();
        let used: u64 = self.infos()?.iter().map(Info::stored).sum();
        let store = self.writer.store()?;
        let overhead = store.overhead();
        let is_mostly_removed = removed > self.living();
        // A merge of everything is a new file as well: as much is written, and less is left behind.
        let merged = self.similar();
        let is_all = merged > 1 && merged == self.segments.len();
        const SMALL: u64 = 1 << 20;
        if is_mostly_removed || is_all || store.bytes() > 2 * (used + overhead) + SMALL {
            return self.rewrite(progress)?.publish();
        }
        if merged > 1 {
            self.merge_last(merged)?;
            self.write_commit()?;
        }
        Ok(Some(self.writer.store()?))
    }

    /// How many of the last segments are to be merged.
    fn similar(&self) -> usize {
        let sizes = self.segments.iter().rev().map(|it| u64::from(it.living()));
        let (mut count, mut merged) = (0, 0);
        for size in sizes {
            if count > 0 && size > RATIO * merged {
                break;
            }
            merged += size;
            count += 1;
        }
        count
    }

    fn merge_last(&mut self, count: usize) -> Result<(), Error> {
        let first = self.segments.len() - count;
        let info = merge(&self.segments[first..], &mut self.writer)?;
        let merged = self.written(&info)?;
        self.segments.truncate(first);
        if merged.documents() > 0 {
            self.segments.push(merged);
        }
        Ok(())
    }

    /// The same index with one segment, in a file that takes the place of this one.
    fn rewrite(self, progress: &dyn Progress) -> Result<Self, Error> {
        let Self {
            bound,
            writer,
            segments,
            next_row,
            ..
        } = self;
        let mut rewritten = Self {
            writer: writer.rewrite(progress)?,
            ..Self::new(bound, Writer::in_memory()?)
        };
        rewritten.next_row = next_row;
        let info = merge(&segments, &mut rewritten.writer)?;
        if info.documents > 0 {
            let merged = rewritten.written(&info)?;
            rewritten.segments.push(merged);
        }
        Ok(rewritten)
    }

    /// Commits a rewritten file and gives it its name.
    fn publish(mut self) -> Result<Option<Store>, Error> {
        let store = self.write_commit()?;
        self.publish_with(store)
    }

    fn publish_with(self, store: Store) -> Result<Option<Store>, Error> {
        let is_memory = store.is_memory();
        let path = self.writer.publish()?;
        match is_memory {
            true => Ok(Some(store)),
            false => Ok(Some(Store::open(&path)?)),
        }
    }

    /// What the segments are in the file, with new marks written.
    fn infos(&mut self) -> Result<Vec<Info>, Error> {
        let mut infos = Vec::with_capacity(self.segments.len());
        for segment in &mut self.segments {
            let mut info = segment.parts.info.clone();
            info.removed = segment.removed();
            info.marks = segment.marks_place();
            if segment.has_new_marks()
                && let Some(marks) = segment.marks()?.map(<[u8]>::to_vec)
            {
                let [place] = parts(&mut self.writer, [&marks])?;
                segment.set_marks_place(place);
                info.marks = Some(place);
            }
            infos.push(info);
        }
        Ok(infos)
    }

    fn choose_witnesses(&mut self) -> Result<(), Error> {
        const LOOKED_AT: u32 = 16;
        let Some(segment) = self.segments.first() else {
            return Ok(());
        };
        let (mut items, mut reading) = (Encoded::default(), Reading::default());
        for item in 0..segment.items().min(LOOKED_AT) {
            let found = segment.item(item, &mut reading)?;
            items.push(segment.bytes(&found, &mut reading)?);
        }
        self.bound.choose_witnesses(&items)
    }

    fn write_commit(&mut self) -> Result<Store, Error> {
        // Segments that are empty now are not kept.
        self.segments.retain(|segment| segment.living() > 0);
        self.choose_witnesses()?;
        let manifest = Manifest {
            segments: self.infos()?,
            head: self.bound.head.clone(),
            next_row: self.next_row,
        };
        Ok(self.writer.commit(&manifest.to_bytes())?)
    }
}

pub(crate) fn open_segments(store: &Store, manifest: &Manifest) -> Result<Vec<Segment>, Error> {
    let open = |info: &Info| Segment::open(store, info);
    let segments: Vec<Segment> = manifest
        .segments
        .iter()
        .map(open)
        .collect::<Result<_, _>>()?;
    let bands = segments.iter().map(|segment| segment.lists().len());
    if bands.collect::<HashSet<_>>().len() > 1 {
        return Err(Error::Hashing {
            path: store.path().to_owned(),
        });
    }
    Ok(segments)
}

/// The segment, the number and the item of the document with an id.
pub(crate) fn find(
    segments: &[Segment],
    id: &Id,
    reading: &mut Reading,
) -> Result<Option<(usize, u32, u32)>, Error> {
    for (number, segment) in segments.iter().enumerate().rev() {
        if let Some((document, item)) = segment.find(id, reading)? {
            return Ok(Some((number, document, item)));
        }
    }
    Ok(None)
}
