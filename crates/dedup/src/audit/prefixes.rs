//! Which sets may reach a threshold with another: those of which it has one of the rarest elements.
//!
//! A set that is alike enough has at least ⌈t·|A|⌉ of the elements of A, so it cannot miss all of any |A| − ⌈t·|A|⌉ + 1 of
//! them. Only so many are indexed, the rarest, so that what every page has (a header, a licence) costs nothing.

use hashbrown::HashTable;
use lookalike_core::mix;

use crate::verify::ROUNDING;

/// Sets, found by their rarest elements.
#[derive(Debug)]
pub(super) struct Prefixes {
    /// (element, where its sets start and end).
    table: HashTable<(u64, u32, u32)>,
    sets: Vec<u32>,
}

impl Prefixes {
    /// An index of sets, each ascending, for those that are alike from a threshold on.
    pub(super) fn new(sets: &[&[u64]], threshold: f64) -> Self {
        let rarity = Rarity::new(sets);
        let mut entries: Vec<(u64, u32)> = Vec::new();
        let mut by_rarity = Vec::new();
        for (number, set) in (0..).zip(sets) {
            by_rarity.clear();
            by_rarity.extend(set.iter().map(|&element| (rarity.of(element), element)));
            by_rarity.sort_unstable();
            let common = (threshold * set.len() as f64 - ROUNDING).ceil().max(1.0) as usize;
            let prefix = (set.len() + 1).saturating_sub(common);
            let prefix = by_rarity.iter().take(prefix);
            entries.extend(prefix.map(|&(_, element)| (element, number)));
        }
        entries.sort_unstable();
        let mut table = HashTable::new();
        let mut start = 0;
        for same in entries.chunk_by(|a, b| a.0 == b.0) {
            let (element, end) = (same[0].0, start + same.len() as u32);
            let hash = |entry: &(u64, u32, u32)| mix(entry.0);
            table.insert_unique(mix(element), (element, start, end), hash);
            start = end;
        }
        Self {
            table,
            sets: entries.into_iter().map(|(_, set)| set).collect(),
        }
    }

    /// The sets that have an element among their rarest.
    pub(super) fn with(&self, element: u64) -> &[u32] {
        let found = self.table.find(mix(element), |entry| entry.0 == element);
        found.map_or(&[], |&(_, start, end)| {
            &self.sets[start as usize..end as usize]
        })
    }
}

/// In how many sets an element is, at least: elements that fall on one counter are taken for one. That only makes an
/// index larger, never wrong.
#[derive(Debug)]
struct Rarity {
    counters: Vec<u32>,
}

impl Rarity {
    fn new(sets: &[&[u64]]) -> Self {
        let elements: usize = sets.iter().map(|set| set.len()).sum();
        let mut rarity = Self {
            counters: vec![0; elements.next_power_of_two().max(2)],
        };
        for &element in sets.iter().copied().flatten() {
            let place = rarity.place(element);
            rarity.counters[place] += 1;
        }
        rarity
    }

    fn place(&self, element: u64) -> usize {
        mix(element) as usize & (self.counters.len() - 1)
    }

    fn of(&self, element: u64) -> u32 {
        self.counters[self.place(element)]
    }
}

#[cfg(test)]
mod tests {
    use lookalike_minhash::Counts;
    use proptest::{collection::btree_set, prelude::*};

    use super::*;
    use crate::verify::reaches;

    #[test]
    fn what_every_set_has_is_not_indexed() {
        let header = 0..40;
        let sets: Vec<Vec<u64>> = (0..100u64)
            .map(|i| {
                header
                    .clone()
                    .chain(1000 * i + 100..1000 * i + 160)
                    .collect()
            })
            .collect();
        let sets: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
        let prefixes = Prefixes::new(&sets, 0.8);
        assert!(
            header
                .clone()
                .all(|element| prefixes.with(element).is_empty())
        );
        assert_eq!(prefixes.sets.len(), 100 * 21);
    }

    proptest! {
        #[test]
        fn no_set_that_is_alike_escapes(
            sets in prop::collection::vec(btree_set(0u64..30, 0..20), 1..12),
            threshold in prop::sample::select(vec![0.001, 0.1, 1.0 / 3.0, 0.5, 0.8, 0.9, 1.0]),
        ) {
            let sets: Vec<Vec<u64>> = sets.into_iter().map(Vec::from_iter).collect();
            let slices: Vec<&[u64]> = sets.iter().map(Vec::as_slice).collect();
            let prefixes = Prefixes::new(&slices, threshold);
            for other in sets.iter().filter(|set| !set.is_empty()) {
                for (number, set) in (0..).zip(&sets) {
                    if reaches(Counts::of(set, other), threshold) {
                        prop_assert!(other.iter().any(|&element| prefixes.with(element).contains(&number)));
                    }
                }
            }
        }
    }
}
