//! Aligned columns of text.
//!
//! A table wider than the terminal goes on below, with its first column again,
//! rather than breaking its lines.

use std::fmt;

const GAP: &str = "  ";

/// One column: the lines of its heading, and its cells.
#[derive(Clone, Debug)]
pub(crate) struct Column {
    head: Vec<String>,
    cells: Vec<String>,
    align: Align,
}

/// The side on which the cells of a column meet.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Columns with equally many cells.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) width: usize,
}

impl Column {
    /// A column; its heading may have several lines.
    pub(crate) fn new(head: &str, align: Align, cells: impl IntoIterator<Item = String>) -> Self {
        Self {
            head: head.lines().map(str::to_owned).collect(),
            cells: cells.into_iter().collect(),
            align,
        }
    }

    fn width(&self) -> usize {
        let widths = self
            .head
            .iter()
            .chain(&self.cells)
            .map(|s| s.chars().count());
        widths.max().unwrap_or(0)
    }

    /// Headings of fewer lines than `head` stand at the bottom.
    fn cell(&self, line: usize, head: usize) -> String {
        let text = match line.checked_sub(head) {
            Some(row) => self.cells.get(row),
            None => (line + self.head.len())
                .checked_sub(head)
                .and_then(|line| self.head.get(line)),
        };
        let text = text.map_or("", String::as_str);
        let width = self.width();
        match self.align {
            Align::Left => format!("{text:<width$}"),
            Align::Right => format!("{text:>width$}"),
        }
    }
}

impl Table {
    /// Whether it is no wider than it may be.
    pub(crate) fn fits(&self) -> bool {
        let widths = self.columns.iter().map(|column| GAP.len() + column.width());
        widths.sum::<usize>() <= self.width + GAP.len()
    }

    /// The columns after the first, in groups that fit beside it.
    fn blocks<'a>(&self, first: &Column, rest: &'a [Column]) -> Vec<&'a [Column]> {
        let mut blocks = Vec::new();
        let (mut start, mut used) = (0, first.width());
        for (i, column) in rest.iter().enumerate() {
            let needed = GAP.len() + column.width();
            if i > start && used + needed > self.width {
                blocks.push(&rest[start..i]);
                (start, used) = (i, first.width());
            }
            used += needed;
        }
        blocks.push(&rest[start..]);
        blocks
    }
}

impl fmt::Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some((first, rest)) = self.columns.split_first() else {
            return Ok(());
        };
        for (i, block) in self.blocks(first, rest).into_iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            let columns = || std::iter::once(first).chain(block);
            let head = columns().map(|column| column.head.len()).max().unwrap_or(0);
            for line in 0..head + first.cells.len() {
                let cells: Vec<String> = columns().map(|column| column.cell(line, head)).collect();
                writeln!(f, "{}", cells.join(GAP).trim_end())?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn column(head: &str, align: Align, cells: [&str; 2]) -> Column {
        Column::new(head, align, cells.map(str::to_owned))
    }

    #[test]
    fn cells_meet_on_their_side() {
        let columns = vec![
            column("t", Align::Left, ["0", "0.5"]),
            column("two\nlines", Align::Right, ["1", "100"]),
        ];
        let table = Table { columns, width: 80 };
        assert_eq!(
            table.to_string(),
            "       two\nt    lines\n0        1\n0.5    100\n"
        );
    }

    #[test]
    fn what_does_not_fit_goes_on_below() {
        let columns = vec![
            column("t", Align::Left, ["0", "1"]),
            column("aaaa", Align::Left, ["a", "a"]),
            column("bbbb", Align::Left, ["b", "b"]),
            column("far too wide", Align::Left, ["c", "c"]),
        ];
        let narrower = Table {
            columns: columns.clone(),
            width: 12,
        };
        assert!(narrower.to_string().starts_with("t  aaaa\n"));
        let table = Table { columns, width: 13 };
        assert_eq!(
            table.to_string(),
            "t  aaaa  bbbb\n0  a     b\n1  a     b\n\nt  far too wide\n0  c\n1  c\n"
        );
    }
}
