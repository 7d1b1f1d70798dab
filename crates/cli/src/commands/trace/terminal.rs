//! How a lesson reads on a terminal.

use std::io::Write;

use lookalike::report::{Block, Cell, Emphasis, Table as Cells};

use super::lesson::Lesson;
use crate::output::wrapped;
use crate::table::{Align, Column, Table};

/// Between the parts of a cell of words.
const BETWEEN: &str = "  ";

/// Writes it: steps with their sentences, tables as aligned columns, drawings as characters.
pub(super) fn write(lesson: &Lesson, width: usize, out: &mut impl Write) -> anyhow::Result<()> {
    sentence(out, &lesson.summary, width)?;
    for (place, step) in (1..).zip(lesson.steps.steps()) {
        writeln!(out, "\n{place}  {}\n", visible(step.title()))?;
        for paragraph in step.paragraphs() {
            sentence(out, paragraph, width)?;
        }
        let mut is_first = step.paragraphs().is_empty();
        for block in step.blocks() {
            if !std::mem::take(&mut is_first) && is_shown(block) {
                writeln!(out)?;
            }
            match block {
                Block::Table(cells) => table(out, cells, width)?,
                Block::Drawing(drawing) if is_shown(block) => {
                    writeln!(out, "{}", drawing.in_characters().trim_end())?;
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn is_shown(block: &Block) -> bool {
    match block {
        Block::Drawing(drawing) => !drawing.in_characters().is_empty(),
        Block::Table(cells) => !cells.rows().is_empty(),
        _ => false,
    }
}

fn sentence(out: &mut impl Write, text: &str, width: usize) -> anyhow::Result<()> {
    let words = text.split_whitespace().map(visible);
    wrapped(out, "", words, " ", width)
}

/// Aligned columns. Words that are too wide for them are written row by row, each cell on lines of its own.
fn table(out: &mut impl Write, cells: &Cells, width: usize) -> anyhow::Result<()> {
    if let Some(caption) = cells.caption_text() {
        writeln!(out, "{}\n", visible(caption))?;
    }
    let columns = (0..cells.columns().len()).map(|place| column(cells, place));
    let columns = columns.collect();
    let aligned = Table { columns, width };
    let are_words = cells.columns().iter().all(|column| !column.is_number());
    match are_words && !aligned.fits() {
        false => Ok(write!(out, "{aligned}")?),
        true => cells
            .rows()
            .iter()
            .try_for_each(|row| record(out, row, width)),
    }
}

/// A row on lines of its own, below its first cell.
fn record(out: &mut impl Write, row: &[Cell], width: usize) -> anyhow::Result<()> {
    let Some((name, rest)) = row.split_first() else {
        return Ok(());
    };
    let mut start = format!("{}  ", pieces(name).join(BETWEEN));
    let indent = start.chars().count();
    for cell in rest {
        let several = pieces(cell);
        match &several[..] {
            [one] => {
                let words = one.split_whitespace().map(str::to_owned);
                wrapped(out, &start, words, " ", width)?;
            }
            _ => wrapped(out, &start, several.into_iter(), BETWEEN, width)?,
        }
        start = " ".repeat(indent);
    }
    Ok(())
}

fn pieces(cell: &Cell) -> Vec<String> {
    let pieces = cell.pieces().into_iter();
    pieces.map(|piece| visible(piece.0)).collect()
}

/// A column. Among numbers, * marks what stands out.
fn column(cells: &Cells, place: usize) -> Column {
    let column = &cells.columns()[place];
    let all = || cells.rows().iter().map(|row| row[place].pieces());
    if !column.is_number() {
        let joined = cells
            .rows()
            .iter()
            .map(|row| pieces(&row[place]).join(BETWEEN));
        return Column::new(column.head(), Align::Left, joined);
    }
    let is_strong = |emphasis: Option<Emphasis>| emphasis == Some(Emphasis::Strong);
    let is_marked = all().flatten().any(|piece| is_strong(piece.1));
    let marked = |(words, emphasis): (&str, Option<Emphasis>)| {
        let mark = match (is_marked, is_strong(emphasis)) {
            (false, _) => "",
            (true, true) => "*",
            (true, false) => " ",
        };
        format!("{}{mark}", visible(words))
    };
    let several = all().any(|pieces| pieces.len() > 1);
    let written: Vec<Vec<String>> = all()
        .map(|pieces| pieces.into_iter().map(marked).collect())
        .collect();
    let widest = written.iter().flatten().map(|piece| piece.chars().count());
    let widest = if several {
        widest.max().unwrap_or(0)
    } else {
        0
    };
    let joined = written.iter().map(|pieces| {
        let pieces = pieces.iter().map(|piece| format!("{piece:>widest$}"));
        pieces.collect::<Vec<_>>().join(" ")
    });
    // Several numbers stand below the start of their heading, one below its end.
    match several {
        true => Column::new(column.head(), Align::Left, joined),
        false => {
            let space = if is_marked { " " } else { "" };
            let head = format!("{}{space}", column.head());
            Column::new(&head, Align::Right, joined)
        }
    }
}

/// Nothing moves the cursor.
pub(super) fn visible(text: &str) -> String {
    let seen = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    text.chars().map(seen).collect()
}
