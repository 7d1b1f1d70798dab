use lookalike_report::{Area, Axis, Chart, Marker, Series};

use super::Names;
use crate::{Error, Point, Run, buckets::Buckets};

const CANDIDATE: &str = "probability of a candidate";
/// Curves that can be told apart in one picture.
const CURVES: usize = 6;

/// The axis along which items are alike, and where a distance is on it.
fn across(run: &Run) -> Result<Axis, Error> {
    let axis = Axis::linear(run.likeness.name());
    Ok(match run.likeness.is_share() {
        true => axis.between(0.0, 1.0)?,
        false => axis,
    })
}

fn line(run: &Run) -> Vec<(f64, f64)> {
    let likeness = run.likeness;
    let promise = run.promise.iter();
    promise
        .map(|[distance, lower, upper]| (likeness.shown(*distance), (lower + upper) / 2.0))
        .collect()
}

/// What was measured, with intervals where there are some.
fn measured(run: &Run) -> Vec<(f64, f64, f64, f64)> {
    let point = |point: &Point| {
        let mean = point.measured.mean;
        let [low, high] = point.measured.interval.unwrap_or([mean, mean]);
        (run.likeness.shown(point.distance), mean, low, high)
    };
    run.curve.iter().map(point).collect()
}

/// What one run promised and measured, with the two errors at its threshold.
pub(super) fn s_curve(run: &Run) -> Result<Chart, Error> {
    const PREDICTED: &str = "predicted";
    let promise = line(run);
    let has_promise = !promise.is_empty();
    let measured = Series::intervals("measured", measured(run))?;
    let series = match has_promise {
        true => vec![Series::line(PREDICTED, promise)?, measured],
        false => vec![measured],
    };
    let up = Axis::linear(CANDIDATE).between(0.0, 1.0)?;
    let title = "How likely a pair becomes a candidate";
    let threshold = run.threshold;
    let mut chart = Chart::new(title, across(run)?, up, series)?;
    if has_promise {
        let missed = Area::over("false negatives", PREDICTED);
        let wrong = Area::under("false positives", PREDICTED);
        let (missed, wrong) = match run.likeness.is_similarity() {
            false => (missed.to(threshold), wrong.from(threshold)),
            true => (missed.from(threshold), wrong.to(threshold)),
        };
        chart = chart.area(wrong)?.area(missed)?;
    }
    let word = match run.likeness.is_similarity() {
        false => "radius",
        true => "threshold",
    };
    Ok(chart.marker(Marker::new(word, threshold))?)
}

/// The curves of several runs in one picture, if they are about the same and not too many.
pub(super) fn s_curves(runs: &[Run], names: &Names) -> Result<Option<Chart>, Error> {
    let Some(first) = runs.first() else {
        return Ok(None);
    };
    let name = first.likeness.name();
    let alike = runs.iter().all(|run| run.likeness.name() == name);
    if !alike || runs.len() > CURVES || runs.iter().any(|run| run.promise.is_empty()) {
        return Ok(None);
    }
    let mut series = Vec::new();
    for (number, run) in runs.iter().enumerate() {
        let title = names.short(number);
        series.push(Series::line(&title, line(run))?.tone(number));
        series.push(Series::intervals(format!("{title}, measured"), measured(run))?.tone(number));
    }
    let up = Axis::linear(CANDIDATE).between(0.0, 1.0)?;
    let title = "How likely a pair becomes a candidate, predicted and measured";
    // Two runs may have one title.
    Ok(Chart::new(title, across(first)?, up, series).ok())
}

/// What is found, against what must be looked at for it: a few runs by their titles, many by their families.
pub(super) fn trade_off(runs: &[Run], titles: &Names) -> Result<Option<Chart>, Error> {
    let name = |place: usize| match runs.len() {
        0..=CURVES => titles.short(place),
        _ => runs[place].family.to_owned(),
    };
    let mut names: Vec<String> = Vec::new();
    for name in (0..runs.len()).map(name) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let (mut least_recall, mut shares) = (1.0_f64, (1.0_f64, 0.0_f64));
    let mut series = Vec::new();
    for named in names {
        let of_name = (0..runs.len()).filter(|place| name(*place) == named);
        let points = of_name.filter_map(|place| {
            let run = &runs[place];
            let recall = run.candidates.recall?.mean;
            let share = run.candidates.count.mean / run.truth.pairs as f64;
            (share > 0.0).then_some((recall, share))
        });
        let points: Vec<(f64, f64)> = points.collect();
        for &(recall, share) in &points {
            least_recall = least_recall.min(recall);
            shares = (shares.0.min(share), shares.1.max(share));
        }
        if !points.is_empty() {
            series.push(Series::points(named, points)?);
        }
    }
    if series.is_empty() {
        return Ok(None);
    }
    // Where all recalls are high, what is below would press them together.
    let tenths = (least_recall * 10.0 - 1e-9).floor().max(0.0);
    let x = Axis::linear("recall of candidates").between(tenths / 10.0, 1.0)?;
    let (low, high) = (
        (shares.0.log10() - 1e-9).floor(),
        (shares.1.log10() - 1e-9).ceil(),
    );
    let y = Axis::log("share of all pairs that are candidates");
    let y = y.between(10_f64.powf(low), 10_f64.powf(high.max(low + 1.0)))?;
    let title = "What is found, and what must be compared for it";
    Ok(Some(Chart::new(title, x, y, series)?))
}

/// How long each stage of a repetition took; what is done before, for the truth, is not the family's.
pub(super) fn stages(run: &Run) -> Result<Chart, Error> {
    let names = run.repeated().map(|stage| stage.name);
    let seconds = (0..).zip(run.repeated());
    let seconds = seconds.map(|(place, stage)| (f64::from(place), stage.seconds));
    let x = Axis::names("stage", names);
    let y = Axis::linear("seconds");
    let series = [Series::bars("seconds", seconds)?];
    Ok(Chart::new(
        "Time of one repetition, by stage",
        x,
        y,
        series,
    )?)
}

/// How many buckets there are of each size.
pub(super) fn buckets(buckets: &Buckets) -> Result<Chart, Error> {
    let names = buckets.sizes.iter().map(|size| {
        if size.from == size.to {
            size.to.to_string()
        } else {
            format!("{}–{}", size.from, size.to)
        }
    });
    let counts = (0..).zip(&buckets.sizes);
    let counts = counts.map(|(place, size)| (f64::from(place), size.buckets as f64));
    let counts = counts.filter(|(_, count)| *count > 0.0);
    let x = Axis::names("items in a bucket", names);
    let most = buckets.sizes.iter().map(|size| size.buckets).max();
    let most = most.unwrap_or(1).max(10) as f64;
    // One bucket is a small bar.
    let y = Axis::log("buckets").between(0.5, most * 1.1)?;
    let series = [Series::bars("buckets", counts)?];
    Ok(Chart::new("Buckets by size", x, y, series)?)
}
