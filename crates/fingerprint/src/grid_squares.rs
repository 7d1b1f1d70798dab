use lookalike_core::{Bounds, LshFamily, LshFunctions, Probability, random};

use crate::{Error, Squares};

/// Squares as functions: a function is t distinct squares of the N of a grid, drawn at random.
///
/// It has one bucket. A print is in it if it has minutiae in all t squares, and in none otherwise; so two prints
/// agree on the function if both have minutiae in all of them. With c squares common to both that happens with the
/// probability
///
/// C(c, t) / C(N, t) = c/N · (c−1)/(N−1) · … · (c−t+1)/(N−t+1) ≈ (c/N)^t,
///
/// exactly; [`CommonSquares`](crate::CommonSquares) is the distance 1 − c/N to which this belongs. An AND of r
/// functions is fused into one of r·t distinct squares.
///
/// The textbook's fingerprints (Leskovec, Rajaraman, Ullman, *Mining of Massive Datasets*, 3.8.4 and 3.8.5) have
/// three squares a function and 1024 functions of which one must agree. For prints of one finger .16 of the squares
/// are common to both, for others .04: in the limit of many squares the family is (.84, .96, .004096,
/// .000064)-sensitive.
///
/// ```
/// use lookalike_core::LshFamily;
/// use lookalike_fingerprint::GridSquares;
///
/// let family = GridSquares::new(1_000_000)?;
/// let one = family.sensitivity(0.84, 0.96)?;
/// assert_eq!(format!("{:.6} {:.6}", one.p1(), one.p2()), "0.004096 0.000064");
///
/// // One of 1024 functions, and that in both of two groups.
/// let two_groups = family.or(1024).and(2).sensitivity(0.84, 0.96)?;
/// assert_eq!(format!("{:.4} {:.5}", two_groups.p1(), two_groups.p2()), "0.9703 0.00402");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// **It needs prints that lie alike.** A function asks for minutiae at *places*, and prints of one finger that are
/// shifted or turned by more than a part of a square have other places. On real prints, which no normalisation here
/// brings into line, it hardly tells fingers apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GridSquares {
    total: u32,
    each: u32,
}

impl GridSquares {
    /// Functions of three squares, of prints on a grid of so many.
    pub fn new(total: u32) -> Result<Self, Error> {
        if !(3..=Squares::MAX).contains(&total) {
            let expected = format!("from 3 to {}", Squares::MAX);
            return Err(Error::parameter("the number of squares", total, expected));
        }
        Ok(Self { total, each: 3 })
    }

    /// Functions of so many squares each.
    pub fn each(self, each: u32) -> Result<Self, Error> {
        if !(1..=self.total).contains(&each) {
            let expected = format!("from 1 to {}, all there are", self.total);
            return Err(Error::parameter("squares a function", each, expected));
        }
        Ok(Self { each, ..self })
    }

    /// All squares, N.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// Squares of one function, t.
    #[must_use]
    pub fn width(&self) -> u32 {
        self.each
    }

    /// The probability that two prints with `common` squares in common agree on a function: C(c, t) / C(N, t).
    #[must_use]
    pub fn agreement(&self, common: u32) -> Probability {
        if common < self.each {
            return Probability::NEVER;
        }
        let factor = |i| f64::from(common - i) / f64::from(self.total - i);
        Probability::saturating((0..self.each).map(factor).product())
    }
}

impl LshFamily for GridSquares {
    type Item = Squares;
    type Functions = SquareFunctions;

    fn collision(&self, distance: f64) -> Bounds {
        let total = f64::from(self.total);
        let common = ((1.0 - distance) * total).clamp(0.0, total);
        // A distance that was computed from a whole number of squares is one again; no other comes so near.
        let whole = common.round();
        let (least, most) = if (common - whole).abs() < 1e-6 {
            (whole, whole)
        } else {
            (common.floor(), common.ceil())
        };
        let [lower, upper] = [least, most].map(|common| self.agreement(common as u32));
        Bounds::new(lower, upper).expect("more squares in common agree more often")
    }

