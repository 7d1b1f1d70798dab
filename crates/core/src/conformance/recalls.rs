//! Whether a plan finds what it states, among the items that it was made for.

use super::{
    Effort, Measurement, Violation,
    evidence::{Level, RECALL, Rates},
};
use crate::{
    Bounds, Items, Metric, Probability,
    plugin::{Distance, ItemsOf, Recall},
    random,
};

/// Standard errors by which a recall that was measured on a sample may be too high.
const TOLERATED: f64 = 4.0;

/// The recall that a plan must reach: what is proved, or what was measured on a sample with room for its error.
pub(super) fn stated(recall: Recall) -> f64 {
    match recall {
        Recall::Proved(recall) => recall,
        Recall::Calibrated {
            recall,
            standard_error,
        } => (recall - TOLERATED * standard_error).max(0.0),
        Recall::Unknown => 0.0,
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

/// How often `pairs` pairs meet, drawn with many seeds and asked in both directions, compared with the recall that is
/// stated for all of them together.
pub(super) fn check(
    recall: Recall,
    (limit, pairs): (f64, usize),
    (effort, seed): (Effort, u64),
    meet: &dyn Fn(u64) -> Result<Vec<[bool; 2]>, Violation>,
) -> Result<Measurement, Violation> {
    let stated = stated(recall);
    let promised = Bounds::new(Probability::saturating(stated), Probability::CERTAIN)?;
    let mut rates = [Rates::new(pairs), Rates::new(pairs)];
    for draw in 0..effort.draws() {
        let met = meet(random::derive(seed, draw.into()))?;
        for (direction, rates) in rates.iter_mut().enumerate() {
            let count = met.iter().filter(|met| met[direction]).count();
            rates.add(limit, promised, count as f64 / pairs.max(1) as f64);
        }
    }
    let [forth, back] = rates.map(|rates| rates.evidence(Level::with_share(RECALL, 2)));
    for evidence in [&forth, &back] {
        if !evidence.is_kept {
            let measured = Measurement::new(evidence);
            return Err(Violation::Recall { stated, measured });
        }
    }
    Ok(Measurement::new(&forth))
}
