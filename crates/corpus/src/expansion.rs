//! How far what is compressed may expand.
//!
//! A few kilobytes can stand for any number of bytes. Text shrinks to a third or a tenth, and
//! rarely to a hundredth; what shrinks to less than that, and is large, was made to fill
//! memory and disk.

use crate::Error;

/// How many times as many bytes may come out as went in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expansion {
    /// Bytes that may come out in any case.
    pub(crate) free: u64,
    pub(crate) most: u64,
}

impl Default for Expansion {
    fn default() -> Self {
        Self::new(Self::MOST)
    }
}

impl Expansion {
    /// More than text is ever compressed.
    pub(crate) const MOST: u64 = 200;

    /// Bytes that no machine is short of, even if they are tiny documents, of which each takes a hundred.
    const FREE: u64 = 64_000_000;

    pub(crate) fn new(most: u64) -> Self {
        Self {
            free: Self::FREE,
            most,
        }
    }

    /// Refuses what expands too far.
    pub(crate) fn check(&self, file: &str, unpacked: u64, packed: u64) -> Result<(), Error> {
        if unpacked <= self.free || unpacked <= packed.saturating_mul(self.most) {
            return Ok(());
        }
        Err(Error::Expansion {
            file: file.to_owned(),
            unpacked,
            packed,
            most: self.most,
        })
    }
}
