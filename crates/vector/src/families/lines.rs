use std::{f64::consts::PI, fmt::Debug, marker::PhantomData};

use lookalike_core::{
    Bounds, LshFamily, LshFunctions, Probability,
    random::{self, Stream},
};
use rand::RngExt;

use super::{
    Alternative, Perturbed, Probed, hyperplanes, projection::Directions, simulated::Choice,
};
use crate::{Error, Scalar, normal};

/// Random lines that are cut into buckets: a function projects a vector on a line, shifts it, and takes the number of
/// the bucket, ⌊(g·x)/width + b⌋ with b uniform in [0, 1).
///
/// Which distance it is sensitive to is a matter of the law of the coordinates of g.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lines<T, L> {
    dimensions: usize,
    width: f64,
    law: L,
    numbers: PhantomData<T>,
}

/// Lines with normal coordinates, for Euclidean distance.
///
/// The projections of two vectors at distance c differ by c times a standard normal number (Datar, Immorlica, Indyk and
/// Mirrokni, 2004). With buckets of width a, the family is (a/2, 2a, 1/2, 1/3)-sensitive, as in *Mining of Massive
/// Datasets*, §3.7.4.
///
/// ```
/// use lookalike_core::LshFamily;
/// use lookalike_vector::families::RandomLines;
///
/// let lines = RandomLines::<f32>::new(100, 1.0)?;
/// let one = lines.sensitivity(0.5, 2.0)?;
/// assert!(one.p1().value() >= 0.5 && one.p2().value() <= 1.0 / 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub type RandomLines<T> = Lines<T, Gaussian>;

/// Lines with Cauchy coordinates, for Manhattan distance.
///
/// The projections of two vectors at distance c differ by c times a standard Cauchy number.
pub type CauchyLines<T> = Lines<T, Cauchy>;

/// A law of numbers under which a sum of independent ones, each times a weight, has the same law times the length of the
/// weights: a stable law.
pub trait Law: Copy + Debug + Default + Send + Sync + 'static {
    /// A number drawn by the law.
    fn draw(rng: &mut Stream) -> f64;
    /// How likely a number is below x.
    fn below(x: f64) -> f64;
    /// How likely two projections share a bucket that is t times as wide as the vectors are apart.
    fn collision(t: f64) -> f64;
    /// How unlikely a neighbour lies beyond the edge of a bucket at this distance, in widths: less is likelier.
    fn cost(gap: f64) -> f64;
}

/// The standard normal law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Gaussian;

/// The standard Cauchy law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cauchy;

impl Law for Gaussian {
    fn draw(rng: &mut Stream) -> f64 {
        hyperplanes::normal(rng)
    }

    fn below(x: f64) -> f64 {
        normal::below(x)
    }

    fn collision(t: f64) -> f64 {
        // 1 − 2Φ(−t), and what the cuts take away.
        normal::within(t) + 2.0 * (-t * t / 2.0).exp_m1() / ((2.0 * PI).sqrt() * t)
    }

    fn cost(gap: f64) -> f64 {
        gap * gap
    }
}

impl Law for Cauchy {
    fn draw(rng: &mut Stream) -> f64 {
        rng.sample(rand_distr::Cauchy::new(0.0, 1.0).expect("a positive scale"))
    }

    fn below(x: f64) -> f64 {
        0.5 + x.atan() / PI
    }

    fn collision(t: f64) -> f64 {
        // ln(1 + t²) without an overflow.
        let logarithm = if t > 1e8 {
            2.0 * t.ln()
        } else {
            (t * t).ln_1p()
        };
        2.0 * t.atan() / PI - logarithm / (PI * t)
    }

    fn cost(gap: f64) -> f64 {
        // Neighbours are usually some quarter of a width away, and large steps are likelier than normal ones.
        (16.0 * gap * gap).ln_1p()
    }
}

