use lookalike_core::{
    Items, Pair,
    plugin::{Error, Generated, Generator, Group},
    random,
};
use serde::{Deserialize, Serialize};

use super::some_pairs;
use crate::{
    generate::sets_in,
    plugin::{Set, Sets},
};

/// Pairs of sets at given Jaccard similarities, with nothing in common between pairs. See [`sets_in`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SetPairs {
    /// The similarities; at least one must be given.
    pub similarities: Vec<f64>,
    /// Pairs per similarity.
    pub each: u32,
    /// Elements of the two sets of a pair together.
    pub union: u32,
    /// What the elements are drawn from.
    pub seed: u64,
}

impl Default for SetPairs {
    fn default() -> Self {
        Self {
            similarities: Vec::new(),
            each: 20,
            union: 100,
            seed: 0,
        }
    }
}

impl SetPairs {
    /// How many elements the sets of a pair share.
    fn common(&self, similarity: f64) -> Result<usize, Error> {
        let common = similarity * f64::from(self.union);
        let whole = common.round();
        if (0.0..=1.0).contains(&similarity) && (common - whole).abs() <= 1e-9 {
            return Ok(whole as usize);
        }
        let union = self.union;
        let message = format!(
            "similarity {similarity} is not a share of a union of {union} elements: similarity times union must be a whole number"
        );
        Err(Error::new(message).about("similarities"))
    }
}

impl Generator for SetPairs {
    const NAME: &'static str = "pairs";
    const SUMMARY: &'static str =
        "pairs at given similarities, with nothing in common between pairs";
    type Kind = Set;

    fn generate(&self) -> Result<Generated<Sets>, Error> {
        some_pairs(&self.similarities, self.each)?;
        let pairs = u64::from(self.each) * self.similarities.len() as u64;
        Generated::<Sets>::check_size(2 * pairs, self.union.into())?;
        if self.union == 0 {
            return Err(Error::new("union is 0, but must be at least 1").about("union"));
        }
        let mut made = Generated::new(Sets::default());
        for (number, &similarity) in (0..).zip(&self.similarities) {
            let common = self.common(similarity)?;
            let mut pairs = Vec::new();
            for pair in 0..self.each {
                let seed = random::derive(self.seed, number << 32 | u64::from(pair));
                let (a, b) = sets_in(self.union as usize, common, seed)?.into_sets();
                let first = made.items.count() as u32;
                pairs.push(Pair::ordered(first, first + 1));
                made.items.push(a);
                made.items.push(b);
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
    use crate::Counts;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn similarities_are_exact(
            common in prop::collection::vec(0u32..=30, 1..4), each in 1u32..4, seed: u64,
        ) {
            let similarities: Vec<f64> = common.iter().map(|&common| f64::from(common) / 30.0).collect();
            let pairs = SetPairs { similarities: similarities.clone(), each, union: 30, seed };
            let made = pairs.generate().unwrap();
            prop_assert_eq!(made.items.count(), 2 * common.len() * each as usize);
            prop_assert_eq!(made.groups.len(), common.len());
            for (group, similarity) in made.groups.iter().zip(similarities) {
                prop_assert_eq!(&group.name, &similarity.to_string());
                prop_assert_eq!(group.pairs.len(), each as usize);
                for pair in &group.pairs {
                    let [a, b] = [pair.a(), pair.b()].map(|id| made.items.item(id as usize));
                    let counts = Counts::of(a, b);
                    prop_assert_eq!((counts.union(), counts.similarity()), (30, similarity));
                }
            }
        }
    }

    #[test]
    fn value_stability() {
        let pairs = SetPairs {
            similarities: vec![0.0, 0.5],
            each: 2,
            union: 2,
            seed: 7,
        };
        let made = pairs.generate().unwrap();
        let sets: Vec<&[u64]> = (0..8).map(|place| made.items.item(place)).collect();
        let expected: [&[u64]; 8] = [
            &[153962738563814468],
            &[14820781487551365557],
            &[1758172383375596757],
            &[4869827635928935709],
            &[1616172551942805932],
            &[1616172551942805932, 7987719282990820977],
            &[5540032888091330952],
            &[5540032888091330952, 9962602657805605408],
        ];
        assert_eq!(sets, expected);
        let json = serde_json::to_string(&SetPairs::default()).unwrap();
        assert_eq!(
            json,
            r#"{"similarities":[],"each":20,"union":100,"seed":0}"#
        );
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |pairs: SetPairs| {
            let error = pairs.generate().unwrap_err();
            error.parameter().map(str::to_owned)
        };
        let good = SetPairs {
            similarities: vec![0.5],
            ..SetPairs::default()
        };
        assert!(good.generate().is_ok());
        assert_eq!(wrong(SetPairs::default()).unwrap(), "similarities");
        for similarity in [0.333, 1.5, -0.1, f64::NAN] {
            let similarities = vec![similarity];
            let pairs = SetPairs {
                similarities,
                ..good.clone()
            };
            assert_eq!(wrong(pairs).unwrap(), "similarities");
        }
        assert_eq!(
            wrong(SetPairs {
                each: 0,
                ..good.clone()
            })
            .unwrap(),
            "each"
        );
        assert_eq!(
            wrong(SetPairs {
                union: 0,
                ..good.clone()
            })
            .unwrap(),
            "union"
        );
        assert_eq!(
            wrong(SetPairs {
                each: 4_000_000_000,
                ..good.clone()
            }),
            None
        );
        assert_eq!(
            wrong(SetPairs {
                union: 4_000_000_000,
                ..good
            }),
            None
        );
    }
}
