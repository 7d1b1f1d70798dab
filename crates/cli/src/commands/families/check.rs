//! `lookalike families --check`: what is measured, next to what is promised.

use std::io::Write;

use anyhow::bail;
use lookalike::conformance::{Checked, Effort, Measurement, Violation};
use lookalike::search::{Entry, Registry};
use serde_json::json;

use crate::chart::{CANDIDATE, Chart, Curve};
use crate::number::{place, plain};
use crate::output::Plain;
use crate::table::{Align, Column, Table};

/// Checks the families and methods with a name, or all, and writes what was found: of named ones with all numbers.
pub(super) fn run(
    registry: &Registry,
    name: Option<&str>,
    effort: Effort,
    seed: u64,
    output: Plain,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    if let Some(name) = name {
        // Suggests another if there is none.
        registry.named(name, None)?;
    }
    // Also those of kinds that only the library uses.
    let is_wanted = |entry: &&Entry| name.is_none_or(|name| name == entry.name);
    let entries: Vec<&Entry> = registry.entries().iter().filter(is_wanted).collect();
    let mut wrong = 0;
    let mut all = Vec::new();
    for entry in &entries {
        let checked = entry.conformance(effort, seed);
        wrong += usize::from(is_wrong(&checked));
        if output.json {
            all.push(as_json(entry, &checked));
            continue;
        }
        let measure = entry.measures[0].flag;
        let title = format!("{} {} (--{measure})", entry.kind, entry.name);
        writeln!(out, "{title}: {}", verdict(&checked))?;
        // Each takes a while.
        out.flush()?;
        if let (Some(_), Ok(checked)) = (name, &checked) {
            write_measured(checked, output.width(), out)?;
        }
    }
    if output.json {
        serde_json::to_writer_pretty(&mut *out, &json!({ "checked": all }))?;
        writeln!(out)?;
    }
    match wrong {
        0 => Ok(()),
        _ => bail!("{wrong} of {} do not conform", entries.len()),
    }
}

/// Whether a check found something wrong, and did not only lack items.
fn is_wrong(checked: &Result<Checked, Violation>) -> bool {
    !matches!(checked, Ok(_) | Err(Violation::NoSpecimens(_)))
}

fn verdict(checked: &Result<Checked, Violation>) -> String {
    match checked {
        Ok(checked) => {
            let recall = checked.recall.map(|recall| recall.detectable);
            let errors: Vec<String> = [
                ("one function", checked.report.detectable()),
                ("a scheme", checked.report.detectable_of_scheme()),
                ("the recall", recall.filter(|error| *error < 1.0)),
            ]
            .into_iter()
            .filter_map(|(of, error)| Some(format!("of {:.3} in {of}", error?)))
            .collect();
            match errors.is_empty() {
                true => "conforms; nothing is promised that could be measured".into(),
                false => format!(
                    "conforms; errors {} would have been seen",
                    errors.join(" and ")
                ),
            }
        }
        Err(violation @ Violation::NoSpecimens(_)) => format!("not checked: {violation}"),
        Err(violation) => format!("does not conform: {violation}"),
    }
}

fn as_json(entry: &Entry, checked: &Result<Checked, Violation>) -> serde_json::Value {
    let measured = |list: &[Measurement]| -> Vec<serde_json::Value> {
        let one = |it: &Measurement| {
            json!({
                "distance": plain(it.distance),
                "promised": [it.promised.lower(), it.promised.upper()],
                "measured": it.measured,
                "standard_error": it.standard_error,
                "detectable": it.detectable,
            })
        };
        list.iter().map(one).collect()
    };
    let mut found = json!({
        "kind": entry.kind,
        "name": entry.name,
        "measure": entry.measures[0].flag,
        "conforms": checked.is_ok(),
        "verdict": verdict(checked),
    });
    if let Ok(checked) = checked {
        found["scheme"] = checked.scheme.as_ref().map(ToString::to_string).into();
        found["functions"] = measured(&checked.report.functions).into();
        found["pairs"] = measured(&checked.report.pairs).into();
        found["schemes"] = measured(&checked.report.scheme).into();
        found["recall"] = measured(checked.recall.as_slice())
            .into_iter()
            .next()
            .into();
    }
    found
}

/// The promise of a scheme over the distance, as a share of the way from the nearest to the farthest.
struct Promised<'a> {
    label: &'static str,
    heights: Vec<f64>,
    points: &'a [(f64, f64)],
}

impl Curve for Promised<'_> {
    fn label(&self) -> &str {
        self.label
    }

    fn height(&self, t: f64) -> f64 {
        let last = self.heights.len() - 1;
        self.heights[(t * last as f64).round() as usize]
    }

    fn points(&self) -> Option<(&str, &[(f64, f64)])> {
        (!self.points.is_empty()).then_some(("measured", self.points))
    }
}

fn write_measured(checked: &Checked, width: usize, out: &mut impl Write) -> anyhow::Result<()> {
    for (part, list) in [
        ("one function", &checked.report.functions),
        ("one function, one pair in all draws", &checked.report.pairs),
        ("scheme, asked in both directions", &checked.report.scheme),
        (
            "recall of the plan or method that is proposed",
            &checked.recall.into_iter().collect(),
        ),
    ] {
        if !list.is_empty() {
            writeln!(out, "\n{part}")?;
            let columns = columns(list);
            write!(out, "{}", Table { columns, width })?;
        }
    }
    let Some(scheme) = checked
        .scheme
        .as_ref()
        .filter(|_| !checked.promise.is_empty())
    else {
        return Ok(());
    };
    let measured = checked.report.scheme.iter();
    let points: Vec<(f64, f64)> = measured
        .map(|it| {
            let way = checked.farthest - checked.nearest;
            ((it.distance - checked.nearest) / way, it.measured)
        })
        .collect();
    let bound = |label, is_upper: bool, points| Promised {
        label,
        heights: checked
            .promise
            .iter()
            .map(|it| if is_upper { it.upper() } else { it.lower() }.value())
            .collect(),
        points,
    };
    let is_exact = checked.promise.iter().all(|it| it.lower() == it.upper());
    let curves = match is_exact {
        true => vec![bound("promised", false, &points[..])],
        false => vec![
            bound("promised at least", false, &points[..]),
            bound("promised at most", true, &[]),
        ],
    };
    let chart = Chart {
        curves: &curves,
        guides: &[],
        guides_label: "",
        axis: &match checked.nearest == 0.0 {
            true => format!("{scheme}: distance, as a share of {}", checked.farthest),
            false => format!(
                "{scheme}: distance, as a share of the way from {} to {}",
                checked.nearest, checked.farthest
            ),
        },
        most: 1.0,
        title: CANDIDATE,
        width,
    };
    Ok(writeln!(out, "\n{chart}")?)
}

fn columns(list: &[Measurement]) -> Vec<Column> {
    let column = |head: &str, cell: fn(&Measurement) -> String| {
        Column::new(head, Align::Right, list.iter().map(cell))
    };
    vec![
        column("distance", |it| place(it.distance)),
        column("promised", |it| {
            let (lower, upper) = (it.promised.lower().value(), it.promised.upper().value());
            match lower == upper {
                true => format!("{lower:.5}"),
                false => format!("{lower:.5} to {upper:.5}"),
            }
        }),
        column("measured", |it| format!("{:.5}", it.measured)),
        column("±", |it| format!("{:.5}", it.standard_error)),
        column("errors seen from", |it| match it.detectable < 1.0 {
            true => format!("{:.5}", it.detectable),
            false => "–".into(),
        }),
    ]
}
