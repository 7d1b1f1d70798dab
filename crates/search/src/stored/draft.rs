//! Items and documents in memory, on their way into a segment.

use std::io::Write;

use hashbrown::HashTable;
use lookalike_store::{Error, Place, Writer};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    hashes::Posting,
    lists::{Entry, ListsWriter, hash_of},
    pack::Unpacker,
    segment::{BANDS, BY_ID, BY_ITEM, Document, Info, Item, failed, id_hash},
};
use crate::Id;

/// Items that are not in a file yet. An item is there once, however many documents have it.
#[derive(Debug)]
pub(crate) struct Draft {
    /// Items as they are stored.
    bytes: Vec<u8>,
    items: Vec<DraftItem>,
    by_item: HashTable<u32>,
    /// With the numbers of their items; `None` if they were removed.
    documents: Vec<(u32, Option<Id>)>,
    by_id: HashTable<u32>,
    removed: u32,
    bands: Vec<Band>,
    unpacker: Unpacker,
}

#[derive(Clone, Copy, Debug)]
struct DraftItem {
    /// Of its bytes before they are packed.
    hash: u64,
    start: usize,
    end: usize,
    length: u32,
    is_packed: bool,
    has_keys: bool,
    living: u32,
}

/// The postings of a band: as entries only if they have payloads, which take twice the room.
#[derive(Debug)]
enum Band {
    Bare(Vec<u64>),
    Full(Vec<Entry>),
}

/// An item that is added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Added<'a> {
    /// Its bytes, as its kind encodes it.
    pub(crate) bytes: &'a [u8],
    /// The same in fewer bytes, if that pays.
    pub(crate) packed: Option<&'a [u8]>,
    pub(crate) keys: &'a [Posting],
}

/// A document that was added.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pushed {
    pub(crate) document: u32,
    pub(crate) item: u32,
    /// Whether no other document has the item.
    pub(crate) is_new: bool,
}

impl Draft {
    pub(crate) fn new(bands: usize, payload: usize) -> Self {
        let band = || match payload {
            0 => Band::Bare(Vec::new()),
            _ => Band::Full(Vec::new()),
        };
        Self {
            bytes: Vec::new(),
            items: Vec::new(),
            by_item: HashTable::new(),
            documents: Vec::new(),
            by_id: HashTable::new(),
            removed: 0,
            bands: (0..bands).map(|_| band()).collect(),
            unpacker: Unpacker::default(),
        }
    }

    /// Documents that were not removed.
    pub(crate) fn living(&self) -> u32 {
        self.documents.len() as u32 - self.removed
    }

    /// Documents that were removed.
    pub(crate) fn removed(&self) -> u32 {
        self.removed
    }

    /// Roughly the bytes that it takes.
    pub(crate) fn memory(&self) -> usize {
        let postings = self.bands.iter().map(|band| match band {
            Band::Bare(entries) => entries.len() * 8,
            Band::Full(entries) => entries.len() * 16,
        });
        // A document: a table entry, an id of its own, a place in a table.
        self.bytes.len()
            + self.items.len() * 56
            + self.documents.len() * 72
            + postings.sum::<usize>()
    }

    /// Whether there is a document with this id.
    pub(crate) fn find(&self, id: &Id) -> Option<u32> {
        let same = |place: &u32| self.documents[*place as usize].1.as_ref() == Some(id);
        self.by_id.find(id_hash(id).into(), same).copied()
    }

    /// Adds a document whose id is not there.
    pub(crate) fn push(&mut self, id: Id, added: &Added<'_>) -> Pushed {
        let hash = xxh3_64(added.bytes);
        let (items, bytes, unpacker) = (&self.items, &self.bytes, &mut self.unpacker);
        let mut is_same = |place: &u32| {
            let item = &items[*place as usize];
            item.hash == hash && raw(bytes, item, unpacker) == Some(added.bytes)
        };
        let known = self.by_item.find(hash, &mut is_same).copied();
        let item = known.unwrap_or_else(|| self.push_item(hash, added));
        self.items[item as usize].living += 1;
        let document = self.documents.len() as u32;
        let documents = &self.documents;
        let hash_at = |place: &u32| {
            documents[*place as usize]
                .1
                .as_ref()
                .map_or(0, id_hash)
                .into()
        };
        self.by_id
            .insert_unique(id_hash(&id).into(), document, hash_at);
        self.documents.push((item, Some(id)));
        Pushed {
            document,
            item,
            is_new: known.is_none(),
        }
    }

