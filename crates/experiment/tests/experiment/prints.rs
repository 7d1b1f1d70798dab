//! Fingerprints: the textbook's family on its own model, and three families on prints from a scanner.

use std::{fs, path::Path};

use lookalike_core::Scheme;
use lookalike_experiment::{GroupFound, Run};
use lookalike_fingerprint::{
    Fingers, GridSquares, Model,
    format::xyt,
    generate::{Finger, Impression},
};

use crate::run;

const MODEL: &str = r#"
    seeds = 20
    radius = 0.9
    amplify = STEPS
    [family]
    name = "grid-squares"
    [data]
    kind = "squares"
    generate.model = { squares = TOTAL, fingers = 400 }
"#;

/// Rates of pairs of one finger and of two, with their errors: both problems of the textbook.
fn rates(total: u32, steps: &str, queries: &str) -> Vec<GroupFound> {
    let text = MODEL.replace("STEPS", steps);
    let text = text.replace("TOTAL", &total.to_string());
    let outcome = run(&format!("{queries}\n{text}"));
    outcome.runs[0].groups.clone()
}

#[test]
fn both_problems_have_the_rates_of_the_model() {
    let one = ("[{ or = 1024 }]", "or:1024");
    let two = ("[{ or = 1024 }, { and = 2 }]", "or:1024,and:2");
    for (total, (steps, scheme)) in [(256, one), (1024, one), (1024, two)] {
        let scheme: Scheme = scheme.parse().unwrap();
        let family = GridSquares::new(total).unwrap();
        for queries in ["", "queries = 400"] {
            let groups = rates(total, steps, queries);
            assert_eq!(groups.len(), 2);
            for (group, fingers) in groups.iter().zip([Fingers::Same, Fingers::Different]) {
                assert_eq!(group.pairs, 400, "{}", group.name);
                // Given the squares in common the promise is exact; the error is that between draws of functions.
                let [low, high] = group.predicted.unwrap();
                assert!(high - low < 1e-12);
                let error = group.candidates.error.unwrap();
                let strays = (group.candidates.mean - low) / error;
                assert!(strays.abs() <= 4.0, "{total} {scheme}: {group:?}");
                // Prints were drawn once: 400 pairs stray from the expectation of the model, too.
                let expected = Model::BOOK.expected(fingers, &family, &scheme).value();
                let sample = (expected * (1.0 - expected) / 400.0).sqrt();
                let strays = (group.candidates.mean - expected) / sample.hypot(error);
                assert!(
                    strays.abs() <= 4.0,
                    "{total} {scheme} {expected}: {group:?}"
                );
            }
        }
    }
}

/// In both problems the same functions find the same pairs.
#[test]
fn one_to_many_finds_what_many_to_many_does() {
    let [all, asked] = ["", "queries = 400"].map(|queries| rates(256, "[{ or = 64 }]", queries));
    let counts = |groups: &[GroupFound]| groups.iter().map(|it| it.candidates.mean).collect();
    let (all, asked): (Vec<f64>, Vec<f64>) = (counts(&all), counts(&asked));
    assert_eq!(all, asked);
}

const SCANNED: &str = r#"
    seeds = 3
    queries = 60
    [data]
    kind = "prints"
    generate.fingers = { fingers = 60, FINGERS }
    [[sweep]]
    family.name = "grid-squares"
    family.grid = { columns = 20, rows = 25, cell = 20.0, tolerance = 3.0 }
    amplify = [[{ or = 1024 }]]
    [[sweep]]
    family.name = "fast-similarity"
    family.grid = { columns = 20, rows = 25, cell = 20.0, tolerance = 3.0 }
    bands = 32
    rows = 4
    [[sweep]]
    family.name = "local-triples"
    family.best = 3
    [[sweep]]
    family.name = "brute-force"
"#;

fn scanned(fingers: &str) -> Vec<Run> {
    run(&SCANNED.replace("FINGERS", fingers)).runs
}

/// What the textbook's family is good for: prints that lie alike; and local triples: all others too.
#[test]
fn grids_need_prints_that_lie_alike() {
    let found = |run: &Run| run.candidates.recall.unwrap().mean;
    let share = |run: &Run| run.candidates.count.mean / run.truth.pairs as f64;
    let runs = scanned("rotation = 0.0, translation = 0.0, cut = 0.0, distortion = 0.0");
    let gain = |run: &Run| found(run) - share(run);
    assert!(gain(&runs[0]) > 0.3 && gain(&runs[1]) > 0.6 && gain(&runs[2]) > 0.9);
    let runs = scanned("rotation = 0.5, translation = 80.0");
    assert!(gain(&runs[0]) < 0.1 && gain(&runs[1]) < 0.1);
    assert!(found(&runs[2]) > 0.9 && share(&runs[2]) <= 0.05);
    // Everything is a candidate, and the matcher says what is a match; it is right, with exceptions.
    let all = &runs[3];
    assert_eq!((found(all), share(all)), (1.0, 1.0));
    assert!(all.matches.recall.unwrap().mean > 0.85);
    assert!(all.matches.precision.unwrap().mean > 0.85);
    assert!(all.matches.count.mean < 100.0);
    // What a family nominates is verified by the same matcher.
    assert!(runs[2].matches.count.mean <= all.matches.count.mean);
}

/// Prints from files go by their names, first impressions first, each folder with fingers of its own.
#[test]
fn prints_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let write = |set: &str, finger: u64, impression: u64| {
        let template = Impression::default().of(&Finger::new(finger), impression);
        let path = folder.path().join(set);
        fs::create_dir_all(&path).unwrap();
        let path = path.join(format!("{}_{impression}.xyt", finger % 10));
        fs::write(path, xyt::write(&template)).unwrap();
    };
    for finger in 0..5 {
        for impression in 1..=2 {
            write("a", finger, impression);
            write("b", finger + 10, impression);
        }
    }
    let run_of = |path: &Path| {
        let text = format!(
            "queries = 10\n[family]\nname = \"local-triples\"\nbest = 1\n[data]\ninputs = ['{}']",
            path.display()
        );
        run(&text).runs[0].clone()
    };
    let run = run_of(folder.path());
    assert_eq!((run.items, run.truth.similar.mean), (20, 10.0));
    assert!(run.candidates.recall.unwrap().mean >= 0.8);
    let names = &run.examples[0].names;
    assert!(
        names[0].ends_with("_1.xyt") && names[1].ends_with("_2.xyt"),
        "{names:?}"
    );
}
