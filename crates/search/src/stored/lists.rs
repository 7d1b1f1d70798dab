//! Sorted lists of (hash, number): which items have this key, which document has this id?
//!
//! An entry has 32 bits of a hash, a number, and a payload where the list has payloads. The hashes are spread evenly, so a
//! directory of where each prefix starts takes one look to find a hash, and its entries lie in one page or two. 32 bits of hash
//! are enough: what is found is compared in full, and a false one in n/2^32 costs a comparison.

use std::{
    io::{self, Write},
    sync::OnceLock,
};

use lookalike_core::mix;
use lookalike_store::{Error, Part};
use serde::{Deserialize, Serialize};

/// The hash under which a key is in a list.
pub(crate) fn hash_of(key: u64) -> u32 {
    (mix(key) >> 32) as u32
}

/// An entry of a list. Entries are in the order of hashes, then of numbers, then of payloads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) hash: u32,
    pub(crate) number: u32,
    pub(crate) payload: u64,
}

/// Bytes of an entry without its payload.
const BARE: usize = 8;
/// Entries that start with one prefix, on average.
const PER_PREFIX: u64 = 32;
/// Bytes of entries that are written at once.
const BYTES: usize = 1 << 16;
/// Bytes of the directory that are read at once.
const CHUNK: u64 = 1016;

/// What must be known of a list to read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(u64, u32, u32)", into = "(u64, u32, u32)")]
pub(crate) struct Shape {
    pub(crate) entries: u64,
    /// Bits of a prefix.
    bits: u32,
    /// Bytes of a payload.
    payload: u32,
}

impl From<(u64, u32, u32)> for Shape {
    fn from((entries, bits, payload): (u64, u32, u32)) -> Self {
        Self {
            entries,
            bits,
            payload,
        }
    }
}

impl From<Shape> for (u64, u32, u32) {
    fn from(shape: Shape) -> Self {
        (shape.entries, shape.bits, shape.payload)
    }
}

impl Shape {
    /// For at most this many entries.
    fn new(at_most: u64, payload: usize) -> Self {
        let prefixes = (at_most / PER_PREFIX).max(1).next_power_of_two();
        Self {
            entries: 0,
            bits: prefixes.trailing_zeros().min(28),
            payload: payload as u32,
        }
    }

    /// Bytes of a payload.
    pub(crate) fn payload(self) -> usize {
        self.payload as usize
    }

    fn width(self) -> u64 {
        BARE as u64 + u64::from(self.payload)
    }

    /// Numbers in the directory.
    fn prefixes(self) -> u64 {
        (1 << self.bits) + 1
    }

    fn prefix(self, hash: u32) -> u64 {
        u64::from(hash) >> (32 - self.bits)
    }

    /// Whether sizes can be computed with it.
    fn is_sane(self) -> bool {
        self.bits <= 28 && self.payload <= 8 && self.entries <= u64::from(u32::MAX)
    }
}

/// The lists of a segment.
#[derive(Debug)]
pub(crate) struct Lists {
    entries: Part,
    directory: Part,
    /// Of each list its shape, and where its entries and its directory start.
    lists: Vec<(Shape, u64, u64)>,
    /// Chunks of the directory that were read before.
    chunks: Box<[OnceLock<Box<[u8]>>]>,
}

impl Lists {
    pub(crate) fn new(entries: Part, directory: Part, shapes: &[Shape]) -> Result<Self, Error> {
        let (mut at, mut directory_at) = (0u64, 0u64);
        let mut lists = Vec::with_capacity(shapes.len());
        for &shape in shapes {
            if !shape.is_sane() {
                return Err(directory.damaged("a list has an impossible shape"));
            }
            lists.push((shape, at, directory_at));
            at = at.saturating_add(shape.entries * shape.width());
            directory_at = directory_at.saturating_add(shape.prefixes() * 4);
        }
        if at != entries.len() || directory_at != directory.len() {
            return Err(directory.damaged("its length is not that of its lists"));
        }
        let chunks = directory.len().div_ceil(CHUNK);
        Ok(Self {
            entries,
            directory,
            lists,
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
        })
    }

    /// How many lists there are.
    pub(crate) fn len(&self) -> usize {
        self.lists.len()
    }

