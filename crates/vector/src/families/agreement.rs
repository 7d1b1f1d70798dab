//! How often two vectors have the same nearest direction among m and their opposites.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use crate::normal::{below, density, within};

/// The probability at every angle: a table by quadrature, and monotone cubic interpolation between its angles. An entry is
/// integrated when it is first needed: a plan looks at a few angles of many tables.
#[derive(Debug)]
pub(super) struct Agreement {
    directions: u32,
    /// The length of the rotated vectors, if directions are coordinates of such.
    rotated: Option<usize>,
    /// Degrees, ascending.
    angles: Vec<f64>,
    integrals: Vec<OnceLock<f64>>,
}

/// Directions, and the length of the rotated vectors if directions are coordinates of such.
type Which = (u32, Option<usize>);

/// The table for m independent normal directions, or for m coordinates of a rotation of vectors of this length. A table
/// is made once.
pub(super) fn agreement(directions: u32, rotated: Option<usize>) -> Arc<Agreement> {
    static TABLES: Mutex<BTreeMap<Which, Arc<Agreement>>> = Mutex::new(BTreeMap::new());
    let mut tables = TABLES.lock().unwrap_or_else(PoisonError::into_inner);
    let table = tables.entry((directions, rotated));
    Arc::clone(table.or_insert_with(|| Arc::new(Agreement::new(directions, rotated))))
}

impl Agreement {
    fn new(directions: u32, rotated: Option<usize>) -> Self {
        let fine = (0..30).map(f64::from);
        let angles: Vec<f64> = fine.chain((10..=60).map(|it| f64::from(3 * it))).collect();
        Self {
            directions,
            rotated,
            integrals: vec![OnceLock::new(); angles.len()],
            angles,
        }
    }

    pub(super) fn at(&self, degrees: f64) -> f64 {
        let last = self.angles.len() - 1;
        let degrees = degrees.clamp(0.0, self.angles[last]);
        let after = self.angles.partition_point(|&angle| angle <= degrees);
        let (a, b) = (after.clamp(1, last) - 1, after.clamp(1, last));
        let step = self.angles[b] - self.angles[a];
        let t = (degrees - self.angles[a]) / step;
        // Hermite's cubic.
        let (one, other) = ((1.0 + 2.0 * t) * (1.0 - t).powi(2), t * t * (3.0 - 2.0 * t));
        let (start, end) = (t * (1.0 - t).powi(2), t * t * (t - 1.0));
        one * self.value(a)
            + other * self.value(b)
            + step * (start * self.slope(a) + end * self.slope(b))
    }

    /// The probability at an angle of the table.
    fn value(&self, place: usize) -> f64 {
        let own = self.corrected(place);
        match place {
            0 => own,
            // Rounding must not make it grow.
            _ => own.min(self.corrected(place - 1)),
        }
    }

    /// The integral, corrected for coordinates of a rotation of vectors of n numbers. The angle of two lists of n normal
    /// numbers is that of the vectors only on average, with a variance of sin²θ/n, and a rotation keeps it: so of the
    /// mean over that variance, to the first order, p″·sin²θ/(2n) is taken back.
    fn corrected(&self, place: usize) -> f64 {
        let integral = self.integral(place);
        let (Some(length), true) = (self.rotated, place > 0 && place + 1 < self.angles.len())
        else {
            return integral;
        };
        let around = [place - 1, place, place + 1];
        let [a, b, c] = around.map(|it| self.angles[it].to_radians());
        let [before, at, after] = around.map(|it| self.integral(it));
        let bend = (after - at) / (c - b) - (at - before) / (b - a);
        integral - 2.0 * bend / (c - a) * b.sin().powi(2) / (2.0 * length as f64)
    }

    fn integral(&self, place: usize) -> f64 {
        let integrate = || by_quadrature(self.directions, self.angles[place]);
        *self.integrals[place].get_or_init(integrate)
    }

    /// The slope at an angle of the table with which cubic pieces are monotone where the values are (Fritsch and Carlson,
    /// 1980; harmonic means).
    fn slope(&self, place: usize) -> f64 {
        let last = self.angles.len() - 1;
        let width = |place: usize| self.angles[place + 1] - self.angles[place];
        let slope = |place: usize| (self.value(place + 1) - self.value(place)) / width(place);
        if place == 0 || place == last {
            return slope(place.min(last - 1));
        }
        let (before, after) = (slope(place - 1), slope(place));
        let (a, b) = (width(place - 1), width(place));
        match before * after > 0.0 {
            true => 3.0 * (a + b) / ((2.0 * b + a) / before + (b + 2.0 * a) / after),
            false => 0.0,
        }
    }
}

