use std::f32::consts::{PI, TAU};

use super::cells::Cells;
use crate::Minutia;

/// The places and directions of minutiae, a list each, and the rectangle that they fill.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    x: Vec<f32>,
    y: Vec<f32>,
    direction: Vec<f32>,
    sin_cos: Vec<(f32, f32)>,
    cells: Cells,
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

/// Pixels between minutiae that are paired: while the overlay improves, and in the end.
pub(super) const REACH: (f32, f32) = (18.0, 14.0);
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
            sin_cos: minutiae
                .iter()
                .map(|minutia| minutia.direction.sin_cos())
                .collect(),
            cells: Cells::new(&x, &y),
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
    /// Of a rotation from −2π to 2π.
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
            let ((sin_a, cos_a), (sin_b, cos_b)) = (a.sin_cos[i], b.sin_cos[j]);
            let (turn_sin, turn_cos) =
                (sin_a * cos_b - cos_a * sin_b, cos_a * cos_b + sin_a * sin_b);
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

    /// Pairs minutiae within reach one to one, the closest first. The reach is at most [`REACH`]'s.
    pub(super) fn pair(&self, a: &Places, b: &Places, reach: f32, paired: &mut Vec<Paired>) {
        paired.clear();
        let limit = reach * reach;
        for j in 0..b.len() {
            let (x, y) = self.forth(b.x[j], b.y[j]);
            for &near in a.cells.near(x, y) {
                let i = near as usize;
                let (dx, dy) = (a.x[i] - x, a.y[i] - y);
                let squared = dx * dx + dy * dy;
                let turn = between(b.direction[j] + self.rotation - a.direction[i]);
                if (squared < limit) & (turn < TURN) {
                    let apart = squared / limit + (turn / TURN) * (turn / TURN);
                    let (a, b) = (near, j as u8);
                    paired.push(Paired { apart, a, b });
                }
            }
        }
        paired.sort_unstable_by(|p, q| {
            p.apart
                .total_cmp(&q.apart)
                .then((p.a, p.b).cmp(&(q.a, q.b)))
        });
        let (mut taken_a, mut taken_b) = (Taken::default(), Taken::default());
        paired.retain(|pair| {
            let free = !taken_a.has(pair.a) && !taken_b.has(pair.b);
            if free {
                taken_a.add(pair.a);
                taken_b.add(pair.b);
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

/// The angle between two directions that differ by less than two turns, from 0 to π.
fn between(difference: f32) -> f32 {
    let turn = difference.abs();
    let turn = if turn >= TAU { turn - TAU } else { turn };
    if turn > PI { TAU - turn } else { turn }
}

/// A set of minutiae, a bit each.
#[derive(Default)]
struct Taken([u64; 4]);

impl Taken {
    fn has(&self, minutia: u8) -> bool {
        self.0[minutia as usize / 64] >> (minutia % 64) & 1 == 1
    }

    fn add(&mut self, minutia: u8) {
        self.0[minutia as usize / 64] |= 1 << (minutia % 64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn places(most: usize) -> impl Strategy<Value = Places> {
        // Near each other, so that several could be paired with one.
        let minutia = (0.0f32..120.0, 0.0f32..120.0, 0.0f32..TAU);
        let minutia = minutia.prop_map(|(x, y, direction)| Minutia::new(x, y, direction));
        prop::collection::vec(minutia, 0..most).prop_map(|minutiae| Places::new(&minutiae))
    }

    /// The definition: of all pairs within reach the closest is taken, and its minutiae are not there any more.
    fn pairs(overlay: &Rigid, a: &Places, b: &Places, reach: f32) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        for i in 0..a.len() {
            for j in 0..b.len() {
                let (x, y) = overlay.forth(b.x[j], b.y[j]);
                let far = ((a.x[i] - x).powi(2) + (a.y[i] - y).powi(2)) / (reach * reach);
                let turn = (b.direction[j] + overlay.rotation - a.direction[i]).rem_euclid(TAU);
                let turn = turn.min(TAU - turn) / TURN;
                if far < 1.0 && turn < 1.0 {
                    all.push((far + turn * turn, i, j));
                }
            }
        }
        let mut taken = Vec::new();
        while let Some(&(_, i, j)) = all.iter().min_by(|p, q| p.0.total_cmp(&q.0)) {
            taken.push((i, j));
            all.retain(|pair| pair.1 != i && pair.2 != j);
        }
        taken
    }

    proptest! {
        #[test]
        fn the_closest_are_paired_first(
            a in places(60), b in places(60), rotation in -TAU..TAU, to in (0.0f32..120.0, 0.0f32..120.0),
        ) {
            let overlay = Rigid::new(rotation, (60.0, 60.0), to);
            for reach in [REACH.0, REACH.1] {
                let mut paired = Vec::new();
                overlay.pair(&a, &b, reach, &mut paired);
                let found: Vec<_> = paired.iter().map(|pair| (pair.a as usize, pair.b as usize)).collect();
                prop_assert_eq!(found, pairs(&overlay, &a, &b, reach));
                prop_assert!(paired.iter().all(|pair| (0.0..2.0).contains(&pair.apart)));
            }
        }

        #[test]
        fn a_fit_undoes_a_motion(a in places(60), rotation in -PI..PI, to in (-300.0f32..300.0, -300.0f32..300.0)) {
            prop_assume!(a.len() > 2);
            let motion = Rigid::new(rotation, (0.0, 0.0), to);
            let moved: Vec<_> = (0..a.len()).map(|i| {
                let (x, y) = motion.back(a.x[i], a.y[i]);
                Minutia::new(x, y, a.direction[i] - rotation)
            }).collect();
            let paired: Vec<_> = (0..a.len() as u8).map(|i| Paired { apart: 0.0, a: i, b: i }).collect();
            let fit = Rigid::fit(&a, &Places::new(&moved), &paired);
            prop_assert!(between(fit.rotation - rotation) < 1e-3);
            prop_assert!((fit.shift.0 - to.0).hypot(fit.shift.1 - to.1) < 0.3);
        }
    }

    #[test]
    fn angles_between_directions() {
        for (difference, wanted) in [
            (0.0, 0.0),
            (1.0, 1.0),
            (-1.0, 1.0),
            (TAU - 0.5, 0.5),
            (TAU + 0.5, 0.5),
            (2.0 - 2.0 * TAU, 2.0),
        ] {
            assert!((between(difference) - wanted).abs() < 1e-5, "{difference}");
        }
    }
}
