use lookalike_core::{
    Banding, Bounds, Probability, Scheme,
    tune::{self, Goal},
};
use serde::Serialize;

use super::WrongSetting;
use crate::Error;

/// The most hash functions: beyond, hashing costs more than comparing.
pub const FUNCTIONS: u32 = 1 << 16;

/// What a scheme must achieve, or the scheme itself. At most one of recall, bands with rows, and `amplify` is given.
///
/// ```
/// use lookalike_search::{SchemeRequest, TextPlan};
///
/// let request = SchemeRequest { bands: Some(20), rows: Some(5), ..SchemeRequest::new(0.8) };
/// assert_eq!(TextPlan::new(&request)?.scheme.functions(), 100);
/// let contradiction = SchemeRequest { recall: Some(0.9), ..request };
/// assert_eq!(contradiction.check().unwrap_err().key, "bands");
/// # Ok::<(), lookalike_search::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct SchemeRequest {
    /// The similarity at which the recall is promised.
    pub threshold: f64,
    /// The share of the pairs at the threshold that must become candidates; it chooses bands and rows.
    pub recall: Option<f64>,
    /// The most hash functions that may be chosen.
    pub functions: Option<u32>,
    /// Bands, with `rows` instead of `recall`.
    pub bands: Option<u32>,
    /// Rows of a band.
    pub rows: Option<u32>,
    /// Any cascade of ANDs and ORs instead of bands and rows, innermost step first.
    pub amplify: Option<Scheme>,
}

impl SchemeRequest {
    /// The default recall at this similarity.
    #[must_use]
    pub fn new(threshold: f64) -> Self {
        Self {
            threshold,
            recall: None,
            functions: None,
            bands: None,
            rows: None,
            amplify: None,
        }
    }

    /// Refuses numbers outside their range and settings that contradict each other.
    ///
    /// # Errors
    /// The first setting that is wrong.
    pub fn check(&self) -> Result<(), WrongSetting> {
        let wrong = |key: &'static str, message: String| Err(WrongSetting { key, message });
        if !(0.001..=1.0).contains(&self.threshold) {
            let message = format!(
                "threshold is {}, but must be from 0.001 to 1",
                self.threshold
            );
            return wrong("threshold", message);
        }
        if let Some(recall) = self.recall.filter(|r| !(*r > 0.0 && *r < 1.0)) {
            let message = format!("recall is {recall}, but must be above 0 and below 1");
            return wrong("recall", message);
        }
        match (self.bands, self.rows) {
            (Some(_), None) => return wrong("bands", "bands and rows come together".into()),
            (None, Some(_)) => return wrong("rows", "bands and rows come together".into()),
            _ => {}
        }
        let ways = [
            (self.recall.is_some(), "recall", "recall"),
            (self.bands.is_some(), "bands and rows", "bands"),
            (self.amplify.is_some(), "amplify", "amplify"),
        ];
        let given: Vec<_> = ways.iter().filter(|way| way.0).collect();
        if let [_, .., last] = given[..] {
            let names: Vec<&str> = given.iter().map(|way| way.1).collect();
            let message = format!("{} contradict each other: choose one", names.join(" and "));
            return wrong(last.2, message);
        }
        if self.functions.is_some() && self.recall.is_none() && !given.is_empty() {
            let message = "functions is a limit for what recall chooses, and nothing beside bands, rows or amplify";
            return wrong("functions", message.into());
        }
        if let Some(functions) = self.functions.filter(|n| !(1..=FUNCTIONS).contains(n)) {
            let message = format!("functions is {functions}, but must be from 1 to {FUNCTIONS}");
            return wrong("functions", message);
        }
        if self
            .amplify
            .as_ref()
            .is_some_and(|scheme| scheme.steps().is_empty())
        {
            let message = "amplify has no steps, as 1 makes none: say [{ and = 7 }, { or = 13 }], or leave it out";
            return wrong("amplify", message.into());
        }
        Ok(())
    }

