//! An explanation, against the definition and against what a run does.

use std::{collections::BTreeSet, fs};

use lookalike_dedup::{
    Config, Mode, Verification,
    explain::{Explanation, Rows, Verdict, explain, explain_run},
    run,
};
use proptest::prelude::*;
use serde_json::json;

use crate::found::registry;

fn explained(config: &Config, texts: [&str; 2]) -> Explanation {
    let registry = registry();
    explain(
        &registry,
        config,
        &config.plan(&registry).unwrap(),
        texts,
        3,
    )
    .unwrap()
}

fn config(toml: &str) -> Config {
    Config::parse(toml, "test").unwrap()
}

/// Both texts of the textbook's worked example, with three-word shingles.
#[test]
fn roses() {
    let config = config("threshold = 0.4\nbands = 50\nrows = 2\nfamily.shingle = \"words:3\"");
    let red = "A rose is red, a rose is white.";
    let white = "A rose is white, a rose is red.";
    let explanation = explained(&config, [red, white]);
    assert_eq!(explanation.rows, Rows { a: 3, b: 2, c: 2 });
    assert_eq!(explanation.similarity, Some(3.0 / 7.0));
    let shingles = &explanation.shingles;
    assert_eq!(
        shingles.shared,
        ["a rose is", "rose is red", "rose is white"]
    );
    assert_eq!(shingles.only_in_a, ["is red a", "red a rose"]);
    assert_eq!(shingles.only_in_b, ["is white a", "white a rose"]);
    let one_band = 9.0 / 49.0;
    assert!((explanation.one_band.unwrap() - one_band).abs() < 1e-12);
    let any: f64 = 1.0 - (1.0 - one_band).powi(50);
    assert!((explanation.one_or_more_bands.unwrap() - any).abs() < 1e-12);
    let none = (1.0 - one_band).powi(50);
    assert!((explanation.no_band.unwrap() / none - 1.0).abs() < 1e-12);
    let estimate = explanation.estimate.unwrap();
    let error = (3.0 / 7.0 * 4.0 / 7.0 / 100.0_f64).sqrt();
    assert!((estimate.standard_error - error).abs() < 1e-12);
    let off = (estimate.agreed as f64 / 100.0 - 3.0 / 7.0) / error;
    assert!((estimate.standard_errors_off.unwrap() - off).abs() < 1e-12);
    assert!(off.abs() < 4.0);
    assert_eq!((explanation.a.occurrences, explanation.a.bytes), (6, 31));
}

#[test]
fn what_is_special_is_said() {
    let config = config("");
    let long = "one two three four five six";
    for (texts, verdict) in [
        (["", ""], Verdict::Empty),
        (["!", "!"], Verdict::SameText),
        (["!", "?"], Verdict::Empty),
        ([long, ""], Verdict::Empty),
        ([long, long], Verdict::SameText),
        (["hi", "hi"], Verdict::SameText),
        // Another text with the same shingles.
        ([long, "One two, three: four five six!"], Verdict::Match),
        (["hi", "ho"], Verdict::Apart),
    ] {
        let explanation = explained(&config, texts);
        assert_eq!(explanation.verdict, verdict, "{texts:?}");
        let none = texts.iter().any(|text| text.len() < 2);
        assert_eq!(explanation.estimate.is_none(), none, "{texts:?}");
        let is_short = explanation.a.is_short;
        assert_eq!(is_short, texts[0].starts_with('h'), "{texts:?}");
    }
    assert_eq!(explained(&config, ["", ""]).similarity, None);
    assert_eq!(explained(&config, [long, ""]).similarity, Some(0.0));
}

#[test]
fn a_text_is_short_when_it_has_fewer_tokens_than_a_shingle() {
    for (family, short, enough) in [
        ("shingle = \"words:2\"", "a", "a b"),
        ("shingle = \"chars:4\"", "a c", "a bc"),
        ("shingle = \"words:3\"\ntokens = \"chars\"", " a", "a a"),
        (
            "shingle = \"words:2\"\ntokens = \"uax29\"",
            "Don't",
            "Don't you",
        ),
        ("shingle = \"stopwords\"", "no", "the two of"),
    ] {
        let config = config(&format!("[family]\n{family}"));
        let explanation = explained(&config, [short, enough]);
        let is_stop = family.contains("stop");
        assert_eq!(explanation.a.occurrences, usize::from(!is_stop), "{family}");
        assert_eq!(explanation.b.occurrences, 1, "{family}");
        assert!(
            explanation.a.is_short && !explanation.b.is_short,
            "{family}"
        );
    }
}

/// A byte a function agrees by chance once in 256 times; the estimate is what the run goes by.
#[test]
fn an_estimate_of_a_signature_run_allows_for_chance() {
    let config = config("bands = 32\nrows = 4\nverify.method = \"signature\"");
    let words = |from: usize| -> String { (from..from + 200).map(|i| format!("w{i} ")).collect() };
    let explanation = explained(&config, [&words(0), &words(100)]);
    let estimate = explanation.estimate.unwrap();
    let (chance, agreed) = (1.0 / 256.0, estimate.agreed as f64 / 128.0);
    let expected = (agreed - chance) / (1.0 - chance);
    assert!((estimate.similarity - expected).abs() < 1e-12);
    let exact = 96.0 / 296.0;
    assert_eq!(explanation.similarity, Some(exact));
    let share = chance + (1.0 - chance) * exact;
    let error = (share * (1.0 - share) / 128.0_f64).sqrt() / (1.0 - chance);
    assert!((estimate.standard_error - error).abs() < 1e-12);
}

