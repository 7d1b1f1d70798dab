use lookalike_report::{
    BandingControl, Cell, Emphasis, Facts, Pair, Pairs, Section, Table, TableColumn,
};

use super::{charts, number, scheme};
use crate::{Error, Estimate, Example, Fate, Measure, Run, Signatures};

/// One run: what was found, and how.
pub(super) fn section(run: &Run, title: &str) -> Result<Section, Error> {
    let mut section = Section::new(title).text(about(run)).block(facts(run));
    if let Some(signatures) = &run.signatures {
        section = section.block(answers(signatures)?);
        section = section.block(agreements(signatures)?);
    }
    section = match run.measure {
        Measure::Same(_) => section.block(shares(run)?),
        Measure::Similarity(_) | Measure::Distance(_) => section.block(charts::s_curve(run)?),
    };
    if !run.caveat.is_empty() {
        section = section.text(run.caveat);
    }
    if !run.groups.is_empty() {
        section = section.block(groups(run)?);
    }
    if let Some(control) = control(run)? {
        section = section.block(control);
    }
    section = section.block(charts::stages(run)?).block(stages(run)?);
    if let Some(buckets) = run.buckets.as_ref().filter(|it| it.count > 0) {
        section = section.block(charts::buckets(buckets)?);
    }
    if !run.examples.is_empty() {
        section = match run.measure {
            Measure::Similarity(_) => section.block(pairs(run)?),
            Measure::Distance(_) | Measure::Same(_) => section.block(examples(run)?),
        };
    }
    Ok(section)
}

fn about(run: &Run) -> String {
    let (family, kind, scheme) = (run.family, run.kind, scheme(run));
    let (name, threshold) = (run.measure.name(), run.threshold);
    let alike = match run.measure {
        Measure::Similarity(_) => format!("from a {name} of {threshold}"),
        Measure::Distance(_) => format!("up to a {name} of {threshold}"),
        Measure::Same(_) => format!("if they are of the {name}"),
    };
    let what = match run.measure {
        Measure::Same(_) => "what is known of",
        Measure::Similarity(_) | Measure::Distance(_) => "the exact distances of",
    };
    let others = match run.queries {
        None => "all others",
        Some(_) => "all that is stored",
    };
    let truth = match (run.truth.sampled_items, run.queries) {
        (Some(items), _) => format!("{items} sampled items to {others}"),
        (None, None) => "all pairs".into(),
        (None, Some(queries)) => format!("{queries} queries to {others}"),
    };
    format!("{family} over {kind}, {scheme}. Pairs are alike {alike}; the truth is {what} {truth}.")
}

fn facts(run: &Run) -> Facts {
    /// A number of things, with its error and what they are.
    fn count(facts: Facts, name: &str, estimate: Estimate, about: &str) -> Facts {
        let error = estimate.error.filter(|error| *error > 0.0);
        let about = match (error, about) {
            (None, about) => about.to_owned(),
            (Some(error), "") => format!("± {}", number(error)),
            (Some(error), about) => format!("± {}; {about}", number(error)),
        };
        facts.noted(name, number(estimate.mean), about)
    }
    /// A share with its interval.
    fn rate(facts: Facts, name: &str, estimate: Option<Estimate>) -> Facts {
        match estimate {
            None => facts.fact(name, "–"),
            Some(Estimate { mean, interval, .. }) => {
                let value = format!("{mean:.4}");
                match interval {
                    None => facts.fact(name, value),
                    Some([low, high]) => facts.noted(name, value, format!("{low:.4} to {high:.4}")),
                }
            }
        }
    }
    let Run {
        candidates,
        matches,
        ..
    } = run;
    let mut facts = Facts::new().fact("items", run.items);
    if let Some(queries) = run.queries {
        facts = facts.noted("queries", queries, "of these, asked of the others");
    }
    facts = count(facts, "similar pairs", run.truth.similar, "the truth");
    let share = 100.0 * candidates.count.mean / (run.truth.pairs.max(1)) as f64;
    let about = format!("{}% of all pairs", number(share));
    facts = count(facts, "candidates", candidates.count, &about);
    facts = count(facts, "matches", matches.count, "verified candidates");
    facts = rate(facts, "recall of candidates", candidates.recall);
    facts = rate(facts, "precision of candidates", candidates.precision);
    let about = "candidates that are not similar";
    facts = count(facts, "false positives", candidates.false_positives, about);
    let about = "similar pairs that are no candidates";
    facts = count(facts, "false negatives", candidates.false_negatives, about);
    if matches.recall != candidates.recall || matches.false_positives.mean > 0.0 {
        facts = rate(facts, "recall of matches", matches.recall);
        facts = rate(facts, "precision of matches", matches.precision);
    }
    facts = count(facts, "clusters", run.clusters.count, "");
    facts = facts.fact("MB of keys", number(run.key_bytes.mean / 1e6));
    if run.not_compared.mean > 0.0 {
        let about = "pairs that share only buckets over the limit";
        facts = count(facts, "not compared", run.not_compared, about);
    }
    facts
}

/// What became of pairs of the same, and of others.
fn shares(run: &Run) -> Result<Table, Error> {
    let name = run.measure.name();
    let columns = [
        TableColumn::text("pairs"),
        TableColumn::number("of them"),
        TableColumn::number("became candidates"),
    ];
    let rows = run.curve.iter().map(|point| {
        let (pairs, word) = (
            number(point.pairs as f64),
            if point.distance > 0.0 { "not the " } else { "" },
        );
        vec![
            format!("{word}{name}").into(),
            pairs.into(),
            super::with_error(point.measured),
        ]
    });
    Ok(Table::new(columns, rows)?.caption("How many pairs become candidates"))
}

