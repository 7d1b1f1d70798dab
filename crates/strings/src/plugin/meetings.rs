//! How many candidates a source of keys will bring, from a sample of the strings.

use lookalike_core::{Items, KeySource, plugin::Task};

use crate::Strings;

/// Strings that are stored, at most.
const STORED: usize = 2000;
/// Strings that are asked for, at most.
const ASKED: usize = 400;
/// Keys of stored strings, roughly at most.
const KEYS: f64 = 100_000.0;

/// How many pairs of a query and a stored string will share a key, if a string has `each` keys. The same strings give
/// the same number.
pub(super) fn meetings<S: KeySource<Item = str>>(
    source: &S,
    each: f64,
    items: &Strings,
    task: &Task,
) -> f64 {
    let count = items.count();
    let few = (KEYS / each.max(1.0)) as usize + 1;
    let (stored, asked) = (count.min(STORED).min(few), count.min(ASKED).min(few));
    if asked == 0 {
        return 0.0;
    }
    let mut scratch = S::Scratch::default();
    let mut keys: Vec<(u32, u64, u32)> = Vec::new();
    for place in places(count, stored) {
        let emit = |band, key, _| keys.push((band, key, place as u32));
        // One with too many keys is refused when all are hashed.
        let _ = source.keys(items.item(place), &mut scratch, emit);
    }
    keys.sort_unstable();
    let (mut met, mut meetings) = (Vec::new(), 0);
    for place in places(count, asked) {
        met.clear();
        let emit = |band, key, _| {
            let first = keys.partition_point(|&(b, k, _)| (b, k) < (band, key));
            let same = keys[first..].iter();
            let same = same.take_while(|&&(b, k, _)| (b, k) == (band, key));
            met.extend(
                same.map(|&(_, _, id)| id)
                    .filter(|&id| id as usize != place),
            );
        };
        let _ = source.probes(items.item(place), &mut scratch, emit);
        met.sort_unstable();
        met.dedup();
        meetings += met.len();
    }
    let queries = task.queries.unwrap_or(count);
    meetings as f64 * (count as f64 / stored as f64) * (queries as f64 / asked as f64)
}

/// How many candidates a join of all pairs has: two strings meet each other, which is one pair.
pub(super) fn joined(meetings: f64, task: &Task) -> f64 {
    match task.queries {
        None => meetings / 2.0,
        Some(_) => meetings,
    }
}

/// `some` places below `count`, spread evenly.
pub(super) fn places(count: usize, some: usize) -> impl Iterator<Item = usize> {
    (0..some).map(move |number| (number as u128 * count as u128 / some as u128) as usize)
}
