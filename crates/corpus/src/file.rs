use crate::content::First;
use crate::expansion::Expansion;
use crate::format::{self, Head};
use crate::inputs::Input;
use crate::json::Fields;
use crate::positioned;
use crate::stream::{Raw, Stream};
use crate::{Codec, Corpus, Error, Format, Limits, Options, Place, foreign, names};
use lookalike_core::plugin::{PlainFile, shown};
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
    path: Option<PathBuf>,
    mirror: PathBuf,
    format: Format,
    codec: Option<Codec>,
    origin: Origin,
    spooled: OnceLock<Spooled>,
    /// What the first pass over a file on disk saw.
    first: First,
    /// What its start says about the rest, once it was read.
    head: OnceLock<Head>,
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
    /// Its name for messages: the path as it was found, with [what a terminal
    /// obeys](lookalike_core::plugin::printable) escaped, or `stdin`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A relative path for what is written about this file: no two files of a corpus have
    /// the same, and it does not end in `.gz` or `.zst`.
    pub fn mirror(&self) -> &Path {
        &self.mirror
    }

    /// Where it is, unless it is stdin.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// What a document is in it.
    pub fn format(&self) -> Format {
        self.format
    }

    /// What a record of this file is called if it has no id: `a.jsonl:17` by its line, `a.npy[16]` by its row, or the
    /// name of the file if that is one record.
    pub fn name_of(&self, place: &Place) -> String {
        match (self.format.is_whole_file(), self.format.is_array()) {
            (true, _) => self.name.clone(),
            (_, true) => format!("{}[{}]", self.name, place.row()),
            _ => format!("{}:{}", self.name, place.line),
        }
    }

    /// Opens an input to see what it is; it is named as it is seen from the base.
    pub(crate) fn open(
        input: &Input,
        base: Option<&Path>,
        options: &Options,
        stdin: impl FnOnce() -> Raw,
    ) -> Result<Self, Error> {
        let name = match input.path() {
            None => "stdin".to_owned(),
            Some(path) => names::given(path, base),
        };
        let (limits, plain) = (options.limits, options.plain);
        let format = options.format.or(input.format());
        let format = format.or_else(|| format::by_name_alone(input.path()?, plain));
        let failed = |reason| Error::read(&name, reason);
        let (mut raw, seen): (Raw, _) = match input.path() {
            None => (stdin(), None),
            Some(path) => {
                let file = fs::File::open(path).map_err(failed)?;
                let metadata = file.metadata().map_err(failed)?;
                let seen = metadata.is_file().then(|| Seen::of(&metadata));
                (Box::new(file), seen)
            }
        };
        let mut head = Vec::new();
        let magic = raw.by_ref().take(foreign::HEAD).read_to_end(&mut head);
        magic.map_err(failed)?;
        let mut codec = Codec::of(&head);
        let mut fill = |head: &mut Vec<u8>| {
            let rest = raw.by_ref().take(HEAD).read_to_end(head);
            rest.map_err(failed)?;
            decompressed(&name, head, codec, limits)
        };
        let format = match format {
            Some(format) => format,
            None => format::detect(input.path(), || {
                let plain = fill(&mut head)?;
                foreign::refuse_archive(&name, &plain)?;
                Ok::<_, Error>(plain)
            })?,
        };
        let facts = format.layout().facts();
        if !facts.has_any_bytes {
            foreign::refuse(&name, &head)?;
        }
        if let Some(path) = input.path()
            && facts.has_any_bytes
            && (plain == PlainFile::Bytes || names::uncompressed(path) == *path)
        {
            codec = None;
        }
        let layout = format.layout();
        layout.check_origin(&name, codec.is_none(), seen.is_some())?;
        let origin = match (input.path(), seen) {
            (Some(path), Some(seen)) => Origin::Disk {
                path: path.to_owned(),
                seen,
            },
            _ => Origin::Once(Mutex::new(Some(Box::new(Cursor::new(head).chain(raw))))),
        };
        let path = input.path().map(Path::to_owned);
        Ok(Self {
            name,
            path,
            mirror: PathBuf::new(),
            format,
            codec,
            origin,
            spooled: OnceLock::new(),
            first: First::default(),
            head: OnceLock::new(),
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
        self.codec.is_some() || self.format.is_compressed_inside()
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

    /// What its start says about the rest, once it was read.
    pub(crate) fn head(&self) -> Option<&Head> {
        self.head.get()
    }

    /// Reads the head from the first bytes, if all of it is there.
    pub(crate) fn read_head(
        &self,
        bytes: &[u8],
        is_whole: bool,
        fields: &Fields,
    ) -> Result<Option<&Head>, Error> {
        if self.head.get().is_none()
            && let Some(head) = self.format.layout().head(self, bytes, is_whole, fields)?
        {
            self.set_head(head);
        }
        Ok(self.head.get())
    }

    /// Remembers the head.
    pub(crate) fn set_head(&self, head: Head) {
        // Of two scans at the same time either one's will do.
        let _ = self.head.set(head);
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
            let reader = Box::new(reader);
            return Stream::new(&self.name, reader, None, None, corpus.expansion);
        }
        if let Some(stream) = self.format.layout().stream(self, corpus)? {
            return Ok(stream);
        }
        let (raw, first): (Raw, _) = match &self.origin {
            Origin::Disk { path, seen } => (
                Box::new(self.reopen(path, seen)?),
                Some(Arc::clone(&self.first)),
            ),
            Origin::Once(stream) => {
                let mut stream = stream.lock().unwrap_or_else(PoisonError::into_inner);
                (stream.take().ok_or_else(|| self.read_once())?, None)
            }
        };
        Stream::new(&self.name, raw, first, self.codec, corpus.expansion)
    }

    /// The bytes of a file as they are on disk.
    pub(crate) fn stored(&self, corpus: &Corpus) -> Result<Stream, Error> {
        let raw = Box::new(self.reopened()?);
        let first = Some(Arc::clone(&self.first));
        Stream::new(&self.name, raw, first, None, corpus.expansion)
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

/// The first decompressed bytes of a file on disk.
pub(crate) fn head(path: &Path, limits: Limits) -> Result<Vec<u8>, Error> {
    let name = shown(path);
    let mut head = Vec::new();
    let file = fs::File::open(path).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    file.map_err(|reason| Error::read(&name, reason))?;
    decompressed(&name, &head, Codec::of(&head), limits)
}

/// The first bytes of a file, decompressed.
fn decompressed(
    name: &str,
    head: &[u8],
    codec: Option<Codec>,
    limits: Limits,
) -> Result<Vec<u8>, Error> {
    let mut plain = vec![0; HEAD as usize];
    let head = Box::new(Cursor::new(head.to_owned()));
    let mut stream = Stream::new(name, head, None, codec, Expansion::new(limits))?;
    // The head of compressed data ends in the middle, which is not a fault.
    let (filled, _) = stream.fill_some(&mut plain);
    plain.truncate(filled);
    Ok(plain)
}
