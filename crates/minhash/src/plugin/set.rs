use std::fmt;

use lookalike_core::{
    Items,
    plugin::{Container, Distance, Error, Kind, Measure, Remedy, Specimens, Value},
};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{SeqAccess, Visitor},
};

use super::{JACCARD, SetDistance, specimens};
use crate::{Integers, Jaccard, SetOrBag, hash};

/// Sets or bags of integers, or of words that are hashed to integers.
///
/// Text is whole numbers separated by blanks or commas; a JSON array holds whole numbers or strings; a
/// string of digits is the number.
#[derive(Clone, Copy, Debug)]
pub struct Set;

/// Many sets in one piece of memory, each ascending. Repeats are kept: whether they count is up to the distance.
#[derive(Clone, Debug, Default)]
pub struct Sets {
    elements: Vec<u64>,
    ends: Vec<usize>,
}

impl Sets {
    /// Adds a set, or a bag, from its elements in any order.
    pub fn push(&mut self, elements: impl IntoIterator<Item = u64>) {
        let start = self.elements.len();
        self.elements.extend(elements);
        self.elements[start..].sort_unstable();
        self.ends.push(self.elements.len());
    }
}

impl Items<[u64]> for Sets {
    fn count(&self) -> usize {
        self.ends.len()
    }

    fn item(&self, place: usize) -> &[u64] {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.elements[start..self.ends[place]]
    }
}

impl Container<[u64]> for Sets {
    fn append(&mut self, more: Self) -> Result<(), Error> {
        let start = self.elements.len();
        self.elements.extend(more.elements);
        self.ends.extend(more.ends.iter().map(|end| start + end));
        Ok(())
    }
}

/// An element as JSON has it: a whole number, or a string that is hashed.
pub(super) struct Element(pub(super) u64);

impl Element {
    /// The element that a word stands for: the number if it is one, its hash otherwise.
    pub(super) fn word(word: &str) -> Self {
        Self(
            word.parse()
                .unwrap_or_else(|_| hash::bytes(word.as_bytes())),
        )
    }
}

impl<'de> Deserialize<'de> for Element {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl Visitor<'_> for Either {
            type Value = Element;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number, 0 or more, or a string")
            }
            fn visit_u64<E>(self, number: u64) -> Result<Element, E> {
                Ok(Element(number))
            }
            fn visit_str<E>(self, word: &str) -> Result<Element, E> {
                Ok(Element::word(word))
            }
        }
        from.deserialize_any(Either)
    }
}

/// The elements of a JSON array, added to a set without a list in between.
struct Array<'a>(&'a mut Vec<u64>);

impl<'de> Visitor<'de> for Array<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an array of whole numbers or strings")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<(), A::Error> {
        while let Some(Element(element)) = array.next_element()? {
            self.0.push(element);
        }
        Ok(())
    }
}

impl Kind for Set {
    const NAME: &'static str = "set";
    type Item = [u64];
    type Items = Sets;
    type Reading = ();

    fn parse(value: Value<'_>, (): &(), sets: &mut Sets) -> Result<(), Error> {
        let mut set = Vec::new();
        match value.naturals(&mut Vec::new())? {
            Value::Integers(elements) => set.extend_from_slice(elements),
            // An array may also be a line of text or a cell of a table.
            Value::Json(json) | Value::Text(json) if json.trim_start().starts_with('[') => {
                let mut from = serde_json::Deserializer::from_str(json);
                let read = from.deserialize_seq(Array(&mut set));
                read.map_err(|error| Error::new(wrong_json(&error)))?;
            }
            Value::Text(text) => {
                for word in words(text) {
                    let number = word.parse().map_err(|_| {
                        let message = format!("`{word}` is not a whole number, 0 or more");
                        let advice = "write a set of words as an array of strings";
                        Error::new(message).remedy(Remedy::advice(advice))
                    })?;
                    set.push(number);
                }
            }
            other => return Err(other.unexpected("an array or a line of whole numbers")),
        }
        sets.push(set);
        Ok(())
    }

    fn show(set: &[u64], _: usize) -> String {
        let numbers: Vec<String> = set.iter().map(u64::to_string).collect();
        numbers.join(" ")
    }

    /// The elements that fit in a line or two, and how many there are if these are not all: `{1, 2, …}, 9 elements`.
    fn summary(set: &[u64], _: usize) -> String {
        const LINE: usize = 80;
        let mut shown = String::new();
        for (number, element) in set.iter().enumerate() {
            if shown.len() > LINE {
                return format!("{{{shown}, …}}, {} elements", set.len());
            }
            let comma = if number == 0 { "" } else { ", " };
            shown += &format!("{comma}{element}");
        }
        format!("{{{shown}}}")
    }

    fn encode(set: &[u64], _: usize, bytes: &mut Vec<u8>) {
        bytes.extend(set.iter().flat_map(|element| element.to_le_bytes()));
    }

    fn decode(bytes: &[u8], sets: &mut Sets) -> Result<(), Error> {
        let (words, rest) = bytes.as_chunks::<8>();
        if !rest.is_empty() {
            return Err(Error::new("the bytes of a stored set are damaged"));
        }
        sets.push(words.iter().map(|&word| u64::from_le_bytes(word)));
        Ok(())
    }
}

/// Words between blanks and commas.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_between = |c: char| c == ',' || c.is_whitespace();
    text.split(is_between).filter(|word| !word.is_empty())
}

