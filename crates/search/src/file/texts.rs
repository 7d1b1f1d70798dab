use std::fmt;

use xxhash_rust::xxh3::xxh3_128;
use zstd::bulk::{Compressor, Decompressor};

/// The hash by which equal texts are found, and damaged ones.
pub(crate) fn digest(text: &str) -> u128 {
    xxh3_128(text.as_bytes())
}

/// A text is stored in no less than this part of its bytes: how long it is can then be believed before it is read.
const RATIO: usize = 256;
/// Level 3 takes a third longer and saves 3 bytes of 100.
const LEVEL: i32 = 1;

/// Compresses texts, each on its own.
pub(crate) struct Packer {
    /// `None` where the library has no memory for it.
    compressor: Option<Compressor<'static>>,
    room: Vec<u8>,
}

impl Packer {
    pub(crate) fn new() -> Self {
        Self {
            compressor: Compressor::new(LEVEL).ok(),
            room: Vec::new(),
        }
    }

    /// The text in fewer bytes, or as it is.
    pub(crate) fn pack<'a>(&'a mut self, text: &'a str) -> &'a [u8] {
        let Some(compressor) = &mut self.compressor else {
            return text.as_bytes();
        };
        self.room.clear();
        self.room
            .reserve(zstd::zstd_safe::compress_bound(text.len()));
        match compressor.compress_to_buffer(text.as_bytes(), &mut self.room) {
            Ok(length) if length < text.len() && length * RATIO >= text.len() => {
                &self.room[..length]
            }
            _ => text.as_bytes(),
        }
    }
}

/// Brings texts back.
#[derive(Default)]
pub(crate) struct Unpacker {
    /// Made when it is first needed: it takes a hundred kilobytes.
    decompressor: Option<Decompressor<'static>>,
    text: Vec<u8>,
}

impl Unpacker {
    /// The text of this length and digest; `None` if that is not what is stored.
    pub(crate) fn unpack<'a>(
        &'a mut self,
        stored: &'a [u8],
        length: u32,
        digest: u128,
    ) -> Option<&'a str> {
        let length = length as usize;
        let bytes = if stored.len() == length {
            stored
        } else {
            if stored.len() > length || stored.len().saturating_mul(RATIO) < length {
                return None;
            }
            self.text.clear();
            self.text.reserve(length);
            if self.decompressor.is_none() {
                self.decompressor = Decompressor::new().ok();
            }
            self.decompressor
                .as_mut()?
                .decompress_to_buffer(stored, &mut self.text)
                .ok()?;
            &self.text
        };
        let sound = bytes.len() == length && xxh3_128(bytes) == digest;
        std::str::from_utf8(bytes).ok().filter(|_| sound)
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
        fn a_text_comes_back(text in ".{0,40}", times in 0usize..200) {
            let text = text.repeat(times);
            let mut packer = Packer::new();
            let stored = packer.pack(&text).to_vec();
            prop_assert!(stored.len() <= text.len());
            let mut unpacker = Unpacker::default();
            for _ in 0..2 {
                let back = unpacker.unpack(&stored, text.len() as u32, digest(&text));
                prop_assert_eq!(back, Some(&*text));
            }
            prop_assert_eq!(unpacker.unpack(&stored, text.len() as u32, digest(&text) ^ 1), None);
            prop_assert_eq!(unpacker.unpack(&stored, text.len() as u32 + 1, digest(&text)), None);
        }
    }

    #[test]
    fn a_text_that_shrinks_too_much_is_stored_as_it_is() {
        let text = "a".repeat(1 << 20);
        assert_eq!(Packer::new().pack(&text).len(), 1 << 20);
        let mut unpacker = Unpacker::default();
        // However long a liar says it is, nothing is allocated for it.
        assert_eq!(unpacker.unpack(b"1234", u32::MAX, 0), None);
        assert_eq!(unpacker.text.capacity(), 0);
    }
}
