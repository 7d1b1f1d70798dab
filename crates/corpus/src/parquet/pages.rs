//! The pages of a column, checked before the parquet crate decodes them.

use super::delta;
use super::header::{Data, DataV2, Dictionary, Header, Kinds};
use super::table::Source;
use super::thrift::Fault;
use super::unpack::unpack;
use crate::Error;
use bytes::Bytes;
use parquet::basic::{Compression, Encoding};
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The bytes that are read first to find a header in them, and the most a header has: the
/// statistics in it may hold long values.
const HEADER: u64 = 1 << 10;
const LONGEST_HEADER: u64 = 1 << 24;

/// The levels of a value in memory.
const LEVELS: u64 = 4;

/// One column of a row group.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub(super) range: Range<u64>,
    pub(super) codec: Compression,
    /// Whether a row may have no value.
    pub(super) optional: bool,
    /// Whether a row may have any number of values.
    pub(super) repeated: bool,
    /// The fewest bytes of a value.
    pub(super) width: usize,
    /// The bytes of a value in memory.
    pub(super) decoded: u64,
}

/// What pages hold that were opened for the rows at hand. One row may go on over any number
/// of pages, and all its values are decoded together.
#[derive(Debug, Default)]
pub(super) struct Opened {
    packed: AtomicU64,
    decoded: AtomicU64,
}

impl Opened {
    /// Other rows are read from here on.
    pub(super) fn forget(&self) {
        self.packed.store(0, Ordering::Relaxed);
        self.decoded.store(0, Ordering::Relaxed);
    }

    /// Adds a page: how many bytes there are, and how many they take in memory.
    fn add(&self, packed: u64, decoded: u64) -> (u64, u64) {
        let add = |to: &AtomicU64, n| n + to.fetch_add(n, Ordering::Relaxed);
        (add(&self.packed, packed), add(&self.decoded, decoded))
    }
}

/// Reads the pages of a column one after the other.
#[derive(Debug)]
pub(super) struct Pages {
    source: Arc<Source>,
    chunk: Chunk,
    at: u64,
    next: Option<Header>,
    has_dictionary: bool,
    opened: Arc<Opened>,
}

impl Pages {
    pub(super) fn new(source: Arc<Source>, chunk: Chunk) -> Self {
        Self {
            source,
            at: chunk.range.start,
            chunk,
            next: None,
            has_dictionary: false,
            opened: Arc::default(),
        }
    }

    /// What is open, which whoever reads rows forgets before the next ones.
    pub(super) fn opened(&self) -> Arc<Opened> {
        Arc::clone(&self.opened)
    }

    /// The header of the next page with values; its body is then what follows.
    fn header(&mut self) -> Result<Option<Header>> {
        if let Some(header) = self.next.take() {
            return Ok(Some(header));
        }
        while self.at < self.chunk.range.end {
            let header = self.read_header()?;
            self.at += header.len as u64;
            if header.packed as u64 > self.chunk.range.end - self.at {
                return Err(damaged("a page is longer than its column"));
            }
            let values = match &header.page {
                Kinds::Other => 0,
                // The crate takes a page without values for the end.
                Kinds::Data(Data { values, .. }) | Kinds::DataV2(DataV2 { values, .. }) => *values,
                Kinds::Dictionary(_) => 1,
            };
            if values > 0 {
                return Ok(Some(header));
            }
            self.at += header.packed as u64;
        }
        Ok(None)
    }

    fn read_header(&self) -> Result<Header> {
        let left = self.chunk.range.end - self.at;
        let mut window = HEADER;
        loop {
            let bytes = self.source.bytes(self.at, window.min(left) as usize);
            match Header::read(&bytes.map_err(ours)?) {
                Ok(header) => return Ok(header),
                Err(Fault::Short) if window < left && window < LONGEST_HEADER => window *= 8,
                Err(_) => return Err(damaged("a page has no header that can be read")),
            }
        }
    }

    fn page(&mut self, header: &Header) -> Result<Page> {
        self.check(header)?;
        let packed = self.source.bytes(self.at, header.packed).map_err(ours)?;
        self.at += header.packed as u64;
        self.source.count((header.len + header.packed) as u64);
        if let Some(expected) = header.checksum {
            let mut crc = flate2::Crc::new();
            crc.update(&packed);
            if crc.sum() != expected {
                return Err(damaged("a page differs from its checksum"));
            }
        }
        match header.page {
            Kinds::Dictionary(Dictionary { values, encoding }) => {
                let buf = self.whole(packed, header.unpacked)?;
                // The crate reserves room for the values before it reads them.
                if (values as usize).saturating_mul(self.chunk.width) > buf.len() {
                    return Err(damaged("a dictionary has fewer values than it states"));
                }
                self.has_dictionary = true;
                Ok(Page::DictionaryPage {
                    buf,
                    num_values: values,
                    encoding,
                    is_sorted: false,
                })
            }
            Kinds::Data(of) => Ok(Page::DataPage {
                buf: self.counted(self.whole(packed, header.unpacked)?, &of)?,
                num_values: of.values,
                encoding: of.encoding,
                def_level_encoding: of.definition,
                rep_level_encoding: of.repetition,
                statistics: None,
            }),
            Kinds::DataV2(of) => Ok(Page::DataPageV2 {
                buf: {
                    let buf = self.levels_and_values(packed, header.unpacked, &of)?;
                    let levels = of.definition as usize + of.repetition as usize;
                    lengths(of.encoding, of.values, buf.get(levels..))?;
                    buf
                },
                num_values: of.values,
                encoding: of.encoding,
                num_nulls: of.nulls,
                num_rows: of.rows,
                def_levels_byte_len: of.definition,
                rep_levels_byte_len: of.repetition,
                is_compressed: of.compressed,
                statistics: None,
            }),
            Kinds::Other => Err(damaged("a page without values")),
        }
    }

