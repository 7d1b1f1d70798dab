//! `lookalike trace`: the textbook's calculation on a small input, step by step.
//!
//! Everything is shown, so the input must be small: what does not fit is refused with the limit rather than cut, since a
//! calculation with a step left out teaches nothing.

mod input;
mod page;
mod picture;
mod text;

use std::{fs, io::Write, path::PathBuf, str::FromStr};

use anyhow::Context;
use clap::{ValueEnum, value_parser};
use lookalike::Banding;
use lookalike::minhash::trace::{FUNCTIONS, Functions, Matrix, Trace, Work};
use lookalike::minhash::{Keep, Modular, Permutations};

use self::input::{Input, Source};
use crate::options::Text;
use crate::output::Plain;
use crate::usage::{self, Usage};

/// Bands and rows, unless they or functions are given.
pub(crate) const BANDS: u32 = 3;
pub(crate) const ROWS: u32 = 2;

const EXAMPLES: &str = "\
Examples:
  Two texts, by shingles of three words:
    lookalike trace --shingle words:3 \\
      --text 'A rose is red, a rose is white.' --text 'A rose is a rose.'
  The lines of a file, by permutations, as a page to look at:
    lookalike trace lines.txt --by permutations --html trace.html
  The same in one picture:
    lookalike trace lines.txt --by permutations --svg trace.svg
  The textbook's one-pass example:
    lookalike trace --set 0,3 --set 2 --set 1,3,4 --set 0,2,3 \\
      --hash 'x+1 mod 5' --hash '3x+1 mod 5'
  The textbook's matrix and one of its permutations:
    lookalike trace --permutation 4,2,7,1,6,3,5 \\
      --column 1100111 --column 1110010 --column 1000011 --column 0111100";

/// Show how minhash and banding work on a small input, step by step
///
/// Shingles, the characteristic matrix, permutations or the rows of one pass, signatures, bands, buckets, and the
/// candidates with their estimated and their exact similarity. For at most 16 sets of 200 different elements and 64
/// functions.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    input: Input,
    /// Permutation: the place of each row, counted from 1; may be repeated
    #[arg(long, value_name = "N,..", conflicts_with_all = ["hash", "by"])]
    #[arg(help_heading = "Functions")]
    permutation: Vec<Numbers>,
    /// Function of a row's number for the one-pass algorithm, such as '3x+1 mod 5'; may be repeated
    #[arg(long, value_name = "FUNCTION", conflicts_with = "by")]
    #[arg(help_heading = "Functions")]
    hash: Vec<Modular>,
    /// Functions to draw where none are given
    #[arg(
        long,
        value_name = "HOW",
        default_value = "one-pass",
        help_heading = "Functions"
    )]
    by: By,
    /// What a permutation keeps of the first row: its place in the new order, or its number
    #[arg(
        long,
        value_name = "WHAT",
        default_value = "place",
        help_heading = "Functions"
    )]
    keep: Kept,
    /// Where drawn functions come from
    #[arg(
        long,
        value_name = "N",
        default_value_t = 0,
        allow_negative_numbers = true
    )]
    #[arg(help_heading = "Functions")]
    seed: u64,
    /// Bands
    #[arg(long, value_name = "B", requires = "rows", help_heading = "Functions")]
    #[arg(value_parser = value_parser!(u32).range(1..=FUNCTIONS as i64), allow_negative_numbers = true)]
    bands: Option<u32>,
    /// Rows of a band
    #[arg(long, value_name = "R", requires = "bands", help_heading = "Functions")]
    #[arg(value_parser = value_parser!(u32).range(1..=FUNCTIONS as i64), allow_negative_numbers = true)]
    rows: Option<u32>,
    #[command(flatten)]
    text: Text,
    #[command(flatten)]
    output: Plain,
    /// Also write a page to look at, in place of what is there: one file of HTML that needs no network
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    html: Option<PathBuf>,
    /// Also write all of it in one picture, in place of what is there; for at most 8 sets and 8 functions
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    svg: Option<PathBuf>,
    /// From which exact similarity on a candidate is a match, in the picture
    #[arg(
        long,
        value_name = "SIM",
        default_value_t = 0.5,
        help_heading = "Output"
    )]
    #[arg(value_parser = usage::unit, allow_negative_numbers = true)]
    threshold: f64,
}

/// How signatures come about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum By {
    /// Functions of the row's number, row by row
    OnePass,
    /// The rows in another order
    Permutations,
}

/// What a permutation keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Kept {
    Place,
    Row,
}