/// What serde_json says, without the line that every message has: it is always the first.
pub(super) fn wrong_json(error: &serde_json::Error) -> String {
    let message = error.to_string();
    match message.rsplit_once(" at line ") {
        Some((message, _)) => format!("{message} at column {}", error.column()),
        None => message,
    }
}

/// The Jaccard distance of sets or bags of integers.
///
/// ```
/// use lookalike_core::{Metric, plugin::Distance};
/// use lookalike_minhash::plugin::SetJaccard;
///
/// let distance = |bag| {
///     let metric = SetJaccard { bag }.metric()?;
///     let [s, t] = [&[1, 1, 2][..], &[1, 2, 2]].map(|elements| metric.prepare(elements));
///     Ok::<_, lookalike_core::plugin::Error>(metric.distance(&s, &t))
/// };
/// assert_eq!((distance(false)?, distance(true)?), (0.0, 0.5));
/// # Ok::<(), lookalike_core::plugin::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SetJaccard {
    /// Whether an element counts as often as it occurs: bags, 1 − Σ min / Σ max.
    pub bag: bool,
}

impl Distance for SetJaccard {
    const MEASURES: &'static [Measure] = JACCARD;
    type Kind = Set;
    type Metric = Jaccard<SetOrBag<Integers>>;

    fn metric(&self) -> Result<Self::Metric, Error> {
        Ok(Jaccard::new(self.elements()?))
    }

    fn specimens() -> Option<Specimens<Sets>> {
        Some(Specimens::new(1.0, specimens::sets))
    }
}

impl SetDistance for SetJaccard {
    type Elements = SetOrBag<Integers>;

    fn elements(&self) -> Result<SetOrBag<Integers>, Error> {
        Ok(SetOrBag::new(Integers, self.bag))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn set(value: Value<'_>) -> Result<Vec<u64>, String> {
        let mut sets = Sets::default();
        Set::parse(value, &(), &mut sets).map_err(|error| error.to_string())?;
        Ok(sets.item(0).to_vec())
    }

    #[test]
    fn sets_are_read_from_lines_arrays_and_rows() {
        assert_eq!(set(Value::Text("5 3,3, 1")).unwrap(), [1, 3, 3, 5]);
        assert_eq!(
            set(Value::Json(" [5, 3, 18446744073709551615]")).unwrap(),
            [3, 5, u64::MAX]
        );
        assert_eq!(set(Value::Text("[5, 3]")).unwrap(), [3, 5]);
        assert_eq!(set(Value::Integers(&[2, 2])).unwrap(), [2, 2]);
        assert_eq!(set(Value::Signed(&[7, 2])).unwrap(), [2, 7]);
        assert_eq!(set(Value::Text(" ")).unwrap(), [0; 0]);
        let tags = set(Value::Json(r#"["rust", "lsh", "rust"]"#)).unwrap();
        assert_eq!(tags.len(), 3);
    }

    #[test]
    fn what_is_not_a_set_is_named() {
        assert_eq!(
            set(Value::Text("1 2.5")).unwrap_err(),
            "`2.5` is not a whole number, 0 or more"
        );
        assert_eq!(
            set(Value::Json("[1, -2]")).unwrap_err(),
            "invalid type: integer `-2`, expected a whole number, 0 or more, or a string at column 6"
        );
        assert_eq!(
            set(Value::Signed(&[1, -2])).unwrap_err(),
            "a row with the negative number -2; only 0 and above can be used"
        );
        assert!(set(Value::Json("[1, 2.5]")).is_err() && set(Value::Json("[[1]]")).is_err());
        assert!(
            set(Value::Json("{\"a\": 1}"))
                .unwrap_err()
                .contains("the object")
        );
        assert!(
            set(Value::Floats(&[1.0]))
                .unwrap_err()
                .contains("a row of 1 floats")
        );
    }

    #[test]
    fn a_summary_has_the_first_elements() {
        assert_eq!(Set::summary(&[], 0), "{}");
        assert_eq!(Set::summary(&[7, 11], 0), "{7, 11}");
        let set: Vec<u64> = (10..50).collect();
        let shown: Vec<String> = (10..31).map(|element| element.to_string()).collect();
        let expected = format!("{{{}, …}}, 40 elements", shown.join(", "));
        assert_eq!(Set::summary(&set, 0), expected);
        assert_eq!(
            Set::summary(&set[..21], 0),
            format!("{{{}}}", shown.join(", "))
        );
    }

    /// Words in files hash to the same elements in every version.
    #[test]
    fn value_stability() {
        assert_eq!(Element::word("17").0, 17);
        assert_eq!(
            Element::word("rust").0,
            set(Value::Json("[\"rust\"]")).unwrap()[0]
        );
        assert_eq!(Element::word("rust").0, 16098737266519145910);
    }

    proptest! {
        #[test]
        fn text_and_bytes_are_read_back(elements in prop::collection::vec(any::<u64>(), 0..20)) {
            let mut sets = Sets::default();
            sets.push(elements.iter().copied());
            let mut expected = elements;
            expected.sort_unstable();
            prop_assert_eq!(sets.item(0), expected);
            let mut again = Sets::default();
            Set::parse(Value::Text(&Set::show(sets.item(0), 0)), &(), &mut again).unwrap();
            let mut bytes = Vec::new();
            Set::encode(sets.item(0), 0, &mut bytes);
            Set::decode(&bytes, &mut again).unwrap();
            prop_assert_eq!(again.item(0), sets.item(0));
            prop_assert_eq!(again.item(1), sets.item(0));
        }
    }
}
