use std::{io::Write, path::PathBuf};

use lookalike::search::{Index, Registry};

use super::{
    Run, Wait,
    say::{self, Change},
};

const EXAMPLES: &str = "\
Examples:
  lookalike index compact codes.idx
  lookalike index compact codes.idx --json";

/// Write an index again, without what was removed
///
/// This happens by itself when more than half of the file is not used any more.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    #[command(flatten)]
    wait: Wait,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(super) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let wait = self.wait.duration();
        let (stats, seconds) = self
            .run
            .work(|bar| Index::compact(registry, &self.index, wait, bar))?;
        say::write(
            registry,
            &self.index,
            &Change::default(),
            &stats,
            seconds,
            self.run,
            out,
        )
    }
}
