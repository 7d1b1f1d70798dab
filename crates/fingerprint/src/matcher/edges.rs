use std::f32::consts::TAU;

use super::block::{BLOCK, Range, within};
use crate::{Minutia, frame::byte};

/// Edges between each minutia and its nearest neighbours, by the angle at their near ends.
///
/// Everything about an edge is a byte, a list each, so that many are compared at once. Angles go round: the edges with the
/// smallest ones stand at the end once more, so that those which agree with an angle are always one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    /// Each edge from one of its ends.
    once: Vec<Edge>,
    /// The far angles and the lengths of all edges, each from both ends, and a block more.
    far: Vec<u8>,
    length: Vec<u8>,
    /// Their near and far ends.
    ends: Vec<(u8, u8)>,
    /// Where those of each near angle start.
    starts: Vec<u16>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Edge {
    /// The angle from the direction of the near end to the edge, 256 to a turn.
    near: u8,
    /// The same for the far end.
    far: u8,
    length: u8,
    ends: (u8, u8),
}

/// Two edges that agree: their near ends, and their far ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mate {
    pub(super) from: (u8, u8),
    pub(super) to: (u8, u8),
}

/// Edges of a minutia.
const NEIGHBOURS: usize = 6;
/// The longest edge, in pixels.
const LONGEST: f32 = 120.0;
/// Minutiae that are nearer are one minutia seen twice, and an edge between them has no direction.
const SHORTEST: f32 = 2.0;
/// Steps of length a pixel.
const STEPS: f32 = 255.0 / LONGEST;
/// Angles that agree differ by no more, 256 to a turn: 17°.
const ANGLE: u8 = 12;
/// How many near angles agree with one.
const AROUND: usize = 2 * ANGLE as usize + 1;

/// By how many steps a length may differ: 4 pixels, and 4% of it.
fn slack(length: u8) -> u8 {
    (4.0 * STEPS + 0.04 * f32::from(length)) as u8
}

impl Edge {
    fn new(minutiae: &[Minutia], i: u8, j: u8) -> Self {
        let (from, to) = (&minutiae[i as usize], &minutiae[j as usize]);
        let (x, y) = (to.x - from.x, to.y - from.y);
        let direction = y.atan2(x);
        let angle = |end: &Minutia| byte((direction - end.direction).rem_euclid(TAU));
        Self {
            near: angle(from),
            far: angle(to),
            length: ((x * x + y * y).sqrt() * STEPS) as u8,
            ends: (i, j),
        }
    }

    /// The same from its other end: half a turn is 128.
    fn back(self) -> Self {
        Self {
            near: self.far.wrapping_add(128),
            far: self.near.wrapping_add(128),
            length: self.length,
            ends: (self.ends.1, self.ends.0),
        }
    }
}

/// Each minutia with its nearest neighbours; two that are each other's once.
fn ends(minutiae: &[Minutia]) -> Vec<(u8, u8)> {
    let count = minutiae.len();
    let mut ends = Vec::with_capacity(count * NEIGHBOURS);
    let mut linked = vec![false; count * count];
    let mut near = Vec::with_capacity(count);
    for (i, from) in minutiae.iter().enumerate() {
        near.clear();
        near.extend(minutiae.iter().enumerate().filter_map(|(j, to)| {
            let (x, y) = (to.x - from.x, to.y - from.y);
            let squared = x * x + y * y;
            // It is not its own neighbour. The bits of numbers from 0 on are in their order.
            let within = (SHORTEST * SHORTEST..=LONGEST * LONGEST).contains(&squared);
            within.then_some((squared.to_bits(), j))
        }));
        if near.len() > NEIGHBOURS {
            near.select_nth_unstable(NEIGHBOURS - 1);
            near.truncate(NEIGHBOURS);
        }
        // Nothing depends on what a selection does with the rest.
        near.sort_unstable();
        for &(_, j) in &near {
            let (i, j) = (i.min(j), i.max(j));
            if !std::mem::replace(&mut linked[i * count + j], true) {
                ends.push((i as u8, j as u8));
            }
        }
    }
    ends
}

