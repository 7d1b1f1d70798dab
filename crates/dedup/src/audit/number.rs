use serde::Serialize;

use super::{
    degrees::Degrees,
    interval::{Drawn, Measured},
};
use crate::output::rounded;

/// The standard errors of a normal interval that misses once in twenty times.
const NORMAL: f64 = 1.96;

/// A number of pairs, scaled up from a sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Number {
    /// The estimate.
    pub estimate: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Number {
    /// All pairs, from those of the documents that were drawn. A pair has two ends, and each may be drawn.
    ///
    /// The interval is that of a logarithm, as a number of pairs is never below what was seen. Where no pair was seen, documents
    /// with one may have escaped; how many pairs such a document has is then taken to be one.
    pub(super) fn of_pairs(rows: &Degrees, drawn: Drawn) -> Self {
        let estimate = rows.of / drawn.share() / 2.0;
        if rows.of == 0.0 {
            return Self {
                estimate,
                low: 0.0,
                high: drawn.unseen() / 2.0,
            };
        }
        let factor = (NORMAL * rows.relative_error(drawn)).exp();
        Self {
            estimate,
            // Each pair was seen from two sides at most.
            low: (estimate / factor).max(rows.of / 2.0),
            high: estimate * factor,
        }
    }

    /// Those of the pairs that were not found.
    pub(super) fn missed(self, found: Option<Measured>) -> Self {
        let Some(found) = found else {
            return self;
        };
        Self {
            estimate: rounded(self.estimate * (1.0 - found.share)),
            low: rounded(self.low * (1.0 - found.high)),
            high: rounded(self.high * (1.0 - found.low)),
        }
    }
}
