//! Whether a method finds what it states.

use super::{
    Checked, Effort, Measurement, Violation,
    evidence::{Level, RECALL, Rates},
    kinds,
    plugins::{specimens, task},
    recalls,
};
use crate::{
    Bounds, Items, Metric, Probability,
    plugin::{Distance, Method},
    random,
};

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
    let checked = Checked {
        farthest: specimens.farthest(),
        ..Checked::default()
    };
    let distance = M::Distance::default();
    let metric = distance.metric()?;
    let task = task::<M::Distance>(specimens.farthest());
    let mut rates = None;
    let mut stated = None;
    for number in 0..u64::from(effort.draws().div_ceil(20)) {
        let own = random::derive(seed, number);
        let items = kinds::items::<M::Distance>(specimens, own)?;
        let Some(proposal) = M::default().propose(&distance, &items, &task)? else {
            return Ok(checked);
        };
        let recall = recalls::stated(proposal.recall);
        let built = proposal.parameters.build(&distance, &items, own)?;
        let prepared: Vec<_> = (0..items.count())
            .map(|place| metric.prepare(items.item(place)))
            .collect();
        let truth = |a: u32, b: u32| metric.distance(&prepared[a as usize], &prepared[b as usize]);
        let all = 0..items.count() as u32;
        let limit = task.limit;
        let near: Vec<[u32; 2]> = all
            .clone()
            .flat_map(|a| (a + 1..all.end).map(move |b| [a, b]))
            .filter(|&[a, b]| truth(a, b) <= limit)
            .collect();
        let found = M::pairs(&built, &items, limit);
        let asked = all.flat_map(|a| {
            let near = M::query(&built, &items, items.item(a as usize), usize::MAX, limit);
            near.into_iter().map(move |it| ([a, it.id], it.distance))
        });
        let pairs = found
            .iter()
            .map(|it| ([it.pair.a(), it.pair.b()], it.distance));
        for ([a, b], found) in pairs.clone().chain(asked) {
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
        let promised = Bounds::new(Probability::saturating(recall), Probability::CERTAIN)?;
        let is_found = |pair: &&[u32; 2]| pairs.clone().any(|(it, _)| it == **pair);
        let share = near.iter().filter(is_found).count() as f64 / near.len().max(1) as f64;
        rates
            .get_or_insert_with(|| Rates::new(near.len()))
            .add(limit, promised, share);
        stated = Some(recall);
    }
    let evidence = rates
        .ok_or(Violation::NothingTested)?
        .evidence(Level::with_share(RECALL, 1));
    match evidence.is_kept {
        true => Ok(checked),
        false => Err(Violation::Recall {
            stated: stated.unwrap_or(0.0),
            measured: Measurement::new(&evidence),
        }),
    }
}
