use crate::csv::Header;
use crate::expansion::Expansion;
use crate::inputs::Input;
use crate::json::Fields;
use crate::positioned;
use crate::stream::{Raw, Stream};
use crate::{Codec, Corpus, Error, Format, names};
use std::fs;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::SystemTime;

/// Bytes of an input that are looked at to know its format.
const HEAD: u64 = 1 << 16;

/// One input of a corpus: a file, or stdin.
#[derive(Debug)]
pub struct File {
    name: String,
    mirror: PathBuf,
    format: Format,
    codec: Option<Codec>,
    origin: Origin,
    spooled: OnceLock<Spooled>,
    /// Of CSV, once it was read.
    header: OnceLock<Header>,
}

enum Origin {
    /// A regular file, as it was when it was opened.
    Disk { path: PathBuf, seen: Seen },
    /// A stream, until it is read: stdin or a pipe.
    Once(Mutex<Option<Raw>>),
}

impl std::fmt::Debug for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Disk { path, .. } => f.debug_tuple("Disk").field(path).finish(),
            Self::Once(_) => f.write_str("Once"),
        }
    }
}

/// What tells that a file is still the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    len: u64,
    modified: Option<SystemTime>,
}

impl Seen {
    fn of(metadata: &fs::Metadata) -> Self {
        Self {
            len: metadata.len(),
            modified: metadata.modified().ok(),
        }
    }
}

/// Where the decompressed bytes of an input are kept.
#[derive(Clone, Debug)]
pub(crate) struct Spooled {
    pub(crate) file: Arc<fs::File>,
    pub(crate) start: u64,
    pub(crate) end: u64,
}

/// A file from whose middle can be read.
#[derive(Debug)]
pub(crate) enum Seekable {
    Disk(fs::File),
    Spooled(Spooled),
}

impl File {
    /// Its name for messages: the path as it was found, or `stdin`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A relative path for what is written about this file: no two files of a corpus have
    /// the same, and it does not end in `.gz` or `.zst`.
    pub fn mirror(&self) -> &Path {
        &self.mirror
    }

    /// What a document is in it.
    pub fn format(&self) -> Format {
        self.format
    }

    /// Opens an input to see what it is.
    pub(crate) fn open(
        input: &Input,
        format: Option<Format>,
        stdin: impl FnOnce() -> Raw,
    ) -> Result<Self, Error> {
        let name = match input {
            Input::Stdin => "stdin".to_owned(),
            Input::File(path) => path.display().to_string(),
        };
        let failed = |reason| Error::read(&name, reason);
        let (mut raw, seen): (Raw, _) = match input {
            Input::Stdin => (stdin(), None),
            Input::File(path) => {
                let file = fs::File::open(path).map_err(failed)?;
                let metadata = file.metadata().map_err(failed)?;
                let seen = metadata.is_file().then(|| Seen::of(&metadata));
                (Box::new(file), seen)
            }
        };
        let mut head = Vec::new();
        let magic = raw.by_ref().take(4).read_to_end(&mut head);
        magic.map_err(failed)?;
        let codec = Codec::of(&head);
        let by_name = match input {
            Input::Stdin => None,
            Input::File(path) => by_name(path),
        };
        let format = match format.or(by_name) {
            Some(format) => format,
            None => {
                let rest = raw.by_ref().take(HEAD).read_to_end(&mut head);
                rest.map_err(failed)?;
                by_content(&name, &head, codec)?
            }
        };
        if format == Format::Parquet {
            parquet_can_be_read(&name, codec.is_none(), seen.is_some())?;
        }
        let origin = match (input, seen) {
            (Input::File(path), Some(seen)) => Origin::Disk {
                path: path.clone(),
                seen,
            },
            _ => Origin::Once(Mutex::new(Some(Box::new(Cursor::new(head).chain(raw))))),
        };
        Ok(Self {
            name,
            mirror: PathBuf::new(),
            format,
            codec,
            origin,
            spooled: OnceLock::new(),
            header: OnceLock::new(),
        })
    }

    pub(crate) fn set_mirror(&mut self, mirror: PathBuf) {
        self.mirror = mirror;
    }

    /// How it is compressed as a whole.
    pub fn codec(&self) -> Option<Codec> {
        self.codec
    }

    /// Whether it is compressed, as Parquet is too: a second pass needs it decompressed.
    pub fn is_compressed(&self) -> bool {
        self.codec.is_some() || self.format == Format::Parquet
    }

    /// Its size on disk, where it has one.
    pub fn bytes(&self) -> Option<u64> {
        match &self.origin {
            Origin::Disk { seen, .. } => Some(seen.len),
            Origin::Once(_) => None,
        }
    }

    /// Whether it can be read from the middle only once it is spooled.
    pub(crate) fn needs_spool(&self) -> bool {
        let seekable = !self.is_compressed() && matches!(self.origin, Origin::Disk { .. });
        !seekable && self.spooled.get().is_none()
    }

    /// The header of CSV, once it was read.
    pub(crate) fn header(&self) -> Option<&Header> {
        self.header.get()
    }

