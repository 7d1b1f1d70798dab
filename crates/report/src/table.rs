use std::fmt::{self, Display, Write};

use crate::{Error, escape::Escaped};

/// Rows of cells under headings.
///
/// ```
/// use lookalike_report::{Cell, TableColumn, Emphasis, Table};
///
/// let table = Table::new(
///     [TableColumn::text("family"), TableColumn::number("recall")],
///     [
///         vec![Cell::new("FastSimilarity"), Cell::new("0.998").emphasis(Emphasis::Strong)],
///         vec!["Universal".into(), 0.971.into()],
///     ],
/// )?
/// .caption("Recall at 0.8");
/// # Ok::<(), lookalike_report::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    caption: Option<String>,
    columns: Vec<TableColumn>,
    rows: Vec<Vec<Cell>>,
}

/// A heading, and how the cells below it are aligned.
#[derive(Clone, Debug, PartialEq)]
pub struct TableColumn {
    head: String,
    number: bool,
}

/// What stands in one place of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    content: Content,
    emphasis: Option<Emphasis>,
}

#[derive(Clone, Debug, PartialEq)]
enum Content {
    Text(String),
    Parts(Vec<Cell>),
}

/// How a cell stands out; each has a sign or a weight beside its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Emphasis {
    /// The one to look at: bold on a tinted ground.
    Strong,
    /// As it should be: with a tick.
    Good,
    /// Not as it should be: with a cross.
    Bad,
    /// Of less interest: pale.
    Quiet,
}

impl TableColumn {
    /// A column of words, aligned left.
    #[must_use]
    pub fn text(head: impl Into<String>) -> Self {
        Self {
            head: head.into(),
            number: false,
        }
    }

    /// A column of numbers, aligned right with digits of one width.
    #[must_use]
    pub fn number(head: impl Into<String>) -> Self {
        Self {
            head: head.into(),
            number: true,
        }
    }

    /// The heading.
    #[must_use]
    pub fn head(&self) -> &str {
        &self.head
    }

    /// Whether its cells are numbers, aligned right.
    #[must_use]
    pub fn is_number(&self) -> bool {
        self.number
    }

    fn class(&self) -> &'static str {
        if self.number { " class=\"number\"" } else { "" }
    }
}

impl Cell {
    /// A cell with the text of a value.
    #[must_use]
    pub fn new(value: impl Display) -> Self {
        Self {
            content: Content::Text(value.to_string()),
            emphasis: None,
        }
    }

    /// A cell of several values side by side, each of which may stand out.
    #[must_use]
    pub fn parts(parts: impl IntoIterator<Item = Self>) -> Self {
        Self {
            content: Content::Parts(parts.into_iter().collect()),
            emphasis: None,
        }
    }

    /// The texts of the cell, each with how it stands out: one, or those of its parts.
    #[must_use]
    pub fn pieces(&self) -> Vec<(&str, Option<Emphasis>)> {
        match &self.content {
            Content::Text(text) => vec![(text, self.emphasis)],
            Content::Parts(parts) => parts.iter().flat_map(Self::pieces).collect(),
        }
    }

    /// The cell, standing out.
    #[must_use]
    pub fn emphasis(mut self, emphasis: Emphasis) -> Self {
        self.emphasis = Some(emphasis);
        self
    }
}

impl<T: Display> From<T> for Cell {
    fn from(value: T) -> Self {
        Self::new(value)
    }
}

impl Table {
    /// A table; every row must have a cell for each column.
    pub fn new(
        columns: impl IntoIterator<Item = TableColumn>,
        rows: impl IntoIterator<Item = Vec<Cell>>,
    ) -> Result<Self, Error> {
        let columns: Vec<TableColumn> = columns.into_iter().collect();
        let rows: Vec<Vec<Cell>> = rows.into_iter().collect();
        match rows.iter().position(|cells| cells.len() != columns.len()) {
            Some(row) => Err(Error::Cells {
                row,
                cells: rows[row].len(),
                columns: columns.len(),
            }),
            None => Ok(Self {
                caption: None,
                columns,
                rows,
            }),
        }
    }

