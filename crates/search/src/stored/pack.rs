//! Items in fewer bytes, where it pays.

use std::fmt;

use zstd::bulk::{Compressor, Decompressor};

/// An item is stored in at least this part of its bytes: how long it is can then be believed before it is unpacked.
const RATIO: usize = 256;
/// Level 3 takes a third longer and saves 3 bytes of 100.
const LEVEL: i32 = 1;
/// Shorter items are not worth it.
const SHORT: usize = 64;
/// Items that are tried before the rest is stored as it is.
const TRIED: usize = 16;

/// Compresses items, each on its own, as long as that saves a tenth.
pub(crate) struct Packer {
    /// `None` where the library has no memory for it.
    compressor: Option<Compressor<'static>>,
    room: Vec<u8>,
    tried: usize,
    given: usize,
    packed: usize,
}

impl Packer {
    pub(crate) fn new() -> Self {
        Self {
            compressor: Compressor::new(LEVEL).ok(),
            room: Vec::new(),
            tried: 0,
            given: 0,
            packed: 0,
        }
    }

    /// The item in fewer bytes; `None` if it is stored as it is.
    pub(crate) fn pack(&mut self, item: &[u8]) -> Option<&[u8]> {
        let saves = self.packed * 10 <= self.given * 9;
        if item.len() < SHORT || (self.tried >= TRIED && !saves) {
            return None;
        }
        let compressor = self.compressor.as_mut()?;
        self.room.clear();
        self.room
            .reserve(zstd::zstd_safe::compress_bound(item.len()));
        let length = compressor.compress_to_buffer(item, &mut self.room).ok()?;
        let is_shorter = length < item.len() && length * RATIO >= item.len();
        self.tried += 1;
        self.given += item.len();
        self.packed += if is_shorter { length } else { item.len() };
        is_shorter.then(|| &self.room[..length])
    }
}

/// Brings items back.
#[derive(Default)]
pub(crate) struct Unpacker {
    /// Made when it is first needed: it takes a hundred kilobytes.
    decompressor: Option<Decompressor<'static>>,
    item: Vec<u8>,
}

impl Unpacker {
    /// The item of this length; `None` if that is not what is stored.
    pub(crate) fn unpack(&mut self, stored: &[u8], length: u32) -> Option<&[u8]> {
        let length = length as usize;
        if stored.len().saturating_mul(RATIO) < length {
            return None;
        }
        self.item.clear();
        self.item.reserve(length);
        if self.decompressor.is_none() {
            self.decompressor = Decompressor::new().ok();
        }
        let decompressor = self.decompressor.as_mut()?;
        decompressor
            .decompress_to_buffer(stored, &mut self.item)
            .ok()?;
        (self.item.len() == length).then_some(&self.item)
    }
}

impl fmt::Debug for Packer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packer").finish_non_exhaustive()
    }
}

impl fmt::Debug for Unpacker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Unpacker").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn an_item_comes_back(text in ".{0,40}", times in 0usize..200) {
            let item = text.repeat(times).into_bytes();
            let mut packer = Packer::new();
            let mut unpacker = Unpacker::default();
            let Some(stored) = packer.pack(&item).map(<[u8]>::to_vec) else {
                return Ok(());
            };
            prop_assert!(stored.len() < item.len());
            for _ in 0..2 {
                prop_assert_eq!(unpacker.unpack(&stored, item.len() as u32), Some(&*item));
            }
            prop_assert_eq!(unpacker.unpack(&stored, item.len() as u32 + 1), None);
        }
    }

    #[test]
    fn what_does_not_shrink_is_soon_left_as_it_is() {
        let mut rng = lookalike_core::random::stream(1, 0);
        let mut packer = Packer::new();
        for _ in 0..TRIED {
            let item: Vec<u8> = (0..100).map(|_| (rng.unit() * 256.0) as u8).collect();
            assert_eq!(packer.pack(&item), None);
        }
        assert_eq!(packer.pack(&[b'a'; 100]), None);
        assert!(Packer::new().pack(&[b'a'; 100]).is_some());
        // However long a liar says it is, nothing is allocated for it.
        let mut unpacker = Unpacker::default();
        assert_eq!(unpacker.unpack(b"1234", u32::MAX), None);
        assert_eq!(unpacker.item.capacity(), 0);
    }
}
