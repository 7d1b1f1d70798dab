use lookalike_core::Metric;

use crate::Error;

/// A weighted set: elements with positive, finite weights, in the order of the elements.
///
/// Weights of 0 are left out, since nothing tells them from an element that is not there. The weights of
/// an element that is given several times add up. A weight that is negative, infinite or not a number has
/// no meaning and is refused, with its element: to count it as absent would hide a mistake in
/// whatever computed it.
///
/// ```
/// use lookalike_minhash::Weights;
///
/// let weights = Weights::new([(7, 0.5), (3, 2.0), (9, 0.0), (7, 1.0)])?;
/// assert_eq!(weights.pairs(), [(3, 2.0), (7, 1.5)]);
/// assert!(Weights::new([(1, -1.0)]).is_err());
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Weights {
    pairs: Vec<(u64, f64)>,
}

impl Weights {
    /// From (element, weight) pairs in any order.
    pub fn new(pairs: impl IntoIterator<Item = (u64, f64)>) -> Result<Self, Error> {
        let mut pairs: Vec<(u64, f64)> = pairs.into_iter().collect();
        if let Some((element, weight)) = pairs.iter().find(|(_, w)| !(*w >= 0.0 && w.is_finite())) {
            let given = format!("{weight} (element {element})");
            return Err(Error::parameter("weight", given, "0 or more, and finite"));
        }
        // Stable, so that what adds up does so in the order given.
        pairs.sort_by_key(|&(element, _)| element);
        pairs.dedup_by(|(element, weight), (before, sum)| {
            let same = element == before;
            if same {
                *sum += *weight;
            }
            same
        });
        pairs.retain(|&(_, weight)| weight > 0.0);
        // Then no sum over two sets overflows.
        let total: f64 = pairs.iter().map(|&(_, weight)| weight).sum();
        if total > f64::MAX / 2.0 {
            let expected = "at most half of the largest number";
            return Err(Error::parameter("sum of the weights", total, expected));
        }
        Ok(Self { pairs })
    }

    /// The elements in ascending order, each with its weight.
    #[must_use]
    pub fn pairs(&self) -> &[(u64, f64)] {
        &self.pairs
    }

    /// Whether there is no element.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }
}

/// The weighted Jaccard distance 1 − Σ min(v, w) / Σ max(v, w), a metric.
///
/// Two empty sets are equal. Weights are floating-point numbers: sets that differ by less than
/// about 1e-16 of their weight come out at distance 0.
///
/// ```
/// use lookalike_core::Metric;
/// use lookalike_minhash::{Weights, WeightedJaccard};
///
/// let s = Weights::new([(1, 3.0), (2, 1.0)])?;
/// let t = Weights::new([(1, 2.0), (2, 2.0), (3, 1.0)])?;
/// assert_eq!(WeightedJaccard.distance(&s, &t), 1.0 - 3.0 / 6.0);
/// # Ok::<(), lookalike_minhash::Error>(())
/// ```
///
/// Also known as the Ruzicka distance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeightedJaccard;

impl Metric for WeightedJaccard {
    type Item = Weights;
    type Prepared = Weights;

    fn prepare(&self, item: &Weights) -> Weights {
        item.clone()
    }

    fn distance(&self, a: &Weights, b: &Weights) -> f64 {
        let (mut a, mut b) = (&a.pairs[..], &b.pairs[..]);
        // What one side has more than the other, and the larger of the two.
        let (mut apart, mut larger) = (0.0, 0.0);
        while let (Some((&(x, v), rest_a)), Some((&(y, w), rest_b))) =
            (a.split_first(), b.split_first())
        {
            let v = if x <= y { v } else { 0.0 };
            let w = if y <= x { w } else { 0.0 };
            apart += (v - w).abs();
            larger += v.max(w);
            a = if x <= y { rest_a } else { a };
            b = if y <= x { rest_b } else { b };
        }
        for &(_, weight) in a.iter().chain(b) {
            apart += weight;
            larger += weight;
        }
        if larger == 0.0 { 0.0 } else { apart / larger }
    }

    fn is_empty(&self, item: &Weights) -> bool {
        item.pairs.iter().all(|&(_, weight)| weight == 0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::conformance::metric_axioms;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    #[test]
    fn what_is_no_weight_is_refused() {
        for wrong in [-1.0, -1e-300, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let error = Weights::new([(1, 1.0), (42, wrong)])
                .unwrap_err()
                .to_string();
            assert!(error.contains("(element 42)"), "{error}");
        }
        assert!(Weights::new([(1, f64::MAX)]).is_err());
        assert!(Weights::new([(1, f64::MAX / 3.0), (2, f64::MAX / 3.0)]).is_err());
        assert!(Weights::new([(1, f64::MAX), (1, f64::MAX)]).is_err());
    }

    #[test]
    fn nothing_weighs_nothing() {
        let none = Weights::new([(1, 0.0), (2, -0.0)]).unwrap();
        assert!(none.is_empty());
        assert_eq!(none, Weights::default());
        assert_eq!(WeightedJaccard.distance(&none, &none), 0.0);
        let some = Weights::new([(1, f64::MIN_POSITIVE)]).unwrap();
        assert_eq!(WeightedJaccard.distance(&none, &some), 1.0);
    }

    fn weights() -> impl Strategy<Value = BTreeMap<u64, u32>> {
        prop::collection::btree_map(0u64..6, 0u32..5, 0..6)
    }

    proptest! {
        #[test]
        fn it_is_the_definition(a in weights(), b in weights()) {
            let of = |map: &BTreeMap<u64, u32>, x| map.get(&x).copied().unwrap_or(0);
            let minima: u32 = (0..6).map(|x| of(&a, x).min(of(&b, x))).sum();
            let maxima: u32 = (0..6).map(|x| of(&a, x).max(of(&b, x))).sum();
            let [v, w] = [&a, &b].map(|map| {
                Weights::new(map.iter().map(|(&x, &w)| (x, f64::from(w) / 4.0))).unwrap()
            });
            let expected = if maxima == 0 { 0.0 } else { f64::from(maxima - minima) / f64::from(maxima) };
            prop_assert_eq!(WeightedJaccard.distance(&v, &w), expected);
        }

        #[test]
        fn it_keeps_the_axioms(maps in prop::collection::vec(weights(), 1..8)) {
            let sets: Vec<Weights> = maps
                .iter()
                .map(|map| Weights::new(map.iter().map(|(&x, &w)| (x, f64::from(w)))).unwrap())
                .collect();
            prop_assert_eq!(metric_axioms(&WeightedJaccard, &sets), Ok(()));
        }
    }
}
