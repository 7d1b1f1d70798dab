use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use lookalike_output::{Progress, Replacement};

use crate::{
    Error, PartWriter, Place, Store,
    layout::{BLOCKS, BlockKind, HEAD, NOTE, ROOTS, Root, SECTOR, sector},
    lock,
    source::Source,
    store::{head, is_store, last_root, read_roots, roots, slot_of},
};

/// How long to wait for a writer of a file that is replaced.
const REPLACED: Duration = Duration::from_secs(10);

/// Changes a store. It holds the lock of the file until it is dropped, so there is one at a time.
///
/// What was appended and not [committed](Writer::commit) is removed when the writer is dropped, or by the next writer if the
/// process is killed.
#[derive(Debug)]
pub struct Writer {
    source: Arc<Source>,
    root: Root,
    /// Where the next block starts, and its number.
    end: u64,
    next_number: u64,
    /// Whether what comes after the last commit stays: a root that points there may be on disk, as its write or sync has failed, or
    /// parts of it are still read.
    keeps_end: bool,
    /// What gives a new file its name.
    new: Option<New>,
}

/// A file that has no name yet.
#[derive(Debug)]
struct New {
    replacement: Replacement,
    /// Whether it may take the name of another store.
    overwrite: bool,
    /// The writer of the file that it replaces, which holds the lock of that.
    old: Option<Box<Writer>>,
}

impl Writer {
    /// Starts a file, which takes its name when it is [published](Writer::publish).
    ///
    /// # Errors
    /// If there is a file of that name, unless `overwrite` is true and it is a store; or if the system cannot write next to it.
    pub fn create(path: &Path, overwrite: bool) -> Result<Self, Error> {
        Self::create_with(path, overwrite, &())
    }

    /// The same, and `progress` is told of the temporary folder.
    ///
    /// # Errors
    /// As [`create`](Writer::create).
    pub fn create_with(
        path: &Path,
        overwrite: bool,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        may_replace(path, overwrite)?;
        Self::new_file(path, overwrite, None, progress)
    }

    /// A store in memory.
    ///
    /// # Errors
    /// None that are known; memory that cannot be had ends the process.
    pub fn in_memory() -> Result<Self, Error> {
        let source = Arc::new(Source::of_memory(Vec::new()));
        Self::started(source, 1, None)
    }

    /// Waits for the lock of a file, and opens its last state to be changed.
    ///
    /// # Errors
    /// If another process holds the lock for longer than `wait`, or the file cannot be read and written, is something
    /// else, or is damaged.
    pub fn open(path: &Path, wait: Duration) -> Result<Self, Error> {
        // A file that is something else is not locked.
        Store::open(path)?;
        let path = fs::canonicalize(path).map_err(Error::io(path))?;
        let file = lock::open(&path, wait)?;
        let source = Arc::new(Source::of_file(file, &path));
        let root = last_root(&source)?;
        let writer = Self {
            end: root.end,
            next_number: root.commit.number + 1,
            root,
            keeps_end: false,
            new: None,
            source,
        };
        writer.restore().map_err(Error::io(&path))?;
        Ok(writer)
    }

    /// Removes what a killed writer has left behind, and says who holds the lock now.
    fn restore(&self) -> std::io::Result<()> {
        let source = &self.source;
        let io = |error: Error| std::io::Error::other(error.to_string());
        if source.length().map_err(io)? > self.end {
            source.set_length(self.end)?;
        }
        let written = read_roots(source).map_err(io)?;
        if written.contains(&None) {
            // The last commit in both.
            for slot in ROOTS {
                self.write_sector(slot, &self.root.to_bytes())?;
            }
            source.sync()?;
        }
        source.write((NOTE * SECTOR) as u64, &lock::note())
    }

    fn new_file(
        path: &Path,
        overwrite: bool,
        old: Option<Box<Self>>,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let replacement = Replacement::new(path, &|folder| progress.temporary(folder))?;
        let sequence = old.as_ref().map_or(1, |old| old.root.sequence + 1);
        let new = New {
            replacement,
            overwrite,
            old,
        };
        Self::start_file(path, sequence, new)
    }

    fn start_file(path: &Path, sequence: u64, new: New) -> Result<Self, Error> {
        let file = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .open(new.replacement.temporary())
            .map_err(Error::io(path))?;
        // Held before it has its name, so that nobody else changes it in between.
        file.lock().map_err(Error::io(path))?;
        if let Some(old) = new.old.as_ref().and_then(|old| old.source.file()) {
            let permissions = old.metadata().map(|old| old.permissions());
            permissions
                .and_then(|permissions| file.set_permissions(permissions))
                .map_err(Error::io(path))?;
        }
        let source = Arc::new(Source::of_file(file, path));
        Self::started(source, sequence, Some(new))
    }

    fn started(source: Arc<Source>, sequence: u64, new: Option<New>) -> Result<Self, Error> {
        let root = Root::before(sequence);
        let start = || {
            source.write((HEAD * SECTOR) as u64, &head())?;
            source.write((NOTE * SECTOR) as u64, &lock::note())?;
            roots(root, root).into_iter().try_for_each(|(slot, root)| {
                source.write((slot * SECTOR) as u64, &sector(slot, &root.to_bytes()))
            })
        };
        start().map_err(source.io())?;
        Ok(Self {
            source,
            root,
            end: BLOCKS,
            next_number: 0,
            keeps_end: false,
            new,
        })
    }

