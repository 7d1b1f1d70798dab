//! How a trace reads on a terminal.

use std::io::Write;

use lookalike::minhash::trace::{Pass, Trace, Work};

use super::input::Source;
use super::{names, summary, value};
use crate::number;
use crate::output::wrapped;
use crate::table::{Align, Column, Table};

/// Writes it.
pub(super) fn write(
    source: &Source,
    trace: &Trace,
    width: usize,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    writeln!(out, "{}", summary(source, trace))?;
    let mut step = 0;
    let mut heading = |out: &mut dyn Write, title: &str| {
        step += 1;
        writeln!(out, "\n{step}  {title}\n")
    };
    let table = |columns| Table { columns, width };
    if let Source::Texts { texts, shingle, .. } = source {
        heading(out, &format!("Texts and their shingles, {shingle}"))?;
        for (i, (name, text)) in trace.matrix.names().iter().zip(texts).enumerate() {
            let indent = name.len() + 2;
            let words = text.split_whitespace().map(visible);
            wrapped(out, &format!("{name}  "), words, " ", width)?;
            let blank = " ".repeat(indent);
            wrapped(out, &blank, shingles(trace, i).into_iter(), "  ", width)?;
        }
    }
    heading(
        out,
        "The characteristic matrix: 1 where the set has the element",
    )?;
    write!(out, "{}", table(matrix(trace)))?;
    match &trace.work {
        Work::Permutations { tables, .. } => {
            heading(out, "Permutations: the place of each row in the new order")?;
            write!(out, "{}", table(permutations(trace, tables)))?;
        }
        Work::OnePass { functions, rows } => {
            heading(
                out,
                "One pass: the minima after each row, * where it has lowered one",
            )?;
            for (name, function) in names(trace).iter().zip(functions) {
                writeln!(out, "{name}(x) = {function}")?;
            }
            writeln!(out)?;
            write!(out, "{}", table(passes(trace, rows)))?;
        }
        _ => {}
    }
    let least = match &trace.work {
        Work::Permutations {
            keeps_place: true, ..
        } => "the place of the set's first row in the new order",
        Work::Permutations { .. } => "the number of the set's first row in the new order",
        _ => "the least value of the set's rows",
    };
    heading(out, &format!("Signatures: {least}"))?;
    write!(out, "{}", table(signatures(trace)))?;
    heading(
        out,
        &format!(
            "Buckets: sets with the same values in a band, {}",
            trace.banding
        ),
    )?;
    write!(out, "{}", table(buckets(trace)))?;
    heading(out, "Pairs: candidates share a bucket")?;
    if trace.pairs.is_empty() {
        return Ok(writeln!(out, "none: there is only one set")?);
    }
    write!(out, "{}", table(pairs(trace)))?;
    Ok(())
}

fn shingles(trace: &Trace, set: usize) -> Vec<String> {
    let rows = trace.matrix.columns()[set].iter();
    let shingles: Vec<String> = rows
        .filter_map(|row| trace.matrix.rows()[*row as usize].shingle.as_deref())
        .map(quoted)
        .collect();
    match shingles.is_empty() {
        true => vec!["no shingle".into()],
        false => shingles,
    }
}

/// Spaces at the ends can be seen, and nothing moves the cursor.
fn quoted(shingle: &str) -> String {
    format!("‘{}’", visible(shingle))
}

fn visible(text: &str) -> String {
    let seen = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(seen).collect()
}

fn numbers(trace: &Trace) -> Column {
    let rows = trace.matrix.rows().iter();
    Column::new("row", Align::Right, rows.map(|row| row.number.to_string()))
}

fn matrix(trace: &Trace) -> Vec<Column> {
    let rows = trace.matrix.rows();
    let mut columns = vec![numbers(trace)];
    columns.extend(trace.matrix.names().iter().enumerate().map(|(set, name)| {
        let bits = (0..rows.len()).map(|row| u8::from(trace.matrix.holds(row, set)).to_string());
        Column::new(name, Align::Right, bits)
    }));
    if rows.iter().any(|row| row.shingle.is_some()) {
        let shingles = rows
            .iter()
            .map(|row| quoted(row.shingle.as_deref().unwrap_or_default()));
        columns.push(Column::new("shingle", Align::Left, shingles));
    }
    columns
}

