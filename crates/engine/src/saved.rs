use std::{
    fmt,
    fs::File,
    io::{BufReader, Read},
    path::{Path, PathBuf},
};

use bytemuck::Pod;
use lookalike_core::{KeySource, Payload};
use lookalike_memory::Large;
use xxhash_rust::xxh3::Xxh3;

use crate::{
    BucketIndex, Error,
    frozen::{Address, Frozen, Ids, Keyed},
    marks::Marks,
    recent::Recent,
    spare::Spare,
    store::{BLOCK, MAGIC, VERSION, fingerprint, shape},
};

/// The file of a [`BucketIndex`], opened but not yet read. It tells which source made it.
///
/// The checksum is that of the whole file. Until [`index`](Saved::index) has checked it, the description and the
/// attachment may be damaged.
pub struct Saved {
    header: Header,
    reader: Reader,
}

/// What a file contains.
#[derive(Debug)]
pub struct SavedIndex<S: KeySource> {
    /// The index.
    pub index: BucketIndex<S>,
    /// What was saved with it; see [`BucketIndex::save_with`].
    pub attachment: Vec<u8>,
}

struct Header {
    fingerprint: u64,
    description: String,
    attachment: Vec<u8>,
    shape: [u32; 3],
}

impl Saved {
    /// Opens the file of an index.
    ///
    /// # Errors
    /// If it cannot be read, or is not an index of this version.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, Error> {
        let path = path.as_ref();
        let file = File::open(path).map_err(Error::io(path))?;
        let left = file.metadata().map_err(Error::io(path))?.len();
        let mut reader = Reader {
            inner: BufReader::with_capacity(1 << 20, file),
            hash: Xxh3::new(),
            left,
            path: path.to_owned(),
        };
        let header = reader.header()?;
        Ok(Self { header, reader })
    }

    /// How the source that made the index describes itself.
    #[must_use]
    pub fn description(&self) -> &str {
        &self.header.description
    }

    /// What was saved with the index.
    #[must_use]
    pub fn attachment(&self) -> &[u8] {
        &self.header.attachment
    }

    /// Reads the index and the attachment.
    ///
    /// # Errors
    /// If the source does not describe itself as the one that made the index, or if the file cannot be read or is
    /// damaged.
    pub fn index<S: KeySource>(self, source: S) -> Result<SavedIndex<S>, Error> {
        let Self {
            header,
            reader: mut from,
        } = self;
        let asked = source.describe();
        if header.description != asked || header.shape != shape(&source) {
            return Err(Error::Source {
                path: from.path,
                stored: header.description,
                asked,
            });
        }
        from.expect(
            header.fingerprint == fingerprint(&source),
            "its fingerprint is not that of its source",
        )?;
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
        let index = BucketIndex {
            source,
            frozen,
            recent,
            removed,
            given,
            spare: Spare::new(),
        };
        Ok(SavedIndex {
            index,
            attachment: header.attachment,
        })
    }
}

impl fmt::Debug for Saved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Saved");
        debug
            .field("path", &self.reader.path)
            .field("source", &self.header.description)
            .finish_non_exhaustive()
    }
}

impl<S: KeySource> BucketIndex<S> {
    /// Reads an index that a source with the same description saved.
    ///
    /// # Errors
    /// If another source saved it, or if the file cannot be read or is damaged.
    pub fn load(source: S, path: impl AsRef<Path>) -> Result<Self, Error> {
        Ok(Saved::open(path)?.index(source)?.index)
    }
}

struct Reader {
    inner: BufReader<File>,
    hash: Xxh3,
    /// Bytes of the file that are still to come.
    left: u64,
    path: PathBuf,
}

impl Reader {
    fn header(&mut self) -> Result<Header, Error> {
        let path = || self.path.clone();
        let not_an_index = Error::NotAnIndex { path: path() };
        if self.left < MAGIC.len() as u64 || self.array::<8>()? != MAGIC {
            return Err(not_an_index);
        }
        let found = self.u32()?;
        if found != VERSION {
            let path = self.path.clone();
            return Err(Error::Version {
                path,
                found,
                known: VERSION,
            });
        }
        let fingerprint = self.u64()?;
        let description = self.list(|[byte]: [u8; 1]| byte)?;
        let description = String::from_utf8(description.to_vec());
        let description = description.map_err(|_| self.damaged("its description is not text"))?;
        let length = self.u64()?;
        let attachment = self.block(length, 1)?;
        let shape = [self.u32()?, self.u32()?, self.u32()?];
        Ok(Header {
            fingerprint,
            description,
            attachment,
            shape,
        })
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
            path: self.path.clone(),
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

    /// `items` of `bytes` each, if the file is long enough.
    fn block(&mut self, items: u64, bytes: usize) -> Result<Vec<u8>, Error> {
        let wanted = items
            .checked_mul(bytes as u64)
            .filter(|&wanted| wanted <= self.left);
        let wanted = wanted.ok_or_else(|| self.damaged("it ends too early"))?;
        let mut block = vec![0; wanted as usize];
        self.inner
            .read_exact(&mut block)
            .map_err(Error::io(&self.path))?;
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
