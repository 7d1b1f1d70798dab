//! `lookalike families`: what a file can name.

use std::io::Write;

use lookalike::experiment::{Entry, Registry};

use crate::output::{Plain, wrapped};

const EXAMPLES: &str = "\
Examples:
  All of them, by what they take, or for programs:
    lookalike families
    lookalike families --json";

/// List the families that an experiment can name
///
/// Each has a name for `[family]`, a kind of items for `[data]`, a measure, and what one of its functions promises: items
/// at a distance of at most d1 agree with at least the third probability, at d2 or more with at most the fourth.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    output: Plain,
}

impl Args {
    /// Writes the list.
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let registry = Registry::builtin();
        let entries = registry.entries();
        if self.output.json {
            let entries: Vec<_> = entries.iter().map(as_json).collect();
            serde_json::to_writer_pretty(&mut *out, &entries)?;
            return Ok(writeln!(out)?);
        }
        let width = self.output.width();
        let longest = entries.iter().map(|entry| entry.name.len()).max();
        let indent = 2 + longest.unwrap_or(0) + 2;
        let mut kinds: Vec<&str> = Vec::new();
        for entry in entries {
            if !kinds.contains(&entry.kind) {
                kinds.push(entry.kind);
            }
        }
        for kind in kinds {
            writeln!(out, "{kind}")?;
            for entry in entries.iter().filter(|entry| entry.kind == kind) {
                let start = format!("{:indent$}", format!("  {}", entry.name));
                wrapped(out, &start, words(entry.summary), " ", width)?;
                let promise = format!("{}: {}", entry.measure.name(), entry.sensitivity);
                wrapped(out, &" ".repeat(indent), words(&promise), " ", width)?;
            }
            writeln!(out)?;
        }
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
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(' ').map(str::to_owned)
}

fn as_json(entry: &Entry) -> serde_json::Value {
    serde_json::json!({
        "name": entry.name,
        "items": entry.kind,
        "measure": entry.measure.name(),
        "sensitivity": entry.sensitivity,
        "caveat": entry.caveat,
        "summary": entry.summary,
    })
}
