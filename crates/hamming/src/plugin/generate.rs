use lookalike_core::{
    Pair,
    plugin::{Error, Generated, Generator, Group},
    random,
};
use serde::{Deserialize, Serialize};

use super::Code;
use crate::{Codes, generate};

/// Random codes, some of them with a neighbour at a given distance. See [`generate::neighbours`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CodePairs {
    /// Bits of a code.
    pub bits: usize,
    /// The distances, in bits.
    pub distances: Vec<u32>,
    /// Pairs per distance.
    pub each: usize,
    /// Codes without a neighbour.
    pub others: usize,
    /// What the codes are drawn from.
    pub seed: u64,
}

impl Default for CodePairs {
    fn default() -> Self {
        Self {
            bits: 64,
            distances: vec![2, 4, 6, 8, 12, 16, 24],
            each: 20,
            others: 500,
            seed: 0,
        }
    }
}

impl Generator for CodePairs {
    const NAME: &'static str = "pairs";
    const SUMMARY: &'static str = "random codes, some of them with neighbours at given distances";
    type Kind = Code;

    fn generate(&self) -> Result<Generated<Codes>, Error> {
        let near = (2 * self.distances.len() as u64).saturating_mul(self.each as u64);
        let all = near.saturating_add(self.others as u64);
        Generated::<Codes>::check_size(all, (self.bits as u64).div_ceil(64))?;
        let random = |count, seed| {
            let codes = generate::random(self.bits, count, seed);
            codes.map_err(|error| Error::from(error).about("bits"))
        };
        let mut made = Generated::new(random(self.others, self.seed)?);
        for (number, &distance) in (1..).zip(&self.distances) {
            let seed = random::derive(self.seed, number);
            let originals = random(self.each, seed)?;
            let near = generate::neighbours(&originals, distance, self.each, seed);
            let (copies, places) =
                near.map_err(|error| Error::new(error.to_string()).about("distances"))?;
            let first = made.items.len() as u32;
            let after = first + originals.len() as u32;
            made.items.append(originals)?;
            made.items.append(copies)?;
            let pairs = (after..).zip(places);
            let pairs = pairs.map(|(copy, place)| Pair::ordered(first + place, copy));
            made.groups.push(Group {
                name: format!("{distance} bits"),
                pairs: pairs.collect(),
            });
        }
        Ok(made)
    }
}

/// Codes around centres. See [`generate::clustered`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CodeClusters {
    /// Bits of a code.
    pub bits: usize,
    /// The number of codes.
    pub count: usize,
    /// The number of centres.
    pub clusters: usize,
    /// The probability that a bit differs from that of the centre.
    pub noise: f64,
    /// What the codes are drawn from.
    pub seed: u64,
}

impl Default for CodeClusters {
    fn default() -> Self {
        Self {
            bits: 64,
            count: 2000,
            clusters: 400,
            noise: 0.03,
            seed: 0,
        }
    }
}

impl Generator for CodeClusters {
    const NAME: &'static str = "clusters";
    const SUMMARY: &'static str = "codes around centres";
    type Kind = Code;

    fn generate(&self) -> Result<Generated<Codes>, Error> {
        let words = (self.bits as u64).div_ceil(64);
        Generated::<Codes>::check_size(self.count as u64, words)?;
        // The centres are held too.
        Generated::<Codes>::check_size(self.clusters.max(1) as u64, words)
            .map_err(|error| error.about("clusters"))?;
        let made = generate::clustered(self.bits, self.count, self.clusters, self.noise, self.seed);
        let made = made.map_err(|error| match error {
            crate::Error::Bits(_) => Error::from(error).about("bits"),
            other => other.into(),
        });
        Ok(Generated::new(made?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::distance;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn neighbours_are_at_their_distance(
            bits in 1usize..150, shares in prop::collection::vec(0.0f64..=1.0, 0..4),
            each in 0usize..5, others in 1usize..5, seed: u64,
        ) {
            let distances: Vec<u32> = shares.iter().map(|share| (share * bits as f64) as u32).collect();
            let pairs = CodePairs { bits, distances: distances.clone(), each, others, seed };
            let made = pairs.generate().unwrap();
            prop_assert_eq!(made.items.len(), others + 2 * each * distances.len());
            prop_assert_eq!(made.items.bit_length(), bits);
            for (group, expected) in made.groups.iter().zip(distances) {
                prop_assert_eq!(&group.name, &format!("{expected} bits"));
                prop_assert_eq!(group.pairs.len(), each);
                for pair in &group.pairs {
                    let [a, b] = [pair.a(), pair.b()].map(|id| made.items.get(id as usize));
                    prop_assert_eq!(distance(a, b), expected);
                }
            }
        }
    }

    #[test]
    fn value_stability() {
        let pairs = CodePairs {
            distances: vec![3],
            each: 2,
            others: 1,
            ..CodePairs::default()
        };
        let made = pairs.generate().unwrap();
        let words: Vec<u64> = (0..5).map(|place| made.items.get(place)[0]).collect();
        let expected = [
            11998535311872416326,
            11151070533198584005,
            2193147168403115575,
            10574644965267249285,
            9421688276288379077,
        ];
        assert_eq!(words, expected);
        assert_eq!(
            made.groups[0].pairs,
            [Pair::ordered(1, 3), Pair::ordered(1, 4)]
        );
        let clusters = CodeClusters::default().generate().unwrap().items;
        assert_eq!(clusters.len(), 2000);
        assert_eq!(clusters.get(0), [2105021424386891489]);
        assert_eq!(clusters.get(1999), [16610221330299787846]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        fn wrong(generator: impl Generator) -> Option<String> {
            let error = generator.generate().err().unwrap();
            error.parameter().map(str::to_owned)
        }
        let pairs = CodePairs::default;
        let clusters = CodeClusters::default;
        assert_eq!(wrong(CodePairs { bits: 0, ..pairs() }).unwrap(), "bits");
        let distances = vec![65];
        assert_eq!(
            wrong(CodePairs {
                distances,
                ..pairs()
            })
            .unwrap(),
            "distances"
        );
        assert_eq!(
            wrong(CodePairs {
                others: 4_000_000_000,
                ..pairs()
            }),
            None
        );
        assert_eq!(
            wrong(CodePairs {
                each: usize::MAX,
                ..pairs()
            }),
            None
        );
        assert_eq!(
            wrong(CodePairs {
                bits: 65536,
                others: 900_000,
                ..pairs()
            }),
            None
        );
        assert_eq!(
            wrong(CodeClusters {
                bits: 0,
                ..clusters()
            })
            .unwrap(),
            "bits"
        );
        assert_eq!(
            wrong(CodeClusters {
                noise: 1.5,
                ..clusters()
            })
            .unwrap(),
            "noise"
        );
        assert_eq!(
            wrong(CodeClusters {
                count: 4_000_000_000,
                ..clusters()
            }),
            None
        );
        assert_eq!(
            wrong(CodeClusters {
                clusters: 4_000_000_000,
                ..clusters()
            })
            .unwrap(),
            "clusters"
        );
    }
}
