//! Pairs at wanted distances, for conformance.

use lookalike_core::random;

use super::{Sets, Texts};
use crate::Weights;

/// Elements of two sets together.
const UNION: u32 = 40;
/// Elements are below it: few enough that permutations of all of them can be drawn.
const ELEMENTS: u32 = 128;

/// Two sets of small numbers: the share `distance` of all elements is in one of them alone.
fn numbers(distance: f64, seed: u64) -> [Vec<u64>; 2] {
    let mut rng = random::stream(seed, 0);
    let all = random::shuffled(ELEMENTS, UNION, &mut rng);
    let all: Vec<u64> = all.into_iter().map(u64::from).collect();
    let apart = (distance * f64::from(UNION)).round() as usize;
    let (alone, common) = all.split_at(apart);
    let (a, b) = alone.split_at(apart / 2);
    // Neither repeats nor the order count in sets.
    let repeated = &common[..common.len().min(3)];
    let [a, mut b] = [a, b].map(|alone| [alone, common, repeated, repeated].concat());
    b.reverse();
    [a, b]
}

/// Two sets.
pub(super) fn sets(distance: f64, seed: u64) -> Sets {
    let mut sets = Sets::default();
    numbers(distance, seed)
        .into_iter()
        .for_each(|set| sets.push(set));
    sets
}

/// Two sets of hashes.
pub(super) fn hashes(distance: f64, seed: u64) -> Sets {
    let mut sets = Sets::default();
    for set in numbers(distance, seed) {
        sets.push(set.into_iter().map(|element| random::derive(seed, element)));
    }
    sets
}

/// Two texts of words that begin alike; the shorter the beginning, the fewer shingles are common.
pub(super) fn texts(distance: f64, seed: u64) -> Texts {
    const WORDS: u64 = 60;
    // Of n words each, c in common: about c/(2n − c) of the shingles.
    let common = (2.0 * WORDS as f64 * (1.0 - distance) / (2.0 - distance)).round() as u64;
    let mut texts = Texts::default();
    for other in 1..=2 {
        let stream = |place| if place < common { 0 } else { other };
        let word = |place| {
            format!(
                "w{}",
                random::derive(random::derive(seed, stream(place)), place) % 1_000_000
            )
        };
        texts.push(&(0..WORDS).map(word).collect::<Vec<String>>().join(" "));
    }
    texts
}

/// Two sets of weights at any scale, the more of them in one set alone the farther apart.
pub(super) fn weights(distance: f64, seed: u64) -> Vec<Weights> {
    const ELEMENTS: u64 = 8;
    let mut rng = random::stream(seed, 0);
    let scale = 10f64.powi(random::below(6, &mut rng) as i32 - 3);
    let [mut a, mut b] = [Vec::new(), Vec::new()];
    for element in 0..ELEMENTS {
        let more = scale * (2.0 + 2.0 * rng.unit());
        let less = more * (1.0 - distance);
        let is_alone = (element as f64) < ELEMENTS as f64 * distance;
        let (in_a, in_b) = match element % 4 {
            0 if is_alone => (more, 0.0),
            0 | 1 => (less, more),
            2 => (more, less),
            _ => (more, more * (1.0 - distance / 2.0)),
        };
        a.push((element, in_a));
        b.push((element, in_b));
    }
    [a, b]
        .map(|pairs| Weights::new(pairs).expect("weights of 0 or more"))
        .into()
}
