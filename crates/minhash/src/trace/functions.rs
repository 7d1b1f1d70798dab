use lookalike_core::LshFamily;

use super::Matrix;
use crate::{Keep, Modular, Permutation, Permutations};

/// What makes signatures of a matrix.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Functions {
    /// Permutations of the rows, and what they keep of the first one.
    Permutations(Permutations, Keep),
    /// Functions of the rows' numbers, in one pass over the rows.
    Modular(Vec<Modular>),
}

impl Functions {
    /// Permutations of the rows of a matrix.
    #[must_use]
    pub fn draw_permutations(matrix: &Matrix, k: usize, seed: u64, keep: Keep) -> Self {
        let rows = matrix.rows().len() as u32;
        let family = Permutation::new(rows).expect("a matrix has rows");
        Self::Permutations(family.draw(k, seed), keep)
    }

    /// Functions that stand for permutations of the rows of a matrix.
    #[must_use]
    pub fn draw_modular(matrix: &Matrix, k: usize, seed: u64) -> Self {
        let largest = matrix.rows().iter().map(|row| row.number).max();
        Self::Modular(Modular::draw(largest.unwrap_or(0), k, seed))
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Permutations(permutations, _) => permutations.tables().len(),
            Self::Modular(functions) => functions.len(),
        }
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