fn permutations(trace: &Trace, tables: &[Vec<u64>]) -> Vec<Column> {
    let mut columns = vec![numbers(trace)];
    let tables = names(trace).into_iter().zip(tables);
    columns.extend(
        tables.map(|(name, table)| {
            Column::new(&name, Align::Right, table.iter().map(u64::to_string))
        }),
    );
    columns
}

fn passes(trace: &Trace, rows: &[Pass]) -> Vec<Column> {
    let numbers = rows.iter().map(|pass| pass.row.to_string());
    let mut columns = vec![Column::new("row", Align::Right, numbers)];
    for (i, name) in names(trace).iter().enumerate() {
        let hashes = rows.iter().map(|pass| pass.hashes[i].to_string());
        columns.push(Column::new(name, Align::Right, hashes));
    }
    for (set, name) in trace.matrix.names().iter().enumerate() {
        let cell = |pass: &Pass, line: usize, least: &[Option<u64>]| {
            let mark = if pass.lowered[line][set] { "*" } else { " " };
            format!("{}{mark}", value(least[set]))
        };
        let cells: Vec<Vec<String>> = rows
            .iter()
            .map(|pass| {
                pass.table
                    .iter()
                    .enumerate()
                    .map(|(i, line)| cell(pass, i, line))
                    .collect()
            })
            .collect();
        let widest = cells.iter().flatten().map(|cell| cell.chars().count());
        let widest = widest.max().unwrap_or(0);
        let cells = cells.iter().map(|cells| {
            let cells: Vec<String> = cells
                .iter()
                .map(|cell| format!("{cell:>widest$}"))
                .collect();
            cells.join(" ")
        });
        columns.push(Column::new(name, Align::Left, cells));
    }
    columns
}

fn signatures(trace: &Trace) -> Vec<Column> {
    let bands = trace.bands.iter();
    let bands =
        bands.flat_map(|band| vec![band.band.to_string(); band.lines[1] + 1 - band.lines[0]]);
    let mut columns = vec![
        Column::new("", Align::Left, names(trace)),
        Column::new("band", Align::Right, bands),
    ];
    columns.extend(trace.matrix.names().iter().enumerate().map(|(set, name)| {
        let values = trace.signatures.iter().map(|line| value(line[set]));
        Column::new(name, Align::Right, values)
    }));
    columns
}

fn buckets(trace: &Trace) -> Vec<Column> {
    let all = || {
        trace
            .bands
            .iter()
            .flat_map(|band| band.buckets.iter().map(move |bucket| (band, bucket)))
    };
    let joined = |values: &[u64]| {
        let values: Vec<String> = values.iter().map(u64::to_string).collect();
        values.join(" ")
    };
    vec![
        Column::new(
            "band",
            Align::Right,
            all().map(|(band, _)| band.band.to_string()),
        ),
        Column::new(
            "values",
            Align::Left,
            all().map(|(_, bucket)| joined(&bucket.values)),
        ),
        Column::new(
            "sets",
            Align::Left,
            all().map(|(_, bucket)| bucket.sets.join(" ")),
        ),
    ]
}

fn pairs(trace: &Trace) -> Vec<Column> {
    let bands = |bands: &[usize]| match bands.is_empty() {
        true => "–".into(),
        false => bands
            .iter()
            .map(usize::to_string)
            .collect::<Vec<_>>()
            .join(" "),
    };
    let pairs = || trace.pairs.iter();
    vec![
        Column::new("pair", Align::Left, pairs().map(|pair| pair.sets.join(" "))),
        Column::new(
            "candidate",
            Align::Left,
            pairs().map(|pair| if pair.is_candidate() { "yes" } else { "no" }.into()),
        ),
        Column::new(
            "in bands",
            Align::Left,
            pairs().map(|pair| bands(&pair.bands)),
        ),
        Column::new(
            "estimated",
            Align::Right,
            pairs().map(|pair| number::place(pair.estimated)),
        ),
        Column::new(
            "exact",
            Align::Right,
            pairs().map(|pair| number::place(pair.exact)),
        ),
        Column::new(
            "",
            Align::Left,
            pairs().map(|pair| format!("= {}/{}", pair.common, pair.union)),
        ),
    ]
}
