//! What an audit measures, against all pairs compared by brute force.

use std::{collections::HashMap, fs, path::PathBuf};

use lookalike_core::random::derive;
use lookalike_dedup::{
    Config, Mode, Report, Verification,
    audit::{Audit, Measured, Options, audit},
    run,
};
use lookalike_minhash::{Counts, Shingler};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::found::registry;

/// A finished run over texts in memory.
struct Run {
    _folder: TempDir,
    out: PathBuf,
    report: Report,
    truth: Truth,
}

/// Pairs of documents, by brute force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Truth {
    /// With the same text, and with different ones that are alike.
    copies: u64,
    alike: u64,
    /// Those of the latter that the run lists.
    found: u64,
    /// Those that the run lists, though they are not alike.
    wrong: u64,
}

impl Truth {
    fn recall(self) -> f64 {
        (self.copies + self.found) as f64 / (self.copies + self.alike) as f64
    }

    fn different(self) -> f64 {
        self.found as f64 / self.alike as f64
    }

    fn precision(self) -> f64 {
        let good = (self.copies + self.found) as f64;
        good / (good + self.wrong as f64)
    }
}

/// A document of the input, or of the older corpus.
#[derive(Clone, Debug)]
struct Given {
    text: String,
    /// What it is compared within, where that is asked for.
    group: Option<u64>,
    is_old: bool,
}

impl Given {
    fn plain(text: &str) -> Self {
        Self {
            text: text.to_owned(),
            group: None,
            is_old: false,
        }
    }

    fn is_compared_with(&self, other: &Self) -> bool {
        self.group == other.group && !(self.is_old && other.is_old)
    }
}

impl Run {
    fn over(texts: &[String], config: Config) -> Self {
        let given: Vec<Given> = texts.iter().map(|text| Given::plain(text)).collect();
        Self::new(&given, config)
    }

    /// Documents of the older corpus come last; both corpora count their ids from 0.
    fn new(given: &[Given], mut config: Config) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let own = given.iter().filter(|given| !given.is_old).count();
        let write = |name: &str, given: &[Given]| {
            let record = |(id, given): (usize, &Given)| {
                format!(
                    "{}\n",
                    json!({"id": id, "text": given.text, "group": given.group})
                )
            };
            let path = folder.path().join(name);
            let records: String = given.iter().enumerate().map(record).collect();
            fs::write(&path, records).unwrap();
            vec![path.to_str().unwrap().to_owned()]
        };
        config.data.inputs = write("in.jsonl", &given[..own]);
        if own < given.len() {
            config.data.against = write("old.jsonl", &given[own..]);
        }
        config.output.mode = Mode::Report;
        let out = folder.path().join("out");
        let report = run(&registry(), &config, &out, &()).unwrap();
        let listed = fs::read_to_string(out.join("pairs.jsonl")).unwrap();
        let row = |value: &Value| value.as_u64().unwrap() as usize;
        let pair = |line: &str| {
            let line: Value = serde_json::from_str(line).unwrap();
            let shift = if line["against"] == true { own } else { 0 };
            (row(&line["a"]), row(&line["b"]) + shift)
        };
        let listed: Vec<(usize, usize)> = listed.lines().map(pair).collect();
        let truth = truth(&config.family.shingler(), given, config.threshold, &listed);
        Self {
            _folder: folder,
            out,
            report,
            truth,
        }
    }

    fn audit(&self, sample: u64, seed: u64) -> Audit {
        audit(&registry(), &self.out, Options { sample, seed }, &()).unwrap()
    }
}