const WORDS: [&str; 5] = ["the", "B", "ß", "日本", "q\"\\"];

fn text() -> impl Strategy<Value = String> {
    let word = prop::sample::select(&WORDS[..]);
    prop::collection::vec(word, 0..16).prop_map(|words| words.join(" "))
}

fn any_config() -> impl Strategy<Value = Config> {
    let shingle = prop::sample::select(&["words:1", "words:2", "chars:3", "stopwords"][..]);
    let scheme = ["and:2,or:6", "or:3", "and:3", "or:2,and:2,or:3"];
    let scheme = prop::sample::select(scheme.to_vec());
    let sketch = prop::sample::select(&["fast-similarity", "universal"][..]);
    let method = [
        Verification::Exact,
        Verification::Signature,
        Verification::None,
    ];
    let method = prop::sample::select(method.to_vec());
    let threshold = prop::sample::select(&[0.2, 1.0 / 3.0, 0.5, 0.8, 1.0][..]);
    (shingle, scheme, sketch, method, threshold, any::<u64>()).prop_map(
        |(shingle, scheme, sketch, method, threshold, seed)| {
            let mut config = Config {
                threshold,
                seed,
                amplify: Some(scheme.parse().unwrap()),
                ..Config::default()
            };
            config.family.shingle = shingle.parse().unwrap();
            config.family.name = sketch.into();
            config.verify.method = method;
            config.output.mode = Mode::Report;
            config
        },
    )
}

/// Whether a cascade agrees, from whether its functions do: its definition.
fn agrees(steps: &[lookalike_core::Step], functions: &[bool]) -> bool {
    let Some((step, inner)) = steps.split_last() else {
        return functions[0];
    };
    let parts = functions.chunks(functions.len() / step.size() as usize);
    let mut parts = parts.map(|part| agrees(inner, part));
    match step {
        lookalike_core::Step::And(_) => parts.all(|agrees| agrees),
        lookalike_core::Step::Or(_) => parts.any(|agrees| agrees),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn it_is_the_definition(a in text(), b in text(), config in any_config()) {
        let shingler = config.family.shingler();
        let explanation = explained(&config, [&a, &b]);
        let [s, t] = [&a, &b].map(|text| shingler.shingles(text).into_iter().collect::<BTreeSet<_>>());
        let (both, only_a, only_b) = (&s & &t, &s - &t, &t - &s);
        let rows = Rows { a: both.len(), b: only_a.len(), c: only_b.len() };
        prop_assert_eq!(explanation.rows, rows);
        for (shown, all) in [
            (&explanation.shingles.shared, both),
            (&explanation.shingles.only_in_a, only_a),
            (&explanation.shingles.only_in_b, only_b),
        ] {
            prop_assert_eq!(shown.len(), all.len().min(3));
            prop_assert!(shown.iter().all(|shingle| all.contains(shingle)));
        }
        // Bands meet where the functions say so.
        let inside = match config.amplify.as_ref().unwrap().steps() {
            [inside @ .., lookalike_core::Step::Or(_)] => inside,
            all => all,
        };
        let meets = |band: &String| agrees(inside, &band.chars().map(|c| c == '1').collect::<Vec<_>>());
        let bands = (1..).zip(&explanation.agreements);
        let met: Vec<u32> = bands.filter(|(_, band)| meets(band)).map(|(number, _)| number).collect();
        prop_assert_eq!(&explanation.met, &met);
        prop_assert_eq!(explanation.candidate, !met.is_empty());
    }

    #[test]
    fn the_verdict_is_what_a_run_does(a in text(), b in text(), config in any_config()) {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("in.jsonl");
        fs::write(&input, format!("{}\n{}\n", json!({"text": a}), json!({"text": b}))).unwrap();
        let name = input.to_str().unwrap().to_owned();
        let config = Config { data: lookalike_dedup::Data { inputs: vec![name.clone()], ..config.data.clone() }, ..config };
        let out = folder.path().join("out");
        let report = run(&registry(), &config, &out, &()).unwrap();
        let explanation = explained(&config, [&a, &b]);
        prop_assert_eq!(explanation.verdict.is_pair(), report.pairs.listed == 1);
        // Equal texts are found before any key is looked at.
        let is_candidate = explanation.candidate && explanation.verdict != Verdict::SameText;
        prop_assert_eq!(u64::from(is_candidate), report.pairs.candidates);
        // The same from the folder of the run.
        let ids = [1, 2].map(|line| format!("{name}:{line}"));
        let in_run = explain_run(&registry(), &out, [&ids[0], &ids[1]], 3).unwrap();
        prop_assert_eq!(in_run.verdict, explanation.verdict);
        prop_assert_eq!(in_run.similarity, explanation.similarity);
        prop_assert_eq!(&in_run.met, &explanation.met);
        let in_run = in_run.run.unwrap();
        prop_assert_eq!(in_run.listed.is_some(), report.pairs.listed == 1);
        prop_assert_eq!(in_run.same_cluster, report.pairs.listed == 1);
        prop_assert!(in_run.a.duplicate_of.is_none());
        let kept = in_run.b.duplicate_of.map(|id| id.get().to_owned());
        prop_assert_eq!(kept, in_run.same_cluster.then(|| json!(ids[0]).to_string()));
    }
}
