//! Whether a file still has the bytes that the first pass saw.
//!
//! Lengths and times of modification are compared when a file is opened again; times can be set, and a file may change
//! after it was opened. So every pass from the start to the end of a file also counts and hashes what it reads. The first
//! complete pass is remembered, and one that reads anything else is an error before its last byte is handed on.

use crate::Error;
use crate::stream::Raw;
use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use xxhash_rust::xxh3::Xxh3Default;

/// What a complete pass read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Content {
    bytes: u64,
    digest: u64,
}

/// What the first complete pass over a file read, as soon as there is one.
pub(crate) type First = Arc<OnceLock<Content>>;

/// Counts the bytes of a file, and compares them with those of the first pass when they end.
pub(crate) struct Watched {
    raw: Raw,
    name: String,
    bytes: Arc<AtomicU64>,
    /// None for what nobody else can write to.
    first: Option<First>,
    hasher: Xxh3Default,
}

impl Watched {
    pub(crate) fn new(raw: Raw, name: &str, first: Option<First>) -> Self {
        Self {
            raw,
            name: name.to_owned(),
            bytes: Arc::default(),
            first,
            hasher: Xxh3Default::new(),
        }
    }

    /// The bytes that have been read so far.
    pub(crate) fn counter(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.bytes)
    }
}

impl Read for Watched {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.raw.read(buffer)?;
        let before = self.bytes.fetch_add(n as u64, Ordering::Relaxed);
        if let Some(first) = &self.first {
            self.hasher.update(&buffer[..n]);
            if n == 0 && !buffer.is_empty() {
                let now = Content {
                    bytes: before,
                    digest: self.hasher.digest(),
                };
                if *first.get_or_init(|| now) != now {
                    return Err(io::Error::other(Error::changed(&self.name)));
                }
            }
        }
        Ok(n)
    }
}
