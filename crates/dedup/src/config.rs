use std::path::PathBuf;

use lookalike_core::{Banding, Scheme, tune};
use lookalike_corpus::{FieldPath, Format};
use lookalike_minhash::{Normalize, Shingle, Shingler, Tokens, Width};
use serde::{Deserialize, Serialize};

use crate::Error;

/// Everything that decides what a run gives: what a TOML file can say, with defaults for what it does not.
///
/// ```
/// use lookalike_dedup::Config;
///
/// let config = Config::parse("threshold = 0.9\n[family]\nshingle = \"chars:9\"", "mine.toml")?;
/// assert_eq!(config.threshold, 0.9);
/// let wrong = Config::parse("treshold = 0.9", "mine.toml").unwrap_err();
/// assert!(wrong.to_string().contains("mine.toml:1") && wrong.to_string().contains("did you mean `threshold`"));
/// # Ok::<(), lookalike_dedup::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Where all random draws come from.
    pub seed: u64,
    /// The similarity from which on two documents are duplicates of each other.
    pub threshold: f64,
    /// The share of the pairs at the threshold that must become candidates; it chooses bands and rows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
    /// The most hash functions that may be chosen.
    #[serde(alias = "num_perm", skip_serializing_if = "Option::is_none")]
    pub functions: Option<u32>,
    /// Bands, with `rows` instead of `recall`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bands: Option<u32>,
    /// Rows of a band.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rows: Option<u32>,
    /// Any cascade of ANDs and ORs instead of bands and rows, innermost step first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amplify: Option<Scheme>,
    /// What is read.
    pub data: Data,
    /// How a text becomes a set, and a set a signature.
    pub family: Family,
    /// How candidates become matches.
    pub verify: Verify,
    /// How matches become clusters.
    pub cluster: Cluster,
    /// What is written.
    pub output: Output,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            seed: 0,
            threshold: 0.8,
            recall: None,
            functions: None,
            bands: None,
            rows: None,
            amplify: None,
            data: Data::default(),
            family: Family::default(),
            verify: Verify::default(),
            cluster: Cluster::default(),
            output: Output::default(),
        }
    }
}

/// What is read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Data {
    /// Files, folders, globs, or `-` for stdin.
    pub inputs: Vec<String>,
    /// What a document is in all files; without it, what names and contents say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<Format>,
    /// The field of a record that holds the text.
    pub text: FieldPath,
    /// The field that holds the id, which every record must then have.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<FieldPath>,
    /// Whether documents go by file and line even if they have ids.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub ignore_ids: bool,
}

impl Default for Data {
    fn default() -> Self {
        let lookalike_corpus::Options { text, .. } = Default::default();
        Self {
            inputs: Vec::new(),
            format: None,
            text,
            id: None,
            ignore_ids: false,
        }
    }
}

/// How a text becomes a set, and a set a signature.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Family {
    /// The sketch.
    pub name: Sketch,
    /// What counts as a token.
    pub tokens: Tokens,
    /// What counts as an element.
    pub shingle: Shingle,
    /// Steps before the text is split into tokens.
    pub normalize: Vec<Normalize>,
    /// Other stop words than the English ones, for stop-word shingles.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stop_words: Option<Vec<String>>,
    /// Bits of the hash of an element.
    pub hash: HashWidth,
}

impl Family {
    /// What turns texts into sets.
    #[must_use]
    pub fn shingler(&self) -> Shingler {
        let width = match self.hash {
            HashWidth::Bits32 => Width::Bits32,
            HashWidth::Bits64 => Width::Bits64,
        };
        let shingler = Shingler::new(self.shingle)
            .tokens(self.tokens)
            .normalize(self.normalize.iter().copied())
            .width(width);
        match &self.stop_words {
            Some(words) => shingler.stop_words(words.iter().cloned()),
            None => shingler,
        }
    }
}

/// A family of minhash functions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sketch {
    /// [`FastSimilarity`](lookalike_minhash::FastSimilarity).
    #[default]
    FastSimilarity,
    /// [`Universal`](lookalike_minhash::Universal).
    Universal,
}

/// Bits of the hash of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "u32", into = "u32")]
pub enum HashWidth {
    /// 32 bits, as the textbook has it.
    Bits32,
    /// 64 bits.
    #[default]
    Bits64,
}

impl TryFrom<u32> for HashWidth {
    type Error = String;
    fn try_from(bits: u32) -> Result<Self, String> {
        match bits {
            32 => Ok(Self::Bits32),
            64 => Ok(Self::Bits64),
            _ => Err(format!("hash is {bits}, but must be 32 or 64")),
        }
    }
}

impl From<HashWidth> for u32 {
    fn from(width: HashWidth) -> Self {
        match width {
            HashWidth::Bits32 => 32,
            HashWidth::Bits64 => 64,
        }
    }
}

