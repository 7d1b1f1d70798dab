use lookalike_core::{
    Items, Pair,
    plugin::{Error, Generated, Generator, Group},
    random,
};
use serde::{Deserialize, Serialize};

use super::{GridTable, Print, SquareSet, SquareSets, refused};
use crate::{
    Model, Template,
    generate::{Finger, Impression},
};

/// Impressions of fingers. Parameters that are not given are as a scanner gives them: see [`Impression`].
///
/// First come the first impressions of all fingers, then the second ones, and so on. The label of a print is the number
/// of its finger.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Impressions {
    /// The number of fingers.
    pub fingers: u32,
    /// Prints per finger.
    pub impressions: u32,
    /// What fingers and prints are drawn from.
    pub seed: u64,
    /// The standard deviation of the turn, in radians.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<f64>,
    /// The standard deviation of the move to each side, in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<f64>,
    /// The share of minutiae that are missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<f64>,
    /// The mean number of minutiae that are not real.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spurious: Option<f64>,
    /// The largest share of the finger that is cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<f64>,
    /// How far skin is pressed out of shape, in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distortion: Option<f64>,
}

impl Default for Impressions {
    fn default() -> Self {
        Self {
            fingers: 100,
            impressions: 2,
            seed: 0,
            rotation: None,
            translation: None,
            dropped: None,
            spurious: None,
            cut: None,
            distortion: None,
        }
    }
}

impl Impressions {
    /// The law from which prints are drawn.
    fn law(&self) -> Result<Impression, Error> {
        type Set = fn(Impression, f64) -> Result<Impression, crate::Error>;
        let settings: [(&str, Option<f64>, Set); 6] = [
            ("rotation", self.rotation, Impression::rotation),
            ("translation", self.translation, Impression::translation),
            ("dropped", self.dropped, Impression::dropped),
            ("spurious", self.spurious, Impression::spurious),
            ("cut", self.cut, Impression::cut),
            ("distortion", self.distortion, Impression::distortion),
        ];
        let mut law = Impression::default();
        for (name, value, set) in settings {
            if let Some(value) = value {
                law = set(law, value).map_err(|error| refused(&error, name))?;
            }
        }
        Ok(law)
    }
}

impl Generator for Impressions {
    const NAME: &'static str = "fingers";
    const SUMMARY: &'static str = "impressions of fingers";
    type Kind = Print;

    fn generate(&self) -> Result<Generated<Vec<Template>>, Error> {
        let count = u64::from(self.fingers) * u64::from(self.impressions);
        // A print has about forty minutiae of three numbers.
        Generated::<Vec<Template>>::check_size(count, 120)?;
        let law = self.law()?;
        let seed = |finger: u32| random::derive(self.seed, finger.into());
        let fingers: Vec<Finger> = (0..self.fingers).map(|it| Finger::new(seed(it))).collect();
        let mut made = Generated::new(Vec::with_capacity(count as usize));
        for impression in 1..=self.impressions {
            for (number, finger) in (0..).zip(&fingers) {
                let seed = random::derive(seed(number), impression.into());
                made.items.push(law.of(finger, seed));
                made.names.push(format!("{number}_{impression}"));
                made.labels.push(number);
            }
        }
        Ok(made)
    }
}

/// Impressions of fingers under a grid. All parameters but the grid are those of [`Impressions`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GriddedImpressions {
    /// The number of fingers.
    pub fingers: u32,
    /// Prints per finger.
    pub impressions: u32,
    /// What fingers and prints are drawn from.
    pub seed: u64,
    /// The standard deviation of the turn, in radians.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation: Option<f64>,
    /// The standard deviation of the move to each side, in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub translation: Option<f64>,
    /// The share of minutiae that are missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<f64>,
    /// The mean number of minutiae that are not real.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spurious: Option<f64>,
    /// The largest share of the finger that is cut off.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<f64>,
    /// How far skin is pressed out of shape, in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distortion: Option<f64>,
    /// The grid; `None`: the default one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grid: Option<GridTable>,
}

impl Default for GriddedImpressions {
    fn default() -> Self {
        Self::new(Impressions::default(), None)
    }
}

impl GriddedImpressions {
    /// These impressions under a grid.
    #[must_use]
    pub fn new(impressions: Impressions, grid: Option<GridTable>) -> Self {
        Self {
            fingers: impressions.fingers,
            impressions: impressions.impressions,
            seed: impressions.seed,
            rotation: impressions.rotation,
            translation: impressions.translation,
            dropped: impressions.dropped,
            spurious: impressions.spurious,
            cut: impressions.cut,
            distortion: impressions.distortion,
            grid,
        }
    }

    fn impressions(&self) -> Impressions {
        Impressions {
            fingers: self.fingers,
            impressions: self.impressions,
            seed: self.seed,
            rotation: self.rotation,
            translation: self.translation,
            dropped: self.dropped,
            spurious: self.spurious,
            cut: self.cut,
            distortion: self.distortion,
        }
    }
}

