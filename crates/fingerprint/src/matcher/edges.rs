use std::f32::consts::TAU;

use crate::{Minutia, frame::byte};

/// Edges from each minutia to its nearest neighbours, by their length.
///
/// Everything about an edge is a byte, a list each, so that many are compared at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Edges {
    length: Vec<u8>,
    /// The angle from the direction of the near end to the edge, 256 to a turn; a block more than there are edges.
    near: Vec<u8>,
    /// The same for the far end.
    far: Vec<u8>,
    from: Vec<u8>,
    to: Vec<u8>,
    /// Where the edges of each length start.
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
/// Edges that are compared at once.
const BLOCK: usize = 16;

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
                all.push((length, angle(from), angle(to), i as u8, j as u8));
            }
        }
        all.sort_unstable();
        let starts = (0..=256u16)
            .map(|length| all.partition_point(|edge| u16::from(edge.0) < length) as u16)
            .collect();
        let padded = |of: fn(&(u8, u8, u8, u8, u8)) -> u8| {
            let rest = std::iter::repeat_n(0, BLOCK);
            all.iter().map(of).chain(rest).collect()
        };
        Self {
            length: all.iter().map(|edge| edge.0).collect(),
            near: padded(|edge| edge.1),
            far: padded(|edge| edge.2),
            from: all.iter().map(|edge| edge.3).collect(),
            to: all.iter().map(|edge| edge.4).collect(),
            starts,
        }
    }

    /// Finds the edges of another print that agree with an edge of this one.
    pub(super) fn agreeing(&self, other: &Self, mates: &mut Vec<Mate>) {
        mates.clear();
        for edge in 0..self.length.len() {
            let (length, near, far) = (self.length[edge], self.near[edge], self.far[edge]);
            let slack = slack(length);
            let first = other.starts[length.saturating_sub(slack) as usize] as usize;
            let last = other.starts[length.saturating_add(slack) as usize + 1] as usize;
            for start in (first..last).step_by(BLOCK) {
                let nears = other.near[start..].first_chunk::<BLOCK>();
                let fars = other.far[start..].first_chunk::<BLOCK>();
                let (nears, fars) = nears.zip(fars).expect("a block more than there are edges");
                // A whole block is asked at once, also where it goes beyond the last edge.
                let agrees: [u8; BLOCK] = std::array::from_fn(|i| {
                    let apart = |x: u8, y: u8| (x.wrapping_sub(y) as i8).unsigned_abs();
                    u8::from((apart(nears[i], near) <= ANGLE) & (apart(fars[i], far) <= ANGLE))
                });
                let mut agrees = u128::from_le_bytes(agrees);
                if last - start < BLOCK {
                    agrees &= (1 << (8 * (last - start))) - 1;
                }
                while agrees != 0 {
                    let place = start + agrees.trailing_zeros() as usize / 8;
                    mates.push(Mate {
                        from: (self.from[edge], other.from[place]),
                        to: (self.to[edge], other.to[place]),
                    });
                    agrees &= agrees - 1;
                }
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
        for i in 0..a.length.len() {
            for j in 0..b.length.len() {
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
            let found: Vec<_> = mates.iter().map(|mate| (mate.from, mate.to)).collect();
            assert_eq!(found, agreeing(&a, &b));
        }
    }
}
