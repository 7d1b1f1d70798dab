//! A trace as a page to look at.

use lookalike::minhash::trace::{Pass, Trace, Work};
use lookalike::report::{
    BandingControl, Cell, Emphasis, Error, Page, Section, Step, Steps, Table, TableColumn,
};

use super::input::Source;
use super::{names, picture::picture, summary, value};
use crate::number;

/// The page; all of it in one picture first, where that can be drawn.
pub(super) fn page(source: &Source, trace: &Trace, threshold: f64) -> Result<Page, Error> {
    let mut steps = Steps::new();
    if let Source::Texts { texts, shingle, .. } = source {
        steps = steps.step(shingles(trace, texts, shingle)?);
    }
    let steps = steps
        .step(matrix(trace)?)
        .step(work(trace)?)
        .step(signatures(trace)?)
        .step(buckets(trace)?)
        .step(pairs(trace)?);
    let (bands, rows) = (trace.banding.bands(), trace.banding.rows());
    let mut page =
        Page::new("Minhash and banding, step by step").lead(format!("{}.", summary(source, trace)));
    if let Ok(flow) = picture(source, trace, threshold) {
        page = page.section(
            Section::new("In one picture")
                .text(format!(
                    "Items with the same values in all rows of a band share a bucket and are candidates, which alone are compared. \
                     Those with a similarity of at least {threshold} are matches."
                ))
                .block(flow),
        );
    }
    Ok(page
        .section(Section::new("The calculation").block(steps))
        .section(
            Section::new("How likely it was")
                .text(
                    "Another draw of functions makes other signatures and other buckets. At each similarity the curve says \
                     how often a pair would share at least one bucket.",
                )
                .block(
                    BandingControl::new(bands, rows)?
                        .title(trace.banding.to_string()),
                ),
        ))
}

fn shingles(trace: &Trace, texts: &[String], shingle: &str) -> Result<Step, Error> {
    let rows = trace.matrix.names().iter().zip(texts).enumerate();
    let rows = rows.map(|(i, (name, text))| {
        let shingles: Vec<&str> = trace.matrix.columns()[i]
            .iter()
            .filter_map(|row| trace.matrix.rows()[*row as usize].shingle.as_deref())
            .collect();
        vec![name.into(), text.into(), shingles.join(" | ").into()]
    });
    let columns = ["", "text", "shingles"].map(TableColumn::text);
    Ok(Step::new("Shingles")
        .text(format!(
            "Each text becomes the set of its shingles, {shingle}."
        ))
        .block(Table::new(columns, rows)?))
}

/// A heading for each set after those that are given.
fn heads(trace: &Trace, first: Vec<TableColumn>) -> Vec<TableColumn> {
    let sets = trace.matrix.names().iter().map(TableColumn::number);
    first.into_iter().chain(sets).collect()
}

fn bit(holds: bool) -> Cell {
    match holds {
        true => Cell::new(1),
        false => Cell::new(0).emphasis(Emphasis::Quiet),
    }
}

fn matrix(trace: &Trace) -> Result<Step, Error> {
    let sets = trace.matrix.names().len();
    let texts = trace.matrix.rows().iter().any(|row| row.shingle.is_some());
    let rows = trace.matrix.rows().iter().enumerate().map(|(i, row)| {
        let mut cells = vec![Cell::new(row.number)];
        cells.extend(row.shingle.as_ref().map(Cell::new));
        cells.extend((0..sets).map(|set| bit(trace.matrix.holds(i, set))));
        cells
    });
    let mut first = vec![TableColumn::number("row")];
    first.extend(texts.then(|| TableColumn::text("shingle")));
    Ok(Step::new("The characteristic matrix")
        .text("A row for each element, a column for each set, 1 where the set has the element.")
        .block(Table::new(heads(trace, first), rows)?))
}

fn work(trace: &Trace) -> Result<Step, Error> {
    match &trace.work {
        Work::OnePass { functions, rows } => one_pass(trace, functions, rows),
        Work::Permutations { tables, .. } => permutations(trace, tables),
        _ => Ok(Step::new("Functions")),
    }
}

fn permutations(trace: &Trace, tables: &[Vec<u64>]) -> Result<Step, Error> {
    let sets = trace.matrix.names().len();
    let rows = trace.matrix.rows().iter().enumerate().map(|(i, row)| {
        let mut cells = vec![Cell::new(row.number)];
        cells.extend(tables.iter().map(|table| Cell::new(table[i])));
        cells.extend((0..sets).map(|set| bit(trace.matrix.holds(i, set))));
        cells
    });
    let mut first = vec![TableColumn::number("row")];
    first.extend(names(trace).into_iter().map(TableColumn::number));
    Ok(Step::new("Permutations")
        .text("Each permutation puts the rows into another order: it says at which place a row comes.")
        .block(Table::new(heads(trace, first), rows)?))
}

