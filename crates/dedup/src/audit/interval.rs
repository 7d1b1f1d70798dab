//! A share that was measured on a sample, and how far it may be off.
//!
//! The interval is Clopper and Pearson's, which never promises too much for independent trials. Two things make a sample
//! of pairs different from independent trials, and both only change how many trials it counts for.
//!
//! *Documents are drawn, not pairs*, and the pairs of a document may be missed together. Their number is divided by the
//! design effect: the variance of found/true over documents, relative to that of independent pairs (Korn and Graubard
//! 1998). That variance is estimated twice. By rows: from the documents that were drawn. By columns: from all others, by
//! how many of the drawn ones each of them is missed by; a document that is missed by all of a large cluster shows
//! there even if it was not drawn itself. The larger estimate counts. Where few misses were seen neither is known well, and
//! where none was seen both are 0, which is no knowledge at all; so the estimate is mixed with the worst case, in which a
//! document's pairs are missed all or none, Σt²/Σt: each document with a miss weighs 1, the worst case [`DOUBT`].
//!
//! *The sample is part of what is measured.* If a share f of all documents is drawn, m documents with a miss all stay outside
//! with probability (1−f)^m. So the number of trials grows by −ln(1−f)/f: where no miss was seen the interval is
//! then the exact one, and otherwise wider than with the usual 1/(1−f). Where all are drawn nothing is left to doubt.

use lookalike_core::beta::quantile;
use serde::Serialize;

use super::{degrees::Degrees, number::Number};

/// The probability that an interval does not hold the true share, at most.
pub(super) const ALPHA: f64 = 0.05;
/// How many documents with a miss the worst case counts for. With 4, 270 kinds of corpora, samples and ways to miss were
/// each covered in .95 or more of 400 draws.
const DOUBT: f64 = 4.0;

/// A share that was measured, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Measured {
    /// The share in the sample.
    pub share: f64,
    /// The lower end of the interval that holds the true share with probability .95 or more.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// Whether everything was measured, so that the share is the true one.
    pub is_exact: bool,
}

/// How much of everything was drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Drawn {
    /// What was drawn.
    pub sampled: u64,
    /// All there is.
    pub all: u64,
}

impl Drawn {
    pub(super) fn is_all(self) -> bool {
        self.sampled >= self.all
    }

    /// The share that was drawn.
    pub(super) fn share(self) -> f64 {
        match self.is_all() {
            true => 1.0,
            false => self.sampled as f64 / self.all as f64,
        }
    }

    /// How many documents of a kind may have escaped the draw, at most, if none was drawn.
    pub(super) fn unseen(self) -> f64 {
        match self.is_all() {
            true => 0.0,
            false => (ALPHA / 2.0).ln() / (-self.share()).ln_1p(),
        }
    }

    /// How much more a draw is worth because it is not put back.
    fn growth(self) -> f64 {
        -(-self.share()).ln_1p() / self.share()
    }
}

impl Measured {
    /// A share that is known.
    pub(super) fn exactly(share: f64) -> Self {
        Self {
            share,
            low: share,
            high: share,
            is_exact: true,
        }
    }

    /// From so many good ones among those that were drawn; none where nothing was.
    pub(super) fn of_draws(good: u64, drawn: Drawn) -> Option<Self> {
        let sampled = drawn.sampled as f64;
        let share = (drawn.sampled > 0).then(|| good as f64 / sampled)?;
        Some(match drawn.is_all() {
            true => Self::exactly(share),
            false => Self::of_trials(share, sampled * drawn.growth()),
        })
    }

    /// From the pairs of the documents that were drawn, and what the others are in; none where there are no pairs.
    pub(super) fn of_pairs(rows: &Degrees, columns: &Degrees, drawn: Drawn) -> Option<Self> {
        let share = rows.share()?;
        if drawn.is_all() {
            return Some(Self::exactly(share));
        }
        let worst = rows.of_of / rows.of;
        let independent = share * (1.0 - share) * rows.of;
        let seen = match independent > 0.0 {
            true => {
                let f = drawn.share();
                let by_columns = (columns.spread(share) - (1.0 - f) * columns.squares(share)) / f;
                let spread = rows.spread(share).max(by_columns);
                // No more than if all misses were of the largest documents.
                (spread / independent).clamp(1.0, rows.most)
            }
            false => worst,
        };
        let telling = rows.with_a_miss.min(rows.with_a_find);
        let effect = (telling * seen + DOUBT * worst) / (telling + DOUBT);
        Some(Self::of_trials(share, rows.of / effect * drawn.growth()))
    }

    /// Clopper and Pearson's interval.
    fn of_trials(share: f64, trials: f64) -> Self {
        let (good, bad) = (share * trials, (1.0 - share) * trials);
        let low = match good > 0.0 {
            true => quantile(ALPHA / 2.0, good, bad + 1.0),
            false => 0.0,
        };
        let high = match bad > 0.0 {
            true => quantile(1.0 - ALPHA / 2.0, good + 1.0, bad),
            false => 1.0,
        };
        Self {
            share,
            low: low.min(share),
            high: high.max(share),
            is_exact: false,
        }
    }

    /// The share once pairs join that are found for certain: `certain` of them, beside `others`.
    pub(super) fn joined_by(self, others: Number, certain: f64) -> Self {
        let missed = |share: f64, pairs: f64| (1.0 - share) * pairs / (pairs + certain);
        Self {
            share: 1.0 - missed(self.share, others.estimate),
            low: 1.0 - missed(self.low, others.high),
            high: 1.0 - missed(self.high, others.low),
            is_exact: self.is_exact,
        }
    }
}

#[cfg(test)]
mod tests;
