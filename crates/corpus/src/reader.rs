use crate::file::Seekable;
use crate::lines::{Lines, Scratch};
use crate::{Corpus, Document, Error, ErrorKind, File, Place, Record, positioned};
use std::io;

/// Files that a reader holds open.
const OPEN: usize = 64;

/// Reads documents again by their places.
///
/// It holds a document and a few open files, never the corpus. Compressed files, stdin
/// and pipes can be read if [`Options::second_pass`](crate::Options::second_pass) was set
/// and a scan has gone through them.
#[derive(Debug)]
pub struct Reader<'c> {
    corpus: &'c Corpus,
    /// A file is in the slot of its number modulo [`OPEN`].
    open: Vec<Option<(u32, Seekable)>>,
    record: Vec<u8>,
    scratch: Scratch,
}

impl<'c> Reader<'c> {
    pub(crate) fn new(corpus: &'c Corpus) -> Self {
        Self {
            corpus,
            open: Vec::new(),
            record: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// The document at a place.
    ///
    /// # Errors
    ///
    /// If the file is not what it was when the place was found, or cannot be read.
    pub fn read(&mut self, place: &Place) -> Result<Document<'_>, Error> {
        let corpus = self.corpus;
        let record = self.read_value(place)?;
        record.document(corpus.file(place.file)?.name())
    }

    /// The record at a place, with its value.
    ///
    /// # Errors
    ///
    /// If the file is not what it was when the place was found, or cannot be read.
    pub fn read_value(&mut self, place: &Place) -> Result<Record<'_>, Error> {
        let file = self.fetch(place)?;
        self.corpus.load_head(file)?;
        let bytes = &self.record[..place.bytes as usize];
        let limit = self.corpus.sizes.record;
        let lines = Lines::new(bytes, file, place.file, place.start, place.line, limit);
        match lines.record(0, place.line, &self.corpus.fields, &mut self.scratch) {
            Ok((record, _)) if record.place == *place => Ok(record),
            Err(e) if e.kind() != ErrorKind::Content => Err(e),
            _ => Err(Error::changed(file.name())),
        }
    }

    /// The record at a place as it stands in the file, without its line end.
    ///
    /// # Errors
    ///
    /// If the file is not what it was when the place was found, or cannot be read.
    pub fn raw(&mut self, place: &Place) -> Result<&[u8], Error> {
        self.fetch(place)?;
        Ok(&self.record[..place.bytes as usize])
    }

    fn fetch(&mut self, place: &Place) -> Result<&'c File, Error> {
        let file = self.corpus.file(place.file)?;
        let len = place.bytes as usize;
        if self.record.len() < len {
            self.record.resize(len, 0);
        }
        if self.open.is_empty() {
            self.open.resize_with(OPEN, || None);
        }
        let slot = &mut self.open[place.file as usize % OPEN];
        let open = match slot {
            Some((of, open)) if *of == place.file => open,
            _ => &mut slot.insert((place.file, file.seekable()?)).1,
        };
        let record = &mut self.record[..len];
        let read = match open {
            Seekable::Disk(disk) => positioned::read_exact(disk, record, place.start),
            Seekable::Spooled(spool) if place.start + len as u64 <= spool.end - spool.start => {
                positioned::read_exact(&spool.file, record, spool.start + place.start)
            }
            Seekable::Spooled(_) => Err(io::ErrorKind::UnexpectedEof.into()),
        };
        read.map_err(|reason| match reason.kind() {
            io::ErrorKind::UnexpectedEof => Error::changed(file.name()),
            _ => Error::read(file.name(), reason),
        })?;
        Ok(file)
    }
}
