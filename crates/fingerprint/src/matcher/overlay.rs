use super::cells::Cells;
use crate::Minutia;

/// The places and directions of minutiae, and the rectangle that they fill.
#[derive(Clone, Debug, Default)]
pub(super) struct Places {
    places: Vec<Place>,
    cells: Cells,
    low: (f32, f32),
    high: (f32, f32),
}

/// Where a minutia is, and where it points.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) x: f32,
    pub(super) y: f32,
    direction: Turn,
}

/// An angle by its cosine and sine: nothing goes round, and many are turned at once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    pub(super) cos: f32,
    pub(super) sin: f32,
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
    pub(super) turn: Turn,
    shift: (f32, f32),
}

/// The least squares between pairs of minutiae, pair by pair.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fit {
    /// Places are counted from here: sums of squares of large numbers would lose what matters.
    middle: [(f32, f32); 2],
    weight: f32,
    a: (f32, f32),
    b: (f32, f32),
    cos: f32,
    sin: f32,
}

/// Pixels between minutiae that are paired: while the overlay improves, and in the end.
pub(super) const REACH: (f32, f32) = (18.0, 14.0);
/// The cosine of the angle between directions of minutiae that are paired: 23°.
const TURN: f32 = 0.92;
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
        let place = |minutia: &Minutia| Place {
            x: minutia.x,
            y: minutia.y,
            direction: Turn::new(minutia.direction),
        };
        Self {
            places: minutiae.iter().map(place).collect(),
            cells: Cells::new(&x, &y),
            low: (low(&x), low(&y)),
            high: (high(&x), high(&y)),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.places.len()
    }

    pub(super) fn place(&self, minutia: usize) -> &Place {
        &self.places[minutia]
    }

    fn covers(&self, (x, y): (f32, f32)) -> bool {
        (x > self.low.0) & (x < self.high.0) & (y > self.low.1) & (y < self.high.1)
    }
}

impl Turn {
    fn new(radians: f32) -> Self {
        let (sin, cos) = radians.sin_cos();
        Self { cos, sin }
    }

    /// What turns the direction of q to that of p.
    pub(super) fn between(p: &Place, q: &Place) -> Self {
        let (p, q) = (p.direction, q.direction);
        Self {
            cos: p.cos * q.cos + p.sin * q.sin,
            sin: p.sin * q.cos - p.cos * q.sin,
        }
    }

    /// The cosine of the angle to another.
    #[inline]
    pub(super) fn cos_to(self, other: Self) -> f32 {
        self.cos * other.cos + self.sin * other.sin
    }

    #[inline]
    fn of(self, x: f32, y: f32) -> (f32, f32) {
        (self.cos * x - self.sin * y, self.sin * x + self.cos * y)
    }
}

impl Fit {
    /// Of places that are not far from these in both prints.
    pub(super) fn around(a: (f32, f32), b: (f32, f32)) -> Self {
        Self {
            middle: [a, b],
            weight: 0.0,
            a: (0.0, 0.0),
            b: (0.0, 0.0),
            cos: 0.0,
            sin: 0.0,
        }
    }

    /// A minutia of b belongs over one of a, and is turned so to point where that one does.
    #[inline]
    pub(super) fn add(&mut self, a: (f32, f32), b: (f32, f32), turn: Turn, weight: f32) {
        let [to, from] = self.middle;
        let ((px, py), (qx, qy)) = ((a.0 - to.0, a.1 - to.1), (b.0 - from.0, b.1 - from.1));
        self.weight += weight;
        self.a = (self.a.0 + weight * px, self.a.1 + weight * py);
        self.b = (self.b.0 + weight * qx, self.b.1 + weight * qy);
        self.cos += weight * (px * qx + py * qy + LEVER * LEVER * turn.cos);
        self.sin += weight * (py * qx - px * qy + LEVER * LEVER * turn.sin);
    }

    /// The overlay with the least squares, if there is one.
    pub(super) fn overlay(&self) -> Option<Rigid> {
        let mean = |sum: (f32, f32)| (sum.0 / self.weight, sum.1 / self.weight);
        let (p, q) = (mean(self.a), mean(self.b));
        let cos = self.cos - self.weight * (p.0 * q.0 + p.1 * q.1);
        let sin = self.sin - self.weight * (p.1 * q.0 - p.0 * q.1);
        let length = (cos * cos + sin * sin).sqrt();
        if !(length > 0.0 && length.is_finite()) {
            return None;
        }
        let turn = Turn {
            cos: cos / length,
            sin: sin / length,
        };
        let [to, from] = self.middle;
        let (from, to) = ((from.0 + q.0, from.1 + q.1), (to.0 + p.0, to.1 + p.1));
        Some(Rigid::new(turn, from, to))
    }
}

impl Rigid {
    /// Turns, and lays one place over another.
    pub(super) fn new(turn: Turn, from: (f32, f32), to: (f32, f32)) -> Self {
        let (x, y) = turn.of(from.0, from.1);
        Self {
            turn,
            shift: (to.0 - x, to.1 - y),
        }
    }

    /// The overlay with the least squares between what is paired.
    pub(super) fn fit(a: &Places, b: &Places, paired: &[Paired]) -> Option<Self> {
        let pairs = paired.iter().map(|pair| {
            let (i, j) = (pair.a as usize, pair.b as usize);
            (a.place(i), b.place(j))
        });
        let (p, q) = pairs.clone().next()?;
        let mut fit = Fit::around((p.x, p.y), (q.x, q.y));
        pairs.for_each(|(p, q)| fit.add((p.x, p.y), (q.x, q.y), Turn::between(p, q), 1.0));
        fit.overlay()
    }

