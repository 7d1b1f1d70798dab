use std::fmt;

use lookalike_core::{Banding, Scheme, tune};
use lookalike_dedup::{Cluster, Config, Output, Preset, Verify};
use lookalike_engine::Join;
use lookalike_search::FUNCTIONS;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{self, IgnoredAny, IntoDeserializer, MapAccess, Visitor, value::MapAccessDeserializer},
};

use crate::{
    Error,
    problem::Problem,
    tree::{Source, Tree},
};

/// What a file says of one run beside `[data]` and `[family]`: the keys of `lookalike dedup --config`, and a few more.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Where shingles, bands and rows come from that are not said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
    /// The seed of the first repetition; the next ones have the next numbers.
    pub seed: u64,
    /// How often functions are drawn anew.
    pub seeds: u32,
    /// So many items, the last ones, are asked of the others; without it all pairs are looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queries: Option<u32>,
    /// The similarity from which on two items are alike, for families that know one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// The distance up to which two items are alike, for the other families.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// The share of the pairs at the threshold that must become candidates.
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
    /// Any cascade instead of bands and rows, innermost step first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub amplify: Option<Scheme>,
    /// The most items of a bucket that are all compared with each other.
    pub max_bucket: u32,
    /// How candidates become matches.
    pub verify: Verify,
    /// How matches become clusters.
    pub cluster: Cluster,
    /// How the truth is found.
    pub truth: Truth,
    /// Where results go.
    pub output: Output,
    /// Read by the family.
    #[serde(skip_serializing)]
    data: IgnoredAny,
    /// Read by the family.
    #[serde(skip_serializing)]
    family: IgnoredAny,
    /// Put in place before.
    #[serde(skip_serializing)]
    sweep: IgnoredAny,
    /// Put in place before.
    #[serde(skip_serializing)]
    small: IgnoredAny,
}

/// How the truth is found: a table, or the word that says what makes two items alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Truth {
    /// What makes two items alike; `None`: their labels if they have some, or else their distance.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<TruthBy>,
    /// The most exact comparisons. If all pairs are more, a sample of the items is compared with everything.
    pub comparisons: u64,
}

/// What makes two items alike.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TruthBy {
    /// Their distance.
    Distances,
    /// What the data says of them.
    Labels,
}

impl Default for Truth {
    fn default() -> Self {
        Self {
            by: None,
            comparisons: 4_000_000,
        }
    }
}

impl<'de> Deserialize<'de> for Truth {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(default, deny_unknown_fields)]
        struct Table {
            by: Option<TruthBy>,
            comparisons: u64,
        }
        impl Default for Table {
            fn default() -> Self {
                let Truth { by, comparisons } = Truth::default();
                Self { by, comparisons }
            }
        }
        struct WordOrTable;
        impl<'de> Visitor<'de> for WordOrTable {
            type Value = Truth;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"labels\", \"distances\" or a table")
            }
            fn visit_str<E: de::Error>(self, word: &str) -> Result<Truth, E> {
                Ok(Truth {
                    by: Some(TruthBy::deserialize(word.into_deserializer())?),
                    ..Truth::default()
                })
            }
            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Truth, A::Error> {
                let Table { by, comparisons } =
                    Table::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Truth { by, comparisons })
            }
        }
        from.deserialize_any(WordOrTable)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            preset: None,
            seed: 0,
            seeds: 1,
            queries: None,
            threshold: None,
            radius: None,
            recall: None,
            functions: None,
            bands: None,
            rows: None,
            amplify: None,
            max_bucket: Join::BUCKET_LIMIT as u32,
            verify: Verify::default(),
            cluster: Cluster::default(),
            truth: Truth::default(),
            output: Output::default(),
            data: IgnoredAny,
            family: IgnoredAny,
            sweep: IgnoredAny,
            small: IgnoredAny,
        }
    }
}

/// The most repetitions.
const SEEDS: u32 = 100_000;

impl Settings {
    /// Reads what a file says, puts a preset under it, and checks what can be checked without the family.
    pub(crate) fn read(source: Source<'_>, tree: &mut Tree<'_>) -> Result<Self, Error> {
        let mut settings: Self = source.read(tree.value())?;
        if let Some(preset) = settings.preset {
            settings.lay(preset, tree)?;
        }
        settings
            .check()
            .map_err(|error| tree.located(source, error))?;
        Ok(settings)
    }

