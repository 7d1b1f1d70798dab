//! What is written before each page.

use super::thrift::{Fault, Kind, Values};
use parquet::basic::Encoding;

/// A page that follows.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Header {
    /// Bytes of the header itself.
    pub(super) len: usize,
    /// Bytes of the page in the file.
    pub(super) packed: usize,
    /// Bytes of the page when it is decompressed.
    pub(super) unpacked: usize,
    pub(super) checksum: Option<u32>,
    pub(super) page: Kinds,
}

/// What sort of page it is.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kinds {
    Dictionary(Dictionary),
    Data(Data),
    DataV2(DataV2),
    /// One that holds no values.
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Dictionary {
    pub(super) values: u32,
    pub(super) encoding: Encoding,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Data {
    pub(super) values: u32,
    pub(super) encoding: Encoding,
    pub(super) definition: Encoding,
    pub(super) repetition: Encoding,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DataV2 {
    pub(super) values: u32,
    pub(super) nulls: u32,
    pub(super) rows: u32,
    pub(super) encoding: Encoding,
    /// Bytes of the levels, which come first and are not compressed.
    pub(super) definition: u32,
    pub(super) repetition: u32,
    pub(super) compressed: bool,
}

impl Header {
    /// Reads the header at the start of these bytes.
    pub(super) fn read(bytes: &[u8]) -> Result<Self, Fault> {
        let mut values = Values::new(bytes);
        let (mut kind, mut packed, mut unpacked, mut checksum) = (None, None, None, None);
        let (mut data, mut dictionary, mut data_v2) = (None, None, None);
        values.fields(|values, number, shape| {
            match (number, shape) {
                (1, Kind::Integer) => kind = Some(values.small()?),
                (2, Kind::Integer) => unpacked = Some(values.small()? as usize),
                (3, Kind::Integer) => packed = Some(values.small()? as usize),
                (4, Kind::Integer) => checksum = Some(values.integer()? as u32),
                (5, Kind::Struct) => data = Some(numbers(values)?),
                (7, Kind::Struct) => dictionary = Some(numbers(values)?),
                (8, Kind::Struct) => data_v2 = Some(numbers(values)?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let page = match (kind.ok_or(Fault::Malformed)?, data, dictionary, data_v2) {
            (0, Some(of), _, _) => Kinds::Data(Data {
                values: of.get(1)?,
                encoding: of.encoding(2)?,
                definition: of.encoding(3)?,
                repetition: of.encoding(4)?,
            }),
            (2, _, Some(of), _) => Kinds::Dictionary(Dictionary {
                values: of.get(1)?,
                encoding: of.encoding(2)?,
            }),
            (3, _, _, Some(of)) => Kinds::DataV2(DataV2 {
                values: of.get(1)?,
                nulls: of.get(2)?,
                rows: of.get(3)?,
                encoding: of.encoding(4)?,
                definition: of.get(5)?,
                repetition: of.get(6)?,
                compressed: of.compressed,
            }),
            (0 | 2 | 3, ..) => return Err(Fault::Malformed),
            _ => Kinds::Other,
        };
        Ok(Self {
            len: values.at(),
            packed: packed.ok_or(Fault::Malformed)?,
            unpacked: unpacked.ok_or(Fault::Malformed)?,
            checksum,
            page,
        })
    }

    /// How the values of a page with rows are written.
    pub(super) fn encoding(&self) -> Option<Encoding> {
        match self.page {
            Kinds::Data(of) => Some(of.encoding),
            Kinds::DataV2(of) => Some(of.encoding),
            Kinds::Dictionary(_) | Kinds::Other => None,
        }
    }
}

/// The numbers of one kind of page, by field.
struct Numbers {
    of: [Option<u32>; 7],
    /// The one boolean that counts, field 7, which is true if it is not there.
    compressed: bool,
}

impl Numbers {
    fn get(&self, field: usize) -> Result<u32, Fault> {
        self.of[field].ok_or(Fault::Malformed)
    }

    fn encoding(&self, field: usize) -> Result<Encoding, Fault> {
        #[expect(deprecated, reason = "old files have it")]
        let packed = Encoding::BIT_PACKED;
        Ok(match self.get(field)? {
            0 => Encoding::PLAIN,
            2 => Encoding::PLAIN_DICTIONARY,
            3 => Encoding::RLE,
            4 => packed,
            5 => Encoding::DELTA_BINARY_PACKED,
            6 => Encoding::DELTA_LENGTH_BYTE_ARRAY,
            7 => Encoding::DELTA_BYTE_ARRAY,
            8 => Encoding::RLE_DICTIONARY,
            9 => Encoding::BYTE_STREAM_SPLIT,
            10 => Encoding::ALP,
            _ => return Err(Fault::Malformed),
        })
    }
}

fn numbers(values: &mut Values<'_>) -> Result<Numbers, Fault> {
    let mut of = [None; 7];
    let mut compressed = true;
    values.fields(|values, number, kind| {
        let slot = usize::try_from(number).ok().and_then(|n| of.get_mut(n));
        match (kind, slot) {
            (Kind::Integer, Some(slot)) => *slot = Some(values.small()?),
            (Kind::False, _) if number == 7 => compressed = false,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(Numbers { of, compressed })
}
