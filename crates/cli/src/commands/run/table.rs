//! Runs side by side.

use std::io::Write;

use lookalike::experiment::{Estimate, Outcome, Run};

use crate::table::{Align, Column, Table};

/// A line a run: what was found, and what it took.
pub(crate) fn write(outcome: &Outcome, width: usize, out: &mut impl Write) -> anyhow::Result<()> {
    let runs = &outcome.runs;
    let column = |head: &str, cell: &dyn Fn(&Run) -> String| {
        Column::new(head, Align::Right, runs.iter().map(cell))
    };
    // Long titles would push everything else out of sight: they go first, and the table has their numbers.
    let widest = runs.iter().map(|run| run.title().chars().count()).max();
    let is_numbered = widest.unwrap_or(0) > width / 2;
    let titles: Vec<String> = match is_numbered {
        true => (1..=runs.len()).map(|number| number.to_string()).collect(),
        false => runs.iter().map(|run| run.title().to_owned()).collect(),
    };
    if is_numbered {
        for (number, run) in titles.iter().zip(runs) {
            writeln!(out, "{number:>3}  {}", run.title())?;
        }
        writeln!(out)?;
    }
    let align = if is_numbered {
        Align::Right
    } else {
        Align::Left
    };
    let columns = vec![
        Column::new("run", align, titles),
        column("recall", &|run| share(run.candidates.recall)),
        column("candidates", &|run| count(run.candidates.count.mean)),
        column("precision", &|run| share(run.candidates.precision)),
        column("matches", &|run| count(run.matches.count.mean)),
        column("missed", &|run| count(run.candidates.false_negatives.mean)),
        column("ms", &|run| format!("{:.1}", run.seconds() * 1e3)),
        column("MB of\nkeys", &|run| {
            format!("{:.2}", run.key_bytes.mean / 1e6)
        }),
        column("peak\nMB", &peak),
    ];
    write!(out, "{}", Table { columns, width })?;
    Ok(())
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

/// A mean of whole numbers.
fn count(mean: f64) -> String {
    if mean.fract() == 0.0 || mean >= 100.0 {
        format!("{mean:.0}")
    } else {
        format!("{mean:.1}")
    }
}

/// The most memory while keys were made and met, where the system tells.
fn peak(run: &Run) -> String {
    let own = ["keys", "candidates", "compare", "verify"];
    let stages = run.stages.iter().filter(|it| own.contains(&it.name));
    let peak = stages.filter_map(|stage| stage.peak_bytes).max();
    peak.map_or("–".into(), |bytes| format!("{:.0}", bytes as f64 / 1e6))
}
