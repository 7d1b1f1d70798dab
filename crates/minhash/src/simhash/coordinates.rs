use std::fmt::Debug;

use crate::{Elements, Weights};

/// How an item becomes a vector: which elements it has, and the coordinate of each.
pub trait Coordinates: Debug + Clone + Send + Sync {
    /// What becomes a vector.
    type Item: ?Sized;
    /// Memory to be used again from item to item.
    type Scratch: Default + Send;

    /// Hands the hashes of elements to `take`, those with one coordinate together. The coordinates of an element that
    /// comes several times add up; without elements nothing comes.
    fn visit(
        &self,
        item: &Self::Item,
        scratch: &mut Self::Scratch,
        take: &mut dyn FnMut(&[u64], f64),
    );

    /// The least and the largest cosine that two items at a similarity can have, if the similarity says anything.
    fn cosines(&self, similarity: f64) -> Option<(f64, f64)>;
}

/// Sets: each element has the coordinate 1, or, with counts, the number of its occurrences.
///
/// The cosine of two sets lies between 2J/(1+J), where both have the same size, and √J, where one is part of the other.
/// With counts nothing is known: a word that one text repeats moves the cosine and not the Jaccard similarity.
#[derive(Clone, Debug)]
pub struct SetCoordinates<E> {
    elements: E,
    counts: bool,
}

impl<E> SetCoordinates<E> {
    /// The coordinates of sets of these elements.
    #[must_use]
    pub fn new(elements: E) -> Self {
        Self {
            elements,
            counts: false,
        }
    }

    /// The same elements, each as often as it occurs.
    #[must_use]
    pub fn counted(self) -> Self {
        Self {
            counts: true,
            ..self
        }
    }
}

impl<E: Elements> Coordinates for SetCoordinates<E> {
    type Item = E::Item;
    type Scratch = (E::Scratch, Vec<u64>);

    fn visit(
        &self,
        item: &E::Item,
        (scratch, set): &mut Self::Scratch,
        take: &mut dyn FnMut(&[u64], f64),
    ) {
        if self.counts {
            let mut each = |piece: &[u64]| take(piece, 1.0);
            return self.elements.visit(item, scratch, &mut each);
        }
        set.clear();
        self.elements.collect(item, scratch, set);
        set.sort_unstable();
        set.dedup();
        if !set.is_empty() {
            take(set, 1.0);
        }
    }

    fn cosines(&self, similarity: f64) -> Option<(f64, f64)> {
        let same_size = 2.0 * similarity / (1.0 + similarity);
        (!self.counts).then(|| (same_size, similarity.sqrt()))
    }
}

/// Weighted sets: the coordinate of an element is the square root of its weight.
///
/// With the roots the cosine of two weighted sets is at least 2J/(1+J): Σ√(vw) ≥ Σ min(v, w), and √(Σv·Σw) is at most
/// half of Σv + Σw = Σ min + Σ max. It may be 1 at any J > 0, since a multiple of a set points where the set does. With
/// the weights themselves nothing would be known: one heavy element makes every cosine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeightCoordinates;

impl Coordinates for WeightCoordinates {
    type Item = Weights;
    type Scratch = ();

    fn visit(&self, item: &Weights, (): &mut (), take: &mut dyn FnMut(&[u64], f64)) {
        for &(element, weight) in item.pairs() {
            take(&[lookalike_core::mix(element)], weight.sqrt());
        }
    }

    fn cosines(&self, similarity: f64) -> Option<(f64, f64)> {
        let least = 2.0 * similarity / (1.0 + similarity);
        Some((least, if similarity > 0.0 { 1.0 } else { 0.0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Hashes, WeightedJaccard, similarity};
    use lookalike_core::Metric;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    /// The vector of an item.
    fn vector<C: Coordinates>(coordinates: &C, item: &C::Item) -> BTreeMap<u64, f64> {
        let mut vector = BTreeMap::new();
        coordinates.visit(
            item,
            &mut C::Scratch::default(),
            &mut |elements, coordinate| {
                for &element in elements {
                    *vector.entry(element).or_default() += coordinate;
                }
            },
        );
        vector
    }

    fn cosine(a: &BTreeMap<u64, f64>, b: &BTreeMap<u64, f64>) -> f64 {
        let dot = |a: &BTreeMap<u64, f64>, b: &BTreeMap<u64, f64>| -> f64 {
            let common = a.iter().filter_map(|(x, v)| Some(v * b.get(x)?));
            common.sum()
        };
        dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()
    }

    proptest! {
        #[test]
        fn cosines_of_sets_lie_within_the_bounds(
            a in prop::collection::btree_set(0u64..20, 1..15),
            b in prop::collection::btree_set(0u64..20, 1..15),
        ) {
            let [a, b] = [a, b].map(|set| set.into_iter().collect::<Vec<u64>>());
            let sets = SetCoordinates::new(Hashes);
            let found = cosine(&vector(&sets, &a), &vector(&sets, &b));
            let (least, most) = sets.cosines(similarity(&a, &b)).unwrap();
            prop_assert!((least - 1e-12..=most + 1e-12).contains(&found), "{least} {found} {most}");
        }

        #[test]
        fn cosines_of_weighted_sets_lie_within_the_bounds(
            a in prop::collection::btree_map(0u64..8, 0.01f64..100.0, 1..8),
            b in prop::collection::btree_map(0u64..8, 0.01f64..100.0, 1..8),
        ) {
            let [a, b] = [a, b].map(|weights| Weights::new(weights).unwrap());
            let found = cosine(&vector(&WeightCoordinates, &a), &vector(&WeightCoordinates, &b));
            let similarity = 1.0 - WeightedJaccard.distance(&a, &b);
            let (least, most) = WeightCoordinates.cosines(similarity).unwrap();
            prop_assert!((least - 1e-9..=most + 1e-9).contains(&found), "{least} {found} {most}");
        }
    }

    #[test]
    fn an_element_counts_once_or_as_often_as_it_occurs() {
        let item = [7, 9, 7, 7];
        let once = vector(&SetCoordinates::new(Hashes), &item);
        assert_eq!(once, BTreeMap::from([(7, 1.0), (9, 1.0)]));
        let counted = SetCoordinates::new(Hashes).counted();
        let counts = vector(&counted, &item);
        assert_eq!(counts, BTreeMap::from([(7, 3.0), (9, 1.0)]));
        assert_eq!(counted.cosines(0.5), None);
        assert!(vector(&SetCoordinates::new(Hashes), &[]).is_empty());
    }
}
