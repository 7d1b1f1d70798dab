use std::{io::Write, path::PathBuf};

use lookalike::search::{Index, Registry};

use crate::verb::many;

const EXAMPLES: &str = "\
Examples:
  lookalike index check codes.idx";

/// Read every byte of an index, and say whether it is as it was written
///
/// An index that was made without a measure cannot be checked.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
}

impl Args {
    pub(super) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let index = Index::open(registry, &self.index)?;
        index.check()?;
        let stats = index.stats();
        Ok(writeln!(
            out,
            "{}: sound: {} in {}",
            self.index.display(),
            many(stats.documents, "document", "documents"),
            many(stats.segments, "segment", "segments")
        )?)
    }
}
