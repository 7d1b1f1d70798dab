//! Batches, held to the plain definition.

use std::{collections::BTreeSet, fs, path::Path};

use lookalike_minhash::Elements;
use proptest::prelude::*;

use super::*;

fn family() -> TextFamily {
    TextFamily {
        shingle: "words:1".parse().unwrap(),
        ..TextFamily::default()
    }
}

fn set(text: &str) -> BTreeSet<u64> {
    let mut elements = Vec::new();
    let shingler = family().shingler();
    shingler.collect(text, &mut Default::default(), &mut elements);
    elements.into_iter().collect()
}

/// What is found for a query.
type Plain = Vec<(f64, Id, String)>;

/// All documents, sorted, the first `k` of those that are similar enough.
fn plainly(documents: &[String], query: &str, k: usize) -> Plain {
    let query = set(query);
    let mut all = Vec::new();
    for (id, text) in documents.iter().enumerate() {
        let other = set(text);
        let common = query.intersection(&other).count() as f64;
        let similarity = common / query.union(&other).count() as f64;
        if common > 0.0 {
            all.push((similarity, Id::from(id as u64), text.clone()));
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
    all.truncate(k);
    all
}

fn in_batches(data: &TextInput, queries: &[String], k: usize, full: usize) -> (usize, Vec<Plain>) {
    let family = family();
    let mut scan = Scan::new(data, &family, k);
    scan.queries.full_from(full);
    let (mut batches, mut found) = (1, Vec::new());
    for query in queries {
        if scan.is_full() {
            batches += 1;
            let waiting = scan.waiting();
            found.extend(scan.answers(&()).unwrap());
            assert!(waiting > 0 && scan.waiting() == 0);
        }
        scan.push(query).unwrap();
    }
    found.extend(scan.finish(&()).unwrap());
    let plain = |found: Found| (found.similarity, found.id, found.text.to_string());
    let plain = |found: Vec<Found>| found.into_iter().map(plain).collect();
    (batches, found.into_iter().map(plain).collect())
}

fn write(path: &Path, documents: &[String]) -> TextInput {
    let record = |(id, text): (usize, &String)| format!("{{\"id\": {id}, \"text\": \"{text}\"}}\n");
    let records: String = documents.iter().enumerate().map(record).collect();
    fs::write(path, records).unwrap();
    TextInput {
        inputs: vec![path.display().to_string()],
        ..TextInput::default()
    }
}

fn texts(most: usize) -> impl Strategy<Value = Vec<String>> {
    let text = prop::collection::vec(0u8..7, 0..6).prop_map(|words| {
        let words: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
        words.join(" ")
    });
    prop::collection::vec(text, 1..most)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn batches_answer_as_all_documents_sorted(
        documents in texts(40),
        queries in texts(20),
        k in 0usize..6,
        full in 1usize..200,
    ) {
        let folder = tempfile::tempdir().unwrap();
        let data = write(&folder.path().join("in.jsonl"), &documents);
        let (_, found) = in_batches(&data, &queries, k, full);
        let plain: Vec<_> = queries.iter().map(|query| plainly(&documents, query, k)).collect();
        prop_assert_eq!(found, plain);
    }
}

#[test]
fn many_blocks_on_many_threads_answer_the_same() {
    let folder = tempfile::tempdir().unwrap();
    // Texts of 2 KB, so that there are many blocks; the best come last.
    let text = |number: usize| -> String {
        let word = |place: usize| format!("w{place:03}{} ", place * 3000 > number * 400);
        (0..200).map(word).collect()
    };
    let documents: Vec<String> = (0..3000).map(text).collect();
    let data = write(&folder.path().join("in.jsonl"), &documents);
    let queries: Vec<String> = (0..60).map(|number| text(50 * number)).collect();
    let k = 3;
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let found = pool
            .unwrap()
            .install(|| in_batches(&data, &queries, k, 5000).1);
        for (query, found) in queries.iter().zip(&found).step_by(7) {
            assert_eq!(*found, plainly(&documents, query, k), "{threads}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_kept_for_the_batches_that_follow() {
    let folder = tempfile::tempdir().unwrap();
    let documents: Vec<String> = (0..50).map(|number| format!("a{number} b")).collect();
    let file = write(&folder.path().join("in.jsonl"), &documents);
    let pipe = folder.path().join("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let data = TextInput {
        inputs: vec![pipe.display().to_string()],
        ..TextInput::default()
    };
    let k = 10;
    let (batches, found) = std::thread::scope(|scope| {
        scope.spawn(|| fs::copy(&file.inputs[0], &pipe).unwrap());
        in_batches(&data, &documents, k, 100)
    });
    assert!(batches > 5, "{batches}");
    assert_eq!(found, in_batches(&file, &documents, k, 1_000_000).1);
}
