//! `lookalike sensitivity`: what a family promises at two distances, and how a cascade changes it.

mod asked;
mod page;
mod report;

use std::io::Write;

use lookalike::Scheme;
use lookalike::plugin::Measure;
use lookalike::search::Registry;

use self::asked::Asked;
use self::report::Report;
use crate::options::measure::{self, Near};
use crate::options::{Drawn, Promising};
use crate::output::Output;
use crate::usage;
use crate::verb::wrong_use;

const EXAMPLES: &str = "\
Examples:
  Minhash, by the Jaccard distance:
    lookalike sensitivity universal --d1 0.2 --d2 0.6
  20 bands of 5 rows of it, step by step:
    lookalike sensitivity universal --d1 0.2 --d2 0.6 --amplify and:5,or:20
  Sampled bits of codes of 64 bits; random hyperplanes, in degrees:
    lookalike sensitivity bit-sampling --bits 64 --d1 6 --d2 24
    lookalike sensitivity hyperplanes --d1 30 --d2 90 --amplify and:10,or:20
  Random lines with buckets of width 4; the textbook's fingerprints:
    lookalike sensitivity random-lines --set width=4 --d1 2 --d2 8
    lookalike sensitivity grid-squares --squares 1000000 --d1 0.84 --d2 0.96 \\
      --amplify or:1024,and:2
  As a page and as a picture:
    lookalike sensitivity universal --d1 0.2 --d2 0.6 --amplify and:5,or:20 \\
      --html universal.html --svg universal.svg";

/// State what a family promises: (d1, d2, p1, p2), also amplified
///
/// A family is (d1, d2, p1, p2)-sensitive if items at a distance of at most d1 agree with probability p1 or more, and
/// items at a distance of at least d2 with probability p2 or less. Between the two nothing is promised. An AND of r
/// functions makes p1^r and p2^r of them, an OR of b functions 1 − (1 − p1)^b and 1 − (1 − p2)^b: a cascade of both moves
/// p1 and p2 apart, which is shown step by step.
///
/// d1 and d2 are distances, also where `pairs` takes a similarity: the Jaccard distance is 1 − the similarity, codes have a
/// number of bits (with --bits), vectors an angle in degrees, a Euclidean or a Manhattan distance, strings a number of
/// edits, and grids of fingerprints the share of squares that are not in common (with --squares). `lookalike families`
/// lists all families; a name that several kinds of items have means the first of them with a promise, or that of --kind
/// and --measure.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Name of the family, as `lookalike families` lists it
    #[arg(value_name = "FAMILY")]
    name: String,
    /// Distance up to which items are close
    #[arg(long, value_name = "D", value_parser = usage::finite, allow_negative_numbers = true)]
    d1: f64,
    /// Distance from which items are far apart, above d1
    #[arg(long, value_name = "D", value_parser = usage::finite, allow_negative_numbers = true)]
    d2: f64,
    /// Cascade of AND and OR, innermost first [default: what the parameters imply, or one function]
    #[arg(long, value_name = "and:N,or:N,..")]
    amplify: Option<Scheme>,
    #[command(flatten)]
    near: Option<Near>,
    #[command(flatten)]
    promising: Promising,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    drawn: Drawn,
}

/// The command with a flag that names a measure.
pub(crate) fn with_measures(
    command: clap::Command,
    measures: &[&'static Measure],
) -> clap::Command {
    let help = "Measure of the distance, for families that have several";
    measure::name(command, measures, help)
}

impl Args {
    /// Writes what is promised, step by step.
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let measure = self.near.map(|near| near.measure);
        let found = self.promising.named(registry, &self.name, measure)?;
        let promised = asked::promising(found, &self.name, registry)?;
        let scheme = match &self.amplify {
            Some(scheme) => scheme.clone(),
            None => {
                let own = promised.entry.scheme(&promised.parameters);
                own.map_err(wrong_use)?.unwrap_or_default()
            }
        };
        let asked = Asked::new(promised, scheme, self.d1, self.d2)?;
        let report = Report::new(&asked)?;
        self.drawn
            .write(|| page::page(&report), || page::picture(&report))?;
        if self.output.json {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            return Ok(writeln!(out)?);
        }
        report.write(self.output, out)
    }
}
