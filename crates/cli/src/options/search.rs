//! How items are searched: a recall, a family, bands and rows, parameters.

use clap::{Args, value_parser};
use lookalike::dedup::Config;
use lookalike::search::{FUNCTIONS, Request};
use lookalike::{Banding, Scheme};
use serde_json::Value;

use super::measure::Near;
use crate::usage::{self, Usage};

/// A recall or a scheme, a family and its parameters.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct Search {
    /// Share of the items at the threshold that must be found
    #[arg(long, value_name = "R", conflicts_with = "exact")]
    #[arg(value_parser = share, allow_negative_numbers = true)]
    recall: Option<f64>,
    /// Find everything within the threshold, for certain
    #[arg(long)]
    pub(crate) exact: bool,
    /// Family or method, as `lookalike families` lists them [default: the cheapest that has the recall]
    #[arg(long, value_name = "NAME")]
    family: Option<String>,
    /// Maximum number of hash functions
    #[arg(long, value_name = "N")]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)), allow_negative_numbers = true)]
    functions: Option<u32>,
    /// Bands, instead of a recall
    #[arg(long, value_name = "B", requires = "rows", conflicts_with_all = ["recall", "exact", "functions", "amplify"])]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)), allow_negative_numbers = true)]
    bands: Option<u32>,
    /// Rows of a band
    #[arg(long, value_name = "R", requires = "bands")]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)), allow_negative_numbers = true)]
    rows: Option<u32>,
    /// Any cascade of AND and OR, instead of bands and rows: and:5,or:20
    #[arg(long, value_name = "STEP,…", conflicts_with_all = ["recall", "exact", "functions"])]
    amplify: Option<Scheme>,
    /// Parameter of the kind, the distance or the family, as `lookalike families` lists them; may be repeated
    #[arg(long, value_name = "NAME=VALUE", value_parser = parameter)]
    pub(crate) set: Vec<(String, Value)>,
    /// Megabytes that keys may take
    #[arg(long, value_name = "MB", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u64).range(1..=1 << 30))]
    memory: Option<u64>,
    /// Where all random draws come from
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
}

impl Search {
    /// The request, without parameters.
    pub(crate) fn request(&self, near: Near) -> Result<Request, Usage> {
        let flag = near.measure.flag;
        if let (None, Some(_)) = (near.threshold, self.recall) {
            return Err(Usage(format!(
                "--recall is the share of the items at a threshold: give one with --{flag} instead of --measure {flag}"
            )));
        }
        let mut request = Request::nearest(flag);
        request.threshold = near.threshold;
        request.recall = if self.exact { Some(1.0) } else { self.recall };
        request.family.clone_from(&self.family);
        request.scheme = self.scheme()?;
        request.functions = self.functions;
        request.seed = self.seed.unwrap_or(request.seed);
        request.memory = self.memory.map_or(request.memory, |mb| mb * 1_000_000);
        Ok(request)
    }

    fn scheme(&self) -> Result<Option<Scheme>, Usage> {
        let scheme = match (self.bands, self.rows) {
            (Some(bands), Some(rows)) => Some(Banding::new(bands, rows)?.scheme()),
            _ => self.amplify.clone(),
        };
        let functions = scheme.as_ref().map_or(0, Scheme::functions);
        if functions > FUNCTIONS {
            return Err(Usage(format!(
                "the scheme needs {functions} functions, but at most {FUNCTIONS} can be used"
            )));
        }
        Ok(scheme)
    }

    /// Goes over the settings of an index of texts without a measure.
    pub(crate) fn over(&self, config: &mut Config) -> Result<(), Usage> {
        let needs_measure = [
            (self.exact, "--exact"),
            (self.amplify.is_some(), "--amplify"),
            (!self.set.is_empty(), "--set"),
            (self.memory.is_some(), "--memory"),
        ];
        if let Some((_, option)) = needs_measure.into_iter().find(|option| option.0) {
            return Err(Usage(format!(
                "{option} needs a measure, such as --jaccard 0.5"
            )));
        }
        if let Some(family) = &self.family {
            if !["fast-similarity", "universal"].contains(&family.as_str()) {
                return Err(Usage(format!(
                    "--family {family} needs a measure, such as --jaccard 0.5"
                )));
            }
            config.family.name.clone_from(family);
        }
        self.scheme()?;
        if self.bands.is_some() {
            (config.recall, config.functions, config.amplify) = (None, None, None);
        }
        config.seed = self.seed.unwrap_or(config.seed);
        config.recall = self.recall.or(config.recall);
        config.functions = self.functions.or(config.functions);
        config.bands = self.bands;
        config.rows = self.rows;
        Ok(())
    }

    /// The first option that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            (self.recall.is_some(), "--recall"),
            (self.exact, "--exact"),
            (self.family.is_some(), "--family"),
            (self.functions.is_some(), "--functions"),
            (self.bands.is_some(), "--bands"),
            (self.amplify.is_some(), "--amplify"),
            (!self.set.is_empty(), "--set"),
            (self.memory.is_some(), "--memory"),
            (self.seed.is_some(), "--seed"),
        ];
        given.into_iter().find(|given| given.0).map(|given| given.1)
    }
}

/// A share of what is at the threshold. Everything has a flag of its own.
fn share(text: &str) -> Result<f64, String> {
    match text.trim().parse() {
        Ok(1.0) => Err("to find everything, use --exact".into()),
        _ => usage::inner(text),
    }
}

/// A parameter: its name, and its value as JSON or, if it is not JSON, as a string.
pub(crate) fn parameter(text: &str) -> Result<(String, Value), String> {
    let Some((name, value)) = text.split_once('=').filter(|(name, _)| !name.is_empty()) else {
        return Err("must be NAME=VALUE, such as rows=4".into());
    };
    let value = serde_json::from_str(value).unwrap_or_else(|_| value.into());
    // Flags are spelled with dashes, and so may names be.
    Ok((name.trim().replace('-', "_"), value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_json_or_strings() {
        let read = |text| parameter(text).unwrap();
        assert_eq!(read("rows=4"), ("rows".into(), 4.into()));
        assert_eq!(read("shingle=words:3").1, Value::from("words:3"));
        assert_eq!(read("stop-words=[\"a\"]").0, "stop_words");
        assert_eq!(read("x=").1, Value::from(""));
        assert!(parameter("rows").is_err() && parameter("=4").is_err());
        assert!(share("1").unwrap_err().contains("--exact"));
    }
}
