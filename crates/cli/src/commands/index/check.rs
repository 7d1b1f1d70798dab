use std::{io::Write, path::PathBuf};

use lookalike::search::{Index, IndexStats, Registry};
use serde::Serialize;

use crate::verb::many;

const EXAMPLES: &str = "\
Examples:
  lookalike index check codes.idx
  lookalike index check codes.idx --json";

/// Read every byte of an index, and say whether it is as it was written
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

/// The JSON form of an index that is sound.
#[derive(Serialize)]
struct Sound {
    sound: bool,
    #[serde(flatten)]
    stats: IndexStats,
}

impl Args {
    pub(super) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let index = Index::open(registry, &self.index)?;
        index.check()?;
        let stats = index.stats();
        if self.json {
            serde_json::to_writer_pretty(&mut *out, &Sound { sound: true, stats })?;
            return Ok(writeln!(out)?);
        }
        Ok(writeln!(
            out,
            "{}: sound: {} in {}",
            self.index.display(),
            many(stats.documents, "document", "documents"),
            many(stats.segments, "segment", "segments")
        )?)
    }
}
