use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::{
    Elements, Normalize, STOP_WORDS, Shingle, Short, Tokens,
    chars::Chars,
    hash,
    rolling::{BASE, appended, keep_last, of_tokens, slide},
    scan::{Scan, Split},
};

/// From text to a set: normalise, tokenise, shingle, hash.
///
/// A text with fewer tokens than a shingle has is one shingle, all of it, or has none ([`Short`]); a text without
/// tokens has none. Shingles are hashed to 64 bits, or to 32: then two different shingles of a
/// pair of documents with n shingles each look equal with probability n²/2^32, 1 in 100 000 for n = 200.
///
/// ```
/// use lookalike_minhash::{Shingle, Shingler};
///
/// let shingler = Shingler::new(Shingle::words(3)?);
/// let shingles = shingler.shingles("A rose is a rose is a rose.");
/// assert_eq!(shingles, ["a rose is", "rose is a", "is a rose", "a rose is", "rose is a", "is a rose"]);
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Shingler {
    shingle: Shingle,
    tokens: Tokens,
    normalize: Vec<Normalize>,
    width: Width,
    short: Short,
    stop_words: Vec<String>,
    /// The hashes of the stop words, ascending.
    stop_hashes: Vec<u64>,
}

/// How many bits the hash of an element has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum Width {
    /// 32 bits: four bytes a shingle, as the textbook has it.
    Bits32,
    /// 64 bits.
    #[default]
    Bits64,
}

impl TryFrom<u32> for Width {
    type Error = String;
    fn try_from(bits: u32) -> Result<Self, String> {
        match bits {
            32 => Ok(Self::Bits32),
            64 => Ok(Self::Bits64),
            _ => Err(format!("hash is {bits}, but must be 32 or 64")),
        }
    }
}

impl From<Width> for u32 {
    fn from(width: Width) -> Self {
        match width {
            Width::Bits32 => 32,
            Width::Bits64 => 64,
        }
    }
}

impl Default for Shingler {
    fn default() -> Self {
        Self::new(Shingle::default())
    }
}

impl Shingler {
    /// Shingles of `words`, not normalised otherwise, hashed to 64 bits.
    #[must_use]
    pub fn new(shingle: Shingle) -> Self {
        let shingler = Self {
            shingle,
            tokens: Tokens::default(),
            normalize: Vec::new(),
            width: Width::default(),
            short: Short::default(),
            stop_words: Vec::new(),
            stop_hashes: Vec::new(),
        };
        shingler.stop_words(STOP_WORDS)
    }

    /// Other tokens. Shingles of characters have none.
    #[must_use]
    pub fn tokens(self, tokens: Tokens) -> Self {
        let words = self.stop_words.clone();
        Self { tokens, ..self }.stop_words(words)
    }

    /// Steps that come before the tokens, in their order.
    #[must_use]
    pub fn normalize(self, steps: impl IntoIterator<Item = Normalize>) -> Self {
        let normalize = steps.into_iter().collect();
        let words = self.stop_words.clone();
        Self { normalize, ..self }.stop_words(words)
    }

    /// Another width of hashes.
    #[must_use]
    pub fn width(self, width: Width) -> Self {
        Self { width, ..self }
    }

    /// Another way with texts that are shorter than a shingle.
    #[must_use]
    pub fn short(self, short: Short) -> Self {
        Self { short, ..self }
    }

    /// Whether a text has tokens, but too few for a shingle.
    #[must_use]
    pub fn is_short(&self, text: &str) -> bool {
        let k = match self.shingle {
            Shingle::Words(k) => k.get(),
            Shingle::Chars(k) => {
                let text = self.normalized(text);
                return !text.is_empty() && has_fewer_chars(&text, k.get());
            }
            Shingle::StopWords => STOP_LENGTH,
        };
        (1..k).contains(&self.split(text).len())
    }

