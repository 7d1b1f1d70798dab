use std::{
    fs::{self, File},
    io::{self, Read},
    path::Path,
    sync::Arc,
    thread,
    time::Duration,
};

use crate::{
    Error, Part, VERSION,
    layout::{
        BLOCK_HEAD, BLOCKS, BlockKind, HEAD, MAGIC, NOTE, OLDER, PAGE, Place, ROOTS, Root, SECTOR,
        content, sector,
    },
    lock,
    source::Source,
};

/// The state of a file at one commit. Later commits do not change it.
#[derive(Clone, Debug)]
pub struct Store {
    pub(crate) source: Arc<Source>,
    pub(crate) root: Root,
    manifest: Arc<[u8]>,
}

/// Whether a file says that it is a store, of any version.
#[must_use]
pub fn is_store(path: &Path) -> bool {
    let magic = || {
        let mut start = Vec::new();
        if fs::metadata(path)?.is_file() {
            File::open(path)?
                .take(MAGIC.len() as u64)
                .read_to_end(&mut start)?;
        }
        Ok::<_, io::Error>(start == MAGIC || start == OLDER)
    };
    magic().unwrap_or(false)
}

impl Store {
    /// Opens a file in the state of its last commit.
    ///
    /// # Errors
    /// If the file cannot be read, is something else, or is damaged.
    pub fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::io(path))?;
        if file.metadata().map_err(Error::io(path))?.is_dir() {
            let path = path.to_owned();
            return Err(Error::NotAStore { path });
        }
        Self::of(Arc::new(Source::of_file(file, path)))
    }

    /// The state of the last commit in bytes that [`write_to`](Store::write_to) wrote.
    ///
    /// # Errors
    /// If they are something else, or damaged.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, Error> {
        Self::of(Arc::new(Source::of_memory(bytes)))
    }

    pub(crate) fn of(source: Arc<Source>) -> Result<Self, Error> {
        let root = last_root(&source)?;
        let damaged = |what| Error::damaged(source.path(), "commit", what);
        if source.length()? < root.end {
            let what = "the file is shorter than it was";
            return Err(Error::damaged(source.path(), "end", what));
        }
        if root.commit == Place::default() {
            return Err(damaged("nothing was ever committed"));
        }
        let commit = Part::new(
            &source,
            checked(&source, &root, root.commit, "commit")?,
            "commit",
        );
        let mut buffer = Vec::new();
        let bytes = commit.read(0..commit.len(), &mut buffer)?;
        let manifest = match bytes.split_first_chunk() {
            Some((sequence, manifest)) if u64::from_le_bytes(*sequence) == root.sequence => {
                manifest.into()
            }
            _ => return Err(damaged("it is another one than it should be")),
        };
        Ok(Self {
            source,
            root,
            manifest,
        })
    }

    /// Blocks up to a place, whether they are committed or not.
    pub(crate) fn uncommitted(source: &Arc<Source>, end: u64) -> Self {
        let root = Root {
            end,
            ..Root::default()
        };
        Self {
            source: Arc::clone(source),
            root,
            manifest: [].into(),
        }
    }

    /// What the commit says.
    #[must_use]
    pub fn manifest(&self) -> &[u8] {
        &self.manifest
    }

    /// How many commits there were. A later state has a larger number, unless the file was rewritten.
    #[must_use]
    pub fn sequence(&self) -> u64 {
        self.root.sequence
    }

    /// The path under which the file was opened.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.source.path()
    }

    /// Whether it is in memory and not in a file.
    #[must_use]
    pub fn is_memory(&self) -> bool {
        self.source.file().is_none()
    }

    /// The bytes of the file that belong to this state, with those that are not used any more.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.root.end
    }

    /// The bytes that the commit itself and the start of the file take.
    #[must_use]
    pub fn overhead(&self) -> u64 {
        BLOCKS + self.root.commit.stored()
    }

    /// Whether the file under this path has not changed since it was opened.
    ///
    /// # Errors
    /// If the system cannot read it.
    pub fn is_current(&self) -> Result<bool, Error> {
        let path = self.path();
        let Some(file) = self.source.file() else {
            return Ok(last_root(&self.source)? == self.root);
        };
        let is_same = file.metadata().and_then(|own| {
            let named = fs::metadata(path)?;
            Ok(lock::identity(&own) == lock::identity(&named))
        });
        Ok(is_same.map_err(Error::io(path))? && last_root(&self.source)? == self.root)
    }

    /// A part; `name` is for messages.
    ///
    /// # Errors
    /// If it lies outside of the file.
    pub fn part(&self, name: &str, place: Place) -> Result<Part, Error> {
        let place = checked(&self.source, &self.root, place, name)?;
        Ok(Part::new(&self.source, place, name))
    }

    /// Reads every byte, and gives the first error. `name` gives the names of blocks by their numbers, for messages.
    ///
    /// # Errors
    /// If a byte is not as it was written, or the system cannot read it.
    pub fn check(&self, name: &dyn Fn(u64) -> Option<String>) -> Result<(), Error> {
        let source = &*self.source;
        let damaged = |part: &str, what| Err(Error::damaged(source.path(), part, what));
        let mut start = [0; BLOCKS as usize];
        if !source.read(0, &mut start)? {
            return damaged("head", "the file ends in it");
        }
        let names = [
            (HEAD, "head"),
            (ROOTS[0], "root"),
            (ROOTS[1], "root"),
            (NOTE, "note"),
        ];
        for (number, name) in names {
            let is_sound = || content(number, &start[number * SECTOR..][..SECTOR]).is_some();
            if !is_sound()
                && !wait_for(source, || {
                    let is_read = source.read(0, &mut start).unwrap_or(false);
                    is_read && content(number, &start[number * SECTOR..][..SECTOR]).is_some()
                })
            {
                return damaged(name, "its checksum is wrong");
            }
        }
        let (mut at, mut number, mut buffer) = (BLOCKS, 0, Vec::new());
        while at < self.root.end {
            let of_number = || name(number).unwrap_or_else(|| format!("block {number}"));
            let Some((_, place)) = block_at(source, at)? else {
                return damaged(&of_number(), "its head is wrong");
            };
            if place.number != number || place.end() > self.root.end {
                return damaged(&of_number(), "it is not where it should be");
            }
            let part = Part::new(&self.source, place, &of_number());
            for start in (0..part.len()).step_by(RUN as usize) {
                part.read(start..part.len().min(start + RUN), &mut buffer)?;
            }
            (at, number) = (place.end(), number + 1);
        }
        match at == self.root.end {
            true => Ok(()),
            false => damaged("end", "the blocks do not end where they should"),
        }
    }

    /// Copies the file as it was at this commit.
    ///
    /// # Errors
    /// If it cannot be read or written.
    pub fn write_to(&self, out: &mut dyn io::Write) -> Result<(), Error> {
        let write = |out: &mut dyn io::Write, bytes: &[u8]| {
            out.write_all(bytes)
                .map_err(Error::io(Path::new("(writer)")))
        };
        // Later commits may have changed the roots.
        let mut start = vec![0; BLOCKS as usize];
        start[..SECTOR].copy_from_slice(&head());
        let older = Root::before(self.root.sequence);
        for (slot, root) in roots(older, self.root) {
            start[slot * SECTOR..][..SECTOR].copy_from_slice(&sector(slot, &root.to_bytes()));
        }
        start[NOTE * SECTOR..].copy_from_slice(&sector(NOTE, &[]));
        write(out, &start)?;
        let mut buffer = Vec::new();
        for at in (BLOCKS..self.root.end).step_by(RUN as usize) {
            buffer.resize(RUN.min(self.root.end - at) as usize, 0);
            if !self.source.read(at, &mut buffer)? {
                return Err(Error::damaged(
                    self.path(),
                    "end",
                    "the file is shorter than it was",
                ));
            }
            write(out, &buffer)?;
        }
        Ok(())
    }
}

