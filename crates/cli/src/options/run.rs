//! How long work is run, and what is said about it.

use std::time::Instant;

use anyhow::anyhow;
use clap::value_parser;
use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

/// How it is run, and what is said about it.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Run {
    /// Threads [default: all cores]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Write one JSON object per line, one for each result
    #[arg(long)]
    pub(crate) json: bool,
    /// Say nothing about how it was done
    #[arg(long, short)]
    pub(crate) quiet: bool,
}

impl Run {
    /// Makes this number of threads the one for all that follows. Results are written by the thread of the command,
    /// which is not one of them.
    pub(crate) fn start(self) -> anyhow::Result<()> {
        builder(self.threads)
            .build_global()
            .map_err(refused(self.threads))
    }

    /// Runs on so many threads.
    pub(crate) fn work<T: Send>(self, work: impl FnOnce() -> T + Send) -> anyhow::Result<T> {
        Ok(pool(self.threads)?.install(work))
    }
}

/// The given number of threads, or one for each core.
pub(crate) fn pool(threads: Option<u16>) -> anyhow::Result<ThreadPool> {
    builder(threads).build().map_err(refused(threads))
}

fn builder(threads: Option<u16>) -> ThreadPoolBuilder {
    ThreadPoolBuilder::new().num_threads(threads.map_or(0, usize::from))
}

/// The error of threads that the system has no room for.
fn refused(threads: Option<u16>) -> impl FnOnce(ThreadPoolBuildError) -> anyhow::Error {
    move |error| {
        let threads = threads.map_or("one thread per core".into(), |n| format!("{n} threads"));
        anyhow!(
            "cannot start {threads}: {error}: the system has no memory for their stacks, or allows fewer; use fewer with --threads"
        )
    }
}

/// What something gave, and the seconds that it took.
pub(crate) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let start = Instant::now();
    let done = work();
    (done, start.elapsed().as_secs_f64())
}
