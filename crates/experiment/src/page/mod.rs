//! What an experiment found, as a page to look at.

mod charts;
mod run;

use lookalike_report::{Cell, Emphasis, Page, Section, Table, TableColumn};

use crate::{Error, FIGURES, Outcome, Run};

pub(crate) use crate::figures::number;

/// Runs that get a section of their own; the table has all.
const SHOWN: usize = 12;

/// Runs that are shown unfolded.
const OPEN: usize = 2;

/// What runs are called: by their titles, and where these are too long for a legend, by numbers too.
struct Names {
    titles: Vec<String>,
    are_long: bool,
}

impl Names {
    fn new(runs: &[Run]) -> Self {
        const LONG: usize = 32;
        let titles: Vec<String> = runs.iter().map(|run| run.title().to_owned()).collect();
        let is_long = |title: &String| title.chars().count() > LONG;
        let are_long = runs.len() > 1 && titles.iter().any(is_long);
        Self { titles, are_long }
    }

    /// For a heading.
    fn whole(&self, run: usize) -> String {
        let title = &self.titles[run];
        match self.are_long {
            true => format!("{}: {title}", run + 1),
            false => title.clone(),
        }
    }

    /// For a legend.
    fn short(&self, run: usize) -> String {
        match self.are_long {
            true => format!("run {}", run + 1),
            false => self.titles[run].clone(),
        }
    }
}

/// The page of an experiment.
pub(crate) fn page(outcome: &Outcome) -> Result<Page, Error> {
    let runs = &outcome.runs;
    let name = outcome.file.rsplit(['/', '\\']).next().unwrap_or_default();
    let title = name.strip_suffix(".toml").unwrap_or(name);
    let seeds = runs.iter().map(|run| run.seeds).max().unwrap_or(0);
    let mut page = Page::new(title).lead(lead(runs.len(), seeds));
    let names = Names::new(runs);
    if runs.len() > 1 {
        let mut section = Section::new("All runs").block(summary(outcome, &names)?);
        if let Some(chart) = charts::s_curves(runs, &names)? {
            section = section.block(chart);
        }
        if let Some(chart) = charts::trade_off(runs, &names)? {
            section = section.block(chart);
        }
        page = page.section(section);
    }
    for (number, run) in runs.iter().take(SHOWN).enumerate() {
        let section = run::section(run, &names.whole(number))?;
        page = page.section(match runs.len() > OPEN {
            true => section.folded(),
            false => section,
        });
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
            format!(
                "Functions were drawn {seeds} times: ± is a standard error, and an interval, such as 0.93 to 0.95, holds the truth 95 times of 100."
            )
        }
    };
    let plural = if runs == 1 { "" } else { "s" };
    format!(
        "{runs} run{plural}. A candidate shares a bucket; a match has been verified. {repeated}"
    )
}

/// One row per run.
fn summary(outcome: &Outcome, names: &Names) -> Result<Table, Error> {
    let figures = FIGURES.iter();
    let figures: Vec<_> = figures
        .filter_map(|figure| Some((figure.page_heading?, figure)))
        .collect();
    let columns = std::iter::once(TableColumn::text("run"));
    let columns = columns.chain(
        figures
            .iter()
            .map(|(heading, _)| TableColumn::number(*heading)),
    );
    let rows = outcome.runs.iter().enumerate().map(|(place, run)| {
        let none = || Cell::new("–").emphasis(Emphasis::Quiet);
        let title = Cell::new(format!("{}\n{}", names.whole(place), run.scheme_in_words()));
        let cells = figures
            .iter()
            .map(|(_, figure)| figure.cell(run).map_or_else(none, Cell::new));
        std::iter::once(title).chain(cells).collect()
    });
    let caption = "Recall and precision are those of candidates, before they are verified. Seconds and MB are those of one repetition, from keys to clusters: MB is the most that it held at once, beyond the items, as they are and ready to be compared, and the truth.";
    Ok(Table::new(columns, rows)?.caption(caption))
}
