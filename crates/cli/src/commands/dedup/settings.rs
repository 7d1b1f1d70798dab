//! Settings from a preset, a file and the command line, the later over the earlier.

use std::{fs, path::Path};

use anyhow::Context;
use lookalike::dedup::{Config, FUNCTIONS};
use lookalike::minhash::Shingle;

use super::Args;
use crate::usage::Usage;

impl Args {
    /// What the file says, and over it what the command line says.
    pub(super) fn config(&self) -> anyhow::Result<Config> {
        let mut config = match &self.config {
            None => Config::parse_over(self.preset, "", "")?,
            Some(path) => {
                let name = path.display().to_string();
                let text = fs::read_to_string(path).with_context(|| name.clone())?;
                Config::parse_over(self.preset, &text, &name)?
            }
        };
        fn set<T: Clone>(place: &mut T, given: &Option<T>) {
            if let Some(given) = given {
                *place = given.clone();
            }
        }
        if !self.inputs.is_empty() {
            config.data.inputs.clone_from(&self.inputs);
        }
        // One way to choose bands and rows puts the others aside.
        if self.recall.is_some() || self.functions.is_some() {
            (config.bands, config.rows, config.amplify) = (None, None, None);
        }
        if self.bands.is_some() {
            (config.recall, config.functions, config.amplify) = (None, None, None);
        }
        set(&mut config.seed, &self.seed);
        set(&mut config.threshold, &self.threshold);
        config.recall = self.recall.or(config.recall);
        config.functions = self.functions.or(config.functions);
        config.bands = self.bands.or(config.bands);
        config.rows = self.rows.or(config.rows);
        set(&mut config.max_bucket, &self.max_bucket);
        set(&mut config.data.on_error, &self.on_error);
        set(&mut config.data.max_expansion, &self.max_expansion);
        set(&mut config.data.against, &self.against);
        config.data.within = self.within.clone().or(config.data.within);
        config.data.format = self.format.or(config.data.format);
        set(&mut config.data.text, &self.text_field);
        config.data.id = self.id_field.clone().or(config.data.id);
        config.data.ignore_ids |= self.ignore_ids;
        if self.id_field.is_some() {
            config.data.ignore_ids = false;
        }
        set(&mut config.family.name, &self.family);
        set(&mut config.family.tokens, &self.tokens);
        set(&mut config.family.shingle, &self.shingle);
        set(&mut config.family.normalize, &self.normalize);
        set(&mut config.family.short, &self.short);
        if let Some(path) = &self.stop_words {
            config.family.stop_words = Some(stop_words(path)?);
        }
        set(&mut config.verify.method, &self.verify);
        set(&mut config.cluster.method, &self.cluster);
        set(&mut config.cluster.keep, &self.keep);
        set(&mut config.output.mode, &self.mode);
        set(&mut config.output.compress, &self.compress);
        set(&mut config.output.max_removed, &self.max_removed);
        config.output.allow_mass_removal |= self.allow_mass_removal;
        config.output.overwrite |= self.overwrite;
        if self.tokens.is_some() && matches!(config.family.shingle, Shingle::Chars(_)) {
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
        if config.data.inputs.is_empty() {
            let message = "no inputs: name files, folders, globs, or - for stdin";
            return Err(Usage(message.into()).into());
        }
        Ok(config)
    }
}

/// The stop words of a file: a line each, blank lines and what follows `#` aside.
fn stop_words(path: &Path) -> anyhow::Result<Vec<String>> {
    let name = || path.display().to_string();
    let text = fs::read_to_string(path).with_context(name)?;
    let line = |line: &str| line.split('#').next().unwrap_or_default().trim().to_owned();
    let words: Vec<String> = text
        .lines()
        .map(line)
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() {
        anyhow::bail!("{}: no stop words: write one a line", name());
    }
    Ok(words)
}
