use std::io::{self, Write};

use lookalike_core::mix;

use super::{
    bytes::Bytes,
    table::{Rows, Table, TableWriter},
};
use crate::Error;

/// A sorted list of (hash, number) in a file: which numbers have this hash?
///
/// The first hash of each page is known, so that one page is read to find a hash, and more where many numbers share it. 32 bits
/// of hash are enough: what is found is compared in full, and a false one in n/2^32 of all answers costs a comparison.
#[derive(Debug)]
pub(crate) struct Sorted {
    pub(crate) table: Table<8>,
    /// The first hash of each page.
    pub(crate) firsts: Vec<u32>,
}

/// A hash and a number in one word, so that the order of words is that of hashes, then of numbers.
pub(crate) fn entry(hash: u32, number: u32) -> u64 {
    u64::from(hash) << 32 | u64::from(number)
}

/// The hash of an entry.
pub(crate) fn hash_in(entry: u64) -> u32 {
    (entry >> 32) as u32
}

/// The number of an entry.
pub(crate) fn number(entry: u64) -> u32 {
    entry as u32
}

/// The hash under which a key is in a list.
pub(crate) fn hash_of(key: u64) -> u32 {
    (mix(key) >> 32) as u32
}

impl Sorted {
    /// Visits the numbers that have a hash.
    pub(crate) fn find(
        &self,
        bytes: &Bytes,
        hash: u32,
        buffer: &mut Vec<u8>,
        mut visit: impl FnMut(u32),
    ) -> Result<(), Error> {
        // The page before the first that starts with the hash may end with it.
        let first = self.firsts.partition_point(|&first| first < hash);
        let end = first + self.firsts[first..].partition_point(|&first| first == hash);
        for page in first.saturating_sub(1)..end {
            let page = self.table.page(bytes, page as u64, buffer)?;
            let entry = |record: &[u8; 8]| u64::from_le_bytes(*record);
            let start = page.partition_point(|record| hash_in(entry(record)) < hash);
            let found = page[start..].iter().map(entry);
            found
                .take_while(|&entry| hash_in(entry) == hash)
                .for_each(|entry| visit(number(entry)));
        }
        Ok(())
    }

    /// All entries in their order.
    pub(crate) fn entries<'a>(&self, bytes: &'a Bytes) -> Entries<'a> {
        Entries(self.table.rows(bytes))
    }
}

/// The entries of a list in their order.
#[derive(Debug)]
pub(crate) struct Entries<'a>(Rows<'a, 8>);

impl Entries<'_> {
    pub(crate) fn next(&mut self) -> Result<Option<u64>, Error> {
        Ok(self.0.next()?.map(u64::from_le_bytes))
    }
}

/// A list that is being written; entries come in their order.
#[derive(Debug)]
pub(crate) struct SortedWriter {
    table: TableWriter<8>,
    firsts: Vec<u32>,
}

impl SortedWriter {
    pub(crate) fn new(number: u32) -> Self {
        Self {
            table: TableWriter::new(number),
            firsts: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, entry: u64, out: &mut impl Write) -> io::Result<()> {
        if self.table.records().is_multiple_of(Table::<8>::PER_PAGE) {
            self.firsts.push(hash_in(entry));
        }
        self.table.push(entry.to_le_bytes(), out)
    }

    /// How many entries there are, and the first hash of each page.
    pub(crate) fn finish(self, out: &mut impl Write) -> io::Result<(u64, Vec<u32>)> {
        Ok((self.table.finish(out)?, self.firsts))
    }
}
