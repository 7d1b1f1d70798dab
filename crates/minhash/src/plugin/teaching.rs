//! Families for teaching: functions of the rows of a matrix whose columns are the items. They propose nothing unless
//! they are named.

use lookalike_core::{
    Banding, Bounds, Drawn, Items, LshFamily, LshFunctions, Scheme,
    plugin::{Error, Family, KeyFamily, Proposal, SignatureOf, Task, tuned},
};
use serde::{Deserialize, Serialize};

use super::{SetJaccard, Sets};
use crate::{Keep, MinValue, Modular, ModularFunctions, Permutations};

/// Minhash by permutations of the rows, drawn or given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Permutation {
    /// Rows of the matrix; `None`: as many as the largest element needs.
    pub universe: Option<u64>,
    /// These permutations instead of drawn ones: for each the places of the rows, from 1.
    pub permutations: Option<Vec<Vec<u64>>>,
    /// What is kept of the first row.
    pub keep: Keep,
}

/// Rows of the largest matrix: a table of all of them is held for each function.
const MOST_ROWS: u64 = 1 << 20;

impl Family for Permutation {
    const NAME: &'static str = "permutation";
    const SUMMARY: &'static str =
        "minhash by permutations of the rows, drawn or given, for teaching";
    type Distance = SetJaccard;
    type Keys = Rows;

    fn keys(&self, distance: &SetJaccard, _: usize) -> Result<Rows, Error> {
        refuse_bags(distance)?;
        if let Some(tables) = &self.permutations {
            if tables.is_empty() {
                let message = "permutations has no functions: give [[2, 1, 3]], or leave it out";
                return Err(Error::new(message).about("permutations"));
            }
            if self.universe.is_some() {
                let message = "permutations say how many rows there are: leave universe out";
                return Err(Error::new(message).about("universe"));
            }
            let given = Permutations::with(tables.clone(), self.keep)
                .map_err(|error| Error::new(error.to_string()).about("permutations"))?;
            return Ok(Rows::Given(RowFunctions::Permutations(given)));
        }
        let universe = self.universe.unwrap_or(1);
        if !(1..=MOST_ROWS).contains(&universe) {
            let message = format!("universe is {universe}, but must be from 1 to {MOST_ROWS}");
            return Err(Error::new(message).about("universe"));
        }
        let family = crate::Permutation::new(universe as u32)?;
        Ok(Rows::Permutations(family, self.keep))
    }

    fn scheme(&self) -> Option<Scheme> {
        one_band_each(self.permutations.as_ref()?.len())
    }

    fn propose(
        &self,
        distance: &SetJaccard,
        sets: &Sets,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        if !task.is_named {
            return Ok(None);
        }
        let needed = largest(sets).map_or(1, |last| last.saturating_add(1));
        let (parameter, rows) = match &self.permutations {
            Some(tables) => ("permutations", tables.first().map_or(0, Vec::len) as u64),
            None => ("universe", self.universe.unwrap_or(needed)),
        };
        // What is wrong with the tables themselves comes first.
        self.permutations
            .as_ref()
            .map_or(Ok(()), |_| self.keys(distance, 0).map(drop))?;
        if needed > rows {
            let last = needed - 1;
            let message =
                format!("elements go up to {last}, so there must be {needed} rows, not {rows}");
            return Err(Error::new(message).about(parameter));
        }
        let settled = Self {
            universe: self.permutations.is_none().then_some(rows),
            ..self.clone()
        };
        propose_rows(&settled, distance, sets, task)
    }
}

/// Minhash by functions ax + b mod p of the rows' numbers, drawn or given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct OnePass {
    /// These functions instead of drawn ones, such as `3x+1 mod 5`.
    pub hashes: Option<Vec<String>>,
    /// The largest element, for drawn functions; `None`: that of the items.
    pub largest: Option<u64>,
}

