use lookalike_minhash::{Normalize, Shingle, Shingler, Short, Tokens, Width};
use serde::{Deserialize, Serialize};

use super::WrongSetting;

/// How a text becomes a set, and a set a signature.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TextFamily {
    /// The sketch.
    pub name: Sketch,
    /// What counts as a token.
    pub tokens: Tokens,
    /// What counts as an element.
    pub shingle: Shingle,
    /// Steps before the text is split into tokens.
    pub normalize: Vec<Normalize>,
    /// What becomes of texts with fewer tokens than a shingle has.
    pub short: Short,
    /// Other stop words than the English ones, for stop-word shingles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_words: Option<Vec<String>>,
    /// Bits of the hash of an element.
    pub hash: HashWidth,
    /// Whether repeats count. Only false can be used here: it is read so that the settings of a search by plan, which has
    /// the choice, are settings here, too.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bag: bool,
}

impl TextFamily {
    /// Refuses settings that contradict each other.
    ///
    /// # Errors
    /// If tokens or stop words are given for a shingle that does not use them, or bags are requested.
    pub fn check(&self) -> Result<(), WrongSetting> {
        let Self {
            tokens,
            shingle,
            stop_words,
            bag,
            ..
        } = self;
        if *bag {
            let message =
                "bag counts repeated shingles, and texts are compared as sets here: leave bag out";
            return Err(WrongSetting::new("family.bag", message));
        }
        if matches!(shingle, Shingle::Chars(_)) && *tokens != Tokens::default() {
            let message = format!(
                "tokens are for shingles of words, and {shingle} takes characters: leave tokens out"
            );
            return Err(WrongSetting::new("family.tokens", message));
        }
        if stop_words.is_some() && *shingle != Shingle::StopWords {
            let message = format!("stop_words are for the shingle stopwords, not for {shingle}");
            return Err(WrongSetting::new("family.stop_words", message));
        }
        Ok(())
    }

    /// What turns texts into sets.
    #[must_use]
    pub fn shingler(&self) -> Shingler {
        let width = match self.hash {
            HashWidth::Bits32 => Width::Bits32,
            HashWidth::Bits64 => Width::Bits64,
        };
        let shingler = Shingler::new(self.shingle)
            .tokens(self.tokens)
            .normalize(self.normalize.iter().copied())
            .width(width)
            .short(self.short);
        match &self.stop_words {
            Some(words) => shingler.stop_words(words.iter().cloned()),
            None => shingler,
        }
    }
}

/// A family of minhash functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sketch {
    /// [`FastSimilarity`](lookalike_minhash::FastSimilarity).
    #[default]
    FastSimilarity,
    /// [`Universal`](lookalike_minhash::Universal).
    Universal,
}

/// Bits of the hash of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum HashWidth {
    /// 32 bits, as the textbook has it.
    Bits32,
    /// 64 bits.
    #[default]
    Bits64,
}

impl TryFrom<u32> for HashWidth {
    type Error = String;
    fn try_from(bits: u32) -> Result<Self, String> {
        match bits {
            32 => Ok(Self::Bits32),
            64 => Ok(Self::Bits64),
            _ => Err(format!("hash is {bits}, but must be 32 or 64")),
        }
    }
}

impl From<HashWidth> for u32 {
    fn from(width: HashWidth) -> Self {
        match width {
            HashWidth::Bits32 => 32,
            HashWidth::Bits64 => 64,
        }
    }
}