    /// Other stop words; each is normalised and tokenised as the text is.
    #[must_use]
    pub fn stop_words<W: Into<String>>(self, words: impl IntoIterator<Item = W>) -> Self {
        let stop_words: Vec<String> = words.into_iter().map(Into::into).collect();
        let tokens = stop_words.iter().flat_map(|word| self.split(word));
        let mut stop_hashes: Vec<u64> = tokens.map(|t| hash::bytes(t.as_bytes())).collect();
        stop_hashes.sort_unstable();
        stop_hashes.dedup();
        Self {
            stop_words,
            stop_hashes,
            ..self
        }
    }

    /// The shingles of a text as strings, in their order, by the plain definition: tokens joined by spaces.
    #[must_use]
    pub fn shingles(&self, text: &str) -> Vec<String> {
        let (tokens, between) = match self.shingle {
            Shingle::Chars(_) => (Tokens::Chars.split(&self.normalized(text)), ""),
            _ => (self.split(text), " "),
        };
        self.runs(&tokens)
            .iter()
            .map(|run| run.join(between))
            .collect()
    }

    /// The runs of tokens that are shingles.
    fn runs<'a>(&self, tokens: &'a [String]) -> Vec<&'a [String]> {
        let is_stop = |run: &&[String]| self.is_stop(hash::bytes(run[0].as_bytes()));
        match self.shingle {
            Shingle::StopWords => tokens.windows(STOP_LENGTH).filter(is_stop).collect(),
            Shingle::Words(k) | Shingle::Chars(k) => match tokens.len() {
                0 => Vec::new(),
                n if n < k.get() => match self.short {
                    Short::Whole => vec![tokens],
                    Short::Skip => Vec::new(),
                },
                _ => tokens.windows(k.get()).collect(),
            },
        }
    }

    fn split(&self, text: &str) -> Vec<String> {
        self.tokens.split(&self.normalized(text))
    }

    fn normalized<'a>(&self, text: &'a str) -> Cow<'a, str> {
        self.normalize
            .iter()
            .fold(text.into(), |text, step| match text {
                Cow::Borrowed(text) => step.apply(text),
                Cow::Owned(text) => step.apply(&text).into_owned().into(),
            })
    }

    fn is_stop(&self, token: u64) -> bool {
        self.stop_hashes.binary_search(&token).is_ok()
    }

    /// Hands the hashes of all tokens to `take`.
    fn each_token(&self, text: &str, scratch: &mut TokenScratch, take: &mut dyn FnMut(&[u64])) {
        match self.tokens {
            Tokens::Words => scratch.scan.run(Split::Words, text, take),
            Tokens::Whitespace => scratch.scan.run(Split::Whitespace, text, take),
            Tokens::Chars => scratch.chars.run(1, text, take),
            Tokens::Uax29 => {
                for word in text.unicode_words() {
                    take(&[hash::bytes(word.as_bytes())]);
                }
            }
        }
    }
}

/// Tokens of a stop-word shingle.
const STOP_LENGTH: usize = 3;

/// Memory that a [`Shingler`] uses again from text to text.
#[derive(Debug, Default)]
pub struct ShinglerScratch {
    tokens: TokenScratch,
    /// The last tokens of the piece before, then those of this one.
    recent: Vec<u64>,
    shingles: Vec<u64>,
}

#[derive(Debug, Default)]
struct TokenScratch {
    scan: Scan,
    chars: Chars,
}

impl Elements for Shingler {
    type Item = str;
    type Scratch = ShinglerScratch;

    fn visit(&self, text: &str, scratch: &mut ShinglerScratch, take: &mut dyn FnMut(&[u64])) {
        let mut list = std::mem::take(&mut scratch.shingles);
        self.each_piece(text, scratch, &mut list, &mut |list, _| {
            take(list);
            list.clear();
        });
        scratch.shingles = list;
    }

    fn collect(&self, text: &str, scratch: &mut ShinglerScratch, list: &mut Vec<u64>) {
        self.each_piece(text, scratch, list, &mut |_, _| ());
    }
}

/// What is done with a list when shingles have been added to it; told where they start.
type Added<'a> = dyn FnMut(&mut Vec<u64>, usize) + 'a;

