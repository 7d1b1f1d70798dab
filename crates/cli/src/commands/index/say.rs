//! What is printed about an index.

use std::{io::Write, path::Path};

use lookalike::plugin::Measure;
use lookalike::search::{Id, IndexStats, RecallAt, Registry, Similar};
use serde::Serialize;
use serde_json::value::RawValue;

use super::Run;
use crate::number;
use crate::table::{Align, Column, Table};

/// What was done to an index.
#[derive(Debug, Default, Serialize)]
pub(super) struct Change {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) added: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) replaced: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) skipped: Option<u64>,
    /// Items that were not added because something is like them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) similar: Option<Vec<Like>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) removed: Option<u64>,
}

/// An item that was not added, and the document that it is like.
#[derive(Debug, Serialize)]
pub(super) struct Like {
    id: Box<RawValue>,
    near: Box<RawValue>,
    distance: f64,
}

impl Like {
    pub(super) fn new(similar: &Similar) -> Self {
        let json = |id: &Id| {
            let json = RawValue::from_string(id.as_json().to_owned());
            json.expect("an id is JSON")
        };
        Self {
            id: json(&similar.id),
            near: json(&similar.near.id),
            distance: number::plain(similar.near.distance),
        }
    }
}

/// The JSON form of a change.
#[derive(Serialize)]
struct Done<'a> {
    #[serde(flatten)]
    change: &'a Change,
    seconds: f64,
    #[serde(flatten)]
    stats: &'a IndexStats,
}

/// Says what was done, and what the index holds now.
pub(super) fn write(
    registry: &Registry,
    path: &Path,
    change: &Change,
    stats: &IndexStats,
    seconds: f64,
    run: Run,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if run.json {
        let seconds = number::plain(seconds);
        let done = Done {
            change,
            seconds,
            stats,
        };
        serde_json::to_writer_pretty(&mut *out, &done)?;
        return Ok(writeln!(out)?);
    }
    if run.quiet {
        return Ok(());
    }
    counts(path, change, stats, out)?;
    if stats.documents > 0 {
        let (measure, limit) = (registry.measure_of(&stats.plan)?, stats.plan.limit);
        let mut recalls = stats.recalls.iter();
        let recall = recalls.find(|recall| Some(recall.distance) == limit);
        let recall = recall.map(|recall| recall.found);
        writeln!(out, "\n{}", found(measure, limit, recall))?;
    }
    Ok(writeln!(out, "{seconds:.2} s")?)
}

/// The counts of an index.
pub(super) fn counts(
    path: &Path,
    change: &Change,
    stats: &IndexStats,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let mut rows = Vec::new();
    let changes = [
        ("added", change.added, ""),
        ("replaced", change.replaced, "documents with the same ids"),
        ("skipped", change.skipped, "their ids are taken"),
        (
            "similar",
            change.similar.as_ref().map(|it| it.len() as u64),
            "not added: like a document that is there",
        ),
        ("removed", change.removed, ""),
    ];
    for (name, count, note) in changes {
        rows.extend(count.map(|count| (name, count.to_string(), note.to_owned())));
    }
    rows.push((
        "documents",
        stats.documents.to_string(),
        path.display().to_string(),
    ));
    if stats.items != stats.documents {
        rows.push(("items", stats.items.to_string(), "different ones".into()));
    }
    if stats.keyless > 0 {
        let note = "without anything to hash: never found in buckets";
        rows.push(("empty", stats.keyless.to_string(), note.into()));
    }
    if stats.leftover > 0 {
        rows.push((
            "gone",
            stats.leftover.to_string(),
            "removed, but still in the file".into(),
        ));
    }
    let file = stats.file;
    let parts = [
        ("items", file.items),
        ("buckets", file.buckets),
        ("ids and tables", file.tables),
        ("not used", file.unused),
    ];
    let parts = parts.map(|(name, bytes)| format!("{} {name}", size(bytes)));
    rows.push(("file", size(file.bytes), parts.join(", ")));
    let columns = vec![
        Column::new("", Align::Left, rows.iter().map(|row| row.0.to_owned())),
        Column::new("", Align::Right, rows.iter().map(|row| row.1.clone())),
        Column::new("", Align::Left, rows.iter().map(|row| row.2.clone())),
    ];
    let width = usize::MAX;
    Ok(write!(out, "{}", Table { columns, width })?)
}

/// How an index was made, and which share of the items at a distance it finds.
pub(super) fn made(
    stats: &IndexStats,
    measure: &Measure,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let plan = &stats.plan;
    let mut rows = vec![("kind", plan.kind.clone()), ("family", plan.family.clone())];
    if let Some(threshold) = plan.threshold {
        rows.push(("threshold", format!("{} {threshold}", plan.measure)));
    }
    if !plan.scheme.steps().is_empty() {
        let scheme = plan.scheme.banding().map(|banding| banding.to_string());
        rows.push(("scheme", scheme.unwrap_or_else(|| plan.scheme.to_string())));
    }
    for (name, value) in plan.parameters.iter().filter(|(_, value)| !value.is_null()) {
        let value = value.as_str().map_or(value.to_string(), str::to_owned);
        rows.push((name, value));
    }
    rows.push(("seed", plan.seed.to_string()));
    rows.push(("segments", stats.segments.to_string()));
    rows.push(("changes", stats.changes.to_string()));
    rows.push(("format", format!("version {}", stats.file.version)));
    let columns = vec![
        Column::new("", Align::Left, rows.iter().map(|row| row.0.to_owned())),
        Column::new("", Align::Left, rows.iter().map(|row| row.1.clone())),
    ];
    let width = usize::MAX;
    write!(out, "{}", Table { columns, width })?;
    if stats.recalls.is_empty() {
        return Ok(());
    }
    let shown = |recall: &RecallAt| measure.shown(recall.distance);
    let at: Vec<f64> = stats.recalls.iter().map(shown).collect();
    let found = stats.recalls.iter().map(|recall| share(recall.found));
    let columns = vec![
        Column::new(measure.name, Align::Left, number::column(&at)),
        Column::new("found", Align::Left, found),
    ];
    Ok(write!(out, "\n{}", Table { columns, width })?)
}

/// Which share of the items at a distance is found, and which of others.
pub(crate) fn found(measure: &Measure, limit: Option<f64>, found: Option<f64>) -> String {
    let at = |limit| {
        format!(
            " at {} {}",
            measure.name,
            number::plain(measure.shown(limit))
        )
    };
    let at = limit.map_or(String::new(), at);
    match found {
        None => format!("how many of the items{at} are found is not known"),
        Some(1.0) => format!("finds all items{at}, and all nearer ones"),
        Some(found) => {
            let share = share(found);
            format!(
                "finds at least {share} of the items{at}, more of nearer ones, and fewer of others"
            )
        }
    }
}

fn share(found: f64) -> String {
    number::probability(found, 1.0 - found)
}

/// Bytes with a unit.
fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

/// Says which items were not added, and what they are like.
pub(super) fn similar(similar: &[Similar], run: Run) {
    if run.quiet || run.json {
        return;
    }
    for Similar { id, near, .. } in similar {
        // What goes to a closed stderr is lost, and the change is made.
        let _ = writeln!(
            std::io::stderr(),
            "{}",
            crate::verb::escaped(format!("{id} is like {}", near.id))
        );
    }
}
