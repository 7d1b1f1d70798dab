//! What an experiment found, as a page to look at.

mod charts;
mod run;

use lookalike_report::{Cell, Column, Emphasis, Page, Section, Table};

use crate::{Error, Estimate, Outcome, Run};

/// Runs that get a section of their own; the table has all.
const SHOWN: usize = 12;

/// The page of an experiment.
pub(crate) fn page(outcome: &Outcome) -> Result<Page, Error> {
    let runs = &outcome.runs;
    let name = outcome.file.rsplit(['/', '\\']).next().unwrap_or_default();
    let title = name.strip_suffix(".toml").unwrap_or(name);
    let seeds = runs.iter().map(|run| run.seeds).max().unwrap_or(0);
    let mut page = Page::new(title).lead(lead(runs.len(), seeds));
    if runs.len() > 1 {
        let mut section = Section::new("All runs").block(summary(outcome)?);
        if let Some(chart) = charts::s_curves(runs)? {
            section = section.block(chart);
        }
        if let Some(chart) = charts::trade_off(runs)? {
            section = section.block(chart);
        }
        page = page.section(section);
    }
    for run in runs.iter().take(SHOWN) {
        page = page.section(run::section(run)?);
    }
    if runs.len() > SHOWN {
        let more = runs.len() - SHOWN;
        page = page.note(format!(
            "{more} more runs are in the table and in result.json alone."
        ));
    }
    let times = "Times and memory differ from machine to machine and from day to day; all else follows from run.toml.";
    Ok(page.note(times).note(format!(
        "Made by lookalike {} from {name}.",
        outcome.version
    )))
}

fn lead(runs: usize, seeds: u32) -> String {
    let repeated = match seeds {
        1 => "Functions were drawn once, so that there are no intervals.".into(),
        _ => {
            format!("Functions were drawn {seeds} times; intervals hold the truth 95 times of 100.")
        }
    };
    let plural = if runs == 1 { "" } else { "s" };
    format!(
        "{runs} run{plural}. A candidate shares a bucket; a match has been verified. {repeated}"
    )
}

/// A row a run.
fn summary(outcome: &Outcome) -> Result<Table, Error> {
    let columns = [
        Column::text("run"),
        Column::text("scheme"),
        Column::number("candidates"),
        Column::number("recall"),
        Column::number("precision"),
        Column::number("matches"),
        Column::number("seconds"),
        Column::number("MB of keys"),
        Column::number("most MB"),
    ];
    let rows = outcome.runs.iter().map(|run| {
        let share = |estimate: Option<Estimate>| match estimate {
            Some(estimate) => with_error(estimate),
            None => Cell::new("–").emphasis(Emphasis::Quiet),
        };
        vec![
            Cell::new(run.title()),
            Cell::new(scheme(run)),
            Cell::new(number(run.candidates.count.mean)),
            share(run.candidates.recall),
            share(run.candidates.precision),
            Cell::new(number(run.matches.count.mean)),
            Cell::new(number(run.seconds())),
            Cell::new(number(run.key_bytes.mean / 1e6)),
            match run.peak_bytes() {
                Some(bytes) => Cell::new(number(bytes as f64 / 1e6)),
                None => Cell::new("–").emphasis(Emphasis::Quiet),
            },
        ]
    });
    let caption = "Recall and precision are those of candidates, before they are verified; seconds are those of one repetition, from items to clusters, and most MB what it held at once beyond the items and the truth.";
    Ok(Table::new(columns, rows)?.caption(caption))
}

/// The scheme in words.
pub(crate) fn scheme(run: &Run) -> String {
    match (run.bands, run.rows, &run.scheme) {
        (Some(bands), Some(rows), _) => format!("{bands} bands × {rows} rows"),
        (_, _, Some(scheme)) => scheme.clone(),
        _ => "everything compared".into(),
    }
}

fn with_error(estimate: Estimate) -> Cell {
    let Estimate { mean, error, .. } = estimate;
    Cell::new(match error {
        Some(error) => format!("{mean:.4} ± {error:.4}"),
        None => format!("{mean:.4}"),
    })
}

/// A number with three digits, or all those of its whole part.
pub(crate) fn number(x: f64) -> String {
    let size = x.abs();
    if size >= 100.0 || x.fract() == 0.0 {
        return format!("{x:.0}");
    }
    let decimals = (2.0 - size.log10().floor()).clamp(0.0, 9.0) as usize;
    let text = format!("{x:.decimals$}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_have_three_digits() {
        let numbers = [
            0.0, 1.0, 0.5, 0.686523, 12.345, 99.999, 330.4, 0.0012345, 1e-12,
        ];
        let read = [
            "0", "1", "0.5", "0.687", "12.3", "100", "330", "0.00123", "0",
        ];
        assert_eq!(numbers.map(number), read);
    }
}
