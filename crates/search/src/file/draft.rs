use std::path::Path;

use hashbrown::HashTable;
use lookalike_core::KeySource;
use lookalike_output::Progress;

use super::{
    layout,
    publish::{Replaces, Writer},
    records::Item,
    sorted::{entry, hash_of},
    stored::{Removed, Stored, id_hash},
};
use crate::{Error, Id, hashing::Hashing};

/// A file that is being made: what is left of an older one, and what is added.
///
/// Texts are written as they come. What is added is otherwise in memory, some 200 bytes a document; of the older file nothing
/// is but the new numbers of its items.
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    pub(super) writer: Writer,
    /// Where the texts start.
    pub(super) texts_at: u64,
    pub(super) base: Option<Base<'a>>,
    pub(super) items: Vec<Text>,
    /// The items by their text.
    texts: HashTable<u32>,
    pub(super) documents: Vec<(u32, Id)>,
    /// The documents by their id.
    ids: HashTable<u32>,
    pub(super) bands: Vec<Vec<u64>>,
    buffer: Vec<u8>,
}

/// The older file.
#[derive(Debug)]
pub(super) struct Base<'a> {
    pub(super) stored: &'a Stored,
    pub(super) removed: &'a Removed,
    /// The new numbers of items; those without documents have none.
    pub(super) numbers: Vec<Option<u32>>,
    /// How many items are left.
    pub(super) left: u32,
}

/// A text that is added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text {
    /// Bytes in the file, and of itself.
    pub(crate) stored: u32,
    pub(crate) length: u32,
    pub(crate) digest: u128,
    pub(crate) has_keys: bool,
}

/// An id is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Twice {
    /// In the older file.
    Stored,
    /// It is that of an added document: its number.
    Added(u32),
}

impl<'a> Draft<'a> {
    /// A file without documents.
    pub(crate) fn new(
        hashing: &Hashing,
        path: &Path,
        replaces: Replaces,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        let mut writer = Writer::new(path, replaces, progress)?;
        writer.bytes(&layout::head(hashing))?;
        Ok(Self {
            texts_at: writer.at(),
            writer,
            base: None,
            items: Vec::new(),
            texts: HashTable::new(),
            documents: Vec::new(),
            ids: HashTable::new(),
            bands: vec![Vec::new(); hashing.bands()],
            buffer: Vec::new(),
        })
    }

    /// Takes over what is left of another file of the same settings; it comes before all that is added.
    pub(crate) fn take_over(
        &mut self,
        stored: &'a Stored,
        removed: &'a Removed,
    ) -> Result<(), Error> {
        let mut rows = stored.layout.items.rows(&stored.bytes);
        let mut numbers = Vec::new();
        let mut left = 0;
        // Texts lie one after the other: those that are left are copied in runs.
        let mut run: Option<(u64, u64)> = None;
        while let Some(record) = rows.next()? {
            let item = Item::from_bytes(&record);
            if removed.has_all_of(numbers.len() as u32, &item) {
                numbers.push(None);
                continue;
            }
            numbers.push(Some(left));
            left += 1;
            let (at, end) = (item.at, item.at.saturating_add(item.stored.into()));
            run = match run {
                Some((start, until)) if until == at => Some((start, end)),
                before => {
                    self.copy(stored, before)?;
                    Some((at, end))
                }
            };
        }
        self.copy(stored, run)?;
        self.base = Some(Base {
            stored,
            removed,
            numbers,
            left,
        });
        Ok(())
    }

    fn copy(&mut self, stored: &Stored, run: Option<(u64, u64)>) -> Result<(), Error> {
        const BLOCK: u64 = 1 << 20;
        let Some((start, end)) = run else {
            return Ok(());
        };
        let within = end <= stored.layout.tail.texts;
        stored.bytes.expect(within, "a text lies outside of it")?;
        for at in (start..end).step_by(BLOCK as usize) {
            let length = BLOCK.min(end - at) as usize;
            let place = stored.layout.texts + at;
            let block = stored.bytes.read(place, length, &mut self.buffer)?;
            self.writer.bytes(block)?;
        }
        Ok(())
    }

    /// The number of a text's item, and whether it is new: then it has no keys yet. `packed` is what is stored of it.
    pub(crate) fn text(&mut self, text: Text, packed: &[u8]) -> Result<(u32, bool), Error> {
        if let Some(base) = &self.base
            && let Some((item, _)) = base.stored.find_text(text.digest, &mut self.buffer)?
            && let Some(number) = base.numbers.get(item as usize).copied().flatten()
        {
            return Ok((number, false));
        }
        let items = &self.items;
        let digest = |place: &u32| items[*place as usize].digest;
        let first = self.first_added();
        let same = |place: &u32| digest(place) == text.digest;
        if let Some(place) = self.texts.find(text.digest as u64, same) {
            return Ok((first + place, false));
        }
        let place = u32::try_from(items.len()).ok();
        let place = place.filter(|place| first.checked_add(*place).is_some_and(|n| n < u32::MAX));
        let place = place.ok_or(Error::TooMany)?;
        self.texts
            .insert_unique(text.digest as u64, place, |place| digest(place) as u64);
        self.items.push(text);
        self.writer.bytes(packed)?;
        Ok((first + place, true))
    }

    /// The number of the first item that is added.
    pub(super) fn first_added(&self) -> u32 {
        self.base.as_ref().map_or(0, |base| base.left)
    }

    /// Adds a key of an item.
    pub(crate) fn key(&mut self, band: u32, key: u64, item: u32) {
        self.bands[band as usize].push(entry(hash_of(key), item));
    }

    /// Adds a document, unless its id is there already.
    pub(crate) fn document(&mut self, id: Id, item: u32) -> Result<Result<(), Twice>, Error> {
        let hash = id_hash(&id);
        if let Some(base) = &self.base
            && let Some((number, _)) = base.stored.find(&id, &mut self.buffer)?
            && !base.removed.documents.contains(&number)
        {
            return Ok(Err(Twice::Stored));
        }
        let documents = &self.documents;
        let same = |place: &u32| documents[*place as usize].1 == id;
        if let Some(&place) = self.ids.find(hash, same) {
            return Ok(Err(Twice::Added(place)));
        }
        let before = self.base.as_ref().map_or(0, |base| {
            base.stored.layout.tail.documents - base.removed.documents.len() as u64
        });
        let all = before + documents.len() as u64 + 1;
        if all > u32::MAX.into() {
            return Err(Error::TooMany);
        }
        let place = documents.len() as u32;
        self.ids
            .insert_unique(hash, place, |place| id_hash(&documents[*place as usize].1));
        self.documents.push((item, id));
        Ok(Ok(()))
    }
}
