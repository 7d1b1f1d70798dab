//! The bands and rows that were chosen, and what to expect of them.

use std::io::Write;

use lookalike::search::Table as Parameters;
use lookalike::tune::{Avoid, Tuned};
use lookalike::{Banding, Probability};
use serde::Serialize;

use super::splits::Split;
use super::wanted::{By, Wanted};
use crate::chart::{CANDIDATE, Chart};
use crate::commands::families::shown;
use crate::number;
use crate::output::{Output, wrapped};
use crate::s_curve::{Point, Rise, SCurve};
use crate::table::{Align, Column, Table};

/// A banding, why it was chosen, and its curve around the threshold.
#[derive(Debug, Serialize)]
pub(super) struct Choice {
    pub(super) threshold: f64,
    pub(super) rare: f64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    by: Option<ByMeasure>,
    pub(super) budget: u32,
    #[serde(flatten)]
    wish: Wish,
    #[serde(flatten)]
    pub(super) plan: Tuned,
    pub(super) functions: u32,
    #[serde(flatten)]
    rise: Rise,
    curve: Vec<Nearby>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) splits: Vec<Split>,
    /// Where the threshold and the rare number are on the axis of the curve.
    #[serde(skip)]
    pub(super) guides: [f64; 2],
}

/// A number of the choice, and what it means.
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) value: String,
    pub(super) meaning: String,
}

/// The measure of the threshold, and the family whose promise was tuned.
#[derive(Debug, Serialize)]
struct ByMeasure {
    measure: &'static str,
    family: &'static str,
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    item_width: Option<usize>,
    /// Those of the family.
    #[serde(skip_serializing_if = "Parameters::is_empty")]
    parameters: Parameters,
    /// That one function agrees at the threshold.
    one_function: f64,
    #[serde(skip)]
    name: &'static str,
    #[serde(skip)]
    items: String,
}

/// What the user asked for next to the threshold.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Wish {
    /// The whole budget, on this side of the threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    avoid: Option<Avoid>,
    /// This share of the pairs at the threshold.
    #[serde(skip_serializing_if = "Option::is_none")]
    wanted_recall: Option<f64>,
}

/// The curve at a number near the threshold.
#[derive(Clone, Copy, Debug, Serialize)]
struct Nearby {
    /// The number, if it is not the probability that one function agrees.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<f64>,
    #[serde(flatten)]
    point: Point,
}

impl Wish {
    pub(super) fn recall(recall: f64) -> Self {
        Self {
            avoid: None,
            wanted_recall: Some(recall),
        }
    }

    pub(super) fn avoid(avoid: Avoid, at_least: Option<f64>) -> Self {
        Self {
            avoid: Some(avoid),
            wanted_recall: at_least,
        }
    }
}

impl ByMeasure {
    fn new(by: &By<'_>, p: Probability) -> Self {
        let entry = by.promised.entry;
        Self {
            measure: by.measure.flag,
            family: entry.name,
            kind: entry.kind,
            item_width: by.promised.item_width,
            parameters: by.promised.parameters.clone(),
            one_function: p.value(),
            name: by.measure.name,
            items: by.promised.items(),
        }
    }
}

