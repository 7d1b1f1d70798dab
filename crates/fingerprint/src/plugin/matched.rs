use std::cell::RefCell;

use lookalike_core::{
    Axioms, Metric,
    plugin::{Distance, Error, Measure, Specimens},
};
use serde::{Deserialize, Serialize};

use super::{Print, specimens};
use crate::{DEFAULT_MATCH_SCORE, Matcher, Prepared, Template, Work};

/// How well two prints lie over each other, by the matcher: 1/(1 + score). Not a metric.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Matched {}

impl Distance for Matched {
    const MEASURES: &'static [Measure] = &[Measure::decreasing(
        "score",
        "matcher score",
        (f64::MIN_POSITIVE, f64::MAX),
        |score| 1.0 / (1.0 + score),
        |distance| 1.0 / distance - 1.0,
    )
    .usually(DEFAULT_MATCH_SCORE as f64)];
    type Kind = Print;
    type Metric = MatcherMetric;

    fn metric(&self) -> Result<MatcherMetric, Error> {
        Ok(MatcherMetric(Matcher::default()))
    }

    fn specimens() -> Option<Specimens<Vec<Template>>> {
        Some(Specimens::new(1.0, specimens::prints))
    }

    fn cost(_: usize) -> f64 {
        65_000.0
    }
}

/// The matcher as a distance, 1/(1 + score), the better of the two ways to lay one print over the other.
#[derive(Clone, Copy, Debug, Default)]
pub struct MatcherMetric(Matcher);

impl Metric for MatcherMetric {
    type Item = Template;
    type Prepared = Prepared;
    fn axioms(&self) -> Axioms {
        Axioms::None
    }

    fn prepare(&self, print: &Template) -> Prepared {
        self.0.prepare(print)
    }

    fn distance(&self, a: &Prepared, b: &Prepared) -> f64 {
        thread_local! {
            static WORK: RefCell<Work> = RefCell::default();
        }
        let score =
            |a, b| WORK.with_borrow_mut(|work| f64::from(self.0.compare_with(a, b, work).score()));
        1.0 / (1.0 + score(a, b).max(score(b, a)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_score_is_reached_exactly() {
        let [score] = Matched::MEASURES else {
            panic!("one measure")
        };
        assert_eq!(score.usual, Some(11.0));
        let limit = score.limit(11.0).unwrap();
        let below = f64::from(11f32.next_down());
        assert!(score.limit(below).unwrap() > limit);
    }
}
