use std::{
    io::{self, Write},
    ops::Range,
    sync::Arc,
};

use crate::{
    Error,
    layout::{BLOCK_HEAD, BlockKind, CHECKSUM, PAGE, Place, STORED_PAGE},
    source::Source,
};

/// A list of bytes in a store. Whatever is read of it is checked.
#[derive(Clone, Debug)]
pub struct Part {
    source: Arc<Source>,
    place: Place,
    name: Arc<str>,
}

impl Part {
    pub(crate) fn new(source: &Arc<Source>, place: Place, name: &str) -> Self {
        Self {
            source: Arc::clone(source),
            place,
            name: name.into(),
        }
    }

    /// How many bytes it has.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.place.length
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Some bytes of it, in a buffer that is used again.
    ///
    /// # Errors
    /// If the range goes beyond the end, the system cannot read it, or a page is not as it was written.
    pub fn read<'b>(&self, range: Range<u64>, buffer: &'b mut Vec<u8>) -> Result<&'b [u8], Error> {
        if range.start > range.end || range.end > self.len() {
            return Err(self.damaged("something in it lies beyond its end"));
        }
        if range.is_empty() {
            return Ok(&[]);
        }
        let (first, last) = (range.start / PAGE, (range.end - 1) / PAGE);
        let start = self.place.page_at(first);
        let end = self.place.page_at(last) + self.page_bytes(last) + CHECKSUM as u64;
        let length = (end - start) as usize;
        // Never smaller: filling it with zeros again costs more than reading.
        if buffer.len() < length {
            buffer.resize(length, 0);
        }
        if !self.source.read(start, &mut buffer[..length])? {
            return Err(self.damaged("the file ends in it"));
        }
        for page in first..=last {
            let at = ((page - first) * STORED_PAGE) as usize;
            let bytes = &buffer[at..][..self.page_bytes(page) as usize];
            let checksum = &buffer[at + bytes.len()..][..CHECKSUM];
            // A fuzzer would never find a checksum.
            if self.place.checksum(page, bytes) != checksum && !cfg!(fuzzing) {
                return Err(self.damaged("the checksum of a page is wrong"));
            }
        }
        // The pages without their checksums, one after the other.
        for page in 1..=last - first {
            let from = (page * STORED_PAGE) as usize;
            let bytes = self.page_bytes(first + page) as usize;
            buffer.copy_within(from..from + bytes, (page * PAGE) as usize);
        }
        let before = (range.start - first * PAGE) as usize;
        Ok(&buffer[before..][..(range.end - range.start) as usize])
    }

    /// The error that it is damaged.
    #[must_use]
    pub fn damaged(&self, what: &'static str) -> Error {
        Error::damaged(self.source.path(), &self.name, what)
    }

    /// Bytes of a page, without its checksum.
    fn page_bytes(&self, page: u64) -> u64 {
        (self.len() - page * PAGE).min(PAGE)
    }
}

/// A part that is being appended to a file. Nobody sees it before a commit points to it.
#[derive(Debug)]
pub struct PartWriter<'a> {
    source: &'a Source,
    place: Place,
    /// The end of the file, which moves when the part is finished.
    end: &'a mut u64,
    next_number: &'a mut u64,
    /// Whole pages that are not written yet.
    pages: Vec<u8>,
    /// Where they start.
    pages_at: u64,
    /// The page that is not full yet.
    page: Vec<u8>,
}

/// Pages that are written at once.
const RUN: usize = 256 * STORED_PAGE as usize;

impl<'a> PartWriter<'a> {
    pub(crate) fn new(source: &'a Source, end: &'a mut u64, next_number: &'a mut u64) -> Self {
        let place = Place {
            at: *end,
            length: 0,
            number: *next_number,
        };
        Self {
            source,
            place,
            pages: Vec::new(),
            pages_at: *end + BLOCK_HEAD,
            page: Vec::with_capacity(PAGE as usize),
            end,
            next_number,
        }
    }

    /// How many bytes it has so far.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.place.length
    }

    /// Writes what is left, and says where the part is.
    ///
    /// # Errors
    /// If the system cannot write it.
    pub fn finish(self) -> io::Result<Place> {
        self.finish_as(BlockKind::Part)
    }

    pub(crate) fn finish_as(mut self, kind: BlockKind) -> io::Result<Place> {
        if !self.page.is_empty() {
            self.end_page();
        }
        self.write_pages()?;
        self.source.write(self.place.at, &self.place.head(kind))?;
        *self.end = self.place.end();
        *self.next_number += 1;
        Ok(self.place)
    }

    fn end_page(&mut self) {
        let page = (self.place.length - 1) / PAGE;
        self.pages.extend_from_slice(&self.page);
        let checksum = self.place.checksum(page, &self.page);
        self.pages.extend_from_slice(&checksum);
        self.page.clear();
    }

    fn write_pages(&mut self) -> io::Result<()> {
        self.source.write(self.pages_at, &self.pages)?;
        self.pages_at += self.pages.len() as u64;
        self.pages.clear();
        Ok(())
    }
}

impl Write for PartWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let room = PAGE as usize - self.page.len();
        let taken = &bytes[..bytes.len().min(room)];
        self.page.extend_from_slice(taken);
        self.place.length += taken.len() as u64;
        if self.page.len() == PAGE as usize {
            self.end_page();
            if self.pages.len() >= RUN {
                self.write_pages()?;
            }
        }
        Ok(taken.len())
    }

    /// Does nothing: a page is written when it is complete.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