/// 2m ∫∫ φ₂(u, v; cos θ) F(u, v)^(m−1) du dv over positive u and v: one direction is the nearest of both vectors, with
/// one sign, at the products u and v, and all others are nearer to neither. F is how likely |U| < u and |V| < v for
/// normal U and V with this correlation; it is summed along u while the outer integral goes on.
pub(super) fn by_quadrature(directions: u32, degrees: f64) -> f64 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    if degrees <= 0.0 || sin < 1e-3 {
        return if degrees < 90.0 { 1.0 } else { 0.0 };
    }
    /// No product of unit vectors and so few directions is larger.
    const MOST: f64 = 7.0;
    /// The trapezoidal rule converges fast: the integrand is smooth, and twice as wide as this at least.
    const STEP: f64 = 0.16;
    let others = f64::from(directions - 1);
    let mut sum = 0.0;
    for step in 1..(MOST / STEP) as u32 {
        let v = f64::from(step) * STEP;
        if others * (1.0 - within(v)) < 40.0 {
            sum += STEP * density(v) * along_u(others, v, sin, cos, MOST);
        }
    }
    (2.0 * f64::from(directions) * sum).clamp(0.0, 1.0)
}

/// ∫ φ((u − v·cos θ)/sin θ)/sin θ · F(u, v)^others du.
fn along_u(others: f64, v: f64, sin: f64, cos: f64, most: f64) -> f64 {
    const REACH: f64 = 7.0;
    // Where the angle is small, u is near v, and before that |V| < v is certain.
    let start = match cos > 0.9 {
        true => (v * cos - REACH * sin).max(0.0),
        false => 0.0,
    };
    let end = (v * cos + REACH * sin).clamp(0.0, most);
    let steps = ((end - start) / (sin / 3.0).min(0.1)).ceil().max(1.0);
    let h = (end - start) / steps;
    // dF/du = 2φ(u)·P(|V| < v given U = u)
    let growth = |u: f64| {
        let between = below((v - cos * u) / sin) - below((-v - cos * u) / sin);
        2.0 * density(u) * between
    };
    let (mut inside, mut before, mut sum) = (within(start), growth(start), 0.0);
    if start == 0.0 {
        inside = 0.0;
    }
    for step in 1..=steps as u32 {
        let u = start + f64::from(step) * h;
        let now = growth(u);
        // Simpson's rule.
        inside += h / 6.0 * (before + 4.0 * growth(u - h / 2.0) + now);
        before = now;
        sum += h * density((u - v * cos) / sin) / sin * inside.powf(others);
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Directions, degrees, and the probability: the same integral in steps a tenth as wide.
    const KNOWN: [(u32, f64, f64); 5] = [
        (16, 20.0, 0.636953),
        (16, 60.0, 0.172987),
        (128, 25.0, 0.444671),
        (128, 70.0, 0.034735),
        (1024, 40.0, 0.159170),
    ];

    #[test]
    fn known_values() {
        // At a right angle all 2m answers are as likely.
        for directions in [8, 16, 128, 4096] {
            let p = by_quadrature(directions, 90.0);
            assert!((p * 2.0 * f64::from(directions) - 1.0).abs() < 1e-5, "{p}");
        }
        for (directions, degrees, p) in KNOWN {
            let found = by_quadrature(directions, degrees);
            assert!((found - p).abs() < 2e-6, "{directions} {degrees}: {found}");
        }
    }

    #[test]
    fn interpolation_is_close_and_falls() {
        for directions in [16, 128] {
            let table = agreement(directions, None);
            for degrees in [
                0.3, 0.5, 1.5, 4.4, 10.5, 22.25, 29.5, 31.5, 46.0, 70.0, 100.0,
            ] {
                let (exact, found) = (by_quadrature(directions, degrees), table.at(degrees));
                assert!((exact - found).abs() < 2e-4, "{degrees}: {exact} {found}");
            }
            let mut before = 1.0;
            for tenth in 0..1801 {
                let now = table.at(f64::from(tenth) / 10.0);
                assert!((0.0..=before).contains(&now), "{tenth}");
                before = now;
            }
        }
    }
}
