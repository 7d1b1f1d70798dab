//! `lookalike tune`: from what a user wants to bands and rows.
//!
//! A threshold alone is not a wish: at the similarity that the rule of thumb
//! calls the threshold, a third of the pairs are missed. So a recall comes with
//! it, and both are echoed with what the choice really does around the threshold.

mod choice;
mod out_of_reach;
mod page;
mod splits;
mod wanted;

use std::io::Write;

use clap::{
    ArgGroup,
    builder::{PossibleValuesParser, TypedValueParser},
    value_parser,
};
use lookalike::Probability;
use lookalike::plugin::Measure;
use lookalike::search::Registry;
use lookalike::tune::{self, Avoid, Goal};
use serde::Serialize;

use self::choice::{Choice, Wish};
use self::splits::Split;
use self::wanted::Wanted;
use crate::number;
use crate::options::measure::{self, Near};
use crate::options::{Drawn, Promising};
use crate::output::Output;
use crate::usage::{self, Usage};

/// The largest budget that is planned for: enough for every goal that can be asked for.
const LARGEST_BUDGET: u32 = 1 << 16;

const EXAMPLES: &str = "\
Examples:
  Find 95% of the pairs that are 0.8 alike, with at most 128 functions:
    lookalike tune --threshold 0.8
  Find more of them, and say which pairs should seldom be candidates:
    lookalike tune --threshold 0.8 --recall 0.99 --rare 0.5 --budget 256
  Use all of 100 functions, and rather look at too many pairs than miss one:
    lookalike tune --threshold 0.6 --budget 100 --avoid false-negatives
  State how near is near by a measure:
    lookalike tune --jaccard 0.8
    lookalike tune --hamming 6 --bits 64
    lookalike tune --angle 20 --rare 45
  The curve as a page with sliders, and as a picture:
    lookalike tune --threshold 0.8 --html tune.html --svg tune.svg
  How many functions estimate a similarity within 0.05?
    lookalike tune --estimate 0.05";

/// Choose bands and rows for a similarity that must be found
///
/// Among all bandings within the budget that find the wanted share of the pairs
/// at the threshold, takes the one that makes the fewest candidates of pairs at
/// the rare similarity. --threshold is the probability that one function agrees
/// (for minhash, the Jaccard similarity). A measure such as --hamming 6 is turned
/// into that probability by the promise of a family. Bands only make candidates:
/// a candidate becomes a match when it has been verified.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new(WANTED), group = ArgGroup::new(measure::GROUP))]
pub(crate) struct Args {
    /// Similarity that must be found, from 0.001 to 1: the probability that one function agrees
    #[arg(long, value_name = "S", group = WANTED, required_unless_present_any = ["estimate", WANTED])]
    #[arg(value_parser = usage::similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,
    #[command(flatten)]
    near: Option<Near>,
    /// Share of the pairs at the threshold that must become candidates
    #[arg(long, value_name = "R", requires = WANTED)]
    #[arg(value_parser = usage::recall, allow_negative_numbers = true)]
    recall: Option<f64>,
    /// Similarity, or number of the measure, that should seldom make a candidate
    /// [default: threshold − 0.2, at least half the threshold; for distances twice the threshold]
    #[arg(long, value_name = "S", requires = WANTED)]
    #[arg(value_parser = usage::finite, allow_negative_numbers = true)]
    rare: Option<f64>,
    /// Functions that may be used, at most 65536
    #[arg(
        long,
        value_name = "N",
        visible_alias = "num-perm",
        requires = WANTED
    )]
    #[arg(default_value_t = tune::BUDGET, allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(LARGEST_BUDGET)))]
    budget: u32,
    /// Use the whole budget, with the rule threshold on the side that avoids this error
    #[arg(long, value_name = "ERROR", requires = WANTED)]
    #[arg(value_parser = PossibleValuesParser::new(["false-negatives", "false-positives"]).map(avoid))]
    avoid: Option<Avoid>,
    /// Also say how many functions estimate a similarity within this error
    #[arg(long, value_name = "EPS")]
    #[arg(value_parser = usage::estimate, allow_negative_numbers = true)]
    estimate: Option<f64>,
    /// Probability that the estimate is within its error
    #[arg(long, value_name = "P", default_value = "0.95", requires = "estimate")]
    #[arg(value_parser = usage::inner, allow_negative_numbers = true)]
    confidence: f64,
    /// Family of the measure [default: the first whose promise is exact]
    #[arg(long, value_name = "NAME", requires = measure::GROUP, help_heading = "Family")]
    family: Option<String>,
    #[command(flatten)]
    promising: Promising,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    drawn: Drawn,
}

/// The group of the threshold and of all measures: one of them is given.
const WANTED: &str = "wanted";

