//! What a run measures.

use crate::{refused, run};

const PAIRS: &str = r#"
    seeds = 20
    threshold = 0.6
    bands = 10
    rows = 5
    [family]
    name = "universal"
    [data]
    kind = "sets"
    generate.pairs = { similarities = [0.3, 0.6, 0.9], each = 30 }
"#;

#[test]
fn candidates_and_matches_are_held_against_the_truth() {
    let outcome = run(PAIRS);
    let run = &outcome.runs[0];
    assert_eq!((run.items, run.truth.pairs), (180, 180 * 179 / 2));
    // A pair at the threshold is similar.
    assert_eq!(run.truth.similar.mean, 60.0);
    // At .6 it finds .555, at .9 .9999: .777 of the similar pairs.
    let recall = run.candidates.recall.unwrap();
    assert!(
        (recall.mean - 0.777).abs() < 4.0 * recall.error.unwrap(),
        "{recall:?}"
    );
    // Of 30 pairs at .3, .024: .7 a repetition.
    let wrong = run.candidates.false_positives;
    assert!(
        (wrong.mean - 0.72).abs() < 4.0 * wrong.error.unwrap(),
        "{wrong:?}"
    );
    let missed = run.candidates.false_negatives.mean;
    assert!((missed + 60.0 * recall.mean - 60.0).abs() < 1e-9);
    // Verified exactly, nothing wrong is left, and what was missed is still missed.
    assert_eq!(run.matches.false_positives.mean, 0.0);
    assert_eq!(run.matches.recall, run.candidates.recall);
    assert_eq!(run.clusters.count.mean, run.matches.count.mean);
    assert_eq!(run.groups.len(), 3);
    assert!(run.groups[2].candidates.mean > 0.99);
    let buckets = run.buckets.as_ref().unwrap();
    assert_eq!((buckets.keys, run.key_bytes.mean), (1800, 14400.0));
}

#[test]
fn a_sample_tells_nearly_the_same_as_all_pairs() {
    let all = run(PAIRS);
    let sampled = run(&format!("truth.comparisons = 9000\n{PAIRS}"));
    let (all, sampled) = (&all.runs[0], &sampled.runs[0]);
    assert_eq!(sampled.truth.sampled_items, Some(50));
    assert_eq!(sampled.candidates.count, all.candidates.count);
    for (estimate, truth) in [
        (sampled.truth.similar, all.truth.similar.mean),
        (
            sampled.candidates.recall.unwrap(),
            all.candidates.recall.unwrap().mean,
        ),
        (
            sampled.candidates.precision.unwrap(),
            all.candidates.precision.unwrap().mean,
        ),
    ] {
        let error = estimate.error.unwrap();
        assert!(
            (estimate.mean - truth).abs() < 4.0 * error,
            "{estimate:?}, {truth}"
        );
        assert!(error < 0.3 * truth, "{estimate:?}");
    }
    let (missed, truth) = (
        sampled.candidates.false_negatives,
        all.candidates.false_negatives.mean,
    );
    let error = missed.error.unwrap();
    assert!((missed.mean - truth).abs() < 4.0 * error, "{missed:?}");
    // The distance of every candidate is known.
    for (sampled, all) in [
        (&sampled.candidates, &all.candidates),
        (&sampled.matches, &all.matches),
    ] {
        assert_eq!(sampled.precision, all.precision);
        assert_eq!(sampled.false_positives, all.false_positives);
    }
    let precision = sampled.matches.precision.unwrap();
    assert_eq!((precision.mean, precision.error), (1.0, None));
}

/// Of rare pairs a sample holds none, most of the time; the interval must hold them all the same.
#[test]
fn intervals_of_a_sample_hold_the_truth() {
    let mut held = [0; 3];
    for seed in 0..80 {
        let text = format!(
            "seed = {seed}\nseeds = 4\nbands = 6\nrows = 4\nthreshold = 0.6\ntruth.comparisons = COMPARISONS\n[family]\nname = \"universal\"\n[data]\nkind = \"sets\"\ngenerate.pairs = {{ similarities = [0.6, 0.7], each = 10, union = 20, seed = {seed} }}"
        );
        let of = |comparisons: &str| {
            run(&text.replace("COMPARISONS", comparisons))
                .runs
                .remove(0)
        };
        let (all, sampled) = (of("1000000"), of("200"));
        assert_eq!(sampled.truth.sampled_items, Some(5));
        for (held, (estimate, truth)) in held.iter_mut().zip([
            (sampled.truth.similar, all.truth.similar.mean),
            (
                sampled.candidates.recall.unwrap(),
                all.candidates.recall.unwrap().mean,
            ),
            (
                sampled.candidates.false_negatives,
                all.candidates.false_negatives.mean,
            ),
        ]) {
            let [low, high] = estimate.interval.unwrap();
            *held += usize::from((low..=high).contains(&truth));
        }
    }
    // 76 of 80, with a standard error of 2.
    assert!(held.iter().all(|held| *held >= 68), "{held:?}");
}

