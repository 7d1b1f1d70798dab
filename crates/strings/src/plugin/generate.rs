use lookalike_core::{
    Items, Pair,
    plugin::{Container, Error, Generated, Generator, Group},
    random,
};
use serde::{Deserialize, Serialize};

use super::StringKind;
use crate::{Strings, Variant, generate};

/// Random strings, some of them with a neighbour at a given distance. See [`generate::pair`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct StringPairs {
    /// Letters of a string.
    pub length: usize,
    /// How many different letters there are: 4 for DNA.
    pub alphabet: u32,
    /// The distances, in edits.
    pub distances: Vec<usize>,
    /// Which edits count.
    pub variant: Variant,
    /// Pairs per distance.
    pub each: usize,
    /// Strings without a neighbour.
    pub others: usize,
    /// What the strings are drawn from.
    pub seed: u64,
}

impl Default for StringPairs {
    fn default() -> Self {
        Self {
            length: 40,
            alphabet: 26,
            distances: vec![1, 2, 3, 4, 6, 8, 12],
            variant: Variant::default(),
            each: 20,
            others: 500,
            seed: 0,
        }
    }
}

impl Generator for StringPairs {
    const NAME: &'static str = "pairs";
    const SUMMARY: &'static str = "random strings, some of them with neighbours at given distances";
    type Kind = StringKind;

    fn generate(&self) -> Result<Generated<Strings>, Error> {
        let near = (2 * self.distances.len() as u64).saturating_mul(self.each as u64);
        let all = near.saturating_add(self.others as u64);
        Generated::<Strings>::check_size(all, self.length as u64)?;
        let others = generate::random(self.length, self.alphabet, self.others, self.seed)?;
        let mut made = Generated::new(others);
        for (number, &distance) in (1..).zip(&self.distances) {
            let seed = random::derive(self.seed, number);
            let (mut strings, mut pairs) = (Strings::default(), Vec::new());
            for place in 0..self.each {
                let seed = random::derive(seed, place as u64);
                let pair =
                    generate::pair(self.length, self.alphabet, distance, self.variant, seed)?;
                pair.iter().for_each(|string| strings.push(string));
                let first = (made.items.count() + 2 * place) as u32;
                pairs.push(Pair::ordered(first, first + 1));
            }
            made.items.append(strings)?;
            made.groups.push(Group {
                name: match distance {
                    1 => "1 edit".into(),
                    distance => format!("{distance} edits"),
                },
                pairs,
            });
        }
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Edits, Units};
    use lookalike_core::Metric;

    #[test]
    fn neighbours_are_at_their_distance() {
        let pairs = StringPairs {
            distances: vec![1, 3],
            each: 5,
            others: 7,
            variant: Variant::Indel,
            ..StringPairs::default()
        };
        let made = pairs.generate().unwrap();
        assert_eq!(made.items.count(), 27);
        let metric = Edits::new(Variant::Indel, Units::Characters);
        for (group, expected) in made.groups.iter().zip([1.0, 3.0]) {
            assert_eq!(group.pairs.len(), 5);
            for pair in &group.pairs {
                let [a, b] =
                    [pair.a(), pair.b()].map(|id| metric.prepare(made.items.item(id as usize)));
                assert_eq!(metric.distance(&a, &b), expected);
            }
        }
        assert_eq!(made.groups[0].name, "1 edit");
        let wrong = |pairs: StringPairs| pairs.generate().unwrap_err();
        let base = StringPairs::default;
        let far = wrong(StringPairs {
            distances: vec![99],
            ..base()
        });
        assert_eq!(far.parameter(), Some("distances"));
        assert_eq!(
            wrong(StringPairs {
                alphabet: 1,
                ..base()
            })
            .parameter(),
            Some("alphabet")
        );
        assert!(
            wrong(StringPairs {
                others: 0,
                each: 0,
                ..base()
            })
            .to_string()
            .contains("nothing")
        );
    }
}