/// How candidates become matches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Verify {
    /// By what.
    pub method: Method,
}

/// By what a candidate is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// The exact Jaccard similarity, from the documents.
    #[default]
    Exact,
    /// The similarity that signatures estimate.
    Signature,
    /// Nothing: every candidate counts, false ones too.
    None,
}

/// How matches become clusters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Cluster {
    /// Which matches make a cluster.
    pub method: Grouping,
    /// Which document of a cluster stays.
    pub keep: Keep,
}

/// Which matches make a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    /// A document and those that match it.
    #[default]
    Star,
    /// All that a chain of matches connects.
    Components,
}

/// Which document of a cluster stays. Of equals the one with the smaller id, or the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Keep {
    /// The first in the input.
    #[default]
    First,
    /// The last in the input.
    Last,
    /// The one with the longest text.
    Longest,
    /// The one with the shortest text.
    Shortest,
}

/// What is written.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Output {
    /// The folder; not part of what a run records, as it decides nothing.
    #[serde(skip_serializing)]
    pub dir: Option<PathBuf>,
    /// Whether results of an earlier run in that folder may be replaced; decides nothing either.
    #[serde(skip_serializing)]
    pub overwrite: bool,
    /// What becomes of the documents.
    pub mode: Mode,
}

/// What becomes of the documents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// They are written to `kept` or `removed`.
    #[default]
    Remove,
    /// They are written with a note of what they duplicate.
    Annotate,
    /// They are not written.
    Report,
}

/// The most hash functions: beyond, hashing costs more than comparing.
pub const FUNCTIONS: u32 = 1 << 16;

impl Config {
    /// Reads what a TOML file says; `name` is for messages.
    pub fn parse(text: &str, name: &str) -> Result<Self, Error> {
        toml::from_str(text).map_err(|error| Error::config(name, text, &error))
    }

    /// The same, with the numbers that were chosen in place of the wishes.
    pub(crate) fn resolved(&self, scheme: &Scheme, banding: Option<Banding>) -> Self {
        let amplify = banding.is_none().then(|| scheme.clone());
        Self {
            recall: None,
            functions: None,
            bands: banding.map(|banding| banding.bands()),
            rows: banding.map(|banding| banding.rows()),
            amplify,
            ..self.clone()
        }
    }

    /// Refuses numbers outside their range and wishes that contradict each other.
    pub fn check(&self) -> Result<(), Error> {
        let wrong = |message: String| Err(Error::Setting { message });
        if !(0.001..=1.0).contains(&self.threshold) {
            return wrong(format!(
                "threshold is {}, but must be from 0.001 to 1",
                self.threshold
            ));
        }
        if let Some(recall) = self.recall.filter(|r| !(*r > 0.0 && *r < 1.0)) {
            return wrong(format!(
                "recall is {recall}, but must be above 0 and below 1"
            ));
        }
        if self.bands.is_some() != self.rows.is_some() {
            return wrong("bands and rows come together".into());
        }
        let ways = [
            (self.recall.is_some(), "recall"),
            (self.bands.is_some(), "bands and rows"),
            (self.amplify.is_some(), "amplify"),
        ];
        let given: Vec<_> = ways.iter().filter(|way| way.0).map(|way| way.1).collect();
        if given.len() > 1 {
            let given = given.join(" and ");
            return wrong(format!("{given} contradict each other: choose one"));
        }
        if self.functions.is_some() && self.recall.is_none() && !given.is_empty() {
            return wrong("functions is a limit for what recall chooses, and nothing beside bands, rows or amplify".into());
        }
        if let Some(functions) = self.functions.filter(|n| !(1..=FUNCTIONS).contains(n)) {
            return wrong(format!(
                "functions is {functions}, but must be from 1 to {FUNCTIONS}"
            ));
        }
        if self
            .amplify
            .as_ref()
            .is_some_and(|scheme| scheme.steps().is_empty())
        {
            return wrong(
                "amplify has no steps: say [{ and = 7 }, { or = 13 }], or leave it out".into(),
            );
        }
        let Family {
            tokens,
            shingle,
            stop_words,
            ..
        } = &self.family;
        if matches!(shingle, Shingle::Chars(_)) && *tokens != Tokens::default() {
            return wrong(format!(
                "tokens are for shingles of words, and {shingle} takes characters: leave tokens out"
            ));
        }
        if stop_words.is_some() && *shingle != Shingle::StopWords {
            return wrong(format!(
                "stop_words are for the shingle stopwords, not for {shingle}"
            ));
        }
        if self.data.ignore_ids && self.data.id.is_some() {
            return wrong(
                "id names a field, and ignore_ids says not to look at it: choose one".into(),
            );
        }
        Ok(())
    }

    /// The recall that bands and rows are chosen for.
    pub(crate) fn wanted_recall(&self) -> f64 {
        self.recall.unwrap_or(tune::RECALL)
    }
}
