//! Inputs cut into blocks of whole records.

use crate::document::Block;
use crate::file::Spooled;
use crate::format::{Cutting, State};
use crate::lines::Lines;
use crate::stream::Stream;
use crate::{Corpus, Error, Limits};
use std::fs;
use std::io::Write;
use std::sync::Arc;

/// The mark that some editors put at the start of UTF-8.
pub(crate) const BOM: &[u8] = b"\xEF\xBB\xBF";

/// How much is read at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sizes {
    /// Bytes of a block, if no record is longer. Small enough for what is read to be in
    /// the cache of the core that works on it.
    pub(crate) block: usize,
    /// The most bytes of a record.
    pub(crate) record: u64,
}

impl Default for Sizes {
    fn default() -> Self {
        Self {
            // Fuzzing wants many ends of blocks in few bytes.
            block: if cfg!(fuzzing) { 32 } else { 1 << 18 },
            record: Limits::default().max_record,
        }
    }
}

/// The bytes of a block, in a buffer that is used again.
#[derive(Debug, Default)]
pub(crate) struct Buffer {
    /// Longer than what is in use, so that growing clears it once only.
    bytes: Vec<u8>,
    len: usize,
    /// Bytes at the start that are no document's.
    skip: usize,
}

/// A block that has been cut.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) block: Block,
    /// The first byte of the buffer in the file.
    start: u64,
    /// The line of the first byte that may be a record's.
    first_line: u64,
}

impl Cut {
    /// The lines of the block.
    pub(crate) fn lines<'a>(&self, buffer: &'a Buffer, corpus: &'a Corpus) -> Lines<'a> {
        let bytes = &buffer.bytes[buffer.skip..buffer.len];
        Lines::new(
            bytes,
            &corpus.files()[self.block.file as usize],
            self.block.file,
            self.start + buffer.skip as u64,
            self.first_line,
            corpus.sizes.record,
        )
    }
}

/// Reads the files of a corpus one after the other.
#[derive(Debug)]
pub(crate) struct Cutter<'c> {
    corpus: &'c Corpus,
    /// The number of the file that comes next.
    next: usize,
    open: Option<Open>,
    /// The start of a record whose end was not yet read.
    carry: Vec<u8>,
    /// Bytes on disk of the files before.
    before: u64,
    spool: Option<(Arc<fs::File>, u64)>,
}

#[derive(Debug)]
struct Open {
    stream: Stream,
    /// The first byte of the next block.
    start: u64,
    line: u64,
    ended: bool,
    /// Where in the spool its bytes start, if they go there.
    spooled_from: Option<u64>,
}

impl<'c> Cutter<'c> {
    pub(crate) fn new(corpus: &'c Corpus) -> Self {
        Self {
            corpus,
            next: 0,
            open: None,
            carry: Vec::new(),
            before: 0,
            spool: None,
        }
    }

    /// Reads the next block into the buffer.
    pub(crate) fn next(&mut self, buffer: &mut Buffer) -> Result<Option<Cut>, Error> {
        loop {
            let mut open = match self.open.take() {
                Some(open) => open,
                None if self.next == self.corpus.files().len() => return Ok(None),
                None => self.open()?,
            };
            if let Some(cut) = self.cut(&mut open, buffer)? {
                self.open = Some(open);
                return Ok(Some(cut));
            }
            self.close(&open);
        }
    }

    fn open(&mut self) -> Result<Open, Error> {
        let file = &self.corpus.files()[self.next];
        let spooled_from = if self.corpus.options.second_pass && file.needs_spool() {
            Some(self.spool()?)
        } else {
            None
        };
        self.next += 1;
        Ok(Open {
            stream: file.stream(self.corpus)?,
            start: 0,
            line: 1,
            ended: false,
            spooled_from,
        })
    }

    fn close(&mut self, open: &Open) {
        self.before += open.stream.on_disk();
        if let (Some(start), Some((file, end))) = (open.spooled_from, &self.spool) {
            self.corpus.files()[self.next - 1].set_spooled(Spooled {
                file: Arc::clone(file),
                start,
                end: *end,
            });
        }
    }

