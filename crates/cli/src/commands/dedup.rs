//! `lookalike dedup`: from files to verified clusters.
//!
//! Settings come from defaults, then from a file, then from the command line; what was decided is
//! written beside the results, so that it can be run again.

mod forecast;
mod piped;
mod settings;
mod summary;

use std::{
    env,
    io::{self, Write},
    path::PathBuf,
    process,
};

use anyhow::Context;
use clap::value_parser;
use lookalike::corpus::{FieldPath, OnError};
use lookalike::dedup::{
    Compress, Grouping, Keep, Mode, Tables, Verification, check_folder, forecast, report, run,
};
use lookalike::output::TemporaryFolder;
use lookalike::plugin::shown;
use lookalike::search::Registry;

use crate::bar::Bar;
use crate::interrupt::remove_when_interrupted;
use crate::options::run::pool;
use crate::options::{Fields, Pair, words};
use crate::output::Plain;
use crate::usage::{self, Usage};

const USAGE: &str = "\
lookalike dedup INPUT... --out DIR [OPTIONS]
       lookalike dedup --config FILE.toml [OPTIONS]";

const EXAMPLES: &str = "\
Examples:
  Remove near-duplicates from a corpus:
    lookalike dedup corpus.jsonl --out clean
  Only look, at a threshold of 0.9, with words split at white space:
    lookalike dedup 'pages/*.jsonl.zst' --out found --mode report \\
      --threshold 0.9 --tokens whitespace
  New data against old, inside each language:
    lookalike dedup new.jsonl --against old.jsonl --within lang --out clean
  A filter in a pipe, with one document per line:
    cat lines.txt | lookalike dedup - --stdout --keep longest > clean.txt
  Pages with the same address, whatever they say:
    lookalike dedup pages.csv --by url --keep max:date --out clean
  Run again what was run before:
    lookalike dedup --config clean/run.toml --out again

What is compared:
  A token is a word: a run of letters and digits, in lower case. Everything
  else is dropped, so that \"a + b\" equals \"a - b\"; --tokens whitespace keeps
  it, and --tokens chars takes each character. A shingle is some tokens in a
  row (--shingle). The similarity of two documents is the share of their
  shingles that both have: --threshold 1 means equal shingles, not equal bytes
  (--copies-only).

Written to the output folder, complete or not at all:
  kept, removed    the documents, in files named as the inputs (--mode remove)
  annotated        the documents with what they duplicate (--mode annotate): a
                   member lookalike in JSON, columns in CSV and Parquet
  removed_ids.txt  the ids of duplicates, one per line (--mode ids)
  skipped          records that could not be read (--on-error skip)
  skipped.jsonl    and why
  clusters.jsonl   one cluster per line: the document kept, and the others
  pairs.jsonl      one pair per line with its similarity; beyond two million,
                   each further copy once (--tables csv, parquet: also tables)
  report.html      a page to look at: clusters, the S-curve, pairs
  report.json      counts, the S-curve, times
  run.toml         all settings; --config takes it";

/// Options that decide about similarity, and so about nothing where documents must be equal.
const NOT_EQUAL: [&str; 16] = [
    "preset",
    "threshold",
    "recall",
    "functions",
    "bands",
    "rows",
    "family",
    "max_bucket",
    "shingle",
    "tokens",
    "normalize",
    "short",
    "stop_words",
    "bag",
    "verify",
    "chart",
];

