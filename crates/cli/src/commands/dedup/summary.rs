//! What `dedup` prints: the plan before the run, the counts after it.

use std::{io::Write, path::Path};

use lookalike::dedup::{Config, Equality, Mode, Report, Verification};
use lookalike::minhash::Tokens;
use lookalike::plugin::shown;
use lookalike::search::TextPlan;

use crate::chart::{CANDIDATE, Chart};
use crate::number;
use crate::options::shingle_in_words;
use crate::s_curve::{Point, SCurve};
use crate::table::{Align, Column, Table};

/// The scheme and what to expect of it; with `has_chart` also the S-curve.
pub(super) fn write_plan(
    plan: &TextPlan,
    config: &Config,
    has_chart: bool,
    width: usize,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if let Some(equality) = config.equality() {
        let line = match equality {
            Equality::Text => "only documents with equal texts are duplicates".into(),
            Equality::Field(field) => format!("documents with an equal `{field}` are duplicates"),
        };
        writeln!(out, "{line}")?;
        return Ok(out.flush()?);
    }
    let curve = match plan.banding {
        Some(banding) => SCurve::from(banding),
        None => SCurve::cascade(plan.scheme.clone()),
    };
    writeln!(out, "{}", promise(&curve, plan, config.threshold))?;
    writeln!(out, "{}", compared(config))?;
    if has_chart && plan.is_s_curve {
        let ts: Vec<f64> = plan.curve.iter().map(|point| point.similarity).collect();
        let points: Vec<Point> = ts.iter().map(|&t| curve.at(t)).collect();
        let mut columns = vec![Column::new("similarity", Align::Left, number::column(&ts))];
        columns.extend(Point::columns(&points));
        writeln!(out, "\n{}", Table { columns, width })?;
        let chart = Chart {
            curves: &[curve],
            guides: &[config.threshold],
            guides_label: &format!("threshold {}", config.threshold),
            axis: "similarity",
            title: CANDIDATE,
            most: 1.0,
            width,
        };
        writeln!(out, "{chart}")?;
    }
    Ok(out.flush()?)
}

/// "13 bands × 7 rows find 95.3% of the pairs at similarity 0.8, 99.98% at 0.9".
fn promise(curve: &SCurve, plan: &TextPlan, threshold: f64) -> String {
    // By the S-curve, what is missed has more digits than 1 − what is found.
    let missed = |similarity: f64, candidate: f64| match plan.is_s_curve {
        true => curve.at(similarity).missed,
        false => 1.0 - candidate,
    };
    let verb = if plan.is_s_curve {
        "find"
    } else {
        "find at least"
    };
    let found = number::percent(missed(threshold, plan.recall));
    let above = plan
        .curve
        .iter()
        .rfind(|point| point.similarity > threshold);
    let above = above.map(|point| {
        let found = number::percent(missed(point.similarity, point.candidate));
        format!(", {found} at {}", number::plain(point.similarity))
    });
    let label = &curve.label;
    format!(
        "{label} {verb} {found} of the pairs at similarity {threshold}{}",
        above.unwrap_or_default()
    )
}

/// What documents are compared by.
fn compared(config: &Config) -> String {
    let family = &config.family;
    let words = match family.tokens {
        Tokens::Words => "words: letters and digits, no case or punctuation",
        Tokens::Uax29 => "words by Unicode's rules, with case",
        Tokens::Whitespace => "words between white space, with case and punctuation",
        Tokens::Chars => "characters",
    };
    format!(
        "compared by shingles of {}",
        shingle_in_words(family.shingle, words)
    )
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
    let in_folder = |name: &str| shown(folder.join(name));
    // Only one mode removes anything.
    let names = match config.output.mode {
        Mode::Remove => ["kept", "removed"],
        Mode::Annotate | Mode::Ids | Mode::Report => ["unique", "duplicates"],
    };
    let [kept, removed] = match config.output.mode {
        Mode::Remove => names.map(in_folder),
        Mode::Annotate => [in_folder("annotated"), in_folder("annotated")],
        Mode::Ids => [String::new(), in_folder("removed_ids.txt")],
        Mode::Report => ["", "all left where they are: --mode report"].map(str::to_owned),
    };
    let matches = match config.verify.method {
        Verification::Exact => (
            "matches",
            format!(
                "similarity of at least {}, compared exactly",
                config.threshold
            ),
        ),
        Verification::Signature => (
            "matches",
            format!(
                "similarity of at least {}, estimated from signatures",
                config.threshold
            ),
        ),
        Verification::None => (
            "accepted",
            "candidates, none verified: false ones are among them".into(),
        ),
    };
    let mut rows = vec![
        ("documents", documents.read, String::new()),
        (names[0], documents.kept, kept),
        (names[1], documents.removed, removed),
    ];
    if documents.copies > 0 {
        rows.push((
            "copies",
            documents.copies,
            match config.equality() {
                Some(Equality::Field(field)) => format!("with the `{field}` of another"),
                _ => "with the text of another".into(),
            },
        ));
    }
    if documents.empty > 0 {
        rows.push((
            "empty",
            documents.empty,
            match config.equality() {
                None => "without a shingle: like nothing but their copies".into(),
                Some(Equality::Text) => "without text: kept".into(),
                Some(Equality::Field(field)) => format!("without `{field}`: kept"),
            },
        ));
    }
    if documents.skipped > 0 {
        let place = match config.output.mode {
            Mode::Ids | Mode::Report => in_folder("skipped.jsonl"),
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
            "of the duplicates are of those".into(),
        ));
    }
    if config.equality().is_none() {
        rows.push((
            "candidates",
            pairs.candidates,
            "pairs of texts that shared a bucket".into(),
        ));
        rows.push((matches.0, pairs.matches, matches.1));
    }
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
