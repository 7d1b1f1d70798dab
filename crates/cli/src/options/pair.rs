//! All that decides about a pair of documents.

use std::{fs, path::PathBuf};

use anyhow::Context;
use clap::Args;
use lookalike::dedup::{Config, Preset};
use lookalike::search::Registry;

use super::{Banding, Text, set, words};
use crate::usage;

/// A preset, a file over it, and the command line over both.
#[derive(Clone, Debug, Args)]
pub(crate) struct Pair {
    /// Settings from a TOML file; the command line has the last word
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Shingles, bands and rows of a published pipeline; a file and the command line go over it
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    #[arg(value_parser = words::<Preset>(&["fineweb", "nemo", "olmo", "lee2022"]))]
    preset: Option<Preset>,
    /// Minimum similarity for two documents to count as duplicates, from 0.001 to 1: the share of their shingles that both have. 1 means equal sets of shingles, not equal bytes: see --tokens and --copies-only
    #[arg(long, value_name = "S", help_heading = "Search")]
    #[arg(value_parser = usage::similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,
    #[command(flatten)]
    banding: Banding,
    #[command(flatten)]
    text: Text,
    /// Count a shingle as often as it occurs: bags instead of sets
    #[arg(long, help_heading = "Text")]
    bag: bool,
}

impl Pair {
    /// What was decided.
    pub(crate) fn config(&self, registry: &Registry) -> anyhow::Result<Config> {
        let mut config = match &self.config {
            None => Config::parse_over(self.preset, "", "")?,
            Some(path) => {
                let name = path.display().to_string();
                let text = fs::read_to_string(path).with_context(|| name.clone())?;
                Config::parse_over(self.preset, &text, &name)?
            }
        };
        set(&mut config.threshold, &self.threshold);
        self.banding.over(&mut config, registry)?;
        self.text.over(&mut config.family)?;
        config.family.bag |= self.bag;
        Ok(config)
    }
}
