//! Any family over texts drives a run: it decides what is found, never what a match is.

use std::collections::BTreeSet;

use lookalike_dedup::{
    Config, Verification,
    audit::{Options, audit},
    explain::explain,
    run,
};
use lookalike_minhash::plugin::{FastSimilarity, Over, TextJaccard};
use lookalike_search::Registry;
use serde_json::json;

use crate::found::{Found, Row, alike, registry};

/// 60 articles of 40 words, each with a version in which up to 4 words at its end are others.
fn versions() -> Vec<String> {
    let words = |article: usize, changed: usize| {
        let word = |place| match place >= 40 - changed {
            true => format!("x{article}y{place}"),
            false => format!("a{article}b{place}"),
        };
        (0..40).map(word).collect::<Vec<_>>().join(" ")
    };
    let of_one = |article| [words(article, 0), words(article, article % 5)];
    (0..60).flat_map(of_one).collect()
}

fn config(family: &str) -> Config {
    let mut config = Config::parse("threshold = 0.7\n[family]\nshingle = \"words:2\"", "").unwrap();
    config.family.name = family.into();
    config.output.allow_mass_removal = true;
    config
}

fn pairs(found: &Found) -> BTreeSet<(Row, Row)> {
    found.pairs.iter().map(|&(a, b, _)| (a, b)).collect()
}

#[test]
fn every_family_finds_pairs_that_are_alike() {
    let texts = versions();
    for family in ["fast-similarity", "universal", "simhash"] {
        let config = config(family);
        let all: BTreeSet<(Row, Row)> = alike(&config.family.shingler(), &texts, 0.7)
            .into_keys()
            .collect();
        let found = pairs(&Found::among(&texts, config));
        assert!(found.is_subset(&all), "{family}");
        // Two thirds of these pairs are copies or far above the threshold: 0.95 is promised at it.
        let share = found.len() as f64 / all.len() as f64;
        assert!(all.len() >= 48 && share > 0.9, "{family}: {share}");
    }
}

/// A registry that hashes texts as they are gives the keys of one that hashes elements that are at hand.
#[test]
fn elements_at_hand_have_the_keys_of_their_texts() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("in.jsonl");
    let record = |(id, text): (usize, String)| format!("{}\n", json!({"id": id, "text": text}));
    let records: String = versions().into_iter().enumerate().map(record).collect();
    std::fs::write(&input, records).unwrap();
    let texts_alone = Registry::default().with::<Over<FastSimilarity, TextJaccard>>();
    for bag in [false, true] {
        let mut config = config("fast-similarity");
        config.family.bag = bag;
        config.recall = Some(0.4);
        config.verify.method = Verification::None;
        config.data.inputs = vec![input.display().to_string()];
        let listed = [texts_alone.clone(), registry()].map(|registry| {
            let out = folder.path().join("out");
            run(&registry, &config, &out, &()).unwrap();
            let pairs = std::fs::read_to_string(out.join("pairs.jsonl")).unwrap();
            std::fs::remove_dir_all(out).unwrap();
            pairs
        });
        assert!(listed[0].lines().count() > 10);
        assert_eq!(listed[0], listed[1], "bag {bag}");
    }
}

#[test]
fn bags_count_repeats() {
    let texts = ["a b a b a b a b", "a b", "a b a b a b a b a b"].map(str::to_owned);
    let mut config = config("fast-similarity");
    config.threshold = 0.6;
    config.recall = Some(0.999);
    config.family.shingle = "words:1".parse().unwrap();
    let sets = Found::among(&texts, config.clone());
    assert_eq!(pairs(&sets), BTreeSet::from([(0, 1), (0, 2), (1, 2)]));
    config.family.bag = true;
    let bags = Found::among(&texts, config);
    // Four of five a and four of five b.
    assert_eq!(bags.pairs, [(0, 2, 0.8)]);
}

#[test]
fn what_a_family_cannot_do_is_refused() {
    let mut signature = config("simhash");
    signature.verify.method = Verification::Signature;
    let plan = signature.plan(&registry()).unwrap();
    let error = explain(&registry(), &signature, &plan, ["a", "b"], 0).unwrap_err();
    assert!(error.to_string().contains("has no signatures"), "{error}");
    let unknown = config("simhahs").plan(&registry()).unwrap_err().to_string();
    assert!(unknown.contains("unknown family `simhahs`"), "{unknown}");
    let method = config("brute-force").plan(&registry()).unwrap_err();
    assert!(
        method.to_string().contains("gives texts no keys"),
        "{method}"
    );
}

#[test]
fn simhash_is_explained_and_audited() {
    let texts = versions();
    let config = config("simhash");
    let plan = config.plan(&registry()).unwrap();
    let explanation = explain(&registry(), &config, &plan, [&texts[0], &texts[0]], 3).unwrap();
    let bands = plan.banding.unwrap().bands() as usize;
    assert_eq!((explanation.met.len(), explanation.estimate), (bands, None));
    assert_eq!(explanation.one_or_more_bands, Some(1.0));

    let folder = tempfile::tempdir().unwrap();
    let (input, out) = (folder.path().join("in.txt"), folder.path().join("out"));
    std::fs::write(&input, texts.join("\n")).unwrap();
    let mut config = config;
    config.data.inputs = vec![input.display().to_string()];
    run(&registry(), &config, &out, &()).unwrap();
    let audit = audit(&registry(), &out, Options::default(), &()).unwrap();
    let recall = audit.recall.recall.unwrap();
    assert!(recall.share > 0.9 && recall.is_exact);
    assert!(audit.recall.promised.unwrap() > 0.9);
}
