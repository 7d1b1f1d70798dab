use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::Error;

/// What a shingle is made of.
///
/// ```
/// use lookalike_minhash::Shingle;
///
/// let shingle: Shingle = "words:5".parse()?;
/// assert_eq!(shingle, Shingle::words(5)?);
/// assert_eq!(Shingle::StopWords.to_string(), "stopwords");
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Shingle {
    /// k consecutive tokens.
    Words(Length),
    /// k consecutive characters (Unicode scalar values), white space included.
    Chars(Length),
    /// A stop word and the two tokens after it: prose counts, advertisements do not.
    StopWords,
}

/// How many tokens or characters a shingle has: 1 to 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Length(u8);

impl Length {
    /// The most.
    pub const MAX: usize = 64;

    fn new(k: usize) -> Result<Self, Error> {
        match u8::try_from(k) {
            Ok(short) if (1..=Self::MAX).contains(&k) => Ok(Self(short)),
            _ => Err(Error::parameter(
                "the length of a shingle",
                k,
                "from 1 to 64",
            )),
        }
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> usize {
        self.0.into()
    }
}

impl Shingle {
    /// `k` consecutive tokens, 1 to 64.
    pub fn words(k: usize) -> Result<Self, Error> {
        Length::new(k).map(Self::Words)
    }

    /// `k` consecutive characters, 1 to 64.
    pub fn chars(k: usize) -> Result<Self, Error> {
        Length::new(k).map(Self::Chars)
    }
}

/// Five tokens.
impl Default for Shingle {
    fn default() -> Self {
        Self::Words(Length(5))
    }
}

impl fmt::Display for Shingle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Words(k) => write!(f, "words:{}", k.get()),
            Self::Chars(k) => write!(f, "chars:{}", k.get()),
            Self::StopWords => f.write_str("stopwords"),
        }
    }
}

impl FromStr for Shingle {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let unknown = || {
            Error::unknown(
                "shingle",
                text,
                "words:K, chars:K or stopwords, K from 1 to 64",
            )
        };
        let length = |k: &str| k.parse().map_err(|_| unknown());
        match text.split_once(':') {
            None if text == "stopwords" => Ok(Self::StopWords),
            Some(("words", k)) => Self::words(length(k)?),
            Some(("chars", k)) => Self::chars(length(k)?),
            _ => Err(unknown()),
        }
    }
}

impl TryFrom<String> for Shingle {
    type Error = Error;
    fn try_from(text: String) -> Result<Self, Error> {
        text.parse()
    }
}

impl From<Shingle> for String {
    fn from(shingle: Shingle) -> Self {
        shingle.to_string()
    }
}
