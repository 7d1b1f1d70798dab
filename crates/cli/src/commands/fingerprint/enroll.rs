use std::{fs, io::Write, path::PathBuf};

use anyhow::bail;
use lookalike::{engine::Saved, output::Replacement, prints::Gallery};
use serde::Serialize;

use super::{Data, Profile, say_skipped};
use crate::{
    bar::Spinner,
    interrupt::remove_when_interrupted,
    number::bytes,
    options::run::{Run, timed},
};

const EXAMPLES: &str = "\
Examples:
  lookalike fingerprint enroll prints --index prints.idx
  lookalike fingerprint enroll prints.tar --index prints.idx --profile fast
  Files that cannot be used passed over:
    lookalike fingerprint enroll prints --index prints.idx --on-error skip";

/// Make the index of a database of prints
///
/// The index is one file with keys, names and minutiae, written whole or not at all.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// A folder or an archive of templates, or one template
    #[arg(value_name = "DIR")]
    prints: PathBuf,
    /// The file to write; an index that is there is replaced, anything else is not
    #[arg(long, value_name = "FILE")]
    index: PathBuf,
    /// How keys are made
    #[arg(long, value_name = "PROFILE", default_value = "accurate")]
    profile: Profile,

    #[command(flatten)]
    from: Data,
    #[command(flatten)]
    run: Run,
}

#[derive(Serialize)]
struct Enrolled {
    prints: usize,
    skipped: usize,
    without_keys: usize,
    bytes: u64,
    seconds: f64,
}

impl Args {
    pub(super) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let index = self.index.display().to_string();
        if self.index.exists() && Saved::open(&self.index).is_err() {
            bail!(
                "{index}: is there already, and is no index that could be replaced; name another file"
            );
        }
        let spinner = Spinner::new(!self.run.quiet);
        spinner.say("reading");
        let read = self.from.read(&self.prints)?;
        spinner.hide();
        say_skipped(&read.skipped, self.run.quiet);
        spinner.say("enrolling");
        let skipped = read.skipped.len();
        let file = Replacement::new(&self.index, &remove_when_interrupted)?;
        let work = || {
            timed(|| {
                let mut gallery = Gallery::enroll(read.prints, self.profile.triples())?;
                gallery.save(&file.temporary())?;
                Ok::<_, lookalike::prints::Error>(gallery)
            })
        };
        let (gallery, seconds) = self.run.work(work)?;
        let gallery = gallery?;
        file.publish()?;
        spinner.hide();
        let enrolled = Enrolled {
            prints: gallery.len(),
            skipped,
            without_keys: gallery.without_keys(),
            bytes: fs::metadata(&self.index)?.len(),
            seconds,
        };
        if self.run.json {
            return Ok(writeln!(out, "{}", serde_json::to_string(&enrolled)?)?);
        }
        if !self.run.quiet {
            writeln!(out, "enrolled  {}", enrolled.prints)?;
            if enrolled.without_keys > 0 {
                writeln!(
                    out,
                    "of these  {} with too few good minutiae to be found",
                    enrolled.without_keys
                )?;
            }
            if enrolled.skipped > 0 {
                writeln!(out, "skipped   {}", enrolled.skipped)?;
            }
            writeln!(out, "index     {}, {index}", bytes(enrolled.bytes))?;
        }
        Ok(())
    }
}
