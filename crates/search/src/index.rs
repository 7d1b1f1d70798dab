use std::{
    path::Path,
    sync::{Mutex, PoisonError},
};

use lookalike_core::KeySource;
use lookalike_output::Progress;

use crate::{
    Ask, Error, FileBytes, Id, Searcher, Settings, SimilarText, Stats,
    file::{Draft, Packer, Removed, Replaces, Stored, Text, Unpacker, digest},
    fresh::Fresh,
    hashing::Hashing,
    searcher::Memory,
};

/// Texts that can be asked which of them are like a text.
///
/// What comes from a file stays in it, and is read as far as a query needs it; what is inserted is in memory until it is
/// [saved](TextIndex::save). Readers on many threads share `&TextIndex`.
///
/// ```
/// use lookalike_search::{Settings, TextIndex};
///
/// let mut index = TextIndex::new(&Settings::default())?;
/// index.insert("fox", "the quick brown fox jumps over the lazy dog near the old barn")?;
/// index.insert("hen", "two hens sat in the yard and looked at the rain for an hour")?;
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("animals.idx");
/// index.save(&path)?;
///
/// let index = TextIndex::load(&path)?;
/// let hits = index.query("The quick brown fox jumps over the lazy dog near the new barn.", 5)?;
/// // 7 of 11 shingles are common.
/// assert_eq!((hits[0].id.to_string(), hits[0].similarity), ("fox".into(), 7.0 / 11.0));
/// # Ok::<(), lookalike_search::Error>(())
/// ```
#[derive(Debug)]
pub struct TextIndex {
    pub(crate) hashing: Hashing,
    pub(crate) stored: Option<Stored>,
    pub(crate) removed: Removed,
    pub(crate) fresh: Fresh,
    /// Of readers that are done.
    idle: Mutex<Vec<Memory>>,
}

impl TextIndex {
    /// Without documents.
    pub fn new(settings: &Settings) -> Result<Self, Error> {
        let hashing = Hashing::new(settings)?;
        Ok(Self {
            stored: None,
            removed: Removed::default(),
            fresh: Fresh::new(&hashing),
            idle: Mutex::default(),
            hashing,
        })
    }