    fn push_item(&mut self, hash: u64, added: &Added<'_>) -> u32 {
        let number = self.items.len() as u32;
        let start = self.bytes.len();
        self.bytes
            .extend_from_slice(added.packed.unwrap_or(added.bytes));
        self.items.push(DraftItem {
            hash,
            start,
            end: self.bytes.len(),
            length: added.bytes.len() as u32,
            is_packed: added.packed.is_some(),
            // Without bands everything is compared.
            has_keys: !added.keys.is_empty() || self.bands.is_empty(),
            living: 0,
        });
        let items = &self.items;
        self.by_item
            .insert_unique(hash, number, |place| items[*place as usize].hash);
        for key in added.keys {
            match &mut self.bands[key.band as usize] {
                Band::Bare(entries) => {
                    entries.push(u64::from(key.hash) << 32 | u64::from(number));
                }
                Band::Full(entries) => entries.push(Entry {
                    hash: key.hash,
                    number,
                    payload: key.payload,
                }),
            }
        }
        number
    }

    /// Removes a document. Whether it was there.
    pub(crate) fn remove(&mut self, id: &Id) -> bool {
        let same = |place: &u32| self.documents[*place as usize].1.as_ref() == Some(id);
        let Ok(entry) = self.by_id.find_entry(id_hash(id).into(), same) else {
            return false;
        };
        let (document, _) = entry.remove();
        let (item, id) = &mut self.documents[document as usize];
        *id = None;
        self.removed += 1;
        let number = *item;
        let item = &mut self.items[number as usize];
        item.living -= 1;
        if item.living == 0
            && let Ok(entry) = self.by_item.find_entry(item.hash, |place| *place == number)
        {
            entry.remove();
        }
        true
    }

    /// The bytes of an item, as its kind encodes it.
    pub(crate) fn bytes<'a>(&'a self, item: u32, unpacker: &'a mut Unpacker) -> &'a [u8] {
        let item = &self.items[item as usize];
        raw(&self.bytes, item, unpacker).expect("it was packed here")
    }

    /// How many documents have an item.
    pub(crate) fn count_living(&self, item: u32) -> u32 {
        self.items[item as usize].living
    }

    /// The items, by their numbers.
    pub(crate) fn items(&self) -> u32 {
        self.items.len() as u32
    }

    /// The item of a document.
    pub(crate) fn item_of(&self, document: u32) -> u32 {
        self.documents[document as usize].0
    }

    /// The id of a document, unless it was removed.
    pub(crate) fn id(&self, document: u32) -> Option<&Id> {
        self.documents[document as usize].1.as_ref()
    }

