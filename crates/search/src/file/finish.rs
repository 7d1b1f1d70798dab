//! All that comes after the texts.

use std::{fs::File, io::BufWriter, iter::Peekable, ops::Range, vec};

use lookalike_output::{Progress, Stage};
use rayon::prelude::*;
use xxhash_rust::xxh3::xxh3_64;

use super::{
    draft::{Base, Draft, Text},
    layout::{self, BANDS, BY_ID, DOCUMENTS, ITEMS, Tail},
    publish::Writer,
    records::{Document, Item},
    sorted::{SortedWriter, entry, hash_in, hash_of, number},
    stored::{Stored, id_hash},
    table::TableWriter,
};
use crate::{Error, Id};

impl Draft<'_> {
    /// Writes the rest of the file, and gives it its name.
    pub(crate) fn finish(mut self, progress: &dyn Progress) -> Result<(), Error> {
        progress.start(Stage::Write, Some(1 + (BANDS + self.bands.len()) as u64));
        let texts = self.writer.at() - self.texts_at;
        let mut tables = Tables::new(&self.writer, texts)?;
        self.items(&mut tables)?;
        let (mut tail, by_id) = tables.append_to(&mut self.writer)?;
        progress.reach(1);
        let hashes = self.items.iter().map(|text| hash_of(text.digest as u64));
        let by_text = (self.first_added()..).zip(hashes);
        let by_text = by_text.map(|(item, hash)| entry(hash, item)).collect();
        let bands = std::mem::take(&mut self.bands);
        let added = [by_id, by_text].into_iter().chain(bands);
        let mut lists = Vec::new();
        for (list, added) in added.enumerate() {
            lists.push(self.list(list, added)?);
            progress.reach(2 + list as u64);
        }
        let directory = layout::directory(&lists);
        tail.directory = directory.len() as u64;
        tail.directory_checksum = xxh3_64(&directory);
        self.writer.bytes(&directory)?;
        self.writer.bytes(&tail.to_bytes())?;
        self.writer.publish()
    }

    /// Writes all items with their documents.
    fn items(&mut self, tables: &mut Tables) -> Result<(), Error> {
        let mut documents = std::mem::take(&mut self.documents);
        documents.par_sort_unstable();
        let mut added = documents.into_iter().peekable();
        if let Some(base) = &self.base {
            base.items(&mut added, tables, &mut self.writer)?;
        }
        for (item, &text) in (self.first_added()..).zip(&self.items) {
            let ids = of_item(item, &mut added).collect();
            tables.item(text, ids, &mut self.writer)?;
        }
        Ok(())
    }

    /// Writes a list: what is left of the older one, and what is added. Its length, and the first hash of each page.
    fn list(&mut self, list: usize, mut added: Vec<u64>) -> Result<(u64, Vec<u32>), Error> {
        added.par_sort_unstable();
        let mut added = added.into_iter().peekable();
        let mut writer = SortedWriter::new(layout::table_of(list));
        let out = &mut self.writer;
        let mut write = |entry: u64| {
            let written = writer.push(entry, out);
            written.map_err(|reason| out.failed(reason))
        };
        // Documents have new numbers: those of the older file are among the added.
        if let Some(base) = self.base.as_ref().filter(|_| list != BY_ID) {
            let mut older = base.stored.layout.lists[list].entries(&base.stored.bytes);
            while let Some(old) = older.next()? {
                let new = base.numbers.get(number(old) as usize);
                let new = new.ok_or_else(|| base.stored.bytes.damaged("an item is missing"))?;
                let Some(new) = *new else { continue };
                let old = entry(hash_in(old), new);
                while let Some(before) = added.next_if(|&added| added < old) {
                    write(before)?;
                }
                write(old)?;
            }
        }
        added.try_for_each(&mut write)?;
        let finished = writer.finish(out);
        finished.map_err(|reason| out.failed(reason))
    }
}

/// Ids by item.
type Added = Peekable<vec::IntoIter<(u32, Id)>>;

/// The next ids, as long as they are those of an item.
fn of_item(item: u32, added: &mut Added) -> impl Iterator<Item = Id> {
    std::iter::from_fn(move || added.next_if(|next| next.0 == item).map(|next| next.1))
}

