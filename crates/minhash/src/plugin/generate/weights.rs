use lookalike_core::{
    Pair,
    plugin::{Error, Generated, Generator, Group},
    random,
};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::some_pairs;
use crate::{Weights, plugin::WeightedSet};

/// Pairs of weighted sets at given similarities, with nothing in common between pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WeightedSetPairs {
    /// The similarities, each a whole number of hundredths; at least one must be given.
    pub similarities: Vec<f64>,
    /// Pairs per similarity.
    pub each: u32,
    /// Elements of the two sets of a pair together.
    pub elements: u32,
    /// What the weights are drawn from.
    pub seed: u64,
}

impl Default for WeightedSetPairs {
    fn default() -> Self {
        Self {
            similarities: Vec::new(),
            each: 20,
            elements: 50,
            seed: 0,
        }
    }
}

/// The similarity in hundredths.
fn hundredths(similarity: f64) -> Result<f64, Error> {
    let hundredths = (similarity * 100.0).round();
    if (0.0..=1.0).contains(&similarity) && (similarity * 100.0 - hundredths).abs() <= 1e-9 {
        return Ok(hundredths);
    }
    let message = format!("similarity {similarity} is not a whole number of hundredths");
    Err(Error::new(message).about("similarities"))
}

impl WeightedSetPairs {
    /// One pair, of elements from `from`. One set has each element with a multiple of 100, the other with that many
    /// times `hundredths`: whole numbers, so that no sum is rounded.
    fn pair(&self, hundredths: f64, from: u64, stream: u64) -> Result<[Weights; 2], Error> {
        let mut rng = random::stream(self.seed, stream);
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
        Ok([Weights::new(a)?, Weights::new(b)?])
    }
}

impl Generator for WeightedSetPairs {
    const NAME: &'static str = "pairs";
    const SUMMARY: &'static str =
        "pairs at given similarities, with nothing in common between pairs";
    type Kind = WeightedSet;

    fn generate(&self) -> Result<Generated<Vec<Weights>>, Error> {
        some_pairs(&self.similarities, self.each)?;
        if self.elements == 0 {
            return Err(Error::new("elements is 0, but must be at least 1").about("elements"));
        }
        let pairs = u64::from(self.each) * self.similarities.len() as u64;
        Generated::<Vec<Weights>>::check_size(2 * pairs, self.elements.into())?;
        let mut made = Generated::new(Vec::new());
        for (number, &similarity) in (0..).zip(&self.similarities) {
            let hundredths = hundredths(similarity)?;
            let mut pairs = Vec::new();
            for pair in 0..self.each {
                let first = made.items.len() as u32;
                let from = u64::from(first) * u64::from(self.elements);
                let stream = number << 32 | u64::from(pair);
                made.items.extend(self.pair(hundredths, from, stream)?);
                pairs.push(Pair::ordered(first, first + 1));
            }
            let name = similarity.to_string();
            made.groups.push(Group { name, pairs });
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WeightedJaccard;
    use lookalike_core::Metric;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn similarities_are_exact(
            hundredths in prop::collection::vec(0u32..=100, 1..4), each in 1u32..4, seed: u64,
        ) {
            let similarities: Vec<f64> = hundredths.iter().map(|&it| f64::from(it) / 100.0).collect();
            let pairs = WeightedSetPairs { similarities: similarities.clone(), each, elements: 12, seed };
            let made = pairs.generate().unwrap();
            prop_assert_eq!(made.items.len(), 2 * hundredths.len() * each as usize);
            for (group, similarity) in made.groups.iter().zip(similarities) {
                prop_assert_eq!(group.pairs.len(), each as usize);
                for pair in &group.pairs {
                    let [a, b] = [pair.a(), pair.b()]
                        .map(|id| WeightedJaccard.prepare(&made.items[id as usize]));
                    let distance = WeightedJaccard.distance(&a, &b);
                    prop_assert!((distance - (1.0 - similarity)).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn value_stability() {
        let pairs = WeightedSetPairs {
            similarities: vec![0.25],
            each: 2,
            elements: 3,
            seed: 7,
        };
        let made = pairs.generate().unwrap();
        let weights: Vec<&[(u64, f64)]> = made.items.iter().map(Weights::pairs).collect();
        let expected = [
            [(0, 200.0), (1, 600.0), (2, 125.0)],
            [(0, 800.0), (1, 150.0), (2, 500.0)],
            [(6, 125.0), (7, 700.0), (8, 225.0)],
            [(6, 500.0), (7, 175.0), (8, 900.0)],
        ];
        assert_eq!(weights, expected);
        let json = serde_json::to_string(&WeightedSetPairs::default()).unwrap();
        assert_eq!(
            json,
            r#"{"similarities":[],"each":20,"elements":50,"seed":0}"#
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |pairs: WeightedSetPairs| {
            let error = pairs.generate().unwrap_err();
            error.parameter().map(str::to_owned)
        };
        let good = WeightedSetPairs {
            similarities: vec![0.5],
            ..WeightedSetPairs::default()
        };
        assert!(good.generate().is_ok());
        assert_eq!(wrong(WeightedSetPairs::default()).unwrap(), "similarities");
        for similarity in [0.333, 1.5, -0.1, f64::NAN] {
            let similarities = vec![similarity];
            let pairs = WeightedSetPairs {
                similarities,
                ..good.clone()
            };
            assert_eq!(wrong(pairs).unwrap(), "similarities");
        }
        assert_eq!(
            wrong(WeightedSetPairs {
                each: 0,
                ..good.clone()
            })
            .unwrap(),
            "each"
        );
        assert_eq!(
            wrong(WeightedSetPairs {
                elements: 0,
                ..good.clone()
            })
            .unwrap(),
            "elements"
        );
        assert_eq!(
            wrong(WeightedSetPairs {
                each: 4_000_000_000,
                ..good
            }),
            None
        );
    }
}
