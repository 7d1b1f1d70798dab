use std::{
    io::{self, Write},
    path::PathBuf,
};

use lookalike::search::{Index, Registry, Source};

use super::{
    Run,
    say::{self, Change},
};
use crate::bar::Bar;
use crate::inventory;
use crate::options::measure::Near;
use crate::options::{Bag, Items, Search, Text};
use crate::usage::Usage;
use crate::verb::Verb;

const EXAMPLES: &str = "\
Examples:
  lookalike index build corpus.jsonl --out corpus.idx
  Find less similar documents, too:
    lookalike index build corpus.jsonl --out wide.idx --jaccard 0.3
  One document per text file of a folder:
    lookalike index build pages --out pages.idx
  Codes, found within 25 bits:
    lookalike index build codes.npy --hamming 25 --out codes.idx
  Sets of numbers, one per line:
    lookalike index build baskets.txt --kind set --jaccard 0.5 --out sets.idx";

/// Jaccard similarity that an index of texts is for, if no measure is given.
const THRESHOLD: f64 = 0.5;

/// Make an index of items: texts, or anything that a measure compares
///
/// Without a measure, the inputs are texts, and it is --jaccard 0.5.
///
/// The threshold is not a limit: it says down to which similarity items are found with the
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
        let Self {
            search, text, bag, ..
        } = self;
        let mut items = self.items.clone();
        let near = match self.near {
            Some(near) => near,
            None => {
                items.kind.get_or_insert("text".into());
                default_measure(registry)?
            }
        };
        let verb = Verb::new(registry, near, &items, search, text, *bag)?;
        let (path, overwrite) = (&self.out, self.overwrite);
        let build = |source: &Source| {
            let build =
                |bar: &Bar| Index::build(registry, verb.request(), source, path, overwrite, bar);
            self.run.work(build)
        };
        let ((planned, done), seconds) = verb.reader().attempt(&self.inputs, build)?;
        if !self.run.quiet {
            inventory::write_if_unclear(&done.inventory, "texts", planned.plan.kind == "text");
            // What goes to a closed stderr is lost, and the index is there.
            let _ = write!(io::stderr(), "{planned}");
        }
        let change = Change::default();
        say::write(registry, path, &change, &done.stats, seconds, self.run, out)
    }
}

/// What an index is for if no measure is given: texts of which half of the shingles are common.
fn default_measure(registry: &Registry) -> Result<Near, Usage> {
    let mut measures = registry.measures().into_iter();
    let jaccard = measures.find(|measure| measure.flag == "jaccard");
    let measure = jaccard.ok_or_else(|| Usage("a measure is needed".into()))?;
    Ok(Near {
        measure,
        threshold: Some(THRESHOLD),
    })
}
