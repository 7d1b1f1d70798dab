//! `lookalike compare`: several families or schemes on the same data.

use std::io::Write;

use lookalike::experiment::Experiment;
use lookalike::search::Registry;

use crate::bar::Bar;
use crate::commands::run::What;

const EXAMPLES: &str = "\
Examples:
  Two kinds of minhash at several lengths on the same text:
    lookalike compare configs/compare-minhash.toml
  Bit sampling, blocks and brute force on the same codes:
    lookalike compare configs/compare-hamming.toml";

/// Run what a file lists side by side, and print a table
///
/// The runs are those of `lookalike run`: a [sweep] over families, schemes, lengths. Nothing is written.
/// A share stands with its standard error, ±; `missed` are similar pairs that are not candidates. `ms` is the time of one
/// repetition from keys to clusters, `MB` the most memory that it held at once: both without what all runs have in common, the
/// items, as they are and ready to be compared, and the truth.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    what: What,
}

impl Args {
    /// Runs, and writes the table.
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let run = |experiment: &Experiment<'_>, bar: &Bar| Ok((experiment.run(bar)?, None));
        self.what.run(registry, out, run)
    }
}