/// Compares all pairs, by the shingles as strings.
fn truth(shingler: &Shingler, given: &[Given], threshold: f64, listed: &[(usize, usize)]) -> Truth {
    let mut numbers: HashMap<String, u64> = HashMap::new();
    let mut set = |given: &Given| {
        let mut number = |shingle| {
            let next = numbers.len() as u64;
            *numbers.entry(shingle).or_insert(next)
        };
        let mut set: Vec<u64> = shingler
            .shingles(&given.text)
            .into_iter()
            .map(&mut number)
            .collect();
        set.sort_unstable();
        set.dedup();
        set
    };
    let sets: Vec<Vec<u64>> = given.iter().map(&mut set).collect();
    let listed: std::collections::HashSet<_> = listed.iter().collect();
    let mut truth = Truth::default();
    for b in 0..sets.len() {
        for a in 0..b {
            let counts = Counts::of(&sets[a], &sets[b]);
            let is_copy = given[a].text == given[b].text && !given[a].text.is_empty();
            let reaches =
                counts.a > 0 && counts.a as f64 >= threshold * counts.union() as f64 - 1e-9;
            let is_alike = given[a].is_compared_with(&given[b]) && (is_copy || reaches);
            let is_listed = listed.contains(&(a, b));
            match (is_alike, is_listed) {
                (true, _) if is_copy => truth.copies += 1,
                (true, true) => (truth.alike, truth.found) = (truth.alike + 1, truth.found + 1),
                (true, false) => truth.alike += 1,
                (false, true) => truth.wrong += 1,
                (false, false) => {}
            }
        }
    }
    truth
}

/// Numbers below a limit, one after the other.
fn draws(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut draws = (0..).map(move |i| derive(seed, i));
    move |below| draws.next().unwrap() % below
}

/// Texts of twenty words out of a thousand. Most are alone; every tenth is one of a pair or, `in_clusters`, of up to
/// seven, with one to seven words replaced in each, and now and then a copy.
fn texts(seed: u64, in_clusters: bool) -> Vec<String> {
    let mut draw = draws(seed);
    let mut texts = Vec::new();
    let write =
        |words: &[u64]| -> String { words.iter().map(|word| format!("w{word} ")).collect() };
    while texts.len() < 600 {
        let words: Vec<u64> = (0..20).map(|_| draw(1000)).collect();
        texts.push(write(&words));
        let near = match (draw(10), in_clusters) {
            (0..3, false) => 1,
            (0, true) => 1 + draw(6),
            _ => 0,
        };
        for _ in 0..near {
            let mut near = words.clone();
            for _ in 0..=draw(7) {
                near[draw(20) as usize] = draw(1000);
            }
            texts.push(write(&near));
            if in_clusters && draw(4) == 0 {
                texts.push(write(&near));
            }
        }
    }
    texts
}

fn config(bands: u32, rows: u32, seed: u64) -> Config {
    let mut config = Config {
        threshold: 0.5,
        bands: Some(bands),
        rows: Some(rows),
        seed,
        ..Config::default()
    };
    config.family.shingle = "words:1".parse().unwrap();
    config
}

fn holds(measured: Option<Measured>, truth: f64) -> u32 {
    let Measured { low, high, .. } = measured.unwrap();
    u32::from((low..=high).contains(&truth))
}

/// Of 100 draws the interval holds the truth in 93 or more: expected are 95 or more. For recalls from .5 to near 1.
#[test]
fn intervals_hold_the_truth() {
    const CORPORA: u64 = 10;
    const DRAWS: u64 = 10;
    for in_clusters in [false, true] {
        for (bands, rows, recalls) in [(2, 3, 0.3..=0.75), (5, 3, 0.7..=0.95), (10, 2, 0.96..=1.0)]
        {
            let (mut recall, mut different, mut precision, mut width) = (0, 0, 0, 0.0);
            for corpus in 0..CORPORA {
                let texts = texts(corpus, in_clusters);
                let mut config = config(bands, rows, corpus);
                config.verify.method = Verification::None;
                let run = Run::over(&texts, config);
                assert!(recalls.contains(&run.truth.different()), "{:?}", run.truth);
                for seed in 0..DRAWS {
                    let audit = run.audit(150, seed);
                    recall += holds(audit.recall.recall, run.truth.recall());
                    different += holds(audit.recall.different_texts, run.truth.different());
                    precision += holds(audit.listed.precision, run.truth.precision());
                    let Measured { low, high, .. } = audit.recall.recall.unwrap();
                    width += (high - low) / (CORPORA * DRAWS) as f64;
                }
            }
            let what = format!(
                "{in_clusters} {bands} × {rows}: {recall} {different} {precision}, {width}"
            );
            println!("{what}");
            assert!(recall >= 93 && different >= 93 && precision >= 93, "{what}");
            // About 40 of the 150 documents have a pair.
            assert!(width < 0.4, "{what}");
        }
    }
}

