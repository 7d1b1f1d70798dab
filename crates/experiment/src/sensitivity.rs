//! What the family of a run promises, step by step along its scheme.

use lookalike_core::{Bounds, CascadeStage, Scheme, plugin::Measure};
use lookalike_report::{Cascade, PromisedStep};
use serde::Serialize;

use crate::Error;

/// Parts of the axis at which a promise is drawn.
const PARTS: u32 = 100;

/// What is promised at the threshold of a run and at a distance that should be rare, after each step of its scheme.
#[derive(Clone, Debug, Serialize)]
pub struct RunSensitivity {
    /// What d1 and d2 are.
    pub distance: String,
    /// One function first.
    pub stages: Vec<CascadeStage>,
    /// Distance, and the probability, at least and at most; a list per stage.
    #[serde(skip)]
    curves: Vec<Vec<[f64; 3]>>,
}

impl RunSensitivity {
    /// `None` if nothing is promised, or the measure does not state a distance.
    pub(crate) fn new(
        scheme: &Scheme,
        measure: &Measure,
        (d1, d2): (f64, f64),
        largest: f64,
        promise: &dyn Fn(&Scheme, f64) -> Option<Bounds>,
    ) -> Option<Self> {
        let distance = measure.distance_name()?;
        let stages = CascadeStage::all(scheme, d1, d2, promise).ok()?;
        let is_complete = stages.len() == scheme.steps().len() + 1;
        let largest = largest.max(d2);
        let parts = (0..=PARTS).map(|part| largest * f64::from(part) / f64::from(PARTS));
        let mut distances: Vec<f64> = match measure.is_whole {
            true => parts.map(f64::round).collect(),
            false => parts.collect(),
        };
        distances.dedup();
        let curve = |stage: &CascadeStage| {
            let at = |&distance: &f64| {
                let bounds = promise(&stage.scheme, distance)?;
                Some([distance, bounds.lower().value(), bounds.upper().value()])
            };
            distances.iter().map(at).collect::<Option<Vec<_>>>()
        };
        let curves = stages.iter().map(curve).collect::<Option<Vec<_>>>()?;
        is_complete.then_some(Self {
            distance,
            stages,
            curves,
        })
    }

    /// The same as a figure.
    pub(crate) fn cascade(&self) -> Result<Cascade, Error> {
        let steps = self.stages.iter().zip(&self.curves);
        let steps = steps.map(|(stage, curve)| PromisedStep {
            name: stage.step(),
            functions: stage.scheme.functions().into(),
            p1: stage.sensitivity.p1().value(),
            p2: stage.sensitivity.p2().value(),
            rho: stage.sensitivity.rho(),
            curve: curve.clone(),
        });
        let first = self.stages[0].sensitivity;
        let ends = self.curves.iter().flatten().map(|at| at[0]);
        let largest = ends.fold(first.d2(), f64::max);
        let between = (first.d1(), first.d2());
        Ok(Cascade::new(
            self.distance.clone(),
            largest,
            between,
            steps,
        )?)
    }
}
