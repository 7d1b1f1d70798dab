use lookalike_core::{Bounds, LshFamily, LshFunctions, Probability, random};
use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};

use crate::{Error, MinValue, value_of};

/// Minhash as it is defined: by random permutations of the rows of a matrix.
///
/// A column is the set of its rows; a function is a permutation π, and answers with the first of the column's
/// rows in the permuted order. Two columns agree with probability J, exactly. It is for teaching, as a
/// table of k·N places is what [`Universal`](crate::Universal) does without.
///
/// An item is a slice of row numbers, from 0 to N − 1.
///
/// ```
/// use lookalike_core::{LshFamily, LshFunctions};
/// use lookalike_minhash::{Estimate, Permutation};
///
/// let functions = Permutation::new(7)?.draw(1000, 1);
/// let [mut a, mut b] = [[None; 1000]; 2];
/// functions.hash_into(&[0, 1, 4, 5, 6], &mut (), &mut a);
/// functions.hash_into(&[0, 1, 2, 5], &mut (), &mut b);
/// let estimate = Estimate::new(&a, &b)?; // of 1/2
/// assert!((estimate.similarity() - 0.5).abs() < 3.0 * estimate.standard_error());
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
///
/// Broder, Charikar, Frieze and Mitzenmacher 1998; the textbook's section on minhashing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Permutation {
    rows: u32,
}

impl Permutation {
    /// Permutations of this many rows, at least one.
    pub fn new(rows: u32) -> Result<Self, Error> {
        if rows == 0 {
            return Err(Error::parameter("rows", rows, "1 or more"));
        }
        Ok(Self { rows })
    }

    /// How many rows the matrix has.
    #[must_use]
    pub fn rows(self) -> u32 {
        self.rows
    }
}

impl LshFamily for Permutation {
    type Item = [u64];
    type Functions = Permutations;

    fn collision(&self, distance: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - distance))
    }

    /// Each function is a shuffle of Fisher and Yates. It keeps the row's place.
    fn draw(&self, k: usize, seed: u64) -> Permutations {
        let shuffled = |function| {
            let mut places: Vec<u64> = (1..=self.rows.into()).collect();
            places.shuffle(&mut random::stream(seed, function));
            places
        };
        Permutations {
            keep: Keep::Place,
            tables: (0..k as u64).map(shuffled).collect(),
        }
    }
}

/// What a permutation's function keeps of the first row: either is the same for two columns
/// if and only if the other is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Keep {
    /// Its place in the permuted order.
    #[default]
    Place,
    /// Its own number.
    Row,
}

/// Minhash by given permutations, as in the textbook's tables.
///
/// A table lists for each row its place in the permuted order, counted from 1: π = (4, 2, 7, 1, 6, 3, 5) says that
/// the first row comes fourth. Rows of items are counted from 0 as everywhere in this crate; a [`MinValue`] is the
/// minimum plus one, so its number is the place, or the row, as the textbook prints it.
///
/// ```
/// use lookalike_core::LshFunctions;
/// use lookalike_minhash::{Keep, Permutations};
/// use std::num::NonZeroU64;
///
/// let column = [0, 1, 4, 5, 6]; // 1100111
/// let table = vec![vec![4, 2, 7, 1, 6, 3, 5]];
/// let first = |keep| {
///     let mut signature = [None];
///     Permutations::with(table.clone(), keep)?.hash_into(&column, &mut (), &mut signature);
///     Ok::<_, lookalike_minhash::Error>(signature[0].map(NonZeroU64::get))
/// };
/// assert_eq!(first(Keep::Place)?, Some(2)); // the second in the permuted order is the first there is,
/// assert_eq!(first(Keep::Row)?, Some(2)); // and it is the second row
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Permutations {
    keep: Keep,
    tables: Vec<Vec<u64>>,
}

