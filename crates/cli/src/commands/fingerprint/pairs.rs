use std::{io::Write, path::PathBuf};

use clap::value_parser;
use lookalike::prints::{Gallery, THRESHOLD};

use super::{Data, Profile, say_skipped};
use crate::{bar::Spinner, options::run::Run};

const EXAMPLES: &str = "\
Examples:
  lookalike fingerprint pairs prints
  Fewer false pairs, in a large database above all:
    lookalike fingerprint pairs prints --threshold 20

Each line has a score and two prints, separated by tabs, the best first. Of two
prints of different fingers fewer than one in a thousand reach 11; n prints are
n·(n − 1)/2 pairs.";

/// Find all pairs of prints that are of one finger
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A folder or an archive of templates
    #[arg(value_name = "DIR")]
    prints: PathBuf,
    /// The least score of a pair
    #[arg(long, value_name = "SCORE", default_value_t = THRESHOLD, allow_negative_numbers = true)]
    #[arg(value_parser = threshold)]
    threshold: f32,
    /// How many of the best by votes are compared with each print
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        allow_negative_numbers = true
    )]
    #[arg(value_parser = value_parser!(u32).range(1..))]
    depth: u32,
    /// How keys are made
    #[arg(long, value_name = "PROFILE", default_value = "accurate")]
    profile: Profile,

    #[command(flatten)]
    from: Data,
    #[command(flatten)]
    run: Run,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let spinner = Spinner::new(!self.run.quiet);
        spinner.say("reading");
        let read = self.from.read(&self.prints)?;
        spinner.hide();
        say_skipped(&read.skipped, self.run.quiet);
        spinner.say("comparing");
        let (gallery, alike) = self.run.work(|| {
            let gallery = Gallery::enroll(read.prints, self.profile.triples())?;
            let alike = gallery.pairs(self.threshold, self.depth as usize)?;
            Ok::<_, lookalike::prints::Error>((gallery, alike))
        })??;
        spinner.hide();
        for found in &alike {
            let [a, b] = [found.pair.a(), found.pair.b()].map(|id| gallery.name(id));
            if self.run.json {
                let line = serde_json::json!({ "a": a, "b": b, "score": found.score });
                writeln!(out, "{line}")?;
            } else {
                writeln!(out, "{:.2}\t{a}\t{b}", found.score)?;
            }
        }
        if !self.run.quiet {
            let prints = gallery.len();
            // Not `eprintln!`, which panics where stderr is closed.
            let _ = writeln!(
                std::io::stderr(),
                "{} pairs among {prints} prints, score {} or more",
                alike.len(),
                self.threshold
            );
        }
        Ok(())
    }
}

fn threshold(text: &str) -> Result<f32, String> {
    let number = text.trim().parse().ok();
    let within = number.filter(|score: &f32| score.is_finite() && *score > 0.0);
    within.ok_or_else(|| "must be a number above 0, such as 11".into())
}