/// Lines with their cuts.
#[derive(Clone)]
pub struct Cuts<T, L> {
    /// Products are taken in `f64`, so that large coordinates do not blur small buckets.
    lines: Directions<f64>,
    /// Where the cuts of each line are, in widths.
    shifts: Vec<f64>,
    width: f64,
    kinds: PhantomData<(T, L)>,
}

/// Memory for the numbers and the products of some vectors.
#[derive(Debug, Default)]
pub struct CutsScratch {
    numbers: Vec<f64>,
    products: Vec<f64>,
}

impl<T, L: Law> Lines<T, L> {
    /// Lines among vectors of so many dimensions, with buckets of a width above 0.
    ///
    /// # Errors
    /// If the width is not a positive number.
    pub fn new(dimensions: usize, width: f64) -> Result<Self, Error> {
        if !(width > 0.0 && width.is_finite()) {
            return Err(Error::parameter("width", width, "a number above 0"));
        }
        Ok(Self {
            dimensions,
            width,
            law: L::default(),
            numbers: PhantomData,
        })
    }
}

impl<T: Scalar, L: Law> LshFamily for Lines<T, L> {
    type Item = [T];
    type Functions = Cuts<T, L>;

    fn collision(&self, distance: f64) -> Bounds {
        let t = self.width / distance;
        let agree = if t.is_finite() { L::collision(t) } else { 1.0 };
        Bounds::exact(Probability::saturating(agree))
    }

    fn draw(&self, k: usize, seed: u64) -> Cuts<T, L> {
        let shift = |line| random::stream(random::derive(seed, SHIFTS), line).unit();
        Cuts {
            lines: Directions::draw(self.dimensions, k, seed, L::draw),
            shifts: (0..k as u64).map(shift).collect(),
            width: self.width,
            kinds: PhantomData,
        }
    }
}

/// Not the streams of the lines.
const SHIFTS: u64 = u64::from_le_bytes(*b"  shifts");

impl<T: Scalar, L: Law> Cuts<T, L> {
    /// Lines that are given by their directions, each with where its cuts are, in widths: ⌊(g·x)/width + shift⌋.
    ///
    /// # Errors
    /// If there are no lines, if they have different dimensions or other shifts than lines, or if a number is wrong.
    ///
    /// ```
    /// use lookalike_core::LshFunctions;
    /// use lookalike_vector::families::{Cuts, Gaussian};
    ///
    /// // A horizontal line with buckets of width 2.
    /// let cuts = Cuts::<f64, Gaussian>::of_lines(&[vec![1.0, 0.0]], vec![0.0], 2.0)?;
    /// assert_eq!(cuts.places_of(&[3.0, 7.0]), [1.5]);
    /// let mut keys = [None];
    /// cuts.hash_into(&[3.0, 7.0], &mut Default::default(), &mut keys);
    /// assert_eq!(keys, [Some(1)]);
    /// # Ok::<(), lookalike_vector::Error>(())
    /// ```
    pub fn of_lines(lines: &[Vec<f64>], shifts: Vec<f64>, width: f64) -> Result<Self, Error> {
        let dimensions = hyperplanes::given(lines)?;
        Lines::<T, L>::new(dimensions, width)?;
        if shifts.len() != lines.len() {
            let expected = format!("as many as lines, {}", lines.len());
            return Err(Error::parameter("shifts", shifts.len(), expected));
        }
        if let Some(shift) = shifts.iter().find(|shift| !shift.is_finite()) {
            return Err(Error::parameter("shift", shift, "a finite number"));
        }
        Ok(Self {
            lines: Directions::given(dimensions, lines),
            shifts,
            width,
            kinds: PhantomData,
        })
    }

    /// The direction of each line.
    #[must_use]
    pub fn lines(&self) -> Vec<Vec<f64>> {
        self.lines.directions()
    }

    /// Where the cuts of each line are, in widths.
    #[must_use]
    pub fn shifts(&self) -> &[f64] {
        &self.shifts
    }

