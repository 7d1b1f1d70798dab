use std::fs;

use serde_json::json;

use lookalike_minhash::plugin::{FastSimilarity, Over, TextJaccard};

use super::*;
use crate::{Config, run};

/// Without functions on elements that are at hand: texts are hashed as they are.
fn registry() -> Registry {
    Registry::default().with::<Over<FastSimilarity, TextJaccard>>()
}

/// Twenty texts of a hundred words, each with two near copies and a copy of one of them.
fn a_run(folder: &Path) -> std::path::PathBuf {
    let text = |i: usize, changed: usize| -> String {
        let word = |place| match place < changed {
            true => format!("new{place} "),
            false => format!("t{i}w{place} "),
        };
        (0..100).map(word).collect()
    };
    let texts = (0..20).flat_map(|i| [0, 3, 7, 7].map(|changed| text(i, changed)));
    let records: String = texts
        .map(|text| format!("{}\n", json!({"text": text})))
        .collect();
    let input = folder.join("in.jsonl");
    fs::write(&input, records).unwrap();
    let mut config = Config {
        bands: Some(4),
        rows: Some(8),
        ..Config::default()
    };
    config.data.inputs = vec![input.display().to_string()];
    let out = folder.join("out");
    run(&registry(), &config, &out, &()).unwrap();
    out
}

#[test]
fn several_scans_give_what_one_does() {
    let folder = tempfile::tempdir().unwrap();
    let out = a_run(folder.path());
    for sample in [25, 1000] {
        let options = Options { sample, seed: 3 };
        let audits = [1, 2000, ROOM]
            .map(|room| audit_within(room, &registry(), &out, options, &()).unwrap())
            .map(|audit| serde_json::to_string(&audit).unwrap());
        assert_eq!(audits[0], audits[2]);
        assert_eq!(audits[1], audits[2]);
    }
}

#[test]
fn the_same_for_every_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let out = a_run(folder.path());
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let options = Options {
            sample: 30,
            seed: 1,
        };
        let audit = pool
            .build()
            .unwrap()
            .install(|| audit(&registry(), &out, options, &()));
        serde_json::to_string(&audit.unwrap()).unwrap()
    };
    assert_eq!(on(1), on(2));
    assert_eq!(on(1), on(7));
}