    fn cut(&mut self, open: &mut Open, buffer: &mut Buffer) -> Result<Option<Cut>, Error> {
        let number = self.next - 1;
        let file = &self.corpus.files()[number];
        let limit = self.corpus.sizes.record;
        buffer.take(&mut self.carry);
        let mut target = self
            .corpus
            .sizes
            .block
            .max(BOM.len())
            .max(grown(buffer.len));
        let mut end = None;
        let layout = file.format().layout();
        let mut state = State::default();
        while !open.ended && end.is_none() {
            let searched = buffer.len;
            let filled = buffer.fill(&mut open.stream, target);
            open.ended = filled.map_err(|error| buffer.locate(error, open.start, open.line))?;
            let is_plain = !file.is_compressed() && open.spooled_from.is_none();
            if open.ended && is_plain && file.bytes().is_some_and(|n| open.stream.on_disk() < n) {
                return Err(Error::changed(file.name()));
            }
            if open.spooled_from.is_some() {
                self.keep(&buffer.bytes[searched..buffer.len], file.name())?;
            }
            let bytes = &buffer.bytes[..buffer.len];
            end = layout.cut(&mut Cutting {
                file,
                fields: &self.corpus.fields,
                bytes,
                start: open.start,
                line: open.line,
                searched,
                ended: open.ended,
                state: &mut state,
            })?;
            // A record may also have its end and the mark before it.
            let most = limit.saturating_add(5);
            if end.is_none() && buffer.len as u64 > most {
                return Err(Error::TooLong {
                    file: file.name().to_owned(),
                    line: open.line,
                    limit,
                });
            }
            target = grown(buffer.len);
            // One byte more tells that a record is too long.
            if buffer.len as u64 <= most {
                target = target.min(usize::try_from(most + 1).unwrap_or(usize::MAX));
            }
        }
        if let Some(end) = end.filter(|_| !open.ended) {
            self.carry.extend_from_slice(&buffer.bytes[end..buffer.len]);
            buffer.len = end;
        }
        // A file as a document is one, even if nothing is in it.
        let is_whole = layout.facts().is_whole_file;
        if buffer.len == 0 && !(is_whole && open.line == 1) {
            return Ok(None);
        }
        let bytes = &buffer.bytes[..buffer.len];
        buffer.skip = layout.skip(file, open.start, bytes);
        let cut = Cut {
            block: Block {
                file: number as u32,
                first_line: open.line,
                consumed: self.before + open.stream.on_disk(),
            },
            start: open.start,
            first_line: open.line + layout.lines(file, open.start, &bytes[..buffer.skip]),
        };
        open.line += match is_whole {
            true => 1,
            false => layout.lines(file, open.start, bytes),
        };
        open.start += bytes.len() as u64;
        Ok(Some(cut))
    }

    /// The place in the spool where the next file will start.
    fn spool(&mut self) -> Result<u64, Error> {
        if let Some((_, end)) = self.spool {
            return Ok(end);
        }
        let folder = self.corpus.spool_folder();
        let file = tempfile::tempfile_in(&folder).map_err(|reason| Error::Spool {
            folder,
            file: self.corpus.files()[self.next].name().to_owned(),
            reason,
        })?;
        self.spool = Some((Arc::new(file), 0));
        Ok(0)
    }

    fn keep(&mut self, bytes: &[u8], name: &str) -> Result<(), Error> {
        let Some((file, end)) = &mut self.spool else {
            return Ok(());
        };
        let mut file: &fs::File = file;
        file.write_all(bytes).map_err(|reason| Error::Spool {
            folder: self.corpus.spool_folder(),
            file: name.to_owned(),
            reason,
        })?;
        *end += bytes.len() as u64;
        Ok(())
    }
}

impl Buffer {
    /// Starts again with what is left of the block before.
    fn take(&mut self, carry: &mut Vec<u8>) {
        self.len = 0;
        self.skip = 0;
        self.reserve(carry.len());
        self.bytes[..carry.len()].copy_from_slice(carry);
        self.len = carry.len();
        carry.clear();
    }

    /// Reads on until there are so many bytes: whether the stream has ended.
    fn fill(&mut self, stream: &mut Stream, target: usize) -> Result<bool, Error> {
        self.reserve(target);
        let wanted = &mut self.bytes[self.len..target];
        let len = wanted.len();
        let filled = stream.fill(wanted)?;
        self.len += filled;
        Ok(filled < len)
    }

    /// An error with the line in which the data ends, for a buffer that starts at a byte and a line of the file.
    fn locate(&self, mut error: Error, start: u64, first_line: u64) -> Error {
        if let Error::Truncated { line, bytes, .. } = &mut error {
            let there = usize::try_from(*bytes - start).unwrap_or(usize::MAX);
            let there = &self.bytes[..there.min(self.bytes.len())];
            *line = first_line + newlines(there);
        }
        error
    }

    fn reserve(&mut self, len: usize) {
        if self.bytes.len() < len {
            self.bytes.resize(len, 0);
        }
    }
}

/// How far a buffer grows that was too short for a record: twofold, up to what would be too
/// much to take for one that then comes to nothing.
fn grown(len: usize) -> usize {
    len + len.min(1 << 26)
}

/// The bytes of a mark, if these are the first of the file.
pub(crate) fn mark(start: u64, bytes: &[u8]) -> usize {
    match start == 0 && bytes.starts_with(BOM) {
        true => BOM.len(),
        false => 0,
    }
}

pub(crate) fn newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}
