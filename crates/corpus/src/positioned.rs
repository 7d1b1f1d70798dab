//! Reading at a place of a file, which threads may do with one handle.

use std::fs::File;
use std::io::{self, Read};
use std::sync::Arc;

/// Fills the buffer from this place of the file.
#[cfg(unix)]
pub(crate) fn read_exact(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(unix)]
fn read(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

/// Fills the buffer from this place of the file.
#[cfg(windows)]
pub(crate) fn read_exact(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read(file, buffer, at)? {
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
fn read(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, at)
}

/// A part of a file as a stream.
#[derive(Debug)]
pub(crate) struct Range {
    file: Arc<File>,
    at: u64,
    end: u64,
}

impl Range {
    pub(crate) fn new(file: Arc<File>, start: u64, end: u64) -> Self {
        Self {
            file,
            at: start,
            end,
        }
    }
}

impl Read for Range {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.end - self.at).unwrap_or(usize::MAX);
        let len = buffer.len().min(left);
        let n = read(&self.file, &mut buffer[..len], self.at)?;
        self.at += n as u64;
        Ok(n)
    }
}
