use lookalike_report::{
    BandingControl, Cell, Emphasis, Facts, Pair, Pairs, Section, Table, TableColumn,
};

use super::{charts, number};
use crate::{Error, Example, FIGURES, Fate, Likeness, Run, Signatures};

/// One run: what was found, and how.
pub(super) fn section(run: &Run, title: &str) -> Result<Section, Error> {
    let mut section = Section::new(title).text(about(run)).block(facts(run));
    if let Some(signatures) = &run.signatures {
        section = section.block(answers(signatures)?);
        section = section.block(agreements(signatures)?);
    }
    section = match run.likeness {
        Likeness::Labelled(_) => section.block(shares(run)?),
        Likeness::Measured(_) => section.block(charts::s_curve(run)?),
    };
    if let Some(sensitivity) = &run.sensitivity {
        let cascade = sensitivity.cascade()?;
        section = section.block(cascade.table()?);
        section = section.block(cascade.chart("What is promised, step by step")?);
    }
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
        let are_texts = run.likeness.is_share() && !run.likeness.is_labelled();
        section = match are_texts {
            true => section.block(pairs(run)?),
            false => section.block(examples(run)?),
        };
    }
    Ok(section)
}

fn about(run: &Run) -> String {
    let (family, kind, scheme) = (run.family, &run.kind, run.scheme_in_words());
    let (name, threshold) = (run.likeness.name(), run.threshold);
    let (alike, what) = match run.likeness {
        Likeness::Labelled(label) => (format!("if their {label} is the same"), "what is known of"),
        Likeness::Measured(measure) if measure.is_similarity => (
            format!("at a {name} of at least {threshold}"),
            "the exact distances of",
        ),
        Likeness::Measured(_) => (
            format!("at a {name} of at most {threshold}"),
            "the exact distances of",
        ),
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
    let mut facts = Facts::new().fact("items", run.items);
    if let Some(queries) = run.queries {
        facts = facts.noted("queries", queries, "of these, asked of the others");
    }
    for figure in FIGURES {
        if let Some((value, about)) = figure.fact_of(run) {
            facts = match about.is_empty() {
                true => facts.fact(figure.name, value),
                false => facts.noted(figure.name, value, about),
            };
        }
    }
    facts
}

/// What became of pairs of the same, and of others.
fn shares(run: &Run) -> Result<Table, Error> {
    let name = run.likeness.name();
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
            point.measured.to_string().into(),
        ]
    });
    Ok(Table::new(columns, rows)?.caption("How many pairs become candidates"))
}

fn groups(run: &Run) -> Result<Table, Error> {
    let likeness = run.likeness;
    let columns = [
        TableColumn::text("planted"),
        TableColumn::number("pairs"),
        TableColumn::number(format!("mean {}", likeness.name())),
        TableColumn::number("predicted"),
        TableColumn::number("became candidates"),
    ];
    let rows = run.groups.iter().map(|group| {
        vec![
            group.name.as_str().into(),
            number(group.pairs as f64).into(),
            number(likeness.shown(group.distance)).into(),
            group.predicted_in_words().into(),
            group.candidates.to_string().into(),
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
    let bits = bits.filter(|_| !run.likeness.is_similarity());
    let name = run.likeness.name();
    let is_share = run.likeness.is_share() && !run.likeness.is_labelled();
    let (axis, agree): (&str, &dyn Fn(f64) -> f64) = match (is_share, bits) {
        (true, _) => (&name, &|similarity| similarity),
        (false, Some(bits)) => ("share of the bits that agree", &move |distance| {
            (1.0 - distance / f64::from(bits)).max(0.0)
        }),
        (false, None) => return Ok(None),
    };
    let measured = run.curve.iter().map(|point| {
        let mean = point.measured.mean;
        let [low, high] = point.measured.interval.unwrap_or([mean, mean]);
        (agree(run.likeness.shown(point.distance)), mean, low, high)
    });
    let control = BandingControl::new(bands, rows)?
        .title("Other bands and rows")
        .axis(axis)
        // It is moved by hundredths.
        .threshold((agree(run.threshold) * 100.0).round() / 100.0)?
        .measured(measured)?;
    Ok(Some(match bits {
        Some(bits) => control.distinct(bits)?,
        None => control,
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
        TableColumn::text("candidate"),
    ];
    let rows = signatures.pairs.iter().map(|pair| {
        vec![
            pair.names.join(" and ").into(),
            number(pair.estimated).into(),
            number(pair.exact).into(),
            if pair.is_candidate { "yes" } else { "no" }.into(),
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
        let similarity = run.likeness.shown(example.distance);
        let pair = Pair::texts((a, left), (b, right), similarity)?.verdict(fate(example));
        pairs = pairs.pair(pair);
    }
    Ok(pairs)
}

fn examples(run: &Run) -> Result<Table, Error> {
    let columns = [
        TableColumn::text("pair"),
        TableColumn::text("became"),
        TableColumn::number(run.likeness.name()),
        TableColumn::text("items"),
    ];
    let rows = run.examples.iter().map(|example| {
        let became = Cell::new(fate(example));
        let became = match example.fate {
            Fate::Found => became.emphasis(Emphasis::Good),
            Fate::Missed | Fate::FalseCandidate => became.emphasis(Emphasis::Bad),
        };
        let measured = match (run.likeness, example.distance > 0.0) {
            (Likeness::Labelled(_), true) => "no".into(),
            (Likeness::Labelled(_), false) => "yes".into(),
            (Likeness::Measured(measure), _) => number(measure.shown(example.distance)),
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
