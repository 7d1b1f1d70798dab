//! The textbook's calculation on a small matrix, with every step kept to be looked at.
//!
//! ```text
//! matrix ──permutations or one pass──▶ signatures ──bands──▶ buckets ──▶ candidates
//! ```
//!
//! It is for teaching: [`Trace`] is made by the definitions, through [`Permutations`] and
//! [`OnePass`], and refuses what nobody could follow. The engine finds the same candidates, which a test holds.

mod bands;
mod functions;
mod matrix;

use lookalike_core::{Banding, LshFunctions};
use serde::Serialize;

pub use self::bands::{Band, Bucket, Pair};
pub use self::functions::Functions;
pub use self::matrix::{Matrix, Row};
use crate::{Error, Keep, MinValue, Modular, OnePass, Permutations, minimum_of};

/// The most sets that a trace shows.
pub const SETS: usize = 16;
/// The most elements, all sets together.
pub const ROWS: usize = 200;
/// The most functions.
pub const FUNCTIONS: usize = 64;

/// A matrix, its signatures, and the pairs that share a bucket.
///
/// ```
/// use lookalike_core::Banding;
/// use lookalike_minhash::trace::{Functions, Matrix, Trace};
///
/// let matrix = Matrix::of_sets(&[vec![0, 3], vec![2], vec![1, 3, 4], vec![0, 2, 3]])?;
/// let functions = Functions::Modular(vec!["x+1 mod 5".parse()?, "3x+1 mod 5".parse()?]);
/// let trace = Trace::new(matrix, functions, Banding::new(2, 1).unwrap())?;
/// assert_eq!(trace.signatures, [[1, 3, 0, 1], [0, 2, 0, 0]].map(|line| line.map(Some).to_vec()));
/// let s1_s4 = trace.pairs.iter().find(|pair| pair.sets == ["S1", "S4"]).unwrap();
/// assert_eq!((s1_s4.estimated, s1_s4.exact), (1.0, 2.0 / 3.0));
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
///
/// The textbook's sections on minhashing and on banding.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Trace {
    /// What is compared.
    pub matrix: Matrix,
    /// How the signatures come about.
    pub work: Work,
    /// A line a function, a place a set; `None` is ∞, the minimum of an empty set.
    pub signatures: Vec<Vec<Option<u64>>>,
    /// How the lines are cut.
    pub banding: Banding,
    /// The buckets, band by band.
    pub bands: Vec<Band>,
    /// All pairs, those that share most bands first.
    pub pairs: Vec<Pair>,
}

/// The steps from a matrix to signatures.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "by", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Work {
    /// The rows in another order: a set's value is its first row there.
    Permutations {
        /// Whether that row's place in the order is kept, or its own number.
        keeps_place: bool,
        /// For each function the place of each row, from 1.
        tables: Vec<Vec<u64>>,
    },
    /// The rows as they are, each lowering the minima of the sets that have it.
    OnePass {
        /// The functions of the row's number.
        functions: Vec<String>,
        /// The rows, in their order.
        rows: Vec<Pass>,
    },
}

/// One row of the one-pass algorithm.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Pass {
    /// The row's number.
    pub row: u64,
    /// What each function makes of it.
    pub hashes: Vec<u64>,
    /// The sets that have the row.
    pub sets: Vec<String>,
    /// The table after it: a line a function, a place a set.
    pub table: Vec<Vec<Option<u64>>>,
    /// Which places of the table it has lowered.
    pub lowered: Vec<Vec<bool>>,
}

impl Trace {
    /// The calculation by these functions; there must be as many as the banding reads.
    pub fn new(matrix: Matrix, functions: Functions, banding: Banding) -> Result<Self, Error> {
        if functions.len() != banding.functions() as usize {
            let expected = format!("{} functions, as many as are given", functions.len());
            return Err(Error::parameter("banding", banding, expected));
        }
        limit("functions", functions.len(), FUNCTIONS)?;
        let (work, values) = match functions {
            Functions::Permutations(permutations, keep) => {
                by_permutations(&matrix, permutations, keep)?
            }
            Functions::Modular(functions) => by_one_pass(&matrix, &functions)?,
        };
        let shown = |value: MinValue| match &work {
            Work::Permutations {
                keeps_place: true, ..
            } => value.map(u64::from),
            Work::Permutations { .. } => {
                let row = minimum_of(value)?;
                Some(matrix.rows()[row as usize].number)
            }
            Work::OnePass { .. } => minimum_of(value),
        };
        let signatures: Vec<Vec<Option<u64>>> = (0..banding.functions() as usize)
            .map(|line| values.iter().map(|set| shown(set[line])).collect())
            .collect();
        let bands = bands::bands(matrix.names(), &signatures, banding);
        let pairs = bands::pairs(&matrix, &values, &bands)?;
        Ok(Self {
            matrix,
            work,
            signatures,
            banding,
            bands,
            pairs,
        })
    }

