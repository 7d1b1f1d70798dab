use lookalike_core::Metric;

use crate::{Elements, intersection};

/// How many rows of two columns hold (1,1), (1,0) and (0,1): the textbook's types a, b and c.
///
/// J = a/(a+b+c). Rows of type d, (0,0), do not count; how many there are depends on the
/// universe: [`d`](Counts::d).
///
/// ```
/// use lookalike_minhash::Counts;
///
/// let counts = Counts::of(&[0, 1, 4, 5, 6], &[0, 1, 2, 5]); // 1100111 and 1110010
/// assert_eq!(counts, Counts { a: 3, b: 2, c: 1 });
/// assert_eq!(counts.similarity(), 0.5);
/// assert_eq!(counts.d(7), Some(1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Elements of both.
    pub a: usize,
    /// Elements of the first alone.
    pub b: usize,
    /// Elements of the second alone.
    pub c: usize,
}

impl Counts {
    /// Of two ascending slices without repeats.
    #[must_use]
    pub fn of(first: &[u64], second: &[u64]) -> Self {
        let a = intersection::at_least(first, second, 0).unwrap_or(0);
        Self::with(a, first, second)
    }

    fn with(a: usize, first: &[u64], second: &[u64]) -> Self {
        Self {
            a,
            b: first.len() - a,
            c: second.len() - a,
        }
    }

    /// Rows that hold neither, in a universe of this many; `None` if it is smaller than the union.
    #[must_use]
    pub fn d(self, universe: usize) -> Option<usize> {
        universe.checked_sub(self.union())
    }

    /// |S ∪ T| = a + b + c.
    #[must_use]
    pub fn union(self) -> usize {
        self.a + self.b + self.c
    }

    /// J = a/(a+b+c); 1 for two empty sets, which are equal.
    #[must_use]
    pub fn similarity(self) -> f64 {
        match self.union() {
            0 => 1.0,
            union => self.a as f64 / union as f64,
        }
    }

    /// 1 − J = (b+c)/(a+b+c).
    #[must_use]
    pub fn distance(self) -> f64 {
        // Not 1 − a/(a+b+c), which loses the last digits of a small distance.
        match self.union() {
            0 => 0.0,
            union => (self.b + self.c) as f64 / union as f64,
        }
    }
}

/// The Jaccard similarity of two sets, |S ∩ T| / |S ∪ T|, as ascending slices without repeats.
///
/// Two empty sets are equal: 1.
///
/// ```
/// use lookalike_minhash::similarity;
///
/// assert_eq!(similarity(&[1, 2, 3, 4, 5, 6], &[3, 4, 5, 6, 7, 8]), 0.5);
/// ```
#[must_use]
pub fn similarity(a: &[u64], b: &[u64]) -> f64 {
    Counts::of(a, b).similarity()
}

/// The Jaccard distance of items, 1 − |S ∩ T| / |S ∪ T| of their sets of elements.
///
/// A metric. Two empty items are equal, hence at distance 0; nevertheless no family of this crate
/// nominates them, as an empty set has no minimum and no bucket.
///
/// ```
/// use lookalike_core::Metric;
/// use lookalike_minhash::{Integers, Jaccard};
///
/// let jaccard = Jaccard::new(Integers);
/// let [s, t] = [[1, 4], [2, 4]].map(|set| jaccard.prepare(&set));
/// assert_eq!(jaccard.distance(&s, &t), 2.0 / 3.0);
/// assert_eq!(jaccard.within(&s, &t, 0.5), None);
/// ```
///
/// The textbook's section on distance measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Jaccard<E> {
    elements: E,
}

impl<E: Elements> Jaccard<E> {
    /// The distance of the sets that `elements` makes of items.
    pub fn new(elements: E) -> Self {
        Self { elements }
    }
}

impl<E: Elements> Metric for Jaccard<E> {
    type Item = E::Item;
    /// The set: ascending, each element once.
    type Prepared = Vec<u64>;

    fn prepare(&self, item: &E::Item) -> Vec<u64> {
        self.elements.set(item, &mut E::Scratch::default())
    }

    fn distance(&self, a: &Vec<u64>, b: &Vec<u64>) -> f64 {
        Counts::of(a, b).distance()
    }

