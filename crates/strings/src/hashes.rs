//! Hashes of all pieces of a string, each in constant time.

use lookalike_core::mix;

use crate::Units;

/// An odd number with bits all over.
const BASE: u64 = 0x9e37_79b9_7f4a_7c15;

/// Polynomial hashes of the prefixes of a string: h(xy) = h(x)·B^|y| + h(y), modulo 2^64.
///
/// Letters are mixed first, so that letters next to each other in the alphabet are unrelated numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Hashes {
    letters: Vec<u32>,
    prefixes: Vec<u64>,
    powers: Vec<u64>,
}

impl Hashes {
    /// Hashes the first letters of a string, at most `most` of them.
    pub(crate) fn read(&mut self, units: Units, string: &str, most: usize) {
        let Self {
            letters,
            prefixes,
            powers,
        } = self;
        letters.clear();
        units.for_each(string, most, |letter| letters.push(letter));
        prefixes.clear();
        prefixes.push(0);
        let mut hash = 0u64;
        prefixes.extend(letters.iter().map(|&letter| {
            let letter = mix(u64::from(letter).wrapping_add(BASE));
            hash = hash.wrapping_mul(BASE).wrapping_add(letter);
            hash
        }));
        let mut power = powers.last().map_or(1, |last| last.wrapping_mul(BASE));
        while powers.len() < prefixes.len().min(MOST_POWERS) {
            powers.push(power);
            power = power.wrapping_mul(BASE);
        }
    }

    /// The letters that were read.
    pub(crate) fn letters(&self) -> &[u32] {
        &self.letters
    }

    /// The letters from `start` to before `end` as text.
    pub(crate) fn text(&self, start: usize, end: usize) -> String {
        let letters = self.letters[start..end].iter();
        letters.filter_map(|&it| char::from_u32(it)).collect()
    }

    /// The hash of the letters from `start` to before `end`, at most [`MOST_POWERS`] − 1 of them.
    #[inline]
    pub(crate) fn piece(&self, start: usize, end: usize) -> u64 {
        let before = self.prefixes[start].wrapping_mul(self.powers[end - start]);
        self.prefixes[end].wrapping_sub(before)
    }

    /// The hash of what had the hash `before`, followed by the letters from `start` to before `end`.
    #[inline]
    pub(crate) fn joined(&self, before: u64, start: usize, end: usize) -> u64 {
        let before = before.wrapping_sub(self.prefixes[start]);
        before
            .wrapping_mul(self.powers[end - start])
            .wrapping_add(self.prefixes[end])
    }
}

/// Pieces have fewer letters than this: powers of a string of 10 MB would take 80 MB.
pub(crate) const MOST_POWERS: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_of_content() {
        let mut hashes = Hashes::default();
        hashes.read(Units::Characters, "abcabc名", usize::MAX);
        assert_eq!(hashes.piece(0, 3), hashes.piece(3, 6));
        assert_eq!(hashes.piece(2, 2), 0);
        assert_ne!(hashes.piece(0, 3), hashes.piece(1, 4));
        // abc without its b, and the letters a and c on their own.
        let without = hashes.joined(hashes.piece(0, 1), 2, 3);
        hashes.read(Units::Characters, "acx", 2);
        assert_eq!(hashes.piece(0, 2), without);
        assert_eq!(hashes.letters(), [97, 99]);
    }
}
