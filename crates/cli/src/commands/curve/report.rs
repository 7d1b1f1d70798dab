//! The curves of several schemes, side by side.

use std::io::Write;

use serde::Serialize;

use crate::chart::{CANDIDATE, Chart, MARKS};
use crate::number;
use crate::output::Output;
use crate::s_curve::{Errors, Point, Rise, SCurve};
use crate::table::{Align, Column, Table};

const INTRODUCTION: &str = "\
The probability that a pair becomes a candidate, by t: the probability that
one function agrees; for minhash, the Jaccard similarity.
";

/// What is said of each scheme; at least one.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    schemes: Vec<Entry>,
}

#[derive(Debug, Serialize)]
struct Entry {
    #[serde(flatten)]
    scheme: SCurve,
    functions: u32,
    /// Only a banding has a rule of thumb for where its curve rises.
    #[serde(flatten)]
    rise: Option<Rise>,
    /// Against the ideal step, if a threshold is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    errors: Option<Errors>,
    curve: Vec<Point>,
    at: Vec<Point>,
}

impl Report {
    /// The curves at `steps` and, closer, at `at`.
    pub(super) fn new(
        schemes: Vec<SCurve>,
        steps: &[f64],
        at: &[f64],
        threshold: Option<f64>,
    ) -> Self {
        let entry = |scheme: SCurve| Entry {
            functions: scheme.scheme.functions(),
            rise: scheme.banding.map(Rise::from),
            errors: threshold.map(|threshold| scheme.errors(threshold)),
            curve: steps.iter().map(|t| scheme.at(*t)).collect(),
            at: at.iter().map(|t| scheme.at(*t)).collect(),
            scheme,
        };
        Self {
            schemes: schemes.into_iter().map(entry).collect(),
        }
    }

    /// The curves.
    pub(super) fn curves(&self) -> Vec<SCurve> {
        self.schemes
            .iter()
            .map(|entry| entry.scheme.clone())
            .collect()
    }

    /// The report as text.
    pub(super) fn write(&self, output: Output, out: &mut impl Write) -> anyhow::Result<()> {
        let width = output.width();
        out.write_all(INTRODUCTION.as_bytes())?;
        let columns = self.rises();
        write!(out, "\n{}", Table { columns, width })?;
        if self.schemes[0].errors.is_some() {
            let columns = self.errors();
            write!(out, "\n{}", Table { columns, width })?;
        }
        let columns = self.values();
        write!(out, "\n{}", Table { columns, width })?;
        let at: Vec<f64> = self.schemes[0].at.iter().map(|point| point.t).collect();
        if !at.is_empty() {
            let columns = self.closer(at.len());
            write!(out, "\n{}", Table { columns, width })?;
        }
        if !output.no_chart {
            let guides: Vec<String> = at.iter().map(f64::to_string).collect();
            let chart = Chart {
                curves: &self.curves(),
                guides: &at,
                guides_label: &format!("t = {}", guides.join(", ")),
                axis: "t",
                most: 1.0,
                title: CANDIDATE,
                width,
            };
            write!(out, "\n{chart}")?;
        }
        Ok(())
    }

    fn names(&self) -> impl Iterator<Item = String> {
        let entries = self.schemes.iter().zip(MARKS);
        entries.map(|(entry, mark)| format!("{mark} {}", entry.scheme.label))
    }

    fn rises(&self) -> Vec<Column> {
        let functions = self.schemes.iter().map(|entry| entry.functions.to_string());
        let column = |head: &str, cell: fn(Rise) -> String| {
            let cells = self
                .schemes
                .iter()
                .map(|entry| entry.rise.map_or("–".into(), cell));
            Column::new(head, Align::Right, cells)
        };
        vec![
            Column::new("  scheme", Align::Left, self.names()),
            Column::new("functions", Align::Right, functions),
            column("rule threshold", |rise| number::place(rise.rule_threshold)),
            column("steepest at", |rise| number::place(rise.steepest.t)),
            column("slope", |rise| format!("{:.2}", rise.steepest.slope)),
        ]
    }

    /// The areas between each curve and the ideal step.
    fn errors(&self) -> Vec<Column> {
        let errors = || self.schemes.iter().filter_map(|entry| entry.errors);
        let threshold = errors().next().map_or(0.0, |errors| errors.threshold);
        let head = |what: &str| format!("{what}\nat threshold {threshold}");
        let missed = errors().map(|errors| format!("{:.4}", errors.false_negatives));
        let wrong = errors().map(|errors| format!("{:.4}", errors.false_positives));
        vec![
            Column::new("  areas of errors", Align::Left, self.names()),
            Column::new(&head("false negatives"), Align::Left, missed),
            Column::new(&head("false positives"), Align::Left, wrong),
        ]
    }

    fn values(&self) -> Vec<Column> {
        let ts: Vec<f64> = self.schemes[0].curve.iter().map(|point| point.t).collect();
        let mut columns = vec![Column::new("t", Align::Left, number::column(&ts))];
        columns.extend(self.schemes.iter().zip(self.names()).map(|(entry, name)| {
            let head = name.replace(" × ", "\n  × ").replace(',', ",\n  ");
            let cells = entry.curve.iter();
            let cells = cells.map(|point| number::probability(point.candidate, point.missed));
            Column::new(&head, Align::Left, cells)
        }));
        columns
    }

    /// By t first: schemes are compared at the same t.
    fn closer(&self, at: usize) -> Vec<Column> {
        let all = |i: usize| self.schemes.iter().map(move |entry| entry.at[i]);
        let points: Vec<Point> = (0..at).flat_map(all).collect();
        let ts: Vec<f64> = points.iter().map(|point| point.t).collect();
        let ts = number::column(&ts);
        let names = (0..at).flat_map(|_| self.names());
        // One column, so that both go on below where the table is too wide.
        let head = format!("{:1$}    scheme", "t", ts[0].len());
        let both = ts.iter().zip(names).map(|(t, name)| format!("{t}  {name}"));
        let mut columns = vec![Column::new(&head, Align::Left, both)];
        columns.extend(Point::columns(&points));
        columns
    }
}