impl Permutations {
    /// Exactly these permutations, all of the same rows.
    pub fn with(tables: Vec<Vec<u64>>, keep: Keep) -> Result<Self, Error> {
        let rows = tables.first().map_or(0, Vec::len);
        for table in &tables {
            let mut sorted = table.clone();
            sorted.sort_unstable();
            if !sorted.into_iter().eq(1..=rows as u64) {
                let expected = format!("each of 1 to {rows} once");
                return Err(Error::parameter(
                    "permutation",
                    format!("{table:?}"),
                    expected,
                ));
            }
        }
        Ok(Self { keep, tables })
    }

    /// The tables: for each function the place of each row, from 1.
    #[must_use]
    pub fn tables(&self) -> &[Vec<u64>] {
        &self.tables
    }

    /// The same permutations, keeping something else.
    #[must_use]
    pub fn keep(self, keep: Keep) -> Self {
        Self { keep, ..self }
    }
}

impl LshFunctions for Permutations {
    type Item = [u64];
    type Key = MinValue;
    type Scratch = ();

    fn len(&self) -> usize {
        self.tables.len()
    }

    /// # Panics
    /// If a row is not one of the table. Such an item is no column of this matrix: to leave the row out
    /// would change similarities without a word.
    fn hash_into(&self, rows: &[u64], (): &mut (), keys: &mut [MinValue]) {
        for (key, table) in keys.iter_mut().zip(&self.tables) {
            let place = |&row: &u64| {
                let place = usize::try_from(row).ok().and_then(|row| table.get(row));
                let place = place.unwrap_or_else(|| panic!("row {row} of {}", table.len()));
                (place - 1, row)
            };
            let first = rows.iter().map(place).min();
            *key = first.and_then(|(place, row)| match self.keep {
                Keep::Place => value_of(place),
                Keep::Row => value_of(row),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn value_stability() {
        let drawn = Permutation::new(7).unwrap().draw(2, 7);
        assert_eq!(
            drawn.tables(),
            [[7, 4, 2, 1, 5, 3, 6], [3, 4, 1, 6, 2, 5, 7]]
        );
    }

    #[test]
    fn only_permutations_are_taken() {
        let message = |table: &[u64]| {
            let error = Permutations::with(vec![vec![2, 1, 3], table.to_vec()], Keep::Place);
            error.unwrap_err().to_string()
        };
        assert_eq!(
            message(&[1, 1, 3]),
            "permutation is [1, 1, 3], but must be each of 1 to 3 once"
        );
        for wrong in [&[0, 1, 2][..], &[1, 2], &[1, 2, 3, 4], &[]] {
            assert!(message(wrong).ends_with("each of 1 to 3 once"));
        }
        assert!(Permutations::with(vec![], Keep::Row).unwrap().is_empty());
        assert!(Permutation::new(0).is_err());
    }

    #[test]
    #[should_panic(expected = "row 3 of 3")]
    fn a_row_outside_the_matrix() {
        let functions = Permutation::new(3).unwrap().draw(1, 0);
        functions.hash_into(&[3], &mut (), &mut [None]);
    }

    proptest! {
        #[test]
        fn what_is_drawn_is_a_permutation(rows in 1u32..50, k in 0usize..5, seed: u64) {
            let drawn = Permutation::new(rows).unwrap().draw(k, seed);
            prop_assert_eq!(drawn.len(), k);
            prop_assert_eq!(Permutations::with(drawn.tables().to_vec(), Keep::Place), Ok(drawn));
        }

        #[test]
        fn either_way_of_keeping_agrees_where_the_other_does(
            a in prop::collection::vec(0u64..9, 0..9), b in prop::collection::vec(0u64..9, 0..9), seed: u64,
        ) {
            let drawn = Permutation::new(9).unwrap().draw(8, seed);
            let agreements = [Keep::Place, Keep::Row].map(|keep| {
                let functions = drawn.clone().keep(keep);
                let [mut of_a, mut of_b] = [[None; 8]; 2];
                functions.hash_into(&a, &mut (), &mut of_a);
                functions.hash_into(&b, &mut (), &mut of_b);
                of_a.iter().zip(of_b).map(|(a, b)| *a == b).collect::<Vec<_>>()
            });
            prop_assert_eq!(&agreements[0], &agreements[1]);
        }
    }
}
