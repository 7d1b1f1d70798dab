use lookalike_minhash::Shingle;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::WAYS;
use crate::Config;

/// Settings of pipelines that others have published: a layer below a file and the command line.
///
/// The sets, bands and rows are theirs; candidates are compared and clustered as here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Preset {
    /// FineWeb: 14 bands of 8 rows over 5 words, for documents that are alike from 0.75 on.
    Fineweb,
    /// NeMo Curator: 20 bands of 13 rows over 24 characters.
    Nemo,
    /// OLMo: 20 bands of 5 rows.
    Olmo,
    /// Lee et al., "Deduplicating training data makes language models better" (2022): 450 bands of 20 rows over 5 words.
    Lee2022,
}

impl Preset {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Fineweb, Self::Nemo, Self::Olmo, Self::Lee2022];

    /// Bands and rows.
    #[must_use]
    pub fn banding(self) -> (u32, u32) {
        match self {
            Self::Fineweb => (14, 8),
            Self::Nemo => (20, 13),
            Self::Olmo => (20, 5),
            Self::Lee2022 => (450, 20),
        }
    }

    /// What its sets are made of.
    #[must_use]
    pub fn shingle(self) -> Shingle {
        let shingle = match self {
            Self::Fineweb | Self::Lee2022 => Shingle::words(5),
            Self::Nemo => Shingle::chars(24),
            Self::Olmo => Ok(Shingle::default()),
        };
        shingle.expect("within the range of lengths")
    }

    /// The similarity from which on its documents are alike, where it says one.
    #[must_use]
    pub fn threshold(self) -> Option<f64> {
        (self == Self::Fineweb).then_some(0.75)
    }

    /// Sets what a file does not say.
    pub(super) fn lay_under(self, config: &mut Config, file: &Table) {
        let is_given = |key: &str| file.contains_key(key);
        let family = file.get("family").and_then(|family| family.as_table());
        // One way to choose bands and rows puts the others aside.
        if !WAYS.into_iter().any(is_given) {
            let (bands, rows) = self.banding();
            (config.bands, config.rows) = (Some(bands), Some(rows));
        }
        if !family.is_some_and(|family| family.contains_key("shingle")) {
            config.family.shingle = self.shingle();
        }
        if let Some(threshold) = self.threshold().filter(|_| !is_given("threshold")) {
            config.threshold = threshold;
        }
    }
}
