use lookalike_core::random;
use rand::{Rng, RngExt};

use super::ZipfText;
use crate::Error;

/// Documents among which near-duplicates are planted, with the truth about them.
///
/// Any document can be made on its own, in any order and on any thread: a copy makes its original again. So a
/// corpus takes no memory, whatever its size.
///
/// ```
/// use lookalike_minhash::generate::{Corpus, Vocabulary, ZipfText};
///
/// let text = ZipfText::new(Vocabulary::new(10_000, 7)?, 1.0)?;
/// let corpus = Corpus::new(text, 1).copies(0.2)?.similarities(0.7, 0.9)?;
/// let truth: Vec<_> = corpus.documents(100).filter_map(|document| document.planted).collect();
/// assert!(truth.iter().all(|planted| planted.original < planted.copy));
/// assert!(truth.iter().all(|planted| (0.69..0.91).contains(&planted.similarity)));
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
///
/// The truth lists each copy beside its original. Two copies of one original may be alike as well, and are
/// not listed.
#[derive(Clone, Debug)]
pub struct Corpus {
    text: ZipfText,
    seed: u64,
    words: usize,
    width: usize,
    copies: f64,
    similarities: (f64, f64),
}

/// A document of a [`Corpus`].
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The text.
    pub text: String,
    /// What it is a copy of, if it is one.
    pub planted: Option<Planted>,
}

/// A planted pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Planted {
    /// The number of the original, which is no copy itself.
    pub original: u64,
    /// The number of the copy.
    pub copy: u64,
    /// The Jaccard similarity of their word shingles, exactly.
    pub similarity: f64,
}

impl Corpus {
    /// Documents of 200 words, a tenth of them copies, at similarities from .5 to 1 of their shingles of 5 words.
    #[must_use]
    pub fn new(text: ZipfText, seed: u64) -> Self {
        Self {
            text,
            seed,
            words: 200,
            width: 5,
            copies: 0.1,
            similarities: (0.5, 1.0),
        }
    }

    /// Documents of this many words, and shingles of `width` of them.
    pub fn words(self, words: usize, width: usize) -> Result<Self, Error> {
        if width == 0 || width > words {
            let expected = format!("from 1 to the documents' {words} words");
            return Err(Error::parameter("width", width, expected));
        }
        Ok(Self {
            words,
            width,
            ..self
        })
    }

    /// The share of documents that are copies, below 1.
    pub fn copies(self, copies: f64) -> Result<Self, Error> {
        if !(0.0..1.0).contains(&copies) {
            return Err(Error::parameter("copies", copies, "from 0 to below 1"));
        }
        Ok(Self { copies, ..self })
    }

    /// Copies at similarities that are spread evenly from `least` to `most`.
    pub fn similarities(self, least: f64, most: f64) -> Result<Self, Error> {
        if !(0.0 <= least && least <= most && most <= 1.0) {
            let given = format!("{least} to {most}");
            return Err(Error::parameter(
                "similarities",
                given,
                "a range within 0 to 1",
            ));
        }
        Ok(Self {
            similarities: (least, most),
            ..self
        })
    }

    /// The first `count` documents.
    pub fn documents(&self, count: u64) -> impl Iterator<Item = Document> {
        (0..count).map(|number| self.document(number))
    }

    /// The document with this number.
    #[must_use]
    pub fn document(&self, number: u64) -> Document {
        let Some((original, mut rng)) = self.original_of(number) else {
            let words = self.original(number);
            return Document {
                text: self.text.write(&words),
                planted: None,
            };
        };
        let (least, most) = self.similarities;
        let wanted = rng.random_range(least..=most);
        let copy = self
            .text
            .copy(&self.original(original), self.width, wanted, rng.next_u64())
            .expect("checked when the corpus was made");
        Document {
            text: self.text.write(copy.words()),
            planted: Some(Planted {
                original,
                copy: number,
                similarity: copy.similarity(),
            }),
        }
    }

    fn original(&self, number: u64) -> Vec<u32> {
        self.text
            .words(self.words, random::derive(self.seed, number))
    }

    /// The document that this one is a copy of, and what else is to be drawn about it; the first is none.
    fn original_of(&self, number: u64) -> Option<(u64, impl Rng)> {
        let chosen = |number| {
            let mut rng = random::stream(random::derive(self.seed, number), 1);
            (rng.random::<f64>() < self.copies && number > 0).then_some(rng)
        };
        let mut rng = chosen(number)?;
        loop {
            let original = rng.random_range(0..number);
            if chosen(original).is_none() {
                return Some((original, rng));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Vocabulary;
    use std::collections::HashSet;

    fn corpus() -> Corpus {
        let text = ZipfText::new(Vocabulary::new(5000, 7).unwrap(), 1.0).unwrap();
        Corpus::new(text, 3)
    }

    fn shingles(text: &str) -> HashSet<Vec<&str>> {
        let words: Vec<&str> = text.split(' ').collect();
        words.windows(5).map(<[&str]>::to_vec).collect()
    }

    #[test]
    fn the_truth_is_true() {
        let corpus = corpus()
            .copies(0.25)
            .unwrap()
            .similarities(0.3, 0.9)
            .unwrap();
        let documents: Vec<Document> = corpus.documents(400).collect();
        let truth: Vec<Planted> = documents.iter().filter_map(|it| it.planted).collect();
        // 400 · .25 = 100, give or take four standard errors of √75.
        assert!(truth.len().abs_diff(100) < 35, "{}", truth.len());
        for planted in &truth {
            let [original, copy] =
                [planted.original, planted.copy].map(|it| &documents[it as usize]);
            assert_eq!((original.planted, copy.planted), (None, Some(*planted)));
            let [a, b] = [original, copy].map(|document| shingles(&document.text));
            let similarity = a.intersection(&b).count() as f64 / a.union(&b).count() as f64;
            assert_eq!(planted.similarity, similarity);
            assert!((0.28..0.92).contains(&similarity));
        }
        let least = truth.iter().map(|it| it.similarity).fold(1.0, f64::min);
        let most = truth.iter().map(|it| it.similarity).fold(0.0, f64::max);
        assert!(least < 0.4 && most > 0.8, "{least} to {most}");
    }

    #[test]
    fn any_document_can_be_made_alone() {
        let corpus = corpus().words(20, 3).unwrap();
        let in_order: Vec<Document> = corpus.documents(50).collect();
        for number in (0..50).rev() {
            assert_eq!(corpus.document(number), in_order[number as usize]);
        }
        assert!(in_order.iter().all(|it| it.text.split(' ').count() == 20));
        assert_ne!(in_order[0].text, in_order[1].text);
    }

    #[test]
    fn parameters_are_checked() {
        assert!(corpus().copies(1.0).is_err() && corpus().copies(-0.1).is_err());
        assert!(corpus().copies(f64::NAN).is_err());
        assert!(corpus().words(4, 5).is_err() && corpus().words(4, 0).is_err());
        assert!(corpus().similarities(0.9, 0.8).is_err());
        assert!(corpus().similarities(0.0, 1.1).is_err());
    }
}
