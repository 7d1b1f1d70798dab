use lookalike_core::random;
use lookalike_corpus::{FieldPath, Format};
use lookalike_minhash::Weights as Weighted;
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::{
    Data, Group, Loaded, few_enough, one_place,
    texts::{documents, options},
};
use crate::Error;

/// Weighted sets. In files they are documents of `element:weight`, with white space between them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Weights {
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
    /// Pairs of an element and its weight.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<Vec<(u64, f64)>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generate: Option<Generate>,
}

/// Weighted sets that are made up.
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
    #[serde(default = "elements")]
    elements: u32,
    #[serde(default)]
    seed: u64,
}

fn each() -> u32 {
    20
}

fn elements() -> u32 {
    50
}

impl Data for Weights {
    const KIND: &'static str = "weights";
    type Item = Weighted;
    type Items = Vec<Weighted>;

    fn load(&self) -> Result<Loaded<Vec<Weighted>>, Error> {
        let generate = self.generate.is_some();
        one_place(!self.inputs.is_empty(), !self.items.is_empty(), generate)?;
        match &self.generate {
            Some(Generate::Pairs(pairs)) => pairs.make(),
            None if self.inputs.is_empty() => self.given(),
            None => {
                let options = options(self.format, self.text.as_ref(), self.id.as_ref());
                documents(&self.inputs, options, false, read)
            }
        }
    }

    /// The first 20 elements.
    fn show(item: &Weighted) -> String {
        const SHOWN: usize = 8;
        let pairs = item.pairs();
        let shown = pairs
            .iter()
            .take(SHOWN)
            .map(|(x, weight)| format!("{x}:{weight}"));
        let more = if pairs.len() > SHOWN { " …" } else { "" };
        shown.collect::<Vec<String>>().join(" ") + more
    }
}

impl Weights {
    fn given(&self) -> Result<Loaded<Vec<Weighted>>, Error> {
        let items = self.items.iter().map(|pairs| {
            let made = Weighted::new(pairs.iter().copied());
            made.map_err(|error| Error::from(error).about("data.items"))
        });
        Ok(Loaded::new(items.collect::<Result<_, Error>>()?))
    }
}

/// The weighted set of a text.
fn read(name: &dyn Fn() -> String, text: &str) -> Result<Weighted, Error> {
    let wrong = |message: String| Error::config(name(), message);
    let pair = |word: &str| {
        let (element, weight) = word.split_once(':')?;
        Some((element.parse().ok()?, weight.parse().ok()?))
    };
    let pairs = text.split_whitespace().map(|word| {
        pair(word).ok_or_else(|| {
            wrong(format!(
                "`{word}` is no element with its weight, as 7:1.5 is"
            ))
        })
    });
    let pairs: Vec<(u64, f64)> = pairs.collect::<Result<_, Error>>()?;
    Weighted::new(pairs).map_err(|error| wrong(error.to_string()))
}

impl Pairs {
    /// Of each element one set has a multiple of 100 and the other one as many hundredths of that as the similarity says: whole
    /// numbers, so that no sum is rounded.
    fn make(&self) -> Result<Loaded<Vec<Weighted>>, Error> {
        let key = "data.generate.pairs";
        if self.similarities.is_empty() || self.each == 0 || self.elements == 0 {
            let message = "no pairs: say similarities = [0.5, 0.8] and each = 20";
            return Err(Error::setting(key, message));
        }
        let pairs = u64::from(self.each) * self.similarities.len() as u64;
        few_enough(key, 2 * pairs, self.elements.into())?;
        let mut loaded = Loaded::new(Vec::new());
        for (number, &similarity) in (0..).zip(&self.similarities) {
            let hundredths = (similarity * 100.0).round();
            if !(0.0..=1.0).contains(&similarity) || (similarity * 100.0 - hundredths).abs() > 1e-9
            {
                let message = format!("similarity {similarity} is no whole number of hundredths");
                return Err(Error::setting(format!("{key}.similarities"), message));
            }
            let mut pairs = Vec::new();
            for pair in 0..self.each {
                let mut rng = random::stream(self.seed, number << 32 | u64::from(pair));
                let first = loaded.items.len() as u32;
                let from = u64::from(first) * u64::from(self.elements);
                let (mut a, mut b) = (Vec::new(), Vec::new());
                for element in from..from + u64::from(self.elements) {
                    let weight = f64::from(rng.random_range(1..=9u32));
                    let mut both = [&mut a, &mut b];
                    if rng.random() {
                        both.swap(0, 1);
                    }
                    both[0].push((element, 100.0 * weight));
                    both[1].push((element, hundredths * weight));
                }
                loaded.items.extend([Weighted::new(a)?, Weighted::new(b)?]);
                pairs.push((first, first + 1));
            }
            loaded.groups.push(Group {
                name: similarity.to_string(),
                pairs,
            });
        }
        Ok(loaded)
    }
}
