use lookalike_core::random;
use rand::seq::SliceRandom;

use crate::Error;

/// Made-up words that can be pronounced, all different; the first are the shortest.
///
/// A word is its rank written in syllables of a consonant and a vowel. The 80 most frequent have one syllable, the next
/// 6 400 two, and half a million have three: as in language, frequent words are short.
///
/// ```
/// use lookalike_minhash::generate::Vocabulary;
///
/// let vocabulary = Vocabulary::new(50_000, 7)?;
/// assert_eq!(vocabulary.word(0).len(), 2);
/// assert_eq!(vocabulary.word(49_999).len(), 6);
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vocabulary {
    /// Each word and its length. 2^24 words have four syllables at most.
    words: Vec<([u8; LONGEST], u8)>,
}

/// Letters of the longest words.
pub(super) const LONGEST: usize = 8;

const CONSONANTS: [u8; 16] = *b"bdfghklmnprstvwz";
const VOWELS: [u8; 5] = *b"aeiou";

impl Vocabulary {
    /// This many words, from 2 to 2^24.
    pub fn new(words: u32, seed: u64) -> Result<Self, Error> {
        if !(2..=1 << 24).contains(&words) {
            return Err(Error::parameter("vocabulary", words, "from 2 to 2^24"));
        }
        let mut syllables: Vec<[u8; 2]> = CONSONANTS
            .iter()
            .flat_map(|&consonant| VOWELS.map(|vowel| [consonant, vowel]))
            .collect();
        syllables.shuffle(&mut random::stream(seed, 0));
        let word = |rank: usize| {
            let (mut letters, mut length) = ([0; LONGEST], 0);
            // Digits from 1 to 80: without a 0, no two numbers are written alike.
            let mut rest = rank + 1;
            while rest > 0 {
                letters[length..length + 2].copy_from_slice(&syllables[(rest - 1) % 80]);
                length += 2;
                rest = (rest - 1) / 80;
            }
            (letters, length as u8)
        };
        let words = (0..words as usize).map(word).collect();
        Ok(Self { words })
    }

    /// How many words there are: at least two.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "it never is")]
    pub fn len(&self) -> usize {
        self.words.len()
    }

    /// The word of this rank, from 0.
    ///
    /// # Panics
    /// If there is none.
    #[must_use]
    pub fn word(&self, rank: u32) -> &str {
        let (letters, length) = &self.words[rank as usize];
        str::from_utf8(&letters[..usize::from(*length)]).expect("letters are ASCII")
    }

    /// The word with what follows it in the array, and its length: copied whole, it takes one instruction.
    #[inline]
    pub(super) fn padded(&self, rank: u32) -> ([u8; LONGEST], usize) {
        let (letters, length) = self.words[rank as usize];
        (letters, length.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn value_stability() {
        let vocabulary = Vocabulary::new(10_000, 7).unwrap();
        let words = [0, 1, 79, 80, 9_999].map(|rank| vocabulary.word(rank));
        assert_eq!(words, ["vi", "te", "be", "vivi", "benivi"]);
    }

    #[test]
    fn words_are_different_and_grow() {
        let vocabulary = Vocabulary::new(10_000, 1).unwrap();
        let words: Vec<&str> = (0..10_000).map(|rank| vocabulary.word(rank)).collect();
        assert_eq!(words.iter().collect::<HashSet<_>>().len(), vocabulary.len());
        assert!(words.windows(2).all(|two| two[0].len() <= two[1].len()));
        assert_eq!(
            Vocabulary::new(1 << 24, 0)
                .unwrap()
                .word((1 << 24) - 1)
                .len(),
            LONGEST
        );
        assert!(Vocabulary::new(1, 0).is_err() && Vocabulary::new(u32::MAX, 0).is_err());
    }
}
