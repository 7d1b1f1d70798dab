//! Minhash and banding as one picture.

use lookalike::minhash::trace::Trace;
use lookalike::report::{Error, Flow};

use super::input::Source;

/// Items, signatures, shared buckets, candidates and matches; an error where there are too many to be drawn.
pub(super) fn picture(
    source: &Source,
    trace: &Trace,
    threshold: f64,
    summary: &str,
) -> Result<Flow, Error> {
    let names = trace.matrix.names();
    let items = names.iter().enumerate().map(|(set, name)| {
        let signature = trace.signatures.iter().map(|line| line[set]);
        (name.clone(), item(source, trace, set), signature.collect())
    });
    let exact = |a: usize, b: usize| {
        let both = [&names[a], &names[b]];
        let pair = trace.pairs.iter().find(|pair| pair.sets.each_ref() == both);
        pair.map_or(0.0, |pair| pair.exact)
    };
    let rows = trace.banding.rows() as usize;
    let flow = Flow::new(
        "From items to matches",
        rows,
        items.collect::<Vec<_>>(),
        threshold,
        exact,
    )?;
    let note = match source {
        Source::Texts { shingle, .. } => format!("{summary}, by shingles of {shingle}."),
        _ => format!("{summary}."),
    };
    Ok(flow.note(note))
}

/// A text, or what a set has.
fn item(source: &Source, trace: &Trace, set: usize) -> String {
    match source {
        Source::Texts { texts, .. } => texts[set].clone(),
        Source::Sets { sets, is_bag: true } => format!("{{{}}}", sets[set].join(", ")),
        _ => {
            let rows = trace.matrix.columns()[set].iter();
            let rows = rows.map(|row| &trace.matrix.rows()[*row as usize]);
            let words = rows.map(|row| row.word().map_or(row.number.to_string(), str::to_owned));
            format!("{{{}}}", words.collect::<Vec<_>>().join(", "))
        }
    }
}
