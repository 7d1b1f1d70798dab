//! Head, directory and tail: what is read when an index is opened.

use xxhash_rust::xxh3::xxh3_64;

use super::{
    bytes::Bytes,
    records::{Document, Item},
    sorted::Sorted,
    table::Table,
};
use crate::{Error, Settings, hashing::Hashing};

pub(crate) const MAGIC: [u8; 8] = *b"LKTEXTS\n";
pub(crate) const VERSION: u32 = 1;

/// Numbers of the tables.
pub(crate) const ITEMS: u32 = 0;
pub(crate) const DOCUMENTS: u32 = 1;
const LISTS: u32 = 2;

/// Places of the lists; the bands come last.
pub(crate) const BY_ID: usize = 0;
pub(crate) const BY_TEXT: usize = 1;
pub(crate) const BANDS: usize = 2;

/// The number of a list's table.
pub(crate) fn table_of(list: usize) -> u32 {
    LISTS + list as u32
}

/// The bytes of a head: magic, version, settings with their length, fingerprint, checksum.
pub(crate) fn head(hashing: &Hashing) -> Vec<u8> {
    let settings = hashing.settings().to_json();
    let mut head = Vec::from(MAGIC);
    head.extend(VERSION.to_le_bytes());
    head.extend((settings.len() as u32).to_le_bytes());
    head.extend(settings.as_bytes());
    head.extend(hashing.fingerprint().to_le_bytes());
    head.extend(xxh3_64(&head).to_le_bytes());
    head
}

/// Reads a head: how texts are hashed, and how many bytes it has.
pub(crate) fn read_head(bytes: &Bytes) -> Result<(Hashing, u64), Error> {
    /// Up to the settings.
    const START: usize = 16;
    let path = || bytes.path().to_owned();
    let mut buffer = Vec::new();
    let known =
        bytes.length() >= MAGIC.len() as u64 && bytes.read(0, MAGIC.len(), &mut buffer)? == MAGIC;
    if !known {
        return Err(Error::NotAnIndex { path: path() });
    }
    let start = bytes.read(0, START, &mut buffer)?;
    let found = u32::from_le_bytes(start[8..12].try_into().expect("4 bytes"));
    let settings = u32::from_le_bytes(start[12..16].try_into().expect("4 bytes")) as usize;
    if found != VERSION {
        return Err(Error::Version {
            path: path(),
            found,
            known: VERSION,
        });
    }
    let length = START + settings + 16;
    let head = bytes.read(0, length, &mut buffer)?;
    let (head, checksum) = head.split_at(length - 8);
    let sound = xxh3_64(head).to_le_bytes() == checksum;
    bytes.expect(sound, "the checksum of its head is wrong")?;
    let (settings, fingerprint) = head[START..].split_at(settings);
    let settings: Settings = serde_json::from_slice(settings)
        .map_err(|_| bytes.damaged("its settings are not known to this version"))?;
    let hashing = Hashing::new(&settings)?;
    if hashing.fingerprint().to_le_bytes() != fingerprint {
        return Err(Error::Hashing { path: path() });
    }
    Ok((hashing, length as u64))
}

/// Counts and lengths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tail {
    /// Bytes of all texts and ids in the file.
    pub(crate) texts: u64,
    pub(crate) ids: u64,
    pub(crate) items: u64,
    pub(crate) documents: u64,
    /// Documents without a shingle.
    pub(crate) empty: u64,
    /// Bytes of the texts themselves, each once.
    pub(crate) text_bytes: u64,
    pub(crate) directory: u64,
    pub(crate) directory_checksum: u64,
}

impl Tail {
    pub(crate) const BYTES: usize = 72;

    pub(crate) fn to_bytes(self) -> Vec<u8> {
        let numbers = [
            self.texts,
            self.ids,
            self.items,
            self.documents,
            self.empty,
            self.text_bytes,
            self.directory,
            self.directory_checksum,
        ];
        let mut bytes: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
        bytes.extend(xxh3_64(&bytes).to_le_bytes());
        bytes
    }

    fn read(bytes: &Bytes) -> Result<Self, Error> {
        let start = bytes.length().checked_sub(Self::BYTES as u64);
        let start = start.ok_or_else(|| bytes.damaged("it ends too early"))?;
        let mut buffer = Vec::new();
        let tail = bytes.read(start, Self::BYTES, &mut buffer)?;
        let (numbers, checksum) = tail.split_at(Self::BYTES - 8);
        let sound = xxh3_64(numbers).to_le_bytes() == checksum;
        bytes.expect(sound, "it ends too early, or bytes follow its end")?;
        let mut numbers = numbers.as_chunks().0.iter().copied();
        let mut next = || u64::from_le_bytes(numbers.next().expect("eight numbers"));
        Ok(Self {
            texts: next(),
            ids: next(),
            items: next(),
            documents: next(),
            empty: next(),
            text_bytes: next(),
            directory: next(),
            directory_checksum: next(),
        })
    }
}

