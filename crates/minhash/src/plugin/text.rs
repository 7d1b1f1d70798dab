use lookalike_core::{
    Items,
    plugin::{Column, Container, Distance, Error, Kind, Measure, PlainFile, Specimens, Value},
};
use serde::{Deserialize, Serialize};

use super::{JACCARD, SetDistance, specimens};
use crate::{Jaccard, Normalize, SetOrBag, Shingle, Shingler, Short, Tokens, Width};

/// Texts.
#[derive(Clone, Copy, Debug)]
pub struct Text;

/// Many texts: parsed ones in one piece of memory, then those of a column that was adopted.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    bytes: String,
    ends: Vec<usize>,
    adopted: Option<Column>,
}

impl Texts {
    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        if let Some(column) = self.adopted.take() {
            self.copy(&column);
        }
        self.bytes.push_str(text);
        self.ends.push(self.bytes.len());
    }

    fn copy(&mut self, column: &Column) {
        for place in 0..column.len() {
            self.bytes.push_str(checked(column.get(place)));
            self.ends.push(self.bytes.len());
        }
    }
}

/// The text of a column that was checked when it was adopted. Checking it again costs less than one more `unsafe`.
fn checked(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("checked when it was adopted")
}

impl Items<str> for Texts {
    fn count(&self) -> usize {
        self.ends.len() + self.adopted.as_ref().map_or(0, Column::len)
    }

    fn item(&self, place: usize) -> &str {
        match (self.ends.get(place), &self.adopted) {
            (Some(&end), _) => {
                let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
                &self.bytes[start..end]
            }
            (None, Some(column)) => checked(column.get(place - self.ends.len())),
            (None, None) => panic!("there are {} texts, none at {place}", self.ends.len()),
        }
    }
}

impl Container<str> for Texts {
    fn append(&mut self, more: Self) -> Result<(), Error> {
        if self.count() == 0 {
            *self = more;
            return Ok(());
        }
        if let Some(column) = self.adopted.take() {
            self.copy(&column);
        }
        let start = self.bytes.len();
        self.bytes.push_str(&more.bytes);
        self.ends.extend(more.ends.iter().map(|end| start + end));
        self.adopted = more.adopted;
        Ok(())
    }
}

impl Kind for Text {
    const NAME: &'static str = "text";
    const PLAIN_FILE: PlainFile = PlainFile::Text;
    type Item = str;
    type Items = Texts;
    type Reading = ();

    fn parse(value: Value<'_>, (): &(), texts: &mut Texts) -> Result<(), Error> {
        texts.push(value.text()?);
        Ok(())
    }

    fn show(text: &str, _: usize) -> String {
        text.to_owned()
    }

    /// The first 300 characters.
    fn summary(text: &str, _: usize) -> String {
        match text.char_indices().nth(300) {
            Some((end, _)) => format!("{}…", &text[..end]),
            None => text.to_owned(),
        }
    }

    fn encode(text: &str, _: usize, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(text.as_bytes());
    }

    fn adopt(column: Column) -> Result<Texts, Column> {
        let is_text = |place| std::str::from_utf8(column.get(place)).is_ok();
        if !(0..column.len()).all(is_text) {
            return Err(column);
        }
        Ok(Texts {
            adopted: Some(column),
            ..Texts::default()
        })
    }
}

/// The Jaccard distance of two texts' sets or bags of shingles. What a text becomes is a parameter of the distance, not of a
/// family.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TextJaccard {
    /// What counts as a token.
    pub tokens: Tokens,
    /// What counts as an element.
    pub shingle: Shingle,
    /// Steps before the text is split into tokens.
    pub normalize: Vec<Normalize>,
    /// What becomes of texts with fewer tokens than a shingle has.
    pub short: Short,
    /// Other stop words than the English ones, for stop-word shingles.
    pub stop_words: Option<Vec<String>>,
    /// Bits of the hash of an element.
    pub hash: Width,
    /// Whether a shingle counts as often as it occurs: bags, 1 − Σ min / Σ max.
    pub bag: bool,
}

impl Distance for TextJaccard {
    const MEASURES: &'static [Measure] = JACCARD;
    type Kind = Text;
    type Metric = Jaccard<SetOrBag<Shingler>>;

    fn metric(&self) -> Result<Self::Metric, Error> {
        Ok(Jaccard::new(self.elements()?))
    }

    fn specimens() -> Option<Specimens<Texts>> {
        Some(Specimens::new(1.0, specimens::texts))
    }

    fn cost(_: usize) -> f64 {
        300.0
    }
}

impl SetDistance for TextJaccard {
    type Elements = SetOrBag<Shingler>;

    fn elements(&self) -> Result<SetOrBag<Shingler>, Error> {
        let shingle = self.shingle;
        if matches!(shingle, Shingle::Chars(_)) && self.tokens != Tokens::default() {
            return Err(Error::new(format!(
                "tokens are for shingles of words, and {shingle} takes characters: leave tokens out"
            ))
            .about("tokens"));
        }
        if self.stop_words.is_some() && shingle != Shingle::StopWords {
            return Err(Error::new(format!(
                "stop_words are for the shingle stopwords, not for {shingle}"
            ))
            .about("stop_words"));
        }
        let shingler = Shingler::new(shingle)
            .tokens(self.tokens)
            .normalize(self.normalize.iter().copied())
            .width(self.hash)
            .short(self.short);
        let shingler = match &self.stop_words {
            Some(words) => shingler.stop_words(words.iter().cloned()),
            None => shingler,
        };
        Ok(SetOrBag::new(shingler, self.bag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::sync::Arc;

    proptest! {
        #[test]
        fn texts_come_back_however_they_came_in(parts in prop::collection::vec(
            (any::<bool>(), prop::collection::vec(any::<String>(), 0..4)), 0..5,
        )) {
            let mut all = Texts::default();
            for (is_column, texts) in &parts {
                let mut part = Texts::default();
                if *is_column {
                    let ends: Vec<usize> =
                        texts.iter().scan(0, |end, text| { *end += text.len(); Some(*end) }).collect();
                    let column = Column::new(Arc::new(texts.concat().into_bytes()), ends.into()).unwrap();
                    part = Text::adopt(column).unwrap();
                } else {
                    texts.iter().for_each(|text| part.push(text));
                }
                Container::append(&mut all, part).unwrap();
            }
            all.push("last");
            let expected: Vec<&str> =
                parts.iter().flat_map(|part| &part.1).map(String::as_str).chain(["last"]).collect();
            let found: Vec<&str> = (0..all.count()).map(|place| all.item(place)).collect();
            prop_assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_summary_has_the_first_characters() {
        let text = "ä".repeat(300);
        assert_eq!(Text::summary(&text, 0), text);
        assert_eq!(Text::summary(&format!("{text}b"), 0), format!("{text}…"));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        let mut distance = TextJaccard {
            shingle: Shingle::chars(9).unwrap(),
            tokens: Tokens::Whitespace,
            ..TextJaccard::default()
        };
        assert!(distance.metric().is_err());
        distance.tokens = Tokens::default();
        assert!(distance.metric().is_ok());
        distance.stop_words = Some(vec!["the".into()]);
        assert!(distance.metric().is_err());
        let column = Column::new(Arc::new(vec![0xff]), vec![1].into()).unwrap();
        assert!(Text::adopt(column).is_err());
    }
}