/// Texts without words are like nothing, as dedup has it, and each other is nothing too.
#[test]
fn what_is_empty_is_like_nothing() {
    for family in ["universal", "brute-force"] {
        for data in [
            "items = [\"\", \"\", \"...\", \"one two\", \"one two\"]",
            "kind = \"sets\"\nitems = [[], [], [1], [1]]",
        ] {
            let file = format!("seeds = 2\n[family]\nname = \"{family}\"\n[data]\n{data}");
            let run = &run(&file).runs[0];
            assert_eq!(run.truth.similar.mean, 1.0, "{file}");
            assert_eq!(run.matches.count.mean, 1.0, "{file}");
            assert_eq!(run.candidates.recall.unwrap().mean, 1.0, "{file}");
        }
    }
}

/// Hashes of 64 bits are elements, and seeds; TOML has no larger numbers than half of them.
#[test]
fn whole_numbers_have_64_bits() {
    let file = "seed = 18446744073709551615\nseeds = 2\ntruth.comparisons = 18446744073709551615\n[family]\nname = \"universal\"\n[data]\nkind = \"sets\"\nitems = [[18446744073709551615, 1], [18446744073709551615, 1]]";
    let outcome = run(file);
    assert_eq!(outcome.runs[0].settings["seed"], u64::MAX);
    assert_eq!(outcome.runs[0].matches.count.mean, 1.0);
}

/// A sample tells nothing of what misses nothing.
#[test]
fn what_compares_everything_is_known_to_find_it() {
    let text = PAIRS.replace("universal", "brute-force");
    let sampled = &run(&format!("truth.comparisons = 9000\n{text}")).runs[0];
    assert_eq!(sampled.truth.sampled_items, Some(50));
    for found in [&sampled.candidates, &sampled.matches] {
        let recall = found.recall.unwrap();
        assert_eq!((recall.mean, recall.error), (1.0, None));
        let missed = found.false_negatives;
        assert_eq!((missed.mean, missed.error), (0.0, None));
    }
}

#[test]
fn seeds_are_swept_as_well() {
    let outcome = run(&format!("{PAIRS}\n[sweep]\nseed = [1, 2]\nseeds = [3, 4]"));
    let runs = outcome.runs.iter();
    let runs: Vec<(&str, u32)> = runs.map(|run| (run.title(), run.seeds)).collect();
    let wanted = [
        ("seed=1 seeds=3", 3),
        ("seed=1 seeds=4", 4),
        ("seed=2 seeds=3", 3),
        ("seed=2 seeds=4", 4),
    ];
    assert_eq!(runs, wanted);
    let counts: Vec<f64> = outcome
        .runs
        .iter()
        .map(|it| it.candidates.count.mean)
        .collect();
    assert_ne!(counts[0], counts[2], "other functions");
}

#[test]
fn signatures_and_nothing_verify_less() {
    let [exact, signature, none] = ["exact", "signature", "none"].map(|method| {
        let outcome = run(&format!("verify.method = \"{method}\"\n{PAIRS}"));
        outcome.runs.into_iter().next().unwrap()
    });
    assert_eq!(none.matches.count, none.candidates.count);
    assert!(signature.matches.recall.unwrap().mean < exact.matches.recall.unwrap().mean);
    assert!(signature.matches.count.mean < none.matches.count.mean);
}

#[test]
fn a_sweep_is_a_run_for_each_combination() {
    let text =
        format!("{PAIRS}\n[[sweep]]\nbands = [5, 20]\n[[sweep]]\nfamily.name = \"brute-force\"");
    let outcome = run(&text);
    let recall = |run: usize| outcome.runs[run].candidates.recall.unwrap().mean;
    assert_eq!(outcome.runs.len(), 3);
    assert!(recall(0) < recall(1) && recall(1) < recall(2) && recall(2) == 1.0);
    assert_eq!(outcome.runs[1].label, "bands=20");
    assert_eq!(outcome.runs[1].settings["bands"], 20);
    assert_eq!(outcome.runs[2].functions, 0);
}