    /// Opens a file that [`save`](TextIndex::save) or [`build`](crate::build) wrote.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, Error> {
        let (stored, hashing) = Stored::open(path.as_ref())?;
        Ok(Self {
            stored: Some(stored),
            removed: Removed::default(),
            fresh: Fresh::new(&hashing),
            idle: Mutex::default(),
            hashing,
        })
    }

    /// Adds a document. Its id must be new.
    pub fn insert(&mut self, id: impl Into<Id>, text: &str) -> Result<(), Error> {
        let id = id.into();
        let length = u32::try_from(text.len());
        length.map_err(|_| Error::TooLong { bytes: text.len() })?;
        if self.contains(&id)? {
            return Err(Error::Taken { id, place: None });
        }
        if self.len() >= u32::MAX as usize {
            return Err(Error::TooMany);
        }
        let mut elements = Vec::new();
        let scratch = &mut Default::default();
        self.hashing.elements(text, scratch, &mut elements);
        self.fresh.insert(id, text, &elements)
    }

    /// Removes a document. Whether it was there.
    pub fn remove(&mut self, id: &Id) -> Result<bool, Error> {
        let Some((number, item)) = self.find_stored(id)? else {
            return Ok(self.fresh.remove(id));
        };
        let stored = self.stored.as_ref().expect("it was found there");
        let of = stored.item(item, &mut Vec::new())?;
        self.removed.add(number, item, &of);
        Ok(true)
    }

    /// Whether there is a document with this id.
    pub fn contains(&self, id: &Id) -> Result<bool, Error> {
        Ok(self.fresh.contains(id) || self.find_stored(id)?.is_some())
    }

    /// The text of a document.
    pub fn text(&self, id: &Id) -> Result<Option<String>, Error> {
        if let Some(text) = self.fresh.text(id) {
            return Ok(Some(text.to_owned()));
        }
        let (Some((_, item)), Some(stored)) = (self.find_stored(id)?, &self.stored) else {
            return Ok(None);
        };
        let (buffer, mut unpacker) = (&mut Vec::new(), Unpacker::default());
        let item = stored.item(item, buffer)?;
        let text = stored.text(&item, buffer, &mut unpacker)?;
        Ok(Some(text.to_owned()))
    }

    /// The `k` documents that are most like a text, the most similar first, of equals the smaller id.
    pub fn query(&self, text: &str, k: usize) -> Result<Vec<SimilarText>, Error> {
        let ask = Ask {
            k,
            ..Ask::default()
        };
        Ok(self.searcher().ask(text, &ask)?.hits)
    }

    /// A reader, for many queries and for more that can be asked.
    pub fn searcher(&self) -> Searcher<'_> {
        Searcher::new(self)
    }

    /// How many documents there are.
    #[must_use]
    pub fn len(&self) -> usize {
        let stored = self.stored.as_ref();
        let stored = stored.map_or(0, |stored| stored.layout.tail.documents as usize);
        (stored + self.fresh.documents()).saturating_sub(self.removed.documents.len())
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What it holds.
    #[must_use]
    pub fn stats(&self) -> Stats {
        let mut stats = Stats {
            documents: self.len() as u64,
            texts: 0,
            empty: 0,
            text_bytes: 0,
            settings: self.hashing.settings().clone(),
            plan: self.hashing.plan().clone(),
            file: None,
        };
        if let Some(stored) = &self.stored {
            let tail = stored.layout.tail;
            let Removed {
                texts,
                empty,
                text_bytes,
                ..
            } = self.removed;
            stats.texts = tail.items.saturating_sub(texts);
            stats.empty = tail.empty.saturating_sub(empty);
            stats.text_bytes = tail.text_bytes.saturating_sub(text_bytes);
            stats.file = Some(stored.file_bytes());
        }
        for (_, text) in self.fresh.living() {
            stats.texts += 1;
            stats.text_bytes += text.text.len() as u64;
            if !text.has_keys {
                stats.empty += text.ids.len() as u64;
            }
        }
        stats
    }

    /// Writes all of it to one file, whole or not at all, and goes on from there.
    ///
    /// Another index of that name is replaced, another file is not. What was removed is not in the file any more.
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.save_with(path.as_ref(), &())
    }

    pub(crate) fn save_with(&mut self, path: &Path, progress: &dyn Progress) -> Result<(), Error> {
        let replaces = match &self.stored {
            Some(stored) if is_same(stored.bytes.path(), path) => {
                Replaces::Seen(stored.bytes.seen())
            }
            _ => Replaces::AnyIndex,
        };
        let mut draft = Draft::new(&self.hashing, path, replaces, progress)?;
        if let Some(stored) = &self.stored {
            draft.take_over(stored, &self.removed)?;
        }
        let mut packer = Packer::new();
        let mut items = vec![None; self.fresh.texts.len()];
        for (number, fresh) in self.fresh.living() {
            let packed = packer.pack(&fresh.text);
            let text = Text {
                stored: packed.len() as u32,
                length: fresh.text.len() as u32,
                digest: digest(&fresh.text),
                has_keys: fresh.has_keys,
            };
            let (item, is_new) = draft.text(text, packed)?;
            items[number as usize] = is_new.then_some(item);
            for id in &fresh.ids {
                let taken = draft.document(id.clone(), item)?;
                taken.map_err(|_| Error::Taken {
                    id: id.clone(),
                    place: None,
                })?;
            }
        }
        for band in 0..self.hashing.bands() {
            for posting in self.fresh.index.keys(band) {
                if let Some(item) = items[posting.id as usize] {
                    draft.key(band as u32, posting.key, item);
                }
            }
        }
        draft.finish(progress)?;
        *self = Self::load(path)?;
        Ok(())
    }

    /// Memory of a reader that is done, or new.
    pub(crate) fn memory(&self) -> Memory {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop().unwrap_or_default()
    }

    pub(crate) fn give_back(&self, memory: Memory) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(memory);
    }

    /// The stored document with an id, and its item.
    fn find_stored(&self, id: &Id) -> Result<Option<(u32, u32)>, Error> {
        let Some(stored) = &self.stored else {
            return Ok(None);
        };
        let found = stored.find(id, &mut Vec::new())?;
        Ok(found.filter(|(number, _)| !self.removed.documents.contains(number)))
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

impl Stored {
    pub(crate) fn file_bytes(&self) -> FileBytes {
        let tail = &self.layout.tail;
        let lists = &self.layout.lists[crate::file::BANDS..];
        let buckets = lists.iter().filter_map(|list| list.table.bytes()).sum();
        let bytes = self.bytes.length();
        FileBytes {
            version: crate::file::VERSION,
            bytes,
            texts: tail.texts,
            buckets,
            tables: bytes - tail.texts - buckets,
        }
    }
}
