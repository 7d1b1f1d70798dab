use lookalike_report::{BandingControl, Column, Emphasis, Facts, Pair, Pairs, Section, Table};

use super::{charts, number, scheme};
use crate::{Error, Estimate, Example, Fate, Measure, Run};

/// One run: what was found, and how.
pub(super) fn section(run: &Run) -> Result<Section, Error> {
    let mut section = Section::new(run.title())
        .text(about(run))
        .block(facts(run))
        .block(charts::s_curve(run)?);
    if !run.groups.is_empty() {
        section = section.block(groups(run)?);
    }
    if let Some(control) = control(run)? {
        section = section.block(control);
    }
    section = section.block(charts::stages(run)?);
    if let Some(buckets) = run.buckets.as_ref().filter(|it| it.count > 0) {
        section = section.block(charts::buckets(buckets)?);
    }
    if !run.examples.is_empty() {
        section = match run.measure() {
            Measure::Similarity(_) => section.block(pairs(run)?),
            Measure::Distance(_) => section.block(examples(run)?),
        };
    }
    Ok(section)
}

fn about(run: &Run) -> String {
    let word = match run.measure() {
        Measure::Similarity(_) => "from",
        Measure::Distance(_) => "up to",
    };
    let truth = match run.truth.sampled_items {
        None => "the exact distances of all pairs".into(),
        Some(items) => format!("the exact distances of {items} sampled items to all others"),
    };
    format!(
        "{} over {}, {}. Pairs are alike {word} a {} of {}; the truth is {truth}.",
        run.family,
        run.kind,
        scheme(run),
        run.measure,
        run.threshold
    )
}

fn facts(run: &Run) -> Facts {
    let count = |estimate: Estimate| match estimate.error {
        Some(error) => format!("{} ± {}", number(estimate.mean), number(error)),
        None => number(estimate.mean),
    };
    let share = |estimate: Option<Estimate>| match estimate {
        Some(Estimate {
            mean,
            interval: Some([low, high]),
            ..
        }) => format!("{mean:.4} ({low:.4} to {high:.4})"),
        Some(estimate) => format!("{:.4}", estimate.mean),
        None => "–".into(),
    };
    let mut facts = Facts::new()
        .fact("items", run.items)
        .noted("similar pairs", count(run.truth.similar), "the truth")
        .noted(
            "candidates",
            count(run.candidates.count),
            "pairs that share a bucket",
        )
        .noted("matches", count(run.matches.count), "verified candidates")
        .fact("recall of candidates", share(run.candidates.recall))
        .fact("precision of candidates", share(run.candidates.precision))
        .noted(
            "false positives",
            count(run.candidates.false_positives),
            "candidates that are not similar",
        )
        .noted(
            "false negatives",
            count(run.candidates.false_negatives),
            "similar pairs that are no candidates",
        )
        .fact("clusters", count(run.clusters.count))
        .fact("MB of keys", number(run.key_bytes.mean / 1e6));
    if run.matches.recall != run.candidates.recall || run.matches.false_positives.mean > 0.0 {
        facts = facts
            .fact("recall of matches", share(run.matches.recall))
            .fact("precision of matches", share(run.matches.precision));
    }
    if run.not_compared.mean > 0.0 {
        facts = facts.noted(
            "not compared",
            count(run.not_compared),
            "pairs that share only buckets over the limit",
        );
    }
    facts
}

fn groups(run: &Run) -> Result<Table, Error> {
    let measure = run.measure();
    let columns = [
        Column::text("planted"),
        Column::number("pairs"),
        Column::number(format!("mean {}", run.measure)),
        Column::number("became candidates"),
    ];
    let rows = run.groups.iter().map(|group| {
        vec![
            group.name.as_str().into(),
            number(group.pairs as f64).into(),
            number(measure.shown(group.distance)).into(),
            format!("{:.4}", group.candidates.mean).into(),
        ]
    });
    Ok(Table::new(columns, rows)?.caption("What became of the pairs that were planted"))
}

/// Bands and rows to move, where a similarity is the probability that one function agrees.
fn control(run: &Run) -> Result<Option<BandingControl>, Error> {
    let (Measure::Similarity(_), Some(bands), Some(rows)) = (run.measure(), run.bands, run.rows)
    else {
        return Ok(None);
    };
    let measured = run.curve.iter().map(|point| {
        let mean = point.measured.mean;
        let [low, high] = point.measured.interval.unwrap_or([mean, mean]);
        (run.measure().shown(point.distance), mean, low, high)
    });
    let control = BandingControl::new(bands, rows)?
        .title("Other bands and rows")
        .axis(run.measure)
        .threshold(run.threshold)?
        .measured(measured)?;
    Ok(Some(control))
}

fn fate(example: &Example) -> &'static str {
    match example.fate {
        Fate::Found => "found",
        Fate::Missed => "missed",
        Fate::FalseCandidate => "false candidate",
    }
}

fn pairs(run: &Run) -> Result<Pairs, Error> {
    let mut pairs = Pairs::new();
    for example in &run.examples {
        let [a, b] = &example.names;
        let [left, right] = &example.items;
        let similarity = run.measure().shown(example.distance);
        let pair = Pair::texts((a, left), (b, right), similarity)?.verdict(fate(example));
        pairs = pairs.pair(pair);
    }
    Ok(pairs)
}

fn examples(run: &Run) -> Result<Table, Error> {
    let columns = [
        Column::text("pair"),
        Column::text("became"),
        Column::number(run.measure),
        Column::text("items"),
    ];
    let rows = run.examples.iter().map(|example| {
        let became = lookalike_report::Cell::new(fate(example));
        let became = match example.fate {
            Fate::Found => became.emphasis(Emphasis::Good),
            Fate::Missed | Fate::FalseCandidate => became.emphasis(Emphasis::Bad),
        };
        vec![
            example.names.join(" and ").into(),
            became,
            number(example.distance).into(),
            example.items.join("\n").into(),
        ]
    });
    Ok(Table::new(columns, rows)?.caption("Pairs of the first repetition"))
}