    #[inline]
    pub(super) fn forth(&self, x: f32, y: f32) -> (f32, f32) {
        let (x, y) = self.turn.of(x, y);
        (x + self.shift.0, y + self.shift.1)
    }

    #[inline]
    fn back(&self, x: f32, y: f32) -> (f32, f32) {
        let Turn { cos, sin } = self.turn;
        let (x, y) = (x - self.shift.0, y - self.shift.1);
        (cos * x + sin * y, cos * y - sin * x)
    }

    /// Pairs minutiae within reach one to one, the closest first. The reach is at most [`REACH`]'s.
    pub(super) fn pair(&self, a: &Places, b: &Places, reach: f32, paired: &mut Vec<Paired>) {
        paired.clear();
        let limit = reach * reach;
        let (place_scale, turn_scale) = (1.0 / limit, 1.0 / (1.0 - TURN));
        for (j, q) in (0u8..=255).zip(&b.places) {
            let (x, y) = self.forth(q.x, q.y);
            let (cos, sin) = self.turn.of(q.direction.cos, q.direction.sin);
            for &i in a.cells.near(x, y) {
                let p = a.place(i as usize);
                let squared = (p.x - x) * (p.x - x) + (p.y - y) * (p.y - y);
                let together = p.direction.cos_to(Turn { cos, sin });
                if (squared < limit) & (together > TURN) {
                    // 1 − cos is half the square of a small angle; rounding makes it less than none.
                    let apart = squared * place_scale + (1.0 - together).max(0.0) * turn_scale;
                    paired.push(Paired { apart, a: i, b: j });
                }
            }
        }
        // The bits of numbers from 0 on are in their order.
        paired.sort_unstable_by_key(|pair| {
            u64::from(pair.apart.to_bits()) << 16 | u64::from(pair.a) << 8 | u64::from(pair.b)
        });
        let (mut taken_a, mut taken_b) = (Taken::default(), Taken::default());
        paired.retain(|pair| {
            let free = !taken_a.has(pair.a) & !taken_b.has(pair.b);
            if free {
                taken_a.add(pair.a);
                taken_b.add(pair.b);
            }
            free
        });
    }

    /// How many minutiae of each print lie where the other print is.
    pub(super) fn overlap(&self, a: &Places, b: &Places) -> (u32, u32) {
        let of_a = a.places.iter().filter(|p| b.covers(self.back(p.x, p.y)));
        let of_b = b.places.iter().filter(|q| a.covers(self.forth(q.x, q.y)));
        (of_a.count() as u32, of_b.count() as u32)
    }

    /// The rotation, from −π to π, and the shift.
    pub(super) fn parts(&self) -> (f32, (f32, f32)) {
        (self.turn.sin.atan2(self.turn.cos), self.shift)
    }
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
    use std::f32::consts::{PI, TAU};

    use super::*;
    use proptest::prelude::*;

    fn places(most: usize) -> impl Strategy<Value = Places> {
        // Near each other, so that several could be paired with one.
        let minutia = (0.0f32..120.0, 0.0f32..120.0, 0.0f32..TAU);
        let minutia = minutia.prop_map(|(x, y, direction)| Minutia::new(x, y, direction));
        prop::collection::vec(minutia, 0..most).prop_map(|minutiae| Places::new(&minutiae))
    }

    fn radians(turn: Turn) -> f64 {
        f64::from(turn.sin).atan2(turn.cos.into())
    }

    /// The definition: of all pairs within reach the closest is taken, and its minutiae are not there any more.
    fn pairs(overlay: &Rigid, a: &Places, b: &Places, reach: f32) -> Vec<(usize, usize)> {
        let mut all = Vec::new();
        for i in 0..a.len() {
            for j in 0..b.len() {
                let (p, q) = (a.place(i), b.place(j));
                let (x, y) = overlay.forth(q.x, q.y);
                let far = ((p.x - x).powi(2) + (p.y - y).powi(2)) / (reach * reach);
                let turned = radians(q.direction) + radians(overlay.turn) - radians(p.direction);
                let turn = (1.0 - turned.cos()) / (1.0 - f64::from(TURN));
                if far < 1.0 && turn < 1.0 {
                    all.push((f64::from(far) + turn, i, j));
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
            let overlay = Rigid::new(Turn::new(rotation), (60.0, 60.0), to);
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
            let motion = Rigid::new(Turn::new(rotation), (0.0, 0.0), to);
            let moved: Vec<_> = (0..a.len()).map(|i| {
                let place = a.place(i);
                let (x, y) = motion.back(place.x, place.y);
                Minutia::new(x, y, radians(place.direction) as f32 - rotation)
            }).collect();
            let paired: Vec<_> = (0..a.len() as u8).map(|i| Paired { apart: 0.0, a: i, b: i }).collect();
            let fit = Rigid::fit(&a, &Places::new(&moved), &paired).unwrap();
            prop_assert!(fit.turn.cos_to(motion.turn) > 1.0 - 1e-5);
            prop_assert!((fit.shift.0 - to.0).hypot(fit.shift.1 - to.1) < 0.3);
        }
    }
}
