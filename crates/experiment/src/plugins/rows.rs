//! Families for teaching: functions of the rows of a matrix whose columns are the items, drawn, or given as in a textbook.

use lookalike_core::{Banding, Bounds, Drawn, LshFamily, LshFunctions, Probability, Scheme};
use lookalike_minhash::{
    Integers, Jaccard, Keep, MinValue, Modular, ModularFunctions, Permutation, Permutations,
};
use serde::{Deserialize, Serialize};

use super::texts::{JACCARD, MINHASH};
use crate::{Error, Measure, Plugin, Search, SignatureOf, data::Sets, plugin::signatures};

/// Minhash by [`Permutation`]s.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PermutationSets {
    /// Rows of the matrix; without it, as many as the largest element needs.
    #[serde(skip_serializing_if = "Option::is_none")]
    universe: Option<u32>,
    /// These instead of drawn ones: for each the places of the rows, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    permutations: Option<Vec<Vec<u64>>>,
    /// What is kept of the first row.
    #[serde(default)]
    keep: Keep,
}

impl Plugin for PermutationSets {
    const NAME: &'static str = "permutation";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str =
        "minhash by permutations of the rows, drawn or given, for teaching";
    const SENSITIVITY: &'static str = MINHASH;
    type Data = Sets;
    type Search = RowSearch;

    fn search(&self, items: &Vec<Vec<u64>>) -> Result<RowSearch, Error> {
        let elements = items.iter().flatten();
        let needed = elements.max().map_or(1, |last| last.saturating_add(1));
        let Some(tables) = &self.permutations else {
            return self.drawn(needed);
        };
        if tables.is_empty() {
            let message = "no functions: say [[2, 1, 3]], or leave permutations out";
            return Err(Error::setting("family.permutations", message));
        }
        let permutations = Permutations::with(tables.clone(), self.keep);
        let permutations = permutations
            .map_err(|error| Error::setting("family.permutations", error.to_string()))?;
        let rows = tables.first().map_or(0, |table| table.len() as u64);
        if needed > rows {
            let message = format!(
                "elements go up to {}, so that a permutation has {needed} places or more, not {rows}",
                needed - 1
            );
            return Err(Error::setting("family.permutations", message));
        }
        if self.universe.is_some() {
            let message = "permutations say how many rows there are: leave universe out";
            return Err(Error::setting("family.universe", message));
        }
        Ok(RowSearch::new(Rows::Given(Functions::Permutations(
            permutations,
        ))))
    }
}

impl PermutationSets {
    fn drawn(&self, needed: u64) -> Result<RowSearch, Error> {
        /// A table of all places for each function is held in memory.
        const MOST: u64 = 1 << 20;
        let universe = self.universe.map_or(needed, u64::from);
        if needed > universe || universe > MOST {
            let message = format!(
                "elements go up to {}, so universe must be from {needed} to {MOST}, not {universe}",
                needed - 1
            );
            return Err(Error::setting("family.universe", message));
        }
        let family = Permutation::new(universe as u32)?;
        Ok(RowSearch::new(Rows::Permutations(family, self.keep)))
    }
}

/// Minhash by [`Modular`] functions.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OnePassSets {
    /// These instead of drawn ones, such as `3x+1 mod 5`.
    #[serde(skip_serializing_if = "Option::is_none")]
    hashes: Option<Vec<String>>,
}

impl Plugin for OnePassSets {
    const NAME: &'static str = "one-pass";
    const MEASURE: Measure = JACCARD;
    const SUMMARY: &'static str =
        "minhash by ax + b mod p of the rows' numbers, drawn or given, for teaching";
    const SENSITIVITY: &'static str = "none: such functions are only nearly fair";
    type Data = Sets;
    type Search = RowSearch;

