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
    /// Permutations of the rows of a matrix: different ones, as long as there are some.
    #[must_use]
    pub fn draw_permutations(matrix: &Matrix, k: usize, seed: u64, keep: Keep) -> Self {
        let rows = matrix.rows().len() as u32;
        let family = Permutation::new(rows).expect("a matrix has rows");
        let tables = different(k, |k| family.draw(k, seed).tables().to_vec());
        let permutations = Permutations::with(tables, keep).expect("each is one");
        Self::Permutations(permutations, keep)
    }

    /// Functions that stand for permutations of the rows of a matrix: different ones, as long as there are some.
    #[must_use]
    pub fn draw_modular(matrix: &Matrix, k: usize, seed: u64) -> Self {
        let largest = matrix.rows().iter().map(|row| row.number).max();
        let draw = |k| Modular::draw(largest.unwrap_or(0), k, seed);
        Self::Modular(different(k, draw))
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

/// The first k functions that are drawn and were not drawn before: of a few rows there are few functions, and one that comes
/// twice teaches nothing. What is missing in the end comes twice.
fn different<F: Clone + PartialEq>(k: usize, draw: impl Fn(usize) -> Vec<F>) -> Vec<F> {
    const TRIES: usize = 16;
    let drawn = draw(k * TRIES);
    let mut chosen: Vec<F> = Vec::with_capacity(k);
    for function in &drawn {
        if chosen.len() < k && !chosen.contains(function) {
            chosen.push(function.clone());
        }
    }
    let missing = k - chosen.len();
    chosen.extend(drawn.into_iter().take(missing));
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_different_while_there_are_others() {
        // 20 functions of numbers below 5, and 6 permutations of 3 rows.
        let five = Matrix::of_sets(&[vec![0, 3], vec![2, 4]]).unwrap();
        let three = Matrix::of_columns(&["110", "011"]).unwrap();
        for seed in 0..20 {
            let Functions::Modular(drawn) = Functions::draw_modular(&five, 12, seed) else {
                panic!("they are")
            };
            let again = |i: usize| drawn[..i].contains(&drawn[i]);
            assert_eq!(
                (drawn.len(), (0..12).filter(|i| again(*i)).count()),
                (12, 0)
            );
            let drawn = Functions::draw_permutations(&three, 8, seed, Keep::Place);
            let Functions::Permutations(drawn, _) = drawn else {
                panic!("they are")
            };
            let mut tables = drawn.tables().to_vec();
            assert_eq!(tables.len(), 8);
            tables.sort();
            tables.dedup();
            assert_eq!(tables.len(), 6);
        }
        // Those that are drawn anyway are the same as ever.
        let drawn = Functions::draw_modular(&five, 1, 7);
        assert_eq!(drawn, Functions::Modular(Modular::draw(4, 1, 7)));
    }
}
