//! Random corpora of short texts over few words, against brute force: whatever is found is right.

use std::collections::{BTreeMap, BTreeSet};

use lookalike_dedup::{Config, Grouping, Keep};
use lookalike_minhash::{Shingle, Tokens};
use proptest::prelude::*;

use crate::found::{Found, Row, alike};

/// Words with letters of one to four bytes, a blank that is none of JSON's, and what must be escaped.
const WORDS: [&str; 6] = ["a", "B", "ß", "日本", "\u{1F600}", "q\"\\"];

fn texts() -> impl Strategy<Value = Vec<String>> {
    let word = prop::sample::select(&WORDS[..]);
    let text = prop::collection::vec(word, 0..14).prop_map(|words| words.join(" "));
    prop::collection::vec(text, 1..24)
}

fn config() -> impl Strategy<Value = Config> {
    let shingle =
        prop::sample::select(&["words:1", "words:2", "words:3", "chars:3", "stopwords"][..]);
    let tokens = prop::sample::select(&Tokens::ALL[..]);
    let sketch = prop::sample::select(&["fast-similarity", "universal"][..]);
    let keep = prop::sample::select(&[Keep::First, Keep::Last, Keep::Longest, Keep::Shortest][..]);
    let threshold = prop::sample::select(&[0.05, 1.0 / 3.0, 0.5, 0.8, 1.0][..]);
    (shingle, tokens, sketch, keep, threshold, any::<u64>()).prop_map(
        |(shingle, tokens, sketch, keep, threshold, seed)| {
            let mut config = Config {
                threshold,
                seed,
                ..Config::default()
            };
            config.family.shingle = shingle.parse::<Shingle>().unwrap();
            if !shingle.starts_with("chars") {
                config.family.tokens = tokens;
            }
            config.family.name = sketch.into();
            config.cluster.keep = keep;
            config.output.allow_mass_removal = true;
            config
        },
    )
}

/// The order in which documents are kept: the smaller, the rather.
fn rank(keep: &Keep, texts: &[String], row: Row) -> (isize, String) {
    let (row, bytes) = (row as isize, texts[row].len() as isize);
    match keep {
        Keep::First => (row, String::new()),
        Keep::Last => (-row, String::new()),
        Keep::Longest => (-bytes, row.to_string()),
        Keep::Shortest => (bytes, row.to_string()),
        Keep::Max(_) | Keep::Min(_) => unreachable!("the policies have a test of their own"),
    }
}

/// What holds for every grouping: pairs are exact, copies are found, and no document is lost.
fn check(texts: &[String], config: &Config, found: &Found) -> Result<(), TestCaseError> {
    let shingler = config.family.shingler();
    let all = alike(&shingler, texts, config.threshold);
    for &(a, b, similarity) in &found.pairs {
        prop_assert_eq!(all.get(&(a, b)), Some(&similarity), "{} {}", a, b);
    }
    prop_assert!(found.pairs.is_sorted_by_key(|pair| (pair.0, pair.1)));
    prop_assert_eq!(
        found.set().len(),
        found.pairs.len(),
        "a pair is listed once"
    );
    let listed = found.set();
    for (&(a, b), _) in all.iter().filter(|((a, b), _)| texts[*a] == texts[*b]) {
        prop_assert!(listed.contains(&(a, b)), "copies {} {}", a, b);
    }
    let members: BTreeSet<Row> = found
        .clusters
        .values()
        .flatten()
        .map(|member| member.0)
        .collect();
    prop_assert_eq!(
        found.removed.iter().copied().collect::<BTreeSet<_>>(),
        members.clone()
    );
    prop_assert_eq!(found.removed.len(), members.len());
    let mut documents = [&found.kept[..], &found.removed[..]].concat();
    documents.sort_unstable();
    prop_assert_eq!(documents, (0..texts.len()).collect::<Vec<_>>());
    let keep = |row| rank(&config.cluster.keep, texts, row);
    for (&representative, members) in &found.clusters {
        prop_assert!(!members.is_empty() && found.kept.contains(&representative));
        for &(member, similarity) in members {
            prop_assert!(
                keep(representative) < keep(member),
                "{} {}",
                representative,
                member
            );
            let pair = (representative.min(member), representative.max(member));
            let known = similarity.filter(|_| listed.contains(&pair));
            prop_assert_eq!(similarity, known);
            if let Some(similarity) = similarity {
                prop_assert_eq!(all.get(&pair), Some(&similarity));
            }
        }
    }
    let report = &found.report;
    let empty = texts
        .iter()
        .filter(|text| shingler.shingles(text).is_empty())
        .count();
    prop_assert_eq!(report.documents.read, texts.len() as u64);
    prop_assert_eq!(report.documents.kept, found.kept.len() as u64);
    prop_assert_eq!(report.documents.removed, found.removed.len() as u64);
    prop_assert_eq!(report.documents.empty, empty as u64);
    prop_assert_eq!(report.pairs.listed, found.pairs.len() as u64);
    prop_assert_eq!(report.clusters.count, found.clusters.len() as u64);
    Ok(())
}

/// What chains of pairs connect, by the smallest row.
fn connected(pairs: &BTreeSet<(Row, Row)>, documents: usize) -> BTreeMap<Row, BTreeSet<Row>> {
    let mut label: Vec<Row> = (0..documents).collect();
    for _ in 0..documents {
        for &(a, b) in pairs {
            let smaller = label[a].min(label[b]);
            (label[a], label[b]) = (smaller, smaller);
        }
    }
    let mut parts: BTreeMap<Row, BTreeSet<Row>> = BTreeMap::new();
    for (row, label) in label.into_iter().enumerate() {
        parts.entry(label).or_default().insert(row);
    }
    parts.retain(|_, part| part.len() > 1);
    parts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn stars_are_right(texts in texts(), config in config()) {
        let found = Found::among(&texts, config.clone());
        check(&texts, &config, &found)?;
        // Every member matches its representative, and no two that are kept match.
        for members in found.clusters.values() {
            prop_assert!(members.iter().all(|member| member.1.is_some()));
        }
        for (a, b) in found.set() {
            prop_assert!(!(found.kept.contains(&a) && found.kept.contains(&b)), "{} {}", a, b);
        }
    }

    #[test]
    fn components_are_right(texts in texts(), config in config()) {
        let mut config = config;
        config.cluster.method = Grouping::Components;
        let found = Found::among(&texts, config.clone());
        check(&texts, &config, &found)?;
        let clusters: BTreeSet<BTreeSet<Row>> = found
            .clusters
            .iter()
            .map(|(&representative, members)| members.iter().map(|member| member.0).chain([representative]).collect())
            .collect();
        let expected: BTreeSet<BTreeSet<Row>> = connected(&found.set(), texts.len()).into_values().collect();
        prop_assert_eq!(clusters, expected);
    }
}
