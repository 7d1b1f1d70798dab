//! A part of an index that never changes but for marks on what was removed: items, the documents that have them, and lists to
//! find both.

use std::{
    io,
    sync::{Arc, OnceLock},
};

use lookalike_store::{Error, Part, Place, Store};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use super::{
    lists::{Entry, Lists, Shape, hash_of},
    pack::Unpacker,
};
use crate::Id;

/// Places of the lists; the bands come last.
pub(crate) const BY_ID: usize = 0;
pub(crate) const BY_ITEM: usize = 1;
pub(crate) const BANDS: usize = 2;

/// What a commit says of a segment.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Info {
    /// Different items.
    pub(crate) items: u32,
    /// Documents, with those that were removed.
    pub(crate) documents: u32,
    /// Documents that were removed.
    pub(crate) removed: u32,
    /// Documents, with those that were removed, whose items have no keys.
    pub(crate) keyless: u32,
    pub(crate) bytes: Place,
    pub(crate) item_table: Place,
    pub(crate) ids: Place,
    pub(crate) document_table: Place,
    pub(crate) entries: Place,
    pub(crate) directory: Place,
    pub(crate) lists: Vec<Shape>,
    /// A bit for each document, if some were removed.
    pub(crate) marks: Option<Place>,
}

/// The parts of a segment with their names.
const PARTS: [&str; 7] = [
    "items",
    "table of items",
    "ids",
    "table of documents",
    "lists",
    "directory of lists",
    "removed marks",
];

impl Info {
    /// The name of each part, and where it is.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&'static str, Place)> {
        let all = [
            self.bytes,
            self.item_table,
            self.ids,
            self.document_table,
            self.entries,
            self.directory,
        ];
        let all = all.into_iter().chain(self.marks);
        PARTS.into_iter().zip(all)
    }

    /// The bytes that it takes in the file.
    pub(crate) fn stored(&self) -> u64 {
        self.parts().map(|(_, place)| place.stored()).sum()
    }
}

/// An item in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item {
    /// Where its bytes end.
    pub(crate) end: u64,
    pub(crate) is_packed: bool,
    pub(crate) has_keys: bool,
    pub(crate) first_document: u32,
    /// Its bytes when they are unpacked.
    pub(crate) length: u32,
}

impl Item {
    pub(crate) const BYTES: u64 = 16;

    pub(crate) fn to_bytes(self) -> [u8; 16] {
        let flags = u64::from(self.is_packed) << 63 | u64::from(self.has_keys) << 62;
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&(self.end | flags).to_le_bytes());
        bytes[8..12].copy_from_slice(&self.first_document.to_le_bytes());
        bytes[12..].copy_from_slice(&self.length.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; 16]) -> Self {
        let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
        let end = u64::from(word(0)) | u64::from(word(4)) << 32;
        Self {
            end: end & (u64::MAX >> 2),
            is_packed: end >> 63 == 1,
            has_keys: end >> 62 & 1 == 1,
            first_document: word(8),
            length: word(12),
        }
    }
}

/// A document in its table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Document {
    /// Where its id ends.
    pub(crate) id_end: u64,
    pub(crate) item: u32,
}

impl Document {
    pub(crate) const BYTES: u64 = 12;

    pub(crate) fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[..8].copy_from_slice(&self.id_end.to_le_bytes());
        bytes[8..].copy_from_slice(&self.item.to_le_bytes());
        bytes
    }

    pub(crate) fn from_bytes(bytes: &[u8; 12]) -> Self {
        let (id_end, item) = bytes.split_at(8);
        Self {
            id_end: u64::from_le_bytes(id_end.try_into().expect("8 bytes")),
            item: u32::from_le_bytes(item.try_into().expect("4 bytes")),
        }
    }
}

/// The hash under which an id is in its list.
pub(crate) fn id_hash(id: &Id) -> u32 {
    hash_of(xxh3_64(id.as_json().as_bytes()))
}

/// An item with where it starts and which documents have it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) item: Item,
    start: u64,
    /// The document after its last.
    pub(crate) end_document: u32,
}

/// A segment, open to be read. Copies are cheap; marks are shared until one of them is changed.
#[derive(Clone, Debug)]
pub(crate) struct Segment {
    pub(crate) parts: Arc<Parts>,
    marks: Marks,
}

/// The parts of a segment that never change.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(crate) info: Info,
    bytes: Part,
    item_table: Part,
    ids: Part,
    document_table: Part,
    pub(crate) lists: Lists,
}

/// Which documents were removed.
#[derive(Clone, Debug)]
struct Marks {
    count: u32,
    /// Where the marks are in the file, as long as none were added.
    place: Option<Place>,
    /// What to read them from.
    stored: Option<Part>,
    /// A bit for each document, once they are needed.
    bits: Arc<OnceLock<Vec<u8>>>,
}