    fn search(&self, items: &Vec<Vec<u64>>) -> Result<RowSearch, Error> {
        let Some(hashes) = &self.hashes else {
            let largest = items.iter().flatten().copied().max().unwrap_or(0);
            return Ok(RowSearch::new(Rows::Modular { largest }));
        };
        if hashes.is_empty() {
            let message = "no functions: say [\"x + 1 mod 5\"], or leave hashes out";
            return Err(Error::setting("family.hashes", message));
        }
        let hashes = hashes.iter().map(|hash| hash.parse());
        let hashes = hashes
            .collect::<Result<Vec<Modular>, _>>()
            .map_err(|error| Error::setting("family.hashes", error.to_string()))?;
        let functions = Functions::Modular(ModularFunctions::with(hashes));
        Ok(RowSearch::new(Rows::Given(functions)))
    }
}

/// Where functions of rows come from.
#[derive(Clone, Debug)]
pub(super) enum Rows {
    Permutations(Permutation, Keep),
    Modular { largest: u64 },
    Given(Functions),
}

impl LshFamily for Rows {
    type Item = [u64];
    type Functions = Functions;

    fn collision(&self, distance: f64) -> Bounds {
        match self {
            Self::Permutations(family, _) => family.collision(distance),
            Self::Modular { .. } | Self::Given(_) => nothing(),
        }
    }

    fn draw(&self, k: usize, seed: u64) -> Functions {
        match self {
            Self::Permutations(family, keep) => {
                Functions::Permutations(family.draw(k, seed).keep(*keep))
            }
            Self::Modular { largest } => {
                Functions::Modular(ModularFunctions::with(Modular::draw(*largest, k, seed)))
            }
            Self::Given(functions) => functions.clone(),
        }
    }
}

/// No promise.
fn nothing() -> Bounds {
    Bounds::new(Probability::NEVER, Probability::CERTAIN).expect("in order")
}

/// Functions of rows.
#[derive(Clone, Debug)]
pub(super) enum Functions {
    Permutations(Permutations),
    Modular(ModularFunctions),
}

impl LshFunctions for Functions {
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

/// Functions of rows, and the Jaccard distance.
#[derive(Clone, Debug)]
pub(super) struct RowSearch {
    rows: Rows,
    jaccard: Jaccard<Integers>,
}

impl RowSearch {
    fn new(rows: Rows) -> Self {
        let jaccard = Jaccard::new(Integers);
        Self { rows, jaccard }
    }
}

impl Search for RowSearch {
    type Item = [u64];
    type Source = Drawn<Rows>;
    type Metric = Jaccard<Integers>;

    fn metric(&self) -> &Jaccard<Integers> {
        &self.jaccard
    }

    fn source(&self, scheme: &Scheme, seed: u64) -> Result<Drawn<Rows>, Error> {
        if let Rows::Given(given) = &self.rows {
            let (given, needed) = (given.len(), scheme.functions());
            if given != needed as usize {
                let message =
                    format!("{scheme} needs {needed} functions, and the file gives {given}");
                return Err(Error::setting("family", message));
            }
        }
        Ok(self.rows.clone().amplify(scheme.clone()).draw(seed)?)
    }

    fn promise(&self, scheme: &Scheme, distance: f64) -> Option<Bounds> {
        match &self.rows {
            Rows::Permutations(..) => Some(self.rows.promise(scheme, distance)),
            Rows::Modular { .. } | Rows::Given(_) => None,
        }
    }

    /// Given functions each decide.
    fn scheme(&self) -> Option<Scheme> {
        match &self.rows {
            Rows::Given(given) => Banding::new(given.len() as u32, 1)
                .ok()
                .map(Banding::scheme),
            Rows::Permutations(..) | Rows::Modular { .. } => None,
        }
    }

    /// As a textbook prints them: places and rows from 1, hashes from 0.
    fn signatures<'a>(&'a self, source: &'a Drawn<Rows>) -> Option<SignatureOf<'a, [u64]>> {
        let functions = source.functions();
        let first = match functions {
            Functions::Permutations(_) => 0,
            Functions::Modular(_) => 1,
        };
        let bits = signatures(functions);
        Some(Box::new(move |rows| {
            let values = bits(rows).into_iter();
            values.map(|value| Some(value? - first)).collect()
        }))
    }
}