impl Family for OnePass {
    const NAME: &'static str = "one-pass";
    const SUMMARY: &'static str =
        "minhash by ax + b mod p of the rows' numbers, drawn or given, for teaching";
    const CAVEAT: &'static str = "Functions ax + b mod p come close to permutations of the rows and are not such: how often two sets agree is near their similarity, which is not proved.";
    type Distance = SetJaccard;
    type Keys = Rows;

    fn keys(&self, distance: &SetJaccard, _: usize) -> Result<Rows, Error> {
        refuse_bags(distance)?;
        let Some(hashes) = &self.hashes else {
            let largest = self.largest.unwrap_or(0);
            return Ok(Rows::Modular { largest });
        };
        if hashes.is_empty() {
            let message = "hashes has no functions: give [\"x + 1 mod 5\"], or leave it out";
            return Err(Error::new(message).about("hashes"));
        }
        let hashes = hashes.iter().map(|hash| hash.parse());
        let hashes = hashes
            .collect::<Result<Vec<Modular>, crate::Error>>()
            .map_err(|error| Error::new(error.to_string()).about("hashes"))?;
        Ok(Rows::Given(RowFunctions::Modular(ModularFunctions::with(
            hashes,
        ))))
    }

    fn scheme(&self) -> Option<Scheme> {
        one_band_each(self.hashes.as_ref()?.len())
    }

    fn propose(
        &self,
        distance: &SetJaccard,
        sets: &Sets,
        task: &Task,
    ) -> Result<Option<Proposal<Self>>, Error> {
        if !task.is_named {
            return Ok(None);
        }
        let settled = Self {
            largest: match self.hashes {
                Some(_) => self.largest,
                None => self.largest.or(largest(sets)),
            },
            ..self.clone()
        };
        propose_rows(&settled, distance, sets, task)
    }
}

/// A column of a matrix has a row once, so repeats cannot count.
fn refuse_bags(distance: &SetJaccard) -> Result<(), Error> {
    if distance.bag {
        let message = "a column of a matrix has each row once, so this family cannot count repeats: leave bag out, or \
                       choose another family";
        return Err(Error::new(message).about("bag"));
    }
    Ok(())
}

/// Given functions each decide: one band of one row for each.
fn one_band_each(functions: usize) -> Option<Scheme> {
    let bands = u32::try_from(functions).ok()?;
    Banding::new(bands, 1).ok().map(Banding::scheme)
}

fn largest(sets: &Sets) -> Option<u64> {
    let last = |place| sets.item(place).last().copied();
    (0..sets.count()).filter_map(last).max()
}

/// Given functions each decide unless a scheme combines them; drawn ones are tuned, and those without a promise are
/// combined as if their promise was that of a permutation.
fn propose_rows<F: Family<Distance = SetJaccard, Keys = Rows>>(
    family: &F,
    distance: &SetJaccard,
    sets: &Sets,
    task: &Task,
) -> Result<Option<Proposal<F>>, Error> {
    let mut task = task.clone();
    task.scheme = task.scheme.or(family.scheme());
    if task.scheme.is_none() && !task.is_exact() {
        let goal = lookalike_core::tune::Goal::new(task.limit, task.far)?;
        let tuned = goal
            .recall(task.recall)?
            .budget(task.functions.unwrap_or(lookalike_core::tune::BUDGET))?
            .plan_with(lookalike_core::tune::one_minus_distance)?;
        task.scheme = Some(tuned.banding.scheme());
    }
    tuned(family, distance, sets, &task)
}

/// Where functions of rows come from.
#[derive(Clone, Debug)]
pub enum Rows {
    /// Permutations to be drawn.
    Permutations(crate::Permutation, Keep),
    /// Functions ax + b mod p to be drawn, for elements up to a largest one.
    Modular {
        /// The largest element.
        largest: u64,
    },
    /// Functions that a user gave.
    Given(RowFunctions),
}