impl Generator for GriddedImpressions {
    const NAME: &'static str = "fingers";
    const SUMMARY: &'static str = "impressions of fingers, under a grid";
    type Kind = SquareSet;

    fn generate(&self) -> Result<Generated<SquareSets>, Error> {
        let prints = self.impressions().generate()?;
        let grid = self.grid.unwrap_or_default().grid()?;
        let mut made = Generated::new(SquareSets::default());
        for print in &prints.items {
            made.items.push(grid.squares(print))?;
        }
        made.names = prints.names;
        made.groups = finger_groups(&prints.labels);
        Ok(made)
    }
}

/// Sets of squares drawn from the textbook's model: see [`Model`].
///
/// First come the first prints of all fingers, then the second ones, and so on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ModelSquares {
    /// All squares of the grid.
    pub squares: u32,
    /// The number of fingers.
    pub fingers: u32,
    /// Prints per finger.
    pub prints: u32,
    /// The probability that a square holds minutiae.
    pub occupancy: f64,
    /// The probability that it does if it does in another print of the finger.
    pub agreement: f64,
    /// What the prints are drawn from.
    pub seed: u64,
}

impl Default for ModelSquares {
    fn default() -> Self {
        Self {
            squares: 1024,
            fingers: 250,
            prints: 2,
            occupancy: Model::BOOK.occupancy(),
            agreement: Model::BOOK.agreement(),
            seed: 0,
        }
    }
}

impl Generator for ModelSquares {
    const NAME: &'static str = "model";
    const SUMMARY: &'static str = "squares drawn from the textbook's model";
    type Kind = SquareSet;

    fn generate(&self) -> Result<Generated<SquareSets>, Error> {
        let count = u64::from(self.fingers) * u64::from(self.prints);
        Generated::<SquareSets>::check_size(count, u64::from(self.squares).div_ceil(64))?;
        let model = Model::new(self.occupancy, self.agreement)?;
        let seed = |finger: u32| random::derive(self.seed, finger.into());
        let mut made = Generated::new(SquareSets::default());
        for print in 0..self.prints {
            for finger in 0..self.fingers {
                let squares = match print {
                    0 => model
                        .print(self.squares, seed(finger))
                        .map_err(|error| refused(&error, "squares"))?,
                    again => {
                        let first = made.items.item(finger as usize);
                        model.again(first, random::derive(seed(finger), again.into()))
                    }
                };
                made.items.push(squares)?;
                made.names.push(format!("{finger}_{}", print + 1));
            }
        }
        let fingers: Vec<u32> = (0..count).map(|id| id as u32 % self.fingers).collect();
        made.groups = finger_groups(&fingers);
        Ok(made)
    }
}

