//! Texts, and what is like them by the plain definition.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_search::{Ask, Id, Settings, SimilarText, TextIndex};

/// Bands of one row: at 0.3 one document of 10^19 is missed.
pub(crate) fn certain() -> Settings {
    let mut settings = Settings {
        bands: Some(128),
        rows: Some(1),
        ..Settings::default()
    };
    settings.family.shingle = "words:2".parse().unwrap();
    settings
}

/// The least similarity that tests ask for.
pub(crate) const LEAST: f64 = 0.3;

/// Documents by id.
pub(crate) type Model = BTreeMap<Id, String>;

fn shingles(text: &str) -> BTreeSet<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words.len() {
        0 => BTreeSet::new(),
        1 => BTreeSet::from([words[0].to_owned()]),
        _ => words.windows(2).map(|pair| pair.join(" ")).collect(),
    }
}

/// All documents compared one by one: the most similar first, of equals the smaller id.
pub(crate) fn plain(model: &Model, text: &str, k: usize) -> Vec<SimilarText> {
    let asked = shingles(text);
    let mut hits = Vec::new();
    for (id, text) in model {
        let other = shingles(text);
        let (both, all) = (
            asked.intersection(&other).count(),
            asked.union(&other).count(),
        );
        if both > 0 && both as f64 >= LEAST * all as f64 - 1e-9 {
            let similarity = both as f64 / all as f64;
            let id = id.clone();
            hits.push(SimilarText { id, similarity });
        }
    }
    hits.sort_by(|a, b| b.similarity.total_cmp(&a.similarity));
    hits.truncate(k);
    hits
}

pub(crate) fn ask(k: usize) -> Ask {
    Ask {
        k,
        min: LEAST,
        ..Ask::default()
    }
}

/// The index has the documents of the model, and finds those that it should.
pub(crate) fn check(index: &TextIndex, model: &Model, queries: &[String]) {
    let mut searcher = index.searcher();
    for text in queries.iter().chain(model.values().take(3)) {
        for k in [0, 1, 3, 100] {
            let answer = searcher.ask(text, &ask(k)).unwrap();
            assert_eq!(answer.hits, plain(model, text, k), "{text:?}");
            assert_eq!(answer.has_shingles, !shingles(text).is_empty());
        }
    }
    for (id, text) in model {
        assert!(index.contains(id).unwrap());
        assert_eq!(index.text(id).unwrap().as_ref(), Some(text));
    }
    let stats = index.stats();
    let empty = |text: &&String| shingles(text).is_empty();
    assert_eq!(
        (index.len(), index.is_empty()),
        (model.len(), model.is_empty())
    );
    assert_eq!(stats.documents, model.len() as u64);
    assert_eq!(stats.empty, model.values().filter(empty).count() as u64);
}