impl KeyFamily for Rows {
    type Item = [u64];
    type Source = Drawn<Drawing>;

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Drawn<Drawing>, Error> {
        if let Self::Given(given) = self {
            let (given, needed) = (given.len(), scheme.functions());
            if given != needed as usize {
                let message = format!("{scheme} needs {needed} functions, but {given} are given");
                return Err(Error::new(message));
            }
        }
        Ok(Drawing(self.clone()).amplify(scheme.clone()).draw(seed)?)
    }

    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        match self {
            Self::Permutations(family, _) => KeyFamily::promise(family, scheme, distance),
            Self::Modular { .. } | Self::Given(_) => None,
        }
    }

    /// As a textbook prints them: places and rows from 1, hashes from 0.
    fn signature(&self, scheme: &Scheme, seed: u64) -> Option<SignatureOf<[u64]>> {
        let source = self.source(scheme, seed).ok()?;
        let first = match source.functions() {
            RowFunctions::Permutations(_) => 0,
            RowFunctions::Modular(_) => 1,
        };
        let signature = source.into_signatures();
        Some(Box::new(move |rows| {
            let values = signature(rows).into_iter();
            values.map(|value| Some(value? - first)).collect()
        }))
    }
}

/// [`Rows`] as a family of functions.
#[derive(Clone, Debug)]
pub struct Drawing(Rows);

impl LshFamily for Drawing {
    type Item = [u64];
    type Functions = RowFunctions;

    fn collision(&self, distance: f64) -> Bounds {
        match &self.0 {
            Rows::Permutations(family, _) => family.collision(distance),
            Rows::Modular { .. } | Rows::Given(_) => Bounds::ANYTHING,
        }
    }

    fn draw(&self, k: usize, seed: u64) -> RowFunctions {
        match &self.0 {
            Rows::Permutations(family, keep) => {
                RowFunctions::Permutations(family.draw(k, seed).keep(*keep))
            }
            Rows::Modular { largest } => {
                RowFunctions::Modular(ModularFunctions::with(Modular::draw(*largest, k, seed)))
            }
            Rows::Given(functions) => functions.clone(),
        }
    }
}

/// Functions of rows.
#[derive(Clone, Debug)]
pub enum RowFunctions {
    /// Permutations.
    Permutations(Permutations),
    /// ax + b mod p.
    Modular(ModularFunctions),
}

impl LshFunctions for RowFunctions {
    type Item = [u64];
    type Key = MinValue;
    type Scratch = ();

    fn len(&self) -> usize {
        match self {
            Self::Permutations(functions) => functions.len(),
            Self::Modular(functions) => functions.len(),
        }
    }