fn groups(run: &Run) -> Result<Table, Error> {
    let measure = run.measure;
    let columns = [
        TableColumn::text("planted"),
        TableColumn::number("pairs"),
        TableColumn::number(format!("mean {}", measure.name())),
        TableColumn::number("predicted"),
        TableColumn::number("became candidates"),
    ];
    let rows = run.groups.iter().map(|group| {
        let predicted = group.predicted.map(|[low, high]| match high - low < 1e-4 {
            true => format!("{low:.4}"),
            false => format!("{low:.4} to {high:.4}"),
        });
        vec![
            group.name.as_str().into(),
            number(group.pairs as f64).into(),
            number(measure.shown(group.distance)).into(),
            predicted.unwrap_or("–".into()).into(),
            super::with_error(group.candidates),
        ]
    });
    Ok(Table::new(columns, rows)?.caption("What became of the pairs that were planted"))
}

/// Bands and rows to move, where it is known how likely one function agrees.
fn control(run: &Run) -> Result<Option<BandingControl>, Error> {
    let (Some(bands), Some(rows), false) = (run.bands, run.rows, run.promise.is_empty()) else {
        return Ok(None);
    };
    let bits = run.distinct.filter(|bits| rows <= *bits);
    let (axis, agree): (&str, &dyn Fn(f64) -> f64) = match (run.measure, bits) {
        (Measure::Similarity(name), _) => (name, &|similarity| similarity),
        (Measure::Distance(_), Some(bits)) => ("share of the bits that agree", &move |distance| {
            (1.0 - distance / f64::from(bits)).max(0.0)
        }),
        _ => return Ok(None),
    };
    let measured = run.curve.iter().map(|point| {
        let mean = point.measured.mean;
        let [low, high] = point.measured.interval.unwrap_or([mean, mean]);
        (agree(run.measure.shown(point.distance)), mean, low, high)
    });
    let control = BandingControl::new(bands, rows)?
        .title("Other bands and rows")
        .axis(axis)
        // It is moved by hundredths.
        .threshold((agree(run.threshold) * 100.0).round() / 100.0)?
        .measured(measured)?;
    Ok(Some(match (run.measure, bits) {
        (Measure::Distance(_), Some(bits)) => control.distinct(bits)?,
        _ => control,
    }))
}

/// What each function answers.
fn answers(signatures: &Signatures) -> Result<Table, Error> {
    let items = signatures.items.iter();
    // Hashes of 64 bits may be broken on paper.
    let values = signatures.functions.iter().flatten().flatten();
    let is_short = values.max().is_none_or(|most| *most < 1_000_000);
    let column = match is_short {
        true => TableColumn::number,
        false => TableColumn::text,
    };
    let columns = std::iter::once(TableColumn::text("function"));
    let columns = columns.chain(items.map(column));
    let rows = (1..).zip(&signatures.functions).map(|(number, values)| {
        let value = |value: &Option<u64>| value.map_or("∞".into(), |value| value.to_string());
        let values = values.iter().map(|it| Cell::new(value(it)));
        std::iter::once(Cell::new(number)).chain(values).collect()
    });
    Ok(Table::new(columns, rows)?.caption("Signatures: what each function answers to each item"))
}

/// What signatures say of pairs, and what is true.
fn agreements(signatures: &Signatures) -> Result<Table, Error> {
    let columns = [
        TableColumn::text("pair"),
        TableColumn::number("functions that agree"),
        TableColumn::number("similarity"),
    ];
    let rows = signatures.pairs.iter().map(|pair| {
        vec![
            pair.names.join(" and ").into(),
            number(pair.estimated).into(),
            number(pair.exact).into(),
        ]
    });
    Ok(Table::new(columns, rows)?
        .caption("The share of functions that agree, and what it estimates"))
}

/// How long each stage took, and what it held.
fn stages(run: &Run) -> Result<Table, Error> {
    let columns = [
        TableColumn::text("stage"),
        TableColumn::number("seconds"),
        TableColumn::number("most MB at once"),
    ];
    let rows = run.stages.iter().map(|stage| {
        let held = stage.peak_bytes.map(|bytes| number(bytes as f64 / 1e6));
        vec![
            stage.name.into(),
            number(stage.seconds).into(),
            held.unwrap_or("–".into()).into(),
        ]
    });
    let caption = "Time and memory of each stage. Up to the truth, MB are those beyond what was held when the run began, then beyond what was held when the repetition did.";
    Ok(Table::new(columns, rows)?.caption(caption))
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
        let similarity = run.measure.shown(example.distance);
        let pair = Pair::texts((a, left), (b, right), similarity)?.verdict(fate(example));
        pairs = pairs.pair(pair);
    }
    Ok(pairs)
}

fn examples(run: &Run) -> Result<Table, Error> {
    let columns = [
        TableColumn::text("pair"),
        TableColumn::text("became"),
        TableColumn::number(run.measure.name()),
        TableColumn::text("items"),
    ];
    let rows = run.examples.iter().map(|example| {
        let became = Cell::new(fate(example));
        let became = match example.fate {
            Fate::Found => became.emphasis(Emphasis::Good),
            Fate::Missed | Fate::FalseCandidate => became.emphasis(Emphasis::Bad),
        };
        let measured = match (run.measure, example.distance > 0.0) {
            (Measure::Same(_), true) => "no".into(),
            (Measure::Same(_), false) => "yes".into(),
            (Measure::Similarity(_) | Measure::Distance(_), _) => number(example.distance),
        };
        vec![
            example.names.join(" and ").into(),
            became,
            measured.into(),
            example.items.join("\n").into(),
        ]
    });
    Ok(Table::new(columns, rows)?.caption("Pairs of the first repetition"))
}
