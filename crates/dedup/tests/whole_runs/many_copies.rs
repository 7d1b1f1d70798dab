//! Very many copies and near copies of one text: one cluster, whoever is kept.

use lookalike_dedup::{Config, Keep};

use crate::found::{Found, Row};

const KEEP: [Keep; 4] = [Keep::First, Keep::Last, Keep::Longest, Keep::Shortest];

fn text(replaced: Option<usize>, end: &str) -> String {
    let word = |i| match replaced {
        Some(place) if place == i => format!("new{i}"),
        _ => format!("word{i:02}"),
    };
    let words: Vec<String> = (0..100).map(word).collect();
    words.join(" ") + end
}

/// 60 bands × 2 rows find a pair at 0.8 for certain.
fn sure(keep: Keep) -> Config {
    let mut config = Config {
        bands: Some(60),
        rows: Some(2),
        ..Config::default()
    };
    config.cluster.keep = keep;
    config.output.allow_mass_removal = true;
    config
}

fn the_one_cluster(found: &Found) -> (Row, usize) {
    let [(&representative, members)] = found.clusters.iter().collect::<Vec<_>>()[..] else {
        panic!("{} clusters", found.clusters.len());
    };
    (representative, members.len() + 1)
}

#[test]
fn two_thousand_copies_and_near_ones_are_one_cluster() {
    let mut texts: Vec<String> = (0..100)
        .map(|i| format!("another {i} text that is like nothing else {i}"))
        .collect();
    texts.extend((0..1000).map(|_| text(None, "")));
    // Shorter by a byte than the copies, as is every near one: `new10` for `word10`.
    texts.extend((10..60).map(|place| text(Some(place), "")));
    texts.push(text(None, " and more"));
    texts.extend((0..1000).map(|_| text(None, "")));
    texts.push(text(Some(70), ""));
    for (keep, expected) in KEEP.into_iter().zip([100, 2151, 1150, 1100]) {
        let found = Found::among(&texts, sure(keep.clone()));
        // Of the shortest, 51 near ones, the id that is smallest as text stays: "1100".
        assert_eq!(the_one_cluster(&found), (expected, 2052), "{keep:?}");
        assert_eq!((found.kept.len(), found.removed.len()), (101, 2051));
        assert_eq!(found.report.documents.copies, 1999);
        let all = 2052 * 2051 / 2;
        assert_eq!(
            found.report.pairs.listed + found.report.pairs.not_listed,
            all
        );
        assert!(found.pairs.len() < 200_000, "{}", found.pairs.len());
    }
}

/// All different, so that every bucket is over the limit and is not expanded.
#[test]
fn three_thousand_different_near_copies_are_one_cluster() {
    let texts: Vec<String> = (0..3000)
        .map(|i| text(None, &format!(" end{}", i * 7919 % 3001)))
        .collect();
    for keep in KEEP {
        let found = Found::among(&texts, sure(keep.clone()));
        assert!(found.report.buckets.over_limit > 0);
        assert_eq!(the_one_cluster(&found).1, 3000, "{keep:?}");
        assert!(
            found.report.pairs.candidates < 1_000_000,
            "{}",
            found.report.pairs.candidates
        );
        let compared = found.report.pairs.candidates + found.report.pairs.not_compared;
        assert_eq!(compared, 3000 * 2999 / 2, "{keep:?}");
    }
}
