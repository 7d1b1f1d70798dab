//! Any bytes as JSONL: every byte goes to one output, and records are what serde_json reads.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{Error, Fate, OnError};
use lookalike_fuzz::{histogram, scan};
use serde_json::Value;

fuzz_target!(|content: &[u8]| {
    let scanned = match scan(content, ".jsonl", OnError::Skip) {
        Ok(scanned) => scanned,
        Err(e) => return assert!(matches!(e, Error::Foreign { .. }), "{e}"),
    };
    for read in &scanned.documents {
        let start = read.place.start as usize;
        let record = &content[start..start + read.place.bytes as usize];
        // What is not asked for may hold what only skipping takes.
        if let Ok(value) = serde_json::from_slice::<Value>(record) {
            assert_eq!(value["text"], Value::from(read.text.as_str()));
        }
    }
    for skipped in &scanned.skipped {
        let start = skipped.place.start as usize;
        let record = &content[start..start + skipped.place.bytes as usize];
        let value = serde_json::from_slice::<Value>(record);
        assert!(!value.is_ok_and(|value| value["text"].is_string()));
    }
    scanned.read_again();
    let out = scanned.split(|i| [Fate::Keep, Fate::Remove][i % 2]);
    assert_eq!(
        histogram(out.iter().map(Vec::as_slice)),
        histogram([content])
    );
    if let Ok([annotated, skipped]) = scanned.annotate() {
        assert!(annotated.len() + skipped.len() >= content.len());
    }
    let strict = scan(content, ".jsonl", OnError::Stop);
    assert_eq!(strict.is_ok(), scanned.skipped.is_empty());
});
