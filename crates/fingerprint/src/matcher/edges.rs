use std::f32::consts::TAU;

use super::block::{BLOCK, Range, within};
use crate::{Minutia, frame::byte};

/// Edges from each minutia to its nearest neighbours, by the angle at their near ends.
///
/// Everything about an edge is a byte, a list each, so that many are compared at once. Angles go round: the edges with the
/// smallest ones stand at the end once more, so that those which agree with an angle are always one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    /// How many there are.
    count: usize,
    length: Vec<u8>,
    /// The angle from the direction of the near end to the edge, 256 to a turn.
    near: Vec<u8>,
    /// The same for the far end.
    far: Vec<u8>,
    from: Vec<u8>,
    to: Vec<u8>,
    /// Where the edges of each near angle start.
    starts: Vec<u16>,
}

/// Two edges that agree: their near ends, and their far ends.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mate {
    pub(super) from: (u8, u8),
    pub(super) to: (u8, u8),
}

/// Edges of a minutia.
pub(super) const NEIGHBOURS: usize = 8;
/// The longest edge, in pixels.
const LONGEST: f32 = 120.0;
/// Minutiae that are nearer are one minutia seen twice, and an edge between them has no direction.
const SHORTEST: f32 = 2.0;
/// Steps of length a pixel.
const STEPS: f32 = 255.0 / LONGEST;
/// Angles that agree differ by no more, 256 to a turn: 17°.
const ANGLE: u8 = 12;
/// How many near angles agree with one.
const AROUND: u16 = 2 * ANGLE as u16 + 1;

/// Near angle, far angle, length, near end and far end.
type Edge = (u8, u8, u8, u8, u8);

/// By how many steps a length may differ: 5 pixels, and 4% of it.
fn slack(length: u8) -> u8 {
    (5.0 * STEPS + 0.04 * f32::from(length)) as u8
}

impl Edges {
    pub(super) fn new(minutiae: &[Minutia]) -> Self {
        let mut all = Vec::with_capacity(minutiae.len() * NEIGHBOURS);
        let mut near = Vec::new();
        for (i, from) in minutiae.iter().enumerate() {
            near.clear();
            let others = minutiae.iter().enumerate().filter(|&(j, _)| j != i);
            near.extend(others.filter_map(|(j, to)| {
                let length = (to.x - from.x).hypot(to.y - from.y);
                (SHORTEST..=LONGEST)
                    .contains(&length)
                    .then_some((length, j))
            }));
            near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            for &(length, j) in near.iter().take(NEIGHBOURS) {
                let to = &minutiae[j];
                let direction = (to.y - from.y).atan2(to.x - from.x);
                let angle = |end: &Minutia| byte((direction - end.direction).rem_euclid(TAU));
                let length = (length * STEPS) as u8;
                all.push((angle(from), angle(to), length, i as u8, j as u8));
            }
        }
        all.sort_unstable();
        let count = all.len();
        let again = all.partition_point(|edge| u16::from(edge.0) < AROUND);
        all.extend_from_within(..again);
        let place = |angle: u16| match angle.checked_sub(256) {
            None => all[..count].partition_point(|edge| u16::from(edge.0) < angle),
            Some(angle) => count + all[count..].partition_point(|edge| u16::from(edge.0) < angle),
        };
        let starts = (0..256 + AROUND).map(|angle| place(angle) as u16);
        let list = |of: fn(&Edge) -> u8| all.iter().map(of).collect();
        // A whole block is read, also where it goes beyond the last edge.
        let padded = |of: fn(&Edge) -> u8| {
            let rest = std::iter::repeat_n(0, BLOCK);
            all.iter().map(of).chain(rest).collect()
        };
        Self {
            count,
            near: list(|edge| edge.0),
            far: padded(|edge| edge.1),
            length: padded(|edge| edge.2),
            from: list(|edge| edge.3),
            to: list(|edge| edge.4),
            starts: starts.collect(),
        }
    }

    /// Finds the edges of another print that agree with an edge of this one.
    pub(super) fn agreeing(&self, other: &Self, mates: &mut Vec<Mate>) {
        mates.clear();
        for edge in 0..self.count {
            let (near, far, length) = (self.near[edge], self.far[edge], self.length[edge]);
            let least = near.wrapping_sub(ANGLE) as usize;
            let first = other.starts[least] as usize;
            let last = other.starts[least + AROUND as usize] as usize;
            let fars = Range {
                least: far.wrapping_sub(ANGLE),
                more: 2 * ANGLE,
            };
            let slack = slack(length);
            let shortest = length.saturating_sub(slack);
            let lengths = Range {
                least: shortest,
                more: length.saturating_add(slack) - shortest,
            };
            let mut start = first;
            while start < last {
                let block = |list| <[u8]>::first_chunk::<BLOCK>(list);
                let both = block(&other.far[start..]).zip(block(&other.length[start..]));
                let (far, length) = both.expect("a block more than there are edges");
                let mut agree = within(far, fars, length, lengths);
                if last - start < BLOCK {
                    agree &= (1 << (last - start)) - 1;
                }
                while agree != 0 {
                    let place = start + agree.trailing_zeros() as usize;
                    mates.push(Mate {
                        from: (self.from[edge], other.from[place]),
                        to: (self.to[edge], other.to[place]),
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
        for i in 0..a.count {
            for j in 0..b.count {
                let angle = |x: u8, y: u8| (i32::from(x) - i32::from(y)).rem_euclid(256);
                let apart = |x, y| angle(x, y).min(angle(y, x)) <= i32::from(ANGLE);
                let longer = i32::from(a.length[i]) - i32::from(b.length[j]);
                if longer.abs() <= i32::from(slack(a.length[i]))
                    && apart(a.near[i], b.near[j])
                    && apart(a.far[i], b.far[j])
                {
                    mates.push(((a.from[i], b.from[j]), (a.to[i], b.to[j])));
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