    /// Sets what is not said.
    fn lay(&mut self, preset: Preset, tree: &mut Tree<'_>) -> Result<(), Error> {
        if !lookalike_dedup::WAYS
            .iter()
            .any(|way| tree.get(way).is_some())
        {
            let (bands, rows) = preset.banding();
            (self.bands, self.rows) = (Some(bands), Some(rows));
        }
        self.threshold = self.threshold.or(preset.threshold());
        if tree.get("family.shingle").is_none() {
            let shingle = toml::de::DeValue::String(preset.shingle().to_string().into());
            let shingle = toml::Spanned::new(tree.span_of("preset"), shingle);
            tree.set("family.shingle", shingle)?;
        }
        Ok(())
    }

    fn check(&self) -> Result<(), Error> {
        let dedup = Config {
            threshold: self.threshold.unwrap_or(Config::default().threshold),
            recall: self.recall,
            functions: self.functions,
            bands: self.bands,
            rows: self.rows,
            amplify: self.amplify.clone(),
            max_bucket: self.max_bucket,
            output: self.output.clone(),
            ..Config::default()
        };
        dedup.check()?;
        self.scheme()?;
        if !(1..=SEEDS).contains(&self.seeds) {
            let message = format!("seeds is {}, but must be from 1 to {SEEDS}", self.seeds);
            return Err(Error::setting("seeds", message));
        }
        if let Some(radius) = self
            .radius
            .filter(|radius| !(*radius >= 0.0 && radius.is_finite()))
        {
            let message = format!("radius is {radius}, but must be a distance, 0 or more");
            return Err(Error::setting("radius", message));
        }
        if self.truth.comparisons == 0 {
            let message = "comparisons is 0, but without any there is no truth: 1 or more";
            return Err(Error::setting("truth.comparisons", message));
        }
        Ok(())
    }

    /// Which pairs there are among so many items.
    pub(crate) fn problem(&self, items: usize) -> Result<Problem, Error> {
        Problem::new(items, self.queries).ok_or_else(|| {
            let queries = self.queries.unwrap_or_default();
            let message =
                format!("queries is {queries}, but of {items} items at least one must be asked, and one stored");
            Error::setting("queries", message)
        })
    }

    /// The scheme that is said, if one is.
    pub(crate) fn scheme(&self) -> Result<Option<Scheme>, Error> {
        let scheme = match (self.bands, self.rows, &self.amplify) {
            (Some(bands), Some(rows), _) => {
                let key = if rows == 0 { "rows" } else { "bands" };
                let banding = Banding::new(bands, rows).map_err(|e| Error::from(e).about(key))?;
                banding.scheme()
            }
            (_, _, Some(scheme)) => scheme.clone(),
            _ => return Ok(None),
        };
        let functions = scheme.functions();
        if functions > FUNCTIONS {
            let key = match (self.bands, self.rows) {
                (Some(bands), Some(rows)) if rows > bands => "rows",
                (Some(_), _) => "bands",
                (None, _) => "amplify",
            };
            let message = format!(
                "{scheme} needs {functions} hash functions, but at most {FUNCTIONS} can be used"
            );
            return Err(Error::setting(key, message));
        }
        Ok(Some(scheme))
    }

    /// What of a scheme is said, if something is.
    pub(crate) fn way(&self) -> Option<&'static str> {
        let ways = [
            (self.bands.is_some(), "bands"),
            (self.amplify.is_some(), "amplify"),
            (self.recall.is_some(), "recall"),
            (self.functions.is_some(), "functions"),
        ];
        ways.iter().find(|way| way.0).map(|way| way.1)
    }

    /// Whether a recall or a number of functions is wished for.
    pub(crate) fn is_tuned(&self) -> bool {
        self.recall.is_some() || self.functions.is_some()
    }

    pub(crate) fn wanted_recall(&self) -> f64 {
        self.recall.unwrap_or(tune::RECALL)
    }

    /// The same with the numbers that were chosen in place of the wishes.
    pub(crate) fn resolved(&self, scheme: Option<&Scheme>) -> Self {
        let banding = scheme.and_then(Scheme::banding);
        Self {
            preset: None,
            recall: None,
            functions: None,
            bands: banding.map(Banding::bands),
            rows: banding.map(Banding::rows),
            amplify: scheme.filter(|_| banding.is_none()).cloned(),
            ..self.clone()
        }
    }
}