/// What reading takes, used again and again.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(crate) buffer: Vec<u8>,
    pub(crate) unpacker: Unpacker,
}

impl Segment {
    pub(crate) fn open(store: &Store, info: &Info) -> Result<Self, Error> {
        Self::with(info, |name, place| store.part(name, place))
    }

    pub(crate) fn with(
        info: &Info,
        part: impl Fn(&str, Place) -> Result<Part, Error>,
    ) -> Result<Self, Error> {
        let places: Vec<(&str, Place)> = info.parts().collect();
        let part = |number: usize| part(places[number].0, places[number].1);
        let (item_table, document_table) = (part(1)?, part(3)?);
        if item_table.len() != u64::from(info.items) * Item::BYTES {
            return Err(item_table.damaged("its length is not that of its items"));
        }
        if document_table.len() != u64::from(info.documents) * Document::BYTES {
            return Err(document_table.damaged("its length is not that of its documents"));
        }
        let has_marks = info.marks.is_some() == (info.removed > 0);
        if info.removed > info.documents || !has_marks || info.lists.len() < BANDS {
            return Err(item_table.damaged("its numbers are impossible"));
        }
        let marks = Marks {
            count: info.removed,
            place: info.marks,
            stored: info.marks.map(|_| part(6)).transpose()?,
            bits: Arc::default(),
        };
        if let Some(stored) = &marks.stored
            && stored.len() != u64::from(info.documents).div_ceil(8)
        {
            return Err(stored.damaged("its length is not that of the documents"));
        }
        Ok(Self {
            parts: Arc::new(Parts {
                info: info.clone(),
                bytes: part(0)?,
                item_table,
                ids: part(2)?,
                document_table,
                lists: Lists::new(part(4)?, part(5)?, &info.lists)?,
            }),
            marks,
        })
    }

    pub(crate) fn items(&self) -> u32 {
        self.parts.info.items
    }

    /// Documents, with those that were removed.
    pub(crate) fn documents(&self) -> u32 {
        self.parts.info.documents
    }

    /// Documents that were not removed.
    pub(crate) fn living(&self) -> u32 {
        self.documents() - self.marks.count
    }

    pub(crate) fn removed(&self) -> u32 {
        self.marks.count
    }

    pub(crate) fn lists(&self) -> &Lists {
        &self.parts.lists
    }

    /// Bytes of its parts.
    pub(crate) fn item_bytes(&self) -> u64 {
        self.parts.bytes.len()
    }

    fn mark_bits(&self) -> Result<Option<&[u8]>, Error> {
        if self.marks.count == 0 {
            return Ok(None);
        }
        if let (None, Some(stored)) = (self.marks.bits.get(), &self.marks.stored) {
            let mut buffer = Vec::new();
            let bits = stored.read(0..stored.len(), &mut buffer)?;
            let _ = self.marks.bits.set(bits.to_vec());
        }
        Ok(self.marks.bits.get().map(Vec::as_slice))
    }

    /// Whether a document was removed.
    pub(crate) fn is_removed(&self, document: u32) -> Result<bool, Error> {
        let bits = self.mark_bits()?;
        Ok(bits.is_some_and(|bits| bits[document as usize / 8] >> (document % 8) & 1 == 1))
    }

    /// The marks as they are stored, if there are any.
    pub(crate) fn marks(&self) -> Result<Option<&[u8]>, Error> {
        self.mark_bits()
    }

    /// Where the marks are stored, if they are.
    pub(crate) fn marks_place(&self) -> Option<Place> {
        self.marks.place
    }

    /// Notes where the marks were written.
    pub(crate) fn set_marks_place(&mut self, place: Place) {
        self.marks.place = Some(place);
    }

    /// Whether marks were added since the segment was opened.
    pub(crate) fn has_new_marks(&self) -> bool {
        self.marks.count > 0 && self.marks.place.is_none()
    }

    /// Marks a document as removed. Whether it was there.
    pub(crate) fn remove(&mut self, document: u32) -> Result<bool, Error> {
        if self.is_removed(document)? {
            return Ok(false);
        }
        let length = (self.documents() as usize).div_ceil(8);
        let old = self.mark_bits()?.map(<[u8]>::to_vec);
        let place = document as usize;
        match Arc::get_mut(&mut self.marks.bits).and_then(OnceLock::get_mut) {
            Some(bits) => bits[place / 8] |= 1 << (place % 8),
            // Others may be reading these marks.
            None => {
                let mut bits = old.unwrap_or_else(|| vec![0; length]);
                bits[place / 8] |= 1 << (place % 8);
                self.marks.bits = Arc::new(OnceLock::from(bits));
            }
        }
        self.marks.count += 1;
        (self.marks.place, self.marks.stored) = (None, None);
        Ok(true)
    }

