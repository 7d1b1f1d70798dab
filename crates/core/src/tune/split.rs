//! The textbook's rule: all of a budget, b·r = n, chosen by the error to avoid.
//!
//! The rule alone takes the threshold (1/b)^(1/r) nearest to the wanted similarity, on the safe side. Its curve has only
//! reached about 0.64 there, so a split whose threshold lies just below the similarity still misses a third of the
//! pairs. So the probability at the similarity itself is demanded, too. Rejected: a fixed distance between the two,
//! which means something else for every number of rows.

use serde::{Deserialize, Serialize};

use super::{ABSURD, check_budget, fewest};
use crate::{Banding, Error, Probability};

/// The probability at the wanted similarity that a split must reach to avoid false negatives, unless another is given.
pub const SPLIT_RECALL: f64 = 0.8;

/// Which error a user would rather not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Avoid {
    /// Similar pairs that are missed: the curve rises below the threshold.
    FalseNegatives,
    /// Candidates that are not similar: the curve rises above the threshold.
    FalsePositives,
}

/// All splits b·r = n of the functions, fewest rows first: their thresholds (1/b)^(1/r) increase.
///
/// ```
/// let rows: Vec<u32> = lookalike_core::tune::splits(20)?.iter().map(|split| split.rows()).collect();
/// assert_eq!(rows, [1, 2, 4, 5, 10, 20]);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Errors
/// If there are no functions.
pub fn splits(functions: u32) -> Result<Vec<Banding>, Error> {
    check_budget(functions)?;
    let rows = (1..=functions).filter(|rows| functions.is_multiple_of(*rows));
    let split = |rows| Banding::new(functions / rows, rows).expect("both divide the budget");
    Ok(rows.map(split).collect())
}

/// The split b·r = n of all `functions` for pairs whose functions agree with probability `p`.
///
/// To avoid false positives, the split with the lowest threshold (1/b)^(1/r) that is at least `p`. To avoid false
/// negatives, the split with the highest threshold that is at most `p` and that makes candidates of at least `at_least`
/// of the pairs at `p`; [`SPLIT_RECALL`] is usual.
///
/// ```
/// use lookalike_core::{Probability, tune::{Avoid, SPLIT_RECALL, split}};
///
/// let at_least = Probability::new(SPLIT_RECALL)?;
/// for p in [0.6, 0.8] {
///     let split = split(100, Probability::new(p)?, Avoid::FalseNegatives, at_least)?;
///     assert_eq!(split.to_string(), "20 bands × 5 rows");
/// }
/// # Ok::<(), lookalike_core::Error>(())
/// ```
///
/// # Errors
/// If no split has its threshold on that side, or none reaches the probability.
pub fn split(
    functions: u32,
    p: Probability,
    avoid: Avoid,
    at_least: Probability,
) -> Result<Banding, Error> {
    split_with(functions, p, avoid, at_least, |banding| {
        banding.probability(p)
    })
}

/// [`split`] for functions that are not independent: `recall` is the probability that a banding finds the pairs.
///
/// # Errors
/// As [`split`].
pub fn split_with(
    functions: u32,
    p: Probability,
    avoid: Avoid,
    at_least: Probability,
    recall: impl Fn(Banding) -> Probability,
) -> Result<Banding, Error> {
    let splits = splits(functions)?;
    let found = match avoid {
        Avoid::FalsePositives => splits.iter().find(|s| s.threshold() >= p.value()),
        Avoid::FalseNegatives => {
            let is_low = |s: &&Banding| s.threshold() <= p.value();
            let low = splits.iter().filter(is_low);
            low.rev().find(|s| recall(**s) >= at_least)
        }
    };
    if let Some(split) = found {
        return Ok(*split);
    }
    let lowest = splits[0];
    if lowest.threshold() > p.value() {
        let lowest = lowest.threshold();
        return Err(Error::parameter(
            "threshold",
            p,
            format!("at least {lowest}, the lowest that {functions} functions can have"),
        ));
    }
    let one_row = |bands| Banding::new(bands, 1).map_or(Probability::NEVER, &recall);
    Err(Error::Unreachable {
        budget: functions,
        recall: at_least.value(),
        distance: p.complement().value(),
        best: lowest,
        best_recall: recall(lowest).value(),
        needed: fewest(ABSURD, |bands| one_row(bands) >= at_least),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn p(p: f64) -> Probability {
        Probability::new(p).unwrap()
    }

    #[test]
    fn more_demanded_at_the_threshold_moves_the_rise_to_the_left() {
        let split = |at_least: f64| split(100, p(0.8), Avoid::FalseNegatives, p(at_least)).unwrap();
        let rows = [0.0, 0.67, 0.68, 0.8, 0.9996, 0.9997, 0.99999].map(|it| split(it).rows());
        assert_eq!(rows, [10, 10, 5, 5, 5, 4, 4]);
    }

    #[test]
    fn what_cannot_be_reached_says_what_can() {
        let wrong = |functions, at: f64, at_least: f64| {
            let split = split(functions, p(at), Avoid::FalseNegatives, p(at_least));
            split.unwrap_err().to_string()
        };
        assert!(wrong(100, 0.001, 0.8).contains("at least 0.01"));
        assert_eq!(
            wrong(10, 0.1, 0.8),
            "no banding of at most 10 functions finds 0.8 of the pairs at distance 0.9: \
             the most is 0.6513, with 10 bands × 1 row; 16 functions would reach it"
        );
        assert!(split(16, p(0.1), Avoid::FalseNegatives, p(0.8)).is_ok());
        assert!(split(15, p(0.1), Avoid::FalseNegatives, p(0.8)).is_err());
        assert!(split(0, p(1.0), Avoid::FalsePositives, p(0.8)).is_err());
    }

    proptest! {
        #[test]
        fn a_split_uses_the_whole_budget_and_keeps_its_side(
            functions in 1u32..500, t in 0.0f64..1.0, at_least in 0.0f64..1.0,
        ) {
            let (t, at_least) = (p(t), p(at_least));
            let high = split(functions, t, Avoid::FalsePositives, at_least).unwrap();
            prop_assert_eq!(high.functions(), functions);
            prop_assert!(high.threshold() >= t.value());
            let serves = |s: &Banding| s.threshold() <= t.value() && s.probability(t) >= at_least;
            let all = splits(functions).unwrap();
            // The last that serves: whatever rises later is too late.
            let best = all.iter().copied().rfind(serves);
            prop_assert_eq!(split(functions, t, Avoid::FalseNegatives, at_least).ok(), best);
            // Nothing lies between the two sides.
            let low = all.iter().filter(|s| s.threshold() <= t.value()).count();
            prop_assert!(all[..low].iter().all(|s| s.threshold() <= t.value()));
            prop_assert!(all.get(low).is_none_or(|next| *next == high || high.threshold() == t.value()));
        }
    }
}