    /// Refuses what would take memory without measure, and what the crate would stumble on.
    fn check(&self, header: &Header) -> Result<()> {
        let source = &self.source;
        let packed = header.packed as u64;
        let expansion = source.expansion;
        let dictionary = match header.page {
            Kinds::Dictionary(of) => u64::from(of.values) * self.chunk.decoded,
            _ => 0,
        };
        let unpacked = dictionary.max(header.unpacked as u64);
        expansion
            .check(&source.name, unpacked, packed)
            .map_err(ours)?;
        if let Kinds::Data(Data { values, .. }) | Kinds::DataV2(DataV2 { values, .. }) = header.page
            && (self.chunk.repeated || header.encoding().is_some_and(delta::has_lengths))
        {
            let decoded = u64::from(values) * (self.chunk.decoded + LEVELS);
            let (packed, decoded) = match self.chunk.repeated {
                true => self.opened.add(packed, decoded),
                // Lengths are those of one page.
                false => (packed, decoded),
            };
            expansion
                .for_a_moment()
                .check(&source.name, decoded, packed)
                .map_err(ours)?;
        }
        let encoding = match (&header.page, header.encoding()) {
            (Kinds::Dictionary(_), _) if self.has_dictionary => {
                return Err(damaged("a column has two dictionaries"));
            }
            (_, Some(encoding)) => encoding,
            _ => return Ok(()),
        };
        let by_dictionary = matches!(
            encoding,
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY
        );
        match by_dictionary && !self.has_dictionary {
            true => Err(damaged("a page needs a dictionary, and there is none")),
            false => Ok(()),
        }
    }

    fn whole(&self, packed: Vec<u8>, len: usize) -> Result<Bytes> {
        if self.chunk.codec == Compression::UNCOMPRESSED {
            return Ok(packed.into());
        }
        let mut out = Vec::with_capacity(len);
        unpack(self.chunk.codec, &packed, len, &mut out).map_err(|said| damaged(&said))?;
        Ok(out.into())
    }

    /// A page of the first version, whose levels have their lengths before them.
    fn counted(&self, buf: Bytes, of: &Data) -> Result<Bytes> {
        if !delta::has_lengths(of.encoding) {
            return Ok(buf);
        }
        let levels = [
            (self.chunk.repeated, of.repetition),
            (self.chunk.optional, of.definition),
        ];
        let mut values = Some(&buf[..]);
        for (_, encoding) in levels.iter().filter(|(there, _)| *there) {
            // What is older than these encodings never comes with them.
            values = values
                .filter(|_| *encoding == Encoding::RLE)
                .and_then(<[u8]>::split_first_chunk)
                .and_then(|(len, rest)| rest.get(u32::from_le_bytes(*len) as usize..));
        }
        lengths(of.encoding, of.values, values)?;
        Ok(buf)
    }

    fn levels_and_values(&self, packed: Vec<u8>, len: usize, of: &DataV2) -> Result<Bytes> {
        let levels = of.definition as usize + of.repetition as usize;
        if levels > packed.len() || levels > len || of.nulls > of.values {
            return Err(damaged(
                "the sizes in the header of a page contradict each other",
            ));
        }
        if self.chunk.codec == Compression::UNCOMPRESSED || !of.compressed {
            return Ok(packed.into());
        }
        let (levels, values) = packed.split_at(levels);
        let mut out = Vec::with_capacity(len);
        out.extend_from_slice(levels);
        unpack(self.chunk.codec, values, len - levels.len(), &mut out)
            .map_err(|said| damaged(&said))?;
        Ok(out.into())
    }
}

impl PageReader for Pages {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        match self.header()? {
            Some(header) => self.page(&header).map(Some),
            None => Ok(None),
        }
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.next = self.header()?;
        Ok(self.next.as_ref().map(|header| match header.page {
            Kinds::DataV2(of) => PageMetadata {
                num_rows: Some(of.rows as usize),
                num_levels: Some(of.values as usize),
                is_dict: false,
            },
            Kinds::Data(of) => PageMetadata {
                num_rows: None,
                num_levels: Some(of.values as usize),
                is_dict: false,
            },
            Kinds::Dictionary(_) | Kinds::Other => PageMetadata {
                num_rows: None,
                num_levels: None,
                is_dict: true,
            },
        }))
    }

    fn skip_next_page(&mut self) -> Result<()> {
        if let Some(header) = self.header()? {
            self.at += header.packed as u64;
        }
        Ok(())
    }
}

impl Iterator for Pages {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Self::Item> {
        self.get_next_page().transpose()
    }
}

/// Refuses values that claim more lengths than the page has values.
fn lengths(encoding: Encoding, most: u32, values: Option<&[u8]>) -> Result<()> {
    if !delta::has_lengths(encoding) {
        return Ok(());
    }
    match values.map(|values| (values.len(), delta::lengths(encoding, values))) {
        // A page of nothing but nulls may have none.
        Some((0, _)) => Ok(()),
        Some((_, Ok(lengths))) if lengths <= most.into() => Ok(()),
        _ => Err(damaged("a page has other lengths than it states")),
    }
}

fn damaged(what: &str) -> ParquetError {
    ParquetError::General(what.to_owned())
}

/// An error of ours on its way through the crate.
fn ours(error: Error) -> ParquetError {
    ParquetError::External(Box::new(error))
}
