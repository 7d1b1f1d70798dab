//! Families for teaching: functions of the rows of a matrix whose columns are the items. They propose nothing unless
//! they are named.

use lookalike_core::{
    Banding, Bounds, Drawn, Items, LshFamily, LshFunctions, Scheme,
    plugin::{Error, Family, KeyFamily, Proposal, Task, tuned},
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

    fn keys(&self, _: &SetJaccard, _: usize) -> Result<Rows, Error> {
        if let Some(tables) = &self.permutations {
            if tables.is_empty() {
                let message = "permutations has no functions: give [[2, 1, 3]], or leave it out";
                return Err(Error::new(message));
            }
            if self.universe.is_some() {
                let message = "permutations say how many rows there are: leave universe out";
                return Err(Error::new(message));
            }
            let given = Permutations::with(tables.clone(), self.keep)?;
            return Ok(Rows::Given(RowFunctions::Permutations(given)));
        }
        let universe = self.universe.unwrap_or(1);
        if !(1..=MOST_ROWS).contains(&universe) {
            let message = format!("universe is {universe}, but must be from 1 to {MOST_ROWS}");
            return Err(Error::new(message));
        }
        let family = crate::Permutation::new(universe as u32)?;
        Ok(Rows::Permutations(family, self.keep))
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
        let given = self.permutations.as_ref().map(|tables| {
            let rows = tables.first().map_or(0, Vec::len);
            (rows as u64, tables.len())
        });
        let rows = given.map_or(self.universe.unwrap_or(needed), |(rows, _)| rows);
        if needed > rows {
            let last = needed - 1;
            let message =
                format!("elements go up to {last}, so there must be {needed} rows, not {rows}");
            return Err(Error::new(message));
        }
        let settled = Self {
            universe: given.is_none().then_some(rows),
            ..self.clone()
        };
        propose_rows(&settled, distance, sets, task, given.map(|given| given.1))
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
    type Distance = SetJaccard;
    type Keys = Rows;

    fn keys(&self, _: &SetJaccard, _: usize) -> Result<Rows, Error> {
        let Some(hashes) = &self.hashes else {
            let largest = self.largest.unwrap_or(0);
            return Ok(Rows::Modular { largest });
        };
        if hashes.is_empty() {
            let message = "hashes has no functions: give [\"x + 1 mod 5\"], or leave it out";
            return Err(Error::new(message));
        }
        let hashes = hashes.iter().map(|hash| hash.parse());
        let hashes = hashes.collect::<Result<Vec<Modular>, crate::Error>>()?;
        Ok(Rows::Given(RowFunctions::Modular(ModularFunctions::with(
            hashes,
        ))))
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
            largest: self.largest.or(largest(sets)),
            ..self.clone()
        };
        let given = self.hashes.as_ref().map(Vec::len);
        propose_rows(&settled, distance, sets, task, given)
    }
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
    given: Option<usize>,
) -> Result<Option<Proposal<F>>, Error> {
    let mut task = task.clone();
    if let (Some(given), None) = (given, &task.scheme) {
        task.scheme = Some(Banding::new(given as u32, 1)?.scheme());
    }
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
