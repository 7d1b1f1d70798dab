//! The steps of a calculation below each other in one picture.

use std::fmt;

use super::{head, style};
use crate::number::place;
use crate::sheet::{BOLD, LINE, Sheet, Size, TEXT, text};
use crate::width::{ems, fitted, wrap};
use crate::{Block, Cell, Emphasis, Error, Step, Steps, Table};

/// The most rows of a table: more is not one picture any more.
const ROWS: usize = 40;
/// The most room of a cell, in ems, and the gap between columns.
const CELL: f64 = 44.0;
const GAP: f64 = 18.0;
/// The gap between parts of a cell, and the width at which they go on below.
const PART: f64 = 8.0;
const PARTS: f64 = 460.0;
/// Fonts are wider than the estimate where the first choice is missing.
const ROOM: f64 = 1.06;
/// Above the heading of a step, and below what it shows.
const ABOVE: f64 = 26.0;
const BELOW: f64 = 8.0;

/// The picture as a file of its own.
pub(crate) fn board(steps: &Steps, title: &str, note: &str) -> Result<String, Error> {
    let mut width = Size::Wide.width();
    for block in steps.steps().iter().flat_map(Step::blocks) {
        match block {
            Block::Table(table) if table.rows().len() > ROWS => {
                let rows = format!("{} rows long", table.rows().len());
                return Err(Error::parameter("a table", rows, "of at most 40 rows"));
            }
            Block::Table(table) => width = width.max(widths(table).iter().sum()),
            Block::Drawing(_) => {}
            _ => {
                let expected = "a table or a drawing, where all steps are one picture";
                return Err(Error::parameter("a block", "of another kind", expected));
            }
        }
    }
    const TAKEN: &str = "a string takes whatever is written";
    let (mut inner, mut out) = (String::new(), String::new());
    let height = write(steps, &mut inner, width, title, note).expect(TAKEN);
    let titles: Vec<&str> = steps.steps().iter().map(Step::title).collect();
    let sheet = Sheet {
        id: "steps",
        size: Size::Wide,
        width,
        height,
        title,
        text: &format!("{note} Steps: {}.", titles.join("; ")),
        attributes: "",
    };
    sheet.open(&mut out, Some(&style())).expect(TAKEN);
    Ok(out + &inner + "</svg>\n")
}

/// Writes all steps; where they end.
fn write(
    steps: &Steps,
    out: &mut String,
    width: f64,
    title: &str,
    note: &str,
) -> Result<f64, fmt::Error> {
    let mut y = head(out, width, title, note)?;
    for (place, step) in (1..).zip(steps.steps()) {
        y += ABOVE;
        text(out, "step", 0.0, y, &format!("{place}  {}", step.title()))?;
        y += 4.0;
        for paragraph in step.paragraphs() {
            // Lines of text are read more easily if they are not as wide as a wide table.
            for line in wrap(paragraph, Size::Wide.width() / TEXT) {
                y += LINE;
                text(out, "note", 0.0, y - 4.0, &line)?;
            }
        }
        for block in step.blocks() {
            y = match block {
                Block::Table(table) => rows(table, out, y + 4.0)?,
                Block::Drawing(drawing) => drawing.panels(out, Size::Wide, y + 12.0)?,
                _ => y,
            };
        }
        y += BELOW;
    }
    Ok(y)
}

/// The sign before a cell that stands out, and its style.
fn sign(emphasis: Option<Emphasis>) -> (&'static str, &'static str) {
    match emphasis {
        None => ("", ""),
        Some(Emphasis::Strong) => ("", "strong"),
        Some(Emphasis::Good) => ("✓ ", "good"),
        Some(Emphasis::Bad) => ("✗ ", "bad"),
        Some(Emphasis::Quiet) => ("", "note"),
    }
}

/// The texts of a cell with their styles and widths.
fn pieces(cell: &Cell) -> Vec<(String, &'static str, f64)> {
    let piece = |(words, emphasis): (&str, Option<Emphasis>)| {
        let (before, class) = sign(emphasis);
        let words = format!("{before}{}", fitted(words, CELL));
        let bold = if class == "strong" { BOLD } else { 1.0 };
        let wide = ems(&words) * TEXT * bold * ROOM;
        (words, class, wide)
    };
    cell.pieces().into_iter().map(piece).collect()
}

/// The pieces of a cell in lines: many parts do not make the picture wider.
fn lines(cell: &Cell) -> Vec<Vec<(String, &'static str, f64)>> {
    let mut lines = vec![Vec::new()];
    let mut used = 0.0;
    for piece in pieces(cell) {
        if used > 0.0 && used + piece.2 > PARTS {
            lines.push(Vec::new());
            used = 0.0;
        }
        used += piece.2 + PART;
        lines.last_mut().expect("there is one").push(piece);
    }
    lines
}

fn wide(cell: &Cell) -> f64 {
    let line = |pieces: &Vec<(String, &str, f64)>| {
        let gaps = pieces.len().saturating_sub(1) as f64 * PART;
        pieces.iter().map(|piece| piece.2).sum::<f64>() + gaps
    };
    lines(cell).iter().map(line).fold(0.0, f64::max)
}

