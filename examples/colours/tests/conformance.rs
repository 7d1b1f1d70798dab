//! The family keeps its promise, and its distance is a metric.

use colours::{RandomCuts, Rgb, RgbDifference};
use lookalike_core::conformance::{Conformance, metric_axioms};
use lookalike_core::random;

fn colour(seed: u64) -> Rgb {
    let mut rng = random::stream(seed, 0);
    [(); 3].map(|()| random::below(128, &mut rng) as u8)
}

/// Two colours at a distance of at most 127.
fn pair(distance: f64, seed: u64) -> (Rgb, Rgb) {
    let (a, mut b) = (colour(seed), colour(seed));
    let mut rng = random::stream(seed, 1);
    for _ in 0..distance as u32 {
        b[random::below(3, &mut rng) as usize] += 1;
    }
    (a, b)
}

#[test]
fn cuts_separate_colours_as_often_as_promised() {
    let test = Conformance::new(RgbDifference, pair).distances([3.0, 12.0, 48.0, 120.0]);
    println!("{}", test.check(&RandomCuts).unwrap());
}

#[test]
fn the_difference_is_a_metric() {
    let colours: Vec<Rgb> = (0..40).map(colour).collect();
    metric_axioms(&RgbDifference, &colours).unwrap();
}
