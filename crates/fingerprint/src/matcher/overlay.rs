use std::f32::consts::{PI, TAU};

use crate::Minutia;

/// The places and directions of minutiae, a list each, and the rectangle that they fill.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    x: Vec<f32>,
    y: Vec<f32>,
    direction: Vec<f32>,
    low: (f32, f32),
    high: (f32, f32),
}

/// Two minutiae that lie together, and how far apart they are: 0 at the same place and direction, up to 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Paired {
    pub(super) apart: f32,
    pub(super) a: u8,
    pub(super) b: u8,
}

/// A rotation, then a shift.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rigid {
    rotation: f32,
    sin: f32,
    cos: f32,
    shift: (f32, f32),
}

/// Radians between directions of minutiae that are paired.
const TURN: f32 = 0.45;
/// Directions count for the rotation of an overlay as much as places that are so many pixels from the middle.
const LEVER: f32 = 20.0;
/// Pixels beyond the outermost minutiae that still belong to a print.
const MARGIN: f32 = 8.0;

impl Places {
    pub(super) fn new(minutiae: &[Minutia]) -> Self {
        let list = |of: fn(&Minutia) -> f32| -> Vec<f32> { minutiae.iter().map(of).collect() };
        let (x, y) = (list(|minutia| minutia.x), list(|minutia| minutia.y));
        let low = |list: &[f32]| list.iter().copied().fold(f32::MAX, f32::min) - MARGIN;
        let high = |list: &[f32]| list.iter().copied().fold(f32::MIN, f32::max) + MARGIN;
        Self {
            low: (low(&x), low(&y)),
            high: (high(&x), high(&y)),
            direction: list(|minutia| minutia.direction),
            x,
            y,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.x.len()
    }

    fn covers(&self, (x, y): (f32, f32)) -> bool {
        x > self.low.0 && x < self.high.0 && y > self.low.1 && y < self.high.1
    }
}

impl Rigid {
    fn new(rotation: f32, from: (f32, f32), to: (f32, f32)) -> Self {
        let (sin, cos) = rotation.sin_cos();
        let shift = (
            to.0 - (cos * from.0 - sin * from.1),
            to.1 - (sin * from.0 + cos * from.1),
        );
        Self {
            rotation,
            sin,
            cos,
            shift,
        }
    }

    /// Lays minutia j of `b` over minutia i of `a`.
    pub(super) fn of_pair(a: &Places, i: usize, b: &Places, j: usize) -> Self {
        let rotation = a.direction[i] - b.direction[j];
        Self::new(rotation, (b.x[j], b.y[j]), (a.x[i], a.y[i]))
    }

    /// The overlay with the least squares between what is paired.
    pub(super) fn fit(a: &Places, b: &Places, paired: &[Paired]) -> Self {
        let count = paired.len() as f32;
        let mean = |places: &Places, of: fn(&Paired) -> u8| {
            let sum = |list: &[f32]| {
                paired
                    .iter()
                    .map(|pair| list[of(pair) as usize])
                    .sum::<f32>()
            };
            (sum(&places.x) / count, sum(&places.y) / count)
        };
        let (to, from) = (mean(a, |pair| pair.a), mean(b, |pair| pair.b));
        let (mut sin, mut cos) = (0.0, 0.0);
        for pair in paired {
            let (i, j) = (pair.a as usize, pair.b as usize);
            let (px, py) = (a.x[i] - to.0, a.y[i] - to.1);
            let (qx, qy) = (b.x[j] - from.0, b.y[j] - from.1);
            let (turn_sin, turn_cos) = (a.direction[i] - b.direction[j]).sin_cos();
            cos += px * qx + py * qy + LEVER * LEVER * turn_cos;
            sin += py * qx - px * qy + LEVER * LEVER * turn_sin;
        }
        Self::new(sin.atan2(cos), from, to)
    }

    fn forth(&self, x: f32, y: f32) -> (f32, f32) {
        (
            self.cos * x - self.sin * y + self.shift.0,
            self.sin * x + self.cos * y + self.shift.1,
        )
    }

    fn back(&self, x: f32, y: f32) -> (f32, f32) {
        let (x, y) = (x - self.shift.0, y - self.shift.1);
        (self.cos * x + self.sin * y, self.cos * y - self.sin * x)
    }

    /// Pairs minutiae within reach one to one, the closest first.
    pub(super) fn pair(&self, a: &Places, b: &Places, reach: f32, paired: &mut Vec<Paired>) {
        paired.clear();
        let limit = reach * reach;
        for j in 0..b.len() {
            let (x, y) = self.forth(b.x[j], b.y[j]);
            let direction = b.direction[j] + self.rotation;
            for (i, (&at_x, &at_y)) in a.x.iter().zip(&a.y).enumerate() {
                let squared = (at_x - x) * (at_x - x) + (at_y - y) * (at_y - y);
                if squared >= limit {
                    continue;
                }
                let turn = (direction - a.direction[i]).rem_euclid(TAU);
                let turn = if turn > PI { TAU - turn } else { turn };
                if turn < TURN {
                    let apart = squared / limit + (turn / TURN) * (turn / TURN);
                    let (a, b) = (i as u8, j as u8);
                    paired.push(Paired { apart, a, b });
                }
            }
        }
        paired.sort_unstable_by(|p, q| {
            p.apart
                .total_cmp(&q.apart)
                .then((p.a, p.b).cmp(&(q.a, q.b)))
        });
        let (mut taken_a, mut taken_b) = ([false; 256], [false; 256]);
        paired.retain(|pair| {
            let (a, b) = (&mut taken_a[pair.a as usize], &mut taken_b[pair.b as usize]);
            let free = !*a && !*b;
            if free {
                (*a, *b) = (true, true);
            }
            free
        });
    }

    /// How many minutiae of each print lie where the other print is.
    pub(super) fn overlap(&self, a: &Places, b: &Places) -> (u32, u32) {
        let of_a = (0..a.len()).filter(|&i| b.covers(self.back(a.x[i], a.y[i])));
        let of_b = (0..b.len()).filter(|&j| a.covers(self.forth(b.x[j], b.y[j])));
        (of_a.count() as u32, of_b.count() as u32)
    }

    /// The rotation, from −π to π, and the shift.
    pub(super) fn parts(&self) -> (f32, (f32, f32)) {
        let turned = (self.rotation + PI).rem_euclid(TAU) - PI;
        (turned, self.shift)
    }
}
