//! Any JSON as a plan: it comes back bit for bit, and a search by it works or is refused.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_core::plugin::Value;
use lookalike_corpus::Options;
use lookalike_fingerprint::plugin::{GridSquares, LocalTriples};
use lookalike_hamming::plugin::{BitSampling, Blocks, MultiProbe};
use lookalike_minhash::plugin::{
    ConsistentWeighted, FastSimilarity, HashedJaccard, OnePass, Over, Permutation, SetJaccard,
    TextJaccard, Universal,
};
use lookalike_search::{Dataset, Plan, Registry, Source};
use std::sync::LazyLock;

/// Functions and bits up to which a plan is searched: more take memory and time, and nothing else.
const MOST: usize = 2000;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    Registry::default()
        .with::<Over<FastSimilarity, TextJaccard>>()
        .with::<Over<Universal, TextJaccard>>()
        .with::<Over<FastSimilarity, SetJaccard>>()
        .with::<Over<Universal, SetJaccard>>()
        .with::<Permutation>()
        .with::<OnePass>()
        .with::<ConsistentWeighted>()
        .with::<Over<FastSimilarity, HashedJaccard>>()
        .with::<Over<Universal, HashedJaccard>>()
        .with::<Blocks>()
        .with::<BitSampling>()
        .with::<MultiProbe>()
        .with::<LocalTriples>()
        .with::<GridSquares>()
});

/// A few items of some kinds.
static DATA: LazyLock<Vec<Dataset>> = LazyLock::new(|| {
    let texts = [
        "one two three four five six",
        "one two three four five",
        "",
        "one two three four five",
    ];
    let sets = ["[1, 2, 3]", "[1, 2, 3, 4]", "[]", "[9]"];
    let weights = [r#"{"a": 1, "b": 2}"#, r#"{"a": 1}"#, "{}", r#"{"c": 0.5}"#];
    let codes = ["00ff12", "00ff13", "000000", "ffffff"];
    let read = |kind, values: Vec<Value<'_>>| {
        let source = Source::new(&[], Options::default(), &[kind]);
        REGISTRY.parse(&source, values).unwrap()
    };
    vec![
        read("text", texts.map(Value::Text).to_vec()),
        read("set", sets.map(Value::Json).to_vec()),
        read("weighted-set", weights.map(Value::Json).to_vec()),
        read("code", codes.map(Value::Text).to_vec()),
    ]
});

fuzz_target!(|data: &[u8]| {
    let Ok(plan) = serde_json::from_slice::<Plan>(data) else {
        return;
    };
    let json = serde_json::to_string(&plan).unwrap();
    assert_eq!(serde_json::from_str::<Plan>(&json).unwrap(), plan);
    let _ = REGISTRY.measure(&plan);
    if plan.scheme.functions() as usize > MOST || plan.width > MOST {
        return;
    }
    for data in &*DATA {
        if let Ok(search) = REGISTRY.search(data, &plan) {
            let _ = search.pairs(None);
        }
    }
});
