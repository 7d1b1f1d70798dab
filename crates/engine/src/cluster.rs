//! From matches to clusters: pure functions of verified pairs.
//!
//! [`star`] is the one to use. Being near is not transitive: [`components`] joins
//! everything that a chain of matches connects, and a chain of near-duplicates can
//! swallow a corpus.

use crate::{Id, Match};

/// Items that belong together.
#[derive(Clone, Debug, PartialEq)]
pub struct Cluster {
    /// The item that stands for all: the best in the order of keeping.
    pub representative: Id,
    /// The others, by id. There is at least one.
    pub members: Vec<Member>,
}

/// An item of a cluster other than its representative.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Member {
    /// The item.
    pub id: Id,
    /// Its distance from the representative, if the two are a match. In a star they always are.
    pub distance: Option<f64>,
}

/// Stars: the best item that is left becomes a representative and takes the items it matches that are left.
///
/// The best is the one with the smallest `rank`, then with the smallest id. So every
/// member matches its representative, and no two representatives match.
///
/// ```
/// use lookalike_engine::{Match, Pair, cluster::star};
///
/// // A chain 0 – 1 – 2: item 2 does not match item 0.
/// let chain = [(0, 1), (1, 2)].map(|(a, b)| Match { pair: Pair::ordered(a, b), distance: 0.1 });
/// let first = star(&chain, |_| ());
/// assert_eq!((first[0].representative, first[0].members.len()), (0, 1));
/// let middle = star(&chain, |id| id != 1);
/// assert_eq!((middle[0].representative, middle[0].members.len()), (1, 2));
/// ```
pub fn star<R: Ord>(matches: &[Match], rank: impl Fn(Id) -> R) -> Vec<Cluster> {
    collect(matches, rank, |neighbours, representative, free| {
        let mut members = Vec::new();
        for &(id, distance) in neighbours.of(representative) {
            if std::mem::replace(&mut free[id as usize], false) {
                let distance = Some(distance);
                members.push(Member { id, distance });
            }
        }
        members
    })
}

/// Connected components: everything that a chain of matches connects.
///
/// The representative of a component is its item with the smallest `rank`, then with the smallest id.
pub fn components<R: Ord>(matches: &[Match], rank: impl Fn(Id) -> R) -> Vec<Cluster> {
    collect(matches, rank, |neighbours, representative, free| {
        let mut members = Vec::new();
        let mut reached = vec![representative];
        while let Some(from) = reached.pop() {
            for &(id, distance) in neighbours.of(from) {
                if std::mem::replace(&mut free[id as usize], false) {
                    let distance = (from == representative).then_some(distance);
                    members.push(Member { id, distance });
                    reached.push(id);
                }
            }
        }
        members.sort_unstable_by_key(|member| member.id);
        members
    })
}

/// In the order of keeping, each item that is still free represents what `gather` takes of the free ones.
fn collect<R: Ord>(
    matches: &[Match],
    rank: impl Fn(Id) -> R,
    gather: impl Fn(&Neighbours, Id, &mut [bool]) -> Vec<Member>,
) -> Vec<Cluster> {
    let neighbours = Neighbours::new(matches);
    let mut free = vec![true; neighbours.ids().len()];
    let mut clusters = Vec::new();
    for representative in neighbours.by_rank(rank) {
        if std::mem::replace(&mut free[representative as usize], false) {
            let members = gather(&neighbours, representative, &mut free);
            if !members.is_empty() {
                clusters.push(Cluster {
                    representative,
                    members,
                });
            }
        }
    }
    clusters
}

/// The matches of each item, by id.
struct Neighbours {
    starts: Vec<usize>,
    of_all: Vec<(Id, f64)>,
}

impl Neighbours {
    fn new(matches: &[Match]) -> Self {
        let ids = matches
            .iter()
            .map(|m| m.pair.a().max(m.pair.b()) as usize + 1)
            .max()
            .unwrap_or(0);
        let both_ways = || {
            let there_and_back = |m: &Match| {
                [
                    (m.pair.a(), m.pair.b(), m.distance),
                    (m.pair.b(), m.pair.a(), m.distance),
                ]
            };
            matches.iter().flat_map(there_and_back)
        };
        let mut starts = vec![0; ids + 1];
        for (from, _, _) in both_ways() {
            starts[from as usize + 1] += 1;
        }
        for id in 0..ids {
            starts[id + 1] += starts[id];
        }
        let mut next = starts.clone();
        let mut of_all = vec![(0, 0.0); 2 * matches.len()];
        for (from, to, distance) in both_ways() {
            of_all[next[from as usize]] = (to, distance);
            next[from as usize] += 1;
        }
        for id in 0..ids {
            let of_one = &mut of_all[starts[id]..starts[id + 1]];
            of_one.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        }
        Self { starts, of_all }
    }

    fn ids(&self) -> std::ops::Range<Id> {
        0..(self.starts.len() - 1) as Id
    }

    fn of(&self, id: Id) -> &[(Id, f64)] {
        &self.of_all[self.starts[id as usize]..self.starts[id as usize + 1]]
    }

    /// The items that have matches, the best first.
    fn by_rank<R: Ord>(&self, rank: impl Fn(Id) -> R) -> Vec<Id> {
        let mut ids: Vec<Id> = self.ids().filter(|&id| !self.of(id).is_empty()).collect();
        ids.sort_by_cached_key(|&id| (rank(id), id));
        ids
    }
}
