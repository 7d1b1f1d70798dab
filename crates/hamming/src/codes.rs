use std::{fmt, ops::Range};

use bitvec::{order::Lsb0, slice::BitSlice};
use lookalike_core::{Distances, Items, Near, Pair};
use lookalike_memory::Large;

use crate::{Error, distance};

/// Many codes of one length, in one piece of memory.
///
/// Bit i of a code is bit i mod 64 of its word i / 64; what a last word has to spare is 0.
///
/// ```
/// use bitvec::prelude::*;
/// use lookalike_hamming::Codes;
///
/// let mut codes = Codes::new(100)?;
/// let mut bits = bitvec![u64, Lsb0; 0; 100];
/// bits.set(99, true);
/// codes.push_bits(&bits)?;
/// assert_eq!(codes.get(0), [0, 1 << 35]);
/// assert_eq!(codes.bits(0), bits);
/// # Ok::<(), lookalike_hamming::Error>(())
/// ```
#[derive(Clone)]
pub struct Codes {
    bits: usize,
    /// Words of one code.
    width: usize,
    words: Large<u64>,
    /// Whether all codes that were read from digits had only the digits 0 and 1; `None` if none was read so.
    binary_digits: Option<bool>,
}

/// No codes, of no length yet: the first one that a [`Kind`](lookalike_core::plugin::Kind) parses settles it.
impl Default for Codes {
    fn default() -> Self {
        Self {
            bits: 0,
            width: 1,
            words: Large::new(),
            binary_digits: None,
        }
    }
}

impl PartialEq for Codes {
    fn eq(&self, other: &Self) -> bool {
        self.bits == other.bits && self.words == other.words
    }
}

impl Eq for Codes {}

impl Codes {
    /// The most bits of a code.
    pub const MAX_BITS: usize = 1 << 16;

    /// No codes yet; each will have so many bits.
    pub fn new(bits: usize) -> Result<Self, Error> {
        if !(1..=Self::MAX_BITS).contains(&bits) {
            return Err(Error::Bits(bits));
        }
        Ok(Self {
            bits,
            width: bits.div_ceil(64),
            words: Large::new(),
            binary_digits: None,
        })
    }

    /// Notes whether the digits of a code were all 0 and 1.
    pub(crate) fn note_digits(&mut self, are_binary: bool) {
        self.binary_digits = Some(self.binary_digits.unwrap_or(true) && are_binary);
    }

    /// Whether there are codes that were read from digits, all of them 0 and 1.
    pub(crate) fn are_all_binary_digits(&self) -> bool {
        self.binary_digits == Some(true)
    }

    /// Makes room for so many codes more.
    pub fn reserve(&mut self, codes: usize) {
        self.words.reserve(codes.saturating_mul(self.width));
    }

    /// Adds a code.
    pub fn push(&mut self, code: &[u64]) -> Result<(), Error> {
        self.check(code)?;
        self.words.extend_from_slice(code);
        Ok(())
    }

    /// Adds a code from bits.
    pub fn push_bits(&mut self, bits: &BitSlice<u64, Lsb0>) -> Result<(), Error> {
        if bits.len() != self.bits {
            let (found, expected) = (bits.len(), self.bits);
            return Err(Error::Length { found, expected });
        }
        let mut code = vec![0; self.width];
        let place = BitSlice::<u64, Lsb0>::from_slice_mut(&mut code);
        place[..self.bits].copy_from_bitslice(bits);
        self.push(&code)
    }

    /// Adds a code from bytes, the first of which has its first eight bits.
    pub fn push_bytes(&mut self, bytes: &[u8]) -> Result<(), Error> {
        if bytes.len() != self.bits.div_ceil(8) {
            let (found, expected) = (bytes.len() * 8, self.bits);
            return Err(Error::Length { found, expected });
        }
        let start = self.words.len();
        for bytes in bytes.chunks(8) {
            let mut all = [0; 8];
            all[..bytes.len()].copy_from_slice(bytes);
            self.words.push(u64::from_le_bytes(all));
        }
        let added = self.check(&self.words[start..]);
        if added.is_err() {
            self.words.truncate(start);
        }
        added
    }

