//! What documents are compared with, and which of them stay, against brute force. Enough bands that every pair is a
//! candidate: what is found is not only right, but all there is.

use std::{collections::BTreeMap, fs, path::Path};

use lookalike_dedup::{Config, Data, Error, Keep, run};
use lookalike_minhash::Short;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::found::{self, Row, alike, registry};

#[derive(Clone, Debug)]
struct Doc {
    text: String,
    source: Option<u8>,
    score: Option<i8>,
    is_old: bool,
}

fn docs() -> impl Strategy<Value = Vec<Doc>> {
    let word = prop::sample::select(&["a", "b", "c", "d"][..]);
    let text = prop::collection::vec(word, 0..7).prop_map(|words| words.join(" "));
    let doc = (
        text,
        prop::option::of(0..3u8),
        prop::option::of(0..3i8),
        prop::bool::weighted(0.3),
    );
    let doc = doc.prop_map(|(text, source, score, is_old)| Doc {
        text,
        source,
        score,
        is_old,
    });
    prop::collection::vec(doc, 1..20)
}

fn config(shingle: &str, keep: &Keep) -> Config {
    let mut config = Config {
        threshold: 0.6,
        bands: Some(120),
        rows: Some(1),
        ..Config::default()
    };
    config.family.shingle = shingle.parse().unwrap();
    config.cluster.keep = keep.clone();
    config.output.allow_mass_removal = true;
    config
}

/// What brute force finds: all pairs, and the stars around the documents that come first.
type Truth = (
    BTreeMap<(Row, Row), f64>,
    BTreeMap<Row, Vec<(Row, Option<f64>)>>,
);

fn truth(docs: &[Doc], config: &Config, may_meet: impl Fn(&Doc, &Doc) -> bool) -> Truth {
    let texts: Vec<String> = docs.iter().map(|doc| doc.text.clone()).collect();
    let mut pairs = alike(&config.family.shingler(), &texts, config.threshold);
    pairs.retain(|&(a, b), _| may_meet(&docs[a], &docs[b]) && !(docs[a].is_old && docs[b].is_old));
    let mut order: Vec<Row> = (0..docs.len()).collect();
    // Of equals the smaller id stays, as text.
    let rank = |row: Row| {
        let score = docs[row].score.map(i32::from);
        match config.cluster.keep {
            Keep::Max(_) => (score.map_or(i32::MAX, |score| -score), row.to_string()),
            Keep::Min(_) => (score.unwrap_or(i32::MAX), row.to_string()),
            _ => (row as i32, String::new()),
        }
    };
    order.sort_by_key(|&row| (!docs[row].is_old, rank(row)));
    // What an older document says word for word goes with that one, not with another that is nearly so.
    let is_copy = |a: Row, b: Row| docs[a].text == docs[b].text && may_meet(&docs[a], &docs[b]);
    let has_old_copy =
        |row: Row| (0..docs.len()).any(|other| docs[other].is_old && is_copy(row, other));
    let mut is_taken = vec![false; docs.len()];
    let mut stars = BTreeMap::new();
    for &row in &order {
        if std::mem::replace(&mut is_taken[row], true) {
            continue;
        }
        let mut members = Vec::new();
        for other in 0..docs.len() {
            let pair = (row.min(other), row.max(other));
            if let Some(&similarity) = pairs.get(&pair)
                && !docs[other].is_old
                && !is_taken[other]
                && (is_copy(row, other) || !has_old_copy(other))
            {
                is_taken[other] = true;
                members.push((other, Some(similarity)));
            }
        }
        if !members.is_empty() {
            stars.insert(row, members);
        }
    }
    (pairs, stars)
}

/// Writes the documents, the older ones in a file of their own.
fn given(docs: &[Doc], folder: &Path) -> Data {
    let write = |name: &str, is_old: bool| {
        let path = folder.join(name);
        let of = docs
            .iter()
            .enumerate()
            .filter(|(_, doc)| doc.is_old == is_old);
        let records: String = of
            .map(|(row, doc)| {
                let mut record = json!({"id": row, "text": doc.text, "meta": {}});
                if let Some(source) = doc.source {
                    record["meta"]["source"] = json!(source.to_string());
                }
                record["score"] = json!(doc.score);
                format!("{record}\n")
            })
            .collect();
        fs::write(&path, records).unwrap();
        path.to_str().unwrap().to_owned()
    };
    Data {
        inputs: vec![write("new.jsonl", false)],
        against: vec![write("old.jsonl", true)],
        ..Data::default()
    }
}

