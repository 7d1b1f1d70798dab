//! `lookalike families`: kinds, distances, measures, families, methods and their parameters.

mod check;
mod listed;

use std::io::Write;

use lookalike::conformance::Effort;
use lookalike::search::Registry;

pub(crate) use self::listed::shown;
use self::listed::{Kind, Listed, Promise, kinds};
use crate::number;
use crate::output::{Plain, wrapped};

const EXAMPLES: &str = "\
Examples:
  All of them, by kind of items, or for programs:
    lookalike families
    lookalike families --json
  Measure whether all of them keep their promises, or one of them closely:
    lookalike families --check
    lookalike families --check fast-similarity --thorough";

/// List kinds of items, measures, families and their parameters
///
/// Each kind of items has a measure, which is a flag of `pairs` and `query`, and families and methods, which --family
/// names. Parameters are set with --set NAME=VALUE. A family is stated with what one of its functions promises at two
/// distances: (d1, d2, p1, p2)-sensitive means that items at a distance of at most d1 agree with probability p1 or more,
/// items at d2 or more with probability p2 or less. The same names stand in the files of `run` and `compare`, which also
/// take the measures as keys, and the generators.
///
/// --check measures what is promised, on items that are made up: functions and schemes agree as often as they should,
/// kinds read back what they write, distances are metrics, methods find what they state. It ends with exit code 1 if
/// something is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Check the families and methods with a name, or all of them, with the default parameters
    #[arg(long, value_name = "NAME", num_args = 0..=1, default_missing_value = "")]
    check: Option<String>,
    /// Check more closely, which takes longer
    #[arg(long, requires = "check")]
    thorough: bool,
    /// Seed of the items and functions of a check
    #[arg(long, default_value_t = 0, requires = "check")]
    seed: u64,
    #[command(flatten)]
    output: Plain,
}

impl Args {
    /// Writes the list.
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(name) = &self.check {
            let effort = match self.thorough {
                true => Effort::THOROUGH,
                false => Effort::QUICK,
            };
            let name = Some(name.as_str()).filter(|name| !name.is_empty());
            return check::run(registry, name, effort, self.seed, self.output, out);
        }
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
        }) => format!(
            "one function is {}-sensitive{given}",
            number::sensitivity(*sensitivity)
        ),
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(' ').map(str::to_owned)
}
