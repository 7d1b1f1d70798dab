//! What is decided about two documents, and what a run did with them.

use std::io::Write;

use lookalike::dedup::{
    Mode, Verification,
    explain::{Explanation, Fate, InRun, NotCompared, Verdict},
};

use serde_json::value::RawValue;

use super::pages::small;

/// Writes both.
pub(super) fn write(explanation: &Explanation, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "verdict: {}", sentence(explanation))?;
    match &explanation.run {
        Some(run) => write_run(run, explanation.verdict, out),
        None => Ok(()),
    }
}

/// The decision in a sentence.
fn sentence(explanation: &Explanation) -> String {
    let Explanation {
        settings, verdict, ..
    } = explanation;
    let threshold = settings.threshold;
    let exact = explanation.similarity.map_or(String::new(), small);
    let estimate = explanation.estimate.map(|e| small(e.similarity));
    let estimate = estimate.unwrap_or_default();
    match verdict {
        Verdict::Empty => {
            let which = match [&explanation.a, &explanation.b].map(|t| t.occurrences) {
                [0, 0] => "A and B have",
                [0, _] => "A has",
                _ => "B has",
            };
            format!("no pair: {which} no shingle, and what has none is like nothing")
        }
        Verdict::SameText => "a pair: the texts are the same, which needs no bucket".into(),
        Verdict::Match => format!(
            "a candidate, and a match: {exact} is {threshold} or more{}",
            match settings.verify {
                Verification::Exact => String::new(),
                Verification::Signature => format!(", and so is the estimate {estimate}"),
                Verification::None => " (though nobody looks: verify is none)".into(),
            }
        ),
        Verdict::FalseMatch => format!(
            "a candidate, and accepted, though {exact} is below {threshold}: {}",
            match settings.verify {
                Verification::Signature => format!("the estimate is {estimate}"),
                _ => "verify is none, so nobody looks".into(),
            }
        ),
        Verdict::Rejected => {
            format!("a candidate, but no match: {exact} is below {threshold}")
        }
        Verdict::FalselyRejected => format!(
            "a candidate, but rejected, though {exact} is {threshold} or more: the estimate is {estimate}"
        ),
        Verdict::Missed => {
            format!("missed: {exact} is {threshold} or more, but no band meets")
        }
        Verdict::NotCompared => match explanation
            .run
            .as_ref()
            .and_then(|run| run.not_compared.as_ref())
        {
            Some(NotCompared::Within { field, a, b }) => {
                let value = |value: &Option<Box<RawValue>>| match value {
                    Some(value) => value.to_string(),
                    None => "nothing".into(),
                };
                let (a, b) = (value(a), value(b));
                format!("not compared: {field} is {a} in A and {b} in B")
            }
            _ => "not compared: both are of the older corpus".into(),
        },
        Verdict::Apart => {
            format!("no candidate, rightly: no band meets, and {exact} is below {threshold}")
        }
    }
}

fn write_run(run: &InRun, verdict: Verdict, out: &mut impl Write) -> anyhow::Result<()> {
    let listed = match run.listed {
        None => "not listed in pairs.jsonl".into(),
        Some(listed) => match listed.similarity {
            None => "listed in pairs.jsonl, unverified".into(),
            Some(similarity) => format!("listed in pairs.jsonl with {}", small(similarity)),
        },
    };
    let cluster = match run.same_cluster {
        true => "in the same cluster",
        false => "not in one cluster",
    };
    writeln!(out, "run:     {listed}; {cluster}")?;
    for (name, fate) in [("A", &run.a), ("B", &run.b)] {
        writeln!(out, "         {name} {}", became(fate, run.mode))?;
    }
    let is_listed = run.listed.is_some();
    if is_listed != verdict.is_pair() {
        let why = match is_listed {
            true => "the inputs, or the program, may have changed since",
            false => {
                "their common buckets may have been over the limit, or their texts occur so often that not all pairs are listed"
            }
        };
        writeln!(out, "         this is not the verdict above: {why}")?;
    }
    Ok(())
}

fn became(fate: &Fate, mode: Mode) -> String {
    let would = match mode {
        Mode::Remove => "was removed",
        Mode::Annotate => "was annotated",
        Mode::Ids | Mode::Report => "would be removed",
    };
    match (&fate.duplicate_of, fate.cluster_size) {
        (Some(kept), _) => {
            let similarity = fate.similarity.map_or("unknown".into(), small);
            let older = match fate.duplicates_older_corpus {
                true => " of the older corpus",
                false => "",
            };
            format!("{would} as a duplicate of {kept}{older}, similarity {similarity}")
        }
        (None, _) if fate.is_of_older_corpus => "is of the older corpus".into(),
        (None, 1) => "stays: it is in no cluster".into(),
        (None, size) => format!("stays, for a cluster of {size}"),
    }
}
