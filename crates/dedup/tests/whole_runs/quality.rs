//! Corpora whose pairs are known, beside the repository: `LOOKALIKE_DATA` says where.

use std::{
    collections::{BTreeMap, HashMap},
    env, fs,
    path::{Path, PathBuf},
};

use lookalike_corpus::{Corpus, Error, Options};
use lookalike_dedup::{Config, Mode, run};
use lookalike_minhash::Tokens;
use serde_json::Value;

use crate::found::{Row, clusters, pairs, registry};

const SEEDS: u64 = 5;
const THRESHOLD: f64 = 0.8;

/// Exact similarities of pairs of rows, to six decimals.
type Truth = BTreeMap<(Row, Row), f64>;

/// A file of the data; where there is no data the test is skipped, but a file that is missing is a failure.
fn data(name: &str) -> Option<PathBuf> {
    let Some(folder) = env::var_os("LOOKALIKE_DATA") else {
        eprintln!("skipped: LOOKALIKE_DATA is not set");
        return None;
    };
    let path = Path::new(&folder).join("text").join(name);
    assert!(path.is_file(), "{} is not there", path.display());
    Some(path)
}

fn truth(path: &Path) -> Truth {
    let text = fs::read_to_string(path).unwrap();
    let line = |line: &str| {
        let [a, b, similarity] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{line}")
        };
        let [a, b]: [Row; 2] = [a, b].map(|row| row.parse().unwrap());
        ((a.min(b), a.max(b)), similarity.parse().unwrap())
    };
    text.lines().map(line).collect()
}

/// The row of each id.
fn rows(input: &str) -> HashMap<String, Row> {
    let corpus = Corpus::open(&[input.to_owned()], Options::default()).unwrap();
    let mut ids = Vec::new();
    let scanned = corpus.scan(
        || (),
        |(), documents| {
            let mut ids = Vec::new();
            while let Some(document) = documents.next()? {
                ids.push(document.id.expect("every record has an id").to_owned());
            }
            Ok::<_, Error>(ids)
        },
        |_, some| {
            ids.extend(some);
            Ok(())
        },
    );
    scanned.unwrap();
    ids.into_iter().zip(0..).collect()
}

/// Runs with each seed; every pair and every member is checked. Gives the mean of the share that is found, from `from` on.
fn mean_recall(name: &str, from: f64) -> Option<f64> {
    let input = data(&format!("{name}.jsonl.zst"))?;
    let truth = truth(&data(&format!("{name}.pairs.tsv"))?);
    let input = input.to_str().unwrap();
    let rows = rows(input);
    let row = |id: &Value| rows[&id.to_string()];
    let asked: Vec<&(Row, Row)> = truth
        .iter()
        .filter(|pair| *pair.1 >= from)
        .map(|pair| pair.0)
        .collect();
    let mut recall = 0.0;
    for seed in 0..SEEDS {
        let mut config = Config {
            threshold: THRESHOLD,
            seed,
            ..Config::default()
        };
        config.data.inputs = vec![input.to_owned()];
        config.family.tokens = Tokens::Whitespace;
        config.output.mode = Mode::Report;
        let folder = tempfile::tempdir().unwrap();
        let out = folder.path().join("out");
        run(&registry(), &config, &out, &()).unwrap();
        let check = |a: Row, b: Row, similarity: f64| {
            assert!(similarity >= THRESHOLD, "{a} {b}: {similarity}");
            let exact = truth.get(&(a.min(b), a.max(b)));
            let exact =
                exact.unwrap_or_else(|| panic!("{a} {b}: {similarity}, but they are not alike"));
            assert!(
                (exact - similarity).abs() < 1e-6,
                "{a} {b}: {similarity}, but {exact}"
            );
        };
        let mut found = BTreeMap::new();
        for (a, b, similarity) in pairs(&out, row) {
            check(a, b, similarity);
            assert!(found.insert((a, b), similarity).is_none(), "{a} {b} twice");
        }
        for (representative, members) in clusters(&out, row) {
            for (member, similarity) in members {
                check(representative, member, similarity.expect("a star knows it"));
            }
        }
        let hits = asked.iter().filter(|pair| found.contains_key(pair)).count();
        recall += hits as f64 / asked.len() as f64;
    }
    let recall = recall / SEEDS as f64;
    println!(
        "{name}: recall {recall:.4} of {} pairs, precision 1",
        asked.len()
    );
    Some(recall)
}

#[test]
fn documentation_pages() {
    if let Some(recall) = mean_recall("docs-20k", THRESHOLD) {
        assert!(recall >= 0.985, "{recall}");
    }
}

#[test]
fn versions_of_a_manual() {
    if let Some(recall) = mean_recall("manual-pages-3k", THRESHOLD) {
        assert!(recall >= 0.997, "{recall}");
    }
}

#[test]
fn planted_copies() {
    if let Some(recall) = mean_recall("planted-2500", 0.9) {
        assert_eq!(recall, 1.0);
    }
}
