//! What an experiment found, as values and in `result.json`.

use lookalike_core::Banding;
use serde::{
    Serialize, Serializer,
    ser::{Error as _, SerializeMap},
};
use serde_json::{Map, Value};

use crate::{Estimate, FIGURES, Likeness, RunSensitivity, Signatures, Stage, buckets::Buckets};

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
#[derive(Clone, Debug)]
pub struct Run {
    /// What sets it apart from the others.
    pub label: String,
    /// The name of the family.
    pub family: &'static str,
    /// The kind of its items, as the file calls it.
    pub kind: String,
    /// What makes two items alike: `measure`, by its name, and `is_similarity` in `result.json`.
    pub likeness: Likeness,
    /// The least similarity, or the largest distance, of items that are alike.
    pub threshold: f64,
    /// All that was said and chosen.
    pub settings: serde_json::Map<String, serde_json::Value>,
    /// The scheme, or that votes decide; none where everything is compared.
    pub scheme: Option<String>,
    /// Its bands, where it is bands and rows.
    pub bands: Option<u32>,
    /// Its rows.
    pub rows: Option<u32>,
    /// How many functions it reads.
    pub functions: u32,
    /// How many functions there are in all, where those of a band are different ones: the bits of a code.
    pub distinct: Option<u32>,
    /// How many items there are.
    pub items: u64,
    /// How many of them, the last ones, were asked of the others; none: all pairs were looked at.
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
    pub caveat: &'static str,
    /// What the family promises, as (distance, at least, at most), where it promises something.
    pub promise: Vec<[f64; 3]>,
    /// What is promised at the threshold and farther away, after each step of the scheme.
    pub sensitivity: Option<RunSensitivity>,
    /// What became of planted pairs.
    pub groups: Vec<GroupFound>,
    /// The buckets of the first repetition.
    pub buckets: Option<Buckets>,
    /// Pairs to look at, from the first repetition.
    pub examples: Vec<Example>,
    /// What the functions of the first repetition answered, where items and functions are few.
    pub signatures: Option<Signatures>,
    /// How long it took; in the file they stand apart.
    pub stages: Vec<Stage>,
}

/// What is true.
#[derive(Clone, Debug)]
pub struct TruthFound {
    /// The items that were compared with all others; none: all were.
    pub sampled_items: Option<u64>,
    /// Exact comparisons.
    pub comparisons: u64,
    /// All pairs there are.
    pub pairs: u64,
    /// Pairs that are alike.
    pub similar: Estimate,
}

/// Pairs that were found, against the truth.
#[derive(Clone, Debug)]
pub struct Found {
    /// How many.
    pub count: Estimate,
    /// The share of the similar pairs that is among them; none where nothing is similar.
    pub recall: Option<Estimate>,
    /// The share of them that is similar; none where nothing was found.
    pub precision: Option<Estimate>,
    /// Those that are not similar.
    pub false_positives: Estimate,
    /// Similar pairs that are not among them.
    pub false_negatives: Estimate,
}

/// Clusters of the matches.
#[derive(Clone, Debug)]
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

/// What was predicted, at least and at most, as one number if they are equal.
fn in_words(predicted: Option<[f64; 2]>) -> String {
    match predicted {
        Some([low, high]) if high - low < 1e-4 => format!("{low:.4}"),
        Some([low, high]) => format!("{low:.4} to {high:.4}"),
        None => "–".into(),
    }
}

impl GroupFound {
    /// The prediction with four decimals, a range where it is one, or a dash.
    #[must_use]
    pub fn predicted_in_words(&self) -> String {
        in_words(self.predicted)
    }
}

impl Point {
    /// The prediction with four decimals, a range where it is one, or a dash.
    #[must_use]
    pub fn predicted_in_words(&self) -> String {
        in_words(self.predicted)
    }
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

impl Serialize for Run {
    /// All but the figures as they are, the figures by [`FIGURES`].
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = |result: serde_json::Result<Value>| result.map_err(S::Error::custom);
        let mut all = Map::new();
        let mut add = |name: &str, value: Value| {
            if !value.is_null() {
                all.insert(name.to_owned(), value);
            }
        };
        add("label", self.label.as_str().into());
        add("family", self.family.into());
        add("kind", self.kind.as_str().into());
        add("measure", self.likeness.name().into());
        add("is_similarity", self.likeness.is_similarity().into());
        add("threshold", self.threshold.into());
        add("settings", self.settings.clone().into());
        add("scheme", self.scheme.clone().into());
        add("bands", self.bands.into());
        add("rows", self.rows.into());
        add("functions", self.functions.into());
        add("distinct", self.distinct.into());
        add("items", self.items.into());
        add("queries", self.queries.into());
        add("seeds", self.seeds.into());
        let mut truth = Map::new();
        if let Some(items) = self.truth.sampled_items {
            truth.insert("sampled_items".into(), items.into());
        }
        truth.insert("comparisons".into(), self.truth.comparisons.into());
        truth.insert("pairs".into(), self.truth.pairs.into());
        add("truth", truth.into());
        add("curve", value(serde_json::to_value(&self.curve))?);
        add(
            "caveat",
            Some(self.caveat).filter(|it| !it.is_empty()).into(),
        );
        add("promise", value(serde_json::to_value(&self.promise))?);
        add(
            "sensitivity",
            value(serde_json::to_value(&self.sensitivity))?,
        );
        add("groups", value(serde_json::to_value(&self.groups))?);
        add("buckets", value(serde_json::to_value(&self.buckets))?);
        add("examples", value(serde_json::to_value(&self.examples))?);
        add("signatures", value(serde_json::to_value(&self.signatures))?);
        for figure in FIGURES {
            let (Some(path), Some(estimate)) = (figure.path, figure.of(self)) else {
                continue;
            };
            let estimate = value(serde_json::to_value(estimate))?;
            match path.split_once('.') {
                None => all.insert(path.to_owned(), estimate),
                Some((group, name)) => {
                    let group = all.entry(group).or_insert_with(|| Map::new().into());
                    let group = group.as_object_mut().expect("a path leads through tables");
                    group.insert(name.to_owned(), estimate)
                }
            };
        }
        let mut map = serializer.serialize_map(Some(all.len()))?;
        for (name, value) in &all {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
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

    /// The scheme: `20 bands × 5 rows`, or the steps of a cascade.
    #[must_use]
    pub fn scheme_in_words(&self) -> String {
        match (self.bands, self.rows, &self.scheme) {
            (Some(bands), Some(rows), _) => match Banding::new(bands, rows) {
                Ok(banding) => banding.to_string(),
                Err(_) => format!("{bands} bands × {rows} rows"),
            },
            (_, _, Some(scheme)) => scheme.clone(),
            _ => "everything compared".into(),
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
