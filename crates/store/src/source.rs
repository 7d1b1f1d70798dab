//! What bytes are read from and written to: a file, or memory.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
    sync::{PoisonError, RwLock, RwLockReadGuard},
};

use crate::Error;

/// A file, or memory in its place.
#[derive(Debug)]
pub(crate) struct Source {
    medium: Medium,
    /// The name, for messages.
    path: PathBuf,
}

#[derive(Debug)]
enum Medium {
    File(File),
    Memory(RwLock<Vec<u8>>),
}

impl Source {
    pub(crate) fn of_file(file: File, path: &Path) -> Self {
        Self {
            medium: Medium::File(file),
            path: path.to_owned(),
        }
    }

    pub(crate) fn of_memory(bytes: Vec<u8>) -> Self {
        Self {
            medium: Medium::Memory(RwLock::new(bytes)),
            path: "(memory)".into(),
        }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn io(&self) -> impl FnOnce(io::Error) -> Error {
        Error::io(&self.path)
    }

    /// The file, unless it is memory.
    pub(crate) fn file(&self) -> Option<&File> {
        match &self.medium {
            Medium::File(file) => Some(file),
            Medium::Memory(_) => None,
        }
    }

    pub(crate) fn length(&self) -> Result<u64, Error> {
        match &self.medium {
            Medium::File(file) => Ok(file.metadata().map_err(self.io())?.len()),
            Medium::Memory(bytes) => Ok(read_lock(bytes).len() as u64),
        }
    }

    /// Fills the buffer from a place; `false` if there are fewer bytes.
    pub(crate) fn read(&self, at: u64, buffer: &mut [u8]) -> Result<bool, Error> {
        match &self.medium {
            Medium::File(file) => match read_exact_at(file, buffer, at) {
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
                read => read.map(|()| true).map_err(self.io()),
            },
            Medium::Memory(bytes) => {
                let bytes = read_lock(bytes);
                let start = usize::try_from(at).unwrap_or(usize::MAX);
                let end = start.saturating_add(buffer.len());
                Ok(bytes.get(start..end).is_some_and(|bytes| {
                    buffer.copy_from_slice(bytes);
                    true
                }))
            }
        }
    }

    pub(crate) fn write(&self, at: u64, bytes: &[u8]) -> io::Result<()> {
        match &self.medium {
            Medium::File(file) => write_all_at(file, bytes, at),
            Medium::Memory(memory) => {
                let mut memory = memory.write().unwrap_or_else(PoisonError::into_inner);
                let (start, end) = (at as usize, at as usize + bytes.len());
                if memory.len() < end {
                    memory.resize(end, 0);
                }
                memory[start..end].copy_from_slice(bytes);
                Ok(())
            }
        }
    }

    /// Waits until everything that was written is on disk.
    pub(crate) fn sync(&self) -> io::Result<()> {
        match &self.medium {
            Medium::File(file) => file.sync_data(),
            Medium::Memory(_) => Ok(()),
        }
    }

    pub(crate) fn set_length(&self, length: u64) -> io::Result<()> {
        match &self.medium {
            Medium::File(file) => file.set_len(length),
            Medium::Memory(memory) => {
                let mut memory = memory.write().unwrap_or_else(PoisonError::into_inner);
                memory.resize(length as usize, 0);
                Ok(())
            }
        }
    }
}

fn read_lock(bytes: &RwLock<Vec<u8>>) -> RwLockReadGuard<'_, Vec<u8>> {
    bytes.read().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(unix)]
fn write_all_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
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

#[cfg(windows)]
fn write_all_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, at)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            n => {
                bytes = &bytes[n..];
                at += n as u64;
            }
        }
    }
    Ok(())
}