/// The bytes of a directory: for each list its length and the first hash of each page.
pub(crate) fn directory(lists: &[(u64, Vec<u32>)]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (entries, firsts) in lists {
        bytes.extend(entries.to_le_bytes());
        bytes.extend(firsts.iter().flat_map(|first| first.to_le_bytes()));
    }
    bytes
}

/// Where everything is.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) tail: Tail,
    pub(crate) texts: u64,
    pub(crate) ids: u64,
    pub(crate) items: Table<{ Item::BYTES }>,
    pub(crate) documents: Table<{ Document::BYTES }>,
    pub(crate) lists: Vec<Sorted>,
}

impl Layout {
    /// Reads directory and tail of a file whose head has so many bytes.
    pub(crate) fn read(bytes: &Bytes, head: u64, bands: usize) -> Result<Self, Error> {
        let tail = Tail::read(bytes)?;
        let overlong = || bytes.damaged("the lengths of its parts do not add up");
        let numbers = u64::from(u32::MAX);
        let fits = tail.items <= numbers && tail.documents <= numbers;
        bytes.expect(fits, "it has more documents than it can")?;
        let mut at = head;
        let mut place = |length: Option<u64>| {
            let start = at;
            at = length
                .and_then(|length| at.checked_add(length))
                .ok_or_else(overlong)?;
            Ok::<u64, Error>(start)
        };
        let texts = place(Some(tail.texts))?;
        let ids = place(Some(tail.ids))?;
        let mut items = Table {
            start: 0,
            records: tail.items,
            number: ITEMS,
        };
        items.start = place(items.bytes())?;
        let mut documents = Table {
            start: 0,
            records: tail.documents,
            number: DOCUMENTS,
        };
        documents.start = place(documents.bytes())?;
        let mut lists = Vec::new();
        for (list, (records, firsts)) in lists_of(bytes, &tail, BANDS + bands)?
            .into_iter()
            .enumerate()
        {
            let mut table = Table {
                start: 0,
                records,
                number: table_of(list),
            };
            table.start = place(table.bytes())?;
            lists.push(Sorted { table, firsts });
        }
        place(Some(tail.directory))?;
        place(Some(Tail::BYTES as u64))?;
        bytes.expect(
            at == bytes.length(),
            "the lengths of its parts do not add up",
        )?;
        Ok(Self {
            tail,
            texts,
            ids,
            items,
            documents,
            lists,
        })
    }
}

/// Reads the directory.
fn lists_of(bytes: &Bytes, tail: &Tail, lists: usize) -> Result<Vec<(u64, Vec<u32>)>, Error> {
    let before_tail = bytes.length() - Tail::BYTES as u64;
    let start = before_tail.checked_sub(tail.directory);
    let start = start.ok_or_else(|| bytes.damaged("it ends too early"))?;
    let mut buffer = Vec::new();
    let mut rest = bytes.read(start, tail.directory as usize, &mut buffer)?;
    let sound = xxh3_64(rest) == tail.directory_checksum;
    bytes.expect(sound, "the checksum of its directory is wrong")?;
    let mut take = |length: u64| {
        let cut = usize::try_from(length).ok();
        let (taken, after) = cut
            .and_then(|cut| rest.split_at_checked(cut))
            .ok_or_else(|| bytes.damaged("its directory ends too early"))?;
        rest = after;
        Ok::<&[u8], Error>(taken)
    };
    let mut read = Vec::new();
    for _ in 0..lists {
        let entries = u64::from_le_bytes(take(8)?.try_into().expect("8 bytes"));
        let pages = entries.div_ceil(Table::<8>::PER_PAGE);
        let firsts = take(pages.saturating_mul(4))?.as_chunks().0;
        let firsts: Vec<u32> = firsts
            .iter()
            .map(|&first| u32::from_le_bytes(first))
            .collect();
        bytes.expect(firsts.is_sorted(), "a list of its directory is not sorted")?;
        read.push((entries, firsts));
    }
    let whole = take(0).is_ok() && rest.is_empty();
    bytes.expect(whole, "its directory goes on after its end")?;
    Ok(read)
}
