use std::io::Write;

use clap::value_parser;
use lookalike::codes::{Aim, pairs, plan};

use super::{Data, Search, say};
use crate::bar::Spinner;
use crate::options::run::{Run, timed};

const EXAMPLES: &str = "\
Examples:
  lookalike hamming pairs hashes.txt --radius 6
  All of them, for certain, for a program:
    lookalike hamming pairs codes.npy --radius 25 --exact --json
  Records with a field phash, called by their url:
    lookalike hamming pairs images.jsonl --field phash --id-field url --radius 6

Each line has a distance and two codes, separated by tabs, the nearest first.";

/// Find all pairs of codes that differ in few bits
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A file with codes, - for stdin
    #[arg(value_name = "DATA")]
    data: String,
    /// The most bits that may differ
    #[arg(long, value_name = "BITS", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32))]
    radius: u32,
    /// At most so many pairs, the nearest ones [default: all]
    #[arg(
        short = 'k',
        long = "top",
        value_name = "N",
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u64).range(1..))]
    k: Option<u64>,

    #[command(flatten)]
    search: Search,
    #[command(flatten)]
    from: Data,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let spinner = Spinner::new(!self.run.quiet);
        spinner.say("reading");
        let collection = self.run.work(|| self.from.read(&self.data))??;
        let codes = &collection.codes;
        let aim = Aim {
            radius: self.radius,
            recall: self.search.recall(),
        };
        let plan = plan(codes, codes.len(), aim, self.search.bytes())?;
        if !self.run.quiet {
            spinner.hide();
            say::plan(codes, &plan, Some(self.radius))?;
        }
        spinner.say("comparing");
        let (found, seconds) = timed(|| {
            let seed = self.search.seed;
            self.run.work(|| pairs(codes, plan, seed, self.radius))
        });
        let found = found??;
        spinner.hide();
        let most = self
            .k
            .map_or(usize::MAX, |k| usize::try_from(k).unwrap_or(usize::MAX));
        let mut written = 0;
        for (a, b, distance) in found.iter().take(most) {
            written += 1;
            if self.run.json {
                let [a, b] = [a, b].map(|code| collection.names.json(code));
                writeln!(out, r#"{{"a": {a}, "b": {b}, "distance": {distance}}}"#)?;
            } else {
                let [a, b] = [a, b].map(|code| collection.names.text(code));
                writeln!(out, "{distance}\t{a}\t{b}")?;
            }
        }
        if !self.run.quiet {
            say::pairs(found.count(), written, seconds)?;
        }
        Ok(())
    }
}
