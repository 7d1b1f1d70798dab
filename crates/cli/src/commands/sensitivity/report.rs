//! The promise after each step, with its curve.

use std::io::Write;

use lookalike::search::Table as Parameters;
use lookalike::{CascadeStage, Scheme, Sensitivity};
use serde::Serialize;

use super::asked::Asked;
use crate::chart::{Chart, Curve, MARKS};
use crate::commands::families::shown;
use crate::number;
use crate::output::{Output, wrapped};
use crate::table::{Align, Column, Table};
use crate::usage::Usage;

/// Parts of the axis at which the promise is drawn.
const PARTS: u32 = 200;

/// What a family promises at two distances, step by step.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) family: &'static str,
    pub(super) kind: &'static str,
    /// What d1 and d2 are.
    pub(super) distance: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    item_width: Option<usize>,
    /// Those of the family, and what was given for the distance.
    pub(super) parameters: Parameters,
    #[serde(rename = "amplify")]
    scheme: Scheme,
    pub(super) functions: u32,
    /// One function first.
    pub(super) stages: Vec<Stage>,
    #[serde(skip_serializing_if = "str::is_empty")]
    pub(super) caveat: &'static str,
    /// The right end of the axis.
    #[serde(skip)]
    pub(super) most: f64,
    #[serde(skip)]
    pub(super) items: String,
}

/// What is promised after a step.
#[derive(Debug, Serialize)]
pub(super) struct Stage {
    pub(super) step: String,
    pub(super) functions: u32,
    #[serde(flatten)]
    pub(super) stage: CascadeStage,
    /// Distance, and the probability, at least and at most.
    pub(super) curve: Vec<[f64; 3]>,
}

impl Stage {
    pub(super) fn sensitivity(&self) -> Sensitivity {
        self.stage.sensitivity
    }
}

impl Report {
    pub(super) fn new(asked: &Asked<'_>) -> anyhow::Result<Self> {
        let Asked {
            promised,
            scheme,
            d1,
            d2,
            ..
        } = asked;
        let entry = promised.entry;
        let bounds = |scheme: &Scheme, distance| promised.bounds(scheme, distance);
        let stages = CascadeStage::all(scheme, *d1, *d2, bounds)?;
        if let Some(step) = scheme.steps().get(stages.len().wrapping_sub(1)) {
            return Err(Usage(format!(
                "{} promises nothing under {scheme}: its functions cannot be combined by {step} there",
                entry.name
            ))
            .into());
        }
        let most = asked.largest.unwrap_or_else(|| round_up(1.5 * d2));
        let distances = distances(most, asked.is_whole, promised.item_width);
        let stage = |stage: CascadeStage| {
            let at = |&distance: &f64| {
                let bounds = promised.bounds(&stage.scheme, distance)?;
                Some([distance, bounds.lower().value(), bounds.upper().value()])
            };
            Stage {
                step: stage.step(),
                functions: stage.scheme.functions(),
                curve: distances.iter().filter_map(at).collect(),
                stage,
            }
        };
        let mut parameters = entry.own_parameters();
        parameters.extend(promised.parameters.clone());
        Ok(Self {
            family: entry.name,
            kind: entry.kind,
            distance: asked.distance.clone(),
            item_width: promised.item_width,
            parameters,
            scheme: scheme.clone(),
            functions: scheme.functions(),
            stages: stages.into_iter().map(stage).collect(),
            caveat: entry.caveat,
            most,
            items: promised.items(),
        })
    }

    /// What the whole cascade promises.
    pub(super) fn last(&self) -> Sensitivity {
        self.stages[self.stages.len() - 1].sensitivity()
    }

    /// In words: `universal over texts`.
    pub(super) fn title(&self) -> String {
        format!("{} over {}", self.family, self.items)
    }

