use std::{io::Write, path::PathBuf};

use lookalike::search::TextIndex;

use super::say;

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
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let stats = TextIndex::load(&self.index)?.stats();
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &stats)?;
            return Ok(writeln!(out)?);
        }
        say::counts(&self.index, None, &stats, out)?;
        writeln!(out)?;
        say::made(&stats, out)
    }
}