    /// An item by its number.
    pub(crate) fn item(&self, number: u32, reading: &mut Reading) -> Result<Found, Error> {
        let table = &self.parts.item_table;
        let items = self.items();
        if number >= items {
            return Err(table.damaged("an item is missing"));
        }
        // The one before says where it starts, the one after where its documents end.
        let (first, end) = (number.saturating_sub(1), (number + 2).min(items));
        let range = u64::from(first) * Item::BYTES..u64::from(end) * Item::BYTES;
        let records = table.read(range, &mut reading.buffer)?.as_chunks().0;
        let at = (number - first) as usize;
        let item = Item::from_bytes(&records[at]);
        let start = at
            .checked_sub(1)
            .map(|before| Item::from_bytes(&records[before]).end);
        let start = start.unwrap_or(0);
        let next = records.get(at + 1).map(Item::from_bytes);
        let end_document = next.map_or(self.documents(), |next| next.first_document);
        let is_sane = start <= item.end
            && item.first_document < end_document
            && end_document <= self.documents();
        if !is_sane {
            return Err(table.damaged("its numbers do not ascend"));
        }
        Ok(Found {
            item,
            start,
            end_document,
        })
    }

    /// Whether an item has a document that was not removed.
    pub(crate) fn has_living(&self, found: &Found) -> Result<bool, Error> {
        for document in found.item.first_document..found.end_document {
            if !self.is_removed(document)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The documents of an item that were not removed.
    pub(crate) fn count_living(&self, found: &Found) -> Result<u32, Error> {
        let all = found.item.first_document..found.end_document;
        if self.marks.count == 0 {
            return Ok(all.len() as u32);
        }
        let mut count = 0;
        for document in all {
            count += u32::from(!self.is_removed(document)?);
        }
        Ok(count)
    }

    /// The bytes of an item, as its kind encodes it.
    pub(crate) fn bytes<'r>(
        &self,
        found: &Found,
        reading: &'r mut Reading,
    ) -> Result<&'r [u8], Error> {
        let Reading { buffer, unpacker } = reading;
        let part = &self.parts.bytes;
        let stored = part.read(found.start..found.item.end, buffer)?;
        match found.item.is_packed {
            false => Ok(stored),
            true => {
                let unpacked = unpacker.unpack(stored, found.item.length);
                unpacked.ok_or_else(|| part.damaged("an item cannot be unpacked"))
            }
        }
    }

    /// The bytes of an item as they are stored.
    pub(crate) fn stored_bytes<'r>(
        &self,
        found: &Found,
        buffer: &'r mut Vec<u8>,
    ) -> Result<&'r [u8], Error> {
        self.parts.bytes.read(found.start..found.item.end, buffer)
    }

    /// The id of a document, and the number of its item.
    pub(crate) fn document(&self, number: u32, buffer: &mut Vec<u8>) -> Result<(Id, u32), Error> {
        let Parts {
            document_table: table,
            ids,
            ..
        } = &*self.parts;
        if number >= self.documents() {
            return Err(table.damaged("a document is missing"));
        }
        let first = number.saturating_sub(1);
        let range = u64::from(first) * Document::BYTES..u64::from(number + 1) * Document::BYTES;
        let records = table.read(range, buffer)?.as_chunks().0;
        let last = records.len() - 1;
        let document = Document::from_bytes(&records[last]);
        let start = match first == number {
            true => 0,
            false => Document::from_bytes(&records[0]).id_end,
        };
        if start > document.id_end {
            return Err(table.damaged("its numbers do not ascend"));
        }
        let json = ids.read(start..document.id_end, buffer)?;
        let id = std::str::from_utf8(json).ok().and_then(Id::from_json);
        Ok((
            id.ok_or_else(|| ids.damaged("an id is not one"))?,
            document.item,
        ))
    }

    /// The living document with an id, and its item.
    pub(crate) fn find(&self, id: &Id, reading: &mut Reading) -> Result<Option<(u32, u32)>, Error> {
        let mut numbers = Vec::new();
        let buffer = &mut reading.buffer;
        let visit = |entry: Entry| numbers.push(entry.number);
        self.lists().find(BY_ID, id_hash(id), buffer, visit)?;
        for number in numbers {
            let (found, item) = self.document(number, buffer)?;
            if found == *id && !self.is_removed(number)? {
                return Ok(Some((number, item)));
            }
        }
        Ok(None)
    }

    /// The items of a band with a hash.
    pub(crate) fn meet(
        &self,
        band: u32,
        hash: u32,
        buffer: &mut Vec<u8>,
        visit: impl FnMut(Entry),
    ) -> Result<(), Error> {
        self.lists()
            .find(BANDS + band as usize, hash, buffer, visit)
    }
}

/// Where what was written of a segment is collected.
pub(crate) fn failed(path: &std::path::Path) -> impl Fn(io::Error) -> Error + '_ {
    |reason| Error::Io {
        path: path.to_owned(),
        reason,
    }
}
