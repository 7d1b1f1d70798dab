//! PassJoin as in the paper (Li, Deng, Wang, Feng, 2011), without anything added: strings by length, one map per length
//! and part, substrings by the multi-match-aware method, candidates verified one by one.

use std::collections::HashMap;

use rapidfuzz::distance::levenshtein;

/// The pairs of lines within some edits, by bytes.
pub fn join(strings: &[String], edits: usize) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..strings.len()).collect();
    order.sort_by_key(|&place| (strings[place].len(), place));
    let mut index: HashMap<(usize, usize), HashMap<&[u8], Vec<usize>>> = HashMap::new();
    let mut short: Vec<usize> = Vec::new();
    let mut last_met = vec![usize::MAX; strings.len()];
    let mut pairs = Vec::new();
    for place in order {
        let string = strings[place].as_bytes();
        let mut candidates: Vec<usize> = Vec::new();
        let mut meet = |other: usize| {
            if last_met[other] != place {
                last_met[other] = place;
                candidates.push(other);
            }
        };
        short.iter().for_each(|&other| meet(other));
        for length in string.len().saturating_sub(edits).max(edits + 1)..=string.len() {
            for (part, start, letters) in parts(length, edits) {
                let Some(of_part) = index.get(&(length, part)) else {
                    continue;
                };
                let (shift, after) = (string.len() - length, edits - part);
                let first = start.saturating_sub(part).max((start + shift).saturating_sub(after));
                let last = (start + part).min(start + shift + after).min(string.len() - letters);
                for start in first..=last {
                    let same = of_part.get(&string[start..start + letters]);
                    same.into_iter().flatten().for_each(|&other| meet(other));
                }
            }
        }
        let cutoff = levenshtein::Args::default().score_cutoff(edits);
        for other in candidates {
            let other_string = strings[other].bytes();
            if levenshtein::distance_with_args(string.iter().copied(), other_string, &cutoff).is_some() {
                pairs.push((place.min(other), place.max(other)));
            }
        }
        if string.len() <= edits {
            short.push(place);
            continue;
        }
        for (part, start, letters) in parts(string.len(), edits) {
            let of_part = index.entry((string.len(), part)).or_default();
            of_part.entry(&string[start..start + letters]).or_default().push(place);
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Part, start and length of each part of a string.
fn parts(length: usize, edits: usize) -> impl Iterator<Item = (usize, usize, usize)> {
    let count = edits + 1;
    (0..count).map(move |part| {
        let longer = length % count;
        let before = part.saturating_sub(count - longer);
        let own = usize::from(part >= count - longer);
        (part, part * (length / count) + before, length / count + own)
    })
}