impl Choice {
    /// The choice that `plan` is.
    pub(super) fn new(
        wanted: &Wanted<'_>,
        budget: u32,
        wish: Wish,
        plan: Tuned,
        splits: Vec<Split>,
    ) -> Self {
        let banding = plan.banding;
        let curve = SCurve::from(banding);
        let is_measured = wanted.by.is_some();
        let lower = |bands, rows, distance| {
            let scheme = Banding::new(bands, rows).map(Banding::scheme);
            let scheme = scheme.expect("no more than the banding has");
            wanted.promise(&scheme, distance).lower()
        };
        let nearby = |(at, distance): (f64, f64)| {
            let candidate = lower(banding.bands(), banding.rows(), distance);
            Nearby {
                at: is_measured.then_some(at),
                point: match is_measured {
                    false => curve.at(at),
                    true => Point {
                        t: lower(1, 1, distance).value(),
                        one_band: lower(1, banding.rows(), distance).value(),
                        candidate: candidate.value(),
                        missed: candidate.complement().value(),
                    },
                },
            }
        };
        let guides = match is_measured {
            false => [wanted.threshold, wanted.rare],
            true => [wanted.near, wanted.far].map(|distance| lower(1, 1, distance).value()),
        };
        Self {
            threshold: wanted.threshold,
            rare: wanted.rare,
            by: wanted.by.as_ref().map(|by| ByMeasure::new(by, wanted.p)),
            budget,
            wish,
            plan,
            functions: banding.functions(),
            rise: banding.into(),
            curve: wanted.around().into_iter().map(nearby).collect(),
            splits,
            guides,
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

        if let Some(said) = self.by_measure() {
            let words = said.split(' ').map(str::to_owned);
            wrapped(out, "", words, " ", width)?;
            writeln!(out)?;
        }
        // Sentences do not go on below.
        let facts = self.facts();
        let column =
            |cell: fn(&Fact) -> String| Column::new("", Align::Left, facts.iter().map(cell));
        let columns = vec![
            column(|fact| fact.name.to_owned()),
            column(|fact| fact.value.clone()),
            column(|fact| fact.meaning.clone()),
        ];
        let whole = usize::MAX;
        write!(
            out,
            "{}",
            Table {
                columns,
                width: whole
            }
        )?;
        write!(
            out,
            "\n{}",
            Table {
                columns: self.nearby(),
                width
            }
        )?;
        if !self.splits.is_empty() {
            let columns = Split::columns(&self.splits, *threshold, *rare);
            write!(out, "\n{}", Table { columns, width })?;
        }

        if !output.no_chart {
            let curves = [SCurve::from(plan.banding)];
            let chart = Chart {
                curves: &curves,
                guides: &self.guides,
                guides_label: &format!("threshold {threshold}, rare {rare}"),
                axis: match &self.by {
                    None => "similarity",
                    Some(_) => "probability that one function agrees",
                },
                most: 1.0,
                title: CANDIDATE,
                width,
            };
            write!(out, "\n{chart}")?;
        }
        Ok(())
    }

    /// How the threshold became the probability that one function agrees, if it did.
    pub(super) fn by_measure(&self) -> Option<String> {
        let by = self.by.as_ref()?;
        let p = number::probability(by.one_function, 1.0 - by.one_function);
        let (family, items, name, threshold) = (by.family, &by.items, by.name, self.threshold);
        let given = match by.parameters.is_empty() {
            true => String::new(),
            false => format!(", with {}", shown(&by.parameters)),
        };
        let mut said = format!(
            "By {family} over {items}{given}: one function agrees with probability {p} at {name} {threshold}."
        );
        let banding = self.plan.banding;
        let independent = SCurve::from(banding).at(by.one_function).candidate;
        if (self.plan.recall.value() - independent).abs() > 1e-9 {
            said += " Functions depend on each other, which the numbers allow for. The curve is that of independent functions.";
        }
        Some(said)
    }

    pub(super) fn facts(&self) -> Vec<Fact> {
        let Self {
            threshold,
            rare,
            plan,
            ..
        } = self;
        let asked = match (self.wish.avoid, self.wish.wanted_recall) {
            (Some(Avoid::FalsePositives), _) => "avoid false positives".into(),
            (Some(Avoid::FalseNegatives), Some(least)) => {
                format!("at least {least}")
            }
            (_, recall) => format!("asked: {}", recall.unwrap_or_default()),
        };
        let share = |p: Probability| number::probability(p.value(), p.complement().value());
        let names = [
            "recall",
            "false candidates",
            "rule threshold",
            "steepest at",
        ];
        let values = [
            share(plan.recall),
            share(plan.false_candidates),
            number::place(self.rise.rule_threshold),
            number::place(self.rise.steepest.t),
        ];
        // 1 − (1 − 1/b)^b, whatever the rows.
        let bands = plan.banding.bands();
        let there = Probability::saturating(f64::from(bands).recip()).any(bands);
        let meanings = [
            format!("of the pairs at {threshold} become candidates ({asked})"),
            format!("of the pairs at {rare} become candidates"),
            format!("(1/bands)^(1/rows): the curve has reached {there:.2} there"),
            format!("where its slope is {:.2}", self.rise.steepest.slope),
        ];
        let facts = names.into_iter().zip(values).zip(meanings);
        let fact = |((name, value), meaning)| Fact {
            name,
            value,
            meaning,
        };
        facts.map(fact).collect()
    }

    /// What happens around the threshold.
    fn nearby(&self) -> Vec<Column> {
        let points: Vec<Point> = self.curve.iter().map(|nearby| nearby.point).collect();
        let ts: Vec<f64> = points.iter().map(|point| point.t).collect();
        let mut columns = match &self.by {
            None => vec![Column::new("similarity", Align::Left, number::column(&ts))],
            Some(by) => {
                let at: Vec<f64> = self.curve.iter().filter_map(|nearby| nearby.at).collect();
                let one = ts.iter().map(|t| number::probability(*t, 1.0 - t));
                vec![
                    Column::new(by.name, Align::Left, number::column(&at)),
                    Column::new("one function", Align::Left, one),
                ]
            }
        };
        columns.extend(Point::columns(&points));
        columns
    }
}
