//! The command `lookalike`.
//!
//! Every command first makes a report, a plain value, and then writes it: as
//! text, or with `--json` as one document. So both forms always have the same
//! numbers. Exit codes: 0 done, 1 error, 2 wrong use, 3 mass removal.

mod bar;
mod chart;
mod commands;
mod gone;
mod interrupt;
mod number;
mod options;
mod output;
mod registry;
mod remedy;
mod s_curve;
mod table;
mod usage;
mod verb;

use std::env;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand, error::ErrorKind};

use crate::remedy::{Spelling, explained};
use crate::usage::Usage;

/// It counts for `run` and `compare`, which tell how much memory families take.
#[global_allocator]
static MEMORY: lookalike::experiment::Counting = lookalike::experiment::Counting;

const AFTER_HELP: &str = "\
Words:
  candidate  a pair that shares a bucket in at least one band
  match      a candidate that has been verified
  recall     the share of the similar pairs that become candidates

Examples:
  lookalike dedup corpus.jsonl --out clean
  lookalike explain --run clean page-17 page-40
  lookalike audit clean
  lookalike index build corpus.jsonl --out corpus.idx
  lookalike query corpus.idx page.txt
  lookalike pairs hashes.txt --hamming 6
  lookalike query codes.npy new.npy --hamming 25 -k 10
  lookalike fingerprint search prints.idx scene.xyt
  lookalike run configs/s-curve.toml --out measured
  lookalike tune --threshold 0.8
  lookalike curve --bands 20 --rows 5
  lookalike trace --set 0,3 --set 2 --set 0,2,3

Exit codes:
  0  done
  1  an error, or a goal that cannot be reached
  2  wrong use
  3  stopped, because almost everything would be removed or skipped";

/// Find things that are alike, by locality-sensitive hashing
///
/// A locality-sensitive function sends an item to a bucket, and similar items
/// to the same bucket more often than others. Many functions, combined into
/// bands of rows, make the difference as sharp as wanted.
#[derive(Debug, Parser)]
#[command(name = "lookalike", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Dedup(Box<commands::dedup::Args>),
    Explain(Box<commands::explain::Args>),
    Audit(commands::audit::Args),
    Pairs(Box<commands::pairs::Args>),
    Query(Box<commands::query::Args>),
    Index(Box<commands::index::Args>),
    Fingerprint(Box<commands::fingerprint::Args>),
    Run(Box<commands::run::Args>),
    Compare(commands::compare::Args),
    Families(commands::families::Args),
    Curve(commands::curve::Args),
    Tune(commands::tune::Args),
    Trace(Box<commands::trace::Args>),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

impl Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Dedup(_) => "dedup",
            Self::Explain(_) => "explain",
            Self::Audit(_) => "audit",
            Self::Pairs(_) => "pairs",
            Self::Query(_) => "query",
            Self::Index(args) => args.name(),
            Self::Fingerprint(args) => args.name(),
            Self::Run(_) => "run",
            Self::Compare(_) => "compare",
            Self::Families(_) => "families",
            Self::Curve(_) => "curve",
            Self::Tune(_) => "tune",
            Self::Trace(_) => "trace",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }

    /// Where its settings are written.
    fn spelling(&self) -> Spelling {
        match self {
            Self::Run(_) | Self::Compare(_) => Spelling::File,
            _ => Spelling::Flags,
        }
    }

    fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match self {
            Self::Dedup(args) => args.run(out)?,
            Self::Explain(args) => args.run(out)?,
            Self::Audit(args) => args.run(out)?,
            Self::Pairs(args) => args.run(out)?,
            Self::Query(args) => args.run(out)?,
            Self::Index(args) => args.run(out)?,
            Self::Fingerprint(args) => args.run(out)?,
            Self::Run(args) => args.run(out)?,
            Self::Compare(args) => args.run(out)?,
            Self::Families(args) => args.run(out)?,
            Self::Curve(args) => args.run(out)?,
            Self::Tune(args) => args.run(out)?,
            Self::Trace(args) => args.run(out)?,
            Self::Completions(args) => args.run(Cli::command(), out)?,
            Self::Man(args) => args.run(Cli::command(), out)?,
        }
        Ok(out.flush()?)
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if let Some(message) = gone::successor(&words) {
        let error = Cli::command().error(ErrorKind::InvalidSubcommand, message);
        error.exit()
    }
    let command = Cli::parse().command;
    interrupt::watch();
    let mut out = BufWriter::new(io::stdout().lock());
    let Err(error) = command.run(&mut out) else {
        return ExitCode::SUCCESS;
    };
    if reader_left(&error) {
        return ExitCode::SUCCESS;
    }
    if let Some(Usage(message)) = error.downcast_ref() {
        refuse(command.name(), message);
    }
    // Not `eprintln!`, which panics where stderr is closed; the exit code remains.
    let said = explained(&error, command.spelling());
    let _ = writeln!(io::stderr(), "error: {said}");
    use lookalike::dedup::Error::{MassRemoval, MassSkipping};
    let is_mass = matches!(
        error.downcast_ref(),
        Some(MassRemoval { .. } | MassSkipping { .. })
    );
    let is_mass = is_mass || error.is::<commands::fingerprint::NearlyAllSkipped>();
    ExitCode::from(if is_mass { 3 } else { 1 })
}

/// A reader such as `head` has what it wants.
pub(crate) fn reader_left(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let kind = match cause.downcast_ref::<serde_json::Error>() {
            Some(json) => json.io_error_kind(),
            None => cause.downcast_ref().map(io::Error::kind),
        };
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}

/// Reports wrong use in the way clap reports its own, with the usage of the command.
fn refuse(name: &str, message: &str) -> ! {
    let mut cli = Cli::command();
    cli.build();
    let command = name.split(' ').fold(&mut cli, |command, name| {
        let inner = command.find_subcommand_mut(name);
        inner.expect("the command was parsed from this tree")
    });
    command.error(ErrorKind::ValueValidation, message).exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        Cli::command().debug_assert();
    }
}
