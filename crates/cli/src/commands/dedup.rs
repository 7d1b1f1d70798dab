//! `lookalike dedup`: from files to verified clusters.
//!
//! Settings come from defaults, then from a file, then from the command line; what was decided is
//! written beside the results, so that it can be run again.

pub(crate) mod bar;
mod summary;

use std::{fs, io::Write, path::PathBuf};

use anyhow::Context;
use clap::{
    builder::{PossibleValuesParser, TypedValueParser},
    value_parser,
};
use lookalike::corpus::{FieldPath, Format};
use lookalike::dedup::{Config, FUNCTIONS, Grouping, Keep, Method, Mode, Plan, Sketch, run};
use lookalike::minhash::{Normalize, Shingle, Tokens};
use serde::de::DeserializeOwned;

use self::bar::Bar;
use crate::output::Output;
use crate::reader_left;
use crate::usage::{self, Usage};

const USAGE: &str = "\
lookalike dedup INPUT... --out DIR [OPTIONS]
       lookalike dedup --config FILE.toml [OPTIONS]";

const EXAMPLES: &str = "\
Examples:
  Remove near-duplicates from a corpus:
    lookalike dedup corpus.jsonl --out clean
  Only look, with five-word shingles split at white space, from 0.9 on:
    lookalike dedup 'pages/*.jsonl.zst' --out found --mode report --threshold 0.9 --tokens whitespace
  A line a document, from a pipe; keep the longest of each cluster:
    cat lines.txt | lookalike dedup - --out clean --keep longest
  Run again what was run before:
    lookalike dedup --config clean/run.toml --out again

Written to the output folder, complete or not at all:
  kept, removed    the documents, in files named as the inputs (--mode remove)
  annotated        the documents with what they duplicate (--mode annotate)
  clusters.jsonl   a cluster a line: the document that stays, the others, their similarity
  pairs.jsonl      a pair a line, with its similarity; of over two million, copies only once
  report.json      counts, the S-curve, times
  run.toml         all settings; --config takes it";

/// Find near-duplicate documents, and keep one of each
///
/// Texts become sets of shingles, sets become minhash signatures, and documents whose signatures
/// agree in a band become candidates. Every candidate is then compared exactly: the threshold is
/// enforced, and the recall says how many pairs at the threshold are found.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Args {
    /// Files, folders or globs; - for stdin. JSONL or text, plain or compressed with gzip or zstd
    #[arg(value_name = "INPUT", required_unless_present = "config")]
    inputs: Vec<String>,
    /// Folder for the results; it must not exist yet, or be empty
    #[arg(long, value_name = "DIR", required_unless_present = "config")]
    out: Option<PathBuf>,
    /// Replace the results of an earlier run in that folder
    #[arg(long)]
    overwrite: bool,
    /// Settings from a TOML file; the command line has the last word
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,

    /// Similarity from which on documents are duplicates, from 0.001 to 1 [default: 0.8]
    #[arg(long, value_name = "S", help_heading = "Search")]
    #[arg(value_parser = usage::similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// Share of the pairs at the threshold that must be found; chooses bands and rows [default: 0.95]
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

    /// Shingles: words:K, chars:K or stopwords [default: words:5]
    #[arg(long, value_name = "KIND", help_heading = "Text")]
    shingle: Option<Shingle>,
    /// Tokens that words shingles are made of [default: words]
    #[arg(long, value_name = "KIND", help_heading = "Text")]
    #[arg(value_parser = words::<Tokens>(&["words", "uax29", "whitespace", "chars"]))]
    tokens: Option<Tokens>,
    /// Steps before the text is split: nfc, nfkc, casefold, accents, punctuation, digits, whitespace
    #[arg(
        long,
        value_name = "STEP,…",
        value_delimiter = ',',
        help_heading = "Text"
    )]
    normalize: Option<Vec<Normalize>>,

    /// What a document is [default: what the names and contents say]
    #[arg(long, value_name = "FORMAT", help_heading = "Data")]
    #[arg(value_parser = words::<Format>(&["jsonl", "lines", "files"]))]
    format: Option<Format>,
    /// Field of a record that holds the text, dots for inner ones [default: text]
    #[arg(long, value_name = "FIELD", help_heading = "Data")]
    text_field: Option<FieldPath>,
    /// Field that holds the id [default: id where there is one, else file and line]
    #[arg(long, value_name = "FIELD", help_heading = "Data")]
    id_field: Option<FieldPath>,
    /// Name documents by file and line, even if they have ids
    #[arg(long, help_heading = "Data", conflicts_with = "id_field")]
    ignore_ids: bool,

    /// How candidates are judged [default: exact]
    #[arg(long, value_name = "METHOD", help_heading = "Results")]
    #[arg(value_parser = words::<Method>(&["exact", "signature", "none"]))]
    verify: Option<Method>,
    /// What makes a cluster: a document and its matches, or chains of matches [default: star]
    #[arg(long, value_name = "METHOD", help_heading = "Results")]
    #[arg(value_parser = words::<Grouping>(&["star", "components"]))]
    cluster: Option<Grouping>,
    /// Which document of a cluster stays [default: first]
    #[arg(long, value_name = "WHICH", help_heading = "Results")]
    #[arg(value_parser = words::<Keep>(&["first", "last", "longest", "shortest"]))]
    keep: Option<Keep>,
    /// What becomes of the documents [default: remove]
    #[arg(long, value_name = "MODE", help_heading = "Results")]
    #[arg(value_parser = words::<Mode>(&["remove", "annotate", "report"]))]
    mode: Option<Mode>,

    /// Threads [default: all cores]
    #[arg(
        long,
        value_name = "N",
        help_heading = "Output",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print nothing but errors
    #[arg(long, short, help_heading = "Output", conflicts_with = "json")]
    quiet: bool,
    #[command(flatten)]
    output: Output,
}

