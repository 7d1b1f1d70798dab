//! What is printed about an index.

use std::{io::Write, path::Path};

use lookalike::search::{Stats, TextPlan};
use serde::Serialize;

use super::Run;
use crate::number;
use crate::table::{Align, Column, Table};

/// What was done to an index.
#[derive(Clone, Copy, Debug)]
pub(super) enum Change {
    Built,
    Added(u64),
    Removed(u64),
}

impl Change {
    fn count(self) -> Option<(&'static str, u64)> {
        match self {
            Self::Built => None,
            Self::Added(documents) => Some(("added", documents)),
            Self::Removed(documents) => Some(("removed", documents)),
        }
    }
}

/// The JSON form of a change.
#[derive(Serialize)]
struct Done<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    added: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    removed: Option<u64>,
    seconds: f64,
    #[serde(flatten)]
    stats: &'a Stats,
}

/// Says what was done, and what the index holds now.
pub(super) fn write(
    path: &Path,
    change: Change,
    stats: &Stats,
    seconds: f64,
    run: Run,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if run.json {
        let count = |name| change.count().filter(|count| count.0 == name);
        let done = Done {
            added: count("added").map(|count| count.1),
            removed: count("removed").map(|count| count.1),
            seconds: number::plain(seconds),
            stats,
        };
        serde_json::to_writer_pretty(&mut *out, &done)?;
        return Ok(writeln!(out)?);
    }
    if run.quiet {
        return Ok(());
    }
    counts(path, change.count(), stats, out)?;
    if stats.documents > 0 {
        writeln!(out, "\n{}", found(&stats.plan, stats.settings.threshold))?;
    }
    writeln!(out, "{seconds:.2} s")?;
    Ok(())
}

/// The counts of an index.
pub(super) fn counts(
    path: &Path,
    change: Option<(&'static str, u64)>,
    stats: &Stats,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    rows.extend(change.map(|(name, count)| (name, count.to_string(), String::new())));
    let documents = stats.documents.to_string();
    rows.push(("documents", documents, path.display().to_string()));
    if stats.texts != stats.documents {
        rows.push(("texts", stats.texts.to_string(), "different ones".into()));
    }
    if stats.empty > 0 {
        let note = "without a shingle: like nothing, never found";
        rows.push(("empty", stats.empty.to_string(), note.into()));
    }
    rows.push(("text", size(stats.text_bytes), String::new()));
    if let Some(file) = stats.file {
        let parts = [
            ("texts", file.texts),
            ("buckets", file.buckets),
            ("ids and tables", file.tables),
        ];
        let parts = parts.map(|(name, bytes)| format!("{} {name}", size(bytes)));
        rows.push(("file", size(file.bytes), parts.join(", ")));
    }
    let columns = vec![
        Column::new("", Align::Left, rows.iter().map(|row| row.0.to_owned())),
        Column::new("", Align::Right, rows.iter().map(|row| row.1.clone())),
        Column::new("", Align::Left, rows.iter().map(|row| row.2.clone())),
    ];
    let width = usize::MAX;
    write!(out, "{}", Table { columns, width })?;
    Ok(())
}

/// How an index was made, and how likely a document is found.
pub(super) fn made(stats: &Stats, out: &mut impl Write) -> anyhow::Result<()> {
    let family = &stats.settings.family;
    let mut rows = vec![
        ("shingle", family.shingle.to_string()),
        ("tokens", word(&family.tokens)),
    ];
    if !family.normalize.is_empty() {
        let steps: Vec<String> = family.normalize.iter().map(word).collect();
        rows.push(("normalize", steps.join(", ")));
    }
    if let Some(stop_words) = &family.stop_words {
        rows.push(("stop words", stop_words.len().to_string()));
    }
    rows.push(("sketch", word(&family.name)));
    rows.push(("hash", format!("{} bits", word(&family.hash))));
    if let Some(banding) = stats.plan.banding {
        rows.push(("scheme", banding.to_string()));
    }
    rows.push(("seed", stats.settings.seed.to_string()));
    if let Some(file) = stats.file {
        rows.push(("format", format!("version {}", file.version)));
    }
    let columns = vec![
        Column::new("", Align::Left, rows.iter().map(|row| row.0.to_owned())),
        Column::new("", Align::Left, rows.iter().map(|row| row.1.clone())),
    ];
    let width = usize::MAX;
    writeln!(out, "{}", Table { columns, width })?;
    let curve = &stats.plan.curve;
    let similarities: Vec<f64> = curve.iter().map(|point| point.similarity).collect();
    let found = curve
        .iter()
        .map(|point| number::probability(point.candidate, 1.0 - point.candidate));
    let columns = vec![
        Column::new("similarity", Align::Left, number::column(&similarities)),
        Column::new("found", Align::Left, found),
    ];
    write!(out, "{}", Table { columns, width })?;
    Ok(())
}

/// What share of the documents at the threshold is found.
pub(crate) fn found(plan: &TextPlan, threshold: f64) -> String {
    let share = number::probability(plan.recall, 1.0 - plan.recall);
    format!(
        "of the documents at similarity {threshold} the index finds {share}, of more similar ones more; less similar ones may be missing"
    )
}

/// A setting as files spell it.
fn word(setting: &impl Serialize) -> String {
    match serde_json::to_value(setting) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    }
}

/// Bytes with a unit.
pub(super) fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}
