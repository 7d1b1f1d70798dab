use crate::expansion::Expansion;
use crate::{Error, MAX_EXPANSION, MAX_RECORD, MAX_WINDOW};

/// How much of an input may be in memory at once: files that need more are refused, and the error names the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many times as many bytes as went in may come out of what is compressed: a file of which more comes out, and
    /// more than 16 MB, is refused before it fills memory and disk.
    pub max_expansion: u64,
    /// The most bytes of a record, which is read whole: 1 GiB, and never more than 4 GiB.
    pub max_record: u64,
    /// The most bytes of the window of a zstd file: 1 GiB. The format allows 2 GiB.
    pub max_window: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_expansion: Expansion::MOST,
            max_record: 1 << 30,
            max_window: 1 << 30,
        }
    }
}

impl Limits {
    /// The smallest and the largest [`max_record`](Self::max_record): the length of a record is stored in 32 bits.
    pub const RECORD_RANGE: [u64; 2] = [1, u32::MAX as u64];
    /// The smallest and the largest [`max_window`](Self::max_window).
    pub const WINDOW_RANGE: [u64; 2] = [1 << 10, 1 << 31];

    /// Refuses limits outside their ranges.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let range = |name, value: u64, [low, high]: [u64; 2], expected| match value {
            _ if (low..=high).contains(&value) => Ok(()),
            _ => Err(Error::Parameter {
                name,
                value: value.to_string(),
                expected,
            }),
        };
        let any = [1, u64::MAX];
        range(MAX_EXPANSION.0, self.max_expansion, any, "1 or more")?;
        let expected = "1 to 4294967295 bytes";
        range(MAX_RECORD.0, self.max_record, Self::RECORD_RANGE, expected)?;
        let expected = "1024 to 2147483648 bytes";
        range(MAX_WINDOW.0, self.max_window, Self::WINDOW_RANGE, expected)
    }
}
