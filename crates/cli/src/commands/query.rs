//! `lookalike query`: which items are like a query?
//!
//! An index answers from its buckets, or compares everything with `--exact`. With a measure, items of any kind are searched by a plan; without either, every
//! document of a corpus is compared.

mod answers;
mod asked;
mod batch;
mod measured;
mod stored;
mod texts;
mod verdict;

use std::{io::Write, path::Path};

use clap::{Command, value_parser};
use lookalike::corpus::Format;
use lookalike::plugin::Measure;
use lookalike::search::{Registry, Scan, TextFamily, is_store};

use self::answers::{Shown, Style, Why};
use self::batch::Batch;
use self::verdict::Predict;
use crate::bar::Bar;
use crate::options::measure::{self, Near};
use crate::options::run::Run;
use crate::options::{Bag, Items, Search, Text, any_format};
use crate::usage::Usage;

const EXAMPLES: &str = "\
Examples:
  A text, in an index and without one:
    lookalike query corpus.idx --text \"the ferry leaves the island at nine\"
    lookalike query corpus.jsonl --text \"the ferry leaves the island at nine\"
  The three documents that are most like a page:
    lookalike query corpus.idx page.txt -k 3
  What of a new file is in the index already, as JSON:
    lookalike query corpus.idx new.jsonl -k 1 --jaccard 0.8 --json
  The nearest codes of an index of codes:
    lookalike query codes.idx new.npy -k 3
  All codes within 25 bits of each query, for certain:
    lookalike query codes.npy new.npy --hamming 25 --exact
  The ten nearest codes, however far they are:
    lookalike query codes.bin new.bin --bits 256 --measure hamming -k 10
  For each set the most similar other set of the same file:
    lookalike query baskets.txt baskets.txt --kind set --jaccard 0.3 -k 1
  The class of each query by a vote of its five nearest neighbours:
    lookalike query known.jsonl fresh.jsonl --measure cosine -k 5 --vote class

With a measure, such as --jaccard or --hamming, items of any kind are asked, as
in `lookalike pairs`: queries are read like the items, one per line or record,
and each line of the answer has a query, the similarity or distance, and an
item, separated by tabs, the most similar first; tabs, line breaks and
backslashes in names are written \\t, \\n, \\r and \\\\. A query that is itself one
of the items is left out of its answer, unless --self is given.

--vote FIELD and --mean FIELD print one line per query instead: the query, what
most of its neighbours have in that field (of values with equally many votes the
nearest neighbour's) and the votes; or the mean of their numbers and how many
there are. A query without neighbours has –.

Similarities are exact: the share of shingles that two texts have in common
(Jaccard). Texts are compared as wholes: a sentence is not like the long page
that contains it. An index finds items at its threshold with the recall it
was made for, and fewer below; --exact compares them all. Without an index and without a measure, a corpus
is compared document by document, and nothing is missed.";

/// Find the items most similar to a query: texts, sets, codes
///
/// The first argument is an index, made by `lookalike index build`, or items: a file, a folder or a glob. Queries come
/// from files or from --text. With a measure, queries are read like the items. Without one, items are documents: each
/// record of a JSONL file and each row of a CSV or Parquet file is a query, any other file is one.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// An index, or items to compare with; - for items on stdin
    #[arg(value_name = "ITEMS")]
    target: String,
    /// Files with queries; - for stdin
    #[arg(value_name = "QUERIES", conflicts_with = "text")]
    inputs: Vec<String>,
    /// One query
    #[arg(long, value_name = "TEXT", allow_hyphen_values = true)]
    text: Option<String>,
    /// Maximum number of answers per query
    #[arg(short = 'k', long = "top", value_name = "N")]
    #[arg(value_parser = value_parser!(u32).range(1..=1_000_000), allow_negative_numbers = true)]
    k: Option<u32>,
    /// Maximum number of candidates of an index to compare, those with the most shared buckets first
    #[arg(long, value_name = "N")]
    #[arg(value_parser = value_parser!(u32).range(1..), allow_negative_numbers = true)]
    limit: Option<u32>,
    /// Also answer with the query itself, if it is one of the items
    #[arg(long = "self")]
    with_self: bool,
    #[command(flatten)]
    predict: Predict,

    #[command(flatten)]
    near: Option<Near>,
    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    how: Text,
    #[command(flatten)]
    bag: Bag,
    #[command(flatten)]
    items: Items,
    /// Format of the files with queries [default: that of the items; for documents what the file says]
    #[arg(long, value_name = "FORMAT", help_heading = "Data")]
    #[arg(value_parser = any_format())]
    queries: Option<Format>,

    #[command(flatten)]
    run: Run,
    /// Add the whole items to the JSON
    #[arg(long, help_heading = "Output", requires = "json")]
    texts: bool,
}

/// The ways to ask, with the flags of the measures.
pub(crate) fn with_usage(
    command: Command,
    measures: &[&'static Measure],
    program: &str,
) -> Command {
    let flags = measure::usage(measures);
    command.override_usage(format!(
        "\
{program} query ITEMS QUERIES... {flags} [OPTIONS]
       {program} query INDEX|CORPUS FILE... [OPTIONS]
       {program} query INDEX|CORPUS|ITEMS --text TEXT [OPTIONS]"
    ))
}

/// Answers per query of an index or a corpus.
pub(crate) const TOP: u32 = 5;

impl Args {
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        if self.text.is_none() && self.inputs.is_empty() {
            let message = "nothing to look for: add --text TEXT, or name files; - for stdin";
            return Err(Usage(message.into()).into());
        }
        if self.target == "-" && self.inputs.iter().any(|input| input == "-") {
            let message = "stdin is the corpus or what to look for, not both: name a file";
            return Err(Usage(message.into()).into());
        }
        if is_store(Path::new(&self.target)) {
            return self.ask_stored(registry, out);
        }
        match self.near {
            Some(near) => self.ask_items(registry, near, out),
            None => self.ask_corpus(out),
        }
    }

    /// How documents are shown.
    fn style(&self) -> Style {
        match (self.run.json, self.texts) {
            (false, _) => Style::Text,
            (true, false) => Style::Json,
            (true, true) => Style::JsonWithTexts,
        }
    }

    /// The first option that needs a measure.
    fn for_items(&self) -> Option<&'static str> {
        let own = self.with_self.then_some("--self");
        let given = self.search.given().or(self.items.given());
        let predicted = self.predict.given();
        given.or(self.bag.given()).or(predicted).or(own)
    }

    /// Compares every document of a corpus with every query.
    fn ask_corpus(&self, out: &mut impl Write) -> anyhow::Result<()> {
        if let Some(option) = self.for_items() {
            let message = format!(
                "{option} needs a measure, such as --jaccard 0.8: without one, {} is compared document by document",
                self.target
            );
            return Err(Usage(message).into());
        }
        self.run.start()?;
        let (k, style) = (self.k.unwrap_or(TOP) as usize, self.style());
        let mut family = TextFamily::default();
        self.how.over(&mut family)?;
        let inputs = std::slice::from_ref(&self.target);
        let data = self.items.input(inputs)?;
        let mut batch = Batch {
            scan: Scan::new(&data, &family, k),
            asked: Vec::new(),
            target: &self.target,
            shown: Shown::new(style, self.text.is_some(), Why::Corpus),
            bar: Bar::new(style == Style::Text),
        };
        match &self.text {
            Some(text) => batch.push(None, text, out)?,
            None => {
                asked::each(&self.inputs, self.queries, &self.items, |id, text| {
                    batch.push(Some(id), text, out)
                })?;
            }
        }
        batch.finish(out)
    }
}
