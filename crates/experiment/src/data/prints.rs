use std::{collections::HashMap, path::Path};

use lookalike_core::random;
use lookalike_fingerprint::{
    DPI, Template, format,
    generate::{Finger, Impression},
};
use lookalike_prints::Input;
use serde::{Deserialize, Serialize};

use super::{Data, Loaded, few_enough, one_place};
use crate::Error;

/// Fingerprints whose fingers are known. Files are those of `lookalike fingerprint evaluate`.
///
/// First come the first impressions of all fingers, then the second ones, and so on: the last ones are the queries.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Prints {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dpi: Option<f32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generate: Option<Generate>,
}

/// A print, and whose it is.
#[derive(Clone, Debug)]
pub struct Print {
    /// The number of the finger.
    pub finger: u32,
    /// The minutiae.
    pub template: Template,
}

/// How templates are written.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Format {
    Xyt,
    Iso,
    Ansi,
}

/// Prints that are made up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Generate {
    /// Impressions of fingers.
    Fingers(Fingers),
}

/// Impressions of fingers; what is not said is as a scanner gives them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Fingers {
    fingers: u32,
    impressions: u32,
    seed: u64,
    /// Standard deviations of the turn, in radians, and of the move to each side, in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    rotation: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    translation: Option<f64>,
    /// The share of minutiae that are missed.
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped: Option<f64>,
    /// The mean number of minutiae that are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    spurious: Option<f64>,
    /// The share of the finger that is cut off at most.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<f64>,
    /// How much skin is pressed out of shape, in pixels.
    #[serde(skip_serializing_if = "Option::is_none")]
    distortion: Option<f64>,
}

impl Default for Fingers {
    fn default() -> Self {
        Self {
            fingers: 100,
            impressions: 2,
            seed: 0,
            rotation: None,
            translation: None,
            dropped: None,
            spurious: None,
            cut: None,
            distortion: None,
        }
    }
}

impl Data for Prints {
    const KIND: &'static str = "prints";
    type Item = Print;
    type Items = Vec<Print>;

    fn load(&self) -> Result<Loaded<Vec<Print>>, Error> {
        one_place(!self.inputs.is_empty(), false, self.generate.is_some())?;
        match &self.generate {
            Some(Generate::Fingers(fingers)) => fingers.make(),
            None => read(&self.inputs, self.format, self.dpi),
        }
    }

    /// The first dozen minutiae.
    /// How many minutiae: where they are is nobody's business who reads a report.
    fn show(item: &Print) -> String {
        format!("{} minutiae", item.template.minutiae().len())
    }
}

/// Prints from files whose names say whose they are, the first impressions first.
pub(super) fn read(
    inputs: &[String],
    format: Option<Format>,
    dpi: Option<f32>,
) -> Result<Loaded<Vec<Print>>, Error> {
    let input = Input {
        format: format.map(|format| match format {
            Format::Xyt => format::Format::Xyt,
            Format::Iso => format::Format::Iso,
            Format::Ansi => format::Format::Ansi,
        }),
        dpi: dpi.unwrap_or(DPI),
        ..Input::default()
    };
    let mut prints = Vec::new();
    for path in inputs {
        prints.extend(input.read(Path::new(path))?.prints);
    }
    let mut labelled = Vec::with_capacity(prints.len());
    for print in prints {
        let name = &print.name;
        let label = print.label.clone();
        let label =
            label.ok_or_else(|| lookalike_prints::Error::Unlabelled { name: name.clone() })?;
        labelled.push(((label.impression, print.set.clone(), label.finger), print));
    }
    labelled.sort_by(|a, b| a.0.cmp(&b.0));
    let mut fingers: HashMap<(String, String), u32> = HashMap::new();
    let mut loaded = Loaded::new(Vec::with_capacity(labelled.len()));
    for ((_, set, finger), print) in labelled {
        let next = fingers.len() as u32;
        let finger = *fingers.entry((set, finger)).or_insert(next);
        loaded.names.push(print.name);
        loaded.items.push(Print {
            finger,
            template: print.template,
        });
    }
    Ok(loaded)
}

impl Fingers {
    pub(super) fn make(&self) -> Result<Loaded<Vec<Print>>, Error> {
        let count = u64::from(self.fingers) * u64::from(self.impressions);
        // A print has some forty minutiae of three numbers.
        few_enough("data.generate.fingers", count, 120)?;
        let law = self.law()?;
        let of = |finger: u32| Finger::new(random::derive(self.seed, finger.into()));
        let fingers: Vec<Finger> = (0..self.fingers).map(of).collect();
        let mut loaded = Loaded::new(Vec::with_capacity(count as usize));
        for impression in 1..=self.impressions {
            for (finger, of) in (0..).zip(&fingers) {
                let seed = random::derive(self.seed, u64::from(finger));
                let template = law.of(of, random::derive(seed, impression.into()));
                loaded.names.push(format!("{finger}_{impression}"));
                loaded.items.push(Print { finger, template });
            }
        }
        Ok(loaded)
    }

    fn law(&self) -> Result<Impression, lookalike_fingerprint::Error> {
        type Set = fn(Impression, f64) -> Result<Impression, lookalike_fingerprint::Error>;
        let settings: [(Option<f64>, Set); 6] = [
            (self.rotation, Impression::rotation),
            (self.translation, Impression::translation),
            (self.dropped, Impression::dropped),
            (self.spurious, Impression::spurious),
            (self.cut, Impression::cut),
            (self.distortion, Impression::distortion),
        ];
        let said = settings
            .iter()
            .filter_map(|(value, set)| Some(((*value)?, set)));
        said.into_iter()
            .try_fold(Impression::default(), |law, (value, set)| set(law, value))
    }
}