/// Bytes that are read at once by whoever reads all.
const RUN: u64 = 256 * PAGE;

/// The sector with magic and version.
pub(crate) fn head() -> [u8; SECTOR] {
    let mut head = Vec::from(MAGIC);
    head.extend(VERSION.to_le_bytes());
    sector(HEAD, &head)
}

/// The sectors of two commits that follow each other.
pub(crate) fn roots(older: Root, newer: Root) -> [(usize, Root); 2] {
    let slot = slot_of(newer);
    let other = ROOTS[0] + ROOTS[1] - slot;
    [(other, older), (slot, newer)]
}

/// The sector that a root is written to.
pub(crate) fn slot_of(root: Root) -> usize {
    ROOTS[(root.sequence % 2) as usize]
}

/// A place that lies within the file.
fn checked(source: &Source, root: &Root, place: Place, name: &str) -> Result<Place, Error> {
    if place.at < BLOCKS || place.end() > root.end {
        return Err(Error::damaged(
            source.path(),
            name,
            "it lies outside of the file",
        ));
    }
    Ok(place)
}

/// Both roots, `None` for one that is damaged.
pub(crate) fn read_roots(source: &Source) -> Result<[Option<Root>; 2], Error> {
    let path = || source.path().to_owned();
    let version = |found| Error::Version {
        path: path(),
        found,
        known: VERSION,
    };
    let mut magic = [0; MAGIC.len()];
    let is_long = source.read(0, &mut magic)?;
    if is_long && magic == OLDER {
        return Err(version(1));
    }
    if !is_long || magic != MAGIC {
        return Err(Error::NotAStore { path: path() });
    }
    let mut start = [0; BLOCKS as usize];
    if !source.read(0, &mut start)? {
        let what = "the file ends in it";
        return Err(Error::damaged(source.path(), "head", what));
    }
    let head = &start[..SECTOR];
    let found = head[MAGIC.len()..].first_chunk().copied();
    let found = u32::from_le_bytes(found.unwrap_or_default());
    if content(HEAD, head).is_none() && found == VERSION {
        return Err(Error::damaged(
            source.path(),
            "head",
            "its checksum is wrong",
        ));
    }
    if found != VERSION {
        return Err(version(found));
    }
    let root = |slot: usize| content(slot, &start[slot * SECTOR..][..SECTOR]).map(Root::from_bytes);
    Ok(ROOTS.map(root))
}

