use std::fmt;

use lookalike_core::plugin::{Distance, Error, Family, Kind, Measure, Specimens, Value};
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, SeqAccess, Visitor},
};

use super::{
    USUAL_SIMILARITY,
    set::{Element, words, wrong_json},
    specimens,
};
use crate::{WeightedJaccard, Weights};

/// Sets whose elements have weights: words with counts, customers with amounts.
///
/// Text is `element:weight` pairs separated by blanks or commas, where a weight of 1 may be left out. A JSON object maps
/// elements to weights; a JSON array holds pairs `[element, weight]`. A row of numbers gives element i the weight
/// number i.
#[derive(Clone, Copy, Debug)]
pub struct WeightedSet;

/// The (element, weight) pairs of a JSON object or array.
struct Pairs(Vec<(u64, f64)>);

impl<'de> Deserialize<'de> for Pairs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Pairs;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of weights or an array of [element, weight]")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some((word, weight)) = map.next_entry::<String, f64>()? {
                    pairs.push((Element::word(&word).0, weight));
                }
                Ok(Pairs(pairs))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut array: A) -> Result<Pairs, A::Error> {
                let mut pairs = Vec::new();
                while let Some((Element(element), weight)) = array.next_element()? {
                    pairs.push((element, weight));
                }
                Ok(Pairs(pairs))
            }
        }
        from.deserialize_any(Either)
    }
}

impl Kind for WeightedSet {
    const NAME: &'static str = "weighted-set";
    const FIELD: &'static str = "weights";
    type Item = Weights;
    type Items = Vec<Weights>;
    type Reading = ();

    fn parse(value: Value<'_>, (): &(), items: &mut Vec<Weights>) -> Result<(), Error> {
        let is_json = |text: &str| text.trim_start().starts_with(['{', '[']);
        let weights = match value.naturals(&mut Vec::new())? {
            // An object may also be a line of text or a cell of a table.
            Value::Json(json) | Value::Text(json) if is_json(json) => {
                let Pairs(pairs) =
                    serde_json::from_str(json).map_err(|error| Error::new(wrong_json(&error)))?;
                Weights::new(pairs)?
            }
            Value::Text(text) => {
                let pairs = words(text).map(weighted).collect::<Result<Vec<_>, _>>()?;
                Weights::new(pairs)?
            }
            Value::Integers(row) => Weights::new((0..).zip(row.iter().map(|&w| w as f64)))?,
            Value::Floats(row) => Weights::new((0..).zip(row.iter().map(|&w| f64::from(w))))?,
            Value::Doubles(row) => Weights::new((0..).zip(row.iter().copied()))?,
            other => return Err(other.unexpected("elements with weights")),
        };
        items.push(weights);
        Ok(())
    }

    fn show(item: &Weights, _: usize) -> String {
        let pairs = item.pairs().iter();
        let shown: Vec<String> = pairs
            .map(|(element, weight)| format!("{element}:{weight:?}"))
            .collect();
        shown.join(" ")
    }

    /// The first 8 elements with their weights: `3:1 7:2.5`.
    fn summary(item: &Weights, _: usize) -> String {
        const MOST: usize = 8;
        let pairs = item.pairs();
        let shown = pairs.iter().take(MOST);
        let shown: Vec<String> = shown.map(|(x, weight)| format!("{x}:{weight}")).collect();
        let more = if pairs.len() > MOST { " …" } else { "" };
        shown.join(" ") + more
    }

    fn encode(item: &Weights, _: usize, bytes: &mut Vec<u8>) {
        for (element, weight) in item.pairs() {
            bytes.extend(element.to_le_bytes());
            bytes.extend(weight.to_le_bytes());
        }
    }

    fn decode(bytes: &[u8], items: &mut Vec<Weights>) -> Result<(), Error> {
        let (words, rest) = bytes.as_chunks::<8>();
        let (pairs, odd) = words.as_chunks::<2>();
        if !rest.is_empty() || !odd.is_empty() {
            return Err(Error::new("the bytes of a stored weighted set are damaged"));
        }
        let pair = |&[element, weight]: &[[u8; 8]; 2]| {
            (u64::from_le_bytes(element), f64::from_le_bytes(weight))
        };
        items.push(Weights::new(pairs.iter().map(pair))?);
        Ok(())
    }
}

/// `element:weight`, or an element alone, of weight 1.
fn weighted(word: &str) -> Result<(u64, f64), Error> {
    let (element, weight) = word.rsplit_once(':').unwrap_or((word, "1"));
    let weight = weight.parse().map_err(|_| {
        Error::new(format!(
            "`{weight}` in `{word}` is not a weight: write element:weight"
        ))
    })?;
    Ok((Element::word(element).0, weight))
}

