//! What an experiment found, as values and in `result.json`.

use serde::Serialize;

use crate::{Estimate, Measure, Signatures, Stage, buckets::Buckets};

/// What an experiment found. All but the times is the same whenever, and on however many threads, it is done.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The version of the program.
    pub version: &'static str,
    /// The file that said it.
    pub file: String,
    /// A run for each combination of the sweep.
    pub runs: Vec<Run>,
    /// How long it took.
    pub times: Times,
}

/// How long it took.
#[derive(Clone, Debug, Serialize)]
pub struct Times {
    /// Threads that were used.
    pub threads: usize,
    /// The stages of each run.
    pub runs: Vec<Vec<Stage>>,
}

/// What one run found.
#[derive(Clone, Debug, Serialize)]
pub struct Run {
    /// What sets it apart from the others.
    pub label: String,
    /// The name of the family.
    pub family: &'static str,
    /// What its items are.
    pub kind: &'static str,
    /// What it is about: in the file `measure`, by its name, and `is_similarity`, so that `threshold` is none of a distance.
    #[serde(flatten)]
    pub measure: Measure,
    /// From where on items are alike, in that measure.
    pub threshold: f64,
    /// All that was said and chosen.
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// The scheme, or that votes decide; none where everything is compared.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<String>,
    /// Its bands, where it is bands and rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bands: Option<u32>,
    /// Its rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// How many functions it reads.
    pub functions: u32,
    /// How many functions there are in all, where those of a band are different ones: the bits of a code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub distinct: Option<u32>,
    /// How many items there are.
    pub items: u64,
    /// How many of them, the last ones, were asked of the others; none: all pairs were looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<u32>,
    /// How often functions were drawn.
    pub seeds: u32,
    /// What is true.
    pub truth: TruthFound,
    /// What shared a bucket.
    pub candidates: Found,
    /// What was verified.
    pub matches: Found,
    /// Pairs that shared only buckets over the limit.
    pub not_compared: Estimate,
    /// Bytes of the keys.
    pub key_bytes: Estimate,
    /// Clusters of the matches.
    pub clusters: Clusters,
    /// How often pairs at a distance became candidates.
    pub curve: Vec<Point>,
    /// What to know of that promise.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub caveat: &'static str,
    /// What the family promises, as (distance, at least, at most), where it promises something.
    pub promise: Vec<[f64; 3]>,
    /// What became of planted pairs.
    pub groups: Vec<GroupFound>,
    /// The buckets of the first repetition.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub buckets: Option<Buckets>,
    /// Pairs to look at, from the first repetition.
    pub examples: Vec<Example>,
    /// What the functions of the first repetition answered, where items and functions are few.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signatures: Option<Signatures>,
    /// How long it took; in the file they stand apart.
    #[serde(skip)]
    pub stages: Vec<Stage>,
}

/// What is true.
#[derive(Clone, Debug, Serialize)]
pub struct TruthFound {
    /// The items that were compared with all others; none: all were.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled_items: Option<u64>,
    /// Exact comparisons.
    pub comparisons: u64,
    /// All pairs there are.
    pub pairs: u64,
    /// Pairs that are alike.
    pub similar: Estimate,
}

/// Pairs that were found, against the truth.
#[derive(Clone, Debug, Serialize)]
pub struct Found {
    /// How many.
    pub count: Estimate,
    /// The share of the similar pairs that is among them; none where nothing is similar.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<Estimate>,
    /// The share of them that is similar; none where nothing was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<Estimate>,
    /// Those that are not similar.
    pub false_positives: Estimate,
    /// Similar pairs that are not among them.
    pub false_negatives: Estimate,
}

/// Clusters of the matches.
#[derive(Clone, Debug, Serialize)]
pub struct Clusters {
    /// How many.
    pub count: Estimate,
    /// Items in the largest.
    pub largest: Estimate,
}

/// How often pairs at a distance became candidates.
#[derive(Clone, Debug, Serialize)]
pub struct Point {
    /// The mean distance of the pairs.
    pub distance: f64,
    /// How many pairs were looked at in each repetition.
    pub pairs: u64,
    /// What was promised, at least and at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted: Option<[f64; 2]>,
    /// What was measured.
    pub measured: Estimate,
}

/// What became of pairs that were planted for one reason.
#[derive(Clone, Debug, Serialize)]
pub struct GroupFound {
    /// The reason.
    pub name: String,
    /// How many pairs.
    pub pairs: u64,
    /// Their mean distance.
    pub distance: f64,
    /// The smallest.
    pub least_distance: f64,
    /// The largest.
    pub most_distance: f64,
    /// The share that was promised to, at least and at most, given their distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub predicted: Option<[f64; 2]>,
    /// The share that became candidates.
    pub candidates: Estimate,
}

/// A pair to look at.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// What became of it.
    pub fate: Fate,
    /// The distance.
    pub distance: f64,
    /// The names of the two items.
    pub names: [String; 2],
    /// What they look like.
    pub items: [String; 2],
}

/// What became of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Similar, and a candidate.
    Found,
    /// Similar, and no candidate.
    Missed,
    /// A candidate, and not similar.
    FalseCandidate,
}

impl Run {
    /// What stands for the run where there is one word: its label, or else its family.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.label.is_empty() {
            self.family
        } else {
            &self.label
        }
    }

    /// Seconds of one repetition, from items to clusters.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.repeated().map(|stage| stage.seconds).sum()
    }

    /// The most bytes that a repetition held at once beyond the items and the truth, where they are counted.
    #[must_use]
    pub fn peak_bytes(&self) -> Option<u64> {
        self.repeated().filter_map(|stage| stage.peak_bytes).max()
    }

    /// What is done in every repetition.
    pub(crate) fn repeated(&self) -> impl Iterator<Item = &Stage> {
        let before = ["load", "prepare", "truth"];
        let stages = self.stages.iter();
        stages.filter(move |it| !before.contains(&it.name))
    }
}