/// The width of each column, the gap after it included.
fn widths(table: &Table) -> Vec<f64> {
    let columns = table.columns().iter().enumerate();
    columns
        .map(|(place, column)| {
            let cells = table.rows().iter().map(|row| wide(&row[place]));
            let head = ems(column.head()) * TEXT * ROOM;
            cells.fold(head, f64::max) + GAP
        })
        .collect()
}

/// Writes a table below y; where it ends.
fn rows(table: &Table, out: &mut String, y: f64) -> Result<f64, fmt::Error> {
    let widths = widths(table);
    let mut y = y;
    if let Some(caption) = table.caption_text() {
        y += LINE;
        text(out, "strong", 0.0, y - 4.0, caption)?;
    }
    y += LINE;
    let mut x = 0.0;
    for (column, width) in table.columns().iter().zip(&widths) {
        match column.is_number() {
            true => text(out, "note end", x + width - GAP, y - 4.0, column.head())?,
            false => text(out, "note", x, y - 4.0, column.head())?,
        }
        x += width;
    }
    let (from, to, level) = (place(0.0), place(x - GAP), place(y + 2.0));
    *out += &format!("<path class=\"base\" d=\"M{from} {level}H{to}\"/>\n");
    y += 4.0;
    for row in table.rows() {
        let mut x = 0.0;
        let mut tallest = 1;
        for ((cell, column), width) in row.iter().zip(table.columns()).zip(&widths) {
            let is_number = column.is_number();
            let lines = lines(cell);
            tallest = tallest.max(lines.len());
            for (pieces, base) in lines
                .into_iter()
                .zip((1..).map(|line| y + LINE * f64::from(line) - 4.0))
            {
                let is_one = pieces.len() == 1;
                let mut at = match is_number {
                    true => x + width - GAP - wide(cell),
                    false => x,
                };
                for (words, class, wide) in pieces {
                    match is_number && is_one {
                        // Digits meet at the right border, whatever the font.
                        true => {
                            let class = format!("{class} end value");
                            text(out, class.trim(), x + width - GAP, base, &words)?;
                        }
                        false => text(out, class, at, base, &words)?,
                    }
                    at += wide + PART;
                }
            }
            x += width;
        }
        y += LINE * tallest as f64;
    }
    Ok(y + 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Drawing, Facts, Panel, TableColumn};

    fn table(rows: usize) -> Table {
        let columns = [TableColumn::text("name"), TableColumn::number("value")];
        let row = |i: usize| {
            let cell = Cell::new(i).emphasis(Emphasis::Good);
            vec![Cell::parts([Cell::new("a"), "<b>".into()]), cell]
        };
        Table::new(columns, (0..rows).map(row)).unwrap()
    }

    #[test]
    fn all_steps_are_in_the_picture() {
        let panel = Panel::new("P", (0.0, 0.0), (1.0, 1.0)).unwrap();
        let steps = Steps::new()
            .step(Step::new("One & only").text("some words").block(table(3)))
            .step(Step::new("Two").block(Drawing::new("D", [panel.dot((0.5, 0.5), "x", 0)])));
        let svg = steps.svg("Title", "note").unwrap();
        for part in [
            ">1  One &amp; only</text>",
            ">some words</text>",
            "✓ 2</text>",
            "&lt;b&gt;",
            ">2  Two</text>",
            ">x</text>",
            "width=\"760\"",
        ] {
            assert!(svg.contains(part), "{part}: {svg}");
        }
        assert_eq!(svg, steps.svg("Title", "note").unwrap());
    }

    #[test]
    fn a_wide_table_makes_the_picture_wider() {
        let columns = (0..12).map(|i| TableColumn::text(format!("a long heading {i}")));
        let table = Table::new(columns, [vec![Cell::new("x"); 12]]).unwrap();
        let svg = Steps::new().step(Step::new("Wide").block(table));
        let svg = svg.svg("", "").unwrap();
        let width = svg.split(" width=\"").nth(1).unwrap();
        let width: f64 = width.split('"').next().unwrap().parse().unwrap();
        assert!(width > 1200.0, "{width}");
    }

    #[test]
    fn many_parts_go_on_below() {
        let many = Cell::parts((100..200).map(Cell::new));
        let columns = [TableColumn::text("few"), TableColumn::text("many")];
        let table = Table::new(columns, [vec!["x".into(), many.clone()]]).unwrap();
        assert!(lines(&many).len() > 4);
        assert!(widths(&table).iter().sum::<f64>() < Size::Wide.width());
        let svg = Steps::new().step(Step::new("").block(table)).svg("", "");
        let svg = svg.unwrap();
        assert!(svg.contains(">199</text>") && svg.contains("width=\"760\""));
    }

    #[test]
    fn what_is_not_one_picture_is_refused() {
        let long = Steps::new().step(Step::new("").block(table(41)));
        let refused = long.svg("", "").unwrap_err().to_string();
        assert_eq!(
            refused,
            "a table is 41 rows long, but must be of at most 40 rows"
        );
        let facts = Steps::new().step(Step::new("").block(Facts::new()));
        assert!(facts.svg("", "").is_err());
    }
}
