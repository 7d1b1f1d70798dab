use lookalike_minhash::{Normalize, SetOrBag, Shingle, Shingler, Short, Tokens, Width};
use serde::{Deserialize, Serialize};

use super::WrongSetting;
use crate::{Table, table::table_of};

/// How a text becomes a set or a bag, and what family gives it keys.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TextFamily {
    /// The name of a family over texts in the registry.
    pub name: String,
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
    /// Whether a shingle counts as often as it occurs: bags.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub bag: bool,
}

impl Default for TextFamily {
    fn default() -> Self {
        Self {
            name: FAST_SIMILARITY.into(),
            tokens: Tokens::default(),
            shingle: Shingle::default(),
            normalize: Vec::new(),
            short: Short::default(),
            stop_words: None,
            hash: HashWidth::default(),
            bag: false,
        }
    }
}

/// The family of texts if none is named.
pub const FAST_SIMILARITY: &str = "fast-similarity";

impl TextFamily {
    /// Refuses settings that contradict each other.
    ///
    /// # Errors
    /// If tokens or stop words are given for a shingle that does not use them.
    pub fn check(&self) -> Result<(), WrongSetting> {
        let Self {
            tokens,
            shingle,
            stop_words,
            ..
        } = self;
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

    /// What turns texts into sets or bags.
    #[must_use]
    pub fn elements(&self) -> SetOrBag<Shingler> {
        SetOrBag::new(self.shingler(), self.bag)
    }

    /// What a text becomes, as parameters of its distance in the registry.
    #[must_use]
    pub fn parameters(&self) -> Table {
        let mut table = table_of(self);
        table.remove("name");
        table
    }

    /// What turns texts into shingles.
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
