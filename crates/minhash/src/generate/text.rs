use lookalike_core::{mix, random};
use rand::{Rng, RngExt, seq::SliceRandom};
use rand_distr::{Distribution, weighted::WeightedAliasIndex};

use super::{Vocabulary, sets::common_of, vocabulary::LONGEST};
use crate::{Error, similarity};

/// Text whose word of rank i comes up in proportion to 1/i^s, as in language (Zipf's law; s is about 1).
///
/// Documents are words drawn independently. They are handled as ranks, and [written](ZipfText::write) last.
///
/// ```
/// use lookalike_minhash::generate::{Vocabulary, ZipfText};
///
/// let text = ZipfText::new(Vocabulary::new(10_000, 7)?, 1.0)?;
/// let words = text.words(200, 1);
/// let copy = text.copy(&words, 5, 0.8, 2)?;
/// assert!((copy.similarity() - 0.8).abs() < 0.005);
/// assert_eq!(text.write(copy.words()).split(' ').count(), 200);
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
///
/// Words come from an alias table: 10 ns each, where `rand_distr::Zipf` takes 100 for an exponent other than 1.
#[derive(Clone, Debug)]
pub struct ZipfText {
    vocabulary: Vocabulary,
    ranks: WeightedAliasIndex<f64>,
}

/// A document that was made from another one, and their exact similarity.
#[derive(Clone, Debug, PartialEq)]
pub struct NearCopy {
    words: Vec<u32>,
    similarity: f64,
}

impl NearCopy {
    /// The ranks of the copy's words.
    #[must_use]
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The Jaccard similarity of the sets of word shingles, computed from both documents.
    #[must_use]
    pub fn similarity(&self) -> f64 {
        self.similarity
    }
}

impl ZipfText {
    /// Text over a vocabulary, with the exponent s, 0 or more; 0 makes all words equally frequent.
    pub fn new(vocabulary: Vocabulary, exponent: f64) -> Result<Self, Error> {
        if !(exponent >= 0.0 && exponent.is_finite()) {
            return Err(Error::parameter("exponent", exponent, "0 or more"));
        }
        let weights = (1..=vocabulary.len()).map(|rank| (rank as f64).powf(-exponent));
        let ranks = WeightedAliasIndex::new(weights.collect())
            .map_err(|_| Error::parameter("exponent", exponent, "small enough to be computed"))?;
        Ok(Self { vocabulary, ranks })
    }

    /// The words.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.vocabulary
    }

    /// The ranks of this many words.
    #[must_use]
    pub fn words(&self, count: usize, seed: u64) -> Vec<u32> {
        let mut rng = random::stream(seed, 0);
        (0..count).map(|_| self.word(&mut rng)).collect()
    }

    pub(super) fn word(&self, rng: &mut impl Rng) -> u32 {
        self.ranks.sample(rng) as u32
    }

    /// The words as text, with spaces between them.
    #[must_use]
    pub fn write(&self, words: &[u32]) -> String {
        let mut text = vec![b' '; words.len() * (LONGEST + 1)];
        let mut end = 0;
        for &rank in words {
            let (letters, length) = self.vocabulary.padded(rank);
            text[end..end + LONGEST].copy_from_slice(&letters);
            text[end + length] = b' ';
            end += length + 1;
        }
        // No space after the last word.
        text.truncate(end.saturating_sub(1));
        String::from_utf8(text).expect("letters are ASCII")
    }

    /// A copy of a document in which words are replaced, so that the sets of shingles of `width` words are as similar as asked.
    ///
    /// Replacing a word changes the shingles within `width` − 1 of it; words are replaced at
    /// random places until n − c of n shingles are changed, c = round(2nJ/(1+J)). Where the document's shingles are all
    /// different and no new one is among them, nothing is nearer; the similarity that comes with the copy is computed
    /// from the two documents either way.
    ///
    /// The document must have at least `width` words.
    pub fn copy(
        &self,
        document: &[u32],
        width: usize,
        similarity: f64,
        seed: u64,
    ) -> Result<NearCopy, Error> {
        if width == 0 || width > document.len() {
            let expected = format!("from 1 to the document's {} words", document.len());
            return Err(Error::parameter("width", width, expected));
        }
        let shingles = document.len() + 1 - width;
        let mut to_change = shingles - common_of(shingles, similarity)?;
        let mut changed = vec![false; shingles];
        let mut rng = random::stream(seed, 0);
        let mut places: Vec<usize> = (0..document.len()).collect();
        places.shuffle(&mut rng);
        let mut words = document.to_vec();
        // A pass may leave a few. Beside a replaced word there is always one that changes a single shingle
        // more, so that the next pass goes on.
        while to_change > 0 {
            for &place in &places {
                let touched = place.saturating_sub(width - 1)..shingles.min(place + 1);
                let new = changed[touched.clone()].iter().filter(|&&it| !it).count();
                if new == 0 || new > to_change {
                    continue;
                }
                changed[touched].fill(true);
                to_change -= new;
                while words[place] == document[place] {
                    words[place] = self.other_word(&mut rng);
                }
            }
        }
        let similarity = similarity_of(document, &words, width);
        Ok(NearCopy { words, similarity })
    }

    /// Any word, all equally likely: frequent words would make shingles that exist already.
    fn other_word(&self, rng: &mut impl Rng) -> u32 {
        rng.random_range(0..self.vocabulary.len() as u32)
    }
}

