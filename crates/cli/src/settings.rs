//! The settings that decide about a pair of documents, as arguments of a command.

use std::{fs, path::PathBuf};

use anyhow::Context;
use clap::{
    builder::{PossibleValuesParser, TypedValueParser},
    value_parser,
};
use lookalike::dedup::{Config, FUNCTIONS, Preset, Sketch};
use lookalike::minhash::{Normalize, Shingle, Short, Tokens};
use serde::de::DeserializeOwned;

use crate::usage::{self, Usage};

/// Settings from a file, and over them those of the command line.
#[derive(Clone, Debug, clap::Args)]
#[group(id = "settings", multiple = true)]
pub(crate) struct Settings {
    /// Settings from a TOML file; the command line has the last word
    #[arg(long, value_name = "FILE", help_heading = "Search")]
    config: Option<PathBuf>,
    /// Shingles, bands and rows of a published pipeline; a file and the command line go over it
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    #[arg(value_parser = words::<Preset>(&["fineweb", "nemo", "olmo", "lee2022"]))]
    preset: Option<Preset>,
    /// Similarity from which on documents are duplicates, from 0.001 to 1 [default: 0.8]
    #[arg(long, value_name = "S", help_heading = "Search")]
    #[arg(value_parser = usage::similarity, allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// Share of the pairs at the threshold that must be found; chooses bands and rows [default: 0.95]
    #[arg(long, value_name = "R", help_heading = "Search")]
    #[arg(value_parser = usage::recall, allow_negative_numbers = true)]
    recall: Option<f64>,
    /// Most hash functions that may be chosen [default: 128]
    #[arg(long, value_name = "N", visible_alias = "num-perm")]
    #[arg(help_heading = "Search", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)))]
    functions: Option<u32>,
    /// Bands, instead of a recall
    #[arg(long, value_name = "B", requires = "rows", conflicts_with_all = ["recall", "functions"])]
    #[arg(help_heading = "Search", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)))]
    bands: Option<u32>,
    /// Rows of a band
    #[arg(long, value_name = "R", requires = "bands")]
    #[arg(help_heading = "Search", allow_negative_numbers = true)]
    #[arg(value_parser = value_parser!(u32).range(1..=i64::from(FUNCTIONS)))]
    rows: Option<u32>,
    /// Sketch
    #[arg(long, value_name = "NAME", help_heading = "Search")]
    #[arg(value_parser = words::<Sketch>(&["fast-similarity", "universal"]))]
    family: Option<Sketch>,
    /// Where all random draws come from [default: 0]
    #[arg(long, value_name = "N", help_heading = "Search")]
    #[arg(allow_negative_numbers = true)]
    seed: Option<u64>,
    /// Shingles: words:K, chars:K or stopwords [default: words:5]
    #[arg(long, value_name = "KIND", help_heading = "Text")]
    shingle: Option<Shingle>,
    /// Tokens that words shingles are made of [default: words]
    #[arg(long, value_name = "KIND", help_heading = "Text")]
    #[arg(value_parser = words::<Tokens>(&["words", "uax29", "whitespace", "chars"]))]
    tokens: Option<Tokens>,
    /// Steps before the text is split: nfc, nfkc, casefold, accents, punctuation, digits, whitespace
    #[arg(long, value_name = "STEP,…", value_delimiter = ',')]
    #[arg(help_heading = "Text")]
    normalize: Option<Vec<Normalize>>,
    /// Texts with fewer tokens than a shingle: compare them whole, or skip them [default: whole]
    #[arg(long, value_name = "HOW", help_heading = "Text")]
    #[arg(value_parser = words::<Short>(&["whole", "skip"]))]
    short: Option<Short>,
}

impl Settings {
    /// What the file says, and over it what the command line says.
    pub(crate) fn config(&self) -> anyhow::Result<Config> {
        let mut config = match &self.config {
            None => Config::parse_over(self.preset, "", "")?,
            Some(path) => {
                let name = path.display().to_string();
                let text = fs::read_to_string(path).with_context(|| name.clone())?;
                Config::parse_over(self.preset, &text, &name)?
            }
        };
        // One way to choose bands and rows puts the others aside.
        if self.recall.is_some() || self.functions.is_some() {
            (config.bands, config.rows, config.amplify) = (None, None, None);
        }
        if self.bands.is_some() {
            (config.recall, config.functions, config.amplify) = (None, None, None);
        }
        config.seed = self.seed.unwrap_or(config.seed);
        config.threshold = self.threshold.unwrap_or(config.threshold);
        config.recall = self.recall.or(config.recall);
        config.functions = self.functions.or(config.functions);
        config.bands = self.bands.or(config.bands);
        config.rows = self.rows.or(config.rows);
        let family = &mut config.family;
        family.name = self.family.unwrap_or(family.name);
        family.tokens = self.tokens.unwrap_or(family.tokens);
        family.shingle = self.shingle.unwrap_or(family.shingle);
        family.short = self.short.unwrap_or(family.short);
        if let Some(normalize) = &self.normalize {
            family.normalize.clone_from(normalize);
        }
        if self.tokens.is_some() && matches!(family.shingle, Shingle::Chars(_)) {
            let message = "--tokens are for shingles of words: --shingle chars takes characters";
            return Err(Usage(message.into()).into());
        }
        if let (Some(bands), Some(rows)) = (self.bands, self.rows) {
            let functions = u64::from(bands) * u64::from(rows);
            if functions > u64::from(FUNCTIONS) {
                let message = format!(
                    "--bands {bands} --rows {rows} need {functions} functions, but at most {FUNCTIONS} can be used"
                );
                return Err(Usage(message).into());
            }
        }
        Ok(config)
    }
}

/// One of some words, as the settings spell them.
fn words<T: DeserializeOwned + Clone + Send + Sync + 'static>(
    words: &'static [&'static str],
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(words).try_map(|word| serde_json::from_value::<T>(word.into()))
}
