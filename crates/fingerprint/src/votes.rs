use std::{cmp::Ordering, collections::BinaryHeap, f32::consts::TAU, sync::LazyLock};

use crate::Frame;

/// Counts the votes of a query for stored prints, as far as they agree with each other.
///
/// Every key that a stored print shares with the query is a vote for one way to lay the one over the other: a rotation and
/// a shift, which the two [`Frame`]s tell. The score of a print is the largest sum of votes that agree on the way, within
/// 15° and 30 pixels of one of them. A vote counts 1/n if n frames are stored under its key: what all prints have says
/// little.
#[derive(Clone, Debug, Default)]
pub struct Votes {
    votes: Vec<Vote>,
    ordered: Vec<Vote>,
    starts: Vec<u32>,
    ways: Ways,
}

/// A print and its score, more being better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The stored print.
    pub id: u32,
    /// The largest sum of votes that agree.
    pub score: f32,
}

#[derive(Clone, Copy, Debug)]
struct Vote {
    id: u32,
    stored: Frame,
    asked: Frame,
    weight: f32,
}

/// Rotations that agree differ by no more, 256 to a turn: 15°.
const ROTATION: u8 = 11;
/// Shifts that agree differ by no more in each direction, in pixels.
const SHIFT: i32 = 30;

impl Votes {
    /// Adds the vote of a shared key under which so many frames are stored.
    pub fn add(&mut self, id: u32, stored: Frame, asked: Frame, bucket: u32) {
        self.votes.push(Vote {
            id,
            stored,
            asked,
            weight: 1.0 / bucket.max(1) as f32,
        });
    }

    /// How many votes were added.
    #[must_use]
    pub fn len(&self) -> usize {
        self.votes.len()
    }

    /// Whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.votes.is_empty()
    }

    /// The best prints, the best first and then by id, and forgets all votes.
    pub fn ranked(&mut self, top: usize) -> Vec<Ranked> {
        self.order();
        let mut prints: Vec<(f32, &mut [Vote])> = self
            .ordered
            .chunk_by_mut(|a, b| a.id == b.id)
            .map(|votes| (at_most(votes), votes))
            .collect();
        // The rest need not be looked at once none of them can be good enough.
        prints.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1[0].id.cmp(&b.1[0].id)));
        let mut best = BinaryHeap::new();
        for (most, votes) in prints {
            if best.len() == top && best.peek().is_none_or(|Worst(last)| most < last.score) {
                break;
            }
            let id = votes[0].id;
            let score = self.ways.best(votes);
            best.push(Worst(Ranked { id, score }));
            if best.len() > top {
                best.pop();
            }
        }
        self.votes.clear();
        best.into_sorted_vec()
            .into_iter()
            .map(|Worst(ranked)| ranked)
            .collect()
    }

    /// Orders votes by print, by counting: they are many, and prints are numbered.
    fn order(&mut self) {
        let prints = self.votes.iter().map(|vote| vote.id as usize + 1).max();
        self.starts.clear();
        self.starts.resize(prints.unwrap_or(0) + 1, 0);
        for vote in &self.votes {
            self.starts[vote.id as usize + 1] += 1;
        }
        for id in 1..self.starts.len() {
            self.starts[id] += self.starts[id - 1];
        }
        self.ordered.clear();
        self.ordered.extend_from_slice(&self.votes);
        for vote in &self.votes {
            let place = &mut self.starts[vote.id as usize];
            self.ordered[*place as usize] = *vote;
            *place += 1;
        }
    }
}

/// Orders by how bad a print is, so that a heap gives up the worst.
#[derive(Debug, PartialEq)]
struct Worst(Ranked);

impl Eq for Worst {}

impl Ord for Worst {
    fn cmp(&self, other: &Self) -> Ordering {
        let (a, b) = (self.0, other.0);
        b.score.total_cmp(&a.score).then(a.id.cmp(&b.id))
    }
}