impl Base<'_> {
    /// Writes the items that are left, with the documents that are left and those that are added.
    fn items(
        &self,
        added: &mut Added,
        tables: &mut Tables,
        writer: &mut Writer,
    ) -> Result<(), Error> {
        let Stored { bytes, layout } = self.stored;
        let mut items = layout.items.rows(bytes);
        let mut documents = layout.documents.rows(bytes);
        let mut ids = Ids {
            stored: self.stored,
            window: 0..0,
            buffer: Vec::new(),
        };
        let mut document = 0;
        let missing = |what| move || bytes.damaged(what);
        for (old, &new) in self.numbers.iter().enumerate() {
            let item = items.next()?.ok_or_else(missing("an item is missing"))?;
            let item = Item::from_bytes(&item);
            let mut left = Vec::new();
            for _ in 0..item.documents {
                let record = documents.next()?;
                let record = record.ok_or_else(missing("a document is missing"))?;
                let record = Document::from_bytes(&record);
                let belongs = record.item as usize == old;
                bytes.expect(belongs, "a document is not where it should be")?;
                if !self.removed.documents.contains(&document) {
                    left.push(ids.id(&record)?);
                }
                document += 1;
            }
            let Some(new) = new else { continue };
            left.extend(of_item(new, added));
            left.sort_unstable();
            let text = Text {
                stored: item.stored,
                length: item.length,
                digest: item.digest,
                has_keys: item.has_keys,
            };
            tables.item(text, left, writer)?;
        }
        let is_end = documents.next()?.is_none();
        bytes.expect(is_end, "a document belongs to no text")
    }
}

/// The ids of a file, read in their order.
struct Ids<'a> {
    stored: &'a Stored,
    window: Range<u64>,
    buffer: Vec<u8>,
}

impl Ids<'_> {
    fn id(&mut self, document: &Document) -> Result<Id, Error> {
        const WINDOW: u64 = 1 << 16;
        let Stored { bytes, layout } = self.stored;
        let (start, all) = (document.id_at, layout.tail.ids);
        let end = start.saturating_add(document.id_length.into());
        bytes.expect(end <= all, "an id lies outside of it")?;
        if start < self.window.start || end > self.window.end {
            self.window = start..all.min(end.max(start + WINDOW));
            let length = (self.window.end - start) as usize;
            bytes.read(layout.ids + start, length, &mut self.buffer)?;
        }
        let place = (start - self.window.start) as usize;
        let json = &self.buffer[place..place + document.id_length as usize];
        self.stored.checked_id(document, json)
    }
}

/// The tables, which are written at the same time and come one after the other.
struct Tables {
    items: Part<{ Item::BYTES }>,
    documents: Part<{ Document::BYTES }>,
    by_id: Vec<u64>,
    tail: Tail,
    /// Bytes of the texts that have their items.
    texts: u64,
}

struct Part<const W: usize> {
    name: &'static str,
    table: TableWriter<W>,
    out: BufWriter<File>,
}

impl<const W: usize> Part<W> {
    fn new(name: &'static str, number: u32, writer: &Writer) -> Result<Self, Error> {
        Ok(Self {
            name,
            table: TableWriter::new(number),
            out: writer.part(name)?,
        })
    }

    fn push(&mut self, record: [u8; W], writer: &Writer) -> Result<(), Error> {
        let pushed = self.table.push(record, &mut self.out);
        pushed.map_err(|reason| writer.failed(reason))
    }

    fn append_to(mut self, writer: &mut Writer) -> Result<u64, Error> {
        let records = self.table.finish(&mut self.out);
        let records = records.map_err(|reason| writer.failed(reason))?;
        writer.append(self.name, self.out)?;
        Ok(records)
    }
}

impl Tables {
    fn new(writer: &Writer, texts: u64) -> Result<Self, Error> {
        Ok(Self {
            items: Part::new("items", ITEMS, writer)?,
            documents: Part::new("documents", DOCUMENTS, writer)?,
            by_id: Vec::new(),
            tail: Tail {
                texts,
                ..Tail::default()
            },
            texts: 0,
        })
    }

    /// Writes the next item, and the ids of its documents, which are in their order.
    fn item(&mut self, text: Text, ids: Vec<Id>, writer: &mut Writer) -> Result<(), Error> {
        let item = self.items.table.records() as u32;
        let first_document = self.documents.table.records() as u32;
        for id in &ids {
            let json = id.as_json();
            let record = Document {
                id_at: self.tail.ids,
                id_length: json.len() as u32,
                item,
                id_hash: id_hash(id),
            };
            let document = self.documents.table.records() as u32;
            self.by_id.push(entry(hash_of(record.id_hash), document));
            self.tail.ids += json.len() as u64;
            writer.bytes(json.as_bytes())?;
            self.documents.push(record.to_bytes(), writer)?;
        }
        if !text.has_keys {
            self.tail.empty += ids.len() as u64;
        }
        self.tail.text_bytes += u64::from(text.length);
        let record = Item {
            at: self.texts,
            stored: text.stored,
            length: text.length,
            digest: text.digest,
            first_document,
            documents: ids.len() as u32,
            has_keys: text.has_keys,
        };
        self.texts += u64::from(text.stored);
        self.items.push(record.to_bytes(), writer)
    }

    /// Puts the tables after the ids.
    fn append_to(self, writer: &mut Writer) -> Result<(Tail, Vec<u64>), Error> {
        let mut tail = self.tail;
        tail.items = self.items.append_to(writer)?;
        tail.documents = self.documents.append_to(writer)?;
        Ok((tail, self.by_id))
    }
}
