//! How an audit reads.

use std::{io::Write, path::Path};

use lookalike::dedup::{
    Verification,
    audit::{Audit, Bucket, Drawn, Measured, Number},
};

use crate::number::{self, probability};
use crate::table::{Align, Column, Table};

/// Writes what was measured.
pub(super) fn write(
    audit: &Audit,
    folder: &Path,
    width: usize,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    let scheme = match audit.plan.banding {
        Some(banding) => banding.to_string(),
        None => audit.plan.scheme.to_string(),
    };
    let verify = match audit.verify {
        Verification::Exact => "exactly",
        Verification::Signature => "by signatures",
        Verification::None => "not at all",
    };
    writeln!(
        out,
        "{}: from {} on, {scheme}, candidates compared {verify}\n",
        folder.display(),
        audit.threshold
    )?;
    writeln!(out, "{}", shares(audit))?;
    let recall = &audit.recall;
    writeln!(out, "{}", numbers(audit))?;
    if recall.alike.estimate > 0.0 {
        writeln!(out, "{}", buckets(&recall.buckets, width))?;
        writeln!(
            out,
            "ends: of pairs with different texts, at the drawn documents; a pair has two"
        )?;
        writeln!(out, "promised: by the S-curve at their similarities")?;
    }
    Ok(())
}

/// Precision and recall with their intervals.
fn shares(audit: &Audit) -> Table {
    let recall = &audit.recall;
    let mut names = Vec::new();
    let mut values = Vec::new();
    let mut ranges = Vec::new();
    let mut words = Vec::new();
    let mut row = |name: &str, share: Option<Measured>, what: String| {
        names.push(name.to_owned());
        values.push(share.map_or("–".into(), |measured| small(measured.share)));
        ranges.push(share.map_or(String::new(), range));
        words.push(what);
    };
    let Drawn { sampled, all } = audit.listed.drawn;
    row(
        "precision",
        audit.listed.precision,
        format!("of {}listed pairs, compared again", some(sampled, all)),
    );
    let Drawn { sampled, all } = recall.documents;
    row(
        "recall",
        recall.recall,
        format!("of the pairs of {}documents", some(sampled, all)),
    );
    row(
        "",
        recall.different_texts,
        "of those with different texts".into(),
    );
    let mut curve = |name: &str, share: Option<f64>, what: String| {
        names.push(name.into());
        values.push(share.map_or("–".into(), small));
        ranges.push(String::new());
        words.push(what);
    };
    curve(
        "promised",
        recall.promised,
        "of those, by the S-curve at their similarities".into(),
    );
    let at = format!("by the S-curve at {}", audit.threshold);
    curve("", Some(audit.plan.recall), at);
    let columns = vec![
        Column::new("", Align::Left, names),
        Column::new("", Align::Left, values),
        Column::new("95% interval", Align::Left, ranges),
        Column::new("", Align::Left, words),
    ];
    whole(columns)
}

/// How many pairs there are.
fn numbers(audit: &Audit) -> Table {
    let recall = &audit.recall;
    let is_exact = recall.documents.sampled == recall.documents.all;
    let about = |number: Number| match is_exact {
        true => (format!("{:.0}", number.estimate), String::new()),
        false => (
            format!("~{:.0}", number.estimate),
            format!("{:.0} to {:.0}", number.low, number.high),
        ),
    };
    let (alike, alike_range) = about(recall.alike);
    let (missed, missed_range) = about(recall.missed);
    let mut rows = vec![
        (
            alike,
            alike_range,
            "pairs of different texts that are alike",
        ),
        (missed, missed_range, "of them missed"),
        (
            recall.copies.to_string(),
            String::new(),
            "pairs of copies: the same text, found for certain",
        ),
    ];
    if audit.listed.not_listed > 0 {
        rows.push((
            audit.listed.not_listed.to_string(),
            String::new(),
            "pairs that follow and are not listed: found, but not drawn for the precision",
        ));
    }
    let columns = vec![
        Column::new("", Align::Right, rows.iter().map(|row| row.0.clone())),
        Column::new("", Align::Left, rows.iter().map(|row| row.1.clone())),
        Column::new("", Align::Left, rows.iter().map(|row| row.2.to_owned())),
    ];
    whole(columns)
}

fn buckets(buckets: &[Bucket], width: usize) -> Table {
    let edges =
        |edge: fn(&Bucket) -> f64| number::column(&buckets.iter().map(edge).collect::<Vec<_>>());
    let similarity = edges(|b| b.from).into_iter().zip(edges(|b| b.to));
    let count = |count: fn(&Bucket) -> u64| buckets.iter().map(move |b| count(b).to_string());
    let share = |share: fn(&Bucket) -> Option<f64>| {
        let cell = move |b: &Bucket| share(b).map_or("–".into(), small);
        buckets.iter().map(cell)
    };
    let columns = vec![
        Column::new(
            "similarity",
            Align::Left,
            similarity.map(|(from, to)| format!("{from} to {to}")),
        ),
        Column::new("ends", Align::Right, count(|b| b.ends)),
        Column::new("found", Align::Right, count(|b| b.found)),
        Column::new("recall", Align::Left, share(|b| b.recall)),
        Column::new("promised", Align::Left, share(|b| b.promised)),
    ];
    Table { columns, width }
}

fn whole(columns: Vec<Column>) -> Table {
    let width = usize::MAX;
    Table { columns, width }
}

fn small(share: f64) -> String {
    probability(share, 1.0 - share)
}

fn range(measured: Measured) -> String {
    match measured.is_exact {
        true => "exact".into(),
        false => format!("{} to {}", small(measured.low), small(measured.high)),
    }
}

fn some(sampled: u64, all: u64) -> String {
    match sampled == all {
        true => format!("all {all} "),
        false => format!("{sampled} of {all} "),
    }
}