    /// Appends a segment to a store, and empties the draft.
    pub(crate) fn flush(&mut self, payload: usize, writer: &mut Writer) -> Result<Info, Error> {
        let path = writer.path().to_owned();
        let failed = failed(&path);
        // Items without documents are left out.
        let (mut numbers, mut next) = (Vec::with_capacity(self.items.len()), 0);
        for item in &self.items {
            numbers.push(if item.living > 0 { next } else { u32::MAX });
            next += u32::from(item.living > 0);
        }
        let mut documents: Vec<(u32, Id)> = std::mem::take(&mut self.documents)
            .into_iter()
            .filter_map(|(item, id)| Some((numbers[item as usize], id?)))
            .collect();
        documents.par_sort_unstable();
        let mut part = writer.part();
        let mut table = Vec::with_capacity(self.items.len() * Item::BYTES as usize);
        let mut by_item = Vec::with_capacity(self.items.len());
        let (mut end, mut at, mut keyless) = (0, 0, 0);
        for item in self.items.iter().filter(|item| item.living > 0) {
            part.write_all(&self.bytes[item.start..item.end])
                .map_err(&failed)?;
            end += (item.end - item.start) as u64;
            let record = Item {
                end,
                is_packed: item.is_packed,
                has_keys: item.has_keys,
                first_document: at,
                length: item.length,
            };
            at += item.living;
            keyless += if item.has_keys { 0 } else { item.living };
            let number = by_item.len() as u32;
            by_item.push(bare(hash_of(item.hash), number));
            table.extend(record.to_bytes());
        }
        let bytes = part.finish().map_err(&failed)?;
        let items = by_item.len() as u32;
        let (mut ids, mut document_table) = (Vec::new(), Vec::new());
        let mut by_id = Vec::with_capacity(documents.len());
        for (number, (item, id)) in (0..).zip(&documents) {
            ids.extend_from_slice(id.as_json().as_bytes());
            let id_end = ids.len() as u64;
            let record = Document {
                id_end,
                item: *item,
            };
            document_table.extend(record.to_bytes());
            by_id.push(bare(id_hash(id), number));
        }
        let [item_table, ids, document_table] = parts(writer, [&table, &ids, &document_table])?;
        let mut part = writer.part();
        let mut lists = ListsWriter::new(&mut part);
        const { assert!(BY_ID == 0 && BY_ITEM == 1 && BANDS == 2) };
        for list in [by_id, by_item] {
            write_bare(list, &mut lists).map_err(&failed)?;
        }
        for band in &mut self.bands {
            match band {
                Band::Bare(entries) => {
                    let entries = std::mem::take(entries).into_iter();
                    let entries = entries.filter_map(|entry| {
                        let number = numbers[entry as u32 as usize];
                        (number != u32::MAX).then(|| bare((entry >> 32) as u32, number))
                    });
                    write_bare(entries.collect(), &mut lists).map_err(&failed)?;
                }
                Band::Full(entries) => {
                    let mut entries: Vec<Entry> = std::mem::take(entries)
                        .into_iter()
                        .map(|entry| Entry {
                            number: numbers[entry.number as usize],
                            ..entry
                        })
                        .filter(|entry| entry.number != u32::MAX)
                        .collect();
                    entries.par_sort_unstable();
                    lists.start(entries.len() as u64, payload);
                    let written = entries.into_iter().try_for_each(|entry| lists.push(entry));
                    written.map_err(&failed)?;
                }
            }
        }
        let (shapes, directory) = lists.finish().map_err(&failed)?;
        let entries = part.finish().map_err(&failed)?;
        let [directory] = parts(writer, [&directory])?;
        let bands = self.bands.len();
        let info = Info {
            items,
            documents: documents.len() as u32,
            removed: 0,
            keyless,
            bytes,
            item_table,
            ids,
            document_table,
            entries,
            directory,
            lists: shapes,
            marks: None,
        };
        *self = Self::new(bands, payload);
        Ok(info)
    }
}

fn raw<'a>(bytes: &'a [u8], item: &DraftItem, unpacker: &'a mut Unpacker) -> Option<&'a [u8]> {
    let stored = &bytes[item.start..item.end];
    match item.is_packed {
        true => unpacker.unpack(stored, item.length),
        false => Some(stored),
    }
}

/// Appends lists of bytes as parts.
pub(crate) fn parts<const N: usize>(
    writer: &mut Writer,
    all: [&[u8]; N],
) -> Result<[Place; N], Error> {
    let path = writer.path().to_owned();
    let mut places = [Place::default(); N];
    for (place, bytes) in places.iter_mut().zip(all) {
        let mut part = writer.part();
        let written = part.write_all(bytes).and_then(|()| part.finish());
        *place = written.map_err(failed(&path))?;
    }
    Ok(places)
}

/// An entry without a payload in one word.
fn bare(hash: u32, number: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(number)
}

fn write_bare(mut entries: Vec<u64>, lists: &mut ListsWriter<'_>) -> std::io::Result<()> {
    entries.par_sort_unstable();
    lists.start(entries.len() as u64, 0);
    entries.into_iter().try_for_each(|entry| {
        lists.push(Entry {
            hash: (entry >> 32) as u32,
            number: entry as u32,
            payload: 0,
        })
    })
}
