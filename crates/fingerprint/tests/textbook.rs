//! Prints drawn from the textbook's model are found as often as the exact expectation says.

use lookalike_core::{Drawn, KeySource, LshFamily, Scheme, random};
use lookalike_fingerprint::{Fingers, GridSquares, Model, Squares};

const SEEDS: u64 = 60;
const PAIRS: u64 = 300;

/// Whether two prints share a bucket.
fn candidates(source: &Drawn<GridSquares>, a: &Squares, b: &Squares) -> bool {
    let mut scratch = Default::default();
    let mut keys = |print: &Squares| {
        let mut keys = Vec::new();
        let found = source.keys(print, &mut scratch, |band, key, ()| keys.push((band, key)));
        found.unwrap();
        keys.sort_unstable();
        keys
    };
    let (a, b) = (keys(a), keys(b));
    a.iter().any(|key| b.binary_search(key).is_ok())
}

/// The rate of candidates among pairs of the model, and its standard error between draws of functions.
fn rate(family: &GridSquares, scheme: &Scheme, fingers: Fingers) -> (f64, f64) {
    let rates: Vec<f64> = (0..SEEDS)
        .map(|seed| {
            let source = family.amplify(scheme.clone()).draw(seed).unwrap();
            let found = (0..PAIRS).filter(|&pair| {
                let seed = random::derive(seed, pair);
                let [first, second] = [0, 1].map(|part| random::derive(seed, part));
                let a = Model::BOOK.print(family.total(), first).unwrap();
                let b = match fingers {
                    Fingers::Same => Model::BOOK.again(&a, second),
                    Fingers::Different => Model::BOOK.print(family.total(), second).unwrap(),
                };
                candidates(&source, &a, &b)
            });
            found.count() as f64 / PAIRS as f64
        })
        .collect();
    let n = SEEDS as f64;
    let mean = rates.iter().sum::<f64>() / n;
    let variance = rates.iter().map(|rate| (rate - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

#[test]
fn measured_rates_are_the_exact_expectation_and_not_the_books() {
    for total in [256, 1024] {
        for steps in ["or:1024", "or:1024,and:2"] {
            let scheme: Scheme = steps.parse().unwrap();
            let family = GridSquares::new(total).unwrap();
            for fingers in [Fingers::Same, Fingers::Different] {
                let (measured, error) = rate(&family, &scheme, fingers);
                let expected = Model::BOOK.expected(fingers, &family, &scheme).value();
                let book = Model::BOOK.book(fingers, family.width(), &scheme).value();
                let line = format!(
                    "{total} squares, {steps}, {fingers:?}: {measured:.4} ± {error:.4}, \
                     expected {expected:.4}, by the book {book:.4}"
                );
                println!("{line}");
                assert!((measured - expected).abs() <= 4.0 * error, "{line}");
                // A pair with few common squares is missed by all functions together.
                if fingers == Fingers::Same {
                    assert!(book - measured > 4.0 * error, "{line}");
                }
            }
        }
    }
}
