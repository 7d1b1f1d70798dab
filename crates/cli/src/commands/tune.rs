//! `lookalike tune`: from what a user wants to bands and rows.
//!
//! A threshold alone is not a wish: at the similarity that the rule of thumb
//! calls the threshold, a third of the pairs are missed. So a recall comes with
//! it, and both are echoed with what the choice really does around the threshold.

mod choice;
mod out_of_reach;

use std::io::Write;

use anyhow::bail;
use clap::{
    builder::{PossibleValuesParser, TypedValueParser},
    value_parser,
};
use lookalike::Probability;
use lookalike::tune::{self, Avoid, Goal};
use serde::Serialize;

use self::choice::{Choice, Wish};
use crate::number;
use crate::output::Output;
use crate::usage::{self, Usage};

/// The largest budget that is planned for: enough for every goal that can be asked for.
const LARGEST_BUDGET: u32 = 1 << 16;

const EXAMPLES: &str = "\
Examples:
  Find 95% of the pairs that are 0.8 alike, with 128 functions:
    lookalike tune --threshold 0.8
  Find more of them, and say which pairs should rather not be candidates:
    lookalike tune --threshold 0.8 --recall 0.99 --rare 0.5 --budget 256
  Use all of 100 functions, and rather nominate too much than miss a pair:
    lookalike tune --threshold 0.6 --budget 100 --avoid false-negatives
  How many functions estimate a similarity within 0.05?
    lookalike tune --estimate 0.05";

/// Choose bands and rows for a similarity that must be found
///
/// Among all bandings within the budget that find the wanted share of the pairs
/// at the threshold, takes the one that makes the fewest candidates of pairs at
/// the rare similarity. Similarity means the probability that one function
/// agrees (for minhash, the Jaccard similarity); it is 1 − distance. Bands only
/// nominate: a candidate becomes a match when it has been verified.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Similarity that must be found, from 0.001 to 1
    #[arg(long, value_name = "S", required_unless_present = "estimate")]
    #[arg(value_parser = usage::similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// Share of the pairs at the threshold that must become candidates
    #[arg(long, value_name = "R", default_value_t = tune::RECALL, requires = "threshold")]
    #[arg(value_parser = usage::recall, allow_negative_numbers = true)]
    recall: f64,
    /// Similarity that should seldom make a candidate [default: threshold − 0.2, at least half the threshold]
    #[arg(long, value_name = "S", requires = "threshold")]
    #[arg(value_parser = usage::unit, allow_negative_numbers = true)]
    rare: Option<f64>,
    /// Functions that may be used, at most 65536
    #[arg(
        long,
        value_name = "N",
        visible_alias = "num-perm",
        requires = "threshold"
    )]
    #[arg(default_value_t = tune::BUDGET, allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(LARGEST_BUDGET)))]
    budget: u32,
    /// Use the whole budget, the rule threshold on the side that avoids this error
    #[arg(
        long,
        value_name = "ERROR",
        conflicts_with = "recall",
        requires = "threshold"
    )]
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
    #[command(flatten)]
    output: Output,
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
    pub(crate) fn run(&self, out: &mut impl Write) -> anyhow::Result<()> {
        let report = Report {
            choice: self
                .threshold
                .map(|threshold| self.choose(threshold))
                .transpose()?,
            estimate: self
                .estimate
                .map(|error| self.estimate(error))
                .transpose()?,
        };
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

    fn choose(&self, threshold: f64) -> anyhow::Result<Choice> {
        let rare = self.rare.unwrap_or_else(|| tune::rare_below(threshold));
        let (near, far) = (1.0 - threshold, 1.0 - rare);
        if far <= near {
            bail!(Usage(format!(
                "--rare {rare} must be below --threshold {threshold}, such as {}: \
                 what should be rare is less alike than what must be found",
                number::plain(threshold * 0.75)
            )));
        }
        let (wish, plan) = match self.avoid {
            Some(avoid) => {
                let banding = tune::split(self.budget, Probability::new(threshold)?, avoid)
                    .map_err(|_| out_of_reach::split(self.budget, threshold))?;
                let plan = tune::expectation(banding, near, far, tune::one_minus_distance);
                (Wish::Avoid(avoid), plan)
            }
            None => {
                let goal = Goal::new(near, far)?
                    .recall(self.recall)?
                    .budget(self.budget)?;
                let plan = goal.plan_with(tune::one_minus_distance);
                let plan = plan.map_err(|error| out_of_reach::recall(error, threshold))?;
                (Wish::WantedRecall(self.recall), plan)
            }
        };
        Ok(Choice::new(threshold, rare, self.budget, wish, plan))
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
        Ok(())
    }
}

fn avoid(name: String) -> Avoid {
    match name.as_str() {
        "false-positives" => Avoid::FalsePositives,
        _ => Avoid::FalseNegatives,
    }
}