impl Shingler {
    /// Adds the shingles of a text to a list, piece by piece.
    fn each_piece(
        &self,
        text: &str,
        scratch: &mut ShinglerScratch,
        list: &mut Vec<u64>,
        added: &mut Added<'_>,
    ) {
        let mut narrow = |list: &mut Vec<u64>, start: usize| {
            list[start..].iter_mut().for_each(|hash| *hash >>= 32);
            added(list, start);
        };
        let added: &mut Added<'_> = match self.width {
            Width::Bits64 => added,
            Width::Bits32 => &mut narrow,
        };
        let text = &*self.normalized(text);
        match self.shingle {
            Shingle::Chars(k) if self.short == Short::Skip && has_fewer_chars(text, k.get()) => {}
            Shingle::Chars(k) => scratch.tokens.chars.run(k.get(), text, &mut |hashes| {
                let start = list.len();
                list.extend_from_slice(hashes);
                added(list, start);
            }),
            Shingle::Words(k) => self.roll(k.get(), text, scratch, list, added),
            Shingle::StopWords => self.after_stop_words(text, scratch, list, added),
        }
    }

    /// Shingles of `k` tokens. The hash of a shingle is a polynomial of its tokens' hashes modulo 2^64, so that
    /// the next one takes a product, the token that comes and the token that goes.
    ///
    /// A rotation in place of the product is no better for speed, and wrong for texts that repeat themselves: all
    /// 64 rotations of a hash, XORed together, are one bit.
    fn roll(
        &self,
        k: usize,
        text: &str,
        scratch: &mut ShinglerScratch,
        list: &mut Vec<u64>,
        added: &mut Added<'_>,
    ) {
        let ShinglerScratch { tokens, recent, .. } = scratch;
        let (mut seen, mut hash) = (0, 0);
        let leaving = BASE.wrapping_pow(k as u32);
        recent.clear();
        self.each_token(text, tokens, &mut |piece| {
            let start = list.len();
            let (first, rest) = piece.split_at(piece.len().min(k.saturating_sub(seen)));
            for token in first {
                hash = appended(hash, *token);
            }
            seen += piece.len();
            if !first.is_empty() && seen - rest.len() == k {
                list.push(hash);
            }
            // The tokens that go are first the recent ones, then those of this piece.
            let (early, late) = rest.split_at(rest.len().min(recent.len()));
            hash = slide(hash, early, recent, leaving, list);
            hash = slide(hash, late, piece, leaving, list);
            added(list, start);
            keep_last(recent, piece, k);
        });
        if (1..k).contains(&seen) && self.short == Short::Whole {
            list.push(hash);
            let start = list.len() - 1;
            added(list, start);
        }
    }

    /// A shingle for each stop word that two more tokens follow.
    fn after_stop_words(
        &self,
        text: &str,
        scratch: &mut ShinglerScratch,
        list: &mut Vec<u64>,
        added: &mut Added<'_>,
    ) {
        let ShinglerScratch { tokens, recent, .. } = scratch;
        recent.clear();
        self.each_token(text, tokens, &mut |piece| {
            let start = list.len();
            recent.extend_from_slice(piece);
            let runs = recent.windows(STOP_LENGTH);
            let runs = runs.filter(|run| self.is_stop(run[0]));
            list.extend(runs.map(of_tokens));
            added(list, start);
            recent.drain(..recent.len().saturating_sub(STOP_LENGTH - 1));
        });
    }
}

