use std::borrow::Cow;

use serde::{Deserialize, Serialize};

/// What counts as one letter of a string.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Units {
    /// Unicode scalar values. A combining mark is a letter of its own: strings are compared as they are written.
    #[default]
    Characters,
    /// Bytes of UTF-8.
    Bytes,
}

impl Units {
    /// Visits the first letters of a string as numbers, in their order, at most `most` of them.
    #[inline]
    pub(crate) fn for_each(self, string: &str, most: usize, visit: impl FnMut(u32)) {
        // Enough bytes for as many letters; a piece of a long string is looked at alone.
        let start = string.len().min(most.saturating_mul(4));
        let start = &string.as_bytes()[..start];
        match self {
            Self::Characters if !start.is_ascii() => {
                let letters = string.chars().map(u32::from);
                letters.take(most).for_each(visit);
            }
            // Bytes of ASCII are its characters, and decode faster.
            _ => {
                let letters = start.iter().map(|&byte| u32::from(byte));
                letters.take(most).for_each(visit);
            }
        }
    }

    /// The number of letters of a string.
    #[must_use]
    pub fn count(self, string: &str) -> usize {
        match self {
            Self::Characters => string.chars().count(),
            Self::Bytes => string.len(),
        }
    }

    /// The letters of a string.
    #[must_use]
    pub fn letters(self, string: &str) -> Letters<'_> {
        let is_narrow = match self {
            Self::Bytes => true,
            Self::Characters => string.is_ascii(),
        };
        if is_narrow {
            return Letters::Narrow(string.as_bytes().into());
        }
        let narrow: Option<Vec<u8>> = string.chars().map(|it| u8::try_from(it).ok()).collect();
        match narrow {
            Some(narrow) => Letters::Narrow(narrow.into()),
            None => Letters::Wide(string.chars().map(u32::from).collect()),
        }
    }
}

/// The letters of a string as numbers: one byte each if all of them are below 256. Where the bytes of the string are its
/// letters, they are borrowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Letters<'a> {
    /// Every letter is below 256.
    Narrow(Cow<'a, [u8]>),
    /// Some letter is not.
    Wide(Cow<'a, [u32]>),
}

impl Letters<'_> {
    /// The same, without borrowing from the string.
    #[must_use]
    pub fn into_owned(self) -> Letters<'static> {
        match self {
            Self::Narrow(letters) => Letters::Narrow(letters.into_owned().into()),
            Self::Wide(letters) => Letters::Wide(letters.into_owned().into()),
        }
    }

    /// The number of letters.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(letters) => letters.len(),
            Self::Wide(letters) => letters.len(),
        }
    }

    /// Whether there are no letters.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The letters, four bytes each.
    pub(crate) fn widened(&self) -> Cow<'_, [u32]> {
        match self {
            Self::Narrow(letters) => letters.iter().map(|&letter| u32::from(letter)).collect(),
            Self::Wide(letters) => Cow::Borrowed(letters),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_are_characters_or_bytes() {
        // "é" in one character and in two.
        let (one, two) = ("\u{e9}a", "e\u{301}a");
        assert_eq!(
            Units::Characters.letters(one),
            Letters::Narrow([0xe9, 0x61][..].into())
        );
        assert_eq!(
            Units::Characters.letters(two),
            Letters::Wide([0x65, 0x301, 0x61][..].into())
        );
        assert_eq!(
            Units::Bytes.letters(one),
            Letters::Narrow([0xc3, 0xa9, 0x61][..].into())
        );
        for string in ["", "rose", one, two, "名前"] {
            for units in [Units::Characters, Units::Bytes] {
                let letters = units.letters(string);
                let mut visited = Vec::new();
                units.for_each(string, usize::MAX, |letter| visited.push(letter));
                assert_eq!(letters.widened(), visited);
                assert_eq!(
                    (letters.len(), letters.is_empty()),
                    (visited.len(), visited.is_empty())
                );
                assert_eq!(units.count(string), letters.len());
            }
        }
    }
}