    fn draw(&self, k: usize, seed: u64) -> SquareFunctions {
        let function = |number| {
            let mut rng = random::stream(seed, number as u64);
            random::distinct(self.total, self.each, &mut rng)
        };
        SquareFunctions {
            total: self.total,
            each: self.each,
            squares: (0..k).flat_map(function).collect(),
        }
    }

    fn fused(&self, rows: u32) -> Option<Self> {
        self.each(self.each.checked_mul(rows)?).ok()
    }
}

/// Functions drawn from [`GridSquares`].
#[derive(Clone, Debug)]
pub struct SquareFunctions {
    total: u32,
    each: u32,
    /// Those of function i are `squares[i·each..(i + 1)·each]`.
    squares: Vec<u32>,
}

impl SquareFunctions {
    /// Functions that are given, all of as many squares of a grid.
    ///
    /// # Errors
    /// If there are no functions, or one has no square, another number of squares than the first, a square twice, or one
    /// that the grid does not have.
    ///
    /// ```
    /// use lookalike_core::LshFunctions;
    /// use lookalike_fingerprint::{SquareFunctions, Squares};
    ///
    /// let functions = SquareFunctions::of_squares(16, &[vec![1, 5, 9], vec![1, 5, 10]])?;
    /// let mut print = Squares::none(16)?;
    /// [1, 5, 9, 12].map(|square| print.insert(square));
    /// let mut keys = [None; 2];
    /// functions.hash_into(&print, &mut (), &mut keys);
    /// assert_eq!(keys, [Some(()), None]);
    /// # Ok::<(), lookalike_fingerprint::Error>(())
    /// ```
    pub fn of_squares(total: u32, functions: &[Vec<u32>]) -> Result<Self, Error> {
        let each = functions.first().map_or(0, Vec::len);
        Squares::none(total)?;
        for squares in functions
            .iter()
            .map(|it| &it[..])
            .chain((each == 0).then_some(&[][..]))
        {
            let mut sorted = squares.to_vec();
            sorted.sort_unstable();
            let is_once = sorted.is_sorted_by(|a, b| a < b);
            let is_within = sorted.last().is_some_and(|last| *last < total);
            if !(is_once && is_within && squares.len() == each) {
                let given = format!("{squares:?}");
                let expected =
                    format!("different squares below {total}, as many as the first function has");
                return Err(Error::parameter(
                    "the squares of a function",
                    given,
                    expected,
                ));
            }
        }
        Ok(Self {
            total,
            each: each as u32,
            squares: functions.concat(),
        })
    }

    /// The squares of each function.
    pub fn squares(&self) -> impl Iterator<Item = &[u32]> {
        self.squares.chunks_exact(self.each as usize)
    }
}

impl LshFunctions for SquareFunctions {
    type Item = Squares;
    type Key = Option<()>;
    type Scratch = ();

    fn len(&self) -> usize {
        self.squares.len() / self.each as usize
    }

    /// # Panics
    /// If the print has another number of squares than the family.
    fn hash_into(&self, print: &Squares, (): &mut (), keys: &mut [Option<()>]) {
        assert_eq!(
            print.total(),
            self.total,
            "a print on the grid that the functions expect"
        );
        let words = print.words();
        match self.each {
            // The textbook's, unrolled.
            3 => {
                let (triples, _) = self.squares.as_chunks::<3>();
                answer(words, triples.iter().map(|triple| &triple[..]), keys);
            }
            _ => answer(words, self.squares(), keys),
        }
    }
}

