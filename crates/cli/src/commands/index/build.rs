use std::{io::Write, path::PathBuf};

use lookalike::dedup::Config;
use lookalike::search::{Settings, build};

use super::{
    Run,
    say::{self, Change},
};
use crate::options::{Banding, Fields, Text};
use crate::usage;

const EXAMPLES: &str = "\
Examples:
  lookalike index build corpus.jsonl --out corpus.idx
  Find less similar documents, too:
    lookalike index build corpus.jsonl --out wide.idx --threshold 0.3
  One document per text file of a folder:
    lookalike index build pages --out pages.idx";

/// Make an index of all documents of a corpus
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
    #[arg(long, value_name = "S", help_heading = "Search")]
    #[arg(value_parser = usage::similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,
    #[command(flatten)]
    banding: Banding,
    #[command(flatten)]
    text: Text,
    #[command(flatten)]
    fields: Fields,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let settings = self.settings()?;
        settings.plan()?;
        let data = self.fields.input(&self.inputs);
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
        self.banding.over(&mut config)?;
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
}
