use lookalike_minhash::{STOP_WORDS, Shingle};
use serde::{Deserialize, Serialize};

use crate::{
    Error, FAST_SIMILARITY, SchemeRequest, TextFamily, TextPlan, WrongSetting, hashing::UNIVERSAL,
};

/// Everything that decides what an index finds.
///
/// ```
/// use lookalike_search::Settings;
///
/// let settings = Settings { threshold: 0.7, ..Settings::default() };
/// let plan = settings.plan()?;
/// assert!(plan.recall >= 0.95);
/// # Ok::<(), lookalike_search::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Where all random draws come from.
    pub seed: u64,
    /// The similarity from which on documents should be found.
    pub threshold: f64,
    /// The share of the documents at the threshold that must be found; it chooses bands and rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    /// The most hash functions that may be chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub functions: Option<u32>,
    /// Bands, with `rows` instead of `recall`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bands: Option<u32>,
    /// Rows of a band.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// How a text becomes a set, and a set a signature.
    pub family: TextFamily,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            seed: 0,
            threshold: 0.5,
            recall: None,
            functions: None,
            bands: None,
            rows: None,
            family: TextFamily::default(),
        }
    }
}

impl Settings {
    /// The bands and rows, and what to expect of them.
    pub fn plan(&self) -> Result<TextPlan, Error> {
        let request = SchemeRequest {
            threshold: self.threshold,
            recall: self.recall,
            functions: self.functions,
            bands: self.bands,
            rows: self.rows,
            amplify: None,
        };
        self.family.check()?;
        let TextFamily { name, bag, .. } = &self.family;
        if ![FAST_SIMILARITY, UNIVERSAL].contains(&&**name) {
            let message = format!("family is {name}, but must be {FAST_SIMILARITY} or {UNIVERSAL}");
            return Err(WrongSetting::new("family.name", message).into());
        }
        if *bag {
            let message =
                "bag counts repeated shingles, and texts are compared as sets here: leave bag out";
            return Err(WrongSetting::new("family.bag", message).into());
        }
        TextPlan::new(&request)
    }

    /// The same with all that was left open: numbers in place of wishes, the stop words themselves.
    pub(crate) fn resolved(&self, plan: &TextPlan) -> Self {
        let mut family = self.family.clone();
        if family.shingle == Shingle::StopWords && family.stop_words.is_none() {
            family.stop_words = Some(STOP_WORDS.iter().map(|&word| word.into()).collect());
        }
        Self {
            seed: self.seed,
            threshold: self.threshold,
            recall: None,
            functions: None,
            bands: plan.banding.map(|banding| banding.bands()),
            rows: plan.banding.map(|banding| banding.rows()),
            family,
        }
    }

    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("settings have a JSON form")
    }
}
