use std::{io::Write, path::PathBuf};

use lookalike::search::{Add, IfTaken, Index, Registry};

use super::{
    Run, Wait,
    say::{self, Change, Like},
};
use crate::options::Items;
use crate::reader::Reader;
use crate::usage::Usage;

const EXAMPLES: &str = "\
Examples:
  lookalike index add corpus.idx more.jsonl
  New versions of documents in place of the older ones:
    lookalike index add corpus.idx new.jsonl --replace
  Only codes that have no match in an index of codes:
    lookalike index add codes.idx more.npy --new";

/// Add the documents of a corpus to an index
///
/// All of them are added, or, if one has an id that is there already, none. What --new leaves out is listed on stderr, with what
/// it is like. Rows of an array are numbered on from those that are in the index.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The index
    #[arg(value_name = "INDEX")]
    index: PathBuf,
    /// Files, folders or globs; - for stdin. JSONL, JSON arrays, CSV, TSV or text, plain or compressed with gzip or zstd; Parquet
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// Only add what has no match within the threshold of the index
    #[arg(long)]
    new: bool,
    /// Put documents in the place of those that have their ids
    #[arg(long)]
    replace: bool,
    /// Leave out documents whose ids are taken
    #[arg(long, conflicts_with = "replace")]
    skip: bool,
    #[command(flatten)]
    items: Items,
    #[command(flatten)]
    wait: Wait,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(super) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let index = Index::open(registry, &self.index)?;
        let new = match (self.new, index.plan().limit) {
            (false, _) => None,
            (true, Some(limit)) => Some(limit),
            (true, None) => {
                let message = "--new compares by the threshold of the index, and this one has none";
                return Err(Usage(message.into()).into());
            }
        };
        let kind = registry.kind_named(&index.plan().kind)?;
        let (reader, _) = Reader::new(registry, &self.items, vec![kind], &[])?;
        let source = reader.source(&self.inputs, None, &[kind])?;
        let if_taken = match (self.replace, self.skip) {
            (true, _) => IfTaken::Replace,
            (_, true) => IfTaken::Skip,
            _ => IfTaken::Refuse,
        };
        let how = Add::new(new, if_taken, self.wait.duration());
        let (done, seconds) = self
            .run
            .work(|bar| Index::add(registry, &self.index, &source, &how, bar))?;
        say::similar(&done.similar, self.run);
        let change = Change {
            added: Some(done.added),
            replaced: self.replace.then_some(done.taken),
            skipped: self.skip.then_some(done.taken),
            similar: self
                .new
                .then(|| done.similar.iter().map(Like::new).collect()),
            removed: None,
        };
        let stats = &done.stats;
        say::write(
            registry,
            &self.index,
            &change,
            stats,
            seconds,
            self.run,
            out,
        )
    }
}