/// The Jaccard similarity of two documents' sets of shingles of `width` words.
fn similarity_of(a: &[u32], b: &[u32], width: usize) -> f64 {
    let [a, b] = [a, b].map(|words| {
        let hash = |shingle: &[u32]| {
            shingle
                .iter()
                .fold(0, |hash, &word| mix(hash ^ (u64::from(word) + 1)))
        };
        let mut set: Vec<u64> = words.windows(width).map(hash).collect();
        set.sort_unstable();
        set.dedup();
        set
    });
    similarity(&a, &b)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashSet;

    fn text(words: u32) -> ZipfText {
        ZipfText::new(Vocabulary::new(words, 7).unwrap(), 1.0).unwrap()
    }

    #[test]
    fn value_stability() {
        let text = text(10_000);
        let words = text.words(6, 7);
        assert_eq!(text.write(&words), "tivi we do lupo vi he");
        let copy = text.copy(&words, 2, 0.4, 7).unwrap();
        assert_eq!(text.write(copy.words()), "zogu we do lupo vi vawovi");
    }

    #[test]
    fn frequencies_follow_the_law() {
        const WORDS: usize = 400_000;
        let text = text(1000);
        let mut counts = [0u32; 1000];
        text.words(WORDS, 3)
            .iter()
            .for_each(|&rank| counts[rank as usize] += 1);
        let harmonic: f64 = (1..=1000).map(|rank| f64::from(rank).recip()).sum();
        for rank in [1, 2, 3, 10, 100, 1000] {
            let p = (f64::from(rank) * harmonic).recip();
            let error = (p * (1.0 - p) / WORDS as f64).sqrt();
            let share = f64::from(counts[rank as usize - 1]) / WORDS as f64;
            assert!(
                (share - p).abs() < 4.0 * error,
                "rank {rank}: {share} not {p}"
            );
        }
    }

    #[test]
    fn a_copy_comes_out_where_it_should() {
        let text = text(50_000);
        for (tenths, words, width) in [
            (0, 200, 5),
            (3, 200, 5),
            (5, 50, 3),
            (8, 200, 5),
            (9, 1000, 9),
            (10, 20, 5),
        ] {
            let wanted = f64::from(tenths) / 10.0;
            for seed in 0..20 {
                let document = text.words(words, seed);
                let copy = text.copy(&document, width, wanted, seed).unwrap();
                // The nearest that whole shingles allow, give or take a shingle that comes twice.
                let slack = 4.0 / (words - width) as f64;
                assert!(
                    (copy.similarity() - wanted).abs() < slack,
                    "{wanted}: {}",
                    copy.similarity()
                );
            }
        }
    }

    #[test]
    fn what_cannot_be_copied_is_refused() {
        let text = text(10);
        let document = text.words(4, 0);
        assert!(text.copy(&document, 5, 0.5, 0).is_err());
        assert!(text.copy(&document, 0, 0.5, 0).is_err());
        assert!(text.copy(&document, 2, 1.5, 0).is_err());
        assert!(ZipfText::new(Vocabulary::new(9, 0).unwrap(), f64::NAN).is_err());
    }

    proptest! {
        /// Also where shingles repeat: the similarity is that of the two documents.
        #[test]
        fn the_similarity_is_that_of_the_texts(
            words in 1usize..60, width in 1usize..8, wanted in 0.0f64..=1.0, vocabulary in 2u32..30, seed: u64,
        ) {
            prop_assume!(width <= words);
            let text = text(vocabulary);
            let document = text.words(words, seed);
            let copy = text.copy(&document, width, wanted, seed ^ 1).unwrap();
            prop_assert_eq!(copy.words().len(), words);
            let [a, b] = [&document[..], copy.words()].map(|ranks| text.write(ranks));
            let [a, b] = [&a, &b].map(|text| {
                let words: Vec<&str> = text.split(' ').collect();
                words.windows(width).map(|shingle| shingle.join(" ")).collect::<HashSet<_>>()
            });
            let expected = a.intersection(&b).count() as f64 / a.union(&b).count() as f64;
            prop_assert_eq!(copy.similarity(), expected);
        }
    }
}