/// Whether all squares of each function are held. It looks at all of them: a branch at the first that is not would be
/// wrong too often to be faster.
#[inline(always)]
fn answer<'a>(words: &[u64], functions: impl Iterator<Item = &'a [u32]>, keys: &mut [Option<()>]) {
    for (key, squares) in keys.iter_mut().zip(functions) {
        let held = |all, &square: &u32| all & words[square as usize / 64] >> (square % 64);
        let all = squares.iter().fold(1, held);
        *key = (all == 1).then_some(());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_function_says_yes_where_all_its_squares_do(
            total in 3u32..300, each in 1u32..6, k in 0usize..200, seed in any::<u64>(),
            held in prop::collection::btree_set(0u32..300, 0..200),
        ) {
            let family = GridSquares::new(total).unwrap().each(each.min(total)).unwrap();
            let functions = family.draw(k, seed);
            let mut print = Squares::none(total).unwrap();
            held.range(..total).for_each(|&square| print.insert(square));
            let mut keys = vec![Some(()); functions.len()];
            functions.hash_into(&print, &mut Default::default(), &mut keys);
            prop_assert_eq!(keys.len(), k);
            for (key, squares) in keys.iter().zip(functions.squares()) {
                let mut distinct = squares.to_vec();
                distinct.sort_unstable();
                distinct.dedup();
                prop_assert_eq!(distinct.len(), family.width() as usize);
                prop_assert_eq!(key.is_some(), squares.iter().all(|square| held.contains(square)));
            }
            // The first functions do not depend on how many there are.
            let few = family.draw(k / 2, seed);
            prop_assert!(few.squares().eq(functions.squares().take(k / 2)));
        }

        #[test]
        fn agreement_is_counted(total in 3u32..18, each in 1u32..6, common in 0u32..18) {
            let (each, common) = (each.min(total), common.min(total));
            let family = GridSquares::new(total).unwrap().each(each).unwrap();
            // All sets of t squares, and those among the first c.
            let sets = (0u32..1 << total).filter(|set| set.count_ones() == each);
            let (all, within) = sets.fold((0, 0), |(all, within), set| {
                (all + 1, within + u32::from(set >> common == 0))
            });
            let wanted = f64::from(within) / f64::from(all);
            prop_assert!((family.agreement(common).value() - wanted).abs() < 1e-12);
        }

        #[test]
        fn distances_of_whole_squares_are_exact(total in 3u32..=Squares::MAX, common in 0u32..=Squares::MAX) {
            let common = common.min(total);
            let family = GridSquares::new(total).unwrap();
            let distance = 1.0 - f64::from(common) / f64::from(total);
            let exact = Bounds::exact(family.agreement(common));
            prop_assert_eq!(family.collision(distance), exact);
        }
    }

    #[test]
    fn between_whole_squares_there_are_bounds() {
        let family = GridSquares::new(10).unwrap();
        let between = family.collision(0.55);
        assert_eq!(between.lower(), family.agreement(4));
        assert_eq!(between.upper(), family.agreement(5));
        let never = Bounds::exact(Probability::NEVER);
        assert_eq!([family.collision(1.0), family.collision(2.0)], [never; 2]);
        assert_eq!(family.collision(0.0).lower(), Probability::CERTAIN);
    }

    #[test]
    fn an_and_is_a_function_of_more_squares() {
        let family = GridSquares::new(20).unwrap();
        assert_eq!(family.fused(6), Some(family.each(18).unwrap()));
        assert_eq!(family.fused(7), None);
        assert_eq!(family.fused(u32::MAX), None);
        assert!(family.each(0).is_err() && family.each(21).is_err());
        assert!(GridSquares::new(2).is_err() && GridSquares::new(Squares::MAX + 1).is_err());
    }

    #[test]
    #[should_panic(expected = "on the grid that the functions expect")]
    fn another_grid_is_a_mistake() {
        let functions = GridSquares::new(64).unwrap().draw(1, 0);
        let print = Squares::none(65).unwrap();
        functions.hash_into(&print, &mut Default::default(), &mut [None]);
    }

    #[test]
    fn value_stability() {
        let functions = GridSquares::new(1024).unwrap().draw(3, 7);
        let squares: Vec<&[u32]> = functions.squares().collect();
        assert_eq!(squares, [[855, 961, 636], [535, 620, 783], [101, 868, 409]]);
    }
}
