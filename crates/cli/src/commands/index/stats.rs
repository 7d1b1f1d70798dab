use std::{io::Write, path::PathBuf};

use lookalike::search::{Index, Registry};

use super::say::{self, Change};

const EXAMPLES: &str = "\
Examples:
  lookalike index stats corpus.idx
  lookalike index stats corpus.idx --json";

/// Say what an index holds, how it was made, and what it finds
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Write one JSON document instead of text
    #[arg(long, help_heading = "Output")]
    json: bool,
}

impl Args {
    pub(super) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let stats = Index::open(registry, &self.index)?.stats();
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &stats)?;
            return Ok(writeln!(out)?);
        }
        say::counts(&self.index, &Change::default(), &stats, out)?;
        writeln!(out)?;
        say::made(&stats, registry.measure_of(&stats.plan)?, out)
    }
}