    /// Bytes of the entries and of the directory.
    pub(crate) fn bytes(&self) -> u64 {
        self.entries.len() + self.directory.len()
    }

    pub(crate) fn shape(&self, list: usize) -> Shape {
        self.lists[list].0
    }

    /// Visits the entries of a list that have a hash.
    pub(crate) fn find(
        &self,
        list: usize,
        hash: u32,
        buffer: &mut Vec<u8>,
        mut visit: impl FnMut(Entry),
    ) -> Result<(), Error> {
        let (shape, at, directory_at) = self.lists[list];
        let prefix = directory_at + 4 * shape.prefix(hash);
        let (start, end) = (
            self.directory_number(prefix)?,
            self.directory_number(prefix + 4)?,
        );
        if start > end || u64::from(end) > shape.entries {
            return Err(self.directory.damaged("it does not ascend"));
        }
        let width = shape.width();
        let range = at + u64::from(start) * width..at + u64::from(end) * width;
        let bytes = self.entries.read(range, buffer)?;
        let width = width as usize;
        let hash_at = |place: usize| u32_at(bytes, place * width);
        let count = bytes.len() / width;
        let (mut low, mut high) = (0, count);
        while low < high {
            let middle = usize::midpoint(low, high);
            match hash_at(middle) < hash {
                true => low = middle + 1,
                false => high = middle,
            }
        }
        let same = (low..count).take_while(|&place| hash_at(place) == hash);
        same.for_each(|place| visit(entry(&bytes[place * width..][..width])));
        Ok(())
    }

    fn directory_number(&self, at: u64) -> Result<u32, Error> {
        // A number never lies across two chunks: their length is a multiple of 4.
        let chunk = &self.chunks[(at / CHUNK) as usize];
        let bytes = match chunk.get() {
            Some(bytes) => bytes,
            None => {
                let start = at / CHUNK * CHUNK;
                let end = self.directory.len().min(start + CHUNK);
                let mut buffer = Vec::new();
                let read = self.directory.read(start..end, &mut buffer)?;
                chunk.get_or_init(|| read.into())
            }
        };
        Ok(u32_at(bytes, (at % CHUNK) as usize))
    }

    /// All entries of a list, in their order.
    pub(crate) fn all(&self, list: usize) -> Entries<'_> {
        let (shape, at, _) = self.lists[list];
        Entries {
            part: &self.entries,
            width: shape.width(),
            next: at,
            end: at + shape.entries * shape.width(),
            run: Vec::new().into_iter(),
            buffer: Vec::new(),
        }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"))
}

fn entry(bytes: &[u8]) -> Entry {
    let mut payload = [0; 8];
    payload[..bytes.len() - BARE].copy_from_slice(&bytes[BARE..]);
    Entry {
        hash: u32_at(bytes, 0),
        number: u32_at(bytes, 4),
        payload: u64::from_le_bytes(payload),
    }
}

/// The entries of a list in their order.
pub(crate) struct Entries<'a> {
    part: &'a Part,
    width: u64,
    next: u64,
    end: u64,
    run: std::vec::IntoIter<Entry>,
    buffer: Vec<u8>,
}

impl Entries<'_> {
    pub(crate) fn next(&mut self) -> Result<Option<Entry>, Error> {
        const RUN: u64 = 4096;
        if self.run.len() == 0 && self.next < self.end {
            let end = self.end.min(self.next + RUN * self.width);
            let bytes = self.part.read(self.next..end, &mut self.buffer)?;
            let entries = bytes.chunks_exact(self.width as usize).map(entry);
            self.run = entries.collect::<Vec<_>>().into_iter();
            self.next = end;
        }
        Ok(self.run.next())
    }
}

/// Writes lists one after the other.
pub(crate) struct ListsWriter<'a> {
    out: &'a mut dyn Write,
    /// Entries that are not written yet.
    bytes: Vec<u8>,
    directory: Vec<u32>,
    shapes: Vec<Shape>,
    last: Option<Entry>,
    /// The prefix whose start comes next.
    prefix: u64,
}

