//! Hamming distance: of two codes, and of one to many.
//!
//! The loops are compiled twice, and the processor decides which is run: counting bits takes one instruction a word where
//! there is one, and a dozen where a program must do without. For one to many the number of words
//! is a constant of the loop for the usual lengths.

use std::ops::Range;

use lookalike_core::{Metric, Near};
use lookalike_memory::prefetch;

use crate::Codes;

/// How many bits differ, as a [`Metric`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hamming;

impl Metric for Hamming {
    type Item = [u64];
    type Prepared = Box<[u64]>;

    fn prepare(&self, item: &[u64]) -> Box<[u64]> {
        item.into()
    }

    fn distance(&self, a: &Box<[u64]>, b: &Box<[u64]>) -> f64 {
        distance(a, b).into()
    }
}

/// How many bits differ.
///
/// # Panics
/// If the codes have different numbers of words.
#[must_use]
#[inline(always)]
pub fn distance(a: &[u64], b: &[u64]) -> u32 {
    assert_eq!(a.len(), b.len(), "codes of one length");
    let differ = a.iter().zip(b).map(|(a, b)| (a ^ b).count_ones());
    differ.sum()
}

/// The largest whole distance within a limit, if there is one.
pub(crate) fn limit(limit: f64) -> Option<u32> {
    // NaN is no limit, and what is too large is cut off by the cast.
    (limit >= 0.0).then_some(limit as u32)
}

/// See [`Distances::near`](lookalike_core::Distances::near).
pub(crate) fn near(codes: &Codes, item: &[u64], places: &[u32], limit: u32, found: &mut Vec<Near>) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor counts bits.
        #[allow(unsafe_code)]
        return unsafe { near_with_popcnt(codes, item, places, limit, found) };
    }
    near_here_and_there(codes, item, places, limit, found);
}