    /// The places of a vector on all lines, in widths: the bucket is the whole part below.
    ///
    /// # Panics
    /// If the vector has other dimensions.
    #[must_use]
    pub fn places_of(&self, vector: &[T]) -> Vec<f64> {
        let mut scratch = CutsScratch::default();
        let mut places = self.places(&[vector], &mut scratch);
        places.next().map(<[f64]>::to_vec).unwrap_or_default()
    }

    /// The places of vectors on the lines, in widths: the bucket is the whole part.
    fn places<'a>(
        &self,
        vectors: &[&[T]],
        scratch: &'a mut CutsScratch,
    ) -> std::slice::Chunks<'a, f64> {
        let CutsScratch { numbers, products } = scratch;
        numbers.clear();
        for vector in vectors {
            numbers.extend(vector.iter().map(|&number| -> f64 { number.into() }));
        }
        let dimensions = vectors.first().map_or(1, |vector| vector.len());
        let rows: Vec<&[f64]> = numbers.chunks(dimensions.max(1)).collect();
        self.lines.products(&rows, products);
        let lines = self.shifts.len().max(1);
        for products in products.chunks_mut(lines) {
            for (place, shift) in products.iter_mut().zip(&self.shifts) {
                *place = *place / self.width + shift;
            }
        }
        products.chunks(lines)
    }
}

/// The bucket with a number, negative ones included.
fn bucket(number: f64) -> Option<u64> {
    Some((number as i64).cast_unsigned())
}

impl<T: Scalar, L: Law> LshFunctions for Cuts<T, L> {
    type Item = [T];
    type Key = Option<u64>;
    type Scratch = CutsScratch;

    fn len(&self) -> usize {
        self.shifts.len()
    }

    fn hash_into(&self, vector: &[T], scratch: &mut CutsScratch, keys: &mut [Option<u64>]) {
        self.hash_all_into(&[vector], scratch, keys);
    }

    fn hash_all_into(&self, vectors: &[&[T]], scratch: &mut CutsScratch, keys: &mut [Option<u64>]) {
        let places = self.places(vectors, scratch);
        for (keys, places) in keys.chunks_mut(self.len().max(1)).zip(places) {
            for (key, place) in keys.iter_mut().zip(places) {
                *key = bucket(place.floor());
            }
        }
    }
}

impl<T: Scalar, L: Law> Perturbed for Cuts<T, L> {
    /// The buckets on both sides: the nearer the edge, the likelier.
    fn perturb(
        &self,
        vector: &[T],
        scratch: &mut CutsScratch,
        _: usize,
        answers: &mut [Option<u64>],
        alternatives: &mut Vec<Alternative<Option<u64>>>,
    ) {
        let places = self.places(&[vector], scratch).flatten();
        for (function, (answer, place)) in answers.iter_mut().zip(places).enumerate() {
            let own = place.floor();
            *answer = bucket(own);
            let inside = place - own;
            let sides = [(inside, own - 1.0), (1.0 - inside, own + 1.0)];
            alternatives.extend(sides.map(|(gap, number)| Alternative {
                function,
                cost: L::cost(gap),
                answer: bucket(number),
            }));
        }
    }
}

impl<T: Scalar, L: Law> Probed for Lines<T, L> {
    /// A query lies anywhere in its bucket; its neighbour is c/width widths times a number by the law away.
    fn simulate(&self, distance: f64, _: usize, rng: &mut Stream, choices: &mut Vec<Choice>) {
        let inside = rng.unit();
        let apart = (distance / self.width).max(f64::MIN_POSITIVE);
        let [a, b, c, d] = [-1.0, 0.0, 1.0, 2.0].map(|edge| L::below((edge - inside) / apart));
        choices.push(Choice::own(c - b));
        choices.push(Choice::new(L::cost(inside), b - a));
        choices.push(Choice::new(L::cost(1.0 - inside), d - c));
    }
}