#[test]
fn what_is_compared_completely_is_exact() {
    for method in [
        Verification::Exact,
        Verification::Signature,
        Verification::None,
    ] {
        for (in_clusters, seed) in [(false, 5), (true, 6)] {
            let mut texts = texts(seed, in_clusters);
            texts.push("...".into());
            texts.push("...".into());
            let mut config = config(5, 3, seed);
            config.verify.method = method;
            let run = Run::over(&texts, config);
            let audit = run.audit(1_000_000, 0);
            let recall = &audit.recall;
            for (measured, truth) in [
                (recall.recall, run.truth.recall()),
                (recall.different_texts, run.truth.different()),
                (audit.listed.precision, run.truth.precision()),
            ] {
                let measured = measured.unwrap();
                assert!(
                    (measured.share - truth).abs() < 1e-12,
                    "{measured:?} {truth}"
                );
                assert!(measured.is_exact && measured.low == measured.high);
            }
            assert_eq!(recall.copies, run.truth.copies);
            assert_eq!(recall.alike.estimate, run.truth.alike as f64);
            let missed = (run.truth.alike - run.truth.found) as f64;
            assert_eq!(recall.missed.estimate, missed);
            assert_eq!((recall.missed.low, recall.missed.high), (missed, missed));
            // Seen from both ends.
            let ends: u64 = recall.buckets.iter().map(|bucket| bucket.ends).sum();
            let found: u64 = recall.buckets.iter().map(|bucket| bucket.found).sum();
            assert_eq!((ends, found), (2 * run.truth.alike, 2 * run.truth.found));
            assert_eq!(audit.listed.drawn.all, run.report.pairs.listed);
            if method == Verification::Exact {
                assert_eq!(run.truth.wrong, 0);
            }
        }
    }
}

/// Documents in groups of their own, and some of them in an older corpus.
fn with_policies(seed: u64, groups: u64) -> Vec<Given> {
    let mut draw = draws(derive(seed, 77));
    let given = |text: String| Given {
        text,
        group: (groups > 1).then(|| draw(groups)),
        is_old: draw(3) == 0,
    };
    let mut given: Vec<Given> = texts(seed, true).into_iter().map(given).collect();
    given.sort_by_key(|given| given.is_old);
    given
}

#[test]
fn what_a_run_does_not_compare_is_no_pair() {
    for (seed, groups) in [(1, 1), (2, 2), (3, 3)] {
        let given = with_policies(seed, groups);
        let mut config = config(5, 3, seed);
        config.data.within = (groups > 1).then(|| "group".parse().unwrap());
        let run = Run::new(&given, config);
        let recall = run.audit(1_000_000, 0).recall;
        let own = given.iter().filter(|given| !given.is_old).count();
        assert_eq!(recall.documents.all, own as u64);
        assert_eq!(recall.copies, run.truth.copies);
        assert_eq!(recall.alike.estimate, run.truth.alike as f64);
        let missed = (run.truth.alike - run.truth.found) as f64;
        assert!(missed > 0.0 && run.truth.copies > 0, "{:?}", run.truth);
        assert_eq!(recall.missed.estimate, missed);
        let different = recall.different_texts.unwrap();
        assert!((different.share - run.truth.different()).abs() < 1e-12);
    }
}

#[test]
fn intervals_hold_the_truth_beside_an_older_corpus() {
    let mut held = [0; 3];
    for seed in 0..10 {
        let run = Run::new(&with_policies(seed, 1), config(4, 3, seed));
        for draw in 0..10 {
            let audit = run.audit(100, draw);
            held[0] += holds(audit.recall.recall, run.truth.recall());
            held[1] += holds(audit.recall.different_texts, run.truth.different());
            held[2] += u32::from(
                (audit.recall.alike.low..=audit.recall.alike.high)
                    .contains(&(run.truth.alike as f64)),
            );
        }
    }
    println!("{held:?}");
    assert!(held.iter().all(|&held| held >= 93), "{held:?}");
}

