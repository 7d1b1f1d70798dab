use std::{io::Write, path::PathBuf};

use clap::value_parser;
use lookalike::corpus::Format;
use lookalike::dedup::{FUNCTIONS, Sketch};
use lookalike::search::{Settings, build};

use super::{
    Run,
    say::{self, Change},
};
use crate::commands::{
    dedup::words,
    family::{Fields, Text},
};
use crate::usage::{self, Usage};

const EXAMPLES: &str = "\
Examples:
  lookalike index build corpus.jsonl --out corpus.idx
  Find what is three tenths alike, too:
    lookalike index build corpus.jsonl --out wide.idx --threshold 0.3
  A file a document, all below a folder:
    lookalike index build pages --format files --out pages.idx";

/// Make an index of all documents of a corpus
///
/// The threshold is not a limit: it says down to which similarity documents are found with the
/// recall. More similar ones are found more often, less similar ones less; whatever is found
/// is compared exactly. A lower threshold takes more bands, and hence a larger file.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Files, folders or globs; - for stdin. JSONL or text, plain or compressed with gzip or zstd
    #[arg(value_name = "INPUT", required = true)]
    inputs: Vec<String>,
    /// File for the index; it must not exist yet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Replace an index of that name
    #[arg(long)]
    overwrite: bool,

    /// Similarity down to which documents should be found, from 0.001 to 1 [default: 0.5]
    #[arg(long, value_name = "S", help_heading = "Search")]
    #[arg(value_parser = usage::similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// Share of the documents at the threshold that must be found; chooses bands and rows [default: 0.95]
    #[arg(long, value_name = "R", help_heading = "Search")]
    #[arg(value_parser = usage::recall, allow_negative_numbers = true)]
    recall: Option<f64>,
    /// Most hash functions that may be chosen [default: 128]
    #[arg(
        long,
        value_name = "N",
        visible_alias = "num-perm",
        help_heading = "Search"
    )]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)), allow_negative_numbers = true)]
    functions: Option<u32>,
    /// Bands, instead of a recall
    #[arg(long, value_name = "B", requires = "rows", conflicts_with_all = ["recall", "functions"])]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)), allow_negative_numbers = true)]
    #[arg(help_heading = "Search")]
    bands: Option<u32>,
    /// Rows of a band
    #[arg(long, value_name = "R", requires = "bands", help_heading = "Search")]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)), allow_negative_numbers = true)]
    rows: Option<u32>,
    /// Sketch
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    #[arg(value_parser = words::<Sketch>(&["fast-similarity", "universal"]))]
    family: Option<Sketch>,
    /// Where all random draws come from [default: 0]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Search",
        allow_negative_numbers = true
    )]
    seed: Option<u64>,

    #[command(flatten)]
    text: Text,
    /// What a document is [default: what the names and contents say]
    #[arg(long, value_name = "FORMAT", help_heading = "Data")]
    #[arg(value_parser = words::<Format>(&["jsonl", "lines", "files"]))]
    format: Option<Format>,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let settings = self.settings()?;
        settings.plan()?;
        let data = self.fields.data(&self.inputs, self.format);
        let (stats, seconds) = self
            .run
            .work(|bar| build(&settings, &data, &self.out, self.overwrite, bar))?;
        let change = Change::Built;
        say::write(&self.out, change, &stats, seconds, self.run, out)
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let defaults = Settings::default();
        let mut family = self.text.family()?;
        if let Some(name) = self.family {
            family.name = name;
        }
        if let (Some(bands), Some(rows)) = (self.bands, self.rows) {
            let functions = u64::from(bands) * u64::from(rows);
            if functions > u64::from(FUNCTIONS) {
                let message = format!(
                    "--bands {bands} --rows {rows} need {functions} functions, but at most {FUNCTIONS} can be used"
                );
                return Err(Usage(message).into());
            }
        }
        Ok(Settings {
            seed: self.seed.unwrap_or(defaults.seed),
            threshold: self.threshold.unwrap_or(defaults.threshold),
            recall: self.recall,
            functions: self.functions,
            bands: self.bands,
            rows: self.rows,
            family,
        })
    }
}
