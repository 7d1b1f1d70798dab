//! From what a user wants to bands and rows.
//!
//! The usual question is a [`Goal`]: this distance must be found with that
//! recall, this other distance should be rare. Where a user can only say what
//! to avoid, [`split`] follows the textbook: all of the budget, b·r = n, with the
//! threshold (1/b)^(1/r) on the safe side. An optimiser that balances the two
//! errors over all distances was rejected: at a threshold of 0.8 the common one
//! finds 40% of the pairs that are exactly 0.8 alike.

mod split;

use serde::Serialize;

pub use self::split::{Avoid, SPLIT_RECALL, split, split_with, splits};
use crate::{Banding, Bounds, Error, LshFamily, Probability, Scheme};

/// The recall that is aimed at unless another is asked for.
pub const RECALL: f64 = 0.95;
/// The budget of hash functions unless another is given.
pub const BUDGET: u32 = 128;

/// What a banding should achieve: find `near` with a recall, seldom nominate `far`.
///
/// ```
/// use lookalike_core::{Bounds, Probability, tune::Goal};
///
/// // Jaccard: pairs at .8 must be found, pairs at .6 should be rare.
/// let plan = Goal::new(0.2, 0.4)?.plan_with(|scheme, distance| {
///     scheme.bounds(Bounds::exact(Probability::saturating(1.0 - distance)))
/// })?;
/// assert_eq!(plan.banding.to_string(), "13 bands × 7 rows");
/// assert!(plan.recall.value() >= 0.95);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Goal {
    near: f64,
    far: f64,
    recall: f64,
    budget: u32,
}

/// A banding and what to expect of it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Tuned {
    /// The bands and rows.
    #[serde(flatten)]
    pub banding: Banding,
    /// The share of pairs at the near distance that become candidates, at least.
    pub recall: Probability,
    /// The share of pairs at the far distance that become candidates, at most.
    pub false_candidates: Probability,
}

/// Nobody hashes an item this often.
const ABSURD: u32 = 1 << 24;

/// (scheme, distance) → bounds.
type Promise<'a> = dyn Fn(&Scheme, f64) -> Bounds + 'a;

impl Goal {
    /// Finds pairs at distance `near` with a recall of [`RECALL`], using at most
    /// [`BUDGET`] functions, such that as few as possible at distance `far` are candidates.
    pub fn new(near: f64, far: f64) -> Result<Self, Error> {
        if !(near >= 0.0 && near.is_finite()) {
            return Err(Error::parameter("near", near, "a distance, 0 or more"));
        }
        if !(far > near && far.is_finite()) {
            return Err(Error::parameter(
                "far",
                far,
                format!("a distance above the near one, {near}"),
            ));
        }
        Ok(Self {
            near,
            far,
            recall: RECALL,
            budget: BUDGET,
        })
    }

    /// Another recall, above 0 and below 1: nothing that is drawn at random is certain.
    pub fn recall(self, recall: f64) -> Result<Self, Error> {
        if recall > 0.0 && recall < 1.0 {
            Ok(Self { recall, ..self })
        } else {
            let expected = "above 0 and below 1";
            Err(Error::parameter("recall", recall, expected))
        }
    }

    /// Another budget of functions.
    pub fn budget(self, budget: u32) -> Result<Self, Error> {
        check_budget(budget)?;
        Ok(Self { budget, ..self })
    }

    /// The best banding over a family.
    pub fn plan<F: LshFamily>(&self, family: &F) -> Result<Tuned, Error> {
        self.best(&|scheme, distance| family.promise(scheme, distance))
    }

    /// The best banding under any promise (scheme, distance) → bounds.
    ///
    /// Among all bandings of at most the budget that reach the recall: the
    /// smallest probability at the far distance, then the fewest functions.
    pub fn plan_with(&self, promise: impl Fn(&Scheme, f64) -> Bounds) -> Result<Tuned, Error> {
        self.best(&promise)
    }

    /// Not generic, so that tuning is compiled once and not once per promise.
    fn best(&self, promise: &Promise<'_>) -> Result<Tuned, Error> {
        let best = (1..=self.budget)
            .filter_map(|rows| {
                let most = self.budget / rows;
                let plan = |bands| Tuned::new(bands, rows, self.near, self.far, promise);
                // More bands find more and nominate more: the fewest that reach the recall.
                let bands = fewest(most, |bands| plan(bands).recall.value() >= self.recall)?;
                Some(plan(bands))
            })
            .min_by(|a, b| {
                let cost = |plan: &Tuned| plan.false_candidates.value();
                let functions = |plan: &Tuned| plan.banding.functions();
                cost(a)
                    .total_cmp(&cost(b))
                    .then(functions(a).cmp(&functions(b)))
            });
        best.ok_or_else(|| self.unreachable(promise))
    }

    fn unreachable(&self, promise: &Promise<'_>) -> Error {
        let plan = |bands| Tuned::new(bands, 1, self.near, self.far, promise);
        // One row finds the most for its functions: (1−p)^r ≤ 1−p^r.
        let best = plan(self.budget);
        let needed = fewest(ABSURD, |bands| plan(bands).recall.value() >= self.recall);
        Error::Unreachable {
            budget: self.budget,
            recall: self.recall,
            distance: self.near,
            best: best.banding,
            best_recall: best.recall.value(),
            needed,
        }
    }
}

