//! Runs side by side.

use std::io::Write;

use lookalike::experiment::{FIGURES, Outcome, Run};

use crate::table::{Align, Column, Table};

/// One line per run: what was found, and what it took.
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
    let columns = FIGURES.iter().filter_map(|figure| {
        let is_worth_showing = runs.iter().any(|run| figure.is_worth_showing(run));
        let heading = figure.heading.filter(|_| is_worth_showing)?;
        let cells = runs.iter().map(|run| figure.short(run));
        Some(Column::new(heading, Align::Right, cells))
    });
    columns.collect()
}

/// Whether the program has an allocator that counts.
fn is_memory_measured(runs: &[Run]) -> bool {
    runs.iter().any(|run| run.peak_bytes().is_some())
}
