use lookalike_core::beta::quantile;
use serde::Serialize;

use super::{
    degrees::Degrees,
    interval::{ALPHA, Drawn, Measured},
};
use crate::output::rounded;

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
    /// A number that is known.
    pub(super) fn exactly(number: f64) -> Self {
        Self {
            estimate: number,
            low: number,
            high: number,
        }
    }

    /// All pairs that are alike, from those of the documents that were drawn, the share of them that the run has, and the
    /// number of pairs that it has.
    ///
    /// The run's own pairs are known for all documents, so that their number divided by the share is the number of all,
    /// and the interval of the share is that of the number. To scale up the pairs of the sample instead was rejected: a
    /// few documents have most of the pairs, and a small sample has none of these documents.
    pub(super) fn of_pairs(
        rows: &Degrees,
        drawn: Drawn,
        share: Option<Measured>,
        found: Self,
    ) -> Self {
        // A pair has two ends, and each pair was seen from two sides at most.
        let (scaled, seen) = (rows.of / drawn.share() / 2.0, rows.of / 2.0);
        if drawn.is_all() {
            return Self::exactly(scaled);
        }
        let Some(share) = share else {
            // No document with a pair was drawn. Those that escaped may have missed pairs: one each, or as many as were
            // found if these are more, since the same documents have the found ones.
            return Self {
                high: found.high + (drawn.unseen() / 2.0).max(found.high),
                ..found
            };
        };
        let estimate = match found.estimate > 0.0 && share.share > 0.0 {
            true => found.estimate / share.share,
            false => scaled.max(found.estimate),
        };
        // If nothing is known to be found, the documents with pairs are counted, and weighed by their pairs.
        let by_documents = || {
            let (documents, of) = (rows.of * rows.of / rows.of_of, drawn.sampled as f64);
            let most = quantile(
                1.0 - ALPHA / 2.0,
                documents + 1.0,
                (of - documents).max(1e-9),
            );
            found.high + scaled * most * of / documents
        };
        let high = match found.high > 0.0 && share.low > 0.0 {
            true => found.high / share.low,
            false => by_documents(),
        };
        let low = found.low / share.high.max(f64::MIN_POSITIVE);
        Self {
            estimate: estimate.max(seen),
            low: low.max(seen).min(estimate.max(seen)),
            high: high.max(estimate).max(seen),
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