impl Tuned {
    fn new(bands: u32, rows: u32, near: f64, far: f64, promise: &Promise<'_>) -> Self {
        let banding = Banding::new(bands, rows).expect("bands · rows is within a u32 budget");
        let scheme = banding.scheme();
        Self {
            banding,
            recall: promise(&scheme, near).lower(),
            false_candidates: promise(&scheme, far).upper(),
        }
    }
}

/// The smallest n in 1 ..= most with `enough(n)`, which stays true from there on.
fn fewest(most: u32, enough: impl Fn(u32) -> bool) -> Option<u32> {
    let (mut low, mut high) = (1, most);
    if !enough(high) {
        return None;
    }
    while low < high {
        let middle = low + (high - low) / 2;
        if enough(middle) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    Some(low)
}

/// What to expect of a banding: recall at `near`, share of candidates at `far`.
pub fn expectation(
    banding: Banding,
    near: f64,
    far: f64,
    promise: impl Fn(&Scheme, f64) -> Bounds,
) -> Tuned {
    Tuned::new(banding.bands(), banding.rows(), near, far, &promise)
}

/// The similarity that should be rare where a user names only the one to be found: .2 below it, and at least half of it.
#[must_use]
pub fn rare_below(similarity: f64) -> f64 {
    let rare = (similarity - 0.2).max(similarity / 2.0);
    // What 0.8 − 0.2 was meant to be.
    (rare * 1e9).round() / 1e9
}

/// How many functions make the estimated agreement lie within `error` of the
/// true one with probability `confidence`: ln(2/(1−confidence)) / (2·error²), by Hoeffding.
///
/// ```
/// assert_eq!(lookalike_core::tune::functions_for_estimate(0.05, 0.95)?, 738);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
pub fn functions_for_estimate(error: f64, confidence: f64) -> Result<u64, Error> {
    for (name, value) in [("error", error), ("confidence", confidence)] {
        if !(value > 0.0 && value < 1.0) {
            return Err(Error::parameter(name, value, "above 0 and below 1"));
        }
    }
    let functions = (2.0 / (1.0 - confidence)).ln() / (2.0 * error * error);
    if functions > f64::from(u32::MAX) {
        let expected = "large enough for 2^32 functions";
        return Err(Error::parameter("error", error, expected));
    }
    Ok(functions.ceil() as u64)
}

/// The standard error of an agreement estimated from `functions` independent
/// functions: √(p(1−p)/n).
#[must_use]
pub fn standard_error(p: Probability, functions: u64) -> f64 {
    (p.value() * p.complement().value() / functions as f64).sqrt()
}

fn check_budget(budget: u32) -> Result<(), Error> {
    if budget == 0 {
        return Err(Error::parameter("budget", budget, "1 function or more"));
    }
    Ok(())
}

/// A promise of independent functions that agree with probability 1 − distance, as minhash does.
///
/// ```
/// use lookalike_core::{Banding, tune};
///
/// let at_06 = tune::one_minus_distance(&Banding::new(20, 5)?.scheme(), 0.4);
/// assert!((at_06.lower().value() - 0.802).abs() < 0.0005);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[must_use]
pub fn one_minus_distance(scheme: &Scheme, distance: f64) -> Bounds {
    scheme.bounds(Bounds::exact(Probability::saturating(1.0 - distance)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_goal_must_make_sense() {
        assert!(Goal::new(-0.1, 0.5).is_err());
        assert!(Goal::new(0.5, 0.5).is_err());
        assert!(Goal::new(f64::NAN, 0.5).is_err());
        let goal = Goal::new(0.2, 0.5).unwrap();
        assert!(goal.recall(0.0).is_err() && goal.recall(1.0).is_err());
        assert!(goal.recall(f64::NAN).is_err() && goal.budget(0).is_err());
        assert!(functions_for_estimate(0.0, 0.95).is_err());
        assert!(functions_for_estimate(0.1, 1.0).is_err());
        assert!(functions_for_estimate(1e-12, 0.95).is_err());
    }

    #[test]
    fn what_cannot_be_reached_says_what_can() {
        let goal = Goal::new(0.5, 0.9).unwrap().recall(0.999).unwrap();
        let message = |goal: Goal| goal.plan_with(one_minus_distance).unwrap_err().to_string();
        assert_eq!(
            message(goal.budget(8).unwrap()),
            "no banding of at most 8 functions finds 0.999 of the pairs at distance 0.5: \
             the most is 0.9961, with 8 bands × 1 row; 10 functions would reach it"
        );
        assert!(
            goal.plan_with(|_, _| Bounds::exact(Probability::NEVER))
                .is_err()
        );
        let never = Goal::new(1.0, 2.0).unwrap();
        assert!(message(never).contains("no number of functions would"));
    }

    proptest! {
        #[test]
        fn the_plan_is_the_best_of_all(
            near in 0.01f64..0.8, gap in 0.01f64..0.5, recall in 0.01f64..0.999, budget in 1u32..80,
        ) {
            let goal = Goal::new(near, near + gap).unwrap().recall(recall).unwrap().budget(budget).unwrap();
            let all = (1..=budget).flat_map(|b| (1..=budget / b).map(move |r| (b, r)));
            let best = all
                .map(|(b, r)| Tuned::new(b, r, near, near + gap, &one_minus_distance))
                .filter(|plan| plan.recall.value() >= recall)
                .map(|plan| (plan.false_candidates.value(), plan.banding.functions()))
                .min_by(|a, b| a.partial_cmp(b).unwrap());
            let found = goal.plan_with(one_minus_distance).ok()
                .map(|plan| (plan.false_candidates.value(), plan.banding.functions()));
            prop_assert_eq!(found, best);
        }
    }
}
