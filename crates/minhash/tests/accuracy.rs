//! How far estimates are off: FastSimilarity has less variance than k separate minhashes have.

use lookalike_core::{LshFamily, LshFunctions};
use lookalike_minhash::{
    Estimate, FastSimilarity, Integers, MinValue, Universal, generate::sets_with,
};

const K: usize = 128;

/// The mean squared error of the estimate, as a multiple of J(1−J)/k, and its standard error.
fn relative_error<F>(family: &F, n: usize, similarity: f64, seeds: u64) -> (f64, f64)
where
    F: LshFamily<Item = [u64], Functions: LshFunctions<Key = MinValue>>,
{
    let squares: Vec<f64> = (0..seeds)
        .map(|seed| {
            let sets = sets_with(n, similarity, seed).unwrap();
            let functions = family.draw(K, seed ^ 0x5eed);
            let [a, b] = [sets.a(), sets.b()].map(|set| {
                let mut signature = [None; K];
                functions.hash_into(set, &mut Default::default(), &mut signature);
                signature
            });
            let error = Estimate::new(&a, &b).unwrap().similarity() - sets.similarity();
            let classic = sets.similarity() * (1.0 - sets.similarity()) / K as f64;
            error * error / classic
        })
        .collect();
    let n = squares.len() as f64;
    let mean = squares.iter().sum::<f64>() / n;
    let variance = squares.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}

const SIMILARITIES: [f64; 4] = [0.3, 0.5, 0.8, 0.9];

/// Short documents gain most. The limits are those the product promises; below them there must also be a
/// plain reason, so that nothing else than the sketch is measured: not under a quarter.
#[test]
fn fast_similarity_beats_the_binomial_error() {
    for (n, limit, seeds) in [(20, 0.55, 6000), (200, 0.70, 6000), (2000, 1.05, 2500)] {
        for similarity in SIMILARITIES {
            let family = FastSimilarity::new(Integers);
            let (mean, error) = relative_error(&family, n, similarity, seeds);
            println!("n = {n}, J = {similarity}: {mean:.3} ± {error:.3}");
            assert!(mean <= limit, "n = {n}, J = {similarity}: {mean} ± {error}");
            assert!(mean >= 0.25, "n = {n}, J = {similarity}: {mean} ± {error}");
        }
    }
}

/// k separate functions have exactly the binomial error.
#[test]
fn universal_has_the_binomial_error() {
    for similarity in SIMILARITIES {
        let (mean, error) = relative_error(&Universal::new(Integers), 200, similarity, 3000);
        assert!(
            (mean - 1.0).abs() <= 4.0 * error,
            "J = {similarity}: {mean} ± {error}"
        );
    }
}
