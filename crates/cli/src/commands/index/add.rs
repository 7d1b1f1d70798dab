use std::{io::Write, path::PathBuf};

use lookalike::search::{Added, add};

use super::{
    Run,
    say::{self, Change},
};
use crate::options::Fields;

const EXAMPLES: &str = "\
Examples:
  lookalike index add corpus.idx more.jsonl
  A new version of a document in place of the older one:
    lookalike index remove corpus.idx doc-17
    lookalike index add corpus.idx new.jsonl";

/// Add the documents of a corpus to an index
///
/// All of them are added, or, if one has an id that is there already, none.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Files, folders or globs; - for stdin. JSONL, JSON arrays, CSV, TSV or text, plain or compressed with gzip or zstd; Parquet
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let data = self.fields.input(&self.inputs);
        let (Added { documents, stats }, seconds) =
            self.run.work(|bar| add(&self.index, &data, bar))?;
        let change = Change::Added(documents);
        say::write(&self.index, change, &stats, seconds, self.run, out)
    }
}
