//! The bands and rows that were chosen, and what to expect of them.

use std::io::Write;

use lookalike::Probability;
use lookalike::tune::{Avoid, Tuned};
use serde::Serialize;

use crate::chart::Chart;
use crate::number;
use crate::output::Output;
use crate::s_curve::{Point, SCurve};
use crate::table::{Align, Column, Table};

/// A banding, why it was chosen, and its curve around the threshold.
#[derive(Debug, Serialize)]
pub(super) struct Choice {
    threshold: f64,
    rare: f64,
    budget: u32,
    #[serde(flatten)]
    wish: Wish,
    #[serde(flatten)]
    plan: Tuned,
    functions: u32,
    rule_threshold: f64,
    curve: Vec<Point>,
}

/// What the user asked for beside the threshold.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Wish {
    /// This share of the pairs at the threshold.
    WantedRecall(f64),
    /// The whole budget, on this side of the threshold.
    Avoid(Avoid),
}

impl Choice {
    /// The choice that `plan` is.
    pub(super) fn new(threshold: f64, rare: f64, budget: u32, wish: Wish, plan: Tuned) -> Self {
        let curve = SCurve::from(plan.banding);
        let nearby = |by: f64| number::plain(threshold + by).clamp(0.0, 1.0);
        let mut around = vec![nearby(-0.1), threshold, nearby(0.1)];
        around.dedup();
        Self {
            threshold,
            rare,
            budget,
            wish,
            plan,
            functions: plan.banding.functions(),
            rule_threshold: plan.banding.threshold(),
            curve: around.into_iter().map(|t| curve.at(t)).collect(),
        }
    }

    /// The choice as text.
    pub(super) fn write(&self, output: Output, out: &mut impl Write) -> anyhow::Result<()> {
        let Self {
            threshold,
            rare,
            budget,
            plan,
            functions,
            ..
        } = self;
        let width = output.width();
        writeln!(
            out,
            "{}: {functions} functions of at most {budget}\n",
            plan.banding
        )?;

        // Sentences do not go on below.
        let (columns, whole) = (self.facts(), usize::MAX);
        write!(
            out,
            "{}",
            Table {
                columns,
                width: whole
            }
        )?;
        let ts: Vec<f64> = self.curve.iter().map(|point| point.t).collect();
        let mut columns = vec![Column::new("similarity", Align::Left, number::column(&ts))];
        columns.extend(Point::columns(&self.curve));
        write!(out, "\n{}", Table { columns, width })?;

        if !output.no_chart {
            let curves = [SCurve::from(plan.banding)];
            let chart = Chart {
                curves: &curves,
                guides: &[*threshold, *rare],
                guides_label: &format!("threshold {threshold}, rare {rare}"),
                axis: "similarity",
                width,
            };
            write!(out, "\n{chart}")?;
        }
        Ok(())
    }

    fn facts(&self) -> Vec<Column> {
        let Self {
            threshold,
            rare,
            plan,
            ..
        } = self;
        let asked = match self.wish {
            Wish::WantedRecall(recall) => format!("asked: {recall}"),
            Wish::Avoid(Avoid::FalseNegatives) => "avoid false negatives".into(),
            Wish::Avoid(Avoid::FalsePositives) => "avoid false positives".into(),
        };
        let share = |p: Probability| number::probability(p.value(), p.complement().value());
        let names = ["recall", "false candidates", "rule threshold"].map(String::from);
        let values = [
            share(plan.recall),
            share(plan.false_candidates),
            number::place(self.rule_threshold),
        ];
        let meanings = [
            format!("of the pairs at {threshold} become candidates ({asked})"),
            format!("of the pairs at {rare} become candidates"),
            "(1/bands)^(1/rows), the middle of the rise".into(),
        ];
        [names, values, meanings]
            .map(|cells| Column::new("", Align::Left, cells))
            .into()
    }
}