    /// Reads the header from the first bytes of CSV, if all of it is there.
    pub(crate) fn read_header(
        &self,
        bytes: &[u8],
        is_whole: bool,
        fields: &Fields,
    ) -> Result<Option<&Header>, Error> {
        if self.header.get().is_none() {
            let plain = names::uncompressed(&self.mirror);
            let is_tsv = plain
                .extension()
                .is_some_and(|e| e.eq_ignore_ascii_case("tsv"));
            let delimiter = is_tsv.then_some(b'\t');
            if let Some(header) = Header::read(bytes, is_whole, delimiter, fields, &self.name)? {
                // Of two scans at the same time either one's will do.
                let _ = self.header.set(header);
            }
        }
        Ok(self.header.get())
    }

    /// Remembers where it has been spooled to.
    pub(crate) fn set_spooled(&self, spooled: Spooled) {
        // Of two scans at the same time either copy will do.
        let _ = self.spooled.set(spooled);
    }

    /// Its decompressed bytes from the start; of Parquet, its rows as JSONL.
    pub(crate) fn stream(&self, corpus: &Corpus) -> Result<Stream, Error> {
        if let Some(spooled) = self.spooled.get() {
            let reader =
                positioned::Range::new(Arc::clone(&spooled.file), spooled.start, spooled.end);
            return Stream::new(&self.name, Box::new(reader), None, corpus.expansion);
        }
        #[cfg(feature = "parquet")]
        if self.format == Format::Parquet {
            let rows = crate::parquet::Rows::open(
                &self.name,
                self.reopened()?,
                &corpus.fields,
                corpus.expansion,
            )?;
            let on_disk = rows.on_disk();
            let rows = Box::new(rows);
            return Ok(Stream::of(&self.name, rows, on_disk, corpus.expansion));
        }
        let raw: Raw = match &self.origin {
            Origin::Disk { path, seen } => Box::new(self.reopen(path, seen)?),
            Origin::Once(stream) => {
                let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
                stream.take().ok_or_else(|| self.read_once())?
            }
        };
        Stream::new(&self.name, raw, self.codec, corpus.expansion)
    }

    /// Itself, to read from the middle.
    pub(crate) fn seekable(&self) -> Result<Seekable, Error> {
        match self.spooled.get() {
            Some(spooled) => Ok(Seekable::Spooled(spooled.clone())),
            None if self.needs_spool() => Err(self.read_once()),
            None => Ok(Seekable::Disk(self.reopened()?)),
        }
    }

    /// The file itself, from the start, if it is one.
    pub(crate) fn reopened(&self) -> Result<fs::File, Error> {
        match &self.origin {
            Origin::Disk { path, seen } => self.reopen(path, seen),
            Origin::Once(_) => Err(self.read_once()),
        }
    }

    fn reopen(&self, path: &Path, seen: &Seen) -> Result<fs::File, Error> {
        let failed = |reason: io::Error| match reason.kind() {
            io::ErrorKind::NotFound => Error::changed(&self.name),
            _ => Error::read(&self.name, reason),
        };
        let file = fs::File::open(path).map_err(failed)?;
        let now = Seen::of(&file.metadata().map_err(failed)?);
        if now != *seen {
            return Err(Error::changed(&self.name));
        }
        Ok(file)
    }

    fn read_once(&self) -> Error {
        Error::ReadOnce {
            file: self.name.clone(),
        }
    }
}

/// Refuses Parquet that is not a file as it is: what it starts with is at its end.
fn parquet_can_be_read(name: &str, plain: bool, on_disk: bool) -> Result<(), Error> {
    let refused = |reason| {
        Err(Error::NoParquet {
            file: name.to_owned(),
            reason,
        })
    };
    match (plain, on_disk) {
        _ if !cfg!(feature = "parquet") => {
            refused("is not part of this build; turn on its feature `parquet`")
        }
        (false, _) => refused("inside gzip or zstd cannot be read; unpack it first"),
        (_, false) => refused("cannot be read from a pipe; save it to a file, and name that"),
        (true, true) => Ok(()),
    }
}

fn by_name(path: &Path) -> Option<Format> {
    let plain = names::uncompressed(path);
    Format::by_extension(plain.extension()?.to_str()?)
}

/// The format by the first byte that is no blank.
fn by_content(name: &str, head: &[u8], codec: Option<Codec>) -> Result<Format, Error> {
    let mut plain = vec![0; HEAD as usize];
    let head = Box::new(Cursor::new(head.to_owned()));
    let mut stream = Stream::new(name, head, codec, Expansion::default())?;
    // The head of compressed data ends in the middle, which is no fault.
    let (filled, _) = stream.fill_some(&mut plain);
    let plain = &plain[..filled];
    if plain.starts_with(b"PAR1") || plain.starts_with(b"PARE") {
        return Ok(Format::Parquet);
    }
    let text = plain.strip_prefix(crate::blocks::BOM).unwrap_or(plain);
    let first = text.iter().find(|b| !b.is_ascii_whitespace());
    Ok(match first {
        Some(b'{') => Format::Jsonl,
        _ => Format::Lines,
    })
}