/// The command with one flag per measure.
pub(crate) fn with_measures(
    command: clap::Command,
    measures: &[&'static Measure],
) -> clap::Command {
    measure::alternatives(command, measures, WANTED)
}

#[derive(Debug, Serialize)]
struct Report {
    #[serde(skip_serializing_if = "Option::is_none")]
    choice: Option<Choice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    estimate: Option<Estimate>,
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Estimate {
    error: f64,
    confidence: f64,
    functions: u64,
}

impl Args {
    /// Writes the choice and what to expect of it.
    pub(crate) fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        let wanted = self.wanted(registry)?;
        let report = Report {
            choice: wanted.as_ref().map(|it| self.choose(it)).transpose()?,
            estimate: self
                .estimate
                .map(|error| self.estimate(error))
                .transpose()?,
        };
        match (&report.choice, self.drawn.given()) {
            (None, Some(option)) => {
                let message = format!("{option} draws a curve: give a --threshold, or a measure");
                return Err(Usage(message).into());
            }
            (Some(choice), _) => {
                let (page, picture) = (|| page::page(choice), || page::picture(choice));
                self.drawn.write(page, picture)?;
            }
            (None, None) => {}
        }
        if self.output.json {
            serde_json::to_writer_pretty(&mut *out, &report)?;
            return Ok(writeln!(out)?);
        }
        if let Some(choice) = &report.choice {
            choice.write(self.output, out)?;
        }
        if let Some(estimate) = report.estimate {
            if report.choice.is_some() {
                writeln!(out)?;
            }
            estimate.write(out)?;
        }
        Ok(())
    }

    fn wanted<'a>(&self, registry: &'a Registry) -> anyhow::Result<Option<Wanted<'a>>> {
        let wanted = match (self.threshold, self.near) {
            (Some(threshold), _) => Wanted::probability(threshold, self.rare)?,
            (None, Some(near)) => {
                let family = self.family.as_deref();
                Wanted::measured(near, self.rare, family, &self.promising, registry)?
            }
            (None, None) => return Ok(None),
        };
        Ok(Some(wanted))
    }

    fn choose(&self, wanted: &Wanted<'_>) -> anyhow::Result<Choice> {
        let promise = |scheme: &_, distance| wanted.promise(scheme, distance);
        let expected = |banding| tune::expectation(banding, wanted.near, wanted.far, promise);
        let Some(avoid) = self.avoid else {
            let recall = self.recall.unwrap_or(tune::RECALL);
            let goal = Goal::new(wanted.near, wanted.far)?;
            let plan = goal.recall(recall)?.budget(self.budget)?.plan_with(promise);
            let plan = plan.map_err(|error| out_of_reach::recall(error, wanted))?;
            let wish = Wish::recall(recall);
            return Ok(Choice::new(wanted, self.budget, wish, plan, Vec::new()));
        };
        let at_least = match (avoid, self.recall) {
            (Avoid::FalsePositives, Some(_)) => {
                let message = "--recall is for what --avoid false-negatives must find at the threshold; \
                               to avoid false positives, leave it out";
                return Err(Usage(message.into()).into());
            }
            (Avoid::FalsePositives, None) => None,
            (Avoid::FalseNegatives, given) => Some(given.unwrap_or(tune::SPLIT_RECALL)),
        };
        let demanded = Probability::saturating(at_least.unwrap_or_default());
        let banding = tune::split_with(self.budget, wanted.p, avoid, demanded, |banding| {
            expected(banding).recall
        });
        let banding =
            banding.map_err(|error| out_of_reach::split(error, self.budget, demanded, wanted))?;
        let splits = Split::neighbours(&tune::splits(self.budget)?, banding, expected);
        let wish = Wish::avoid(avoid, at_least);
        Ok(Choice::new(
            wanted,
            self.budget,
            wish,
            expected(banding),
            splits,
        ))
    }

    fn estimate(&self, error: f64) -> Result<Estimate, Usage> {
        Ok(Estimate {
            error,
            confidence: self.confidence,
            functions: tune::functions_for_estimate(error, self.confidence)?,
        })
    }
}

impl Estimate {
    fn write(self, out: &mut impl Write) -> anyhow::Result<()> {
        let Self {
            error,
            confidence,
            functions,
        } = self;
        writeln!(
            out,
            "{functions} functions estimate a similarity within {error} of the true one"
        )?;
        writeln!(
            out,
            "with probability {confidence} or more, whatever it is (Hoeffding's bound)."
        )?;
        let at_half = 0.5 / (functions as f64).sqrt();
        writeln!(
            out,
            "The standard error at similarity J is √(J(1 − J)/{functions}): at most {}, at J = 0.5.",
            number::place(at_half)
        )?;
        Ok(())
    }
}

fn avoid(name: String) -> Avoid {
    match name.as_str() {
        "false-positives" => Avoid::FalsePositives,
        _ => Avoid::FalseNegatives,
    }
}
