use lookalike_core::{
    Banding, Scheme,
    tune::{self, Goal},
};
use serde::Serialize;

use crate::{Config, Error, config::FUNCTIONS};

/// The scheme that a run uses, and what to expect of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TextPlan {
    /// The scheme.
    #[serde(rename = "amplify")]
    pub scheme: Scheme,
    /// The scheme as bands and rows, where it is an OR of ANDs.
    #[serde(flatten)]
    pub banding: Option<Banding>,
    /// The share of the pairs at the threshold that become candidates.
    pub recall: f64,
    /// The probability of a candidate at the threshold, and below and above it.
    pub curve: Vec<Point>,
}

/// The S-curve at one similarity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Point {
    /// The similarity.
    pub similarity: f64,
    /// The probability that a pair is a candidate.
    pub candidate: f64,
}

impl TextPlan {
    /// Chooses bands and rows, or takes those that are given.
    pub fn new(config: &Config) -> Result<Self, Error> {
        config.check()?;
        let scheme = match (config.bands, config.rows, &config.amplify) {
            (Some(bands), Some(rows), _) => Banding::new(bands, rows)?.scheme(),
            (_, _, Some(scheme)) => scheme.clone(),
            _ => chosen(config)?.scheme(),
        };
        let functions = scheme.functions();
        if functions > FUNCTIONS {
            return Err(Error::Setting {
                message: format!(
                    "{scheme} needs {functions} hash functions, but at most {FUNCTIONS} can be used"
                ),
            });
        }
        let candidate = |similarity: f64| {
            let bounds = tune::one_minus_distance(&scheme, 1.0 - similarity);
            bounds.lower().value()
        };
        let around = [-0.1, 0.0, 0.1].map(|step| config.threshold + step);
        let within = around.into_iter().filter(|s| (0.0..=1.0).contains(s));
        let curve = within.map(|similarity| Point {
            similarity: (similarity * 1e9).round() / 1e9,
            candidate: candidate(similarity),
        });
        Ok(Self {
            banding: scheme.banding(),
            recall: candidate(config.threshold),
            curve: curve.collect(),
            scheme,
        })
    }
}

/// The banding that reaches the recall with the fewest false candidates.
fn chosen(config: &Config) -> Result<Banding, Error> {
    let rare = tune::rare_below(config.threshold);
    let goal = Goal::new(1.0 - config.threshold, 1.0 - rare)?
        .recall(config.wanted_recall())?
        .budget(config.functions.unwrap_or(tune::BUDGET))?;
    let planned = goal.plan_with(tune::one_minus_distance);
    match planned {
        // Settings speak of similarities, the theory of distances.
        Err(lookalike_core::Error::Unreachable {
            budget,
            recall,
            best,
            best_recall,
            needed,
            ..
        }) => {
            let more = needed.map_or(String::new(), |n| format!("{n} functions, "));
            let threshold = config.threshold;
            Err(Error::Setting {
                message: format!(
                    "no banding of at most {budget} functions finds {recall} of the pairs at similarity {threshold}: the most is {best_recall:.4}, with {best}; try {more}less recall or a higher threshold"
                ),
            })
        }
        planned => Ok(planned?.banding),
    }
}
