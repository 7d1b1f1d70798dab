//! With fixed seeds: as many of the pairs are found as the plan promises.

use lookalike_core::random::derive;
use lookalike_dedup::Config;

use crate::found::{Found, alike};

/// Texts of twenty words out of a thousand; each has a near copy with one to six of them replaced.
fn texts(seed: u64) -> Vec<String> {
    let mut draws = (0..).map(|i| derive(seed, i));
    let mut draw = |below: u64| draws.next().unwrap() % below;
    let mut texts = Vec::new();
    for _ in 0..100 {
        let mut words: Vec<u64> = (0..20).map(|_| draw(1000)).collect();
        let write = |words: &[u64]| {
            words
                .iter()
                .map(|word| format!("w{word} "))
                .collect::<String>()
        };
        texts.push(write(&words));
        for _ in 0..=draw(6) {
            let place = draw(20) as usize;
            words[place] = draw(1000);
        }
        texts.push(write(&words));
    }
    texts
}

/// The pairs of 20 corpora that are alike, and those of them that are found.
fn count(sketch: &str, threshold: f64, recall: f64) -> (f64, f64) {
    let (mut alike_pairs, mut found_pairs) = (0, 0);
    for seed in 0..20 {
        let texts = texts(seed);
        let mut config = Config {
            threshold,
            recall: Some(recall),
            functions: Some(512),
            seed,
            ..Config::default()
        };
        config.family.shingle = "words:1".parse().unwrap();
        config.family.name = sketch.into();
        let all = alike(&config.family.shingler(), &texts, threshold);
        let found = Found::among(&texts, config).set();
        assert!(found.iter().all(|pair| all.contains_key(pair)));
        alike_pairs += all.len();
        found_pairs += found.len();
    }
    (alike_pairs as f64, found_pairs as f64)
}

#[test]
fn a_high_recall_finds_nearly_all_pairs() {
    for sketch in ["fast-similarity", "universal"] {
        for threshold in [0.5, 0.7, 0.85] {
            let (all, found) = count(sketch, threshold, 0.99);
            let error = (0.99 * 0.01 / all).sqrt();
            assert!(all > 300.0, "{all}");
            assert!(
                found / all >= 0.99 - 4.0 * error,
                "{sketch} {threshold}: {found} of {all}"
            );
        }
    }
}

/// A low recall is a choice, too: the run must not silently do much more than it was asked for.
#[test]
fn a_low_recall_finds_fewer() {
    let (all, found) = count("fast-similarity", 0.5, 0.5);
    let (_, more) = count("fast-similarity", 0.5, 0.99);
    assert!(
        found >= 0.5 * all && found < 0.97 * all && found < more,
        "{found}, {more} of {all}"
    );
}
