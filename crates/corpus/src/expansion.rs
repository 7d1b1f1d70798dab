//! How far what is compressed may expand.
//!
//! A few kilobytes can stand for any number of bytes. Text shrinks to a third or a tenth, and
//! rarely to a hundredth; what shrinks to less than that, and is large, was made to fill
//! memory and disk.

use crate::{Error, Limits};

/// How many times as many bytes may come out as went in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Expansion {
    /// Bytes that may come out in any case.
    pub(crate) free: u64,
    pub(crate) most: u64,
    /// The most bytes of the window of a zstd file, which are in memory.
    pub(crate) window: u64,
}

impl Expansion {
    /// More than text is ever compressed.
    pub(crate) const MOST: u64 = 200;

    /// Bytes that no machine is short of, even if they are eight million documents of a letter.
    const FREE: u64 = 16_000_000;

    /// How many times as many bytes are free if they are held for a moment, and are no
    /// documents: a page may have eight million ones, as masks of tokens do, in a few bytes.
    #[cfg(feature = "parquet")]
    const MOMENT: u64 = 8;

    pub(crate) fn new(limits: Limits) -> Self {
        Self {
            free: Self::FREE,
            most: limits.max_expansion,
            window: limits.max_window,
        }
    }

    /// The exponent of the largest power of two that a window may be.
    pub(crate) fn window_log(self) -> u32 {
        let [low, high] = Limits::WINDOW_RANGE;
        self.window.clamp(low, high).ilog2()
    }

    /// The same for what is held for a moment only.
    #[cfg(feature = "parquet")]
    pub(crate) fn for_a_moment(self) -> Self {
        Self {
            free: self.free.saturating_mul(Self::MOMENT),
            ..self
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