    /// The table with a line that says what it shows.
    #[must_use]
    pub fn caption(mut self, text: impl Into<String>) -> Self {
        self.caption = Some(text.into());
        self
    }

    /// The line that says what it shows.
    #[must_use]
    pub fn caption_text(&self) -> Option<&str> {
        self.caption.as_deref()
    }

    /// The headings.
    #[must_use]
    pub fn columns(&self) -> &[TableColumn] {
        &self.columns
    }

    /// The cells, row by row.
    #[must_use]
    pub fn rows(&self) -> &[Vec<Cell>] {
        &self.rows
    }

    pub(crate) fn write(&self, out: &mut String) -> fmt::Result {
        writeln!(out, "<div class=\"scroll\" tabindex=\"0\"><table>")?;
        if let Some(caption) = &self.caption {
            let caption = Escaped(caption);
            writeln!(out, "<caption><span>{caption}</span></caption>")?;
        }
        write!(out, "<thead><tr>")?;
        for column in &self.columns {
            let head = Escaped(&column.head);
            write!(out, "<th scope=\"col\"{}>{head}</th>", column.class())?;
        }
        writeln!(out, "</tr></thead>\n<tbody>")?;
        for row in &self.rows {
            write!(out, "<tr>")?;
            for (cell, column) in row.iter().zip(&self.columns) {
                write!(out, "<td{}>", column.class())?;
                cell.write(out)?;
                write!(out, "</td>")?;
            }
            writeln!(out, "</tr>")?;
        }
        writeln!(out, "</tbody></table></div>")
    }
}

impl Cell {
    fn write(&self, out: &mut String) -> fmt::Result {
        let (before, after) = match self.emphasis {
            None => ("", ""),
            Some(Emphasis::Strong) => ("<strong>", "</strong>"),
            Some(Emphasis::Good) => ("<span class=\"good\">✓ ", "</span>"),
            Some(Emphasis::Bad) => ("<span class=\"bad\">✗ ", "</span>"),
            Some(Emphasis::Quiet) => ("<span class=\"quiet\">", "</span>"),
        };
        out.push_str(before);
        match &self.content {
            Content::Text(text) => write!(out, "{}", Escaped(text))?,
            Content::Parts(parts) => {
                for part in parts {
                    write!(out, "<span class=\"part\">")?;
                    part.write(out)?;
                    write!(out, "</span> ")?;
                }
            }
        }
        out.push_str(after);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_out_one_by_one() {
        let strong = Cell::new("<").emphasis(Emphasis::Strong);
        let mut out = String::new();
        Cell::parts([1.into(), strong]).write(&mut out).unwrap();
        assert_eq!(
            out,
            "<span class=\"part\">1</span> <span class=\"part\"><strong>&lt;</strong></span> "
        );
    }

    #[test]
    fn what_was_given_can_be_read() {
        let parts = Cell::parts([1.into(), Cell::new("b").emphasis(Emphasis::Good)]);
        let columns = [TableColumn::number("n"), TableColumn::text("t")];
        let table = Table::new(columns, [vec![parts, "c".into()]]).unwrap();
        let pieces = table.rows()[0][0].pieces();
        assert_eq!(pieces, [("1", None), ("b", Some(Emphasis::Good))]);
        assert_eq!(table.rows()[0][1].pieces(), [("c", None)]);
        let heads = table.columns().iter().map(|it| (it.head(), it.is_number()));
        assert!(heads.eq([("n", true), ("t", false)]));
        assert_eq!(table.caption_text(), None);
        assert_eq!(table.caption("what").caption_text(), Some("what"));
    }

    #[test]
    fn a_row_with_a_cell_too_many_is_refused() {
        let rows = [vec!["a".into()], vec!["b".into(), 1.into()]];
        let refused = Table::new([TableColumn::text("x")], rows).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "row 1 has 2 cells, but the table has 1 columns"
        );
    }
}