    /// The recall that bands and rows are chosen for.
    #[must_use]
    pub fn wanted_recall(&self) -> f64 {
        self.recall.unwrap_or(tune::RECALL)
    }

    /// The banding that reaches the recall with the fewest false candidates, by what a family promises.
    fn chosen(&self, budget: u32, promise: &Bounded<'_>) -> Result<Banding, Error> {
        let threshold = self.threshold;
        let goal = Goal::new(1.0 - threshold, 1.0 - tune::rare_below(threshold))?
            .recall(self.wanted_recall())?
            .budget(self.functions.unwrap_or(budget))?;
        match goal.plan_with(promise) {
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
                let message = format!(
                    "no banding of at most {budget} functions finds {recall} of the pairs at similarity {threshold}: the most is {best_recall:.4}, with {best}; try {more}less recall or a higher threshold"
                );
                Err(WrongSetting::new("recall", message).into())
            }
            planned => Ok(planned?.banding),
        }
    }
}

/// Bounds on the probability that items at a distance become candidates under a scheme.
pub type Bounded<'a> = dyn Fn(&Scheme, f64) -> Bounds + 'a;

/// The scheme that is used for texts, and what to expect of it.
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
    /// The probability of a candidate at the threshold, and below and above it: by the S-curve, or else at least.
    pub curve: Vec<Point>,
    /// Whether a function agrees with the probability of the similarity itself, so that the textbook's S-curve of the
    /// scheme tells how likely a pair becomes a candidate.
    #[serde(skip)]
    pub is_s_curve: bool,
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
    /// Chooses bands and rows for functions that agree with probability 1 − distance, or takes those that are given.
    ///
    /// # Errors
    /// If a setting is wrong, or no scheme within the limits reaches the recall.
    pub fn new(request: &SchemeRequest) -> Result<Self, Error> {
        Self::promised(request, tune::BUDGET, &tune::one_minus_distance)
    }

    /// The same for functions of any family: `promise` bounds the probability that two texts at a distance become
    /// candidates, and `budget` is the most functions that are chosen unless the request says.
    ///
    /// # Errors
    /// If a setting is wrong, or no scheme within the limits reaches the recall.
    pub fn promised(
        request: &SchemeRequest,
        budget: u32,
        promise: &Bounded<'_>,
    ) -> Result<Self, Error> {
        request.check()?;
        let scheme = match (request.bands, request.rows, &request.amplify) {
            (Some(bands), Some(rows), _) => Banding::new(bands, rows)?.scheme(),
            (_, _, Some(scheme)) => scheme.clone(),
            _ => request.chosen(budget, promise)?.scheme(),
        };
        let functions = scheme.functions();
        if functions > FUNCTIONS {
            let message = format!(
                "{scheme} needs {functions} hash functions, but at most {FUNCTIONS} can be used"
            );
            return Err(WrongSetting::new("functions", message).into());
        }
        let is_s_curve = [0.25, 0.5, 0.75].iter().all(|&similarity| {
            let agrees = promise(&Scheme::default(), 1.0 - similarity);
            agrees == Bounds::exact(Probability::saturating(similarity))
        });
        let candidate = |similarity: f64| match is_s_curve {
            true => scheme
                .probability(Probability::saturating(similarity))
                .value(),
            false => promise(&scheme, 1.0 - similarity).lower().value(),
        };
        let around = [-0.1, 0.0, 0.1].map(|step| request.threshold + step);
        let within = around.into_iter().filter(|s| (0.0..=1.0).contains(s));
        let curve = within.map(|similarity| Point {
            similarity: (similarity * 1e9).round() / 1e9,
            candidate: candidate(similarity),
        });
        Ok(Self {
            banding: scheme.banding(),
            recall: candidate(request.threshold),
            curve: curve.collect(),
            is_s_curve,
            scheme,
        })
    }
}
