//! Everything that decides what a run gives.

mod data;
mod file;
mod keep;
mod matches;
mod output;
mod preset;

pub use data::Data;
pub use keep::Keep;
pub use matches::{Cluster, Equality, Grouping, Verification, Verify};
pub use output::{Compress, Mode, Output, SOURCE, Tables};
pub use preset::Preset;

use lookalike_core::{Banding, Scheme};
use lookalike_corpus::{FieldPath, Options, TEXT_FIELD};
use lookalike_engine::Join;
use lookalike_search::{Registry, SchemeRequest, TextFamily, TextPlan, WrongSetting};
use serde::{Deserialize, Serialize};

use crate::{Error, hashing::Promised};

/// The settings that choose bands and rows: a file that says one of them puts aside what a preset says.
pub const WAYS: [&str; 6] = [
    "recall",
    "functions",
    "num_perm",
    "bands",
    "rows",
    "amplify",
];

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
    /// Where what is not said here comes from, before the defaults.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preset: Option<Preset>,
    /// Where all random draws come from.
    pub seed: u64,
    /// The similarity from which on two documents are duplicates of each other.
    pub threshold: f64,
    /// Whether only documents with equal texts are duplicates: nothing is shingled or compared.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub copies_only: bool,
    /// The field whose equal values make documents duplicates, whatever their texts; those without it are kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<FieldPath>,
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
    /// The most texts of a bucket that are all compared with each other; of larger ones each is compared with a few.
    pub max_bucket: u32,
    /// What is read.
    pub data: Data,
    /// How a text becomes a set, and a set a signature.
    pub family: TextFamily,
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
            preset: None,
            seed: 0,
            threshold: 0.8,
            copies_only: false,
            by: None,
            recall: None,
            functions: None,
            bands: None,
            rows: None,
            amplify: None,
            max_bucket: Join::BUCKET_LIMIT as u32,
            data: Data::default(),
            family: TextFamily::default(),
            verify: Verify::default(),
            cluster: Cluster::default(),
            output: Output::default(),
        }
    }
}

impl Config {
    /// Reads what a TOML file says; `name` is for messages.
    pub fn parse(text: &str, name: &str) -> Result<Self, Error> {
        Self::parse_over(None, text, name)
    }

    /// Reads what a TOML file says, over a preset: the one that is given, or else the one that the file names.
    pub fn parse_over(preset: Option<Preset>, text: &str, name: &str) -> Result<Self, Error> {
        let mut config = file::read(text, name)?;
        config.preset = preset.or(config.preset);
        if let Some(preset) = config.preset {
            let file = text.parse().expect("it has just been parsed");
            preset.lay_under(&mut config, &file);
        }
        Ok(config)
    }

    /// The same, with the numbers that were chosen in place of the wishes, and the folder that inputs are seen from.
    pub(crate) fn resolved(
        &self,
        scheme: &Scheme,
        banding: Option<Banding>,
    ) -> Result<Self, Error> {
        let mut data = self.data.clone();
        if data.is_relative() {
            let folder = data.folder.unwrap_or(".".into());
            let real = folder.canonicalize();
            data.folder = Some(real.map_err(|reason| Error::Finished {
                message: reason.to_string(),
                path: folder,
            })?);
        }
        if self.equality().is_some() {
            return Ok(Self {
                data,
                ..self.clone()
            });
        }
        let amplify = banding.is_none().then(|| scheme.clone());
        Ok(Self {
            data,
            preset: None,
            recall: None,
            functions: None,
            bands: banding.map(|banding| banding.bands()),
            rows: banding.map(|banding| banding.rows()),
            amplify,
            ..self.clone()
        })
    }

    /// Refuses numbers outside their range and settings that contradict each other.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn check(&self) -> Result<(), WrongSetting> {
        self.scheme_request().check()?;
        self.family.check()?;
        let wrong = |key, message: String| Err(WrongSetting::new(key, message));
        if self.max_bucket < 2 {
            let message = format!(
                "max_bucket is {}, but a bucket with anything to compare has 2 texts or more",
                self.max_bucket
            );
            return wrong("max_bucket", message);
        }
        if !(0.0..=1.0).contains(&self.output.max_removed) {
            let message = format!(
                "max_removed is {}, but must be a share from 0 to 1",
                self.output.max_removed
            );
            return wrong("output.max_removed", message);
        }
        if let (true, Some(field)) = (self.copies_only, &self.by) {
            let message =
                format!("copies_only compares texts, and by compares `{field}`: choose one");
            return wrong("by", message);
        }
        if self.data.ignore_ids && self.data.id.is_some() {
            let message = "id names a field, and ignore_ids says not to look at it: choose one";
            return wrong("data.ignore_ids", message.into());
        }
        Ok(())
    }

    /// What must be equal, where similarity does not count.
    #[must_use]
    pub fn equality(&self) -> Option<Equality<'_>> {
        let text = self.copies_only.then_some(Equality::Text);
        self.by.as_ref().map(Equality::Field).or(text)
    }

    /// What the scheme must achieve.
    #[must_use]
    pub fn scheme_request(&self) -> SchemeRequest {
        SchemeRequest {
            threshold: self.threshold,
            recall: self.recall,
            functions: self.functions,
            bands: self.bands,
            rows: self.rows,
            amplify: self.amplify.clone(),
        }
    }

    /// The scheme that a run uses, and what to expect of it by the promise of the family.
    ///
    /// # Errors
    /// If a setting is wrong, the registry does not have the family, or no scheme within the limits reaches the recall.
    pub fn plan(&self, registry: &Registry) -> Result<TextPlan, Error> {
        self.check()?;
        let family = Promised::new(&self.family, registry)?;
        let promise = |scheme: &Scheme, distance| family.bounds(scheme, distance);
        let request = self.scheme_request();
        Ok(TextPlan::promised(&request, family.budget, &promise)?)
    }

    /// How the inputs are read, in one pass.
    pub(crate) fn options(&self) -> Options {
        let data = &self.data;
        Options {
            format: data.format,
            include: data.include.clone(),
            exclude: data.exclude.clone(),
            text: data.text.clone(),
            text_option: TEXT_FIELD,
            id: data.id.clone(),
            fields: self.fields(),
            beside: data.against.clone(),
            on_error: data.on_error,
            limits: data.limits(),
            folder: data.folder.clone(),
            ..Options::default()
        }
    }

    /// The further fields of documents that are asked for.
    pub(crate) fn fields(&self) -> Vec<FieldPath> {
        let within = self.data.within.iter();
        let fields = within.chain(&self.by).chain(self.cluster.keep.field());
        fields.cloned().collect()
    }

    /// The number among them of the one whose equal values make duplicates.
    pub(crate) fn by_field(&self) -> Option<usize> {
        let number = usize::from(self.data.within.is_some());
        self.by.as_ref().map(|_| number)
    }

    /// The number among them of the one that decides what is kept.
    pub(crate) fn worth_field(&self) -> Option<usize> {
        let number = usize::from(self.data.within.is_some()) + usize::from(self.by.is_some());
        self.cluster.keep.field().map(|_| number)
    }
}
