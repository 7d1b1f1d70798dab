use std::{
    io::{self, Write},
    path::PathBuf,
};

use lookalike::dedup::Config;
use lookalike::search::{Index, Registry, Settings, Source, build};

use super::{
    Run,
    say::{self, Change},
    stored,
};
use crate::bar::Bar;
use crate::options::measure::{GROUP, Near};
use crate::options::{Bag, Items, Search, Text};
use crate::usage::{self, Usage};
use crate::verb::Verb;

const EXAMPLES: &str = "\
Examples:
  lookalike index build corpus.jsonl --out corpus.idx
  Find less similar documents, too:
    lookalike index build corpus.jsonl --out wide.idx --threshold 0.3
  One document per text file of a folder:
    lookalike index build pages --out pages.idx
  Codes, found within 25 bits:
    lookalike index build codes.npy --hamming 25 --out codes.idx
  Sets of numbers, one per line:
    lookalike index build baskets.txt --kind set --jaccard 0.5 --out sets.idx";

/// Make an index of items: texts, or anything that a measure compares
///
/// With a measure, such as --jaccard 0.5 or --hamming 6, an index holds items of any kind, and takes several writers at a time.
/// Without one, it holds the texts of a corpus.
///
/// The threshold is not a limit: it says down to which similarity documents are found with the
/// recall. More similar ones are found more often, less similar ones less; whatever is found
/// is compared exactly. A lower threshold takes more bands, and hence a larger file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files, folders or globs; - for stdin. JSONL, JSON arrays, CSV, TSV or text, plain or compressed with gzip or zstd; Parquet
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// File for the index; it must not exist yet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace an index of that name
    #[arg(long)]
    overwrite: bool,

    /// Similarity down to which documents should be found, from 0.001 to 1
    #[arg(long, value_name = "S", help_heading = "Search", conflicts_with = GROUP)]
    #[arg(value_parser = usage::similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,
    #[command(flatten)]
    near: Option<Near>,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    text: Text,
    #[command(flatten)]
    bag: Bag,
    #[command(flatten)]
    items: Items,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(super) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(near) = self.near {
            return self.build_items(registry, near, out);
        }
        if let Some(option) = self.bag.given().or(self.items.given()) {
            let message = format!("{option} needs a measure, such as --jaccard 0.5");
            return Err(Usage(message).into());
        }
        let settings = self.settings()?;
        settings.plan()?;
        let data = self.items.input(&self.inputs)?;
        let (stats, seconds) = self
            .run
            .work(|bar| build(&settings, &data, &self.out, self.overwrite, bar))?;
        let change = Change::Built;
        say::write(&self.out, change, &stats, seconds, self.run, out)
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let defaults = Settings::default();
        let mut config = Config {
            threshold: self.threshold.unwrap_or(defaults.threshold),
            ..Config::default()
        };
        self.search.over(&mut config)?;
        self.text.over(&mut config.family)?;
        Ok(Settings {
            seed: config.seed,
            threshold: config.threshold,
            recall: config.recall,
            functions: config.functions,
            bands: config.bands,
            rows: config.rows,
            family: config.family,
        })
    }

    fn build_items(
        &self,
        registry: &Registry,
        near: Near,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let Self {
            items,
            search,
            text,
            bag,
            ..
        } = self;
        let verb = Verb::new(registry, near, items, search, text, *bag)?;
        let build = |source: &Source| {
            let build = |bar: &Bar| {
                Index::build(
                    registry,
                    verb.request(),
                    source,
                    &self.out,
                    self.overwrite,
                    bar,
                )
            };
            self.run.work(build)
        };
        let ((planned, done), seconds) = verb.reader().attempt(&self.inputs, build)?;
        if !self.run.quiet {
            // What goes to a closed stderr is lost, and the index is there.
            let _ = write!(io::stderr(), "{planned}");
        }
        let change = stored::Change::default();
        stored::write(&self.out, &change, &done.stats, seconds, self.run, out)
    }
}