    /// The state that was committed last.
    ///
    /// # Errors
    /// If it is damaged, or nothing was ever committed.
    pub fn store(&self) -> Result<Store, Error> {
        Store::of(Arc::clone(&self.source))
    }

    /// The path of the file, for messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.source.path()
    }

    /// The bytes of the file, with what is not committed.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.end
    }

    /// Starts a part.
    pub fn part(&mut self) -> PartWriter<'_> {
        PartWriter::new(&self.source, &mut self.end, &mut self.next_number)
    }

    /// A part that is finished but not committed, to be read by whoever writes it.
    ///
    /// # Errors
    /// If it lies outside of the file.
    pub fn written(&self, name: &str, place: Place) -> Result<crate::Part, Error> {
        let store = Store::uncommitted(&self.source, self.end);
        store.part(name, place)
    }

    /// Makes what was appended a part of the store. When this returns, the change is on disk.
    ///
    /// # Errors
    /// If the system cannot write it, or another file has taken the name. The older state stays, or, if only the last sync has
    /// failed, perhaps the new one.
    pub fn commit(&mut self, manifest: &[u8]) -> Result<Store, Error> {
        use std::io::Write;
        self.check_name()?;
        let source = Arc::clone(&self.source);
        let failed = source.io();
        let sequence = self.root.sequence + 1;
        let mut write = || {
            let mut commit = self.part();
            commit.write_all(&sequence.to_le_bytes())?;
            commit.write_all(manifest)?;
            let commit = commit.finish_as(BlockKind::Commit)?;
            // The order that makes it safe: first what the root points to.
            source.sync()?;
            let root = Root {
                sequence,
                commit,
                end: self.end,
            };
            self.keeps_end = true;
            self.write_sector(slot_of(root), &root.to_bytes())?;
            source.sync()?;
            self.keeps_end = false;
            Ok(root)
        };
        self.root = write().map_err(failed)?;
        self.store()
    }

    /// Notices that somebody has put another file in the place of this one: what is written here would be lost.
    fn check_name(&self) -> Result<(), Error> {
        let path = self.source.path();
        match self.source.file().filter(|_| self.new.is_none()) {
            Some(file) if !lock::is_still(file, path).map_err(Error::io(path))? => {
                let path = path.to_owned();
                Err(Error::Replaced { path })
            }
            _ => Ok(()),
        }
    }

    /// Starts a smaller file that takes the place of this one, whose lock is held until then: the caller copies what is still
    /// used from a [`Store`].
    ///
    /// # Errors
    /// If the system cannot write next to the file.
    pub fn rewrite(mut self, progress: &dyn Progress) -> Result<Self, Error> {
        let sequence = self.root.sequence + 1;
        // The caller goes on reading parts that were never committed.
        self.keeps_end = true;
        if self.source.file().is_none() {
            let memory = Source::of_memory(Vec::new());
            return Self::started(Arc::new(memory), sequence, None);
        }
        let path = self.source.path().to_owned();
        let Some(new) = self.new.take() else {
            return Self::new_file(&path, true, Some(Box::new(self)), progress);
        };
        // One that has no name yet gives its place to the next. It can be read as long as it is open.
        let (complete, older) = (new.replacement.temporary(), new.replacement.part("older"));
        fs::rename(complete, older).map_err(Error::io(&path))?;
        Self::start_file(&path, sequence, new)
    }

    /// Gives a new file its name. A file that it replaces stays whole for whoever has opened it.
    ///
    /// # Errors
    /// If the system cannot rename it, or another file took the name meanwhile.
    pub fn publish(mut self) -> Result<PathBuf, Error> {
        let Some(new) = self.new.take() else {
            return Ok(self.source.path().to_owned());
        };
        let path = new.replacement.path().to_owned();
        may_replace(&path, new.overwrite)?;
        // A store that is replaced must not be changed at this moment.
        let _locked = match new.old.is_none() && is_store(&path) {
            true => Some(lock::open(&path, REPLACED)?),
            false => None,
        };
        new.replacement.publish()?;
        Ok(path)
    }

    fn write_sector(&self, number: usize, content: &[u8]) -> std::io::Result<()> {
        let place = (number * SECTOR) as u64;
        self.source.write(place, &sector(number, content))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if !self.keeps_end && self.source.length().is_ok_and(|it| it > self.root.end) {
            // What cannot be removed is left to the next writer.
            let _ = self.source.set_length(self.root.end);
        }
        // Readers may keep the file open.
        if let Some(file) = self.source.file() {
            let _ = self.source.write((NOTE * SECTOR) as u64, &lock::no_note());
            let _ = file.unlock();
        }
    }
}

/// Refuses to replace what is there, unless it is a store and may be overwritten.
fn may_replace(path: &Path, overwrite: bool) -> Result<(), Error> {
    let is_there = fs::symlink_metadata(path).is_ok();
    let path = path.to_owned();
    match (is_there, overwrite) {
        (true, false) => Err(Error::Exists { path }),
        (true, true) if !is_store(&path) => Err(Error::NotReplaced { path }),
        _ => Ok(()),
    }
}