    fn hash_into(&self, rows: &[u64], scratch: &mut (), keys: &mut [MinValue]) {
        match self {
            Self::Permutations(functions) => functions.hash_into(rows, scratch, keys),
            Self::Modular(functions) => functions.hash_into(rows, scratch, keys),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The matrix of Mining of Massive Datasets, section 3.3: four sets of the rows 0 to 4.
    const SETS: [&[u64]; 4] = [&[0, 3], &[2], &[1, 3, 4], &[0, 2, 3]];

    fn sets() -> Sets {
        let mut sets = Sets::default();
        SETS.iter().for_each(|set| sets.push(set.iter().copied()));
        sets
    }

    fn signatures(
        family: &impl Family<Distance = SetJaccard, Keys = Rows>,
    ) -> Vec<Vec<Option<u64>>> {
        let keys = family.keys(&SetJaccard::default(), 0).unwrap();
        let signature = keys.signature(&family.scheme().unwrap(), 0).unwrap();
        let mut signatures: Vec<_> = SETS.iter().map(|set| signature(set)).collect();
        signatures.push(signature(&[]));
        signatures
    }

    #[test]
    fn hashes_are_printed_from_0() {
        let family = OnePass {
            hashes: Some(vec!["x + 1 mod 5".into(), "3x + 1 mod 5".into()]),
            ..OnePass::default()
        };
        assert_eq!(family.scheme(), Some("or:2".parse().unwrap()));
        // Figure 3.4 and the example that follows it: 1 3 0 1 and 0 2 0 0.
        let expected = [(1, 0), (3, 2), (0, 0), (1, 0)];
        let mut expected = Vec::from(expected.map(|(a, b)| vec![Some(a), Some(b)]));
        expected.push(vec![None, None]);
        assert_eq!(signatures(&family), expected);
    }

    #[test]
    fn places_and_rows_are_printed_from_1() {
        // The order of the rows is 1, 4, 0, 3, 2.
        let mut family = Permutation {
            permutations: Some(vec![vec![3, 1, 5, 4, 2]]),
            ..Permutation::default()
        };
        assert_eq!(family.scheme().unwrap().functions(), 1);
        let places = [Some(3), Some(5), Some(1), Some(3), None];
        assert_eq!(signatures(&family).concat(), places);
        family.keep = Keep::Row;
        let rows = [Some(1), Some(3), Some(2), Some(1), None];
        assert_eq!(signatures(&family).concat(), rows);
    }

    #[test]
    fn drawn_functions_have_signatures_that_estimate_the_similarity() {
        let scheme: Scheme = "or:4000".parse().unwrap();
        let permutation = Permutation {
            universe: Some(5),
            ..Permutation::default()
        };
        assert_eq!(
            (permutation.scheme(), OnePass::default().scheme()),
            (None, None)
        );
        let keys = permutation.keys(&SetJaccard::default(), 0).unwrap();
        let signature = keys.signature(&scheme, 1).unwrap();
        let [a, b] = [signature(SETS[0]), signature(SETS[3])];
        let equal = a.iter().zip(&b).filter(|(a, b)| a == b).count() as f64 / 4000.0;
        // 2/3, with a standard error of 0.0075.
        assert!((equal - 2.0 / 3.0).abs() < 0.03, "{equal}");
        assert!(a.iter().all(|place| matches!(place, Some(1..=5))));
        let modular = Rows::Modular { largest: 4 };
        let values = modular.signature(&scheme, 1).unwrap()(SETS[2]);
        assert!(
            values
                .iter()
                .all(|value| value.is_some_and(|value| value < 11))
        );
        assert!(values.contains(&Some(0)));
    }

    #[test]
    fn what_is_wrong_is_named() {
        let mut task = Task::new(0.2, 0.5);
        task.is_named = true;
        let distance = SetJaccard::default();
        let permutation = |universe, permutations| {
            let family = Permutation {
                universe,
                permutations,
                ..Permutation::default()
            };
            let error = family.propose(&distance, &sets(), &task).unwrap_err();
            error.parameter().map(str::to_owned).unwrap()
        };
        assert_eq!(permutation(Some(4), None), "universe");
        assert_eq!(permutation(Some(1 << 30), None), "universe");
        assert_eq!(permutation(None, Some(vec![])), "permutations");
        assert_eq!(permutation(None, Some(vec![vec![2, 1, 3]])), "permutations");
        assert_eq!(
            permutation(None, Some(vec![vec![2, 2, 3, 4, 5]])),
            "permutations"
        );
        assert_eq!(
            permutation(Some(5), Some(vec![vec![3, 1, 5, 4, 2]])),
            "universe"
        );
        let one_pass = |hashes: &[&str]| {
            let family = OnePass {
                hashes: Some(hashes.iter().map(|&hash| hash.to_owned()).collect()),
                ..OnePass::default()
            };
            let error = family.propose(&distance, &sets(), &task).unwrap_err();
            error.parameter().map(str::to_owned).unwrap()
        };
        let bags = SetJaccard { bag: true };
        let refused = OnePass::default().propose(&bags, &sets(), &task);
        assert_eq!(refused.unwrap_err().parameter(), Some("bag"));
        let refused = Permutation::default().propose(&bags, &sets(), &task);
        assert_eq!(refused.unwrap_err().parameter(), Some("bag"));
        assert_eq!(one_pass(&[]), "hashes");
        assert_eq!(one_pass(&["x +"]), "hashes");
    }
}
