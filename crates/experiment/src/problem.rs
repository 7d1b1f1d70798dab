use std::ops::Range;

use lookalike_engine::{Id, Pair};

/// Which pairs there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Problem {
    /// All pairs of so many items.
    ManyToMany { items: Id },
    /// The first items are stored; each of the others is asked of them.
    ManyToOne { stored: Id, items: Id },
}

impl Problem {
    /// Of so many items, of which the last ones may be queries. `None`: none would be stored, or none asked.
    pub(crate) fn new(items: usize, queries: Option<u32>) -> Option<Self> {
        let items = items as Id;
        match queries {
            None => Some(Self::ManyToMany { items }),
            Some(queries) => {
                let stored = items.checked_sub(queries)?;
                if stored == 0 || queries == 0 {
                    return None;
                }
                Some(Self::ManyToOne { stored, items })
            }
        }
    }

    /// The items that ask: all, or the queries.
    pub(crate) fn asking(self) -> Range<Id> {
        match self {
            Self::ManyToMany { items } => 0..items,
            Self::ManyToOne { stored, items } => stored..items,
        }
    }

    /// The items that one that asks makes pairs with, maybe itself among them.
    pub(crate) fn asked(self) -> Range<Id> {
        match self {
            Self::ManyToMany { items } => 0..items,
            Self::ManyToOne { stored, .. } => 0..stored,
        }
    }

    /// Those of [`asked`](Problem::asked) with which its pairs are counted, so that every pair is once.
    pub(crate) fn partners(self, asking: Id) -> Range<Id> {
        match self {
            Self::ManyToMany { items } => asking + 1..items,
            Self::ManyToOne { stored, .. } => 0..stored,
        }
    }

    /// How many items that ask are in a pair.
    pub(crate) fn askers(self) -> u32 {
        match self {
            Self::ManyToMany { .. } => 2,
            Self::ManyToOne { .. } => 1,
        }
    }

    /// How many pairs there are.
    pub(crate) fn pairs(self) -> u64 {
        match self {
            Self::ManyToMany { items } => u64::from(items) * u64::from(items.saturating_sub(1)) / 2,
            Self::ManyToOne { stored, items } => u64::from(stored) * u64::from(items - stored),
        }
    }

    /// Whether that is one of them.
    pub(crate) fn has(self, pair: Pair) -> bool {
        match self {
            Self::ManyToMany { items } => pair.b() < items,
            Self::ManyToOne { stored, items } => {
                (stored..items).contains(&pair.b()) && pair.a() < stored
            }
        }
    }

    /// All of them.
    pub(crate) fn all(self) -> impl Iterator<Item = Pair> {
        let pairs = move |asking: Id| {
            let partners = self.partners(asking);
            partners.filter_map(move |partner| Pair::new(asking, partner))
        };
        self.asking().flat_map(pairs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_counted_once() {
        for (items, queries) in [(0, None), (1, None), (5, None), (7, Some(3))] {
            let problem = Problem::new(items, queries).unwrap();
            let mut pairs: Vec<Pair> = problem.all().collect();
            assert_eq!(pairs.len() as u64, problem.pairs());
            pairs.sort_unstable();
            pairs.dedup();
            assert_eq!(pairs.len() as u64, problem.pairs());
            let every = (0..items as Id).flat_map(|b| (0..b).map(move |a| Pair::ordered(a, b)));
            let of_problem = every.filter(|pair| problem.has(*pair));
            assert_eq!(of_problem.count() as u64, problem.pairs());
        }
    }

    #[test]
    fn queries_are_asked_of_the_stored_alone() {
        let problem = Problem::new(7, Some(3)).unwrap();
        assert_eq!((problem.asking(), problem.asked()), (4..7, 0..4));
        assert!(problem.has(Pair::ordered(3, 4)));
        assert!(!problem.has(Pair::ordered(4, 5)) && !problem.has(Pair::ordered(0, 3)));
        assert_eq!(
            [Problem::new(3, Some(3)), Problem::new(3, Some(4))],
            [None; 2]
        );
    }
}
