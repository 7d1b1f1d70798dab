//! Several segments become one, without what was removed.

use std::io::Write;

use hashbrown::HashMap;
use lookalike_store::{Error, Writer};

use super::{
    draft::parts,
    lists::{Entries, Entry, ListsWriter},
    segment::{BY_ID, BY_ITEM, Document, Info, Item, Reading, Segment, failed},
};
use crate::Id;

/// An item or document that is left out.
const GONE: u32 = u32::MAX;

/// The segment of a document or item, and its number there.
type Old = (usize, u32);

/// Segments on their way into one.
struct Merge<'a> {
    segments: &'a [Segment],
    /// The new number of each item, by segment.
    items: Vec<Vec<u32>>,
    /// The new number of each document, by segment.
    documents: Vec<Vec<u32>>,
    /// Items that equal one of an earlier segment, under that one.
    twins: HashMap<Old, Vec<Old>>,
}

/// Appends one segment with everything that is left in others. In memory are the tables, not the items and lists.
pub(crate) fn merge(segments: &[Segment], writer: &mut Writer) -> Result<Info, Error> {
    let mut merge = Merge {
        segments,
        items: Vec::new(),
        documents: segments
            .iter()
            .map(|segment| vec![GONE; segment.documents() as usize])
            .collect(),
        twins: HashMap::new(),
    };
    merge.number_items()?;
    let path = writer.path().to_owned();
    let failed = failed(&path);
    let (mut table, mut ids, mut document_table) = (Vec::new(), Vec::new(), Vec::new());
    let (mut end, mut documents, mut keyless) = (0, 0, 0);
    let mut part = writer.part();
    let (mut reading, mut buffer) = (Reading::default(), Vec::new());
    for (number, segment) in segments.iter().enumerate() {
        for item in 0..segment.items() {
            if merge.items[number][item as usize] == GONE {
                continue;
            }
            let found = segment.item(item, &mut reading)?;
            let bytes = segment.stored_bytes(&found, &mut buffer)?;
            part.write_all(bytes).map_err(&failed)?;
            end += bytes.len() as u64;
            let new = (table.len() as u64 / Item::BYTES) as u32;
            let record = Item {
                end,
                first_document: documents,
                ..found.item
            };
            table.extend(record.to_bytes());
            for (id, old) in merge.documents_of(number, item, &mut reading)? {
                ids.extend_from_slice(id.as_json().as_bytes());
                let id_end = ids.len() as u64;
                document_table.extend(Document { id_end, item: new }.to_bytes());
                keyless += u32::from(!found.item.has_keys);
                merge.documents[old.0][old.1 as usize] = documents;
                documents += 1;
            }
        }
    }
    let bytes = part.finish().map_err(&failed)?;
    let items = (table.len() as u64 / Item::BYTES) as u32;
    let [item_table, ids, document_table] = parts(writer, [&table, &ids, &document_table])?;
    let mut part = writer.part();
    let mut lists = ListsWriter::new(&mut part);
    let count = segments.first().map_or(0, |segment| segment.lists().len());
    for list in 0..count {
        merge.list(list, &mut lists, &failed)?;
    }
    let (shapes, directory) = lists.finish().map_err(&failed)?;
    let entries = part.finish().map_err(&failed)?;
    let [directory] = parts(writer, [&directory])?;
    Ok(Info {
        items,
        documents,
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
    })
}

