//! `lookalike audit`: what a finished run has found and missed, measured.

mod page;

use std::{io::Write, path::PathBuf};

use clap::value_parser;
use lookalike::dedup::audit::{Options, audit};
use lookalike::search::Registry;

use crate::bar::Bar;
use crate::options::run::pool;
use crate::output::Plain;

const EXAMPLES: &str = "\
Examples:
  Measure a run, on 2000 documents and 2000 pairs:
    lookalike audit clean
  More of them, for a narrower interval:
    lookalike audit clean --sample 20000
  Everything, for the true numbers:
    lookalike audit clean --sample 1000000000
  For a program:
    lookalike audit clean --json";

/// Measure the precision and recall of a finished dedup run
///
/// Precision: a random sample of the listed pairs is compared exactly again. Recall: a random sample
/// of the documents is compared exactly with all documents, and what is alike is looked for among
/// the listed pairs. Each comes with an interval that holds the true share with probability 0.95
/// or more. The inputs are read again: they must still be what they were.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder of a finished dedup run, in any mode
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Documents and pairs to draw; all where there are fewer
    #[arg(long, value_name = "N", default_value_t = Options::default().sample)]
    #[arg(value_parser = value_parser!(u64).range(1..), allow_negative_numbers = true)]
    sample: u64,
    /// Where the draws come from
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    #[command(flatten)]
    output: Plain,
}

impl Args {
    /// Measures, and writes what was measured.
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let pool = pool(self.threads)?;
        let options = Options {
            sample: self.sample,
            seed: self.seed,
        };
        let bar = Bar::new(!self.output.json);
        let measured = pool.install(|| audit(registry, &self.folder, options, &bar));
        bar.finish();
        let measured = measured?;
        if self.output.json {
            serde_json::to_writer_pretty(&mut *out, &measured)?;
            return Ok(writeln!(out)?);
        }
        page::write(&measured, &self.folder, self.output.width(), out)
    }
}
