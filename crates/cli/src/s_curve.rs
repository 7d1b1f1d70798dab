//! A scheme with a name, and its S-curve.
//!
//! Beside the probability of a candidate stands that of a missed pair, and it
//! is computed on its own: 1 − p has no digits left where nearly nothing is
//! missed.

use lookalike::{Banding, Probability, Scheme, Step};
use serde::Serialize;

use crate::number::probability;
use crate::table::{Align, Column};

/// A scheme under the name its user gave it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct SCurve {
    #[serde(rename = "name")]
    pub(crate) label: String,
    #[serde(rename = "amplify")]
    pub(crate) scheme: Scheme,
    /// The scheme as bands and rows, where it is an OR of ANDs.
    #[serde(flatten)]
    pub(crate) banding: Option<Banding>,
}

/// The curve at one t.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Point {
    /// The probability that one function agrees.
    pub(crate) t: f64,
    /// That one band agrees: everything inside the outermost OR.
    pub(crate) one_band: f64,
    /// That at least one band agrees.
    pub(crate) candidate: f64,
    /// That none does.
    pub(crate) missed: f64,
}

/// Where the curve of a banding rises.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Rise {
    pub(crate) rule_threshold: f64,
    pub(crate) steepest: Steepest,
}

/// The steepest point of a curve.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Steepest {
    pub(crate) t: f64,
    pub(crate) slope: f64,
}

/// Slices of an integral, which is of a smooth curve: far more than what is printed needs.
const SLICES: u32 = 2000;

/// What separates a curve from the ideal step at a threshold, as areas.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Errors {
    /// Where the ideal curve steps from 0 to 1.
    pub(crate) threshold: f64,
    /// The area over the curve above the threshold: similar pairs that are missed.
    pub(crate) false_negatives: f64,
    /// The area under the curve below the threshold: candidates that are not similar.
    pub(crate) false_positives: f64,
}

impl From<Banding> for Rise {
    fn from(banding: Banding) -> Self {
        let (t, slope) = banding.steepest();
        Self {
            rule_threshold: banding.threshold(),
            steepest: Steepest { t, slope },
        }
    }
}

impl SCurve {
    /// A scheme written as a cascade.
    pub(crate) fn cascade(scheme: Scheme) -> Self {
        Self {
            label: scheme.to_string(),
            banding: scheme.banding(),
            scheme,
        }
    }

    /// The areas of both errors at a threshold from 0 to 1, by the trapezoidal rule.
    pub(crate) fn errors(&self, threshold: f64) -> Errors {
        let integral = |from: f64, to: f64, of: fn(Point) -> f64| {
            let step = (to - from) / f64::from(SLICES);
            let at = |i: u32| of(self.at(from + step * f64::from(i)));
            let inner: f64 = (1..SLICES).map(at).sum();
            step * (inner + (at(0) + at(SLICES)) / 2.0)
        };
        Errors {
            threshold,
            false_negatives: integral(threshold, 1.0, |point| point.missed),
            false_positives: integral(0.0, threshold, |point| point.candidate),
        }
    }

    /// A threshold that suits the curve, in hundredths: its rule threshold, or where half of the pairs are candidates.
    pub(crate) fn usual_threshold(&self) -> f64 {
        let t = match self.banding {
            Some(banding) => banding.threshold(),
            None => {
                let (mut low, mut high) = (0.0, 1.0);
                for _ in 0..40 {
                    let middle = (low + high) / 2.0;
                    match self.at(middle).candidate < 0.5 {
                        true => low = middle,
                        false => high = middle,
                    }
                }
                low
            }
        };
        ((t * 100.0).round() / 100.0).clamp(0.01, 0.99)
    }

