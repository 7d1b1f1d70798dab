use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use crate::Error;

/// A file that many threads read at any place.
#[derive(Debug)]
pub(crate) struct Bytes {
    file: File,
    path: PathBuf,
    seen: Seen,
}

/// What tells that a file is still the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seen {
    length: u64,
    modified: Option<SystemTime>,
}

impl Seen {
    pub(crate) fn of(path: &Path) -> io::Result<Self> {
        std::fs::metadata(path).map(|metadata| Self::from(&metadata))
    }
}

impl From<&std::fs::Metadata> for Seen {
    fn from(metadata: &std::fs::Metadata) -> Self {
        Self {
            length: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }
}

impl Bytes {
    pub(crate) fn open(path: &Path) -> Result<Self, Error> {
        let file = File::open(path).map_err(Error::io(path))?;
        let metadata = file.metadata().map_err(Error::io(path))?;
        if !metadata.is_file() {
            return Err(Error::NotAnIndex {
                path: path.to_owned(),
            });
        }
        Ok(Self {
            file,
            path: path.to_owned(),
            seen: Seen::from(&metadata),
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn seen(&self) -> Seen {
        self.seen
    }

    /// What the file had when it was opened.
    pub(crate) fn length(&self) -> u64 {
        self.seen.length
    }

    /// So many bytes from a place on, in a buffer.
    pub(crate) fn read<'b>(
        &self,
        at: u64,
        length: usize,
        buffer: &'b mut Vec<u8>,
    ) -> Result<&'b [u8], Error> {
        let end = at.checked_add(length as u64);
        if end.is_none_or(|end| end > self.length()) {
            return Err(self.damaged("it ends too early"));
        }
        if buffer.len() < length {
            buffer.resize(length, 0);
        }
        let place = &mut buffer[..length];
        read_exact(&self.file, place, at).map_err(|reason| match reason.kind() {
            io::ErrorKind::UnexpectedEof => self.damaged("it ends too early"),
            _ => Error::io(&self.path)(reason),
        })?;
        Ok(place)
    }

    pub(crate) fn damaged(&self, what: &'static str) -> Error {
        Error::Damaged {
            path: self.path.clone(),
            what,
        }
    }

    pub(crate) fn expect(&self, sound: bool, what: &'static str) -> Result<(), Error> {
        if sound {
            Ok(())
        } else {
            Err(self.damaged(what))
        }
    }
}

#[cfg(unix)]
fn read_exact(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn read_exact(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, buffer, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => {
                buffer = &mut buffer[n..];
                at += n as u64;
            }
        }
    }
    Ok(())
}
