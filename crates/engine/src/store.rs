//! The file of an index.
//!
//! ```text
//! magic, version │ source: fingerprint, description │ bands, key bits, payload bytes, ids given
//! │ removed ids │ for each band: address, offsets, ids with their keys, payloads │ checksum of all before
//! ```
//!
//! Numbers are little-endian, lists have their length before them. Nothing is taken on trust: the
//! file's true length bounds what is allocated, the checksum covers every byte, and what the index relies on to
//! stay within its lists is checked on its own.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Write},
    path::Path,
};

use bytemuck::Pod;
use lookalike_core::{KeySource, Payload};
use lookalike_memory::Large;
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::{
    Error, Index,
    frozen::{Address, Frozen, Ids, Keyed},
    index::Marks,
    recent::Recent,
};

const MAGIC: [u8; 8] = *b"LKALIKE\n";
const VERSION: u32 = 1;

impl<S: KeySource> Index<S> {
    /// Freezes the index and writes it to `path`, whole or not at all: to a temporary file
    /// beside it, which then takes its name, whatever had it before.
    pub fn save(&mut self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        if !self.is_frozen() {
            self.freeze()?;
        }
        self.write(path).map_err(Error::io(path))
    }

    fn write(&self, path: &Path) -> io::Result<()> {
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

    /// Reads an index that a source with the same description saved.
    pub fn load(source: S, path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file = File::open(path).map_err(Error::io(path))?;
        let left = file.metadata().map_err(Error::io(path))?.len();
        let inner = BufReader::with_capacity(1 << 20, file);
        let mut from = Reader {
            inner,
            hash: Xxh3::new(),
            left,
            path,
        };
        from.header(&source)?;
        let given = from.u32()?;
        let removed = Marks::from_words(from.list(u64::from_le_bytes)?.to_vec());
        from.expect(
            removed.words().len() <= (given as usize).div_ceil(64),
            "it removes ids that were never given",
        )?;
        let past = (given..given.next_multiple_of(64)).any(|id| removed.has(id));
        from.expect(!past, "it removes ids that were never given")?;
        let bands = source.bands();
        let frozen = (0..bands)
            .map(|_| from.band(source.key_bits(), given))
            .collect::<Result<_, _>>()?;
        from.end()?;
        let recent = (0..bands).map(|_| Recent::new()).collect();
        Ok(Self {
            source,
            frozen,
            recent,
            removed,
            given,
        })
    }
}

/// A hash of everything about a source that must agree.
fn fingerprint<S: KeySource>(source: &S) -> u64 {
    let shape = shape(source).map(u32::to_le_bytes);
    xxh3_64(&[source.describe().as_bytes(), shape.as_flattened()].concat())
}

fn shape<S: KeySource>(source: &S) -> [u32; 3] {
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
const BLOCK: usize = 1 << 16;

struct Reader<'a> {
    inner: BufReader<File>,
    hash: Xxh3,
    /// Bytes of the file that are still to come.
    left: u64,
    path: &'a Path,
}

impl Reader<'_> {
    fn header<S: KeySource>(&mut self, source: &S) -> Result<(), Error> {
        let path = || self.path.to_owned();
        let not_an_index = Error::NotAnIndex { path: path() };
        if self.left < MAGIC.len() as u64 || self.array::<8>()? != MAGIC {
            return Err(not_an_index);
        }
        let found = self.u32()?;
        if found != VERSION {
            let path = self.path.to_owned();
            return Err(Error::Version {
                path,
                found,
                known: VERSION,
            });
        }
        let stored_fingerprint = self.u64()?;
        let stored = self.list(|[byte]: [u8; 1]| byte)?;
        let stored = String::from_utf8(stored.to_vec());
        let stored = stored.map_err(|_| self.damaged("its description is not text"))?;
        let stored_shape = [self.u32()?, self.u32()?, self.u32()?];
        let asked = source.describe();
        if stored != asked || stored_shape != shape(source) {
            let path = self.path.to_owned();
            return Err(Error::Source {
                path,
                stored,
                asked,
            });
        }
        self.expect(
            stored_fingerprint == fingerprint(source),
            "its fingerprint is not that of its source",
        )
    }

    fn band<P: Payload>(&mut self, key_bits: u32, given: u32) -> Result<Frozen<P>, Error> {
        let address = match (self.u32()?, self.u32()?) {
            (0, bits) if bits == key_bits && bits <= 34 => Address::Direct(bits),
            (1, bits) if bits <= 32 => Address::Hashed(bits),
            _ => return Err(self.damaged("a band has an impossible address")),
        };
        let offsets: Large<u32> = self.list(u32::from_le_bytes)?;
        let ids = match address {
            Address::Direct(_) => Ids::Direct(self.list(u32::from_le_bytes)?),
            Address::Hashed(_) => Ids::Keyed(self.list(Keyed::from_bytes)?),
        };
        let sound = offsets.len() == address.slots() + 1
            && offsets.first() == Some(&0)
            && offsets
                .last()
                .is_some_and(|&last| last as usize == ids.len())
            && offsets.is_sorted()
            && ids.iter().all(|id| id < given);
        self.expect(sound, "a band's lists do not fit each other")?;
        let bytes = self.block(ids.len() as u64, P::BYTES)?;
        let payloads = (0..ids.len())
            .map(|i| P::fetch(&bytes[i * P::BYTES..][..P::BYTES]))
            .collect();
        Ok(Frozen {
            address,
            offsets,
            ids,
            payloads,
        })
    }

    fn end(&mut self) -> Result<(), Error> {
        let computed = self.hash.digest();
        let stored = self.u64()?;
        self.expect(stored == computed, "its checksum is wrong")?;
        self.expect(self.left == 0, "bytes follow its end")
    }

    fn damaged(&self, what: &'static str) -> Error {
        Error::Damaged {
            path: self.path.to_owned(),
            what,
        }
    }

    fn expect(&self, sound: bool, what: &'static str) -> Result<(), Error> {
        if sound {
            Ok(())
        } else {
            Err(self.damaged(what))
        }
    }

    /// So many items of so many bytes, if the file has them.
    fn block(&mut self, items: u64, bytes: usize) -> Result<Vec<u8>, Error> {
        let wanted = items
            .checked_mul(bytes as u64)
            .filter(|&wanted| wanted <= self.left);
        let wanted = wanted.ok_or_else(|| self.damaged("it ends too early"))?;
        let mut block = vec![0; wanted as usize];
        self.inner
            .read_exact(&mut block)
            .map_err(Error::io(self.path))?;
        self.hash.update(&block);
        self.left -= wanted;
        Ok(block)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Error> {
        Ok(self.block(1, N)?.try_into().expect("N bytes"))
    }

    fn u32(&mut self) -> Result<u32, Error> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Result<u64, Error> {
        self.array().map(u64::from_le_bytes)
    }

    fn list<T: Pod, const N: usize>(
        &mut self,
        decode: impl Fn([u8; N]) -> T,
    ) -> Result<Large<T>, Error> {
        let items = self.u64()?;
        let fits = items
            .checked_mul(N as u64)
            .is_some_and(|bytes| bytes <= self.left);
        self.expect(fits, "it ends too early")?;
        let mut list = Large::with_capacity(items as usize);
        let in_block = BLOCK / N;
        while (list.len() as u64) < items {
            let more = (items - list.len() as u64).min(in_block as u64);
            let block = self.block(more, N)?;
            let items = block.as_chunks::<N>().0.iter();
            let items: Vec<T> = items.map(|&bytes| decode(bytes)).collect();
            list.extend_from_slice(&items);
        }
        Ok(list)
    }
}
