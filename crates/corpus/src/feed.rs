//! The bytes of a file from start to end, for passes that copy them.

use crate::stream::Stream;
use crate::{Corpus, Error, Place};
use std::io::Write;

/// A buffered stream that knows where it is.
#[derive(Debug)]
pub(crate) struct Feed<'c> {
    name: &'c str,
    stream: Stream,
    buffer: Vec<u8>,
    from: usize,
    to: usize,
    /// The place in the file of the next byte.
    pub(crate) at: u64,
}

impl<'c> Feed<'c> {
    pub(crate) fn new(corpus: &'c Corpus, file: u32) -> Result<Self, Error> {
        let file = corpus.file(file)?;
        corpus.load_head(file)?;
        Ok(Self {
            name: file.name(),
            stream: file.stream(corpus)?,
            buffer: vec![0; corpus.sizes.block.max(1)],
            from: 0,
            to: 0,
            at: 0,
        })
    }

    /// The bytes that are there, at most so many; none at the end of the file.
    fn some(&mut self, most: u64) -> Result<&[u8], Error> {
        if self.from == self.to {
            self.from = 0;
            self.to = self.stream.fill(&mut self.buffer)?;
        }
        let len = usize::try_from(most).map_or(self.to - self.from, |n| n.min(self.to - self.from));
        let part = &self.buffer[self.from..self.from + len];
        self.from += len;
        self.at += len as u64;
        Ok(part)
    }

    /// Copies so many bytes.
    pub(crate) fn copy(&mut self, mut bytes: u64, out: &mut dyn Write) -> Result<(), Error> {
        while bytes > 0 {
            let name = self.name;
            let part = self.some(bytes)?;
            if part.is_empty() {
                return Err(Error::changed(name));
            }
            out.write_all(part)
                .map_err(|reason| Error::Write { reason })?;
            bytes -= part.len() as u64;
        }
        Ok(())
    }

    /// Copies what lies before a place.
    pub(crate) fn copy_to(&mut self, place: &Place, out: &mut dyn Write) -> Result<(), Error> {
        match place.start.checked_sub(self.at) {
            Some(bytes) => self.copy(bytes, out),
            None => Err(Error::Parameter {
                name: "places",
                value: format!("line {}", place.line),
                expected: "in the order of the file",
            }),
        }
    }

    /// Copies what ends a line: `\n` and any `\r` before it, or the end of the file.
    pub(crate) fn copy_line_end(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        loop {
            match self.peek()? {
                Some(b'\n') => return self.copy(1, out),
                Some(b'\r') => self.copy(1, out)?,
                Some(_) => return Err(Error::changed(self.name)),
                None => return Ok(()),
            }
        }
    }

    /// Copies what ends a row of CSV: `\n`, `\r\n`, `\r`, or the end of the file.
    pub(crate) fn copy_row_end(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        match self.peek()? {
            Some(b'\r') => self.copy(1, out)?,
            Some(b'\n') => return self.copy(1, out),
            Some(_) => return Err(Error::changed(self.name)),
            None => return Ok(()),
        }
        match self.peek()? {
            Some(b'\n') => self.copy(1, out),
            _ => Ok(()),
        }
    }

    /// Copies all that is left.
    pub(crate) fn copy_rest(&mut self, out: &mut dyn Write) -> Result<(), Error> {
        while self.peek()?.is_some() {
            let part = self.some(u64::MAX)?;
            out.write_all(part)
                .map_err(|reason| Error::Write { reason })?;
        }
        Ok(())
    }

    fn peek(&mut self) -> Result<Option<u8>, Error> {
        if self.from == self.to {
            self.from = 0;
            self.to = self.stream.fill(&mut self.buffer)?;
        }
        Ok(self.buffer[self.from..self.to].first().copied())
    }
}
