//! `lookalike run`: an experiment from a TOML file.

mod lesson;
mod table;

use std::{fs, io::Write, path::PathBuf};

use anyhow::Context;
use clap::value_parser;
use lookalike::experiment::{Experiment, Outcome};
use lookalike::search::Registry;

use crate::bar::Bar;
use crate::options::run::pool;
use crate::output::Plain;
use crate::usage::Usage;

pub(crate) use self::table::write as write_table;

const EXAMPLES: &str = "\
Examples:
  The S-curve of 20 bands of 5 rows, measured:
    lookalike run configs/s-curve.toml --out measured
  A matrix under given permutations, with its signatures:
    lookalike run configs/matrix-1.toml --out matrix
  The small form of a longer one, to see whether a file is right:
    lookalike run configs/sweep-text.toml --out try --small
  A file for dedup is one for run:
    lookalike run configs/dedup.toml --out measured

Written to the output folder, complete or not at all:
  report.html   a page to look at, in one file that needs no network
  result.json   all that was measured; the same bytes again but for `times`
  result.csv    one line per run
  run.toml      all settings, with what was chosen; run takes it again

docs/experiments.md says what a file can say; `lookalike families` lists the
families that it can name.";

/// Run an experiment from a TOML file and compare it with the truth
///
/// The file says what the data is, which family hashes it and how it is amplified, and lists of values for any of these.
/// Candidates and matches are compared with the exact distances, over as many seeds as it says. Printed are the signatures of
/// a few items, what became of planted pairs next to what was predicted, and a table of all runs.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder for the results; it must not exist yet, or be empty [default: what the file says]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Replace the results of an earlier run in that folder
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    what: What,
}

/// The file, and how it is run.
#[derive(Debug, clap::Args)]
pub(crate) struct What {
    /// The experiment
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Take the small form of the experiment: what its table [small] says goes over the rest
    #[arg(long)]
    small: bool,
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
    output: Plain,
}

impl Args {
    /// Runs, and writes a table of what was found.
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        self.what.run(registry, out, |experiment, bar| {
            let said = experiment.settings().next().map(|it| &it.output);
            let folder = self.out.as_ref().or(said.and_then(|it| it.dir.as_ref()));
            let Some(folder) = folder else {
                return Err(Usage("no output folder: add --out DIR".into()).into());
            };
            let overwrite = self.overwrite || said.is_some_and(|it| it.overwrite);
            let outcome = experiment.run_into(folder, overwrite, bar)?;
            Ok((outcome, Some(folder.join("report.html"))))
        })
    }
}

impl What {
    /// Reads the file, runs it, and writes what was found.
    pub(crate) fn run(
        &self,
        registry: &Registry,
        out: &mut impl Write,
        run: impl FnOnce(&Experiment<'_>, &Bar) -> anyhow::Result<(Outcome, Option<PathBuf>)> + Send,
    ) -> anyhow::Result<()> {
        let name = self.file.display().to_string();
        let text = fs::read_to_string(&self.file).with_context(|| name.clone())?;
        let experiment = Experiment::parse(registry, &name, &text, self.small)?;
        let pool = pool(self.threads)?;
        let bar = Bar::new(!self.quiet && !self.output.json);
        let found = pool.install(|| run(&experiment, &bar));
        bar.finish();
        let (outcome, page) = found?;
        if self.output.json {
            serde_json::to_writer_pretty(&mut *out, &outcome)?;
            writeln!(out)?;
        } else if !self.quiet {
            // What is written has a page; a comparison is a table alone.
            let width = self.output.width();
            let is_all = page.is_some() && lesson::write(&outcome, width, out)?;
            if !is_all {
                write_table(&outcome, width, out)?;
            }
            if let Some(page) = page {
                let gap = if is_all { "" } else { "\n" };
                writeln!(out, "{gap}{}", page.display())?;
            }
        }
        Ok(())
    }
}