/// See [`Distances::near_in`](lookalike_core::Distances::near_in).
pub(crate) fn near_in(
    codes: &Codes,
    item: &[u64],
    places: Range<u32>,
    limit: u32,
    found: &mut Vec<Near>,
) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has these instructions.
        #[allow(unsafe_code)]
        return unsafe {
            // Four short codes fit a vector; of a long one the words are counted as fast, and need not be added across.
            if item.len() <= 2 {
                near_in_with_avx2(codes, item, places, limit, found)
            } else {
                near_in_with_popcnt(codes, item, places, limit, found)
            }
        };
    }
    in_a_row(codes, item, places, limit, found);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn near_with_popcnt(
    codes: &Codes,
    item: &[u64],
    places: &[u32],
    limit: u32,
    found: &mut Vec<Near>,
) {
    near_here_and_there(codes, item, places, limit, found);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn near_in_with_avx2(
    codes: &Codes,
    item: &[u64],
    places: Range<u32>,
    limit: u32,
    found: &mut Vec<Near>,
) {
    in_a_row(codes, item, places, limit, found);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn near_in_with_popcnt(
    codes: &Codes,
    item: &[u64],
    places: Range<u32>,
    limit: u32,
    found: &mut Vec<Near>,
) {
    in_a_row(codes, item, places, limit, found);
}

/// Codes that lie one after the other: a few are compared in their first half, and only if one of them is within the
/// limit there, in the other.
#[inline(always)]
fn in_a_row(codes: &Codes, item: &[u64], places: Range<u32>, limit: u32, found: &mut Vec<Near>) {
    match item.len() {
        1 => row_of_width::<1>(codes, item, places, limit, found),
        2 => row_of_width::<2>(codes, item, places, limit, found),
        4 => row_of_width::<4>(codes, item, places, limit, found),
        8 => row_of_width::<8>(codes, item, places, limit, found),
        16 => row_of_width::<16>(codes, item, places, limit, found),
        _ => each_width(codes, item, places, limit, found),
    }
}

#[inline(always)]
fn row_of_width<const WORDS: usize>(
    codes: &Codes,
    item: &[u64],
    places: Range<u32>,
    limit: u32,
    found: &mut Vec<Near>,
) {
    const FEW: usize = 32;
    let item: &[u64; WORDS] = item.try_into().expect("as many words as were matched");
    let (codes, _) = codes.words().as_chunks::<WORDS>();
    let codes = &codes[places.start as usize..places.end as usize];
    let part = |code: &[u64; WORDS], words: Range<usize>| -> u32 {
        words
            .map(|word| (item[word] ^ code[word]).count_ones())
            .sum()
    };
    let half = WORDS.div_ceil(2);
    let (whole, rest) = codes.as_chunks::<FEW>();
    let mut first = places.start;
    for codes in whole {
        let mut distances = [0; FEW];
        for (to, code) in distances.iter_mut().zip(codes) {
            *to = part(code, 0..half);
        }
        let nearest = distances.iter().fold(u32::MAX, |least, &d| least.min(d));
        if nearest <= limit {
            compare(0..FEW as u32, limit, first, found, |place| {
                distances[place] + part(&codes[place], half..WORDS)
            });
        }
        first += FEW as u32;
    }
    compare(0..rest.len() as u32, limit, first, found, |place| {
        part(&rest[place], 0..WORDS)
    });
}

/// Codes that may lie anywhere are asked for some time before they are read.
#[inline(always)]
fn near_here_and_there(
    codes: &Codes,
    item: &[u64],
    places: &[u32],
    limit: u32,
    found: &mut Vec<Near>,
) {
    /// As many as a processor can wait for at a time.
    const AHEAD: usize = 32;
    let words = codes.words();
    let ask = |place: &u32| prefetch(words, *place as usize * item.len());
    places.iter().take(AHEAD).for_each(ask);
    for (number, now) in places.chunks(AHEAD).enumerate() {
        let next = &places[places.len().min((number + 1) * AHEAD)..];
        next.iter().take(AHEAD).for_each(ask);
        each_width(codes, item, now.iter().copied(), limit, found);
    }
}

#[inline(always)]
fn each_width(
    codes: &Codes,
    item: &[u64],
    places: impl Iterator<Item = u32>,
    limit: u32,
    found: &mut Vec<Near>,
) {
    match item.len() {
        1 => one_width::<1>(codes, item, places, limit, found),
        2 => one_width::<2>(codes, item, places, limit, found),
        4 => one_width::<4>(codes, item, places, limit, found),
        8 => one_width::<8>(codes, item, places, limit, found),
        16 => one_width::<16>(codes, item, places, limit, found),
        _ => compare(places, limit, 0, found, |place| {
            distance(item, codes.get(place))
        }),
    }
}

#[inline(always)]
fn one_width<const WORDS: usize>(
    codes: &Codes,
    item: &[u64],
    places: impl Iterator<Item = u32>,
    limit: u32,
    found: &mut Vec<Near>,
) {
    let item: &[u64; WORDS] = item.try_into().expect("as many words as were matched");
    let (codes, rest) = codes.words().as_chunks::<WORDS>();
    assert!(rest.is_empty(), "codes of one length");
    compare(places, limit, 0, found, |place| {
        let code = &codes[place];
        let differ = (0..WORDS).map(|word| (item[word] ^ code[word]).count_ones());
        differ.sum()
    });
}

/// Adds those that are near; their ids count from `first`.
#[inline(always)]
fn compare(
    places: impl Iterator<Item = u32>,
    limit: u32,
    first: u32,
    found: &mut Vec<Near>,
    distance: impl Fn(usize) -> u32,
) {
    for place in places {
        let distance = distance(place as usize);
        if distance <= limit {
            found.push(Near {
                id: first + place,
                distance: distance.into(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_core::{Distances, Items};
    use proptest::prelude::*;

    fn one_by_one(a: &[u64], b: &[u64]) -> u32 {
        let bit = |words: &[u64], place: usize| words[place / 64] >> (place % 64) & 1;
        let differ = (0..a.len() * 64).filter(|&place| bit(a, place) != bit(b, place));
        differ.count() as u32
    }

    proptest! {
        #[test]
        fn one_to_many_is_one_to_one_many_times(
            bits in 1usize..1200, seed in any::<u64>(), far in prop::option::of(-1f64..700.0), near in 0u32..4,
        ) {
            // Some lie exactly at a limit.
            let random = crate::generate::random(bits, 1, seed).unwrap();
            let near = near.min(bits as u32);
            let mut codes = crate::generate::neighbours(&random, near, 20, seed).unwrap().0;
            codes.append(crate::generate::random(bits, 19, seed ^ 1).unwrap()).unwrap();
            codes.append(random.clone()).unwrap();
            let limit = far.unwrap_or(near.into());
            let item = random.get(0);
            let places: Vec<u32> = (0..40).rev().chain([3, 3]).collect();
            let wanted = |places: &[u32]| -> Vec<(u32, f64)> {
                let near = |&id: &u32| (id, f64::from(one_by_one(item, codes.item(id as usize))));
                places.iter().map(near).filter(|near| near.1 <= limit).collect()
            };
            let pairs = |found: Vec<Near>| -> Vec<(u32, f64)> {
                found.iter().map(|near| (near.id, near.distance)).collect()
            };
            let mut found = Vec::new();
            codes.near(item, &places, limit, &mut found);
            prop_assert_eq!(pairs(found), wanted(&places));
            let mut found = Vec::new();
            codes.near_in(item, 3..39, limit, &mut found);
            prop_assert_eq!(pairs(found), wanted(&(3..39).collect::<Vec<_>>()));
            // What another processor would run.
            let mut found = Vec::new();
            if limit >= 0.0 {
                in_a_row(&codes, item, 5..39, limit as u32, &mut found);
            }
            prop_assert_eq!(pairs(found), wanted(&(5..39).collect::<Vec<_>>()));
        }
    }
}