fn has_fewer_chars(text: &str, k: usize) -> bool {
    text.len() < 4 * k && text.chars().count() < k
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    /// The hashes of the shingles, from the strings.
    fn plain(shingler: &Shingler, text: &str) -> Vec<u64> {
        let hashes = |run: &[String]| {
            let tokens: Vec<u64> = run.iter().map(|t| hash::bytes(t.as_bytes())).collect();
            of_tokens(&tokens)
        };
        if let Shingle::Chars(_) = shingler.shingle {
            let shingles = shingler.shingles(text);
            return shingles.iter().map(|s| hash::bytes(s.as_bytes())).collect();
        }
        let tokens = shingler.split(text);
        shingler.runs(&tokens).into_iter().map(hashes).collect()
    }

    fn fast(shingler: &Shingler, text: &str) -> Vec<u64> {
        let mut hashes = Vec::new();
        let mut scratch = ShinglerScratch::default();
        shingler.visit("what was here before", &mut scratch, &mut |_| ());
        shingler.visit(text, &mut scratch, &mut |some| {
            hashes.extend_from_slice(some)
        });
        let mut collected = vec![7];
        shingler.collect(text, &mut scratch, &mut collected);
        assert_eq!(collected[1..], hashes);
        hashes
    }

    proptest! {
        #[test]
        fn shingles_are_hashed_as_they_are_written(
            text in "([a-zA-Z]{1,4}[ .,]{1,2}|the |of |Élan |東京 |\\PC){0,60}",
            k in 1usize..12,
            tokens in proptest::sample::select(&Tokens::ALL[..]),
            step in proptest::sample::select(&Normalize::ALL[..]),
        ) {
            let kinds = [Shingle::words(k).unwrap(), Shingle::chars(k).unwrap(), Shingle::StopWords];
            for (shingle, short) in kinds.into_iter().flat_map(|kind| [(kind, Short::Whole), (kind, Short::Skip)]) {
                let shingler = Shingler::new(shingle).tokens(tokens).short(short);
                prop_assert_eq!(fast(&shingler, &text), plain(&shingler, &text));
                let shingler = shingler.normalize([step]).width(Width::Bits32);
                let narrow: Vec<u64> = plain(&shingler, &text).iter().map(|h| h >> 32).collect();
                prop_assert_eq!(fast(&shingler, &text), narrow);
            }
        }
    }

    #[test]
    fn short_texts_are_one_shingle_or_none() {
        for kind in ["words:3", "chars:3"] {
            let (short, long) = if kind == "words:3" {
                ("a b", "a b c")
            } else {
                ("ab", "abc")
            };
            let whole = Shingler::new(kind.parse().unwrap());
            let skip = whole.clone().short(Short::Skip);
            assert_eq!(whole.shingles(short), [short]);
            assert!(skip.shingles(short).is_empty() && fast(&skip, short).is_empty());
            assert_eq!(skip.shingles(long), [long]);
            assert_eq!(fast(&skip, long), fast(&whole, long));
            assert!(skip.is_short(short) && !skip.is_short(long) && !skip.is_short(""));
        }
        assert!(!Shingler::default().is_short("... !"));
    }

    /// Different runs of tokens have different hashes, however they repeat themselves and however long they are.
    #[test]
    fn texts_that_repeat_themselves_are_told_apart() {
        for k in [2, 5, 16, 32, 48, 63, 64] {
            let shingler = Shingler::new(Shingle::words(k).unwrap());
            let mut seen = HashMap::new();
            for period in [1, 2, 4, 8] {
                for text in 0..200 {
                    let words = (0..2 * k).map(|i| format!("w{text}x{period}y{} ", i % period));
                    let text: String = words.collect();
                    for (hash, shingle) in fast(&shingler, &text)
                        .into_iter()
                        .zip(shingler.shingles(&text))
                    {
                        let same = seen.entry(hash).or_insert_with(|| shingle.clone());
                        assert_eq!(*same, shingle, "{k}");
                    }
                }
            }
        }
    }

    #[test]
    fn long_texts_come_in_pieces() {
        let text: String = (0..20_000).map(|n| format!("w{n} the ")).collect();
        for shingle in ["words:1", "words:5", "words:64", "chars:9", "stopwords"] {
            let shingler = Shingler::new(shingle.parse().unwrap());
            assert_eq!(fast(&shingler, &text), plain(&shingler, &text), "{shingle}");
        }
    }

    #[test]
    fn value_stability() {
        let text = "I recommend that you buy Sudzo for your laundry";
        let first = ["words:5", "chars:9", "stopwords"].map(|shingle| {
            let shingler = Shingler::new(shingle.parse().unwrap());
            fast(&shingler, text)[0]
        });
        assert_eq!(
            first,
            [
                11770174065692508044,
                7023134978614099722,
                1839407582773602271
            ]
        );
    }
}
