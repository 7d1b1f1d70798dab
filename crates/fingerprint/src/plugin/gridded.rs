use lookalike_core::{
    KeySource, Scheme, TooManyKeys,
    plugin::{Error, Family, KeyFamily, Proposal, Task, tuned},
};
use serde::{Deserialize, Serialize};

use super::{GridTable, Matched, grid_squares::grid_squares};
use crate::{Grid, Squares, Template};

/// A family over squares as a family over prints: a grid is laid over each print.
///
/// Prints of one finger may lie anyhow, so nothing is promised.
#[derive(Clone, Debug)]
pub struct Gridded<F> {
    family: F,
    grid: Grid,
}

impl<F> Gridded<F> {
    /// The family over the squares of prints under this grid.
    pub fn new(family: F, grid: Grid) -> Self {
        Self { family, grid }
    }
}

impl<F: KeyFamily<Item = Squares>> KeyFamily for Gridded<F> {
    type Item = Template;
    type Source = GriddedSource<F::Source>;

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Self::Source, Error> {
        Ok(GriddedSource {
            source: self.family.source(scheme, seed)?,
            grid: self.grid,
        })
    }
}

/// Gives prints the keys of their squares under a grid.
#[derive(Clone, Debug)]
pub struct GriddedSource<S> {
    source: S,
    grid: Grid,
}

impl<S: KeySource<Item = Squares>> KeySource for GriddedSource<S> {
    type Item = Template;
    type Payload = S::Payload;
    type Scratch = S::Scratch;

    fn bands(&self) -> usize {
        self.source.bands()
    }

    fn key_bits(&self) -> u32 {
        self.source.key_bits()
    }

    fn describe(&self) -> String {
        format!("{:?}, {}", self.grid, self.source.describe())
    }

    fn keys(
        &self,
        print: &Template,
        scratch: &mut S::Scratch,
        emit: impl FnMut(u32, u64, S::Payload),
    ) -> Result<(), TooManyKeys> {
        self.source.keys(&self.grid.squares(print), scratch, emit)
    }

    fn has_probes(&self) -> bool {
        self.source.has_probes()
    }

    fn probes(
        &self,
        print: &Template,
        scratch: &mut S::Scratch,
        emit: impl FnMut(u32, u64, S::Payload),
    ) -> Result<(), TooManyKeys> {
        self.source.probes(&self.grid.squares(print), scratch, emit)
    }
}

/// The proposal of a family over prints that promises nothing: the given scheme.
///
/// Without a scheme there is nothing to tune by. That is an error if the user named the family; otherwise it does not
/// propose.
///
/// # Errors
/// If a parameter is wrong, or if the family is named and no scheme is given.
pub fn propose_given_scheme<F: Family<Distance = Matched>>(
    family: &F,
    distance: &Matched,
    prints: &Vec<Template>,
    task: &Task,
) -> Result<Option<Proposal<F>>, Error> {
    family.keys(distance, 0)?;
    if task.scheme.is_none() && task.is_named && !task.is_exact() {
        let name = F::NAME;
        let message = format!("{name} promises nothing for prints, so it needs bands and rows");
        return Err(Error::new(message));
    }
    tuned(family, distance, prints, task)
}

/// Functions of a few squares of a grid over prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PrintGridSquares {
    /// Squares of a function.
    pub each: u32,
    /// The grid.
    pub grid: GridTable,
}

impl Default for PrintGridSquares {
    fn default() -> Self {
        Self {
            each: 3,
            grid: GridTable::default(),
        }
    }
}

impl Family for PrintGridSquares {
    const NAME: &'static str = "grid-squares";
    const SUMMARY: &'static str = super::GridSquares::SUMMARY;
    type Distance = Matched;
    type Keys = Gridded<crate::GridSquares>;

    fn keys(&self, _: &Matched, _: usize) -> Result<Self::Keys, Error> {
        let grid = self.grid.grid()?;
        Ok(Gridded::new(grid_squares(grid.total(), self.each)?, grid))
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
    use crate::generate::{Finger, Impression};
    use lookalike_core::plugin::Recall;

    fn prints() -> Vec<Template> {
        let print = |number: u64| Impression::default().of(&Finger::new(number / 2), number % 2);
        (0..10).map(print).collect()
    }

    fn keys<S: KeySource<Item = T>, T>(source: &S, item: &T) -> Vec<(u32, u64)> {
        let mut keys = Vec::new();
        let mut scratch = S::Scratch::default();
        let emit = |band, key, _| keys.push((band, key));
        source.keys(item, &mut scratch, emit).unwrap();
        keys
    }

    #[test]
    fn a_print_has_the_keys_of_its_squares() {
        let family = PrintGridSquares::default();
        let gridded = family.keys(&Matched::default(), 0).unwrap();
        let scheme: Scheme = "or:300".parse().unwrap();
        let grid = family.grid.grid().unwrap();
        let of_squares = crate::GridSquares::new(256).unwrap().each(3).unwrap();
        for seed in 0..3 {
            let over_prints = gridded.source(&scheme, seed).unwrap();
            let over_squares = KeyFamily::source(&of_squares, &scheme, seed).unwrap();
            let mut found = 0;
            for print in prints() {
                let expected = keys(&over_squares, &grid.squares(&print));
                assert_eq!(keys(&over_prints, &print), expected);
                found += expected.len();
            }
            assert!(found > 0 && !over_prints.has_probes());
            assert!(over_prints.describe().ends_with(&over_squares.describe()));
        }
        assert!(gridded.promise(&scheme, 0.1).is_none());
        assert!(gridded.signature(&scheme, 0).is_none());
    }

    #[test]
    fn only_a_given_scheme_is_proposed() {
        let (family, distance, prints) =
            (PrintGridSquares::default(), Matched::default(), prints());
        let mut task = Task::new(0.1, 0.5);
        assert!(family.propose(&distance, &prints, &task).unwrap().is_none());
        task.is_named = true;
        let missing = family.propose(&distance, &prints, &task).unwrap_err();
        assert!(missing.to_string().contains("bands and rows"), "{missing}");
        task.recall = 1.0;
        assert!(family.propose(&distance, &prints, &task).unwrap().is_none());
        task.recall = 0.9;
        let scheme: Scheme = "and:2,or:300".parse().unwrap();
        task.scheme = Some(scheme.clone());
        let proposed = family.propose(&distance, &prints, &task).unwrap().unwrap();
        assert_eq!(
            (proposed.scheme, proposed.recall),
            (scheme, Recall::Unknown)
        );
        assert_eq!(proposed.parameters, family);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |family: PrintGridSquares| {
            let error = family.keys(&Matched::default(), 0).unwrap_err();
            error.parameter().map(str::to_owned).unwrap()
        };
        let default = PrintGridSquares::default;
        assert_eq!(
            wrong(PrintGridSquares {
                each: 300,
                ..default()
            }),
            "each"
        );
        let cell = 0.5;
        let grid = GridTable {
            cell,
            ..GridTable::default()
        };
        assert_eq!(wrong(PrintGridSquares { grid, ..default() }), "grid");
    }
}
