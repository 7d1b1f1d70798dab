//! Any bytes as a JSON array: every record goes to one output, each of which is an array again, and records are what
//! serde_json reads.

#![no_main]

use libfuzzer_sys::fuzz_target;
use lookalike_corpus::{ErrorKind, Fate, OnError};
use lookalike_fuzz::scan;
use serde_json::Value;

fuzz_target!(|data: &[u8]| {
    let content = [b"[", data].concat();
    let scanned = match scan(&content, ".json", OnError::Skip) {
        Ok(scanned) => scanned,
        Err(e) => {
            assert_eq!(e.kind(), ErrorKind::Content, "{e}");
            return;
        }
    };
    for read in &scanned.documents {
        let start = read.place.start as usize;
        let record = &content[start..start + read.place.bytes as usize];
        // What is not asked for may hold what only skipping takes.
        if let Ok(value) = serde_json::from_slice::<Value>(record) {
            assert_eq!(value["text"], Value::from(read.text.as_str()));
        }
    }
    scanned.read_again();
    let [kept, removed, skipped] = scanned.split(|i| [Fate::Keep, Fate::Remove][i % 2]);
    if let Ok(all) = serde_json::from_slice::<Vec<Value>>(&content) {
        assert_eq!(all.len(), scanned.documents.len() + scanned.skipped.len());
        let count = |out: &[u8]| serde_json::from_slice::<Vec<Value>>(out).unwrap().len();
        let counts = [&kept, &removed, &skipped].map(|out| count(out));
        let documents = scanned.documents.len();
        assert_eq!(
            counts,
            [documents.div_ceil(2), documents / 2, scanned.skipped.len()]
        );
        if let Ok([annotated, skipped]) = scanned.annotate() {
            assert_eq!(count(&annotated), documents);
            assert_eq!(count(&skipped), scanned.skipped.len());
        }
    }
    let strict = scan(&content, ".json", OnError::Stop);
    assert_eq!(strict.is_ok(), scanned.skipped.is_empty());
});
