use crate::{Error, MinValue, Modular, minimum_of, value_of};

/// The textbook's one-pass algorithm: the signatures of several columns, read row by row.
///
/// For each row, each hash function h gives h(row); every column that holds a 1 there lowers its
/// minimum of h to it. The table may be read after each row. It begins with ∞ everywhere,
/// here `None`.
///
/// ```
/// use lookalike_minhash::{Modular, OnePass};
///
/// // S1 = {0, 3}, S2 = {2}; h1 = x + 1 mod 5, h2 = 3x + 1 mod 5
/// let mut pass = OnePass::new(vec![Modular::new(1, 1, 5, 5)?, Modular::new(3, 1, 5, 5)?], 2);
/// pass.row(0, &[0])?;
/// assert_eq!(pass.signature(), [[Some(1), None], [Some(1), None]]); // a line a function
/// pass.row(2, &[1])?;
/// pass.row(3, &[0])?;
/// assert_eq!(pass.signature(), [[Some(1), Some(3)], [Some(0), Some(2)]]);
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
///
/// Where whole columns are at hand, [`ModularFunctions`](crate::ModularFunctions) gives the same.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnePass {
    functions: Vec<Modular>,
    /// A line a function, a place a column.
    table: Vec<Vec<MinValue>>,
    columns: usize,
}

impl OnePass {
    /// Before the first row.
    #[must_use]
    pub fn new(functions: Vec<Modular>, columns: usize) -> Self {
        Self {
            table: vec![vec![None; columns]; functions.len()],
            functions,
            columns,
        }
    }

    /// Reads a row: its number, and the columns that hold a 1, numbered from 0.
    ///
    /// Rows may come in any order. A column that does not exist is refused, and the row has no effect.
    pub fn row(&mut self, row: u64, members: &[usize]) -> Result<(), Error> {
        if let Some(column) = members.iter().find(|&&column| column >= self.columns) {
            let expected = format!("below {}", self.columns);
            return Err(Error::parameter("column", column, expected));
        }
        for (function, line) in self.functions.iter().zip(&mut self.table) {
            let hash = function.hash(row);
            for &column in members {
                let place = &mut line[column];
                if minimum_of(*place).is_none_or(|least| hash < least) {
                    *place = value_of(hash);
                }
            }
        }
        Ok(())
    }

    /// The table so far: a line a function, a minimum a column; `None` is the textbook's ∞.
    #[must_use]
    pub fn signature(&self) -> Vec<Vec<Option<u64>>> {
        let line = |line: &Vec<MinValue>| line.iter().copied().map(minimum_of).collect();
        self.table.iter().map(line).collect()
    }

    /// The signature of one column so far, to be compared by [`Estimate`](crate::Estimate).
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn column(&self, column: usize) -> Vec<MinValue> {
        assert!(column < self.columns, "column {column} of {}", self.columns);
        self.table.iter().map(|line| line[column]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ModularFunctions;
    use lookalike_core::LshFunctions;
    use proptest::prelude::*;

    #[test]
    fn a_column_that_does_not_exist_is_refused() {
        let mut pass = OnePass::new(vec![Modular::new(1, 0, 5, 5).unwrap()], 2);
        let error = pass.row(1, &[0, 2]).unwrap_err().to_string();
        assert_eq!(error, "column is 2, but must be below 2");
        assert_eq!(pass.signature(), [[None, None]]);
    }

    proptest! {
        /// Row by row, in any order, gives what column by column does.
        #[test]
        fn it_is_minhash(
            matrix in prop::collection::vec(prop::array::uniform4(any::<bool>()), 0..13).prop_shuffle(),
            functions in prop::collection::vec((1u64..13, 0u64..13), 0..5),
            start in 0u64..100,
        ) {
            let functions: Vec<_> =
                functions.into_iter().map(|(a, b)| Modular::new(a, b, 13, 11).unwrap()).collect();
            let mut pass = OnePass::new(functions.clone(), 4);
            let mut columns = [const { Vec::new() }; 4];
            for (row, holds) in (start..).zip(&matrix) {
                let members: Vec<usize> = (0..4).filter(|&column| holds[column]).collect();
                pass.row(row, &members).unwrap();
                members.iter().for_each(|&column| columns[column].push(row));
            }
            let functions = ModularFunctions::with(functions);
            for (column, rows) in columns.iter().enumerate() {
                let mut signature = vec![None; functions.len()];
                functions.hash_into(rows, &mut (), &mut signature);
                prop_assert_eq!(pass.column(column), signature);
            }
        }
    }
}