    /// The pairs that share a bucket.
    pub fn candidates(&self) -> impl Iterator<Item = &Pair> {
        self.pairs.iter().filter(|pair| pair.is_candidate())
    }
}

/// The steps, and the signature of each set.
type Worked = (Work, Vec<Vec<MinValue>>);

fn by_permutations(
    matrix: &Matrix,
    permutations: Permutations,
    keep: Keep,
) -> Result<Worked, Error> {
    let rows = matrix.rows().len();
    if let Some(table) = permutations
        .tables()
        .iter()
        .find(|table| table.len() != rows)
    {
        let expected = format!("of as many places as there are elements, {rows}");
        return Err(Error::parameter(
            "permutation",
            format!("{table:?}"),
            expected,
        ));
    }
    let permutations = permutations.keep(keep);
    let values = matrix.columns().iter().map(|column| {
        let mut values = vec![None; permutations.len()];
        permutations.hash_into(column, &mut (), &mut values);
        values
    });
    let values = values.collect();
    let tables = permutations.tables().to_vec();
    let keeps_place = keep == Keep::Place;
    Ok((
        Work::Permutations {
            keeps_place,
            tables,
        },
        values,
    ))
}

fn by_one_pass(matrix: &Matrix, functions: &[Modular]) -> Result<Worked, Error> {
    let sets = matrix.columns().len();
    let mut pass = OnePass::new(functions.to_vec(), sets);
    let mut before = pass.signature();
    let mut rows = Vec::new();
    for (place, row) in matrix.rows().iter().enumerate() {
        let members: Vec<usize> = (0..sets).filter(|set| matrix.holds(place, *set)).collect();
        pass.row(row.number, &members)?;
        let table = pass.signature();
        let lowered = table.iter().zip(&before);
        let lowered =
            lowered.map(|(now, then)| now.iter().zip(then).map(|(a, b)| a != b).collect());
        rows.push(Pass {
            row: row.number,
            hashes: functions
                .iter()
                .map(|function| function.hash(row.number))
                .collect(),
            sets: members
                .iter()
                .map(|set| matrix.names()[*set].clone())
                .collect(),
            lowered: lowered.collect(),
            table: table.clone(),
        });
        before = table;
    }
    let values = (0..sets).map(|set| pass.column(set)).collect();
    let functions = functions.iter().map(ToString::to_string).collect();
    Ok((Work::OnePass { functions, rows }, values))
}

fn limit(what: &'static str, given: usize, most: usize) -> Result<(), Error> {
    if given > most {
        return Err(Error::TooLarge { what, given, most });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_could_follow_is_refused() {
        let refused = |sets: &[Vec<u64>]| Matrix::of_sets(sets).unwrap_err().to_string();
        assert_eq!(
            refused(&vec![vec![1]; 17]),
            "17 sets are given, but a trace shows at most 16"
        );
        assert_eq!(
            refused(&[(0..201).collect()]),
            "201 different elements are given, but a trace shows at most 200"
        );
        assert_eq!(
            refused(&[vec![], vec![]]),
            "no different elements are given: a trace needs some"
        );
        let matrix = Matrix::of_sets(&[vec![1, 2]]).unwrap();
        let functions = Functions::draw_modular(&matrix, 65, 0);
        let banding = Banding::new(65, 1).unwrap();
        let refused = Trace::new(matrix, functions, banding).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "65 functions are given, but a trace shows at most 64"
        );
    }

    #[test]
    fn functions_must_fit_the_banding_and_the_rows() {
        let matrix = Matrix::of_sets(&[vec![1, 2], vec![2, 3]]).unwrap();
        let two = Banding::new(2, 1).unwrap();
        let one = Functions::draw_modular(&matrix, 1, 0);
        let refused = Trace::new(matrix.clone(), one, two).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "banding is 2 bands × 1 row, but must be 1 functions, as many as are given"
        );
        let tables = vec![vec![1, 2], vec![2, 1]];
        let short = Permutations::with(tables, Keep::Place).unwrap();
        let short = Functions::Permutations(short, Keep::Place);
        let refused = Trace::new(matrix, short, two).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "permutation is [1, 2], but must be of as many places as there are elements, 3"
        );
    }

    #[test]
    fn an_empty_set_meets_nobody() {
        let matrix = Matrix::of_sets(&[vec![], vec![5], vec![]]).unwrap();
        let functions = Functions::draw_permutations(&matrix, 2, 0, Keep::Place);
        let trace = Trace::new(matrix, functions, Banding::new(1, 2).unwrap()).unwrap();
        assert_eq!(trace.signatures[0], [None, Some(1), None]);
        assert_eq!(trace.candidates().count(), 0);
        assert_eq!(trace.bands[0].buckets.len(), 1);
        let empty = trace.pairs.iter().find(|pair| pair.sets == ["S1", "S3"]);
        assert_eq!(empty.unwrap().exact, 0.0);
    }
}
