//! What the neighbours of a query say about it: a vote for classes, a mean for numbers.
//!
//! Every neighbour counts the same. Weights by distance were rejected: they would need a scale for each measure.

use hashbrown::HashMap;

/// The class that most neighbours have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vote {
    /// The label, by its number.
    pub label: u32,
    /// Neighbours that have it.
    pub votes: usize,
    /// All neighbours.
    pub neighbours: usize,
}

impl Vote {
    /// The most frequent label of neighbours that come nearest first; `None` without neighbours. Of labels with equally many
    /// votes, the one of the nearest neighbour wins.
    ///
    /// ```
    /// use lookalike_search::Vote;
    ///
    /// assert_eq!(Vote::of([1, 0, 0]), Some(Vote { label: 0, votes: 2, neighbours: 3 }));
    /// assert_eq!(Vote::of([1, 0, 0, 1]).unwrap().label, 1);
    /// assert_eq!(Vote::of([]), None);
    /// ```
    #[must_use]
    pub fn of(nearest_first: impl IntoIterator<Item = u32>) -> Option<Vote> {
        let mut counts: HashMap<u32, (usize, usize)> = HashMap::new();
        let mut neighbours = 0;
        for label in nearest_first {
            let (votes, _) = counts.entry(label).or_insert((0, neighbours));
            *votes += 1;
            neighbours += 1;
        }
        let most = |(_, (votes, first)): &(&u32, &(usize, usize))| (*votes, usize::MAX - first);
        let (&label, &(votes, _)) = counts.iter().max_by_key(most)?;
        Some(Self {
            label,
            votes,
            neighbours,
        })
    }
}

/// The mean of the numbers of neighbours; `None` without neighbours.
///
/// ```
/// assert_eq!(lookalike_search::neighbour_mean([1.0, 2.0, 6.0]), Some(3.0));
/// assert_eq!(lookalike_search::neighbour_mean([]), None);
/// ```
#[must_use]
pub fn neighbour_mean(numbers: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0u32);
    for number in numbers {
        sum += number;
        count += 1;
    }
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// By the plain definition: no label has more votes, and none with as many comes earlier.
        #[test]
        fn the_most_frequent_label_wins(labels in prop::collection::vec(0u32..5, 1..20)) {
            let found = Vote::of(labels.iter().copied()).unwrap();
            let count = |label: u32| labels.iter().filter(|it| **it == label).count();
            let first = |label: u32| labels.iter().position(|it| *it == label);
            prop_assert_eq!(found.neighbours, labels.len());
            prop_assert_eq!(found.votes, count(found.label));
            for &other in &labels {
                let is_less = count(other) < found.votes;
                let is_later = count(other) == found.votes && first(other) >= first(found.label);
                prop_assert!(is_less || is_later);
            }
        }
    }
}
