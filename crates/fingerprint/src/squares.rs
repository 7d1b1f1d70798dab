use std::fmt;

use bitvec::prelude::*;

use crate::Error;

/// A print as a set of grid squares: those that hold minutiae.
///
/// Square i is bit i mod 64 of word i / 64; what a last word has to spare is 0. [`Grid`](crate::Grid) makes it of a
/// template, [`Model`](crate::Model) draws it.
///
/// ```
/// use bitvec::prelude::*;
/// use lookalike_fingerprint::Squares;
///
/// let mut print = Squares::none(100)?;
/// print.insert(3);
/// print.insert(99);
/// assert_eq!(print.words(), [1 << 3, 1 << 35]);
/// assert!(print.elements().eq([3, 99]));
/// assert_eq!(Squares::from_bits(print.bits())?, print);
/// # Ok::<(), lookalike_fingerprint::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Squares {
    total: u32,
    words: Box<[u64]>,
}

impl Squares {
    /// The most squares: 4096 × 4096.
    pub const MAX: u32 = 1 << 24;

    /// No square out of so many.
    pub fn none(total: u32) -> Result<Self, Error> {
        if !(1..=Self::MAX).contains(&total) {
            let expected = format!("from 1 to {}", Self::MAX);
            return Err(Error::parameter("the number of squares", total, expected));
        }
        Ok(Self {
            total,
            words: vec![0; total.div_ceil(64) as usize].into(),
        })
    }

    /// A square for each bit, held by the print where the bit is set.
    pub fn from_bits(bits: &BitSlice<u64, Lsb0>) -> Result<Self, Error> {
        let mut squares = Self::none(u32::try_from(bits.len()).unwrap_or(u32::MAX))?;
        let words = BitSlice::<u64, Lsb0>::from_slice_mut(&mut squares.words);
        words[..bits.len()].copy_from_bitslice(bits);
        Ok(squares)
    }

    /// A bit for each square.
    #[must_use]
    pub fn bits(&self) -> &BitSlice<u64, Lsb0> {
        &BitSlice::from_slice(&self.words)[..self.total as usize]
    }

    /// The bits in words.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// All squares of the grid, N.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.total
    }

    /// The squares that hold minutiae.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Adds a square.
    ///
    /// # Panics
    /// If the grid has no such square.
    pub fn insert(&mut self, square: u32) {
        assert!(square < self.total, "square {square} of {}", self.total);
        self.words[square as usize / 64] |= 1 << (square % 64);
    }

    /// Whether the square holds minutiae.
    ///
    /// # Panics
    /// If the grid has no such square.
    #[must_use]
    pub fn contains(&self, square: u32) -> bool {
        assert!(square < self.total, "square {square} of {}", self.total);
        self.words[square as usize / 64] >> (square % 64) & 1 == 1
    }

    /// The numbers of the squares that hold minutiae, ascending: a set of integers, as minhash takes them.
    pub fn elements(&self) -> impl Iterator<Item = u64> {
        (0..).zip(&self.words).flat_map(|(place, &word)| {
            let rest = std::iter::successors(Some(word), |rest| Some(rest & (rest - 1)));
            let rest = rest.take(word.count_ones() as usize);
            rest.map(move |rest| place * 64 + u64::from(rest.trailing_zeros()))
        })
    }

    /// How many squares hold minutiae of both prints, c.
    ///
    /// # Panics
    /// If the prints have different numbers of squares.
    #[must_use]
    pub fn common(&self, other: &Self) -> u32 {
        assert_eq!(self.total, other.total, "prints on one grid");
        let both = self.words.iter().zip(&other.words);
        both.map(|(a, b)| (a & b).count_ones()).sum()
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} squares ", self.count(), self.total)?;
        f.debug_set().entries(self.elements()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        #[test]
        fn it_is_a_set(
            total in 1u32..300,
            a in prop::collection::btree_set(0u32..300, 0..80),
            b in prop::collection::btree_set(0u32..300, 0..80),
        ) {
            let squares = |set: &BTreeSet<u32>| {
                let mut squares = Squares::none(total).unwrap();
                set.range(..total).for_each(|&square| squares.insert(square));
                squares
            };
            let (of_a, of_b) = (squares(&a), squares(&b));
            let (a, b): (BTreeSet<u32>, BTreeSet<u32>) =
                (a.range(..total).copied().collect(), b.range(..total).copied().collect());
            prop_assert!(of_a.elements().eq(a.iter().map(|&square| u64::from(square))));
            prop_assert_eq!(of_a.count() as usize, a.len());
            prop_assert_eq!(of_a.common(&of_b) as usize, a.intersection(&b).count());
            for square in 0..total {
                prop_assert_eq!(of_a.contains(square), a.contains(&square));
            }
            prop_assert_eq!(of_a.bits().len(), total as usize);
            prop_assert_eq!(&Squares::from_bits(of_a.bits()).unwrap(), &of_a);
        }
    }

    #[test]
    fn bits_may_start_anywhere() {
        let bits = bitvec![u64, Lsb0; 1; 200];
        let squares = Squares::from_bits(&bits[3..73]).unwrap();
        assert_eq!(squares.words(), [u64::MAX, (1 << 6) - 1]);
    }

    #[test]
    fn there_are_from_one_to_many() {
        assert!(Squares::none(0).is_err() && Squares::none(Squares::MAX + 1).is_err());
        assert!(Squares::from_bits(BitSlice::empty()).is_err());
        let message = Squares::none(0).unwrap_err().to_string();
        assert_eq!(
            message,
            "the number of squares is 0, but must be from 1 to 16777216"
        );
    }
}
