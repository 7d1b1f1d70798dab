use std::{cmp::Reverse, collections::BinaryHeap};

/// A change of one answer, and what it costs: the less, the likelier a neighbour has it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Change {
    /// The function among those of the table.
    pub(super) row: usize,
    pub(super) cost: f64,
    /// What stands for the new answer.
    pub(super) answer: usize,
}

/// Costs are never NaN: a total order.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cost(f64);

impl Eq for Cost {}

impl PartialOrd for Cost {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Cost {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

/// Sorts the changes of a table, and visits the `most` cheapest sets of them in the order of their sums, each set with at
/// most one change a row. The first set is empty: the table's own key.
///
/// A heap holds sets by their sum; a set that is taken out is followed by two, in which the last change is replaced by
/// the next one, or is joined by it (Q. Lv, W. Josephson, Z. Wang, M. Charikar and K. Li, 2007). The next one is the
/// first whose row the set does not change yet, so no set is made that is not visited.
pub(super) fn cheapest_sets(
    changes: &mut Vec<Change>,
    most: usize,
    mut visit: impl FnMut(&[Change]),
) {
    if most == 0 {
        return;
    }
    visit(&[]);
    changes.sort_by(|a, b| a.cost.total_cmp(&b.cost));
    // Each single change is a set, so the set at place n has none but the first n changes.
    changes.truncate(most - 1);
    let mut waiting: BinaryHeap<Reverse<(Cost, Vec<usize>)>> = BinaryHeap::new();
    if let Some(first) = changes.first() {
        waiting.push(Reverse((Cost(first.cost), vec![0])));
    }
    let next_after = |last: usize, places: &[usize]| {
        let is_free = |place: &usize| {
            let row = changes[*place].row;
            places.iter().all(|&other| changes[other].row != row)
        };
        (last + 1..changes.len()).find(is_free)
    };
    let mut set: Vec<Change> = Vec::new();
    for _ in 1..most {
        let Some(Reverse((cost, mut places))) = waiting.pop() else {
            return;
        };
        set.clear();
        set.extend(places.iter().map(|&place| changes[place]));
        visit(&set);
        let last = places[places.len() - 1];
        if let Some(next) = next_after(last, &places) {
            let mut joined = places.clone();
            joined.push(next);
            waiting.push(Reverse((Cost(cost.0 + changes[next].cost), joined)));
        }
        places.pop();
        if let Some(next) = next_after(last, &places) {
            places.push(next);
            let replaced: f64 = places.iter().map(|&place| changes[place].cost).sum();
            waiting.push(Reverse((Cost(replaced), places)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sets_come_in_the_order_of_their_sums(
            costs in prop::collection::vec((0usize..4, 0.0f64..1.0), 0..9), most in 0usize..40,
        ) {
            let mut changes: Vec<Change> = costs
                .iter()
                .enumerate()
                .map(|(answer, &(row, cost))| Change { row, cost, answer })
                .collect();
            let mut all: Vec<f64> = Vec::new();
            for set in 0u32..1 << changes.len() {
                let chosen = changes.iter().filter(|change| set >> change.answer & 1 == 1);
                let mut rows: Vec<usize> = chosen.clone().map(|change| change.row).collect();
                rows.sort_unstable();
                if rows.windows(2).all(|two| two[0] != two[1]) {
                    all.push(chosen.map(|change| change.cost).sum());
                }
            }
            all.sort_by(f64::total_cmp);
            all.truncate(most);
            let (mut found, mut sets) = (Vec::new(), std::collections::BTreeSet::new());
            cheapest_sets(&mut changes, most, |set| {
                found.push(set.iter().map(|change| change.cost).sum::<f64>());
                let mut answers: Vec<usize> = set.iter().map(|change| change.answer).collect();
                answers.sort_unstable();
                sets.insert(answers);
            });
            prop_assert_eq!(found.len(), all.len());
            prop_assert_eq!(sets.len(), all.len(), "each set once");
            for (found, expected) in found.iter().zip(&all) {
                prop_assert!((found - expected).abs() < 1e-9);
            }
        }
    }
}
