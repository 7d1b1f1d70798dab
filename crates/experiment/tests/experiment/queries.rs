//! Many-to-one: the last items are asked of the others.

use std::collections::BTreeSet;

use lookalike_experiment::{Fate, Run};

use crate::run;

const CODES: &str = r#"
    radius = 8
    truth.comparisons = COMPARISONS
    [family]
    name = "FAMILY"
    OWN
    [data]
    kind = "codes"
    generate.clusters = { bits = 64, count = 300, clusters = 60, noise = 0.04, seed = 3 }
"#;

fn codes(queries: &str, family: &str, own: &str, comparisons: u32) -> Run {
    let text = CODES.replace("FAMILY", family).replace("OWN", own);
    let text = text.replace("COMPARISONS", &comparisons.to_string());
    run(&format!("{queries}\n{text}")).runs[0].clone()
}

#[test]
fn every_way_to_meet_can_be_asked() {
    let truth = codes("queries = 50", "brute-force", "", 1_000_000);
    assert_eq!(truth.truth.pairs, 250 * 50);
    assert_eq!(truth.candidates.count.mean, 12_500.0);
    let similar = truth.truth.similar.mean;
    assert!(similar > 50.0 && truth.matches.count.mean == similar);
    for (family, own) in [
        ("blocks", "blocks = 9"),
        ("blocks", "blocks = 5\nflips = 1"),
        ("bit-sampling", ""),
        ("multi-probe", ""),
    ] {
        let run = codes("queries = 50\nseeds = 10", family, own, 1_000_000);
        assert_eq!(run.truth.similar.mean, similar);
        let recall = run.candidates.recall.unwrap().mean;
        assert!(
            recall > 0.9 && (family != "blocks" || recall == 1.0),
            "{family}: {recall}"
        );
        assert!(run.candidates.count.mean < 12_500.0);
        assert!(run.matches.count.mean <= similar);
        assert!(run.curve.iter().all(|point| point.pairs <= 12_500));
    }
}

/// The rates are those of all pairs: who asks makes no difference.
#[test]
fn asking_is_joining() {
    let whole = codes("seeds = 40", "bit-sampling", "", 1_000_000);
    let asked = codes("seeds = 40\nqueries = 150", "bit-sampling", "", 1_000_000);
    let recalls = [whole, asked].map(|run| run.candidates.recall.unwrap());
    let error = recalls[0].error.unwrap().hypot(recalls[1].error.unwrap());
    // The pairs differ, and with them their distances: near each other is all that can be said.
    assert!(
        (recalls[0].mean - recalls[1].mean).abs() < 4.0 * error + 0.01,
        "{recalls:?}"
    );
}

/// Where queries are many, some of them tell of all.
#[test]
fn some_queries_are_compared_with_all_that_is_stored() {
    let whole = codes("queries = 100", "bit-sampling", "", 1_000_000);
    let some = codes("queries = 100", "bit-sampling", "", 10_000);
    assert_eq!(some.truth.sampled_items, Some(50));
    assert_eq!(some.truth.comparisons, 50 * 200);
    let [low, high] = some.truth.similar.interval.unwrap();
    assert!(low < whole.truth.similar.mean && whole.truth.similar.mean < high);
}

/// No pair of two queries, or of two stored items, is looked at.
#[test]
fn pairs_are_of_a_query_and_a_stored_item() {
    let text = r#"
        threshold = 0.5
        queries = 2
        [family]
        name = "universal"
        [data]
        kind = "sets"
        items = [[1, 2, 3], [1, 2, 3], [7, 8], [1, 2, 3], [1, 2, 3]]
    "#;
    let run = &run(text).runs[0];
    assert_eq!((run.truth.pairs, run.truth.similar.mean), (6, 4.0));
    assert_eq!((run.queries, run.candidates.count.mean), (Some(2), 4.0));
    let found = run.examples.iter().filter(|it| it.fate == Fate::Found);
    let names: BTreeSet<String> = found.flat_map(|it| it.names.clone()).collect();
    assert!(names.is_subset(&["#0", "#1", "#3", "#4"].map(String::from).into()));
}
