//! What `dedup` prints: the S-curve before the run, the counts after it.

use std::{io::Write, path::Path};

use lookalike::dedup::{Config, Mode, Report, Verification};
use lookalike::search::TextPlan;

use crate::chart::Chart;
use crate::number;
use crate::output::Output;
use crate::s_curve::{Point, SCurve};
use crate::table::{Align, Column, Table};

/// The scheme and what to expect of it.
pub(super) fn write_plan(
    plan: &TextPlan,
    config: &Config,
    output: Output,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let curve = match plan.banding {
        Some(banding) => SCurve::from(banding),
        None => SCurve::cascade(plan.scheme.clone()),
    };
    let width = output.width();
    writeln!(
        out,
        "{}: how likely a pair becomes a candidate\n",
        curve.label
    )?;
    let ts: Vec<f64> = plan.curve.iter().map(|point| point.similarity).collect();
    let points: Vec<Point> = ts.iter().map(|&t| curve.at(t)).collect();
    let mut columns = vec![Column::new("similarity", Align::Left, number::column(&ts))];
    columns.extend(Point::columns(&points));
    writeln!(out, "{}", Table { columns, width })?;
    if !output.no_chart {
        let chart = Chart {
            curves: &[curve],
            guides: &[config.threshold],
            guides_label: &format!("threshold {}", config.threshold),
            axis: "similarity",
            width,
        };
        writeln!(out, "{chart}")?;
    }
    Ok(out.flush()?)
}

/// What was found, and where it is.
pub(super) fn write(
    report: &Report,
    config: &Config,
    folder: &Path,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let Report {
        documents,
        pairs,
        clusters,
        times,
        ..
    } = report;
    let in_folder = |name: &str| folder.join(name).display().to_string();
    let (kept, removed) = match config.output.mode {
        Mode::Remove => (in_folder("kept"), in_folder("removed")),
        Mode::Annotate => (in_folder("annotated"), in_folder("annotated")),
        Mode::Report => (String::new(), "(nothing was removed: --mode report)".into()),
    };
    let matches = match config.verify.method {
        Verification::Exact => (
            "matches",
            format!("from {} on, compared exactly", config.threshold),
        ),
        Verification::Signature => (
            "matches",
            format!("from {} on, estimated from signatures", config.threshold),
        ),
        Verification::None => (
            "accepted",
            "candidates, none verified: false ones are among them".into(),
        ),
    };
    let mut rows = vec![
        ("documents", documents.read, String::new()),
        ("kept", documents.kept, kept),
        ("removed", documents.removed, removed),
    ];
    if documents.copies > 0 {
        rows.push((
            "copies",
            documents.copies,
            "with the text of another".into(),
        ));
    }
    if documents.empty > 0 {
        rows.push((
            "empty",
            documents.empty,
            "without a shingle: like nothing, kept".into(),
        ));
    }
    if documents.skipped > 0 {
        let place = match config.output.mode {
            Mode::Report => in_folder("skipped.jsonl"),
            _ => in_folder("skipped"),
        };
        rows.push((
            "skipped",
            documents.skipped,
            format!("records that could not be read: {place}"),
        ));
    }
    if documents.short > 0 {
        rows.push((
            "short",
            documents.short,
            "of them have words, but too few for a shingle: --short skip".into(),
        ));
    }
    if let Some(against) = report.against {
        rows.push((
            "older",
            against.documents,
            "documents of the older corpus".into(),
        ));
        rows.push((
            "known",
            against.removed,
            "of the removed are duplicates of those".into(),
        ));
    }
    rows.push((
        "candidates",
        pairs.candidates,
        "pairs of texts that shared a bucket".into(),
    ));
    rows.push((matches.0, pairs.matches, matches.1));
    rows.push(("pairs", pairs.listed, in_folder("pairs.jsonl")));
    if pairs.not_listed > 0 {
        rows.push((
            "unlisted",
            pairs.not_listed,
            "pairs that follow: texts that occur very often".into(),
        ));
    }
    if pairs.not_compared > 0 {
        let bound = if pairs.not_compared_is_exact {
            ""
        } else {
            "at most: "
        };
        rows.push((
            "left out",
            pairs.not_compared,
            format!("{bound}pairs in buckets over the limit: matches may be missing"),
        ));
    }
    rows.push(("clusters", clusters.count, in_folder("clusters.jsonl")));
    let column = |align, cells: Vec<String>| Column::new("", align, cells);
    let columns = vec![
        column(Align::Left, rows.iter().map(|row| row.0.into()).collect()),
        column(
            Align::Right,
            rows.iter().map(|row| row.1.to_string()).collect(),
        ),
        column(Align::Left, rows.into_iter().map(|row| row.2).collect()),
    ];
    let whole = usize::MAX;
    write!(
        out,
        "{}",
        Table {
            columns,
            width: whole
        }
    )?;
    let text = number::bytes(documents.text_bytes);
    let threads = times.threads;
    let plural = if threads == 1 { "" } else { "s" };
    writeln!(
        out,
        "\n{text} of text in {:.2} s on {threads} thread{plural}",
        times.total
    )?;
    let records = documents.read + documents.skipped;
    if documents.skipped as f64 > config.output.max_removed * records as f64 {
        writeln!(
            out,
            "warning: {} of {records} records could not be read: {} says why",
            documents.skipped,
            in_folder("skipped.jsonl")
        )?;
    }
    Ok(())
}