/// The root of the last commit.
pub(crate) fn last_root(source: &Arc<Source>) -> Result<Root, Error> {
    let mut roots = read_roots(source)?;
    if roots.contains(&None) {
        // A root that is being overwritten is whole in a moment.
        wait_for(source, || {
            roots = read_roots(source).unwrap_or(roots);
            !roots.contains(&None)
        });
    }
    let newest = roots.iter().flatten().max_by_key(|root| root.sequence);
    let newest = newest
        .ok_or_else(|| Error::damaged(source.path(), "root", "the checksums of both are wrong"))?;
    match roots.contains(&None) {
        // The damaged one may be of the next commit. That was on disk before its root.
        true => Ok(next_root(source, *newest)?.unwrap_or(*newest)),
        false => Ok(*newest),
    }
}

/// Tries for some milliseconds whether another process has finished what it is writing.
fn wait_for(source: &Source, mut is_there: impl FnMut() -> bool) -> bool {
    // Nobody else writes to memory.
    let times = if source.file().is_some() { 5 } else { 0 };
    (0..times).any(|_| {
        thread::sleep(Duration::from_millis(2));
        is_there()
    })
}

/// The root of the commit after this one, if it is whole in the file.
fn next_root(source: &Arc<Source>, root: Root) -> Result<Option<Root>, Error> {
    let mut at = root.end;
    while let Some((kind, place)) = block_at(source, at)? {
        if kind == BlockKind::Part {
            at = place.end();
            continue;
        }
        let part = Part::new(source, place, "commit");
        let mut buffer = Vec::new();
        let Ok(bytes) = part.read(0..part.len().min(8), &mut buffer) else {
            return Ok(None);
        };
        let sequence = bytes.first_chunk().copied().map(u64::from_le_bytes);
        let is_next = sequence == Some(root.sequence + 1);
        return Ok(is_next.then_some(Root {
            sequence: root.sequence + 1,
            commit: place,
            end: place.end(),
        }));
    }
    Ok(None)
}

/// The block that starts at a place, if one does.
fn block_at(source: &Source, at: u64) -> Result<Option<(BlockKind, Place)>, Error> {
    let mut head = [0; BLOCK_HEAD as usize];
    if !source.read(at, &mut head)? {
        return Ok(None);
    }
    let block = Place::of_head(at, &head);
    Ok(block.filter(|(_, place)| place.end() > at))
}
