//! Families from elsewhere: a source without a family, with payloads and votes.

use lookalike_core::{KeySource, Metric, Scheme, TooManyKeys};
use lookalike_engine::Hit;
use lookalike_experiment::{Error, Measure, Meeting, Plugin, Registry, Search, data::Sets};
use lookalike_minhash::{Integers, Jaccard};
use serde::{Deserialize, Serialize};

use crate::{refused, run, run_with};

/// Sorted sets meet in elements that stand equally far from their first ones: each element is a key, where it stands is the
/// payload, and hits count together that agree on the shift.
struct Elements;

impl KeySource for Elements {
    type Item = [u64];
    type Payload = u32;
    type Scratch = ();

    fn bands(&self) -> usize {
        1
    }

    fn key_bits(&self) -> u32 {
        64
    }

    fn describe(&self) -> String {
        "Elements".into()
    }

    fn keys(
        &self,
        set: &[u64],
        (): &mut (),
        mut emit: impl FnMut(u32, u64, u32),
    ) -> Result<(), TooManyKeys> {
        (0..).zip(set).for_each(|(place, &x)| emit(0, x, place));
        Ok(())
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShiftedSets {
    votes: u32,
}

struct Shifted {
    votes: u32,
    metric: Jaccard<Integers>,
}

impl Plugin for ShiftedSets {
    const NAME: &'static str = "shifted";
    const MEASURE: Measure = Measure::Similarity("Jaccard similarity");
    type Data = Sets;
    type Search = Shifted;

    fn search(&self, _: &Vec<Vec<u64>>) -> Result<Shifted, Error> {
        let (votes, metric) = (self.votes, Jaccard::new(Integers));
        Ok(Shifted { votes, metric })
    }
}

impl Search for Shifted {
    type Item = [u64];
    type Source = Elements;
    type Metric = Jaccard<Integers>;

    fn metric(&self) -> &Self::Metric {
        &self.metric
    }

    fn source(&self, _: &Scheme, _: u64) -> Result<Elements, Error> {
        Ok(Elements)
    }

    fn scheme(&self) -> Option<Scheme> {
        Some(Scheme::default())
    }

    fn meeting(&self) -> Meeting<u32> {
        let least = self.votes as usize;
        Meeting::Votes(Box::new(move |hits: &[Hit<u32>]| {
            let vote = |hit: &Hit<u32>| (hit.id, hit.stored.wrapping_sub(hit.asked));
            let mut votes: Vec<(u32, u32)> = hits.iter().map(vote).collect();
            votes.sort_unstable();
            let alike = votes.chunk_by(|a, b| a == b);
            let enough = alike.filter(|votes| votes.len() >= least);
            enough.map(|votes| votes[0].0).collect()
        }))
    }
}

const SETS: &str = r#"
    threshold = 0.3
    [family]
    name = "shifted"
    votes = 3
    [data]
    kind = "sets"
    items = [[1, 2, 3, 9], [0, 1, 2, 3], [1, 50, 2, 60, 3], [70, 71]]
"#;

#[test]
fn votes_that_agree_make_candidates() {
    let registry = Registry::builtin().with::<ShiftedSets>();
    let outcome = run_with(&registry, SETS);
    let run = &outcome.runs[0];
    // The first two share three elements at one shift; with the third they share them at three.
    assert_eq!(run.candidates.count.mean, 1.0);
    assert_eq!((run.scheme.as_deref(), run.bands), (Some("votes"), None));
    assert_eq!(run.examples[0].names, ["#0", "#1"]);
    // Nothing is promised, so nothing is predicted.
    assert!(run.curve.iter().all(|point| point.predicted.is_none()));
    let fewer = SETS.replace("votes = 3", "votes = 1");
    assert_eq!(
        run_with(&registry, &fewer).runs[0].candidates.count.mean,
        3.0
    );
    let jaccard = Jaccard::new(Integers);
    let [a, b] = [[1, 2, 3, 9], [0, 1, 2, 3]].map(|set| jaccard.prepare(&set));
    assert_eq!(run.examples[0].distance, jaccard.distance(&a, &b));
}

#[test]
fn a_plugin_takes_the_place_of_its_namesake() {
    let before = Registry::builtin().entries().len();
    let registry = Registry::builtin()
        .with::<ShiftedSets>()
        .with::<ShiftedSets>();
    assert_eq!(registry.entries().len(), before + 1);
    assert!(refused(SETS).contains("unknown family `shifted`"));
}

/// All families run on what they read, and brute force misses nothing.
#[test]
fn every_family_of_the_project_runs() {
    for entry in Registry::builtin().entries() {
        let data = match entry.kind {
            "text" => "generate.corpus = { documents = 60, words = 60, copies = 0.5 }",
            "sets" if entry.name == "permutation" => "items = [[0, 1, 4], [0, 1, 4, 5], [2, 3]]",
            "sets" => "generate.pairs = { similarities = [0.2, 0.9], each = 5 }",
            "weights" => "generate.pairs = { similarities = [0.2, 0.9], each = 5 }",
            "squares" => "generate.model = { fingers = 30 }",
            "prints" => "generate.fingers = { fingers = 15, rotation = 0.0, translation = 0.0 }",
            _ => "generate.pairs = { distances = [2, 20], each = 10, others = 50 }",
        };
        let limit = match (entry.measure, entry.kind) {
            (Measure::Similarity(_), "squares") => "threshold = 0.5",
            (Measure::Similarity(_), _) => "threshold = 0.7",
            (Measure::Distance(_), "squares") => "radius = 0.9",
            (Measure::Distance(_), _) => "radius = 6",
            (Measure::Same(_), _) => "",
        };
        let scheme = match (entry.name, entry.kind) {
            ("grid-squares", _) => "amplify = [{ or = 1024 }]",
            ("one-pass", _) => "bands = 40\nrows = 5",
            ("fast-similarity", "prints") => "bands = 32\nrows = 3",
            _ => "",
        };
        let own = if entry.name == "blocks" {
            "blocks = 7"
        } else {
            ""
        };
        let (name, kind) = (entry.name, entry.kind);
        let file = format!(
            "seeds = 3\n{limit}\n{scheme}\n[family]\nname = \"{name}\"\n{own}\n[data]\nkind = \"{kind}\"\n{data}"
        );
        let run = &run(&file).runs[0];
        let recall = run.candidates.recall.unwrap().mean;
        assert!(recall > 0.8, "{name} over {kind}: {recall}");
        if kind != "prints" {
            assert_eq!(run.matches.false_positives.mean, 0.0, "{name}");
        }
        if ["brute-force", "blocks"].contains(&name) {
            assert_eq!(recall, 1.0, "{name}");
        }
        assert!(!entry.summary.is_empty() && !entry.sensitivity.is_empty());
        for point in &run.curve {
            let promises = name == "brute-force" || (kind != "prints" && name != "one-pass");
            assert_eq!(point.predicted.is_some(), promises, "{name} over {kind}");
        }
    }
}
