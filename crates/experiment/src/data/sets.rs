use lookalike_corpus::{FieldPath, Format};
use lookalike_minhash::generate::sets_in;
use serde::{Deserialize, Serialize};

use super::{
    Data, Group, Loaded, few_enough, one_place,
    texts::{documents, options},
};
use crate::Error;

/// Sets of integers. In files they are documents of numbers, with spaces, commas or brackets between them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Sets {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<FieldPath>,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<FieldPath>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<Vec<u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generate: Option<Generate>,
}

/// Sets that are made up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Generate {
    /// Pairs at similarities, with nothing in common between pairs.
    Pairs(Pairs),
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Pairs {
    similarities: Vec<f64>,
    #[serde(default = "each")]
    each: u32,
    /// Elements of the two sets of a pair together.
    #[serde(default = "union")]
    union: u32,
    #[serde(default)]
    seed: u64,
}

fn each() -> u32 {
    20
}

fn union() -> u32 {
    100
}

impl Data for Sets {
    const KIND: &'static str = "sets";
    type Item = [u64];
    type Items = Vec<Vec<u64>>;

    fn load(&self) -> Result<Loaded<Vec<Vec<u64>>>, Error> {
        let generate = self.generate.is_some();
        one_place(!self.inputs.is_empty(), !self.items.is_empty(), generate)?;
        match &self.generate {
            Some(Generate::Pairs(pairs)) => pairs.make(),
            None if self.inputs.is_empty() => Ok(Loaded::new(self.items.clone())),
            None => {
                let options = options(self.format, self.text.as_ref(), self.id.as_ref());
                documents(&self.inputs, options, false, numbers)
            }
        }
    }

    /// As many elements as a line or two hold; how many there are, if these are not all.
    fn show(item: &[u64]) -> String {
        const LINE: usize = 80;
        let mut shown = String::new();
        for (number, element) in item.iter().enumerate() {
            if shown.len() > LINE {
                return format!("{{{shown}, …}}, {} elements", item.len());
            }
            let comma = if number == 0 { "" } else { ", " };
            shown += &format!("{comma}{element}");
        }
        format!("{{{shown}}}")
    }
}

/// The numbers of a text, with brackets around them or not.
fn numbers(name: &dyn Fn() -> String, text: &str) -> Result<Vec<u64>, Error> {
    let words = text.split(|c: char| c.is_whitespace() || ",;[](){}".contains(c));
    let numbers = words.filter(|word| !word.is_empty()).map(|word| {
        word.parse().map_err(|_| {
            let message =
                format!("`{word}` is no element: these are whole numbers from 0 to 2^64 − 1");
            Error::config(name(), message)
        })
    });
    numbers.collect()
}

impl Pairs {
    fn make(&self) -> Result<Loaded<Vec<Vec<u64>>>, Error> {
        let key = "data.generate.pairs";
        if self.similarities.is_empty() || self.each == 0 {
            let message = "no pairs: say similarities = [0.5, 0.8] and each = 20";
            return Err(Error::setting(key, message));
        }
        let pairs = u64::from(self.each) * self.similarities.len() as u64;
        few_enough(key, 2 * pairs, self.union.into())?;
        let mut loaded = Loaded::new(Vec::new());
        for (number, &similarity) in (0..).zip(&self.similarities) {
            let common = similarity * f64::from(self.union);
            let whole = common.round();
            if !(0.0..=1.0).contains(&similarity) || (common - whole).abs() > 1e-9 {
                let message = format!(
                    "similarity {similarity} is no share of a union of {} elements",
                    self.union
                );
                return Err(Error::setting(format!("{key}.similarities"), message));
            }
            let mut group = Group {
                name: similarity.to_string(),
                pairs: Vec::new(),
            };
            for pair in 0..self.each {
                let seed =
                    lookalike_core::random::derive(self.seed, number << 32 | u64::from(pair));
                let (a, b) = sets_in(self.union as usize, whole as usize, seed)?.into_sets();
                let first = loaded.items.len() as u32;
                group.pairs.push((first, first + 1));
                loaded.items.extend([a, b]);
            }
            loaded.groups.push(group);
        }
        Ok(loaded)
    }
}