fn one_pass(trace: &Trace, functions: &[String], passes: &[Pass]) -> Result<Step, Error> {
    let named = names(trace).into_iter().zip(functions);
    let named = named.map(|(name, function)| vec![format!("{name}(x)").into(), function.into()]);
    let rows = passes.iter().map(|pass| {
        let mut cells = vec![Cell::new(pass.row)];
        cells.extend(pass.hashes.iter().map(Cell::new));
        cells.extend((0..trace.matrix.names().len()).map(|set| {
            let minima = pass.table.iter().zip(&pass.lowered);
            Cell::parts(minima.map(|(line, lowered)| {
                let cell = Cell::new(value(line[set]));
                match (line[set], lowered[set]) {
                    (None, _) => cell.emphasis(Emphasis::Quiet),
                    (_, true) => cell.emphasis(Emphasis::Strong),
                    _ => cell,
                }
            }))
        }));
        cells
    });
    let mut first = vec![TableColumn::number("row")];
    first.extend(names(trace).into_iter().map(TableColumn::number));
    Ok(Step::new("One pass over the rows")
        .text("Instead of permutations, functions of the row's number. Each row lowers the minima of the sets that have it; \
               where it did, the minima are marked. ∞ is where no row has come yet.")
        .block(Table::new([TableColumn::text("function"), TableColumn::text("of row x")], named)?)
        .block(Table::new(heads(trace, first), rows)?))
}

fn signatures(trace: &Trace) -> Result<Step, Error> {
    let band = |line: usize| line / trace.banding.rows() as usize + 1;
    let rows = names(trace).into_iter().zip(&trace.signatures).enumerate();
    let rows = rows.map(|(i, (name, line))| {
        let mut cells = vec![Cell::new(name), Cell::new(band(i))];
        cells.extend(line.iter().map(|least| Cell::new(value(*least))));
        cells
    });
    let first = vec![TableColumn::text("function"), TableColumn::number("band")];
    let text = match &trace.work {
        Work::Permutations {
            keeps_place: true, ..
        } => {
            "For each function the first place at which the set has a row. A set's column is its signature."
        }
        Work::Permutations { .. } => {
            "For each function the number of the row that comes first. A set's column is its signature."
        }
        _ => "What remains after the last row. A set's column is its signature.",
    };
    Ok(Step::new("Signatures")
        .text(text)
        .block(Table::new(heads(trace, first), rows)?))
}

fn buckets(trace: &Trace) -> Result<Step, Error> {
    let rows = trace.bands.iter().flat_map(|band| {
        band.buckets.iter().map(move |bucket| {
            let values: Vec<String> = bucket.values.iter().map(u64::to_string).collect();
            let sets = Cell::new(bucket.sets.join(" "));
            let shared = bucket.sets.len() > 1;
            vec![
                Cell::new(band.band),
                Cell::new(values.join(" ")),
                if shared {
                    sets.emphasis(Emphasis::Strong)
                } else {
                    sets
                },
            ]
        })
    });
    let columns = [
        TableColumn::number("band"),
        TableColumn::text("values"),
        TableColumn::text("sets"),
    ];
    Ok(Step::new("Bands and buckets")
        .text(format!(
            "{}: sets with the same values in all rows of a band share its bucket.",
            trace.banding
        ))
        .block(Table::new(columns, rows)?))
}

fn pairs(trace: &Trace) -> Result<Step, Error> {
    let rows = trace.pairs.iter().map(|pair| {
        let bands: Vec<String> = pair.bands.iter().map(usize::to_string).collect();
        let candidate = match pair.is_candidate() {
            true => Cell::new(format!("in band {}", bands.join(", "))).emphasis(Emphasis::Good),
            false => Cell::new("no").emphasis(Emphasis::Quiet),
        };
        vec![
            pair.sets.join(", ").into(),
            candidate,
            number::place(pair.estimated).into(),
            number::place(pair.exact).into(),
            format!("{}/{}", pair.common, pair.union).into(),
        ]
    });
    let columns = [
        TableColumn::text("pair"),
        TableColumn::text("candidate"),
        TableColumn::number("estimated"),
        TableColumn::number("exact"),
        TableColumn::number("common/all"),
    ];
    Ok(Step::new("Candidates")
        .text("A pair is a candidate if it shares a bucket in at least one band. The share of functions that agree estimates \
               the similarity, which is the share of elements that are common.")
        .block(Table::new(columns, rows)?))
}