/// What was measured does not depend on when, or on how many threads.
#[test]
fn the_same_file_gives_the_same_result() {
    let [one, again, seven] = [1, 1, 7].map(|threads| {
        let pool = rayon_pool(threads);
        let mut outcome = pool.install(|| run(&PAIRS.replace("seeds = 20", "seeds = 3")));
        outcome.times.runs.clear();
        outcome.times.threads = 0;
        serde_json::to_string(&outcome).unwrap()
    });
    assert_eq!(one, again);
    assert_eq!(one, seven);
}

fn rayon_pool(threads: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

/// A file for `dedup` is one for a run.
#[test]
fn a_file_for_dedup_is_understood() {
    let text = include_str!("../../../../configs/dedup.toml");
    let text = text.replace("examples/corpus", "../../examples/corpus");
    let outcome = run(&text);
    let run = &outcome.runs[0];
    assert_eq!((run.items, run.bands, run.rows), (21, Some(13), Some(7)));
    assert!(run.matches.count.mean >= 4.0);
    assert!(refused(&text.replace("# within", "within")).contains("within is for dedup"));
}

#[test]
fn a_preset_lies_under_a_file() {
    let text = "preset = \"nemo\"\n[data]\nitems = [\"a text\", \"another text\"]";
    let run = |text: &str| run(text).runs.remove(0);
    let nemo = run(text);
    assert_eq!((nemo.bands, nemo.rows), (Some(20), Some(13)));
    assert_eq!(
        nemo.settings["family"]["shingle"].as_str(),
        Some("chars:24")
    );
    let over = run(&format!(
        "recall = 0.9\nfamily.shingle = \"words:1\"\n{text}"
    ));
    assert_eq!(over.settings["family"]["shingle"].as_str(), Some("words:1"));
    assert_ne!(over.rows, Some(13));
    let fineweb = run(&text.replace("nemo", "fineweb"));
    assert_eq!(fineweb.threshold, 0.75);
}

/// Weighted sets are planted exactly, and sampled as often as Σ min / Σ max says.
#[test]
fn weighted_sets_keep_their_curve() {
    let outcome = run(r#"
        seeds = 100
        threshold = 0.5
        bands = 8
        rows = 3
        [family]
        name = "consistent-weighted"
        [data]
        generate.pairs = { similarities = [0.1, 0.3, 0.5, 0.7, 0.9], each = 20, elements = 30 }
    "#);
    let run = &outcome.runs[0];
    assert_eq!((run.curve.len(), run.truth.similar.mean), (6, 60.0));
    for (point, similarity) in run.curve.iter().zip([0.9, 0.7, 0.5, 0.3, 0.1]) {
        assert!((1.0 - point.distance - similarity).abs() < 1e-12);
        assert_eq!(point.pairs, 20);
        let strays =
            (point.measured.mean - point.predicted.unwrap()[0]) / point.measured.error.unwrap();
        assert!(
            strays.abs() <= 4.0,
            "{strays:.1} standard errors: {point:?}"
        );
    }
    let text = "threshold = 0.5\n[family]\nname = \"consistent-weighted\"\n[data]\nitems = ";
    let given = crate::run(&format!(
        "{text}[[[1, 3.0], [2, 1.0]], [[1, 2.0], [2, 2.0], [3, 1.0]]]"
    ));
    assert_eq!(given.runs[0].curve[0].distance, 0.5);
    assert!(refused(&format!("{text}[[[1, -3.0]]]")).contains("0 or more, and finite"));
}

/// Sets in files are whole numbers, and nothing is made of anything else.
#[test]
fn sets_from_files_are_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("sets.txt");
    let file = format!(
        "threshold = 0.5\n[family]\nname = \"universal\"\n[data]\nkind = \"sets\"\ninputs = ['{}']",
        path.display()
    );
    std::fs::write(&path, "1 2, 3\n[3, 2, 1]\n4\n").unwrap();
    assert_eq!(run(&file).runs[0].matches.count.mean, 1.0);
    for wrong in ["-1", "2.5", "3e5", "user-17", "18446744073709551616"] {
        std::fs::write(&path, format!("1 2\n1 {wrong}\n")).unwrap();
        let said = crate::refused(&file);
        assert!(
            said.contains(&format!("sets.txt:2: `{wrong}` is not a whole number")),
            "{said}"
        );
    }
}
