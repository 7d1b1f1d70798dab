use std::{borrow::Cow, fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use unicode_normalization::{
    IsNormalized, UnicodeNormalization, char::is_combining_mark, is_nfc_quick, is_nfkc_quick,
};

use crate::{
    Error,
    unicode::{Class, entry},
};

/// A named step that makes texts alike that are meant to be the same.
///
/// Steps are applied in the order in which they are given, before the text is split into tokens. [`Tokens::Words`](crate::Tokens::Words) needs
/// neither `casefold` nor `punctuation` nor `whitespace`.
///
/// ```
/// use lookalike_minhash::Normalize;
///
/// assert_eq!(Normalize::Accents.apply("déjà vu"), "deja vu");
/// assert_eq!(Normalize::Whitespace.apply(" a\n\tb "), "a b");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Normalize {
    /// Unicode normal form C: é is one character, however it was typed.
    Nfc,
    /// Unicode normal form KC: ﬁ becomes fi, ² becomes 2, full-width letters become plain ones.
    Nfkc,
    /// Simple case folding of letters.
    Casefold,
    /// Letters without their marks.
    Accents,
    /// Nothing but letters, marks, digits and white space.
    Punctuation,
    /// Every digit becomes 0: dates and prices count as equal.
    Digits,
    /// One space wherever there is white space, none at the ends.
    Whitespace,
}

impl Normalize {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Nfc,
        Self::Nfkc,
        Self::Casefold,
        Self::Accents,
        Self::Punctuation,
        Self::Digits,
        Self::Whitespace,
    ];

    /// The text after this step; borrowed where nothing changes and that is quickly seen.
    #[must_use]
    pub fn apply(self, text: &str) -> Cow<'_, str> {
        match self {
            Self::Nfc if is_nfc_quick(text.chars()) == IsNormalized::Yes => text.into(),
            Self::Nfc => text.nfc().collect(),
            Self::Nfkc if is_nfkc_quick(text.chars()) == IsNormalized::Yes => text.into(),
            Self::Nfkc => text.nfkc().collect(),
            Self::Casefold => text.chars().map(|c| entry(c).folded()).collect(),
            Self::Accents if text.is_ascii() => text.into(),
            Self::Accents => (text.nfd().filter(|&c| !is_combining_mark(c)))
                .nfc()
                .collect(),
            Self::Punctuation => (text.chars())
                .filter(|&c| c.is_whitespace() || entry(c).class() != Class::Between)
                .collect(),
            Self::Digits => (text.chars())
                .map(|c| if is_digit(c) { '0' } else { c })
                .collect(),
            Self::Whitespace => {
                let mut out = String::with_capacity(text.len());
                for word in text.split_whitespace() {
                    if !out.is_empty() {
                        out.push(' ');
                    }
                    out.push_str(word);
                }
                out.into()
            }
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Nfc => "nfc",
            Self::Nfkc => "nfkc",
            Self::Casefold => "casefold",
            Self::Accents => "accents",
            Self::Punctuation => "punctuation",
            Self::Digits => "digits",
            Self::Whitespace => "whitespace",
        }
    }
}

/// A decimal digit of any script: numeric, and among the letters, marks and digits.
fn is_digit(c: char) -> bool {
    c.is_numeric() && !c.is_alphabetic() && entry(c).class() != Class::Between
}

impl fmt::Display for Normalize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Normalize {
    type Err = Error;
    fn from_str(text: &str) -> Result<Self, Error> {
        let expected = "nfc, nfkc, casefold, accents, punctuation, digits or whitespace";
        let found = Self::ALL.into_iter().find(|step| step.name() == text);
        found.ok_or_else(|| Error::unknown("normalisation", text, expected))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_does_what_it_says() {
        for (step, text, expected) in [
            (Normalize::Nfc, "e\u{301}", "é"),
            (Normalize::Nfkc, "ﬁn² Ａ", "fin2 A"),
            (Normalize::Casefold, "ÉTÉ Straße Σς", "été straße σσ"),
            (
                Normalize::Accents,
                "Çà et là, Ångström",
                "Ca et la, Angstrom",
            ),
            (Normalize::Punctuation, "A rose, is red.", "A rose is red"),
            (
                Normalize::Digits,
                "3.50 € in ٢٠٢٤, x² ½ Ⅷ",
                "0.00 € in 0000, x² ½ Ⅷ",
            ),
            (Normalize::Whitespace, "\u{a0} a \n\n b\u{3000}c ", "a b c"),
        ] {
            assert_eq!(step.apply(text), expected, "{step}");
            assert_eq!(step.to_string().parse(), Ok(step));
            assert_eq!(step.apply(expected), expected, "{step} twice");
            assert_eq!(step.apply(""), "");
        }
        assert!("lower".parse::<Normalize>().is_err());
    }
}