impl Args {
    /// Runs, and writes the plan before and the summary after.
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let config = self.config()?;
        let Some(folder) = self.out.as_ref().or(config.output.dir.as_ref()) else {
            return Err(Usage("no output folder: add --out DIR".into()).into());
        };
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let plan = Plan::new(&config)?;
        let talks = !self.quiet && !self.output.json;
        if talks {
            let written = summary::write_plan(&plan, &config, self.output, out);
            // The results are in files: whoever reads the rest may leave.
            written.or_else(|error| {
                if reader_left(&error) {
                    Ok(())
                } else {
                    Err(error)
                }
            })?;
        }
        let bar = Bar::new(talks);
        let report = pool.install(|| run(&config, folder, &bar));
        bar.finish();
        let report = report?;
        if self.output.json {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)?;
        } else if talks {
            summary::write(&report, &config, folder, out)?;
        }
        Ok(())
    }

    /// What the file says, and over it what the command line says.
    fn config(&self) -> anyhow::Result<Config> {
        let mut config = match &self.config {
            None => Config::default(),
            Some(path) => {
                let name = path.display().to_string();
                let text = fs::read_to_string(path).with_context(|| name.clone())?;
                Config::parse(&text, &name)?
            }
        };
        fn set<T: Clone>(place: &mut T, given: &Option<T>) {
            if let Some(given) = given {
                *place = given.clone();
            }
        }
        if !self.inputs.is_empty() {
            config.data.inputs.clone_from(&self.inputs);
        }
        // One way to choose bands and rows puts the others aside.
        if self.recall.is_some() || self.functions.is_some() {
            (config.bands, config.rows, config.amplify) = (None, None, None);
        }
        if self.bands.is_some() {
            (config.recall, config.functions, config.amplify) = (None, None, None);
        }
        set(&mut config.seed, &self.seed);
        set(&mut config.threshold, &self.threshold);
        config.recall = self.recall.or(config.recall);
        config.functions = self.functions.or(config.functions);
        config.bands = self.bands.or(config.bands);
        config.rows = self.rows.or(config.rows);
        config.data.format = self.format.or(config.data.format);
        set(&mut config.data.text, &self.text_field);
        config.data.id = self.id_field.clone().or(config.data.id);
        config.data.ignore_ids |= self.ignore_ids;
        if self.id_field.is_some() {
            config.data.ignore_ids = false;
        }
        set(&mut config.family.name, &self.family);
        set(&mut config.family.tokens, &self.tokens);
        set(&mut config.family.shingle, &self.shingle);
        set(&mut config.family.normalize, &self.normalize);
        set(&mut config.verify.method, &self.verify);
        set(&mut config.cluster.method, &self.cluster);
        set(&mut config.cluster.keep, &self.keep);
        set(&mut config.output.mode, &self.mode);
        config.output.overwrite |= self.overwrite;
        if self.tokens.is_some() && matches!(config.family.shingle, Shingle::Chars(_)) {
            let message = "--tokens are for shingles of words: --shingle chars takes characters";
            return Err(Usage(message.into()).into());
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
        if config.data.inputs.is_empty() {
            let message = "no inputs: name files, folders, globs, or - for stdin";
            return Err(Usage(message.into()).into());
        }
        Ok(config)
    }
}

/// One of some words, as the settings spell them.
pub(crate) fn words<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value::<T>(word.into()))
}
