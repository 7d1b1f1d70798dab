//! `lookalike explain`: why two documents are a pair, or are none.

mod marks;
mod pages;
mod verdict;

use std::{io::Write, path::PathBuf};

use lookalike::dedup::explain::{explain, explain_run, read_document};
use lookalike::search::Registry;

use self::pages::Page;
use crate::options::{MemoryLimits, Pair};
use crate::output::Plain;
use crate::usage::Usage;

const USAGE: &str = "\
lookalike explain A B [OPTIONS]
       lookalike explain --run DIR ID_A ID_B";

const EXAMPLES: &str = "\
Examples:
  Two files, as dedup would see them:
    lookalike explain draft.txt final.txt
  The textbook's way: three-word shingles, 20 bands of 5 rows, from 0.5 on:
    lookalike explain draft.txt final.txt --shingle words:3 \\
      --bands 20 --rows 5 --threshold 0.5
  Two documents of a finished run, by their ids, or by file and line:
    lookalike explain --run clean page-17 page-40
    lookalike explain --run clean pages.jsonl:17 pages.jsonl:40";

/// Show why two documents are a pair, or why they are not
///
/// Every step of the way: the shingles they share, their exact similarity, what the signatures make
/// of it, the bands in which they meet, how likely that was, and what dedup decides.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Args {
    /// A file that is one document, plain or compressed, - for stdin; with --run an id
    a: String,
    /// Another
    b: String,
    /// Folder of a finished dedup run: its settings, its documents, and what it did with them
    #[arg(long, value_name = "DIR", conflicts_with_all = ["Pair", "Banding", "Text", "MemoryLimits"])]
    run: Option<PathBuf>,
    /// Shingles to show of each kind, 0 for none
    #[arg(long, value_name = "N", default_value_t = 10)]
    show: usize,
    #[command(flatten)]
    pair: Pair,
    #[command(flatten)]
    limits: MemoryLimits,
    #[command(flatten)]
    output: Plain,
}

impl Args {
    /// Writes the explanation.
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        if self.run.is_none() && self.a == "-" && self.b == "-" {
            let message = "stdin is one document, not both: name a file";
            return Err(Usage(message.into()).into());
        }
        let explanation = match &self.run {
            Some(folder) => explain_run(registry, folder, [&self.a, &self.b], self.show)?,
            None => {
                let config = self.pair.config(registry)?;
                let plan = config.plan(registry)?;
                let limits = self.limits.over(config.data.limits());
                let read = |name: &str| read_document(name, limits);
                let [a, b] = [read(&self.a)?, read(&self.b)?];
                explain(registry, &config, &plan, [&a, &b], self.show)?
            }
        };
        if self.output.json {
            serde_json::to_writer_pretty(&mut *out, &explanation)?;
            return Ok(writeln!(out)?);
        }
        let page = Page {
            names: [&self.a, &self.b],
            explanation: &explanation,
            show: self.show,
            width: self.output.width(),
        };
        page.write(out)
    }
}
