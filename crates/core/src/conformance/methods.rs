//! Whether a method finds what it states.

use std::collections::BTreeMap;

use super::{
    Checked, Effort, Violation, kinds,
    plugins::{specimens, task},
    recalls::{self, Found},
    run::Take,
};
use crate::{
    Items, Metric,
    plugin::{Distance, ItemOf, Method},
    random,
};

/// Pairs that are searched together.
const PAIRS: u64 = 16;

/// Checks a method [quickly](Effort::QUICK), with its default parameters: its kind and distance as
/// [`plugin`](super::plugin) does, and that what it finds is right and as much as it states.
///
/// # Errors
/// The first thing that is wrong.
pub fn method<M: Method>() -> Result<Checked, Violation> {
    method_with::<M>(Effort::QUICK, 0)
}

/// [`method`] with another effort and seed.
///
/// # Errors
/// The first thing that is wrong.
pub fn method_with<M: Method>(effort: Effort, seed: u64) -> Result<Checked, Violation> {
    let specimens = specimens::<M::Distance>(seed)?;
    let mut checked = Checked::between(specimens);
    let distance = M::Distance::default();
    let metric = distance.metric()?;
    let task = task::<M::Distance>(specimens);
    let limit = task.limit;
    let visit = |wanted: f64, seed: u64, take: &mut Take<'_, ItemOf<M::Distance>>| {
        let pair = specimens.pair(wanted, seed);
        let [a, b] = [0, 1].map(|place| metric.prepare(pair.item(place)));
        take(metric.distance(&a, &b), pair.item(0), pair.item(1));
    };
    let wanted = recalls::within(&visit, (specimens.nearest(), limit), seed);
    let beyond = match M::Distance::MEASURES[0].is_whole {
        true => limit + 1.0,
        false => limit + 0.02 * (limit - specimens.nearest()),
    };
    // Half of the pairs are about as far apart as the limit allows, a quarter a little farther, the others at all
    // distances.
    let distance_of = |share: f64| match share {
        0.0..0.5 => wanted,
        0.5..0.75 => beyond,
        _ => specimens.at(4.0 * share - 3.0),
    };
    let mut found = Found::new(limit);
    for number in 0..u64::from(effort.draws()) {
        let own = random::derive(seed, number);
        let items = kinds::items_at::<M::Distance>(specimens, PAIRS, own, &distance_of)?;
        let Some(proposal) = M::default().propose(&distance, &items, &task)? else {
            return Ok(checked);
        };
        let built = proposal.parameters.build(&distance, &items, own)?;
        let prepared: Vec<_> = (0..items.count())
            .map(|place| metric.prepare(items.item(place)))
            .collect();
        let truth = |a: u32, b: u32| metric.distance(&prepared[a as usize], &prepared[b as usize]);
        let pairs: BTreeMap<[u32; 2], f64> = match M::Distance::IS_SYMMETRIC {
            true => {
                let pairs = M::pairs(&built, &items, limit).into_iter();
                pairs
                    .map(|it| ([it.pair.a(), it.pair.b()], it.distance))
                    .collect()
            }
            false => BTreeMap::new(),
        };
        let mut answers = BTreeMap::new();
        for a in 0..items.count() as u32 {
            let near = M::query(&built, &items, items.item(a as usize), usize::MAX, limit);
            answers.extend(near.into_iter().map(|it| ([a, it.id], it.distance)));
        }
        for (&[a, b], &found) in pairs.iter().chain(&answers) {
            let truth = truth(a, b);
            if (found - truth).abs() > 1e-9 || truth > limit {
                return Err(Violation::Found {
                    a,
                    b,
                    found,
                    truth,
                    limit,
                });
            }
        }
        let near = recalls::near::<M::Distance>(&metric, &items, limit);
        let near = near.iter().map(|pair| pair.map(|place| place as u32));
        let mut count = (0, [0; 2]);
        for [a, b] in near {
            // Every other pair is asked for the other way round.
            let [ask, other] = if (a / 2).is_multiple_of(2) {
                [a, b]
            } else {
                [b, a]
            };
            let is_answered = answers.contains_key(&[ask, other]);
            let is_found = match M::Distance::IS_SYMMETRIC {
                true => pairs.contains_key(&[a, b]),
                false => answers.contains_key(&[other, ask]),
            };
            count.0 += 1;
            count.1[0] += usize::from(is_answered);
            count.1[1] += usize::from(is_found);
        }
        found.add(proposal.recall, count.0, count.1);
    }
    checked.recall = found.compared(effort)?;
    Ok(checked)
}
