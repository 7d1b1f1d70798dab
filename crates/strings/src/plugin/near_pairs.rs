//! Pairs within the limit, to measure a recall by.

use std::borrow::Cow;

use lookalike_core::{
    Items, Metric,
    plugin::{Distance, Error, Task},
    random,
};

use super::{EditDistance, meetings::places};
use crate::{Edits, PreparedString, Strings, generate::edited};

/// Two strings within the limit.
#[derive(Clone, Debug)]
pub(super) struct NearPair<'a> {
    pub(super) a: Cow<'a, str>,
    pub(super) b: Cow<'a, str>,
    /// Which string was asked for: its pairs are alike.
    pub(super) asked: usize,
    /// How many pairs this one stands for.
    pub(super) weight: f64,
}

/// Strings that are asked for, at most.
const ASKED: usize = 2000;
/// Comparisons, roughly: what takes a twentieth of a second.
const COMPARISONS: usize = 8_000_000;
/// Pairs of one string that are kept.
const KEPT: usize = 16;
/// If fewer strings have others within the limit, pairs are made up.
const ENOUGH: usize = 20;

/// Some strings with all that are within the limit of them; if there are too few, strings with as many random edits as
/// the limit allows.
pub(super) fn near_pairs<'a>(
    distance: &EditDistance,
    items: &'a Strings,
    task: &Task,
) -> Result<Vec<NearPair<'a>>, Error> {
    let count = items.count();
    let metric = distance.metric()?;
    let asked = (COMPARISONS / count.max(1)).clamp(1, ASKED).min(count);
    let prepared: Vec<PreparedString> = (0..count)
        .map(|place| metric.prepare(items.item(place)))
        .collect();
    let mut pairs = Vec::new();
    let mut with_some = 0;
    for place in places(count, asked) {
        let near = neighbours(&metric, &prepared, place, task.limit);
        with_some += usize::from(!near.is_empty());
        let kept = near.len().min(KEPT);
        pairs.extend(places(near.len(), kept).map(|number| NearPair {
            a: items.item(place).into(),
            b: items.item(near[number]).into(),
            asked: place,
            weight: near.len() as f64 / kept as f64,
        }));
    }
    Ok(match with_some < ENOUGH && with_some < count {
        true => made_up(distance, items, task),
        false => pairs,
    })
}

/// The places of all strings within the limit of the one at a place.
fn neighbours(metric: &Edits, all: &[PreparedString], place: usize, limit: f64) -> Vec<usize> {
    let is_near = |other: &usize| {
        *other != place && metric.within(&all[place], &all[*other], limit).is_some()
    };
    (0..all.len()).filter(is_near).collect()
}

/// Strings with as many random edits as the limit allows.
fn made_up<'a>(distance: &EditDistance, items: &'a Strings, task: &Task) -> Vec<NearPair<'a>> {
    const PAIRS: usize = 300;
    /// Bytes of a string that is edited, at most.
    const MOST_BYTES: usize = 1 << 14;
    let count = items.count();
    let pair = |place: usize| {
        let a = items.item(place);
        let mut rng = random::stream(0, place as u64);
        let b = (a.len() <= MOST_BYTES)
            .then(|| edited(a, task.limit as usize, distance.variant, &mut rng))?;
        Some(NearPair {
            a: a.into(),
            b: b.into(),
            asked: place,
            weight: 1.0,
        })
    };
    places(count, count.min(PAIRS)).filter_map(pair).collect()
}
