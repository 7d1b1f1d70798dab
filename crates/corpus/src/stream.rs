//! Bytes of an input as a stream, decompressed.

use crate::Error;
use crate::codec::Codec;
use crate::content::{First, Watched};
use crate::expansion::Expansion;
use crate::gzip::Members;
use std::io::{self, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A reader that can go to another thread.
pub(crate) type Raw = Box<dyn Read + Send>;

/// The decompressed bytes of an input.
pub(crate) struct Stream {
    reader: Raw,
    codec: Option<Codec>,
    name: String,
    /// Decompressed bytes so far.
    bytes: u64,
    /// Bytes so far as they are on disk.
    on_disk: Arc<AtomicU64>,
    expansion: Expansion,
}

impl Stream {
    /// The stream of an input that is compressed so. Where others can write to it, it must have the bytes that the first
    /// pass saw.
    pub(crate) fn new(
        name: &str,
        raw: Raw,
        first: Option<First>,
        codec: Option<Codec>,
        expansion: Expansion,
    ) -> Result<Self, Error> {
        let counted = Watched::new(raw, name, first);
        let on_disk = counted.counter();
        let reader: Raw = match codec {
            None => Box::new(counted),
            Some(Codec::Gzip) => {
                let buffered = BufReader::with_capacity(1 << 16, counted);
                Box::new(Members::new(buffered))
            }
            Some(Codec::Zstd) => {
                let failed = |reason| Error::read(name, reason);
                let mut decoder = zstd::stream::read::Decoder::new(counted).map_err(failed)?;
                let window = expansion.window_log();
                decoder.window_log_max(window).map_err(failed)?;
                Box::new(decoder)
            }
        };
        Ok(Self {
            reader,
            codec,
            name: name.to_owned(),
            bytes: 0,
            on_disk,
            expansion,
        })
    }

    /// The stream of what reads an input in its own way, and counts what it reads.
    #[cfg(feature = "parquet")]
    pub(crate) fn of(
        name: &str,
        reader: Raw,
        on_disk: Arc<AtomicU64>,
        expansion: Expansion,
    ) -> Self {
        Self {
            reader,
            codec: None,
            name: name.to_owned(),
            bytes: 0,
            on_disk,
            expansion,
        }
    }

    /// Fills as much of the buffer as there is: less only at the end of the stream.
    pub(crate) fn fill(&mut self, buffer: &mut [u8]) -> Result<usize, Error> {
        match self.fill_some(buffer) {
            (filled, None) => Ok(filled),
            (_, Some(reason)) => Err(self.error(reason)),
        }
    }

    /// Fills the buffer up to its end, that of the stream, or what goes wrong.
    pub(crate) fn fill_some(&mut self, buffer: &mut [u8]) -> (usize, Option<io::Error>) {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.reader.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(n) => {
                    filled += n;
                    self.bytes += n as u64;
                    let (name, on_disk) = (&self.name, self.on_disk());
                    if let Err(e) = self.expansion.check(name, self.bytes, on_disk) {
                        return (filled, Some(io::Error::other(e)));
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return (filled, Some(e)),
            }
        }
        (filled, None)
    }

    /// Bytes read so far as they are on disk.
    pub(crate) fn on_disk(&self) -> u64 {
        self.on_disk.load(Ordering::Relaxed)
    }

    fn error(&self, reason: io::Error) -> Error {
        // Some are our own errors on their way.
        let reason = match reason.downcast::<Error>() {
            Ok(error) => return error,
            Err(reason) => reason,
        };
        let (file, bytes) = (self.name.clone(), self.bytes);
        match self.codec {
            None => Error::Read { file, reason },
            // What the system says has a code; what a decoder says has none.
            Some(_) if reason.raw_os_error().is_some() => Error::Read { file, reason },
            Some(codec) if reason.kind() == io::ErrorKind::UnexpectedEof => Error::Truncated {
                file,
                // Whoever cuts lines knows better.
                line: 1,
                codec: codec.name(),
                bytes,
            },
            // The decoder has no code for it, only words.
            Some(Codec::Zstd) if reason.to_string().contains("too much memory") => Error::Window {
                file,
                limit: self.expansion.window,
            },
            Some(codec) => Error::Damaged {
                file,
                codec: codec.name(),
                bytes,
                reason,
            },
        }
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream")
            .field("name", &self.name)
            .field("codec", &self.codec)
            .field("bytes", &self.bytes)
            .finish_non_exhaustive()
    }
}
