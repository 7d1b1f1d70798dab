//! What a file is about: signatures, planted pairs, the measured curve next to the predicted one.
//!
//! Recall, milliseconds and megabytes say little about four sets that someone wrote down to see their signatures, and
//! nothing about why stop words follow an article. So `run` prints what there is to see first; `compare` prints the
//! table of figures alone.

use std::io::Write;

use lookalike::experiment::{Likeness, Outcome, Point, Run, Signatures, three_digits};

use crate::table::{Align, Column, Table};

/// The most runs that are shown one by one. More are a sweep to compare, and the page has each.
const RUNS: usize = 8;

/// Writes what there is to see of each run. Returns whether that is all: signatures of a few items, for which figures
/// such as the recall mean little.
pub(crate) fn write(outcome: &Outcome, width: usize, out: &mut impl Write) -> anyhow::Result<bool> {
    let runs = &outcome.runs;
    if runs.len() > RUNS {
        return Ok(false);
    }
    for run in runs {
        write_run(run, runs.len() > 1, width, out)?;
    }
    Ok(!runs.is_empty() && runs.iter().all(|run| run.signatures.is_some()))
}

fn write_run(run: &Run, has_title: bool, width: usize, out: &mut impl Write) -> anyhow::Result<()> {
    let mut tables = Vec::new();
    if let Some(signatures) = &run.signatures {
        tables.push(matrix(signatures));
        tables.push(agreements(signatures));
    }
    if !run.groups.is_empty() {
        tables.push(planted(run));
    } else if run.signatures.is_some() && run.seeds > 1 {
        tables.extend(curve(run));
    }
    if tables.is_empty() {
        return Ok(());
    }
    if has_title {
        writeln!(out, "{}", run.title())?;
    }
    let (family, scheme) = (run.family, run.scheme_in_words());
    let seeds = match run.seeds {
        1 => String::new(),
        seeds => format!(", drawn {seeds} times"),
    };
    writeln!(out, "{family}, {scheme}{seeds}\n")?;
    for columns in tables {
        writeln!(out, "{}", Table { columns, width })?;
    }
    Ok(())
}

/// One row per function, one column per item.
fn matrix(signatures: &Signatures) -> Vec<Column> {
    let functions = signatures.functions.len();
    let numbers = (1..=functions).map(|number| number.to_string());
    let mut columns = vec![Column::new("function", Align::Right, numbers)];
    for (place, name) in signatures.items.iter().enumerate() {
        let values = signatures.functions.iter().map(|values| values[place]);
        let cells = values.map(|value| value.map_or("∞".into(), |value| value.to_string()));
        columns.push(Column::new(name, Align::Right, cells));
    }
    columns
}

/// What signatures say of pairs, and what is true.
fn agreements(signatures: &Signatures) -> Vec<Column> {
    let pairs = &signatures.pairs;
    let yes_or_no = |is_so| if is_so { "yes" } else { "no" }.to_owned();
    vec![
        Column::new(
            "pair",
            Align::Left,
            pairs.iter().map(|it| it.names.join(" and ")),
        ),
        Column::new(
            "functions\nthat agree",
            Align::Right,
            pairs.iter().map(|it| three_digits(it.estimated)),
        ),
        Column::new(
            "similarity",
            Align::Right,
            pairs.iter().map(|it| three_digits(it.exact)),
        ),
        Column::new(
            "candidate",
            Align::Right,
            pairs.iter().map(|it| yes_or_no(it.is_candidate)),
        ),
    ]
}

/// What became of planted pairs, and what was predicted for them.
fn planted(run: &Run) -> Vec<Column> {
    let groups = &run.groups;
    let name = in_lines(&format!("mean {}", run.likeness.name()));
    vec![
        Column::new(
            "planted",
            Align::Left,
            groups.iter().map(|it| it.name.clone()),
        ),
        Column::new(
            "pairs",
            Align::Right,
            groups.iter().map(|it| it.pairs.to_string()),
        ),
        Column::new(
            &name,
            Align::Right,
            groups
                .iter()
                .map(|it| three_digits(run.likeness.shown(it.distance))),
        ),
        Column::new(
            "predicted",
            Align::Right,
            groups.iter().map(|it| it.predicted_in_words()),
        ),
        Column::new(
            "became\ncandidates",
            Align::Right,
            groups.iter().map(|it| it.candidates.to_string()),
        ),
    ]
}

/// Words in lines of about the width of numbers.
fn in_lines(words: &str) -> String {
    const WIDTH: usize = 14;
    let mut lines: Vec<String> = Vec::new();
    for word in words.split(' ') {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

/// The measured curve next to the predicted one; none if labels decide.
fn curve(run: &Run) -> Option<Vec<Column>> {
    let Likeness::Measured(measure) = run.likeness else {
        return None;
    };
    let column = |head: &str, cell: &dyn Fn(&Point) -> String| {
        Column::new(head, Align::Right, run.curve.iter().map(cell))
    };
    Some(vec![
        column(measure.name, &|it| three_digits(measure.shown(it.distance))),
        column("pairs", &|it| it.pairs.to_string()),
        column("predicted", &|it| it.predicted_in_words()),
        column("became\ncandidates", &|it| it.measured.to_string()),
    ])
}
