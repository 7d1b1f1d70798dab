use std::path::Path;

use hashbrown::{HashMap, HashSet};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    bytes::Bytes,
    layout::{self, BANDS, BY_ID, BY_TEXT, Layout},
    records::{Document, Item},
    sorted::hash_of,
    texts::Unpacker,
};
use crate::{Error, Id, hashing::Hashing};

/// The file of an index, open to be asked. Nothing of it is in memory but its directory.
#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) bytes: Bytes,
    pub(crate) layout: Layout,
}

/// What has been removed since, and is still in the file.
#[derive(Debug, Default)]
pub(crate) struct Removed {
    pub(crate) documents: HashSet<u32>,
    /// How many documents of an item.
    pub(crate) of_items: HashMap<u32, u32>,
    /// Documents without a shingle.
    pub(crate) empty: u64,
    /// Texts that no document has any more, and their bytes.
    pub(crate) texts: u64,
    pub(crate) text_bytes: u64,
}

impl Removed {
    /// Removes a document of an item.
    pub(crate) fn add(&mut self, document: u32, number: u32, item: &Item) {
        self.documents.insert(document);
        *self.of_items.entry(number).or_default() += 1;
        self.empty += u64::from(!item.has_keys);
        if self.has_all_of(number, item) {
            self.texts += 1;
            self.text_bytes += u64::from(item.length);
        }
    }

    /// Whether no document of an item is left.
    pub(crate) fn has_all_of(&self, number: u32, item: &Item) -> bool {
        !self.of_items.is_empty() && self.of_items.get(&number) == Some(&item.documents)
    }
}

/// The hash under which an id is found.
pub(crate) fn id_hash(id: &Id) -> u64 {
    xxh3_64(id.as_json().as_bytes())
}

impl Stored {
    /// Opens a file, and says how texts are hashed for it.
    pub(crate) fn open(path: &Path) -> Result<(Self, Hashing), Error> {
        use lookalike_core::KeySource;

        let bytes = Bytes::open(path)?;
        let (hashing, head) = layout::read_head(&bytes)?;
        let layout = Layout::read(&bytes, head, hashing.bands())?;
        Ok((Self { bytes, layout }, hashing))
    }

    /// Visits the items that have a key in a band, or one that looks like it.
    pub(crate) fn meet(
        &self,
        band: u32,
        key: u64,
        buffer: &mut Vec<u8>,
        visit: impl FnMut(u32),
    ) -> Result<(), Error> {
        let band = &self.layout.lists[BANDS + band as usize];
        band.find(&self.bytes, hash_of(key), buffer, visit)
    }

    pub(crate) fn item(&self, number: u32, buffer: &mut Vec<u8>) -> Result<Item, Error> {
        let items = &self.layout.items;
        let record = items.record(&self.bytes, number.into(), buffer)?;
        Ok(Item::from_bytes(record))
    }

    pub(crate) fn document(&self, number: u32, buffer: &mut Vec<u8>) -> Result<Document, Error> {
        let documents = &self.layout.documents;
        let record = documents.record(&self.bytes, number.into(), buffer)?;
        Ok(Document::from_bytes(record))
    }

    /// The bytes that are stored of a text.
    pub(crate) fn packed<'b>(
        &self,
        item: &Item,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], Error> {
        let end = item.at.checked_add(item.stored.into());
        let within = end.is_some_and(|end| end <= self.layout.tail.texts);
        self.bytes.expect(within, "a text lies outside of it")?;
        let at = self.layout.texts + item.at;
        self.bytes.read(at, item.stored as usize, buffer)
    }

    /// A text.
    pub(crate) fn text<'b>(
        &self,
        item: &Item,
        buffer: &'b mut Vec<u8>,
        unpacker: &'b mut Unpacker,
    ) -> Result<&'b str, Error> {
        let packed = self.packed(item, buffer)?;
        let text = unpacker.unpack(packed, item.length, item.digest);
        text.ok_or_else(|| self.bytes.damaged("the checksum of a text is wrong"))
    }

    pub(crate) fn id(&self, document: &Document, buffer: &mut Vec<u8>) -> Result<Id, Error> {
        let (at, length) = (document.id_at, document.id_length);
        let within = at.checked_add(length.into());
        let within = within.is_some_and(|end| end <= self.layout.tail.ids);
        self.bytes.expect(within, "an id lies outside of it")?;
        let json = self
            .bytes
            .read(self.layout.ids + at, length as usize, buffer)?;
        self.checked_id(document, json)
    }

    /// The id that these bytes are, if they are those of the document.
    pub(crate) fn checked_id(&self, document: &Document, json: &[u8]) -> Result<Id, Error> {
        let sound = xxh3_64(json) == document.id_hash;
        let id = std::str::from_utf8(json).ok().and_then(Id::from_json);
        let id = id.filter(|_| sound);
        id.ok_or_else(|| self.bytes.damaged("the checksum of an id is wrong"))
    }

    /// The ids of the first documents of an item that are left.
    pub(crate) fn ids_of(
        &self,
        item: &Item,
        most: usize,
        removed: &Removed,
        buffer: &mut Vec<u8>,
    ) -> Result<Vec<Id>, Error> {
        let all = item.first_document..item.first_document.saturating_add(item.documents);
        let left = all.filter(|number| !removed.documents.contains(number));
        left.take(most)
            .map(|number| {
                let document = self.document(number, buffer)?;
                self.id(&document, buffer)
            })
            .collect()
    }

    /// The document with an id, and its item.
    pub(crate) fn find(&self, id: &Id, buffer: &mut Vec<u8>) -> Result<Option<(u32, u32)>, Error> {
        let hash = id_hash(id);
        let mut numbers = Vec::new();
        let by_id = &self.layout.lists[BY_ID];
        by_id.find(&self.bytes, hash_of(hash), buffer, |number| {
            numbers.push(number);
        })?;
        for number in numbers {
            let document = self.document(number, buffer)?;
            if document.id_hash == hash && self.id(&document, buffer)? == *id {
                return Ok(Some((number, document.item)));
            }
        }
        Ok(None)
    }

    /// The item with a text, by its digest.
    pub(crate) fn find_text(
        &self,
        digest: u128,
        buffer: &mut Vec<u8>,
    ) -> Result<Option<(u32, Item)>, Error> {
        let mut numbers = Vec::new();
        let by_text = &self.layout.lists[BY_TEXT];
        by_text.find(&self.bytes, hash_of(digest as u64), buffer, |number| {
            numbers.push(number);
        })?;
        for number in numbers {
            let item = self.item(number, buffer)?;
            if item.digest == digest {
                return Ok(Some((number, item)));
            }
        }
        Ok(None)
    }
}