    /// Adds codes from bytes that lie one after the other, each in as many bytes as it needs.
    pub fn push_packed(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let each = self.bits.div_ceil(8);
        let (bytes, bits) = (bytes.chunks_exact(each), self.bits);
        if !bytes.remainder().is_empty() {
            let bytes = bytes.len() * each + bytes.remainder().len();
            return Err(Error::Partial { bytes, bits, each });
        }
        self.reserve(bytes.len());
        for code in bytes {
            self.push_bytes(code)?;
        }
        Ok(())
    }

    /// Adds all codes of others, of the same length.
    pub fn append(&mut self, mut others: Self) -> Result<(), Error> {
        if others.is_empty() {
            return Ok(());
        }
        if self.bits == 0 {
            *self = others;
            return Ok(());
        }
        if others.bits != self.bits {
            let (found, expected) = (others.bits, self.bits);
            return Err(Error::Length { found, expected });
        }
        if let Some(are_binary) = others.binary_digits {
            self.note_digits(are_binary);
        }
        if self.words.is_empty() {
            std::mem::swap(&mut self.words, &mut others.words);
        } else {
            self.words.extend_from_slice(&others.words);
        }
        Ok(())
    }

    /// Bits of a code.
    #[must_use]
    pub fn bit_length(&self) -> usize {
        self.bits
    }

    /// How many codes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.len() / self.width
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The words of a code.
    ///
    /// # Panics
    /// If there are not so many.
    #[must_use]
    #[inline]
    pub fn get(&self, place: usize) -> &[u64] {
        &self.words[place * self.width..][..self.width]
    }

    /// A code as bits.
    ///
    /// # Panics
    /// If there are not so many codes.
    #[must_use]
    pub fn bits(&self, place: usize) -> &BitSlice<u64, Lsb0> {
        &BitSlice::from_slice(self.get(place))[..self.bits]
    }

    /// All codes in their order.
    pub fn iter(&self) -> std::slice::ChunksExact<'_, u64> {
        self.words.chunks_exact(self.width)
    }

    /// The words of all codes.
    pub(crate) fn words(&self) -> &[u64] {
        &self.words
    }

    fn check(&self, code: &[u64]) -> Result<(), Error> {
        let bits = self.bits;
        if code.len() != self.width {
            let found = code.len() * 64;
            return Err(Error::Length {
                found,
                expected: bits,
            });
        }
        let used = bits % 64;
        let last = code[self.width - 1];
        if used > 0 && last >> used != 0 {
            let place = self.width * 64 - 1 - last.leading_zeros() as usize;
            return Err(Error::Spare { place, bits });
        }
        Ok(())
    }
}

impl fmt::Debug for Codes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Codes");
        debug
            .field("bits", &self.bits)
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

impl<'a> IntoIterator for &'a Codes {
    type Item = &'a [u64];
    type IntoIter = std::slice::ChunksExact<'a, u64>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Items<[u64]> for Codes {
    fn count(&self) -> usize {
        self.len()
    }

    fn item(&self, place: usize) -> &[u64] {
        self.get(place)
    }
}

impl Distances<[u64]> for Codes {
    fn near(&self, item: &[u64], places: &[u32], limit: f64, found: &mut Vec<Near>) {
        if let Some(limit) = distance::limit(limit) {
            distance::near(self, item, places, limit, found);
        }
    }

    fn near_in(&self, item: &[u64], places: Range<u32>, limit: f64, found: &mut Vec<Near>) {
        if let Some(limit) = distance::limit(limit) {
            distance::near_in(self, item, places, limit, found);
        }
    }

    fn pair(&self, pair: Pair, limit: f64) -> Option<f64> {
        let [a, b] = [pair.a(), pair.b()].map(|place| self.get(place as usize));
        let distance = f64::from(distance(a, b));
        (distance <= limit).then_some(distance)
    }

    /// A comparison takes a few instructions.
    fn repeats_are_cheap(&self) -> bool {
        true
    }
}