impl Edges {
    pub(super) fn new(minutiae: &[Minutia]) -> Self {
        let both: Vec<Edge> = ends(minutiae)
            .into_iter()
            .map(|(i, j)| Edge::new(minutiae, i, j))
            .flat_map(|edge| [edge, edge.back()])
            .collect();
        // A counting sort, which gives the starts too.
        let mut starts = vec![0u16; 256 + AROUND];
        for edge in &both {
            starts[usize::from(edge.near) + 1] += 1;
        }
        for angle in 1..=256 {
            starts[angle] += starts[angle - 1];
        }
        let mut all = vec![Edge::default(); starts[256].into()];
        let mut next = starts.clone();
        for edge in both {
            let place = &mut next[usize::from(edge.near)];
            all[usize::from(*place)] = edge;
            *place += 1;
        }
        let once = all.iter().copied().filter(|edge| edge.ends.0 < edge.ends.1);
        let once = once.collect();
        for angle in 1..AROUND {
            starts[256 + angle] = starts[256] + starts[angle];
        }
        all.extend_from_within(..usize::from(starts[AROUND - 1]));
        // A whole block is read, also where it goes beyond the last edge.
        let padded = |of: fn(&Edge) -> u8| {
            let rest = std::iter::repeat_n(0, BLOCK);
            all.iter().map(of).chain(rest).collect()
        };
        Self {
            once,
            far: padded(|edge| edge.far),
            length: padded(|edge| edge.length),
            ends: all.iter().map(|edge| edge.ends).collect(),
            starts,
        }
    }

    /// Finds the edges of another print that agree with an edge of this one.
    pub(super) fn agreeing(&self, other: &Self, mates: &mut Vec<Mate>) {
        mates.clear();
        for edge in &self.once {
            let least = edge.near.wrapping_sub(ANGLE) as usize;
            let first = other.starts[least] as usize;
            let last = other.starts[least + AROUND] as usize;
            let far = Range {
                least: edge.far.wrapping_sub(ANGLE),
                more: 2 * ANGLE,
            };
            let slack = slack(edge.length);
            let shortest = edge.length.saturating_sub(slack);
            let length = Range {
                least: shortest,
                more: edge.length.saturating_add(slack) - shortest,
            };
            let mut start = first;
            while start < last {
                let block = |list| <[u8]>::first_chunk::<BLOCK>(list);
                let both = block(&other.far[start..]).zip(block(&other.length[start..]));
                let (fars, lengths) = both.expect("a block more than there are edges");
                let mut agree = u32::from(within(fars, far, lengths, length));
                if last - start < BLOCK {
                    agree &= (1 << (last - start)) - 1;
                }
                while agree != 0 {
                    let place = start + agree.trailing_zeros() as usize;
                    let ((from, to), (of_from, of_to)) = (edge.ends, other.ends[place]);
                    mates.push(Mate {
                        from: (from, of_from),
                        to: (to, of_to),
                    });
                    agree &= agree - 1;
                }
                start += BLOCK;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Selection,
        generate::{Finger, Impression},
    };

    /// The plain definition.
    fn agreeing(a: &Edges, b: &Edges) -> Vec<((u8, u8), (u8, u8))> {
        let mut mates = Vec::new();
        for p in &a.once {
            for q in &b.once {
                for q in [*q, q.back()] {
                    let angle = |x: u8, y: u8| (i32::from(x) - i32::from(y)).rem_euclid(256);
                    let apart = |x, y| angle(x, y).min(angle(y, x)) <= i32::from(ANGLE);
                    let longer = i32::from(p.length) - i32::from(q.length);
                    if longer.abs() <= i32::from(slack(p.length))
                        && apart(p.near, q.near)
                        && apart(p.far, q.far)
                    {
                        mates.push(((p.ends.0, q.ends.0), (p.ends.1, q.ends.1)));
                    }
                }
            }
        }
        mates
    }

    #[test]
    fn blocks_find_what_the_definition_finds() {
        let impression = Impression::default();
        let edges = |finger, seed| {
            let template = impression.of(&Finger::new(finger), seed);
            Edges::new(&Selection::default().of(&template))
        };
        for finger in 0..20 {
            let (a, b) = (edges(finger, 1), edges(finger / 2, 2));
            let mut mates = Vec::new();
            a.agreeing(&b, &mut mates);
            let mut found: Vec<_> = mates.iter().map(|mate| (mate.from, mate.to)).collect();
            let mut wanted = agreeing(&a, &b);
            found.sort_unstable();
            wanted.sort_unstable();
            assert_eq!(found, wanted);
        }
    }
}