    /// What to know of these numbers.
    pub(super) fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let last = self.last();
        if last.p1() <= last.p2() {
            notes.push(
                "p1 is not above p2: at these distances nothing is promised that tells close items from far ones."
                    .to_owned(),
            );
        }
        if !self.caveat.is_empty() {
            notes.push(self.caveat.to_owned());
        }
        notes
    }

    /// The report as text.
    pub(super) fn write(&self, output: Output, out: &mut impl Write) -> anyhow::Result<()> {
        let width = output.width();
        let said = |out: &mut _, text: &str| {
            wrapped(out, "", text.split(' ').map(str::to_owned), " ", width)
        };
        let (d1, d2) = (self.last().d1(), self.last().d2());
        let given = match self.parameters.is_empty() {
            true => String::new(),
            false => format!("; {}", shown(&self.parameters)),
        };
        let head = format!("{}, by {}{given}", self.title(), self.distance);
        said(out, &head)?;
        let meaning = format!(
            "Items at most d1 = {d1} apart agree with probability p1 or more, items at least d2 = {d2} apart with probability p2 or less."
        );
        said(out, &meaning)?;
        let columns = self.columns();
        write!(out, "\n{}\n", Table { columns, width })?;
        let one = number::sensitivity(self.stages[0].sensitivity());
        said(out, &format!("One function is {one}-sensitive."))?;
        if self.stages.len() > 1 {
            let all = number::sensitivity(self.last());
            let count = self.functions;
            said(
                out,
                &format!("All {count} functions together are {all}-sensitive."),
            )?;
        }
        said(
            out,
            "ρ = ln p1 / ln p2, less is better; an AND of independent functions does not change it.",
        )?;
        for note in self.notes() {
            said(out, &note)?;
        }
        if !output.no_chart {
            let curves: Vec<Line<'_>> = self.stages.iter().map(Line).collect();
            let chart = Chart {
                curves: &curves,
                guides: &[d1, d2],
                guides_label: &format!("d1 = {d1}, d2 = {d2}"),
                title: "probability that two items agree",
                axis: &self.distance,
                most: self.most,
                width,
            };
            write!(out, "\n{chart}")?;
        }
        Ok(())
    }

    fn columns(&self) -> Vec<Column> {
        let stages = || self.stages.iter();
        let column = |head: &str, cell: fn(Sensitivity) -> String| {
            let cells = stages().map(|stage| cell(stage.sensitivity()));
            Column::new(head, Align::Left, cells)
        };
        let marks = stages().zip(MARKS.into_iter().cycle());
        let names = marks.map(|(stage, mark)| format!("{mark} {}", stage.step));
        let functions = stages().map(|stage| stage.functions.to_string());
        vec![
            Column::new("  step", Align::Left, names),
            Column::new("functions", Align::Right, functions),
            column("p1", |it| shared(it.p1())),
            column("p2", |it| shared(it.p2())),
            column("p1 − p2", |it| {
                let apart = format!("{:.5}", it.p1().value() - it.p2().value());
                match &*apart {
                    "-0.00000" => "0.00000".into(),
                    _ => apart.replace('-', "−"),
                }
            }),
            column("ρ", |it| number::rho(it.rho())),
        ]
    }
}

/// A stage as a curve: its lower bound.
struct Line<'a>(&'a Stage);

impl Curve for Line<'_> {
    fn label(&self) -> &str {
        &self.0.step
    }

    fn height(&self, t: f64) -> f64 {
        let last = self.0.curve.len().saturating_sub(1);
        let nearest = self.0.curve.get((t * last as f64).round() as usize);
        nearest.map_or(0.0, |at| at[1])
    }
}

fn shared(p: lookalike::Probability) -> String {
    number::probability(p.value(), p.complement().value())
}

/// Distances from 0 to the largest at which something is promised exactly, if that is known: whole numbers, or shares of
/// the squares of a grid.
fn distances(most: f64, is_whole: bool, item_width: Option<usize>) -> Vec<f64> {
    let parts = |parts: f64| (0..=PARTS).map(move |i| parts * f64::from(i) / f64::from(PARTS));
    let mut all: Vec<f64> = match (is_whole, item_width) {
        (true, _) => parts(most).map(f64::round).collect(),
        (false, Some(width)) if most == 1.0 => {
            let width = width as f64;
            parts(width).map(|it| it.round() / width).collect()
        }
        _ => parts(most).collect(),
    };
    all.dedup();
    all
}

/// A round number that is not below another.
fn round_up(x: f64) -> f64 {
    let unit = 10f64.powf(x.log10().floor()) / 2.0;
    number::plain((x / unit).ceil() * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_axes_are_round() {
        assert_eq!([36.0, 3.0, 1.2, 0.3].map(round_up), [40.0, 3.0, 1.5, 0.3]);
    }

    #[test]
    fn distances_have_exact_promises() {
        assert_eq!(distances(8.0, true, Some(8)).len(), 9);
        assert_eq!(distances(4.0, false, None).len(), 201);
        let shares = distances(1.0, false, Some(3));
        assert_eq!(shares, [0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0]);
    }
}
