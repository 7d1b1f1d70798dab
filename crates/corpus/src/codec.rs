use flate2::write::GzEncoder;
use std::fmt;
use std::io::{self, Write};

/// How a file is compressed, which its first bytes tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Codec {
    /// gzip, RFC 1952.
    Gzip,
    /// Zstandard, RFC 8878.
    Zstd,
}

impl Codec {
    /// The codec of data that starts so.
    pub(crate) fn of(head: &[u8]) -> Option<Self> {
        match head {
            [0x1F, 0x8B, 0x08, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::Zstd),
            _ => None,
        }
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
        }
    }

    /// What the names of such files end in.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Gzip => "gz",
            Self::Zstd => "zst",
        }
    }
}

/// Compresses what is written to it, or leaves it as it is.
///
/// The same bytes always give the same file.
///
/// ```
/// # use lookalike_corpus::{Codec, Packed};
/// # use std::io::Write;
/// let mut packed = Packed::new(Vec::new(), Some(Codec::Gzip))?;
/// packed.write_all(&[b'a'; 1000])?;
/// let bytes = packed.finish()?;
/// assert!(bytes.starts_with(&[0x1F, 0x8B]) && bytes.len() < 100);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Packed<W: Write>(By<W>);

enum By<W: Write> {
    Nothing(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::stream::write::Encoder<'static, W>),
}

impl<W: Write> Packed<W> {
    /// Compresses with a codec, or with none.
    ///
    /// # Errors
    ///
    /// If the system has no memory for it.
    pub fn new(out: W, codec: Option<Codec>) -> io::Result<Self> {
        Ok(Self(match codec {
            None => By::Nothing(out),
            Some(Codec::Gzip) => By::Gzip(GzEncoder::new(out, flate2::Compression::default())),
            Some(Codec::Zstd) => {
                let mut encoder = zstd::stream::write::Encoder::new(out, 0)?;
                encoder.include_checksum(true)?;
                By::Zstd(encoder)
            }
        }))
    }

    /// Writes the end, without which the rest is nothing.
    ///
    /// # Errors
    ///
    /// If writing fails.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            By::Nothing(out) => Ok(out),
            By::Gzip(encoder) => encoder.finish(),
            By::Zstd(encoder) => encoder.finish(),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.0 {
            By::Nothing(out) => out,
            By::Gzip(encoder) => encoder,
            By::Zstd(encoder) => encoder,
        }
    }
}

impl<W: Write> Write for Packed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

impl<W: Write> fmt::Debug for Packed<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = match &self.0 {
            By::Nothing(_) => "nothing",
            By::Gzip(_) => "gzip",
            By::Zstd(_) => "zstd",
        };
        f.debug_struct("Packed")
            .field("by", &by)
            .finish_non_exhaustive()
    }
}
