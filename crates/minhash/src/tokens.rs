use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use crate::{
    Error,
    unicode::{Class, entry},
};

/// What counts as a token of a text.
///
/// ```
/// use lookalike_minhash::Tokens;
///
/// assert_eq!(Tokens::Words.split("Don't panic: 東京 2024!"), ["don", "t", "panic", "東", "京", "2024"]);
/// assert_eq!(Tokens::Uax29.split("Don't panic!"), ["Don't", "panic"]);
/// assert_eq!(Tokens::Whitespace.split("Don't  panic!"), ["Don't", "panic!"]);
/// assert_eq!(Tokens::Chars.split("é!"), ["é", "!"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tokens {
    /// Longest runs of letters, marks and digits of any script, with simple case folding. In
    /// scripts that are written without spaces (Han, Hiragana, Katakana, Thai, Lao, Khmer, Myanmar) each
    /// character is a token.
    #[default]
    Words,
    /// The words of Unicode Standard Annex 29, case kept.
    Uax29,
    /// What white space separates, case kept.
    Whitespace,
    /// Every character (Unicode scalar value), case kept.
    Chars,
}

impl Tokens {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Words, Self::Uax29, Self::Whitespace, Self::Chars];

    /// The tokens of a text, by the plain definition. Hashing goes another, faster way, and tests
    /// hold the two together.
    #[must_use]
    pub fn split(self, text: &str) -> Vec<String> {
        match self {
            Self::Words => words(text),
            Self::Uax29 => text.unicode_words().map(str::to_owned).collect(),
            Self::Whitespace => text.split_whitespace().map(str::to_owned).collect(),
            Self::Chars => text.chars().map(String::from).collect(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Words => "words",
            Self::Uax29 => "uax29",
            Self::Whitespace => "whitespace",
            Self::Chars => "chars",
        }
    }
}

fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        let entry = entry(c);
        match entry.class() {
            Class::Word => word.push(entry.folded()),
            Class::Between | Class::Solo if !word.is_empty() => {
                words.push(std::mem::take(&mut word));
            }
            Class::Between | Class::Solo => {}
        }
        if entry.class() == Class::Solo {
            words.push(c.into());
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

impl fmt::Display for Tokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Tokens {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let found = Self::ALL.into_iter().find(|tokens| tokens.name() == text);
        found.ok_or_else(|| Error::unknown("tokens", text, "words, uax29, whitespace or chars"))
    }
}
