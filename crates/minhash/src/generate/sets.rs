use lookalike_core::{mix, random};

use crate::Error;

/// Two sets of integers and their exact similarity.
#[derive(Clone, Debug, PartialEq)]
pub struct SetPair {
    a: Vec<u64>,
    b: Vec<u64>,
    similarity: f64,
}

impl SetPair {
    /// The first set, ascending.
    #[must_use]
    pub fn a(&self) -> &[u64] {
        &self.a
    }

    /// The second set, ascending.
    #[must_use]
    pub fn b(&self) -> &[u64] {
        &self.b
    }

    /// Their Jaccard similarity, exactly.
    #[must_use]
    pub fn similarity(&self) -> f64 {
        self.similarity
    }

    /// Both sets.
    #[must_use]
    pub fn into_sets(self) -> (Vec<u64>, Vec<u64>) {
        (self.a, self.b)
    }
}

/// Two sets of `n` integers each with a Jaccard similarity as near to the given one as can be.
///
/// c = round(2nJ/(1+J)) elements are common, and the similarity is c/(2n−c). Two empty sets are equal.
///
/// ```
/// use lookalike_minhash::{generate::sets_with, similarity};
///
/// let pair = sets_with(90, 0.8, 7)?; // 80 of 100
/// assert_eq!(pair.similarity(), 0.8);
/// assert_eq!(similarity(pair.a(), pair.b()), 0.8);
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
pub fn sets_with(n: usize, similarity: f64, seed: u64) -> Result<SetPair, Error> {
    let common = common_of(n, similarity)?;
    let start = random::stream(seed, 0).next_u64();
    // Mixing is a bijection: no two are equal.
    let element = |i: usize| mix(start.wrapping_add(i as u64));
    let mut a: Vec<u64> = (0..n).map(element).collect();
    let mut b: Vec<u64> = (n - common..2 * n - common).map(element).collect();
    a.sort_unstable();
    b.sort_unstable();
    let union = 2 * n - common;
    let similarity = if union == 0 {
        1.0
    } else {
        common as f64 / union as f64
    };
    Ok(SetPair { a, b, similarity })
}

/// Two sets of integers that have `common` of `union` elements in common: their similarity is common/union.
///
/// The others are shared out as evenly as can be.
///
/// ```
/// use lookalike_minhash::generate::sets_in;
///
/// let pair = sets_in(100, 30, 7)?;
/// assert_eq!((pair.a().len(), pair.b().len(), pair.similarity()), (65, 65, 0.3));
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
pub fn sets_in(union: usize, common: usize, seed: u64) -> Result<SetPair, Error> {
    if common > union || union == 0 {
        let expected = format!("at most the union, which must not be empty: {union}");
        return Err(Error::parameter("common", common, expected));
    }
    let start = random::stream(seed, 0).next_u64();
    let element = |i: usize| mix(start.wrapping_add(i as u64));
    let only_a = (union - common) / 2;
    let mut a: Vec<u64> = (0..common + only_a).map(element).collect();
    let mut b: Vec<u64> = (0..common)
        .chain(common + only_a..union)
        .map(element)
        .collect();
    a.sort_unstable();
    b.sort_unstable();
    let similarity = common as f64 / union as f64;
    Ok(SetPair { a, b, similarity })
}

/// How many elements two sets of `n` have in common at this similarity.
pub(super) fn common_of(n: usize, similarity: f64) -> Result<usize, Error> {
    if !(0.0..=1.0).contains(&similarity) {
        return Err(Error::parameter("similarity", similarity, "from 0 to 1"));
    }
    Ok((2.0 * n as f64 * similarity / (1.0 + similarity)).round() as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Counts;
    use proptest::prelude::*;

    #[test]
    fn value_stability() {
        let pair = sets_with(2, 0.33, 7).unwrap();
        assert_eq!(pair.a(), [3780256291838886228, 17343173954218868718]);
        assert_eq!(pair.b(), [3780256291838886228, 6487983926768953197]);
    }

    #[test]
    fn a_similarity_is_from_0_to_1() {
        for wrong in [-0.1, 1.1, f64::NAN] {
            assert!(sets_with(10, wrong, 0).is_err());
        }
        assert_eq!(sets_with(0, 0.5, 0).unwrap().similarity(), 1.0);
    }

    #[test]
    fn a_share_of_a_union_is_exact() {
        for (union, common) in [(1, 0), (1, 1), (100, 30), (101, 30), (7, 7)] {
            let pair = sets_in(union, common, 3).unwrap();
            let counts = Counts::of(pair.a(), pair.b());
            assert_eq!((counts.a, counts.union()), (common, union));
            assert!(counts.b.abs_diff(counts.c) <= 1);
            assert_eq!(counts.similarity(), pair.similarity());
        }
        assert!(sets_in(3, 4, 0).is_err() && sets_in(0, 0, 0).is_err());
    }

    proptest! {
        #[test]
        fn the_similarity_is_exact_and_the_nearest(n in 1usize..200, wanted in 0.0f64..=1.0, seed: u64) {
            let pair = sets_with(n, wanted, seed).unwrap();
            let ascending = |set: &[u64]| set.windows(2).all(|two| two[0] < two[1]);
            prop_assert!(ascending(pair.a()) && ascending(pair.b()));
            prop_assert_eq!((pair.a().len(), pair.b().len()), (n, n));
            let counts = Counts::of(pair.a(), pair.b());
            prop_assert_eq!(counts.similarity(), pair.similarity());
            // No other number of common elements is nearer, but for the rounding of the formula.
            let nearest = (0..=n)
                .map(|c| (c as f64 / (2 * n - c) as f64 - wanted).abs())
                .fold(f64::INFINITY, f64::min);
            let step = 2.0 / n as f64;
            prop_assert!((pair.similarity() - wanted).abs() <= nearest + step * step);
        }
    }
}
