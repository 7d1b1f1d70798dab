//! `lookalike dedup`: from files to verified clusters.
//!
//! Settings come from defaults, then from a file, then from the command line; what was decided is
//! written beside the results, so that it can be run again.

mod forecast;
mod settings;
mod summary;

use std::{io::Write, path::PathBuf};

use clap::value_parser;
use lookalike::corpus::{FieldPath, OnError};
use lookalike::dedup::{Compress, Grouping, Keep, Mode, Verification, check_folder, forecast, run};

use crate::bar::Bar;
use crate::options::{Fields, Pair, words};
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
    lookalike dedup 'pages/*.jsonl.zst' --out found --mode report \\
      --threshold 0.9 --tokens whitespace
  New data against old, inside each language:
    lookalike dedup new.jsonl --against old.jsonl --within lang --out clean
  A line a document, from a pipe; keep the longest of each cluster:
    cat lines.txt | lookalike dedup - --out clean --keep longest
  Run again what was run before:
    lookalike dedup --config clean/run.toml --out again

Written to the output folder, complete or not at all:
  kept, removed    the documents, in files named as the inputs (--mode remove)
  annotated        the documents with what they duplicate (--mode annotate)
  skipped          records that could not be read (--on-error skip)
  skipped.jsonl    and why
  clusters.jsonl   a cluster a line: the document that stays, and the others
  pairs.jsonl      a pair a line with its similarity; over two million, copies
                   only once
  report.html      a page to look at: counts, the S-curve, pairs
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
    /// Files, folders or globs; - for stdin. JSONL, JSON arrays, CSV, TSV or text, plain or compressed with gzip or zstd; Parquet
    #[arg(value_name = "INPUT", required_unless_present = "config")]
    inputs: Vec<String>,
    /// Folder for the results; it must not exist yet, or be empty
    #[arg(long, value_name = "DIR", required_unless_present_any = ["config", "dry_run"])]
    out: Option<PathBuf>,
    /// Replace the results of an earlier run in that folder
    #[arg(long)]
    overwrite: bool,
    /// Read a sample, say what the run would take and find, and write nothing
    #[arg(long)]
    dry_run: bool,

    #[command(flatten)]
    pair: Pair,
    /// Most texts of a bucket that are all compared with each other [default: 1000]
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
    /// What to do about a record that cannot be read: stop, or skip it, which puts it aside [default: stop]
    #[arg(long, value_name = "HOW", help_heading = "Data")]
    #[arg(value_parser = words::<OnError>(&["stop", "skip"]))]
    on_error: Option<OnError>,
    #[command(flatten)]
    fields: Fields,

    /// How candidates are judged [default: exact]
    #[arg(long, value_name = "METHOD", help_heading = "Results")]
    #[arg(value_parser = words::<Verification>(&["exact", "signature", "none"]))]
    verify: Option<Verification>,
    /// What makes a cluster: a document and its matches, or chains of matches [default: star]
    #[arg(long, value_name = "METHOD", help_heading = "Results")]
    #[arg(value_parser = words::<Grouping>(&["star", "components"]))]
    cluster: Option<Grouping>,
    /// Which document of a cluster stays: first, last, longest, shortest, max:FIELD or min:FIELD [default: first]
    #[arg(long, value_name = "WHICH", help_heading = "Results")]
    keep: Option<Keep>,
    /// What becomes of the documents [default: remove]
    #[arg(long, value_name = "MODE", help_heading = "Results")]
    #[arg(value_parser = words::<Mode>(&["remove", "annotate", "report"]))]
    mode: Option<Mode>,
    /// How the files are compressed that mirror the inputs: same is as each input is [default: none]
    #[arg(long, value_name = "CODEC", help_heading = "Results")]
    #[arg(value_parser = words::<Compress>(&["none", "same", "gzip", "zstd"]))]
    compress: Option<Compress>,
    /// Share of the documents, or of one source of 1000 or more, that may be duplicates, and of the records that may be skipped; beyond, a run that removes or annotates stops with exit code 3 [default: 0.9]
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
    #[command(flatten)]
    output: Output,
}

impl Args {
    /// Runs, and writes the plan before and the summary after.
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let config = self.config()?;
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()?;
        let folder = self.out.as_ref().or(config.output.dir.as_ref());
        if self.dry_run {
            if let Some(folder) = folder {
                check_folder(folder, config.output.overwrite)?;
            }
            let forecast = pool.install(|| forecast(&config))?;
            return match self.quiet {
                true => Ok(()),
                false => forecast::write(&forecast, &config, self.output, out),
            };
        }
        let Some(folder) = folder else {
            return Err(Usage("no output folder: add --out DIR".into()).into());
        };
        let plan = config.plan()?;
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
}
