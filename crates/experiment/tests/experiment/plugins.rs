//! Every plugin of the project, and one from elsewhere: a source without functions, with payloads and votes.

use lookalike_core::{
    KeySource, Metric, Scheme, TooManyKeys,
    plugin::{Error, Family, Hit, KeyFamily, Proposal, Recall, Task},
};
use lookalike_minhash::{
    Integers, Jaccard,
    plugin::{SetJaccard, Sets},
};
use serde::{Deserialize, Serialize};

use crate::{refused, run, run_with};

/// Sorted sets meet in elements that stand equally far from their first ones: each element is a key, where it stands is the
/// payload, and hits count together that agree on the shift.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Shifted {
    /// The fewest votes.
    votes: usize,
}

impl Family for Shifted {
    const NAME: &'static str = "shifted";
    type Distance = SetJaccard;
    type Keys = Self;

    fn keys(&self, _: &SetJaccard, _: usize) -> Result<Self, Error> {
        Ok(self.clone())
    }

    fn scheme(&self) -> Option<Scheme> {
        Some(Scheme::default())
    }

    fn propose(&self, _: &SetJaccard, _: &Sets, _: &Task) -> Result<Option<Proposal<Self>>, Error> {
        Ok(Some(Proposal {
            parameters: self.clone(),
            scheme: Scheme::default(),
            recall: Recall::Unknown,
            seconds: 0.0,
        }))
    }
}

impl KeyFamily for Shifted {
    type Item = [u64];
    type Source = Elements;

    fn source(&self, _: &Scheme, _: u64) -> Result<Elements, Error> {
        Ok(Elements)
    }

    fn verified(&self) -> Option<usize> {
        Some(usize::MAX)
    }

    fn rank(&self, hits: &[Hit<u32>]) -> Vec<u32> {
        let vote = |hit: &Hit<u32>| (hit.id, hit.stored.wrapping_sub(hit.asked));
        let mut votes: Vec<(u32, u32)> = hits.iter().map(vote).collect();
        votes.sort_unstable();
        let alike = votes.chunk_by(|a, b| a == b);
        let enough = alike.filter(|votes| votes.len() >= self.votes);
        enough.map(|votes| votes[0].0).collect()
    }
}

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

const SETS: &str = r#"
    threshold = 0.2
    [family]
    name = "shifted"
    votes = 3
    [data]
    kind = "sets"
    items = [[1, 2, 3, 9], [0, 1, 2, 3], [1, 2, 50, 51, 52, 60], [70, 71]]
"#;

#[test]
fn votes_that_agree_make_candidates() {
    let registry = lookalike::builtin().with::<Shifted>();
    let outcome = run_with(&registry, SETS);
    let run = &outcome.runs[0];
    // The first two share three elements at one shift; with the third they share two.
    assert_eq!(run.candidates.count.mean, 1.0);
    assert_eq!((run.scheme.as_deref(), run.bands), (Some("votes"), None));
    assert_eq!(run.examples[0].names, ["#0", "#1"]);
    // Nothing is promised, so nothing is predicted.
    assert!(run.curve.iter().all(|point| point.predicted.is_none()));
    let fewer = SETS.replace("votes = 3", "votes = 1");
    let fewer = run_with(&registry, &fewer);
    assert_eq!(fewer.runs[0].candidates.count.mean, 3.0);
    let jaccard = Jaccard::new(Integers);
    let [a, b] = [[1, 2, 3, 9], [0, 1, 2, 3]].map(|set| jaccard.prepare(&set));
    assert_eq!(run.examples[0].distance, jaccard.distance(&a, &b));
    assert!(refused(SETS).contains("unknown family `shifted`"));
    let banded = format!("bands = 3\nrows = 2\n{SETS}");
    assert!(crate::refused_by(&registry, &banded).contains("combines no functions"));
}