    /// The curve at `t`, which is brought into 0 ..= 1.
    pub(crate) fn at(&self, t: f64) -> Point {
        let t = Probability::saturating(t);
        let fold = |steps: &[Step], p| steps.iter().fold(p, |p, step| step.apply(p));
        let inside = match self.scheme.steps() {
            [inside @ .., Step::Or(_)] => inside,
            all => all,
        };
        // By De Morgan: "not all agree" is "some disagrees".
        let missed = (self.scheme.steps().iter()).fold(t.complement(), |q, step| match step {
            Step::And(n) => q.any(*n),
            Step::Or(n) => q.all(*n),
        });
        Point {
            t: t.value(),
            one_band: fold(inside, t).value(),
            candidate: self.scheme.probability(t).value(),
            missed: missed.value(),
        }
    }
}

impl Point {
    /// The probabilities of some points, a column each.
    pub(crate) fn columns(points: &[Self]) -> [Column; 3] {
        let column = |head: &str, cell: fn(&Self) -> String| {
            Column::new(head, Align::Left, points.iter().map(cell))
        };
        [
            column("one band", |p| probability(p.one_band, 1.0 - p.one_band)),
            column("candidate", |p| probability(p.candidate, p.missed)),
            column("missed", |p| probability(p.missed, p.candidate)),
        ]
    }
}

impl From<Banding> for SCurve {
    fn from(banding: Banding) -> Self {
        Self {
            label: banding.to_string(),
            scheme: banding.scheme(),
            banding: Some(banding),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cascade(text: &str) -> SCurve {
        SCurve::cascade(text.parse().unwrap())
    }

    #[test]
    fn or_of_ands_is_a_banding() {
        for (text, banding) in [
            ("and:5,or:20", Some("20 bands × 5 rows")),
            ("or:20", Some("20 bands × 1 row")),
            ("and:5", Some("1 band × 5 rows")),
            ("and:1", Some("1 band × 1 row")),
            ("or:20,and:5", None),
            ("and:5,or:20,and:2", None),
        ] {
            let found = cascade(text).banding.map(|banding| banding.to_string());
            assert_eq!(found.as_deref(), banding, "{text}");
        }
    }

    #[test]
    fn what_is_missed_completes_what_is_found() {
        for text in [
            "and:1",
            "and:5,or:20",
            "or:4,and:4",
            "and:2,or:3,and:2,or:3",
        ] {
            for t in [0.0, 0.1, 0.5, 0.8, 1.0] {
                let point = cascade(text).at(t);
                assert!(
                    (point.candidate + point.missed - 1.0).abs() < 1e-14,
                    "{text} at {t}"
                );
            }
        }
        // 1 − p would be 0.
        let missed = cascade("and:5,or:200").at(0.9).missed;
        assert!((missed / (1.0 - 0.9f64.powi(5)).powi(200) - 1.0).abs() < 1e-12);
    }

    #[test]
    fn areas_are_those_between_the_curve_and_the_step() {
        // One function: the diagonal, and two triangles.
        let errors = cascade("and:1").errors(0.4);
        assert!((errors.false_positives - 0.08).abs() < 1e-9);
        assert!((errors.false_negatives - 0.18).abs() < 1e-9);
        // t^4: its integral is t^5/5.
        let errors = cascade("and:4").errors(0.5);
        assert!((errors.false_positives - 0.5f64.powi(5) / 5.0).abs() < 1e-6);
        assert!((errors.false_negatives - (0.5 - (1.0 - 0.5f64.powi(5)) / 5.0)).abs() < 1e-6);
    }

    #[test]
    fn a_usual_threshold_is_where_the_curve_rises() {
        assert_eq!(cascade("and:5,or:20").usual_threshold(), 0.55);
        let steeper = cascade("and:4,or:4,and:4,or:4");
        let half = steeper.at(steeper.usual_threshold()).candidate;
        assert!((half - 0.5).abs() < 0.1, "{half}");
    }

    #[test]
    fn one_band_is_what_the_outermost_or_repeats() {
        let close = |text: &str, p: f64| (cascade(text).at(0.8).one_band - p).abs() < 1e-12;
        assert!(close("and:5,or:20", 0.32768));
        assert!(close("or:20", 0.8));
        assert!(close("and:5", 0.32768));
        assert!(close("or:2,and:2", 0.96f64.powi(2)));
    }
}
