//! Minhash of the squares of fingerprints, over sets of squares and over prints.
//!
//! It needs both families, and family crates do not know each other. So it is here, and exists if the features `minhash`
//! and `fingerprint` are enabled.

use lookalike_core::{
    plugin::{Distance, Error, Family, Measure, Proposal, Specimens, Task},
    random,
};
use lookalike_fingerprint::{
    Squares, Template,
    plugin::{GridTable, Gridded, Matched, SquareSet, SquareSets, propose_given_scheme},
};
use lookalike_minhash::{Elements, FastSimilarity, Jaccard, plugin::SetDistance};
use serde::{Deserialize, Serialize};

/// The numbers of the squares that hold minutiae, as a set of integers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Numbers;

impl Elements for Numbers {
    type Item = Squares;
    type Scratch = Vec<u64>;

    fn visit(&self, squares: &Squares, numbers: &mut Vec<u64>, take: &mut dyn FnMut(&[u64])) {
        numbers.clear();
        numbers.extend(squares.elements());
        take(numbers);
    }
}

/// The Jaccard distance of two sets of squares.
///
/// ```
/// use lookalike::{
///     Metric, fingerprint::Squares,
///     plugin::Distance, squares::SquaresJaccard,
/// };
///
/// let squares = |held: &[u32]| {
///     let mut squares = Squares::none(256)?;
///     held.iter().for_each(|&square| squares.insert(square));
///     Ok::<_, lookalike::fingerprint::Error>(squares)
/// };
/// let metric = SquaresJaccard::default().metric()?;
/// let [a, b] = [squares(&[1, 2, 3])?, squares(&[2, 3, 4])?].map(|it| metric.prepare(&it));
/// assert_eq!(metric.distance(&a, &b), 0.5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SquaresJaccard {}

impl Distance for SquaresJaccard {
    const MEASURES: &'static [Measure] =
        &[Measure::similarity("jaccard", "Jaccard similarity").usually(0.8)];
    type Kind = SquareSet;
    type Metric = Jaccard<Numbers>;

    fn metric(&self) -> Result<Self::Metric, Error> {
        Ok(Jaccard::new(Numbers))
    }

    fn specimens() -> Option<Specimens<SquareSets>> {
        Some(Specimens::new(1.0, pair))
    }
}

/// Two sets of squares; the share `distance` of all that they hold is in one of them alone.
fn pair(distance: f64, seed: u64) -> SquareSets {
    const TOTAL: u32 = 256;
    const HELD: u32 = 60;
    let mut rng = random::stream(seed, 0);
    let held = random::shuffled(TOTAL, HELD, &mut rng);
    let apart = (distance * f64::from(HELD)).round() as usize;
    let (alone, common) = held.split_at(apart);
    let (a, b) = alone.split_at(apart / 2);
    let mut sets = SquareSets::default();
    for alone in [a, b] {
        let mut set = Squares::none(TOTAL).expect("a grid of 256 squares");
        alone
            .iter()
            .chain(common)
            .for_each(|&square| set.insert(square));
        sets.push(set).expect("squares of one grid");
    }
    sets
}

impl SetDistance for SquaresJaccard {
    type Elements = Numbers;

    fn elements(&self) -> Result<Numbers, Error> {
        Ok(Numbers)
    }
}

/// Minhash of the squares that hold minutiae of a print, under a grid. Nothing is promised for prints.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PrintFastSimilarity {
    /// The grid.
    pub grid: GridTable,
}

impl Family for PrintFastSimilarity {
    const NAME: &'static str = "fast-similarity";
    const SUMMARY: &'static str = "minhash of the squares that hold minutiae";
    type Distance = Matched;
    type Keys = Gridded<FastSimilarity<Numbers>>;

    fn keys(&self, _: &Matched, _: usize) -> Result<Self::Keys, Error> {
        let family = FastSimilarity::new(Numbers);
        Ok(Gridded::new(family, self.grid.grid()?))
    }

    fn propose(
        &self,
        distance: &Matched,
        prints: &Vec<Template>,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        propose_given_scheme(self, distance, prints, task)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::{
        KeySource, Scheme,
        plugin::{Generator, KeyFamily, Recall},
    };
    use lookalike_fingerprint::plugin::Impressions;

    fn prints() -> Vec<Template> {
        let fingers = Impressions {
            fingers: 5,
            ..Impressions::default()
        };
        fingers.generate().unwrap().items
    }

    fn keys<S: KeySource<Item = T>, T>(source: &S, item: &T) -> Vec<(u32, u64)> {
        let mut keys = Vec::new();
        let emit = |band, key, _| keys.push((band, key));
        source.keys(item, &mut S::Scratch::default(), emit).unwrap();
        keys
    }

    #[test]
    fn numbers_are_the_squares() {
        let mut squares = Squares::none(100).unwrap();
        [3, 99, 17]
            .iter()
            .for_each(|&square| squares.insert(square));
        assert_eq!(Numbers.set(&squares, &mut vec![7]), [3, 17, 99]);
    }

    #[test]
    fn a_print_has_the_keys_of_its_squares() {
        let family = PrintFastSimilarity::default();
        let over_prints = family.keys(&Matched::default(), 0).unwrap();
        let grid = family.grid.grid().unwrap();
        let scheme: Scheme = "and:2,or:30".parse().unwrap();
        let over_prints = over_prints.source(&scheme, 7).unwrap();
        let over_squares = FastSimilarity::new(Numbers);
        let over_squares = KeyFamily::source(&over_squares, &scheme, 7).unwrap();
        for print in prints() {
            let expected = keys(&over_squares, &grid.squares(&print));
            assert_eq!(expected.len(), 30);
            assert_eq!(keys(&over_prints, &print), expected);
        }
    }

    #[test]
    fn only_a_given_scheme_is_proposed() {
        let (family, distance) = (PrintFastSimilarity::default(), Matched::default());
        let mut task = Task::new(0.1, 0.5);
        let propose = |task: &Task| family.propose(&distance, &prints(), task);
        assert!(propose(&task).unwrap().is_none());
        task.is_named = true;
        assert!(propose(&task).is_err());
        task.scheme = Some("and:2,or:30".parse().unwrap());
        let proposed = propose(&task).unwrap().unwrap();
        assert_eq!(Some(proposed.scheme), task.scheme);
        assert_eq!(proposed.recall, Recall::Unknown);
    }
}
