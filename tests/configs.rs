//! The files in `configs` are understood, and say what they claim to say.

use std::{fs, path::Path};

use lookalike::dedup::Config;
use lookalike::experiment::{Experiment, Outcome};

fn configs() -> impl Iterator<Item = (String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs");
    fs::read_dir(folder).unwrap().map(|entry| {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        (name, fs::read_to_string(path).unwrap())
    })
}

fn text_of(file: &str) -> String {
    let (_, text) = configs().find(|(name, _)| name == file).unwrap();
    text
}

fn small(name: &str, text: &str) -> Outcome {
    let registry = lookalike::builtin();
    let experiment = Experiment::parse(&registry, name, text, true);
    let outcome = experiment.and_then(|experiment| experiment.run(&()));
    outcome.unwrap_or_else(|error| panic!("{error}"))
}

/// Every file is an experiment, and in its small form it runs.
#[test]
fn every_file_runs() {
    let mut files = 0;
    for (name, text) in configs() {
        let outcome = small(&name, &text);
        for run in &outcome.runs {
            assert!(run.items > 0 && !run.curve.is_empty(), "{name}");
        }
        // Worked examples are small as they are.
        let is_small = outcome.runs.iter().all(|run| run.signatures.is_some());
        assert!(
            is_small || text.contains("[small]") || name == "dedup.toml",
            "{name} has no small form"
        );
        files += 1;
    }
    assert!(files > 15);
}

#[test]
fn a_file_for_dedup_can_be_planned() {
    let config = Config::parse(&text_of("dedup.toml"), "dedup.toml").unwrap();
    config.plan(&lookalike::builtin()).unwrap();
}

/// The textbook's claim: stop-word shingles tell copies of an article, however they are shown, from pages with the same
/// advertisements; plain ones do not.
#[test]
fn stop_words_follow_the_article() {
    let outcome = small("news.toml", &text_of("news.toml"));
    let similarities = |run: usize| -> Vec<f64> {
        let groups = outcome.runs[run].groups.iter();
        groups.map(|group| 1.0 - group.distance).collect()
    };
    let [stop, plain] = [0, 1].map(similarities);
    assert!(
        outcome.runs[0].label.contains("stopwords") && outcome.runs[1].label.contains("words:3")
    );
    let (articles, ads) = (&stop[..3], stop[3]);
    assert!(
        articles.iter().all(|article| *article > ads + 0.4),
        "{stop:?}"
    );
    // Whoever wraps or crops the article is less alike than whoever has the same advertisements.
    assert!(plain[1] < plain[3] && plain[2] < plain[3], "{plain:?}");
    // Every pair at the threshold or above it is a copy of an article.
    let run = &outcome.runs[0];
    let found: Vec<bool> = run
        .groups
        .iter()
        .map(|it| it.candidates.mean > 0.5)
        .collect();
    assert_eq!(found, [true, true, true, false]);
}

/// The first file that the guide shows runs, and every file that it names is there.
#[test]
fn the_guide_shows_files_that_run() {
    let guide = include_str!("../docs/experiments.md");
    let first = guide.split("```toml\n").nth(1).unwrap();
    let first = first.split("```").next().unwrap();
    let outcome = small("guide.toml", &first.replace("seeds = 200", "seeds = 3"));
    assert_eq!(
        (outcome.runs[0].bands, outcome.runs[0].items),
        (Some(20), 400)
    );
    let files: Vec<String> = configs().map(|(name, _)| name).collect();
    let named = guide.split("`configs/").skip(1);
    for name in named.map(|rest| rest.split('`').next().unwrap()) {
        let (before, after) = name.split_once('*').unwrap_or((name, ""));
        let is_named = |file: &String| file.starts_with(before) && file.ends_with(after);
        assert!(files.iter().any(is_named), "{name}");
    }
    for file in files.iter().filter(|file| *file != "dedup.toml") {
        let preset = file.starts_with("preset-");
        assert!(preset || guide.contains(file), "{file} is not in the guide");
    }
}

/// What the files teach, they cite by the book and its sections on finding similar items.
#[test]
fn files_cite_the_sections_of_the_book() {
    const BOOK: &str = "Mining of Massive Datasets";
    let mut cited = 0;
    for (name, text) in configs() {
        let comments: Vec<&str> = text.lines().filter(|it| it.starts_with('#')).collect();
        let comments = comments.join(" ").replace(" # ", " ");
        for after in comments.split(BOOK).skip(1) {
            let section = after.trim_start_matches(", ");
            let section = section
                .trim_start_matches("section ")
                .trim_start_matches('§');
            let number = section.split([':', ')', ',']).next().unwrap().trim();
            let parts: Vec<&str> = number.split('.').collect();
            assert!(parts[0] == "3", "{name}: {number}");
            assert!(
                (2..=8).contains(&parts[1].parse().unwrap()),
                "{name}: {number}"
            );
            cited += 1;
        }
        let sections = comments.to_lowercase().matches("section").count();
        let with_book = comments.matches(&format!("{BOOK}, section 3.")).count();
        assert_eq!(
            sections, with_book,
            "{name} cites a section of something else"
        );
    }
    assert!(cited >= 18, "{cited}");
}

/// k = 1 makes all pages alike.
#[test]
fn short_shingles_make_all_pages_alike() {
    let outcome = small("shingle-lengths.toml", &text_of("shingle-lengths.toml"));
    let similar = |label: &str| {
        let run = outcome.runs.iter().find(|run| run.label.ends_with(label));
        let truth = &run.unwrap().truth;
        truth.similar.mean / truth.pairs as f64
    };
    assert_eq!(similar("chars:1"), 1.0);
    assert!(similar("chars:9") < 0.01 && similar("words:5") < 0.01);
}

#[test]
fn the_first_file_shows_the_defaults() {
    let mut config = Config::parse(&text_of("dedup.toml"), "dedup.toml").unwrap();
    assert_eq!(config.recall, Some(lookalike::tune::RECALL));
    config.recall = None;
    config.data.inputs.clear();
    config.output.dir = None;
    assert_eq!(config, Config::default());
}