/// Pairs of prints of one finger, and as many of two fingers, from the finger of each print.
///
/// A print of one finger is paired with the first print of that finger, and with the first print of the next finger.
/// A group without pairs is left out.
#[must_use]
pub fn finger_groups(fingers: &[u32]) -> Vec<Group> {
    let count = fingers.iter().max().map_or(0, |last| last + 1);
    let mut firsts = vec![None; count as usize];
    let (mut same, mut different) = (Vec::new(), Vec::new());
    for (id, &finger) in (0..).zip(fingers) {
        let first = *firsts[finger as usize].get_or_insert(id);
        same.extend(Pair::new(first, id));
        if first != id {
            let other = firsts[((finger + 1) % count) as usize].filter(|other| *other != first);
            different.extend(other.and_then(|other| Pair::new(other, id)));
        }
    }
    let named = [("one finger", same), ("two fingers", different)];
    let named = named.into_iter().filter(|(_, pairs)| !pairs.is_empty());
    named
        .map(|(name, pairs)| Group {
            name: name.into(),
            pairs,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn groups_are_by_fingers(fingers in prop::collection::vec(0u32..6, 0..30)) {
            let groups = finger_groups(&fingers);
            for group in &groups {
                prop_assert!(!group.pairs.is_empty());
                let is_one = group.name == "one finger";
                prop_assert!(is_one || group.name == "two fingers");
                for pair in &group.pairs {
                    let same = fingers[pair.a() as usize] == fingers[pair.b() as usize];
                    prop_assert_eq!(same, is_one);
                }
            }
            let distinct = std::collections::BTreeSet::from_iter(&fingers).len();
            let same = groups.iter().find(|group| group.name == "one finger");
            prop_assert_eq!(same.map_or(0, |group| group.pairs.len()), fingers.len() - distinct);
        }
    }

    #[test]
    fn prints_have_the_labels_of_their_fingers() {
        let fingers = Impressions {
            fingers: 3,
            impressions: 2,
            ..Impressions::default()
        };
        let made = fingers.generate().unwrap();
        assert_eq!(made.names, ["0_1", "1_1", "2_1", "0_2", "1_2", "2_2"]);
        assert_eq!(made.labels, [0, 1, 2, 0, 1, 2]);
        assert!(made.groups.is_empty());
        let gridded = GriddedImpressions::new(fingers, None).generate().unwrap();
        assert_eq!(gridded.names, made.names);
        assert!(gridded.labels.is_empty());
        let grid = GridTable::default().grid().unwrap();
        for (place, print) in made.items.iter().enumerate() {
            assert_eq!(gridded.items.item(place), &grid.squares(print));
        }
        let pairs: Vec<_> = gridded.groups.iter().map(|it| &it.pairs[..]).collect();
        let [one, two] = pairs[..] else {
            panic!("{pairs:?}")
        };
        assert_eq!(
            one,
            [(0, 3), (1, 4), (2, 5)].map(|(a, b)| Pair::ordered(a, b))
        );
        assert_eq!(
            two,
            [(1, 3), (2, 4), (0, 5)].map(|(a, b)| Pair::ordered(a, b))
        );
    }

    #[test]
    fn squares_of_the_model_agree_as_it_says() {
        let made = ModelSquares::default().generate().unwrap();
        assert_eq!(made.items.count(), 500);
        let share = |name: &str| {
            let group = made.groups.iter().find(|group| group.name == name).unwrap();
            assert_eq!(group.pairs.len(), 250);
            let common = |pair: &Pair| {
                let [a, b] = [pair.a(), pair.b()].map(|id| made.items.item(id as usize));
                f64::from(a.common(b)) / 1024.0
            };
            group.pairs.iter().map(common).sum::<f64>() / 250.0
        };
        // Standard errors: √(p(1 − p)/(250 · 1024)), below 0.001.
        let book = Model::BOOK;
        let [one, two] = ["one finger", "two fingers"].map(share);
        assert!(
            (one - book.occupancy() * book.agreement()).abs() < 0.004,
            "{one}"
        );
        assert!((two - book.occupancy().powi(2)).abs() < 0.004, "{two}");
    }

    #[test]
    fn value_stability() {
        let fingers = Impressions {
            fingers: 2,
            ..Impressions::default()
        };
        let prints = fingers.generate().unwrap().items;
        let minutiae: Vec<usize> = prints.iter().map(|it| it.minutiae().len()).collect();
        assert_eq!(minutiae, [44, 64, 43, 47]);
        let first = prints[3].minutiae()[0];
        assert_eq!((first.x, first.y), (245.0, 307.0));
        let model = ModelSquares {
            squares: 64,
            fingers: 2,
            ..ModelSquares::default()
        };
        let drawn = model.generate().unwrap();
        let words: Vec<u64> = (0..4).map(|it| drawn.items.item(it).words()[0]).collect();
        let expected = [
            16330496502484022,
            22732402940005377,
            9575097060902994,
            54255474322787393,
        ];
        assert_eq!(words, expected);
    }

    #[test]
    fn the_written_form_is_stable() {
        let json = serde_json::to_string(&Impressions::default()).unwrap();
        assert_eq!(json, r#"{"fingers":100,"impressions":2,"seed":0}"#);
        assert_eq!(
            serde_json::to_string(&GriddedImpressions::default()).unwrap(),
            json
        );
        let cut =
            serde_json::from_str::<GriddedImpressions>(r#"{"cut": 0.5, "grid": {"rows": 8}}"#);
        let cut = cut.unwrap();
        assert_eq!((cut.cut, cut.grid.unwrap().rows), (Some(0.5), 8));
        assert!(serde_json::from_str::<Impressions>(r#"{"grid": {}}"#).is_err());
        assert!(serde_json::from_str::<GriddedImpressions>(r#"{"grids": {}}"#).is_err());
    }

    #[test]
    fn what_is_wrong_is_named() {
        fn wrong(generator: impl Generator) -> Option<String> {
            let error = generator.generate().err().unwrap();
            error.parameter().map(str::to_owned)
        }
        let fingers = Impressions::default;
        let dropped = Some(1.5);
        assert_eq!(
            wrong(Impressions {
                dropped,
                ..fingers()
            })
            .unwrap(),
            "dropped"
        );
        let cut = Some(-0.5);
        assert_eq!(wrong(Impressions { cut, ..fingers() }).unwrap(), "cut");
        assert_eq!(
            wrong(Impressions {
                impressions: 0,
                ..fingers()
            }),
            None
        );
        let rows = 0;
        let grid = Some(GridTable {
            rows,
            ..GridTable::default()
        });
        let few = Impressions {
            fingers: 1,
            ..fingers()
        };
        assert_eq!(wrong(GriddedImpressions::new(few, grid)).unwrap(), "grid");
        let model = ModelSquares::default;
        assert_eq!(
            wrong(ModelSquares {
                agreement: 0.1,
                ..model()
            })
            .unwrap(),
            "agreement"
        );
        assert_eq!(
            wrong(ModelSquares {
                squares: 0,
                ..model()
            })
            .unwrap(),
            "squares"
        );
        assert_eq!(
            wrong(ModelSquares {
                fingers: 0,
                ..model()
            }),
            None
        );
        assert_eq!(
            wrong(ModelSquares {
                fingers: u32::MAX,
                ..model()
            }),
            None
        );
    }
}
