//! The file of an index.
//!
//! ```text
//! magic, version │ source: fingerprint, description │ attachment │ bands, key bits, payload bytes, ids given
//! │ removed ids │ for each band: address, offsets, ids with their keys, payloads │ checksum of all before
//! ```
//!
//! Numbers are little-endian, lists have their length before them. Nothing is taken on trust: the
//! file's true length bounds what is allocated, the checksum covers every byte, and what the index relies on to
//! stay within its lists is checked on its own.

use std::{
    io::{self, BufWriter, Write},
    path::Path,
};

use lookalike_core::{KeySource, Payload};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::{
    BucketIndex, Error,
    frozen::{Address, Ids},
};

pub(crate) const MAGIC: [u8; 8] = *b"LKALIKE\n";
pub(crate) const VERSION: u32 = 2;

impl<S: KeySource> BucketIndex<S> {
    /// Freezes the index and writes it to `path`, whole or not at all: to a temporary file
    /// beside it, which then takes its name, whatever had it before.
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        self.save_with(path, &[])
    }

    /// The same with an attachment: what belongs to the items and must not be parted from their keys, such as their
    /// names. [`Saved`](crate::Saved) gives it back.
    pub fn save_with(&mut self, path: impl AsRef<Path>, attachment: &[u8]) -> Result<(), Error> {
        let path = path.as_ref();
        if !self.is_frozen() {
            self.freeze()?;
        }
        self.write(path, attachment).map_err(Error::io(path))
    }

    fn write(&self, path: &Path, attachment: &[u8]) -> io::Result<()> {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let mut builder = tempfile::Builder::new();
        // As a file that is simply created: temporary ones are for their owner alone.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let mut file = builder
            .prefix(".lookalike-index-")
            .tempfile_in(folder.unwrap_or(Path::new(".")))?;
        let mut out = Writer {
            inner: BufWriter::with_capacity(1 << 20, file.as_file_mut()),
            hash: Xxh3::new(),
        };
        out.bytes(&MAGIC)?;
        out.u32(VERSION)?;
        let description = self.source.describe();
        out.u64(fingerprint(&self.source))?;
        out.u64(description.len() as u64)?;
        out.bytes(description.as_bytes())?;
        out.u64(attachment.len() as u64)?;
        out.bytes(attachment)?;
        for number in shape(&self.source) {
            out.u32(number)?;
        }
        out.u32(self.given)?;
        out.list(self.removed.words().iter().map(|word| word.to_le_bytes()))?;
        for band in &self.frozen {
            let (kind, bits) = match band.address {
                Address::Direct(bits) => (0, bits),
                Address::Hashed(bits) => (1, bits),
            };
            out.u32(kind)?;
            out.u32(bits)?;
            out.list(band.offsets.iter().map(|offset| offset.to_le_bytes()))?;
            match &band.ids {
                Ids::Direct(ids) => out.list(ids.iter().map(|id| id.to_le_bytes()))?,
                Ids::Keyed(postings) => {
                    out.list(postings.iter().map(|posting| posting.to_bytes()))?
                }
            }
            let mut bytes = vec![0; S::Payload::BYTES];
            for payload in &band.payloads {
                payload.store(&mut bytes);
                out.bytes(&bytes)?;
            }
        }
        let checksum = out.hash.digest();
        out.u64(checksum)?;
        out.inner.flush()?;
        drop(out);
        file.as_file().sync_all()?;
        file.persist(path)?;
        Ok(())
    }
}

/// A hash of everything about a source that must agree.
pub(crate) fn fingerprint<S: KeySource>(source: &S) -> u64 {
    let shape = shape(source).map(u32::to_le_bytes);
    xxh3_64(&[source.describe().as_bytes(), shape.as_flattened()].concat())
}

pub(crate) fn shape<S: KeySource>(source: &S) -> [u32; 3] {
    [
        source.bands() as u32,
        source.key_bits(),
        S::Payload::BYTES as u32,
    ]
}

struct Writer<W> {
    inner: W,
    hash: Xxh3,
}

impl<W: Write> Writer<W> {
    fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.hash.update(bytes);
        self.inner.write_all(bytes)
    }

    fn u32(&mut self, number: u32) -> io::Result<()> {
        self.bytes(&number.to_le_bytes())
    }

    fn u64(&mut self, number: u64) -> io::Result<()> {
        self.bytes(&number.to_le_bytes())
    }

    fn list<const N: usize>(
        &mut self,
        mut items: impl ExactSizeIterator<Item = [u8; N]>,
    ) -> io::Result<()> {
        self.u64(items.len() as u64)?;
        let mut block = vec![0; BLOCK / N * N];
        loop {
            let mut filled = 0;
            for (place, item) in block.as_chunks_mut::<N>().0.iter_mut().zip(&mut items) {
                *place = item;
                filled += N;
            }
            if filled == 0 {
                return Ok(());
            }
            self.bytes(&block[..filled])?;
        }
    }
}

/// Bytes that are hashed and copied at a time.
pub(crate) const BLOCK: usize = 1 << 16;
