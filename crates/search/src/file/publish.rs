//! A file that is there complete, or not at all.

use std::{
    fs::{self, File},
    io::{self, BufReader, BufWriter, Read, Write},
    path::Path,
};

use lookalike_output::{Progress, Replacement};

use super::{bytes::Seen, layout::MAGIC};
use crate::Error;

/// What the new file may replace.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Replaces {
    /// Nothing: there must be no file of that name.
    Nothing,
    /// An index, if there is one.
    AnyIndex,
    /// The file that was seen, if it is still the same.
    Seen(Seen),
}

/// The file of an index, which takes its name when it is complete.
#[derive(Debug)]
pub(crate) struct Writer {
    out: BufWriter<File>,
    at: u64,
    file: Replacement,
    replaces: Replaces,
}

const BUFFER: usize = 1 << 18;

impl Writer {
    /// Makes sure that the file can be written, before any work is done.
    pub(crate) fn new(
        given: &Path,
        replaces: Replaces,
        progress: &dyn Progress,
    ) -> Result<Self, Error> {
        // A link to a file stands for the file.
        let path = fs::canonicalize(given).unwrap_or_else(|_| given.to_owned());
        replaces.check(&path, given)?;
        let file = Replacement::new(given, &|folder| progress.temporary(folder))?;
        let out = File::create(file.temporary()).map_err(Error::io(given))?;
        Ok(Self {
            out: BufWriter::with_capacity(BUFFER, out),
            at: 0,
            file,
            replaces,
        })
    }

    /// How many bytes there are so far.
    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.write_all(bytes).map_err(|reason| self.failed(reason))
    }

    /// The error of writing this file.
    pub(crate) fn failed(&self, reason: io::Error) -> Error {
        Error::io(self.file.given())(reason)
    }

    /// A file for a part that comes after the one that is being written.
    pub(crate) fn part(&self, name: &str) -> Result<BufWriter<File>, Error> {
        let file = File::create_new(self.file.part(name));
        let file = file.map_err(|reason| self.failed(reason))?;
        Ok(BufWriter::with_capacity(BUFFER, file))
    }

    /// Appends what is in such a file.
    pub(crate) fn append(&mut self, name: &str, part: BufWriter<File>) -> Result<(), Error> {
        let copy = |writer: &mut Self| {
            part.into_inner()?;
            let path = writer.file.part(name);
            let mut part = BufReader::with_capacity(BUFFER, File::open(&path)?);
            io::copy(&mut part, writer)?;
            fs::remove_file(path)
        };
        copy(self).map_err(|reason| self.failed(reason))
    }

    /// Gives the file its name, when all that is in it is on disk.
    pub(crate) fn publish(mut self) -> Result<(), Error> {
        self.flush().map_err(|reason| self.failed(reason))?;
        drop(self.out);
        self.replaces.check(self.file.path(), self.file.given())?;
        Ok(self.file.publish()?)
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.at += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Replaces {
    /// Whether a file may take this name.
    fn check(self, path: &Path, given: &Path) -> Result<(), Error> {
        let is_there = fs::symlink_metadata(path).is_ok();
        let given = given.to_owned();
        match self {
            Self::Nothing if is_there => Err(Error::Exists { path: given }),
            Self::AnyIndex if is_there && !is_index(path) => {
                Err(Error::NotReplaced { path: given })
            }
            Self::Seen(seen) if !Seen::of(path).is_ok_and(|now| now == seen) => {
                Err(Error::Changed { path: given })
            }
            _ => Ok(()),
        }
    }
}

/// Whether a file says that it is an index.
#[must_use]
pub fn is_index(path: &Path) -> bool {
    let magic = || {
        let mut start = Vec::new();
        if fs::metadata(path)?.is_file() {
            File::open(path)?
                .take(MAGIC.len() as u64)
                .read_to_end(&mut start)?;
        }
        Ok::<_, io::Error>(start == MAGIC)
    };
    magic().unwrap_or(false)
}