/// Numbers separated by commas, in one value.
#[derive(Clone, Debug)]
pub(super) struct Numbers(pub(super) Vec<u64>);

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text.trim().is_empty() {
            return Ok(Self(Vec::new()));
        }
        let number = |text: &str| {
            let number = text.trim().parse();
            number.map_err(|_| format!("`{}` is no number; write them like 0,3,4", text.trim()))
        };
        text.split(',')
            .map(number)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl Args {
    /// Writes the trace.
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let source = self.input.read(&self.text)?;
        let matrix = source.matrix()?;
        let banding = self.banding()?;
        let functions = self.functions(&matrix, banding)?;
        let trace = Trace::new(matrix, functions, banding);
        let trace = trace.map_err(|error| Usage(error.to_string()))?;
        if let Some(path) = &self.html {
            let page = page::page(&source, &trace, self.threshold)?.html();
            fs::write(path, page).with_context(|| path.display().to_string())?;
        }
        if let Some(path) = &self.svg {
            let picture = picture::picture(&source, &trace, self.threshold);
            let picture = picture.map_err(|error| Usage(format!("--svg: {error}")))?;
            fs::write(path, picture.svg()).with_context(|| path.display().to_string())?;
        }
        if self.output.json {
            serde_json::to_writer_pretty(&mut *out, &trace)?;
            return Ok(writeln!(out)?);
        }
        text::write(&source, &trace, self.output.width(), out)
    }

    /// Those that are given, or as many as bands and rows take.
    fn functions(&self, matrix: &Matrix, banding: Banding) -> Result<Functions, Usage> {
        let keep = match self.keep {
            Kept::Place => Keep::Place,
            Kept::Row => Keep::Row,
        };
        if !self.permutation.is_empty() {
            let tables = self.permutation.iter().map(|table| table.0.clone());
            let permutations = Permutations::with(tables.collect(), keep);
            let permutations = permutations.map_err(|error| Usage(format!("--{error}")))?;
            return Ok(Functions::Permutations(permutations, keep));
        }
        if keep == Keep::Row && self.by != By::Permutations {
            let message =
                "--keep row is for permutations: add --by permutations, or give --permutation";
            return Err(Usage(message.into()));
        }
        if !self.hash.is_empty() {
            return Ok(Functions::Modular(self.hash.clone()));
        }
        let k = banding.functions() as usize;
        Ok(match self.by {
            By::OnePass => Functions::draw_modular(matrix, k, self.seed),
            By::Permutations => Functions::draw_permutations(matrix, k, self.seed, keep),
        })
    }

    /// What was asked for; where functions are given, it must take all of them.
    fn banding(&self) -> Result<Banding, Usage> {
        let given = self.permutation.len() + self.hash.len();
        let (bands, rows) = match (self.bands, self.rows) {
            (Some(bands), Some(rows)) => (bands, rows),
            _ if given > 0 => (given as u32, 1),
            _ => (BANDS, ROWS),
        };
        let needed = bands as usize * rows as usize;
        if needed > FUNCTIONS {
            return Err(Usage(format!(
                "--bands {bands} --rows {rows} need {needed} functions, but a trace shows at most {FUNCTIONS}"
            )));
        }
        if given > 0 && needed != given {
            let are = if given == 1 { "is" } else { "are" };
            return Err(Usage(format!(
                "--bands {bands} --rows {rows} need {needed} functions, but {} {are} given",
                counted(given, "function")
            )));
        }
        Ok(Banding::new(bands, rows)?)
    }
}

/// What sets are called where they are counted.
fn sets(source: &Source, n: usize) -> String {
    let one = match source {
        Source::Texts { .. } => "text",
        Source::Sets(_) | Source::Columns(_) => "set",
    };
    counted(n, one)
}

fn counted(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// What is calculated, in one line.
fn summary(source: &Source, trace: &Trace) -> String {
    let element = match source {
        Source::Texts { .. } => "different shingle",
        Source::Sets(_) => "element",
        Source::Columns(_) => "row",
    };
    format!(
        "{}, {}, {} in {}",
        sets(source, trace.matrix.names().len()),
        counted(trace.matrix.rows().len(), element),
        counted(trace.signatures.len(), "function"),
        trace.banding
    )
}

/// ∞ is the minimum of an empty set.
fn value(value: Option<u64>) -> String {
    value.map_or("∞".into(), |value| value.to_string())
}

/// The short names of functions: π1, π2, … or h1, h2, …
fn names(trace: &Trace) -> Vec<String> {
    let letter = match trace.work {
        Work::Permutations { .. } => 'π',
        _ => 'h',
    };
    (1..=trace.signatures.len())
        .map(|i| format!("{letter}{i}"))
        .collect()
}