/// Runs with the older documents in a file of their own, and compares with the truth.
fn check(
    docs: &[Doc],
    mut config: Config,
    may_meet: impl Fn(&Doc, &Doc) -> bool,
) -> Result<(), TestCaseError> {
    let folder = tempfile::tempdir().unwrap();
    config.data = Data {
        within: config.data.within,
        ..given(docs, folder.path())
    };
    let (pairs, stars) = truth(docs, &config, may_meet);
    let out = folder.path().join("out");
    let report = run(&registry(), &config, &out, &());
    let vacant = |has: fn(&Doc) -> bool| !docs.is_empty() && !docs.iter().any(has);
    if (config.data.within.is_some() && vacant(|doc| doc.source.is_some()))
        || (config.cluster.keep.field().is_some() && vacant(|doc| doc.score.is_some()))
    {
        let is_refused = matches!(report, Err(Error::NoField { .. }));
        prop_assert!(is_refused, "{report:?}");
        return Ok(());
    }
    let report = report.unwrap();
    let row = |value: &Value| value.as_u64().unwrap() as Row;
    let found: BTreeMap<(Row, Row), f64> = found::pairs(&out, row)
        .into_iter()
        .map(|(a, b, similarity)| ((a.min(b), a.max(b)), similarity))
        .collect();
    prop_assert_eq!(found, pairs);
    prop_assert_eq!(&found::clusters(&out, row), &stars);
    let old = docs.iter().filter(|doc| doc.is_old).count() as u64;
    let by_old =
        |(row, members): (&Row, &Vec<_>)| if docs[*row].is_old { members.len() } else { 0 };
    let against = report.against.unwrap();
    prop_assert_eq!(against.documents, old);
    prop_assert_eq!(
        against.removed,
        stars.iter().map(by_old).sum::<usize>() as u64
    );
    prop_assert_eq!(report.documents.read, docs.len() as u64 - old);
    let removed: usize = stars.values().map(Vec::len).sum();
    prop_assert_eq!(report.documents.removed, removed as u64);
    prop_assert!(!out.join("kept/old.jsonl").exists());
    Ok(())
}

/// An old document that matches another one still removes what is like it alone.
#[test]
fn old_documents_that_match_each_other_all_represent() {
    let doc = |text: &str, is_old| Doc {
        text: text.into(),
        source: None,
        score: None,
        is_old,
    };
    let docs = [
        doc("a b c d e", false),
        doc("a b c f g", false),
        doc("a b c d e", true),
        doc("a b c d f", true),
    ];
    let config = config("words:1", &Keep::First);
    let (_, stars) = truth(&docs, &config, |_, _| true);
    assert_eq!(stars.keys().copied().collect::<Vec<_>>(), [2, 3]);
    check(&docs, config, |_, _| true).unwrap();
}

/// A copy of an older document goes with it, even if another that is like it comes first.
#[test]
fn a_copy_of_an_older_document_is_told_of_that_one() {
    let doc = |text: &str, is_old| Doc {
        text: text.into(),
        source: None,
        score: None,
        is_old,
    };
    let docs = [doc("a b c", true), doc("a b", true), doc("a b", false)];
    let config = config("words:1", &Keep::First);
    let (_, stars) = truth(&docs, &config, |_, _| true);
    assert_eq!(stars, BTreeMap::from([(1, vec![(2, Some(1.0))])]));
    check(&docs, config, |_, _| true).unwrap();
}

/// Over two million pairs not all are listed, but some between any two texts that match.
#[test]
fn texts_with_very_many_old_copies_are_listed_with_each_other() {
    let doc = |number: usize, is_old| Doc {
        text: ["a b c d e f g h i", "a b c d e f g h j"][number % 2].into(),
        source: None,
        score: None,
        is_old,
    };
    let docs: Vec<Doc> = (0..2280).map(|number| doc(number, number < 80)).collect();
    let folder = tempfile::tempdir().unwrap();
    let config = Config {
        data: given(&docs, folder.path()),
        ..config("words:1", &Keep::First)
    };
    let out = folder.path().join("out");
    let report = run(&registry(), &config, &out, &()).unwrap();
    assert!(report.pairs.not_listed > 0);
    let row = |value: &Value| value.as_u64().unwrap() as Row;
    let near = found::pairs(&out, row)
        .into_iter()
        .filter(|pair| pair.2 < 1.0);
    assert!(near.count() > 0);
}

fn keep() -> impl Strategy<Value = Keep> {
    let words = ["first", "max:score", "min:score"];
    prop::sample::select(words.to_vec()).prop_map(|keep| keep.parse().unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    #[test]
    fn an_older_corpus_stays_and_removes_its_duplicates(docs in docs(), keep in keep()) {
        check(&docs, config("words:2", &keep), |_, _| true)?;
    }

    #[test]
    fn documents_meet_only_within_their_source(docs in docs(), keep in keep()) {
        let mut config = config("words:1", &keep);
        config.data.within = Some("meta.source".parse().unwrap());
        check(&docs, config, |a, b| a.source == b.source)?;
    }

    #[test]
    fn short_documents_can_be_skipped(docs in docs(), keep in keep()) {
        let mut config = config("words:3", &keep);
        config.family.short = Short::Skip;
        let is_long = |doc: &Doc| doc.text.split_whitespace().count() >= 3;
        check(&docs, config, |a, b| is_long(a) && is_long(b))?;
    }
}