    /// Stops when the elements that are left cannot bring the sets near enough.
    fn within(&self, a: &Vec<u64>, b: &Vec<u64>, limit: f64) -> Option<f64> {
        // 1 − c/(n−c) ≤ limit where c ≥ n(1−limit)/(2−limit), n = |S| + |T|. Rounded down: the last
        // word is the distance's.
        let needed = if limit < 1.0 {
            ((a.len() + b.len()) as f64 * (1.0 - limit) / (2.0 - limit)) as usize
        } else {
            0
        };
        let common = intersection::at_least(a, b, needed)?;
        let distance = Counts::with(common, a, b).distance();
        (distance <= limit).then_some(distance)
    }

    fn is_empty(&self, set: &Vec<u64>) -> bool {
        set.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Integers;
    use lookalike_core::conformance::metric_axioms;
    use proptest::{
        collection::{btree_set, vec},
        prelude::*,
    };

    #[test]
    fn empty_sets() {
        assert_eq!(similarity(&[], &[]), 1.0);
        assert_eq!(similarity(&[], &[1]), 0.0);
        let jaccard = Jaccard::new(Integers);
        assert_eq!(jaccard.within(&vec![], &vec![], 0.0), Some(0.0));
        assert_eq!(jaccard.within(&vec![], &vec![1], 0.99), None);
        assert_eq!(jaccard.within(&vec![], &vec![1], 1.0), Some(1.0));
        assert_eq!(Counts::default().d(3), Some(3));
        assert_eq!(Counts::of(&[1, 2], &[3]).d(2), None);
    }

    proptest! {
        #[test]
        fn it_is_the_definition(a in btree_set(0u64..60, 0..40), b in btree_set(0u64..60, 0..40)) {
            let (both, either) = (a.intersection(&b).count(), a.union(&b).count());
            let [only_a, only_b] = [&a - &b, &b - &a].map(|set| set.len());
            let [s, t] = [&a, &b].map(|set| set.iter().copied().collect::<Vec<_>>());
            let counts = Counts::of(&s, &t);
            prop_assert_eq!(counts, Counts { a: both, b: only_a, c: only_b });
            prop_assert_eq!(counts.union(), either);
            let expected = if either == 0 { 1.0 } else { both as f64 / either as f64 };
            prop_assert_eq!(similarity(&s, &t), expected);
            // The same through the metric, whatever the order and the repeats.
            let jaccard = Jaccard::new(Integers);
            let twice = [&s[..], &s[..]].concat();
            let distance = jaccard.distance(&jaccard.prepare(&twice), &jaccard.prepare(&t));
            prop_assert_eq!(distance, counts.distance());
        }

        #[test]
        fn within_is_the_distance_within_the_limit(
            a in btree_set(0u64..90, 0..80), b in btree_set(0u64..90, 0..80), near in -3i64..=3, limit: f64,
        ) {
            let jaccard = Jaccard::new(Integers);
            let [a, b] = [a, b].map(Vec::from_iter);
            let distance = jaccard.distance(&a, &b);
            // Limits at the distance itself and next to it, and anywhere.
            let beside = f64::from_bits(distance.to_bits().saturating_add_signed(near));
            for limit in [limit, beside, distance, 0.3, 1.0, 2.0, -0.1] {
                let expected = (distance <= limit).then_some(distance);
                prop_assert_eq!(jaccard.within(&a, &b, limit), expected, "{}", limit);
            }
        }

        #[test]
        fn it_keeps_the_axioms(sets in vec(btree_set(0u64..8, 0..8), 1..8)) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(Vec::from_iter).collect();
            prop_assert_eq!(metric_axioms(&Jaccard::new(Integers), &sets), Ok(()));
        }

        /// AND is the intersection, OR the union.
        #[test]
        fn bit_vectors(a: u64, b: u64) {
            let set = |bits: u64| (0..64).filter(|i| bits >> i & 1 == 1).collect::<Vec<u64>>();
            let counts = Counts::of(&set(a), &set(b));
            prop_assert_eq!(counts.a as u32, (a & b).count_ones());
            prop_assert_eq!(counts.union() as u32, (a | b).count_ones());
        }
    }
}
