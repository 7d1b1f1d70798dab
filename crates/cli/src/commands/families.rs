//! `lookalike families`: kinds, distances, measures, families, methods and their parameters.

mod listed;

use std::io::Write;

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
/// items at d2 or more with probability p2 or less. The same names stand in the files of `run` and `compare`, which also
/// take the measures as keys, and the generators.
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
        if self.output.json {
            serde_json::to_writer_pretty(&mut *out, &serde_json::json!({"kinds": kinds}))?;
            return Ok(writeln!(out)?);
        }
        let width = self.output.width();
        for kind in &kinds {
            write_kind(kind, width, out)?;
        }
        Ok(())
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
        if !family.caveat.is_empty() {
            line(&blank, family.caveat)?;
        }
    }
    for generator in &kind.generators {
        let summary = format!("generate.{}: {}", generator.name, generator.summary);
        line("  ", &summary)?;
        line("    ", &generator.parameters())?;
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

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(' ').map(str::to_owned)
}
