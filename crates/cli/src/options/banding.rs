//! How many functions are drawn, and how they become bands.

use clap::{Args, value_parser};
use lookalike::dedup::Config;
use lookalike::search::{FUNCTIONS, Registry};

use super::set;
use crate::usage::{self, Usage};

/// Functions, bands and rows.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Search")]
pub(crate) struct Banding {
    /// Share of the pairs at the threshold that must be found; chooses bands and rows
    #[arg(long, value_name = "R")]
    #[arg(value_parser = usage::recall, allow_negative_numbers = true)]
    recall: Option<f64>,
    /// Most hash functions that may be chosen
    #[arg(long, value_name = "N", visible_alias = "num-perm")]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)), allow_negative_numbers = true)]
    functions: Option<u32>,
    /// Bands, instead of a recall
    #[arg(long, value_name = "B", requires = "rows", conflicts_with_all = ["recall", "functions"])]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)), allow_negative_numbers = true)]
    bands: Option<u32>,
    /// Rows of a band
    #[arg(long, value_name = "R", requires = "bands")]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)), allow_negative_numbers = true)]
    rows: Option<u32>,
    /// Family over texts, as `lookalike families` lists them
    #[arg(long, value_name = "NAME")]
    family: Option<String>,
    /// Where all random draws come from
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
}

impl Banding {
    /// Goes over these settings.
    pub(crate) fn over(&self, config: &mut Config, registry: &Registry) -> anyhow::Result<()> {
        // One way to choose bands and rows puts the others aside.
        if self.recall.is_some() || self.functions.is_some() {
            (config.bands, config.rows, config.amplify) = (None, None, None);
        }
        if self.bands.is_some() {
            (config.recall, config.functions, config.amplify) = (None, None, None);
        }
        set(&mut config.seed, &self.seed);
        if let Some(name) = &self.family {
            let known = registry.named(name, Some("text"));
            known.map_err(|error| Usage(format!("--family: {error}")))?;
            config.family.name.clone_from(name);
        }
        config.recall = self.recall.or(config.recall);
        config.functions = self.functions.or(config.functions);
        config.bands = self.bands.or(config.bands);
        config.rows = self.rows.or(config.rows);
        if let (Some(bands), Some(rows)) = (self.bands, self.rows) {
            let functions = u64::from(bands) * u64::from(rows);
            if functions > u64::from(FUNCTIONS) {
                return Err(Usage(format!(
                    "--bands {bands} --rows {rows} need {functions} functions, but at most {FUNCTIONS} can be used"
                ))
                .into());
            }
        }
        Ok(())
    }
}
