//! `lookalike families`: what a file can name.

use std::io::Write;

use lookalike::experiment::{Entry, Registry};

use crate::output::Plain;
use crate::table::{Align, Column, Table};

const EXAMPLES: &str = "\
Examples:
  All of them, in a table, or for programs:
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
        let column = |head: &str, cell: fn(&Entry) -> &'static str| {
            let cells = entries.iter().map(|entry| cell(entry).to_owned());
            Column::new(head, Align::Left, cells)
        };
        let columns = vec![
            column("name", |entry| entry.name),
            column("items", |entry| entry.kind),
            column("measure", |entry| entry.measure.name()),
            column("sensitivity", |entry| entry.sensitivity),
            column("what it is", |entry| entry.summary),
        ];
        let width = self.output.width();
        write!(out, "{}", Table { columns, width })?;
        let mut caveats: Vec<(&str, &str)> = Vec::new();
        for entry in entries.iter().filter(|it| !it.caveat.is_empty()) {
            if !caveats.contains(&(entry.name, entry.caveat)) {
                caveats.push((entry.name, entry.caveat));
            }
        }
        for (name, caveat) in caveats {
            writeln!(out, "\n{name}: {caveat}")?;
        }
        Ok(())
    }
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