impl PartialOrd for Worst {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Rotations are counted in so many parts of a turn, each at least as wide as those that agree with one: they lie in two parts
/// side by side.
const PARTS: usize = 11;

/// More than the score of these votes can be: those whose rotations may agree, wherever they shift to.
fn at_most(votes: &[Vote]) -> f32 {
    let mut sums = [0.0; PARTS];
    for vote in votes {
        sums[usize::from(rotation(vote.stored, vote.asked)) * PARTS / 256] +=
            f64::from(vote.weight);
    }
    let beside = (0..PARTS).map(|part| sums[part] + sums[(part + 1) % PARTS]);
    // Sums in another order may differ in their last digits.
    (beside.fold(0.0, f64::max) * (1.0 + 1e-6)) as f32
}

/// A way to lay a stored print over the query, and the votes for it.
#[derive(Clone, Copy, Debug)]
struct Way {
    x: i32,
    y: i32,
    weight: f32,
}

/// The ways to lay a stored print over the query that its votes tell, each once, by rotation.
#[derive(Clone, Debug, Default)]
struct Ways {
    told: Vec<(u8, Way)>,
    ways: Vec<Way>,
}

impl Ways {
    /// The largest sum of votes that agree with one of them.
    fn best(&mut self, votes: &mut [Vote]) -> f32 {
        // Several keys of the same two minutiae tell the same way.
        votes.sort_unstable_by_key(|vote| (vote.stored, vote.asked, vote.weight.to_bits()));
        self.told.clear();
        for same in votes.chunk_by(|a, b| (a.stored, a.asked) == (b.stored, b.asked)) {
            let (rotation, x, y) = way(same[0].stored, same[0].asked);
            let weight = same.iter().map(|vote| vote.weight).sum();
            self.told.push((rotation, Way { x, y, weight }));
        }
        let mut starts = [0; 257];
        for (rotation, _) in &self.told {
            starts[usize::from(*rotation) + 1] += 1;
        }
        for rotation in 1..257 {
            starts[rotation] += starts[rotation - 1];
        }
        let mut next = starts;
        self.ways.clear();
        self.ways.extend(self.told.iter().map(|told| told.1));
        for (rotation, way) in &self.told {
            let place = &mut next[usize::from(*rotation)];
            self.ways[*place] = *way;
            *place += 1;
        }
        let sums = self.told.iter().map(|(rotation, way)| {
            let low = rotation.wrapping_sub(ROTATION);
            let high = rotation.wrapping_add(ROTATION);
            let (first, last) = (starts[usize::from(low)], starts[usize::from(high) + 1]);
            match low < high {
                true => way.agreeing(&self.ways[first..last]),
                // Across the direction at which turns begin anew.
                false => way.agreeing(&self.ways[first..]) + way.agreeing(&self.ways[..last]),
            }
        });
        sums.max_by(f32::total_cmp).unwrap_or(0.0)
    }
}

impl Way {
    /// The sum of those that shift alike.
    fn agreeing(self, others: &[Self]) -> f32 {
        let agrees = |other: &&Self| {
            ((other.x - self.x).abs() <= SHIFT) & ((other.y - self.y).abs() <= SHIFT)
        };
        others.iter().filter(agrees).map(|other| other.weight).sum()
    }
}

/// By how much a frame is turned against the one that was asked with, 256 to a turn.
fn rotation(stored: Frame, asked: Frame) -> u8 {
    asked.direction().wrapping_sub(stored.direction())
}

/// The rotation and the shift that bring a stored frame to the one that was asked with.
fn way(stored: Frame, asked: Frame) -> (u8, i32, i32) {
    static TURNS: LazyLock<[(f32, f32); 256]> =
        LazyLock::new(|| std::array::from_fn(|part| (part as f32 / 256.0 * TAU).sin_cos()));
    let rotation = rotation(stored, asked);
    let (sin, cos) = TURNS[rotation as usize];
    let (x, y) = stored.place();
    let (x, y) = (x as f32, y as f32);
    let (to_x, to_y) = asked.place();
    let shift_x = to_x - (cos * x - sin * y).round() as i32;
    let shift_y = to_y - (sin * x + cos * y).round() as i32;
    (rotation, shift_x, shift_y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Minutia;
    use proptest::prelude::*;

    fn frame(x: i32, y: i32, turn: u8) -> Frame {
        let direction = f32::from(turn) / 256.0 * TAU;
        Frame::new(&Minutia::new(x as f32, y as f32, direction), (0.0, 0.0))
    }

    #[test]
    fn votes_that_agree_count_together() {
        let mut votes = Votes::default();
        // A quarter turn brings (100, 0) to (0, 100), and then a shift by (5, 7).
        votes.add(3, frame(100, 0, 10), frame(5, 107, 74), 1);
        votes.add(3, frame(0, 50, 20), frame(-45, 7, 84), 2);
        // Another way for the same print, and two votes for another print that do not agree.
        votes.add(3, frame(0, 50, 20), frame(200, 7, 84), 1);
        votes.add(1, frame(0, 0, 0), frame(0, 0, 0), 1);
        votes.add(1, frame(0, 0, 0), frame(0, 0, 40), 1);
        let ranked = |id, score| Ranked { id, score };
        assert_eq!(votes.len(), 5);
        assert_eq!(votes.ranked(9), [ranked(3, 1.5), ranked(1, 1.0)]);
        assert!(votes.is_empty() && votes.ranked(9).is_empty());
    }

    proptest! {
        /// The plain definition, print by print; and a short list is the start of the long one.
        #[test]
        fn the_best_are_those_of_the_definition(
            cast in prop::collection::vec((0u32..6, (-60i32..60, -60i32..60, 0u8..=255), (-60i32..60, -60i32..60, 0u8..=255), 1u32..4), 0..60),
            top in 1usize..5,
        ) {
            let cast: Vec<_> = cast.into_iter()
                .map(|(id, s, a, bucket)| (id, frame(s.0, s.1, s.2), frame(a.0, a.1, a.2), bucket)).collect();
            let mut expected = Vec::new();
            for id in 0..6 {
                let of: Vec<_> = cast.iter().filter(|vote| vote.0 == id).collect();
                let ways: Vec<_> = of.iter().map(|vote| (way(vote.1, vote.2), 1.0 / vote.3 as f32)).collect();
                let sums = ways.iter().map(|((r, x, y), _)| {
                    let agrees = ways.iter().filter(|((q, v, w), _)| {
                        let turn = (i32::from(*q) - i32::from(*r)).rem_euclid(256);
                        turn.min(256 - turn) <= 11 && (v - x).abs() <= 30 && (w - y).abs() <= 30
                    });
                    agrees.map(|(_, weight)| weight).sum::<f32>()
                });
                expected.extend(sums.max_by(f32::total_cmp).map(|score| (id, score)));
            }
            let mut votes = Votes::default();
            let mut rank = |top| {
                cast.iter().for_each(|&(id, stored, asked, bucket)| votes.add(id, stored, asked, bucket));
                votes.ranked(top)
            };
            let all = rank(usize::MAX);
            prop_assert_eq!(all.len(), expected.len());
            for ranked in &all {
                let (_, score) = expected.iter().find(|(id, _)| *id == ranked.id).unwrap();
                prop_assert!((ranked.score - score).abs() < 1e-4);
            }
            let first = all.len().min(top);
            prop_assert_eq!(rank(top), &all[..first]);
        }
    }
}
