//! `lookalike trace`: the textbook's calculations on a small input, step by step.
//!
//! Everything is shown, so the input must be small: what does not fit is refused with the limit instead of being cut, since
//! a calculation with a step left out teaches nothing.
//!
//! The trace of a family is written once, as a [`Lesson`]: steps with sentences, tables and drawings. The terminal, the
//! page and the picture are three ways to write any lesson. Rejected: a renderer per family and output, as minhash had
//! two, which drifted apart.

mod amplified;
mod codes;
mod digests;
mod functions;
mod input;
mod keyed;
mod lesson;
mod minhash;
mod picture;
mod prints;
mod simhash;
mod strings;
mod terminal;
mod vectors;

use std::io::Write;

use self::functions::{By, Functions};
use self::input::{Input, Source};
use self::lesson::Lesson;
use crate::options::{Bag, Drawn, Text};
use crate::output::Plain;
use crate::usage::{self, Usage};

pub(crate) use self::functions::{
    BANDS, BLOCKS, BUCKET_WIDTH, DIRECTIONS, FLIPS, GRAM, POSITION, REACH, ROWS,
};

const EXAMPLES: &str = "\
Examples:
  Two texts, by shingles of three words:
    lookalike trace --shingle words:3 \\
      --text 'A rose is red, a rose is white.' --text 'A rose is a rose.'
  Bags: the second ab counts again:
    lookalike trace --shingle chars:2 --bag --text abcab --text abcabab
  Sets of letters, by permutations, as a page and in one picture:
    lookalike trace --set a,d --set c --set b,d,e --set a,c,d \\
      --by permutations --html trace.html --svg trace.svg
  The textbook's one-pass example:
    lookalike trace --set 0,3 --set 2 --set 1,3,4 --set 0,2,3 \\
      --hash 'x+1 mod 5' --hash '3x+1 mod 5'
  The textbook's matrix and one of its permutations:
    lookalike trace --permutation 4,2,7,1,6,3,5 \\
      --column 1100111 --column 1110010 --column 1000011 --column 0111100
  Codes by their bits, three in an AND:
    lookalike trace --code 10111 --code 10011 --bit 1,3,5 --amplify and:3
  Vectors by hyperplanes, and by a line with buckets of width 2:
    lookalike trace --vector 3,4,5 --vector 3,-4,5 \\
      --normal 1,-1,1 --normal -1,1,1
    lookalike trace --vector 1,1 --vector 3,1.5 --line 1,0 --bucket-width 2
  The edit distance of two strings, by inserts and deletes:
    lookalike trace --string abcde --string acfdeg --variant indel
  Other families of the same items:
    lookalike trace --set a,d --set c --set a,c,d --by simhash
    lookalike trace --code 10111 --code 10011 --by multi-probe --flips 1
    lookalike trace --vector 3,4,5 --vector 3,-4,5 --by cross-polytope
    lookalike trace --string rose --string roses --by cgk
  TLSH digests of files:
    lookalike trace --digest report.txt --digest copy.txt
  Fingerprints on a grid, and by three squares that are given:
    lookalike trace --print 0_1.xyt --print 0_2.xyt --html prints.html
    lookalike trace --grid 4x4 --squares 1,5,9,12 --squares 1,5,9 \\
      --triple 1,5,9";

/// Show how a family works on a small input, step by step
///
/// Texts and sets: shingles, the characteristic matrix, permutations or one pass over its rows, signatures, bands, buckets
/// and candidates; or bits of a SimHash. Codes: sampled bits, blocks, or multi-probe. Vectors: hyperplanes, lines with
/// buckets, or cross-polytopes. Strings: the table of the edit distance, and deletion neighbourhoods, partitions, random
/// walks (cgk) or q-grams (order-minhash). Files: TLSH digests. Prints: minutiae, grid squares, functions of three squares.
/// Then AND and OR step by step, with the probability after each, or the keys of each item and which items meet. For inputs
/// that can be looked at: at most 16 items and 64 functions; texts and sets in one picture: 8 items and 8 functions.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    functions: Functions,
    #[command(flatten)]
    text: Text,
    #[command(flatten)]
    bag: Bag,
    #[command(flatten)]
    output: Plain,
    #[command(flatten)]
    drawn: Drawn,
    /// Minimum exact similarity for a candidate to be a match, in the picture of texts and sets
    #[arg(
        long,
        value_name = "SIM",
        default_value_t = 0.5,
        help_heading = "Output"
    )]
    #[arg(value_parser = usage::unit, allow_negative_numbers = true)]
    threshold: f64,
}

impl Args {
    /// Writes the trace.
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let source = self.input.read(&self.text, self.bag)?;
        self.functions.check(source.kind())?;
        let lesson = self.lesson(&source)?;
        self.drawn.write(
            || Ok(lesson.page()?),
            || {
                let picture = lesson.picture();
                Ok(picture.map_err(|error| Usage(format!("--svg: {error}")))?)
            },
        )?;
        match self.output.json {
            true => {
                serde_json::to_writer_pretty(&mut *out, &lesson.json())?;
                Ok(writeln!(out)?)
            }
            false => terminal::write(&lesson, self.output.width(), out),
        }
    }

    fn lesson(&self, source: &Source) -> anyhow::Result<Lesson> {
        let functions = &self.functions;
        match source {
            Source::Texts { .. } | Source::Sets { .. } | Source::Columns(_) => {
                match functions.by(source.kind()) {
                    By::Simhash => simhash::lesson(source, functions),
                    _ => minhash::lesson(source, functions, self.threshold),
                }
            }
            Source::Codes(codes) => codes::lesson(codes, functions),
            Source::Vectors(vectors) => vectors::lesson(vectors, functions),
            Source::Strings(strings) => strings::lesson(strings, functions),
            Source::Digests(digests) => digests::lesson(digests, functions),
            Source::Prints(prints) => prints::lesson(&prints.names, prints.templates(), functions),
            Source::Squares(squares) => prints::of_squares(squares, functions),
        }
    }
}

/// A number of things, in words.
fn counted(n: usize, one: &str) -> String {
    format!("{n} {one}{}", if n == 1 { "" } else { "s" })
}

/// All pairs of the given number of items, in the order in which a textbook lists them.
fn pairs(items: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..items).flat_map(move |b| (0..b).map(move |a| [a, b]))
}
