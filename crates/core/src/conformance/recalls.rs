//! Whether a plan or a method finds what it states.

use super::{
    Effort, Measurement, Violation,
    evidence::{Level, RECALL, Rates},
    run::Visit,
};
use crate::{
    Bounds, Items, Metric, Probability,
    plugin::{Distance, ItemsOf, Recall},
    random,
};

/// Standard errors by which a recall that was measured on a sample may be too high.
const TOLERATED: f64 = 4.0;

/// The recall that a plan must reach: what is proved, or what was measured on a sample with room for its error.
fn reached(recall: Recall) -> Option<f64> {
    match recall {
        Recall::Proved(recall) => Some(recall),
        Recall::Calibrated {
            recall,
            standard_error,
        } => Some((recall - TOLERATED * standard_error).max(0.0)),
        Recall::Unknown => None,
    }
}

/// The places of all pairs of items within a limit.
pub(super) fn near<D: Distance>(
    metric: &D::Metric,
    items: &ItemsOf<D>,
    limit: f64,
) -> Vec<[usize; 2]> {
    let all = 0..items.count();
    let prepared: Vec<_> = all
        .clone()
        .map(|place| metric.prepare(items.item(place)))
        .collect();
    let pairs = all.flat_map(|a| (a + 1..prepared.len()).map(move |b| [a, b]));
    pairs
        .filter(|&[a, b]| metric.within(&prepared[a], &prepared[b], limit).is_some())
        .collect()
}

/// What was found of the pairs within a limit, in two ways: a query for either item of a pair, or all pairs and queries.
pub(super) struct Found {
    limit: f64,
    /// Whether any recall is stated.
    is_stated: bool,
    draws: Vec<Draw>,
}

struct Draw {
    /// The recall that must be reached.
    stated: f64,
    /// The pairs within the limit.
    pairs: usize,
    /// How many of them were found in either way.
    found: [usize; 2],
}

impl Found {
    pub(super) fn new(limit: f64) -> Self {
        Self {
            limit,
            is_stated: false,
            draws: Vec::new(),
        }
    }

    /// Adds a draw. One without a pair within the limit says nothing.
    pub(super) fn add(&mut self, recall: Recall, pairs: usize, found: [usize; 2]) {
        let Some(stated) = reached(recall) else {
            return;
        };
        self.is_stated = true;
        if pairs > 0 {
            self.draws.push(Draw {
                stated,
                pairs,
                found,
            });
        }
    }

    /// What was measured, compared with what is stated; `None` if nothing is.
    pub(super) fn compared(&self, effort: Effort) -> Result<Option<Measurement>, Violation> {
        if !self.is_stated {
            return Ok(None);
        }
        // A draw with more pairs than another says more, and counts as much.
        let fewest = self.draws.iter().map(|draw| draw.pairs).min();
        let fewest = fewest.ok_or(Violation::NothingWithin(self.limit))?;
        let mut rates = [Rates::new(fewest), Rates::new(fewest)];
        for draw in &self.draws {
            let stated = Probability::saturating(draw.stated);
            let promised = Bounds::new(stated, Probability::CERTAIN)?;
            for (rates, found) in rates.iter_mut().zip(draw.found) {
                rates.add(self.limit, promised, found as f64 / draw.pairs as f64);
            }
        }
        let mut measured = rates.map(|rates| rates.evidence(Level::with_share(RECALL, 2)));
        measured.sort_by(|a, b| a.measured.total_cmp(&b.measured));
        let at = Measurement::new(&measured[0]);
        if measured.iter().any(|evidence| !evidence.is_kept) {
            return Err(Violation::Recall {
                stated: measured[0].lower,
                measured: at,
            });
        }
        let needed = effort.needed_of_schemes();
        // A recall that is stated with so much room that it is smaller than the error cannot be wrong by it.
        match at.detectable > needed && measured[0].lower > needed {
            true => Err(Violation::TooFew {
                detectable: at.detectable,
                needed,
                at,
            }),
            false => Ok(Some(at)),
        }
    }
}

/// The largest distance to ask for if most pairs should lie within a limit: some lie farther apart than asked for.
pub(super) fn within<I: ?Sized>(
    visit: &Visit<'_, I>,
    (nearest, limit): (f64, f64),
    seed: u64,
) -> f64 {
    const PAIRS: u64 = 32;
    let is_within = |&wanted: &f64| {
        let mut within = 0;
        for pair in 0..PAIRS {
            visit(wanted, random::derive(seed, pair), &mut |distance, _, _| {
                within += u64::from(distance <= limit);
            });
        }
        within > PAIRS * 3 / 4
    };
    // Rounding may put pairs at the limit beyond it.
    let below = (1..20).rev().map(|twentieths| f64::from(twentieths) / 20.0);
    let shares = [1.0, 0.999].into_iter().chain(below);
    let mut wanted = shares.map(|share| nearest + share * (limit - nearest));
    wanted.find(is_within).unwrap_or(nearest)
}
