//! A run over texts in memory, and what it found.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use lookalike_dedup::{Config, Report, run};
use lookalike_minhash::{
    Shingler,
    plugin::{FastSimilarity, HashedJaccard, Over, SimHash, TextJaccard, Universal},
};
use lookalike_search::Registry;
use serde_json::{Value, json};

/// The families over texts.
pub(crate) fn registry() -> Registry {
    Registry::default()
        .with::<Over<FastSimilarity, TextJaccard>>()
        .with::<Over<Universal, TextJaccard>>()
        .with::<Over<SimHash, TextJaccard>>()
        .with::<Over<FastSimilarity, HashedJaccard>>()
        .with::<Over<Universal, HashedJaccard>>()
        .with::<Over<SimHash, HashedJaccard>>()
}

/// Documents are called by their row, from 0.
pub(crate) type Row = usize;

/// What a run found.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) pairs: Vec<(Row, Row, f64)>,
    /// The members and their similarity, by representative.
    pub(crate) clusters: BTreeMap<Row, Vec<(Row, Option<f64>)>>,
    pub(crate) kept: Vec<Row>,
    pub(crate) removed: Vec<Row>,
    pub(crate) report: Report,
}

impl Found {
    /// Runs over these texts, with their rows as ids.
    pub(crate) fn among(texts: &[String], mut config: Config) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("in.jsonl");
        let record = |(row, text)| format!("{}\n", json!({"id": row, "text": text}));
        let records: String = texts.iter().enumerate().map(record).collect();
        fs::write(&input, records).unwrap();
        config.data.inputs = vec![input.to_str().unwrap().to_owned()];
        let out = folder.path().join("out");
        let report = run(&registry(), &config, &out, &()).unwrap();
        let row = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
        let rows = |name: &str| {
            lines(&out.join(name))
                .iter()
                .map(|record| row(&record["id"]))
                .collect()
        };
        Self {
            pairs: pairs(&out, row),
            clusters: clusters(&out, row),
            kept: rows("kept/in.jsonl"),
            removed: rows("removed/in.jsonl"),
            report,
        }
    }

    /// The pairs without their similarities.
    pub(crate) fn set(&self) -> BTreeSet<(Row, Row)> {
        self.pairs.iter().map(|&(a, b, _)| (a, b)).collect()
    }
}

fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// What `pairs.jsonl` says, with ids turned into rows.
pub(crate) fn pairs(out: &Path, row: impl Fn(&Value) -> Row) -> Vec<(Row, Row, f64)> {
    let pair = |line: &Value| {
        (
            row(&line["a"]),
            row(&line["b"]),
            line["similarity"].as_f64().unwrap(),
        )
    };
    lines(&out.join("pairs.jsonl")).iter().map(pair).collect()
}

/// What `clusters.jsonl` says, with ids turned into rows.
pub(crate) fn clusters(
    out: &Path,
    row: impl Fn(&Value) -> Row,
) -> BTreeMap<Row, Vec<(Row, Option<f64>)>> {
    let cluster = |line: &Value| {
        let members = line["members"].as_array().unwrap();
        assert_eq!(line["size"], members.len() + 1);
        let member = |member: &Value| (row(&member["id"]), member["similarity"].as_f64());
        (
            row(&line["representative"]),
            members.iter().map(member).collect(),
        )
    };
    lines(&out.join("clusters.jsonl"))
        .iter()
        .map(cluster)
        .collect()
}

/// The similarity by its definition, as it is written; texts without shingles are like nothing.
fn similarity(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let both = a.intersection(b).count();
    let either = a.len() + b.len() - both;
    if either == 0 {
        0.0
    } else {
        (both as f64 / either as f64 * 1e9).round() / 1e9
    }
}

/// All pairs that reach the threshold, by the definition: of the sets of shingles, as strings. Equal texts are copies, also
/// without a shingle, unless they are empty.
pub(crate) fn alike(
    shingler: &Shingler,
    texts: &[String],
    threshold: f64,
) -> BTreeMap<(Row, Row), f64> {
    let set = |text: &String| shingler.shingles(text).into_iter().collect();
    let sets: Vec<BTreeSet<String>> = texts.iter().map(set).collect();
    let mut alike = BTreeMap::new();
    for (b, set) in sets.iter().enumerate() {
        for (a, other) in sets[..b].iter().enumerate() {
            let similarity = match texts[a] == texts[b] && !texts[a].is_empty() {
                true => 1.0,
                false => similarity(other, set),
            };
            if similarity >= threshold - 1e-9 {
                alike.insert((a, b), similarity);
            }
        }
    }
    alike
}
