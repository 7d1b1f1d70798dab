//! S-curves as charts: the curve, the ideal step, and the areas of both errors.

use lookalike::report::{
    Area, Axis, BandingControl, Cell, Chart, Error, Marker, Panels, Series, Table, TableColumn,
};

use crate::chart::CANDIDATE;
use crate::number;
use crate::s_curve::SCurve;

/// Segments of a drawn curve.
const SEGMENTS: u32 = 200;
/// What t is.
pub(crate) const AGREEMENT: &str = "probability that one function agrees";
const IDEAL: &str = "ideal";

fn line(curve: &SCurve, name: &str) -> Result<Series, Error> {
    let ts = (0..=SEGMENTS).map(|i| f64::from(i) / f64::from(SEGMENTS));
    Series::line(name, ts.map(|t| (t, curve.at(t).candidate)))
}

/// The step that no banding has.
fn ideal(threshold: f64) -> Result<Series, Error> {
    let corners = [(0.0, 0.0), (threshold, 1.0), (1.0, 1.0)];
    Ok(Series::steps(IDEAL, corners)?.tone(5))
}

fn axes() -> Result<(Axis, Axis), Error> {
    let across = Axis::linear(AGREEMENT).between(0.0, 1.0)?;
    let up = Axis::linear(CANDIDATE).between(0.0, 1.0)?;
    Ok((across, up))
}

/// A curve with the ideal step, and both errors shaded, with their areas.
pub(crate) fn chart(curve: &SCurve, threshold: f64) -> Result<Chart, Error> {
    let errors = curve.errors(threshold);
    let (across, up) = axes()?;
    let name = "candidates";
    let wrong = format!("false positives, {:.4}", errors.false_positives);
    let missed = format!("false negatives, {:.4}", errors.false_negatives);
    Chart::new(
        &curve.label,
        across,
        up,
        [line(curve, name)?, ideal(threshold)?],
    )?
    .area(Area::under(wrong, name).to(threshold))?
    .area(Area::over(missed, name).from(threshold))?
    .marker(Marker::new(format!("threshold {threshold}"), threshold))
}

/// Several curves side by side, each with its errors.
pub(crate) fn panels(curves: &[SCurve], threshold: f64) -> Result<Panels, Error> {
    let charts = curves.iter().map(|curve| chart(curve, threshold));
    Panels::new("S-curves", charts.collect::<Result<Vec<_>, _>>()?)
}

/// Several curves in one chart, with the ideal step.
pub(crate) fn together(curves: &[SCurve], threshold: f64) -> Result<Chart, Error> {
    let (across, up) = axes()?;
    let mut series: Vec<Series> = Vec::new();
    let mut names: Vec<&str> = Vec::new();
    // The same scheme, given twice, is one curve.
    for curve in curves {
        if !names.contains(&curve.label.as_str()) {
            names.push(&curve.label);
            series.push(line(curve, &curve.label)?);
        }
    }
    series.push(ideal(threshold)?);
    Chart::new("All curves", across, up, series)?
        .marker(Marker::new(format!("threshold {threshold}"), threshold))
}

/// Where each curve rises, and how far it is at the threshold.
pub(crate) fn table(curves: &[SCurve], threshold: f64) -> Result<Table, Error> {
    let columns = [
        TableColumn::text("scheme"),
        TableColumn::number("functions"),
        TableColumn::number("rule threshold"),
        TableColumn::number("steepest at"),
        TableColumn::number(format!("candidates at {threshold}")),
    ];
    let rows = curves.iter().map(|curve| {
        let at = curve.at(threshold);
        let place = |of: fn(lookalike::Banding) -> f64| {
            curve.banding.map_or("–".into(), |it| number::place(of(it)))
        };
        vec![
            Cell::new(&curve.label),
            Cell::new(curve.scheme.functions()),
            Cell::new(place(|it| it.threshold())),
            Cell::new(place(|it| it.steepest().0)),
            Cell::new(number::probability(at.candidate, at.missed)),
        ]
    });
    let caption = "Where each curve rises";
    Ok(Table::new(columns, rows)?.caption(caption))
}

/// Bands and rows to move, beginning with the first banding; `None` if there is none that a control can show.
pub(crate) fn control(curves: &[SCurve], threshold: f64) -> Result<Option<BandingControl>, Error> {
    let banding = curves.iter().find_map(|curve| curve.banding);
    let control = banding.and_then(|it| BandingControl::new(it.bands(), it.rows()).ok());
    // It is moved by hundredths.
    let threshold = (threshold * 100.0).round() / 100.0;
    let control = control.map(|it| it.axis(AGREEMENT).threshold(threshold));
    control.transpose()
}
