use std::io::{self, Write};

use xxhash_rust::xxh3::xxh3_64_with_seed;

use super::bytes::Bytes;
use crate::Error;

/// Records of one width in pages of about a kilobyte, each with its checksum: one page is read to know a record.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table<const W: usize> {
    /// Where it is in the file.
    pub(crate) start: u64,
    pub(crate) records: u64,
    /// Which of the tables of a file it is: pages of one are no pages of another.
    pub(crate) number: u32,
}

/// Bytes of the records of a page, at most.
const PAGE: usize = 1016;
const CHECKSUM: usize = 8;
/// Pages that are read at once by those who read all.
const RUN: u64 = 64;

impl<const W: usize> Table<W> {
    /// Records of a page.
    pub(crate) const PER_PAGE: u64 = (PAGE / W) as u64;

    pub(crate) fn pages(&self) -> u64 {
        self.records.div_ceil(Self::PER_PAGE)
    }

    /// Bytes in the file; `None` if no file could have so many.
    pub(crate) fn bytes(&self) -> Option<u64> {
        let records = self.records.checked_mul(W as u64)?;
        records.checked_add(self.pages() * CHECKSUM as u64)
    }

    /// The record with this number.
    pub(crate) fn record<'b>(
        &self,
        bytes: &Bytes,
        number: u64,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8; W], Error> {
        bytes.expect(number < self.records, "a record is missing")?;
        let page = self.page(bytes, number / Self::PER_PAGE, buffer)?;
        Ok(&page[(number % Self::PER_PAGE) as usize])
    }

    /// The records of a page.
    pub(crate) fn page<'b>(
        &self,
        bytes: &Bytes,
        page: u64,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [[u8; W]], Error> {
        let read = bytes.read(self.place(page), self.length(page), buffer)?;
        self.checked(bytes, page, read)
    }

    /// All records from the first on.
    pub(crate) fn rows<'a>(&self, bytes: &'a Bytes) -> Rows<'a, W> {
        Rows {
            table: *self,
            bytes,
            next: 0,
            run: 0..0,
            buffer: Vec::new(),
        }
    }

    pub(super) fn place(&self, page: u64) -> u64 {
        self.start + page * (Self::PER_PAGE * W as u64 + CHECKSUM as u64)
    }

    pub(super) fn length(&self, page: u64) -> usize {
        let records = (self.records - page * Self::PER_PAGE).min(Self::PER_PAGE);
        records as usize * W + CHECKSUM
    }

    fn checked<'b>(
        &self,
        bytes: &Bytes,
        page: u64,
        read: &'b [u8],
    ) -> Result<&'b [[u8; W]], Error> {
        let (records, checksum) = read.split_at(read.len() - CHECKSUM);
        let computed = checksum_of(self.number, page, records);
        bytes.expect(checksum == computed, "the checksum of a page is wrong")?;
        Ok(records.as_chunks().0)
    }
}

pub(super) fn checksum_of(table: u32, page: u64, records: &[u8]) -> [u8; CHECKSUM] {
    let seed = u64::from(table) << 40 ^ page;
    xxh3_64_with_seed(records, seed).to_le_bytes()
}

/// The records of a table in their order.
#[derive(Debug)]
pub(crate) struct Rows<'a, const W: usize> {
    table: Table<W>,
    bytes: &'a Bytes,
    next: u64,
    /// The records that are in the buffer.
    run: std::ops::Range<u64>,
    buffer: Vec<u8>,
}

impl<const W: usize> Rows<'_, W> {
    /// The next record, until there is none.
    pub(crate) fn next(&mut self) -> Result<Option<[u8; W]>, Error> {
        if self.next == self.table.records {
            return Ok(None);
        }
        if self.next == self.run.end {
            self.read()?;
        }
        let within = self.next - self.run.start;
        let (page, record) = (within / Table::<W>::PER_PAGE, within % Table::<W>::PER_PAGE);
        let place =
            page as usize * (Table::<W>::PER_PAGE as usize * W + CHECKSUM) + record as usize * W;
        self.next += 1;
        let record = self.buffer[place..place + W].try_into();
        Ok(Some(record.expect("W bytes")))
    }

    /// Reads the next run of pages.
    fn read(&mut self) -> Result<(), Error> {
        let first = self.next / Table::<W>::PER_PAGE;
        let last = (first + RUN).min(self.table.pages()) - 1;
        let start = self.table.place(first);
        let end = self.table.place(last) + self.table.length(last) as u64;
        let read = self
            .bytes
            .read(start, (end - start) as usize, &mut self.buffer)?;
        for page in first..=last {
            let at = (self.table.place(page) - start) as usize;
            self.table
                .checked(self.bytes, page, &read[at..at + self.table.length(page)])?;
        }
        let records = self.table.records.min((last + 1) * Table::<W>::PER_PAGE);
        self.run = first * Table::<W>::PER_PAGE..records;
        Ok(())
    }
}

/// A table that is being written.
#[derive(Debug)]
pub(crate) struct TableWriter<const W: usize> {
    number: u32,
    records: u64,
    page: Vec<u8>,
}

impl<const W: usize> TableWriter<W> {
    pub(crate) fn new(number: u32) -> Self {
        Self {
            number,
            records: 0,
            page: Vec::with_capacity(PAGE + CHECKSUM),
        }
    }

    pub(crate) fn records(&self) -> u64 {
        self.records
    }

    pub(crate) fn push(&mut self, record: [u8; W], out: &mut impl Write) -> io::Result<()> {
        self.page.extend_from_slice(&record);
        self.records += 1;
        if self.records.is_multiple_of(Table::<W>::PER_PAGE) {
            self.end_page(out)?;
        }
        Ok(())
    }

    /// Ends the last page; how many records there are.
    pub(crate) fn finish(mut self, out: &mut impl Write) -> io::Result<u64> {
        if !self.page.is_empty() {
            self.end_page(out)?;
        }
        Ok(self.records)
    }

    fn end_page(&mut self, out: &mut impl Write) -> io::Result<()> {
        let page = (self.records - 1) / Table::<W>::PER_PAGE;
        let checksum = checksum_of(self.number, page, &self.page);
        self.page.extend_from_slice(&checksum);
        out.write_all(&self.page)?;
        self.page.clear();
        Ok(())
    }
}