impl<'a> ListsWriter<'a> {
    pub(crate) fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            bytes: Vec::new(),
            directory: Vec::new(),
            shapes: Vec::new(),
            last: None,
            prefix: 0,
        }
    }

    /// Starts a list of at most this many entries.
    pub(crate) fn start(&mut self, at_most: u64, payload: usize) {
        self.end_list();
        self.shapes.push(Shape::new(at_most, payload));
    }

    /// Adds an entry; entries come in their order.
    pub(crate) fn push(&mut self, entry: Entry) -> io::Result<()> {
        debug_assert!(self.last.is_none_or(|last| last <= entry));
        self.last = Some(entry);
        let shape = self.shapes.last_mut().expect("a list was started");
        let position = shape.entries as u32;
        shape.entries += 1;
        let prefix = shape.prefix(entry.hash);
        while self.prefix <= prefix {
            self.directory.push(position);
            self.prefix += 1;
        }
        let (payload, bytes) = (shape.payload as usize, &mut self.bytes);
        bytes.extend_from_slice(&entry.hash.to_le_bytes());
        bytes.extend_from_slice(&entry.number.to_le_bytes());
        bytes.extend_from_slice(&entry.payload.to_le_bytes()[..payload]);
        match bytes.len() >= BYTES {
            true => self.write(),
            false => Ok(()),
        }
    }

    fn write(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.bytes.clear();
        Ok(())
    }

    fn end_list(&mut self) {
        if let Some(shape) = self.shapes.last() {
            for _ in self.prefix..shape.prefixes() {
                self.directory.push(shape.entries as u32);
            }
        }
        (self.last, self.prefix) = (None, 0);
    }

    /// The shapes of the lists, and the bytes of their directory.
    pub(crate) fn finish(mut self) -> io::Result<(Vec<Shape>, Vec<u8>)> {
        self.end_list();
        self.write()?;
        let directory = self.directory.iter().flat_map(|it| it.to_le_bytes());
        Ok((self.shapes, directory.collect()))
    }
}

#[cfg(test)]
mod tests {
    use lookalike_store::{Store, Writer};
    use proptest::prelude::*;

    use super::*;

    fn lists(given: &[(usize, Vec<Entry>)]) -> Lists {
        let mut writer = Writer::in_memory().unwrap();
        let mut part = writer.part();
        let mut lists = ListsWriter::new(&mut part);
        for (payload, entries) in given {
            lists.start(entries.len() as u64, *payload);
            entries.iter().for_each(|&entry| lists.push(entry).unwrap());
        }
        let (shapes, directory) = lists.finish().unwrap();
        let entries = part.finish().unwrap();
        let mut part = writer.part();
        part.write_all(&directory).unwrap();
        let directory = part.finish().unwrap();
        let store: Store = writer.commit(&[]).unwrap();
        let part = |place| store.part("lists", place).unwrap();
        Lists::new(part(entries), part(directory), &shapes).unwrap()
    }

    proptest! {
        #[test]
        fn every_entry_is_found(
            numbers in prop::collection::vec((any::<u32>(), 0u32..9), 0..2000), few in 0u32..3,
        ) {
            let entry = |&(hash, number): &(u32, u32)| Entry {
                hash: if few > 0 { hash % few } else { hash },
                number,
                payload: u64::from(number * 7),
            };
            let mut entries: Vec<Entry> = numbers.iter().map(entry).collect();
            entries.sort_unstable();
            let bare: Vec<Entry> = entries.iter().map(|&entry| Entry { payload: 0, ..entry }).collect();
            let lists = lists(&[(0, bare.clone()), (1, entries.clone()), (0, Vec::new())]);
            for (list, expected) in [(0, &bare), (1, &entries), (2, &Vec::new())] {
                let (mut all, mut next) = (Vec::new(), lists.all(list));
                while let Some(entry) = next.next().unwrap() {
                    all.push(entry);
                }
                prop_assert_eq!(&all, expected);
                let hashes = entries.iter().map(|entry| entry.hash).chain([0, 1, u32::MAX]);
                for hash in hashes {
                    let mut found = Vec::new();
                    lists.find(list, hash, &mut Vec::new(), |entry| found.push(entry)).unwrap();
                    let same = expected.iter().filter(|entry| entry.hash == hash);
                    prop_assert_eq!(found, same.copied().collect::<Vec<_>>());
                }
            }
        }
    }
}
