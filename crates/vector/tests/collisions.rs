//! One function of each family gives two vectors the same answer as often as its formula says: at ten distances within
//! four standard errors. The formulas are written again here, as integrals where the library has closed forms.

use lookalike_core::{Bounds, LshFamily, LshFunctions, random::Stream};
use lookalike_vector::{
    Scalar,
    families::{CauchyLines, CrossPolytope, Hyperplanes, RandomLines},
    generate,
};

const ANGLES: [f64; 10] = [2.0, 5.0, 10.0, 20.0, 30.0, 45.0, 60.0, 90.0, 120.0, 165.0];
const DISTANCES: [f64; 10] = [0.05, 0.1, 0.25, 0.5, 0.75, 1.0, 1.5, 2.0, 4.0, 10.0];
/// The width of the buckets on lines.
const WIDTH: f64 = 1.0;
const DIMENSIONS: usize = 20;
const DRAWS: u64 = 6000;

/// A vector at a distance from another.
type Near = fn(&[f64], f64, &mut Stream) -> Vec<f64>;

fn at_angle(vector: &[f64], degrees: f64, rng: &mut Stream) -> Vec<f64> {
    generate::at_angle(vector, degrees, rng).unwrap()
}

/// How often a function agrees on two vectors at a distance, each time another function and other vectors.
fn measured<T: Scalar, F: LshFamily<Item = [T]>>(
    family: &F,
    dimensions: usize,
    near: Near,
    distance: f64,
) -> f64 {
    let agreed = (0..DRAWS).filter(|&seed| {
        let mut rng = generate::stream(seed, distance.to_bits());
        let a = generate::normal(dimensions, &mut rng);
        let b = near(&a, distance, &mut rng);
        let function = family.draw(1, seed);
        let [a, b] = [a, b].map(|vector| {
            let vector: Vec<T> = vector.into_iter().map(T::nearest).collect();
            let mut answer = [Default::default()];
            function.hash_into(&vector, &mut Default::default(), &mut answer);
            lookalike_core::Key::bits(answer[0])
        });
        a.is_some() && a == b
    });
    agreed.count() as f64 / DRAWS as f64
}

/// How many standard errors a share is outside of what is expected: 0 within.
fn deviations(share: f64, expected: Bounds) -> f64 {
    let error = |p: f64| (p * (1.0 - p) / DRAWS as f64).sqrt().max(1e-12);
    let (lower, upper) = (expected.lower().value(), expected.upper().value());
    let below = (lower - share) / error(lower);
    let above = (share - upper) / error(upper);
    below.max(above).max(0.0)
}

/// Holds a family against a formula, and the test against a formula that is wrong by a tenth of the distance.
fn agrees_as_often_as<T: Scalar, F: LshFamily<Item = [T]>>(
    family: &F,
    dimensions: usize,
    near: Near,
    distances: [f64; 10],
    formula: impl Fn(f64) -> Bounds,
) {
    let mut worst_of_wrong = 0.0f64;
    for distance in distances {
        let share = measured(family, dimensions, near, distance);
        let off = deviations(share, formula(distance));
        assert!(off <= 4.0, "{share} at {distance}: {off} standard errors");
        worst_of_wrong = worst_of_wrong.max(deviations(share, formula(1.1 * distance)));
    }
    assert!(
        worst_of_wrong > 4.0,
        "a wrong formula passes: {worst_of_wrong}"
    );
}

fn exactly(p: f64) -> Bounds {
    Bounds::exact(lookalike_core::Probability::saturating(p))
}

/// Two points whose projections are x apart share a bucket with probability 1 − x/width. Their distance on the line has
/// this density for x ≥ 0.
fn on_lines(density: impl Fn(f64) -> f64) -> Bounds {
    const STEPS: usize = 20_000;
    let step = WIDTH / STEPS as f64;
    let middle = |number: usize| (number as f64 + 0.5) * step;
    let share = (0..STEPS).map(|it| density(middle(it)) * (1.0 - middle(it) / WIDTH) * step);
    exactly(share.sum())
}

#[test]
fn hyperplanes_agree_as_often_as_their_formula() {
    fn check<T: Scalar>() {
        let family = Hyperplanes::<T>::new(DIMENSIONS);
        agrees_as_often_as(&family, DIMENSIONS, at_angle, ANGLES, |degrees| {
            exactly(1.0 - degrees / 180.0)
        });
    }
    check::<f32>();
    check::<f64>();
}

/// The integral has no closed form, so it is the library's own; `agreement.rs` compares it with others.
#[test]
fn cross_polytopes_agree_as_often_as_their_integral() {
    fn check<T: Scalar>() {
        for dimensions in [DIMENSIONS, 100] {
            let family = CrossPolytope::<T>::new(dimensions, 64).unwrap();
            agrees_as_often_as(&family, dimensions, at_angle, ANGLES, |it| {
                family.collision(it)
            });
        }
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn random_lines_agree_as_often_as_their_integral() {
    fn check<T: Scalar>() {
        let family = RandomLines::<T>::new(DIMENSIONS, WIDTH).unwrap();
        let near = generate::at_euclidean;
        agrees_as_often_as(&family, DIMENSIONS, near, DISTANCES, |c| {
            let peak = (2.0 / std::f64::consts::PI).sqrt() / c;
            on_lines(|x| peak * (-x * x / (2.0 * c * c)).exp())
        });
    }
    check::<f32>();
    check::<f64>();
}

#[test]
fn cauchy_lines_agree_as_often_as_their_integral() {
    fn check<T: Scalar>() {
        let family = CauchyLines::<T>::new(DIMENSIONS, WIDTH).unwrap();
        let near = generate::at_manhattan;
        agrees_as_often_as(&family, DIMENSIONS, near, DISTANCES, |c| {
            on_lines(|x| 2.0 * c / (std::f64::consts::PI * (c * c + x * x)))
        });
    }
    check::<f32>();
    check::<f64>();
}
