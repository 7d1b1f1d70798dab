//! `lookalike index`: a file that `query` asks, made and changed.

mod add;
mod build;
mod check;
mod compact;
mod remove;
mod say;
mod stats;

use std::{io::Write, time::Duration, time::Instant};

use clap::{Subcommand, value_parser};
use lookalike::search::Registry;

use crate::bar::Bar;
use crate::options::run::pool;

pub(crate) use self::say::found;

const EXAMPLES: &str = "\
Examples:
  Make an index of a corpus, and ask it:
    lookalike index build corpus.jsonl --out corpus.idx
    lookalike query corpus.idx --text \"the ferry to the island leaves at nine\"
  Documents come and go:
    lookalike index add corpus.idx more.jsonl
    lookalike index remove corpus.idx doc-17 doc-18
  See what it holds:
    lookalike index stats corpus.idx
  An index of other items, by a measure:
    lookalike index build codes.npy --hamming 25 --out codes.idx
    lookalike index add codes.idx more.npy --new
    lookalike index check codes.idx

An index is one file. It keeps the items, compressed, so that answers are exact
and can be shown; the inputs are not needed any more. A change is on disk when
the command ends, and until then the older state is found. Several processes may
change an index, one after the other, while any number of them ask it.";

/// Make and change an index of documents, for fast queries
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, subcommand_required = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(Box<build::Args>),
    Add(Box<add::Args>),
    Remove(remove::Args),
    Stats(stats::Args),
    Check(check::Args),
    Compact(compact::Args),
}

impl Args {
    /// The command as it is typed.
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::Build(_) => "index build",
            Command::Add(_) => "index add",
            Command::Remove(_) => "index remove",
            Command::Stats(_) => "index stats",
            Command::Check(_) => "index check",
            Command::Compact(_) => "index compact",
        }
    }

    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        match &self.command {
            Command::Build(args) => args.run(registry, out),
            Command::Add(args) => args.run(registry, out),
            Command::Remove(args) => args.run(registry, out),
            Command::Stats(args) => args.run(registry, out),
            Command::Check(args) => args.run(registry, out),
            Command::Compact(args) => args.run(registry, out),
        }
    }
}

/// How long a change waits for other processes.
#[derive(Clone, Copy, Debug, clap::Args)]
struct Wait {
    /// Seconds to wait for another process that changes the index
    #[arg(
        long,
        value_name = "SECONDS",
        default_value_t = 60.0,
        help_heading = "Output"
    )]
    #[arg(value_parser = wait, allow_negative_numbers = true)]
    wait: f64,
}

impl Wait {
    fn duration(self) -> Duration {
        Duration::from_secs_f64(self.wait)
    }
}

fn wait(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(seconds) if (0.0..=1e6).contains(&seconds) => Ok(seconds),
        _ => Err("must be a number of seconds from 0 to 1000000".into()),
    }
}

/// How a change is done, and what is said about it.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
struct Run {
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Print nothing but errors
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,
    /// Write one JSON document instead of text
    #[arg(long)]
    json: bool,
}

impl Run {
    /// Does the work on the threads that were asked for, with a bar; how many seconds it took.
    fn work<T: Send>(
        self,
        work: impl FnOnce(&Bar) -> Result<T, lookalike::search::Error> + Send,
    ) -> anyhow::Result<(T, f64)> {
        let start = Instant::now();
        let bar = Bar::new(!self.quiet && !self.json);
        let done = pool(self.threads)?.install(|| work(&bar));
        bar.finish();
        Ok((done?, start.elapsed().as_secs_f64()))
    }
}