/// The estimates are right on average: pairs, missed pairs and recall.
#[test]
fn numbers_are_scaled_to_all_documents() {
    const DRAWS: u64 = 300;
    let run = Run::over(&texts(9, true), config(5, 3, 9));
    let missed = (run.truth.alike - run.truth.found) as f64;
    let (mut sums, mut squares) = ([0.0; 2], [0.0; 2]);
    for seed in 0..DRAWS {
        let recall = run.audit(100, seed).recall;
        for (i, number) in [recall.alike, recall.missed].into_iter().enumerate() {
            assert!(number.low <= number.estimate && number.estimate <= number.high);
            sums[i] += number.estimate;
            squares[i] += number.estimate * number.estimate;
        }
    }
    let n = DRAWS as f64;
    for (i, truth) in [run.truth.alike as f64, missed].into_iter().enumerate() {
        let mean = sums[i] / n;
        let error = ((squares[i] / n - mean * mean) / n).sqrt();
        assert!((mean - truth).abs() < 4.0 * error, "{mean} {truth} {error}");
    }
}

/// The promise is the S-curve's, and functions are drawn so that it holds.
#[test]
fn the_promise_is_what_many_runs_find() {
    let (mut found, mut promised, mut pairs) = (0.0, 0.0, 0.0);
    for seed in 0..20 {
        let recall = Run::over(&texts(seed, false), config(5, 3, seed))
            .audit(10_000, 0)
            .recall;
        let alike = recall.alike.estimate;
        pairs += alike;
        found += alike * recall.different_texts.unwrap().share;
        promised += alike * recall.promised.unwrap();
    }
    let error = (promised * (1.0 - promised / pairs)).sqrt();
    assert!(
        (found - promised).abs() < 4.0 * error,
        "{found} {promised} {error}"
    );
}

/// Over two million pairs: those of copies follow from the first 32 of each text.
#[test]
fn pairs_that_are_not_listed_are_found() {
    let text = |changed: bool| -> String {
        let last = if changed { "other" } else { "word19" };
        (0..19).map(|i| format!("word{i} ")).collect::<String>() + last
    };
    let mut texts = vec![text(false); 1500];
    texts.extend(vec![text(true); 1500]);
    texts.push("a text that is like nothing else".into());
    let run = Run::over(&texts, config(50, 1, 0));
    assert!(run.report.pairs.not_listed > 0);
    for sample in [50, 5000] {
        let audit = run.audit(sample, 1);
        let recall = &audit.recall;
        assert_eq!(recall.recall.unwrap().share, 1.0);
        assert_eq!(recall.different_texts.unwrap().share, 1.0);
        assert_eq!(recall.copies, 1500 * 1499);
        assert!((recall.alike.estimate / 2_250_000.0 - 1.0).abs() < 0.1);
        assert_eq!(audit.listed.precision.unwrap().share, 1.0);
        assert_eq!(audit.listed.not_listed, run.report.pairs.not_listed);
    }
}

#[test]
fn without_pairs_there_is_nothing_to_measure() {
    let texts: Vec<String> = (0..50).map(|i| format!("text{i}")).collect();
    let run = Run::over(&texts, config(5, 3, 0));
    for sample in [10, 100] {
        let audit = run.audit(sample, 0);
        assert_eq!(audit.recall.recall, None);
        assert_eq!(audit.recall.different_texts, None);
        assert_eq!(audit.listed.precision, None);
        assert_eq!(audit.recall.alike.estimate, 0.0);
        assert_eq!(audit.recall.alike.high == 0.0, sample == 100);
    }
    let mut copied = texts.clone();
    copied[1] = texts[0].clone();
    let run = Run::over(&copied, config(5, 3, 0));
    let recall = run.audit(10, 0).recall.recall.unwrap();
    assert!(recall.share == 1.0 && recall.low < 0.2 && !recall.is_exact);
    assert!(run.audit(50, 0).recall.recall.unwrap().is_exact);
}