/// All families run on what they read, and brute force misses nothing.
#[test]
fn every_family_of_the_project_runs() {
    let registry = lookalike::builtin();
    let kinds: Vec<&str> = registry.kinds().collect();
    for entry in registry.entries() {
        if !kinds.contains(&entry.kind) {
            continue;
        }
        let data = match entry.kind {
            "text" => "generate.corpus = { documents = 60, words = 60, copies = 0.5 }",
            "set" if entry.name == "permutation" => "items = [[0, 1, 4], [0, 1, 4, 5], [2, 3]]",
            "set" | "weighted-set" => "generate.pairs = { similarities = [0.2, 0.9], each = 5 }",
            "squares" => "generate.model = { fingers = 30 }",
            "print" => "generate.fingers = { fingers = 15, rotation = 0.0, translation = 0.0 }",
            "code" => "generate.pairs = { distances = [2, 20], each = 10, others = 50 }",
            // The files in `configs` run these.
            "vector" | "string" | "digest" => continue,
            other => panic!("no data of the kind {other}"),
        };
        let measure = entry.measures[0];
        let limit = match (entry.kind, measure.is_similarity) {
            ("print", _) => String::new(),
            ("squares", true) => format!("{} = 0.5", measure.flag),
            ("squares", false) => format!("{} = 0.9", measure.flag),
            (_, true) => format!("{} = 0.7", measure.flag),
            (_, false) => format!("{} = 6", measure.flag),
        };
        let scheme = match (entry.name, entry.kind) {
            ("grid-squares", _) => "amplify = [{ or = 1024 }]",
            ("one-pass", _) => "bands = 40\nrows = 5",
            ("fast-similarity", "print") => "bands = 32\nrows = 3",
            _ => "",
        };
        let own = match entry.name {
            "blocks" => "blocks = 7",
            _ => "",
        };
        let (name, kind) = (entry.name, entry.kind);
        let file = format!(
            "seeds = 3\n{limit}\n{scheme}\n[family]\nname = \"{name}\"\n{own}\n[data]\nkind = \"{kind}\"\n{data}"
        );
        let run = &run(&file).runs[0];
        let recall = run.candidates.recall.unwrap().mean;
        assert!(recall > 0.8, "{name} over {kind}: {recall}");
        if kind != "print" {
            assert_eq!(run.matches.false_positives.mean, 0.0, "{name}");
        }
        if ["brute-force", "blocks"].contains(&name) {
            assert_eq!(recall, 1.0, "{name}");
        }
        assert!(!entry.summary.is_empty());
        for point in &run.curve {
            let promises = name == "brute-force" || (kind != "print" && name != "one-pass");
            assert_eq!(point.predicted.is_some(), promises, "{name} over {kind}");
        }
    }
}

/// A threshold may be stated by the name of its measure.
#[test]
fn measures_are_keys() {
    let file = |top: &str| {
        format!(
            "{top}\nbands = 10\nrows = 3\n[family]\nname = \"universal\"\n[data]\nkind = \"set\"\ngenerate.pairs = {{ similarities = [0.4, 0.9], each = 5 }}"
        )
    };
    let [named, threshold] = ["jaccard = 0.9", "threshold = 0.9"].map(|top| run(&file(top)));
    let [named, threshold] = [&named.runs[0], &threshold.runs[0]];
    assert_eq!(named.matches.count, threshold.matches.count);
    assert_eq!((named.threshold, named.kind.as_str()), (0.9, "set"));
    assert_eq!(named.settings["jaccard"], 0.9);
    for (top, expected) in [
        ("jaccard = 0.9\nthreshold = 0.9", "choose one"),
        ("jaccard = 0.9\nhamming = 3", "contradict each other"),
        ("hamming = 3", "universal has no hamming: give jaccard"),
        ("jaccard = 90", "for a percentage, give `jaccard = 0.9`"),
        ("jaccard = \"high\"", "invalid type"),
    ] {
        let said = refused(&file(top));
        assert!(
            said.starts_with("test.toml:") && said.contains(expected),
            "{top}: {said}"
        );
    }
}

/// Labels of any data say what is alike, and the measure verifies.
#[test]
fn labels_are_the_truth() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("stories.jsonl");
    let line =
        |story: &str, text: &str| format!("{{\"story\": \"{story}\", \"text\": \"{text}\"}}\n");
    let lines = [
        line("fire", "a house burnt down in the old town last night"),
        line("fire", "a house burnt down in the old town yesterday"),
        line("fire", "flames destroyed a building"),
        line("vote", "the council voted for a new bridge over the river"),
        line("vote", "the council voted for a new bridge over the lake"),
    ];
    std::fs::write(&path, lines.concat()).unwrap();
    let file = |truth: &str, label: &str| {
        format!(
            "{truth}\njaccard = 0.4\n[family]\nname = \"brute-force\"\nshingle = \"words:2\"\n[data]\nkind = \"text\"\ninputs = ['{}']\n{label}",
            path.display()
        )
    };
    let by_labels = run(&file("truth = \"labels\"", "label = \"story\""))
        .runs
        .remove(0);
    // Three pairs about the fire and one about the vote; the measure sees one of each.
    assert_eq!(by_labels.likeness.name(), "same label");
    assert_eq!(by_labels.truth.similar.mean, 4.0);
    assert_eq!(by_labels.matches.count.mean, 2.0);
    assert_eq!(by_labels.matches.recall.unwrap().mean, 0.5);
    let by_distance = run(&file("truth = \"distances\"", "label = \"story\""))
        .runs
        .remove(0);
    assert_eq!(by_distance.truth.similar.mean, 2.0);
    let said = refused(&file("truth = \"labels\"", ""));
    assert!(said.contains("the data has no labels"), "{said}");
    let said = refused(&file("", "label = \"topic\""));
    assert!(said.contains("stories.jsonl:1: no field topic"), "{said}");
    let said = refused(&file("truth = \"label\"", ""));
    assert!(said.contains("labels"), "{said}");
}