impl Merge<'_> {
    /// Gives each item that has a document a new number, and equal ones the same.
    fn number_items(&mut self) -> Result<(), Error> {
        let mut reading = Reading::default();
        for segment in self.segments {
            let mut items = Vec::with_capacity(segment.items() as usize);
            for item in 0..segment.items() {
                let is_left = segment.removed() == 0 || {
                    let found = segment.item(item, &mut reading)?;
                    segment.has_living(&found)?
                };
                items.push(if is_left { 0 } else { GONE });
            }
            self.items.push(items);
        }
        self.find_twins()?;
        let items = self.items.iter_mut().flatten();
        for (item, next) in items.filter(|item| **item != GONE).zip(0..) {
            *item = next;
        }
        Ok(())
    }

    /// Finds items that are in several segments. The first one stays.
    fn find_twins(&mut self) -> Result<(), Error> {
        let mut heads = Heads::new(self.segments, BY_ITEM)?;
        let (mut same, mut reading) = (Vec::new(), [Reading::default(), Reading::default()]);
        while heads.next_hash(&mut same)? {
            same.retain(|(segment, entry)| self.items[*segment][entry.number as usize] != GONE);
            while let Some((segment, entry)) = same.pop() {
                // Of all that have the hash, the one of the first segment stays.
                let mut twin = None;
                for &(other, kept) in &same {
                    if other < segment
                        && self.is_same(
                            (segment, entry.number),
                            (other, kept.number),
                            &mut reading,
                        )?
                    {
                        twin = Some((other, kept.number));
                        break;
                    }
                }
                if let Some(twin) = twin {
                    self.items[segment][entry.number as usize] = GONE;
                    self.twins
                        .entry(twin)
                        .or_default()
                        .push((segment, entry.number));
                }
            }
        }
        Ok(())
    }

    fn is_same(
        &self,
        a: (usize, u32),
        b: (usize, u32),
        reading: &mut [Reading; 2],
    ) -> Result<bool, Error> {
        let [first, second] = reading;
        let (one, other) = (&self.segments[a.0], &self.segments[b.0]);
        let found = one.item(a.1, first)?;
        let one = one.bytes(&found, first)?;
        let found = other.item(b.1, second)?;
        Ok(one == other.bytes(&found, second)?)
    }

    /// The documents of an item and of those that equal it, in the order of ids, each with where it was.
    fn documents_of(
        &self,
        segment: usize,
        item: u32,
        reading: &mut Reading,
    ) -> Result<Vec<(Id, Old)>, Error> {
        let twins = self.twins.get(&(segment, item));
        let all = std::iter::once((segment, item)).chain(twins.into_iter().flatten().copied());
        let mut documents = Vec::new();
        for (number, item) in all {
            let segment = &self.segments[number];
            let found = segment.item(item, reading)?;
            for document in found.item.first_document..found.end_document {
                if !segment.is_removed(document)? {
                    let (id, _) = segment.document(document, &mut reading.buffer)?;
                    documents.push((id, (number, document)));
                }
            }
        }
        documents.sort_unstable();
        Ok(documents)
    }

    /// Writes a list with the new numbers.
    fn list(
        &self,
        list: usize,
        out: &mut ListsWriter<'_>,
        failed: &dyn Fn(std::io::Error) -> Error,
    ) -> Result<(), Error> {
        let numbers = if list == BY_ID {
            &self.documents
        } else {
            &self.items
        };
        let shapes = self
            .segments
            .iter()
            .map(|segment| segment.lists().shape(list));
        let at_most = shapes.clone().map(|shape| shape.entries).sum();
        let payload = shapes.map(|shape| shape.payload()).max().unwrap_or(0);
        out.start(at_most, payload);
        let mut heads = Heads::new(self.segments, list)?;
        let (mut same, mut entries) = (Vec::new(), Vec::new());
        while heads.next_hash(&mut same)? {
            entries.clear();
            for &(segment, entry) in &same {
                let number = numbers[segment].get(entry.number as usize).copied();
                let number = number.unwrap_or(GONE);
                entries.extend((number != GONE).then_some(Entry { number, ..entry }));
            }
            entries.sort_unstable();
            let written = entries.iter().try_for_each(|&entry| out.push(entry));
            written.map_err(failed)?;
        }
        Ok(())
    }
}

/// The next entries of one list of several segments.
struct Heads<'a> {
    entries: Vec<(Entries<'a>, Option<Entry>)>,
}

impl<'a> Heads<'a> {
    fn new(segments: &'a [Segment], list: usize) -> Result<Self, Error> {
        let head = |segment: &'a Segment| {
            let mut entries = segment.lists().all(list);
            let first = entries.next()?;
            Ok((entries, first))
        };
        let entries = segments.iter().map(head).collect::<Result<_, Error>>()?;
        Ok(Self { entries })
    }

    /// All entries with the least hash that is left, with their segments; `false` if nothing is left.
    fn next_hash(&mut self, same: &mut Vec<(usize, Entry)>) -> Result<bool, Error> {
        same.clear();
        let heads = self.entries.iter().filter_map(|(_, head)| *head);
        let Some(least) = heads.map(|head| head.hash).min() else {
            return Ok(false);
        };
        for (segment, (entries, head)) in self.entries.iter_mut().enumerate() {
            while let Some(entry) = head.filter(|head| head.hash == least) {
                same.push((segment, entry));
                *head = entries.next()?;
            }
        }
        Ok(true)
    }
}
