//! `lookalike curve`: the S-curve of schemes that a user already has.
//!
//! Bandings are given as two lists that are read side by side, not as `20x5`:
//! which of the two numbers is the bands is what users get wrong.

mod page;
mod report;

use std::io::Write;

use clap::value_parser;
use lookalike::{Banding, Scheme};

use self::report::Report;
use crate::chart::MARKS;
use crate::number;
use crate::options::Drawn;
use crate::output::Output;
use crate::s_curve::SCurve;
use crate::usage::{self, Usage};

const EXAMPLES: &str = "\
Examples:
  One banding, and what it does with pairs at 0.8 and at 0.3:
    lookalike curve --bands 20 --rows 5 --at 0.8,0.3
  Three bandings of 100 functions side by side:
    lookalike curve --bands 20,10,5 --rows 5,10,20
  A banding against a cascade that is steeper:
    lookalike curve --bands 16 --rows 16 --amplify and:4,or:4,and:4,or:4
  The areas of both errors around a threshold:
    lookalike curve --bands 20,10 --rows 5,10 --threshold 0.6 --no-chart
  As a page with sliders, and as a picture:
    lookalike curve --bands 20 --rows 5 --html curve.html --svg curve.svg
  For a program:
    lookalike curve --bands 20 --rows 5 --step 0.01 --json";

/// Draw the S-curve of one or more schemes, with its numbers
///
/// The functions are cut into bands of rows each. Two items become a candidate
/// pair when all rows of at least one band agree. If one function agrees with
/// probability t (for minhash, t is the Jaccard similarity), that happens with
/// probability 1 − (1 − t^rows)^bands: over t, an S. More rows move the rise to
/// the right, more bands to the left, more of both make it steeper.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Number of bands; a list for several schemes
    #[arg(long, value_name = "N,..", value_delimiter = ',', requires = "rows")]
    #[arg(value_parser = value_parser!(u32).range(1..), allow_negative_numbers = true)]
    bands: Vec<u32>,
    /// Rows of each band; a list as long as --bands, or one number for all (as --bands may be)
    #[arg(long, value_name = "N,..", value_delimiter = ',', requires = "bands")]
    #[arg(value_parser = value_parser!(u32).range(1..), allow_negative_numbers = true)]
    rows: Vec<u32>,
    /// Any cascade of ANDs and ORs, innermost first; may be repeated
    #[arg(long, value_name = "and:N,or:N,..")]
    amplify: Vec<Scheme>,
    /// Step of t in the table, from 0.001 to 1
    #[arg(long, default_value = "0.1", value_parser = usage::step, allow_negative_numbers = true)]
    step: f64,
    /// Look closer at these t: one band, candidate, missed
    #[arg(long, value_name = "T,..", value_delimiter = ',')]
    #[arg(value_parser = usage::unit, allow_negative_numbers = true)]
    at: Vec<f64>,
    /// Similarity from which pairs are wanted: states the errors against the ideal step there
    /// [default: for pictures, where the first curve rises]
    #[arg(long, value_name = "T", value_parser = usage::unit, allow_negative_numbers = true)]
    threshold: Option<f64>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    drawn: Drawn,
}

impl Args {
    /// Writes the curves of all schemes.
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let report = self.report()?;
        let drawn = || {
            let curves = report.curves();
            let usual = || curves[0].usual_threshold();
            let threshold = self.threshold.unwrap_or_else(usual);
            (curves, threshold)
        };
        self.drawn.write(
            || {
                let (curves, threshold) = drawn();
                page::page(&curves, threshold)
            },
            || {
                let (curves, threshold) = drawn();
                page::picture(&curves, threshold)
            },
        )?;
        if self.output.json {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            return Ok(writeln!(out)?);
        }
        report.write(self.output, out)
    }

    fn report(&self) -> Result<Report, Usage> {
        let bandings = zip(&self.bands, &self.rows)?;
        let cascades = self.amplify.iter().cloned().map(SCurve::cascade);
        let curves: Vec<SCurve> = bandings
            .into_iter()
            .map(SCurve::from)
            .chain(cascades)
            .collect();
        if curves.is_empty() {
            let known = "--bands 20 --rows 5, or --amplify and:5,or:20";
            return Err(Usage(format!("no scheme is given: try {known}")));
        }
        if curves.len() > MARKS.len() {
            return Err(Usage(format!(
                "{} schemes are given, but a chart has marks for at most {}: use several runs",
                curves.len(),
                MARKS.len()
            )));
        }
        Ok(Report::new(
            curves,
            &steps(self.step),
            &self.at,
            self.threshold,
        ))
    }
}

/// Bands and rows side by side; a single number stands for all.
fn zip(bands: &[u32], rows: &[u32]) -> Result<Vec<Banding>, Usage> {
    let n = bands.len().max(rows.len());
    let fits = |list: &[u32]| list.len() == n || list.len() == 1;
    if !(fits(bands) && fits(rows)) && n > 0 {
        let text = |list: &[u32]| {
            list.iter()
                .map(u32::to_string)
                .collect::<Vec<_>>()
                .join(",")
        };
        return Err(Usage(format!(
            "--bands {} has {} numbers and --rows {} has {}: \
             give as many of both, or one of either for all",
            text(bands),
            bands.len(),
            text(rows),
            rows.len()
        )));
    }
    let nth = |list: &[u32], i: usize| list[i.min(list.len() - 1)];
    let banding = |i| {
        let (bands, rows) = (nth(bands, i), nth(rows, i));
        Banding::new(bands, rows).map_err(|_| {
            let most = u32::MAX / rows;
            Usage(format!(
                "--bands {bands} --rows {rows} are 2^32 functions or more: \
                 with {rows} rows give at most {most} bands"
            ))
        })
    };
    (0..n).map(banding).collect()
}

/// From 0 to 1, which is there even if the step misses it.
fn steps(step: f64) -> Vec<f64> {
    let inner = (0..).map(|i| number::plain(f64::from(i) * step));
    inner.take_while(|t| *t < 1.0).chain([1.0]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_begin_with_0_and_end_with_1() {
        assert_eq!(steps(0.3), [0.0, 0.3, 0.6, 0.9, 1.0]);
        assert_eq!(steps(1.0), [0.0, 1.0]);
        assert_eq!(steps(0.1).len(), 11);
        assert_eq!(steps(0.001).len(), 1001);
    }

    #[test]
    fn a_single_number_stands_for_all() {
        let names = |bands: &[u32], rows: &[u32]| -> Vec<String> {
            let bandings = zip(bands, rows).unwrap();
            bandings.iter().map(Banding::to_string).collect()
        };
        assert_eq!(
            names(&[20, 10], &[5]),
            ["20 bands × 5 rows", "10 bands × 5 rows"]
        );
        assert_eq!(
            names(&[20], &[5, 1]),
            ["20 bands × 5 rows", "20 bands × 1 row"]
        );
        assert_eq!(
            names(&[1, 2], &[3, 4]),
            ["1 band × 3 rows", "2 bands × 4 rows"]
        );
        assert!(names(&[], &[]).is_empty());
        assert!(zip(&[1, 2, 3], &[1, 2]).is_err());
    }
}