/// The weighted Jaccard distance, 1 − Σ min / Σ max.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WeightedSetJaccard {}

impl Distance for WeightedSetJaccard {
    const MEASURES: &'static [Measure] =
        &[Measure::similarity("jaccard", "weighted Jaccard similarity").usually(USUAL_SIMILARITY)];
    type Kind = WeightedSet;
    type Metric = WeightedJaccard;

    fn metric(&self) -> Result<WeightedJaccard, Error> {
        Ok(WeightedJaccard)
    }

    fn specimens() -> Option<Specimens<Vec<Weights>>> {
        Some(Specimens::new(1.0, specimens::weights))
    }
}

/// Minhash of weighted sets.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsistentWeighted {}

impl Family for ConsistentWeighted {
    const NAME: &'static str = "consistent-weighted";
    const SUMMARY: &'static str = "minhash of weighted sets (Ioffe 2010)";
    /// Three logarithms for each function and element.
    const KEY_COST: f64 = 2000.0;
    type Distance = WeightedSetJaccard;
    type Keys = crate::ConsistentWeighted;

    fn keys(&self, _: &WeightedSetJaccard, _: usize) -> Result<crate::ConsistentWeighted, Error> {
        Ok(crate::ConsistentWeighted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn pairs(value: Value<'_>) -> Result<Vec<(u64, f64)>, String> {
        let mut items = Vec::new();
        WeightedSet::parse(value, &(), &mut items).map_err(|error| error.to_string())?;
        Ok(items[0].pairs().to_vec())
    }

    #[test]
    fn weights_are_read_from_text_json_and_rows() {
        let expected = [(3, 1.0), (7, 2.5)];
        assert_eq!(pairs(Value::Text("7:2.5, 3")).unwrap(), expected);
        assert_eq!(
            pairs(Value::Json(r#"{"7": 2.5, "3": 1}"#)).unwrap(),
            expected
        );
        assert_eq!(pairs(Value::Json("[[7, 2.5], [3, 1]]")).unwrap(), expected);
        assert_eq!(
            pairs(Value::Text(r#" {"7": 2.5, "3": 1}"#)).unwrap(),
            expected
        );
        assert_eq!(pairs(Value::Floats(&[0.0, 0.5])).unwrap(), [(1, 0.5)]);
        assert_eq!(pairs(Value::Signed(&[0, 2])).unwrap(), [(1, 2.0)]);
        assert!(
            pairs(Value::Signed(&[2, -1]))
                .unwrap_err()
                .contains("negative number -1")
        );
        let words = pairs(Value::Json(r#"{"rust": 2, "lsh": 1}"#)).unwrap();
        assert_eq!(words.len(), 2);
        assert!(
            pairs(Value::Text("7:heavy"))
                .unwrap_err()
                .contains("`heavy`")
        );
        assert!(
            pairs(Value::Json(r#"{"a": -1}"#))
                .unwrap_err()
                .contains("-1")
        );
        assert!(pairs(Value::Json("[1, 2]")).is_err());
        assert!(pairs(Value::Bytes(b"x")).is_err());
    }

    #[test]
    fn a_summary_has_the_first_elements() {
        let summary = |count: u64| {
            let weights = Weights::new((0..count).map(|x| (x, x as f64 + 0.5))).unwrap();
            WeightedSet::summary(&weights, 0)
        };
        assert_eq!(summary(0), "");
        let eight = "0:0.5 1:1.5 2:2.5 3:3.5 4:4.5 5:5.5 6:6.5 7:7.5";
        assert_eq!(summary(8), eight);
        assert_eq!(summary(9), format!("{eight} …"));
        let whole = Weights::new([(3, 1.0)]).unwrap();
        assert_eq!(WeightedSet::summary(&whole, 0), "3:1");
    }

    proptest! {
        #[test]
        fn text_and_bytes_are_read_back(
            weights in prop::collection::btree_map(any::<u64>(), 1e-300f64..1e300, 0..12),
        ) {
            let item = Weights::new(weights).unwrap();
            let mut again = Vec::new();
            WeightedSet::parse(Value::Text(&WeightedSet::show(&item, 0)), &(), &mut again).unwrap();
            let mut bytes = Vec::new();
            WeightedSet::encode(&item, 0, &mut bytes);
            WeightedSet::decode(&bytes, &mut again).unwrap();
            prop_assert_eq!(&again[0], &item);
            prop_assert_eq!(&again[1], &item);
        }
    }
}
