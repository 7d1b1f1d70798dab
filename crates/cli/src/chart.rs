//! S-curves drawn in the terminal.
//!
//! Marks in a grid of characters, because each curve needs a mark of its own:
//! Braille dots would be finer, but all curves would look the same without
//! colour. A column is a whole fraction of a tenth wide, so that the labels of
//! the axis stand exactly where they say.

use std::fmt;

use crate::number;
use crate::s_curve::SCurve;

/// The usual title: what the vertical axis shows.
pub(crate) const CANDIDATE: &str = "probability of a candidate";
/// One mark per curve.
pub(crate) const MARKS: [char; 12] = ['●', '○', '▲', '△', '■', '□', '◆', '◇', '★', '☆', '+', '×'];
const GUIDE: char = '┊';
/// The rows between two labels of the vertical axis, and the labels.
const LABEL_EVERY: usize = 4;
const LABELS: [&str; 5] = ["1.00", "0.75", "0.50", "0.25", "0.00"];
const BOTTOM: usize = LABEL_EVERY * (LABELS.len() - 1);
/// A label, the axis, and half of the last label of the horizontal axis.
const GUTTER: usize = 8;

/// The mark of points that were measured.
const POINT: char = '×';

/// What a chart draws: a probability over t, and perhaps points next to it.
pub(crate) trait Curve {
    /// What the curve is.
    fn label(&self) -> &str;
    /// The probability at `t`.
    fn height(&self, t: f64) -> f64;
    /// Points (t, probability) over the curve, and what they are.
    fn points(&self) -> Option<(&str, &[(f64, f64)])> {
        None
    }
}

impl Curve for SCurve {
    fn label(&self) -> &str {
        &self.label
    }

    fn height(&self, t: f64) -> f64 {
        self.at(t).candidate
    }
}

/// The curves over t from 0 to 1, or over distances.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chart<'a, C = SCurve> {
    /// At most as many as there are [`MARKS`].
    pub(crate) curves: &'a [C],
    /// Vertical lines at these places on the axis.
    pub(crate) guides: &'a [f64],
    /// What the vertical lines are.
    pub(crate) guides_label: &'a str,
    /// What the vertical axis shows.
    pub(crate) title: &'a str,
    /// What the horizontal axis shows.
    pub(crate) axis: &'a str,
    /// The right end of the horizontal axis: 1 for a probability or similarity. Curves are drawn over shares of it.
    pub(crate) most: f64,
    pub(crate) width: usize,
}

impl<C: Curve> Chart<'_, C> {
    /// The columns of a tenth.
    fn tenth(&self) -> usize {
        (self.width.saturating_sub(GUTTER) / 10).max(1)
    }

    fn grid(&self) -> Vec<Vec<char>> {
        let last = 10 * self.tenth();
        let mut grid = vec![vec![' '; last + 1]; BOTTOM + 1];
        for &t in self.guides {
            let column = (t / self.most * last as f64).round() as usize;
            grid.iter_mut()
                .for_each(|row| row[column.min(last)] = GUIDE);
        }
        // The first curve last: it lies on top where curves meet.
        for (curve, mark) in self.curves.iter().zip(MARKS).rev() {
            let p = |column: usize| curve.height(column as f64 / last as f64);
            let height = |column| ((1.0 - p(column)) * BOTTOM as f64).round() as usize;
            for column in 0..=last {
                let row = height(column);
                // A rise of several rows within a column is drawn as a line.
                let before = height(column.saturating_sub(1)).max(row + 1);
                grid[row..before]
                    .iter_mut()
                    .for_each(|row| row[column] = mark);
            }
        }
        let points = self.curves.iter().filter_map(Curve::points);
        for &(t, p) in points.flat_map(|(_, points)| points) {
            let place =
                |share: f64, last: usize| (share.clamp(0.0, 1.0) * last as f64).round() as usize;
            grid[place(1.0 - p, BOTTOM)][place(t, last)] = POINT;
        }
        grid
    }

    fn horizontal_axis(&self) -> (String, String) {
        let tenth = self.tenth();
        let line = (0..=10 * tenth).map(|column| if column % tenth == 0 { '┬' } else { '─' });
        let label = |tenths: usize| {
            let number = number::plain(self.most * tenths as f64 / 10.0);
            match self.most == 1.0 {
                true => format!("{number:.1}"),
                false => number.to_string(),
            }
        };
        // Labels have a space between them.
        let widest = (0..=10).map(|it| label(it).len()).max().unwrap_or(0);
        let fits = |every: &usize| every * tenth > widest;
        let every = [1, 2, 5, 10].into_iter().find(fits).unwrap_or(10);
        let mut labels = String::new();
        for tenths in (0..=10).step_by(every) {
            let text = label(tenths);
            // Centred under its tick; the line of labels begins one column to the left of the first.
            let start = (1 + tenths * tenth).saturating_sub((text.len() - 1) / 2);
            labels += &" ".repeat(start.saturating_sub(labels.len()));
            labels += &text;
        }
        (line.collect(), labels)
    }

    fn legend(&self) -> Vec<String> {
        let curves = self.curves.iter().zip(MARKS);
        let mut entries: Vec<String> = curves
            .map(|(curve, mark)| format!("{mark} {}", curve.label()))
            .collect();
        let points = self.curves.iter().filter_map(Curve::points);
        entries.extend(points.map(|(label, _)| format!("{POINT} {label}")));
        if !self.guides.is_empty() {
            entries.push(format!("{GUIDE} {}", self.guides_label));
        }
        let mut lines: Vec<String> = Vec::new();
        for entry in entries {
            let length = |text: &str| text.chars().count();
            match lines.last_mut() {
                Some(line) if length(line) + 3 + length(&entry) + 6 <= self.width => {
                    *line += "   ";
                    *line += &entry;
                }
                _ => lines.push(entry),
            }
        }
        lines
    }
}

impl<C: Curve> fmt::Display for Chart<'_, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.title)?;
        for (i, row) in self.grid().into_iter().enumerate() {
            let (label, axis) = match i % LABEL_EVERY {
                0 => (LABELS[i / LABEL_EVERY], '┤'),
                _ => ("", '│'),
            };
            let row: String = row.into_iter().collect();
            writeln!(f, "{label:>4} {axis}{}", row.trim_end())?;
        }
        let (line, labels) = self.horizontal_axis();
        writeln!(f, "     └{line}")?;
        writeln!(f, "     {labels}")?;
        writeln!(f, "{:>1$}", self.axis, 7 + 10 * self.tenth())?;
        writeln!(f)?;
        for line in self.legend() {
            writeln!(f, "      {line}")?;
        }
        Ok(())
    }
}
