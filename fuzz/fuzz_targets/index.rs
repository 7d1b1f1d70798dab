//! Any bytes as an index: it is refused, or answers, changes and is written again without a panic. Checksums are not looked at under
//! the fuzzer (`cfg(fuzzing)` in the store), so that what they protect is reached.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_core::plugin::Value;
use lookalike_corpus::Options;
use lookalike_hamming::plugin::{BitSampling, Blocks};
use lookalike_minhash::plugin::{FastSimilarity, Over, TextJaccard};
use lookalike_search::{Dataset, Id, Index, Registry, Source, Wanted};
use std::sync::LazyLock;

static REGISTRY: LazyLock<Registry> = LazyLock::new(|| {
    Registry::default()
        .with::<Over<FastSimilarity, TextJaccard>>()
        .with::<Blocks>()
        .with::<BitSampling>()
});

static QUERIES: LazyLock<Vec<Dataset>> = LazyLock::new(|| {
    let read = |kind, values: [&str; 2]| {
        let source = Source::new(&[], Options::default(), &[kind]);
        REGISTRY.parse(&source, values.map(Value::Text)).unwrap()
    };
    vec![
        read("text", ["one two three four five six", ""]),
        read("code", ["00ff12aa00ff12aa", "0000000000000000"]),
    ]
});

fuzz_target!(|data: &[u8]| {
    let Ok(index) = Index::from_bytes(&REGISTRY, data.to_vec()) else {
        return;
    };
    let _ = (index.check(), index.stats(), index.len());
    for queries in &*QUERIES {
        for place in 0..queries.len() {
            let wanted = Wanted::default();
            let _ = index.asker().and_then(|mut asker| asker.ask(queries, place, &wanted));
            let _ = index.scan(queries, place..place + 1, &wanted);
            let _ = index.add_new(&Id::from(place as u64), queries, place, 0.5);
        }
    }
    for id in [Id::from(1), Id::from("id 1")] {
        let _ = (index.show(&id), index.remove(&id));
    }
    let mut written = Vec::new();
    if index.write_to(&mut written).is_ok() {
        // A writer must be able to read what it has written.
        Index::from_bytes(&REGISTRY, written).unwrap().check().unwrap();
    }
});
