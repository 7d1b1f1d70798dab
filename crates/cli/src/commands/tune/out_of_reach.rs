//! What to say when no banding does what was asked.
//!
//! The library speaks of distances, as it serves every family; who typed
//! `--threshold` thinks in similarities. So its errors are worded again, with
//! options that would do.

use lookalike::{Error, Probability};

use super::wanted::Wanted;

/// No banding of the budget reaches the recall at the threshold.
pub(super) fn recall(error: Error, wanted: &Wanted<'_>) -> anyhow::Error {
    let Error::Unreachable {
        budget,
        recall,
        best,
        best_recall,
        needed,
        ..
    } = error
    else {
        return error.into();
    };
    let (name, threshold, nearer) = (wanted.name(), wanted.threshold, wanted.nearer());
    let larger = needed.map_or(String::new(), |needed| format!("--budget {needed}, "));
    anyhow::anyhow!(
        "no banding of at most {budget} functions makes candidates of {recall} of the pairs at {name} {threshold}\n\
         the most is {best_recall:.4}, with {best}\n\
         try {larger}a lower --recall or {nearer}"
    )
}

/// No split of the budget has its rule threshold at or below the threshold, or none reaches the recall there.
pub(super) fn split(
    error: Error,
    budget: u32,
    at_least: Probability,
    wanted: &Wanted<'_>,
) -> anyhow::Error {
    if let Error::Unreachable { .. } = error {
        return recall(error, wanted);
    }
    let p = wanted.p.value();
    let lowest = f64::from(budget).recip();
    let for_recall = at_least.complement().value().ln() / (-p).ln_1p();
    let needed = p.recip().max(for_recall).ceil();
    let nearer = wanted.nearer();
    anyhow::anyhow!(
        "no split of {budget} functions has a rule threshold of {p} or less\n\
         the lowest is {lowest:.4}, with one row in each band\n\
         try --budget {needed} or {nearer}"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike::tune::{Goal, one_minus_distance};

    fn plan(threshold: f64, recall: f64, budget: u32) -> Result<(), Error> {
        let goal = Goal::new(1.0 - threshold, 1.0)?
            .recall(recall)?
            .budget(budget)?;
        goal.plan_with(one_minus_distance).map(|_| ())
    }

    #[test]
    fn the_budget_that_is_suggested_is_the_smallest_that_does() {
        for (threshold, recall) in [(0.5, 0.999), (0.1, 0.95), (0.01, 0.5), (0.9, 0.9999)] {
            let error = plan(threshold, recall, 1).unwrap_err();
            let Error::Unreachable {
                needed: Some(needed),
                ..
            } = error
            else {
                panic!("{error}");
            };
            assert!(
                plan(threshold, recall, needed).is_ok(),
                "{threshold} {recall}"
            );
            let error = plan(threshold, recall, needed - 1).unwrap_err();
            let wanted = Wanted::probability(threshold, Some(0.0)).unwrap();
            let message = super::recall(error, &wanted).to_string();
            assert!(
                message.contains(&format!("--budget {needed},")),
                "{message}"
            );
            assert!(
                message.contains(&format!("at similarity {threshold}\n")),
                "{message}"
            );
            assert!(!message.contains("distance"), "{message}");
        }
    }

    #[test]
    fn the_hardest_goal_fits_the_largest_budget() {
        let recall = 1.0 - f64::EPSILON / 2.0;
        assert!(plan(0.001, recall, super::super::LARGEST_BUDGET).is_ok());
    }
}
