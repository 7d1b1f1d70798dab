//! Runs side by side.

use std::io::Write;

use lookalike::experiment::{Estimate, Outcome, Run};

use crate::table::{Align, Column, Table};

/// A line a run: what was found, and what it took.
pub(crate) fn write(outcome: &Outcome, width: usize, out: &mut impl Write) -> anyhow::Result<()> {
    let runs = &outcome.runs;
    let titles = runs.iter().map(|run| run.title().to_owned());
    let mut table = Table {
        columns: vec![Column::new("run", Align::Left, titles)],
        width,
    };
    table.columns.extend(columns(runs));
    if !table.fits() {
        // Titles would push the rest out of sight: they go first, and the table has their numbers.
        let numbers: Vec<String> = (1..=runs.len()).map(|number| number.to_string()).collect();
        for (number, run) in numbers.iter().zip(runs) {
            writeln!(out, "{number:>3}  {}", run.title())?;
        }
        writeln!(out)?;
        table.columns[0] = Column::new("run", Align::Right, numbers);
    }
    write!(out, "{table}")?;
    if !is_memory_measured(runs) {
        writeln!(
            out,
            "\nMemory not measured: this program does not count what it allocates."
        )?;
    }
    let sampled = runs.iter().filter_map(|run| run.truth.sampled_items);
    if let Some(items) = sampled.min() {
        writeln!(
            out,
            "\n~ The truth is a sample: {items} items compared with all others, which ± counts too."
        )?;
    }
    Ok(())
}

fn columns(runs: &[Run]) -> Vec<Column> {
    let column = |head: &str, cell: &dyn Fn(&Run) -> String| {
        Column::new(head, Align::Right, runs.iter().map(cell))
    };
    let mut columns = vec![
        column("recall", &|run| share(run.candidates.recall)),
        column("candidates", &|run| count(run.candidates.count.mean)),
        column("precision", &|run| short(run.candidates.precision)),
        column("missed", &missed),
        column("ms", &|run| format!("{:.1}", run.seconds() * 1e3)),
    ];
    if is_memory_measured(runs) {
        columns.push(column("MB", &|run| match run.peak_bytes() {
            Some(bytes) => format!("{:.1}", bytes as f64 / 1e6),
            None => "–".into(),
        }));
    }
    columns.push(column("matches", &|run| count(run.matches.count.mean)));
    if runs.iter().any(|run| run.not_compared.mean > 0.0) {
        columns.push(column("not\ncompared", &|run| count(run.not_compared.mean)));
    }
    // Where candidates are not verified exactly, matches may be wrong, and lost.
    if runs.iter().any(is_fallible) {
        columns.push(column("recall of\nmatches", &|run| {
            short(run.matches.recall)
        }));
        columns.push(column("precision\nof matches", &|run| {
            short(run.matches.precision)
        }));
    }
    columns
}

/// Whether the program has an allocator that counts.
fn is_memory_measured(runs: &[Run]) -> bool {
    runs.iter().any(|run| run.peak_bytes().is_some())
}

/// Whether matches are something else than the candidates that are similar.
fn is_fallible(run: &Run) -> bool {
    let mean = |estimate: Option<Estimate>| estimate.map(|it| it.mean);
    let is_worse = mean(run.matches.precision).is_some_and(|precision| precision < 1.0);
    is_worse || mean(run.matches.recall) != mean(run.candidates.recall)
}

/// A share with its standard error.
fn share(estimate: Option<Estimate>) -> String {
    match estimate {
        None => "–".into(),
        Some(Estimate { mean, error, .. }) => match error {
            None => format!("{mean:.3}"),
            Some(error) => format!("{mean:.3} ± {error:.3}"),
        },
    }
}

/// A share.
fn short(estimate: Option<Estimate>) -> String {
    estimate.map_or("–".into(), |it| format!("{:.3}", it.mean))
}

/// A mean of whole numbers.
fn count(mean: f64) -> String {
    if mean.fract() == 0.0 || mean >= 100.0 {
        format!("{mean:.0}")
    } else {
        format!("{mean:.1}")
    }
}

/// Similar pairs that are no candidates: of a sample, about so many.
fn missed(run: &Run) -> String {
    let Estimate { mean, error, .. } = run.candidates.false_negatives;
    match (run.truth.sampled_items, error) {
        (Some(_), Some(error)) => format!("~{} ± {}", count(mean.round()), count(error.round())),
        _ => count(mean),
    }
}
