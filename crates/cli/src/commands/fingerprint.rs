//! `lookalike fingerprint`: prints of one finger.

mod enroll;
mod evaluate;
mod pairs;
mod search;

use std::{
    fmt,
    io::Write,
    path::{Path, PathBuf},
};

use clap::{Subcommand, ValueEnum};
use lookalike::fingerprint::{Triples, format::Format};
use lookalike::prints::{Input, Prints};

const EXAMPLES: &str = "\
Examples:
  A database whose buckets are computed beforehand, and a print from a scene:
    lookalike fingerprint enroll prints --index prints.idx
    lookalike fingerprint search prints.idx scene.xyt --top 10
  All pairs in a folder that are of one finger:
    lookalike fingerprint pairs prints
  How well it works on prints whose fingers are known:
    lookalike fingerprint evaluate fvc2002 --gallery-extra others.tar.zst

Templates are lists of minutiae, as extractors such as NIST's mindtct make
them of images:
  .xyt              x y direction [quality], a line a minutia
  .iso .fmr .fmd    ISO/IEC 19794-2:2005
  .ansi .fmr .fmd   ANSI INCITS 378-2004
A folder is taken with all that is below it; archives (tar, also with gzip or
zstd) are, too.";

/// Match fingerprints: search a database, find pairs, measure
///
/// Prints are hashed by the squares that the neighbours of each minutia lie in, seen from that minutia, so that it does not
/// matter how the finger was laid down. Prints that share many keys in one and the same position are candidates;
/// the best of them are laid over each other, minutia by minutia.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, subcommand_required = true)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Enroll(enroll::Args),
    Search(search::Args),
    Pairs(pairs::Args),
    Evaluate(evaluate::Args),
}

impl Args {
    /// The command as it is typed.
    pub(crate) fn name(&self) -> &'static str {
        match self.command {
            Command::Enroll(_) => "fingerprint enroll",
            Command::Search(_) => "fingerprint search",
            Command::Pairs(_) => "fingerprint pairs",
            Command::Evaluate(_) => "fingerprint evaluate",
        }
    }

    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        match &self.command {
            Command::Enroll(args) => args.run(out),
            Command::Search(args) => args.run(out),
            Command::Pairs(args) => args.run(out),
            Command::Evaluate(args) => args.run(out),
        }
    }
}

/// How templates are read.
#[derive(Clone, Copy, Debug, clap::Args)]
#[command(next_help_heading = "Data")]
struct Data {
    /// Take only files of this format [default: all, but each print in one only]
    #[arg(long, value_name = "FORMAT")]
    format: Option<Kind>,
    /// Dots an inch of XYT files, which do not say it
    #[arg(
        long,
        value_name = "DPI",
        default_value_t = 500.0,
        allow_negative_numbers = true
    )]
    #[arg(value_parser = dpi)]
    dpi: f32,
    /// What to do with files that are no templates, empty, or there twice
    #[arg(long, value_name = "WHAT", default_value = "stop")]
    on_error: OnError,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// NIST's lines of x, y, direction and quality
    Xyt,
    /// ISO/IEC 19794-2:2005
    Iso,
    /// ANSI INCITS 378-2004
    Ansi,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum OnError {
    /// End with an error
    Stop,
    /// Pass over them, and say how many
    Skip,
}

impl Data {
    fn read(self, path: &Path) -> anyhow::Result<Prints> {
        let read = self.input().read(path)?;
        match read.skipped.first() {
            Some(reason) if read.skipped.len() > 9 * read.prints.len() => Err(NearlyAllSkipped {
                path: path.to_owned(),
                skipped: read.skipped.len(),
                used: read.prints.len(),
                reason: reason.clone(),
            }
            .into()),
            _ => Ok(read),
        }
    }

    fn input(self) -> Input {
        Input {
            format: self.format.map(|kind| match kind {
                Kind::Xyt => Format::Xyt,
                Kind::Iso => Format::Iso,
                Kind::Ansi => Format::Ansi,
            }),
            dpi: self.dpi,
            skip: self.on_error == OnError::Skip,
            copies: false,
        }
    }
}

fn dpi(text: &str) -> Result<f32, String> {
    let number = text.trim().parse().ok();
    let within = number.filter(|dpi| (50.0..=5000.0).contains(dpi));
    within.ok_or_else(|| "must be a number from 50 to 5000, such as 500".into())
}

/// How keys are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Profile {
    /// Keys of two neighbours: finds most
    Accurate,
    /// Keys of three neighbours: looks at a fraction as many prints
    Fast,
}

impl Profile {
    fn triples(self) -> Triples {
        match self {
            Self::Accurate => Triples::accurate(),
            Self::Fast => Triples::fast(),
        }
    }
}

/// Hardly any file could be used: whatever it is, it is no folder of templates.
#[derive(Debug)]
pub(crate) struct NearlyAllSkipped {
    path: PathBuf,
    skipped: usize,
    used: usize,
    reason: String,
}

impl fmt::Display for NearlyAllSkipped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, used, skipped) = (self.path.display(), self.used, self.skipped);
        write!(
            f,
            "{path}: {skipped} files cannot be used and {used} can, so nothing was done; the first: {}",
            self.reason
        )
    }
}

impl std::error::Error for NearlyAllSkipped {}

/// Says on stderr what was passed over: a few of them, and how many.
fn say_skipped(skipped: &[String], quiet: bool) {
    const SAID: usize = 5;
    if quiet || skipped.is_empty() {
        return;
    }
    let mut to = std::io::stderr().lock();
    for reason in skipped.iter().take(SAID) {
        let _ = writeln!(to, "skipped {reason}");
    }
    if skipped.len() > SAID {
        let _ = writeln!(to, "skipped {} more", skipped.len() - SAID);
    }
}
