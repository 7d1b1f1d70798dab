//! `lookalike families`: kinds, distances, measures, families, methods and their parameters.

mod listed;

use std::io::Write;

use lookalike::experiment;
use lookalike::search::Registry;

use self::listed::{Kind, Listed, Promise, kinds};
use crate::output::{Plain, wrapped};

const EXAMPLES: &str = "\
Examples:
  All of them, by kind of items, or for programs:
    lookalike families
    lookalike families --json";

/// List kinds of items, measures, families and their parameters
///
/// Each kind of items has a measure, which is a flag of `pairs` and `query`, and families and methods, which --family
/// names. Parameters are set with --set NAME=VALUE. A family is stated with what one of its functions promises at two
/// distances: (d1, d2, p1, p2)-sensitive means that items at a distance of at most d1 agree with probability p1 or more,
/// items at d2 or more with probability p2 or less. The last part lists the names for `[family]` in the files of `run`
/// and `compare`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    output: Plain,
}

impl Args {
    /// Writes the list.
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let kinds = kinds(registry)?;
        let experiments = experiment::Registry::builtin();
        if self.output.json {
            let experiments: Vec<_> = experiments.entries().iter().map(as_json).collect();
            let all = serde_json::json!({"kinds": kinds, "experiments": experiments});
            serde_json::to_writer_pretty(&mut *out, &all)?;
            return Ok(writeln!(out)?);
        }
        let width = self.output.width();
        for kind in &kinds {
            write_kind(kind, width, out)?;
        }
        write_experiments(experiments.entries(), width, out)
    }
}

fn write_kind(kind: &Kind, width: usize, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "{}", kind.kind)?;
    let mut line = |start: &str, text: &str| wrapped(out, start, words(text), " ", width);
    for measure in &kind.measures {
        line("  ", &format!("--{} {}", measure.flag, measure.name))?;
    }
    if !kind.reading.is_empty() {
        line("  ", &format!("reading: {}", kind.reading()))?;
    }
    if !kind.parameters.is_empty() {
        line("  ", &format!("distance: {}", kind.parameters()))?;
    }
    let longest = kind.families.iter().map(|it| it.name.len()).max();
    let indent = 2 + longest.unwrap_or(0) + 2;
    let blank = " ".repeat(indent);
    for family in &kind.families {
        line(
            &format!("{:indent$}", format!("  {}", family.name)),
            family.summary,
        )?;
        line(&blank, &promise(family))?;
        if !family.parameters.is_empty() {
            line(&blank, &format!("parameters: {}", family.parameters()))?;
        }
    }
    Ok(writeln!(out)?)
}

/// What one function promises, for people.
fn promise(family: &Listed) -> String {
    match &family.promise {
        _ if family.is_method => "a method: it has no functions".into(),
        None => "one function promises nothing".into(),
        Some(Promise {
            sensitivity, given, ..
        }) => format!("one function is {sensitivity}{given}"),
    }
}

/// The names for `run`, by kind of data, and what predictions there leave out.
fn write_experiments(
    entries: &[experiment::Entry],
    width: usize,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    writeln!(out, "in files of `lookalike run`")?;
    let mut kinds: Vec<(&str, Vec<String>)> = Vec::new();
    for entry in entries {
        match kinds.iter_mut().find(|(kind, _)| *kind == entry.kind) {
            Some((_, names)) => names.push(entry.name.to_owned()),
            None => kinds.push((entry.kind, vec![entry.name.to_owned()])),
        }
    }
    let longest = kinds.iter().map(|(kind, _)| kind.len()).max();
    let indent = 2 + longest.unwrap_or(0) + 2;
    for (kind, names) in kinds {
        let start = format!("{:indent$}", format!("  {kind}"));
        wrapped(out, &start, names.into_iter(), ", ", width)?;
    }
    writeln!(out)?;
    let mut said: Vec<(&str, &str)> = Vec::new();
    for entry in entries.iter().filter(|entry| !entry.caveat.is_empty()) {
        if !said.contains(&(entry.name, entry.caveat)) {
            said.push((entry.name, entry.caveat));
            let caveat = format!("{}: {}", entry.name, entry.caveat);
            wrapped(out, "", words(&caveat), " ", width)?;
        }
    }
    Ok(())
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(' ').map(str::to_owned)
}

fn as_json(entry: &experiment::Entry) -> serde_json::Value {
    serde_json::json!({
        "name": entry.name,
        "items": entry.kind,
        "measure": entry.measure.name(),
        "caveat": entry.caveat,
        "summary": entry.summary,
    })
}