/// Find near-duplicate documents, and keep one of each
///
/// Texts become sets of shingles, sets become minhash signatures, and documents whose signatures
/// agree in a band become candidates. Every candidate is then compared exactly: the threshold is
/// enforced, and the recall says how many pairs at the threshold are found.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
pub(crate) struct Args {
    /// Files, folders or globs; - for stdin. JSONL, JSON arrays, CSV, TSV or text, plain or compressed with gzip or zstd; Parquet
    #[arg(value_name = "INPUT", required_unless_present = "config")]
    inputs: Vec<String>,
    /// Folder for the results; it must not exist yet, or be empty
    #[arg(long, value_name = "DIR", required_unless_present_any = ["config", "dry_run", "stdout"])]
    out: Option<PathBuf>,
    /// Write the documents that are kept to stdout, as a filter in a pipe does, and everything else to stderr
    #[arg(long, conflicts_with_all = ["json", "dry_run"])]
    stdout: bool,
    /// Replace the results of an earlier run in that folder
    #[arg(long)]
    overwrite: bool,
    /// Read a sample, say what the run would take and find, and write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    pair: Pair,
    /// Remove only documents whose texts are equal, byte by byte: nothing is shingled
    #[arg(long, help_heading = "Search", conflicts_with_all = NOT_EQUAL, conflicts_with = "by")]
    copies_only: bool,
    /// Remove documents with an equal value of this field, such as a URL, whatever their texts; those without it are kept
    #[arg(long, value_name = "FIELD", help_heading = "Search", conflicts_with_all = NOT_EQUAL)]
    by: Option<FieldPath>,
    /// Most texts of a bucket that are all compared with each other
    #[arg(
        long,
        value_name = "N",
        help_heading = "Search",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u32).range(2..))]
    max_bucket: Option<u32>,

    /// Older corpus: what duplicates one of its documents goes too, and nothing of it is written
    #[arg(long, value_name = "OLD", num_args = 1.., help_heading = "Data")]
    against: Option<Vec<String>>,
    /// Compare only documents with the same value of this field, such as a source or a language
    #[arg(long, value_name = "FIELD", help_heading = "Data")]
    within: Option<FieldPath>,
    /// What to do about a record that cannot be read: stop, or skip it, which puts it aside
    #[arg(long, value_name = "HOW", help_heading = "Data")]
    #[arg(value_parser = words::<OnError>(&["stop", "skip"]))]
    on_error: Option<OnError>,
    #[command(flatten)]
    fields: Fields,

    /// How candidates are judged
    #[arg(long, value_name = "METHOD", help_heading = "Results")]
    #[arg(value_parser = words::<Verification>(&["exact", "signature", "none"]))]
    verify: Option<Verification>,
    /// What makes a cluster: a document and its matches, or chains of matches
    #[arg(long, value_name = "METHOD", help_heading = "Results")]
    #[arg(value_parser = words::<Grouping>(&["star", "components"]))]
    cluster: Option<Grouping>,
    /// Which document of a cluster stays: first, last, longest, shortest, max:FIELD or min:FIELD
    #[arg(long, value_name = "WHICH", help_heading = "Results")]
    keep: Option<Keep>,
    /// What becomes of the documents: remove sorts them into kept and removed; annotate adds duplicate_of, similarity and cluster to each; ids lists the ids to remove; report writes neither
    #[arg(long, value_name = "MODE", help_heading = "Results")]
    #[arg(value_parser = words::<Mode>(&["remove", "annotate", "ids", "report"]))]
    mode: Option<Mode>,
    /// How the files are compressed that mirror the inputs: same is as each input is
    #[arg(long, value_name = "CODEC", help_heading = "Results")]
    #[arg(value_parser = words::<Compress>(&["none", "same", "gzip", "zstd"]))]
    compress: Option<Compress>,
    /// Write pairs and clusters also as tables, next to the JSONL files
    #[arg(long, value_name = "FORMAT", help_heading = "Results")]
    #[arg(value_parser = words::<Tables>(&["jsonl", "csv", "parquet"]))]
    tables: Option<Tables>,
    /// Share of the documents, or of one source of 1000 or more, that may be duplicates, and of the records that may be skipped; beyond, a run that removes or annotates stops with exit code 3
    #[arg(long, value_name = "SHARE", help_heading = "Results")]
    #[arg(value_parser = usage::unit, allow_negative_numbers = true)]
    max_removed: Option<f64>,
    /// Go on even if almost everything is a duplicate, or skipped
    #[arg(long, help_heading = "Results")]
    allow_mass_removal: bool,

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
    /// Draw the S-curve: how likely pairs of each similarity are found
    #[arg(long, help_heading = "Output", conflicts_with = "json")]
    chart: bool,
    #[command(flatten)]
    output: Plain,
}

impl Args {
    /// Runs, and writes the plan before and the summary after.
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let config = self.config(registry)?;
        let pool = pool(self.threads)?;
        let folder = self.out.as_ref().or(config.output.dir.as_ref());
        if self.dry_run {
            if let Some(folder) = folder {
                check_folder(folder, config.output.overwrite)?;
            }
            let forecast = pool.install(|| forecast(registry, &config))?;
            return match self.quiet {
                true => Ok(()),
                false => forecast::write(&forecast, &config, self.output, self.chart, out),
            };
        }
        let (temporary, inside);
        let folder = match folder {
            Some(folder) => folder,
            None if self.stdout => {
                // A target of its own, so that several filters run at the same time.
                let target = env::temp_dir().join(process::id().to_string());
                let made = TemporaryFolder::beside(&target, &remove_when_interrupted);
                temporary = made.with_context(|| {
                    let folder = shown(env::temp_dir());
                    format!(
                        "cannot make temporary files in {folder} (set TMPDIR to another folder)"
                    )
                })?;
                inside = temporary.path().join("out");
                &inside
            }
            None => return Err(Usage("no output folder: add --out DIR".into()).into()),
        };
        let talks = !self.quiet && !self.output.json;
        let mut plan = Vec::new();
        let width = self.output.width();
        summary::write_plan(
            &config.plan(registry)?,
            &config,
            self.chart,
            width,
            &mut plan,
        )?;
        let bar = Bar::with_plan(talks, String::from_utf8(plan)?);
        let found = pool.install(|| run(registry, &config, folder, &bar));
        bar.finish();
        let report = found?;
        if self.output.json {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            writeln!(out)?;
        } else if talks && self.stdout {
            let report::Documents { read, removed, .. } = report.documents;
            let _ = writeln!(io::stderr(), "{removed} of {read} documents removed");
        } else if talks {
            summary::write(&report, &config, folder, out)?;
        }
        if self.stdout {
            piped::write(&report, config.output.mode, folder, out)?;
        }
        Ok(())
    }
}