impl<T, L> Debug for Cuts<T, L> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Cuts").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_always_agree_and_strangers_never() {
        for width in [1e-12, 1.0, 1e12] {
            let lines = RandomLines::<f64>::new(2, width).unwrap();
            let cauchy = CauchyLines::<f64>::new(2, width).unwrap();
            for (collision, far) in [
                (lines.collision(0.0), lines.collision(1e300)),
                (cauchy.collision(0.0), cauchy.collision(1e300)),
            ] {
                assert_eq!(collision, Bounds::exact(Probability::CERTAIN));
                assert!(far.upper().value() < 1e-200);
            }
            // As far as numbers go, the probability falls and is a probability.
            let mut before = (1.0, 1.0);
            for exponent in -40..40 {
                let distance = width * 2f64.powi(exponent);
                let now = (
                    lines.collision(distance).lower().value(),
                    cauchy.collision(distance).lower().value(),
                );
                assert!(now.0 <= before.0 && now.1 <= before.1, "{distance}");
                before = now;
            }
        }
        for width in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert!(RandomLines::<f32>::new(3, width).is_err());
        }
    }

    #[test]
    fn lines_that_are_drawn_can_be_given() {
        let drawn = RandomLines::<f64>::new(3, 0.5).unwrap().draw(20, 3);
        let shifts = drawn.shifts().to_vec();
        let given = Cuts::<f64, Gaussian>::of_lines(&drawn.lines(), shifts, 0.5).unwrap();
        let vector = [1.0, -2.0, 0.25];
        assert_eq!(drawn.places_of(&vector), given.places_of(&vector));
        let of = |lines: &[Vec<f64>], shifts, width| {
            Cuts::<f64, Gaussian>::of_lines(lines, shifts, width).is_err()
        };
        let line = vec![vec![1.0, 0.0]];
        assert!(of(&[], vec![], 1.0) && of(&[vec![0.0]], vec![0.0], 1.0));
        assert!(of(&line, vec![], 1.0) && of(&line, vec![f64::NAN], 1.0));
        assert!(of(&line, vec![0.0], 0.0) && !of(&line, vec![0.0], 1.0));
        assert!(of(&[vec![1.0], vec![1.0, 2.0]], vec![0.0; 2], 1.0));
    }

    #[test]
    fn buckets_far_from_the_origin_are_as_wide_as_others() {
        // Two points 0.1 apart, 10^9 away: 32-bit products would be off by many widths.
        let lines = RandomLines::<f64>::new(3, 1.0).unwrap();
        let functions = lines.draw(4000, 3);
        let (a, b) = ([1e9, -2e9, 3e9], [1e9, -2e9 + 0.1, 3e9]);
        let mut keys = [vec![None; 4000], vec![None; 4000]];
        functions.hash_into(&a, &mut Default::default(), &mut keys[0]);
        functions.hash_into(&b, &mut Default::default(), &mut keys[1]);
        let agreed = keys[0].iter().zip(&keys[1]).filter(|(a, b)| a == b).count() as f64;
        let p = lines.collision(0.1).lower().value();
        assert!((agreed / 4000.0 - p).abs() < 4.0 * (p * (1.0 - p) / 4000.0).sqrt());
    }

    #[test]
    fn value_stability() {
        fn keys<T: Scalar, L: Law>() -> Vec<i64> {
            let functions = Lines::<T, L>::new(4, 0.25).unwrap().draw(6, 7);
            let vector = [0.5, -1.0, 2.5, 0.125].map(T::nearest);
            let mut keys = [None; 6];
            functions.hash_into(&vector, &mut Default::default(), &mut keys);
            keys.iter().map(|key| key.unwrap().cast_signed()).collect()
        }
        assert_eq!(keys::<f32, Gaussian>(), [1, 13, -12, 15, 7, 3]);
        assert_eq!(keys::<f64, Gaussian>(), keys::<f32, Gaussian>());
        assert_eq!(keys::<f32, Cauchy>(), [-24, -23, 34, -27, 17, -185]);
    }
}
