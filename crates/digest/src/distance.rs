//! TLSH's own distance: of two digests, and of one to many.
//!
//! The loop over many is compiled twice, and the processor decides which is run: counting bits takes one instruction per
//! word where there is one.

use std::ops::Range;

use lookalike_core::{Axioms, Metric, Near};

use crate::{Digest, digest::Header};

/// TLSH's distance, as a [`Metric`]. It is not a metric: the way from one digest to another may be shorter by a third,
/// because two quartiles cost 2 and three cost 6. It is symmetric, and 0 for equal digests and for no others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tlsh;

impl Metric for Tlsh {
    type Item = Digest;
    type Prepared = Digest;

    fn axioms(&self) -> Axioms {
        Axioms::Semimetric
    }

    fn prepare(&self, item: &Digest) -> Digest {
        *item
    }

    fn distance(&self, a: &Digest, b: &Digest) -> f64 {
        distance(a, b).into()
    }
}

/// The distance that TLSH defines: the costs of length, ratios, checksum and buckets, added up.
///
/// | part | cost |
/// |---|---|
/// | length, d steps apart on a ring of 256 | d up to 1, else 12·d |
/// | each of two ratios, d steps apart on a ring of 16 | d up to 1, else 12·(d−1) |
/// | checksum | 1 if it differs |
/// | each of 128 buckets, d quartiles apart | d, but 6 for three |
#[must_use]
#[inline(always)]
pub fn distance(a: &Digest, b: &Digest) -> u32 {
    header(a.header, b.header) + body(a, b)
}

/// What the parts of two digests cost; their sum is the [`distance`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DistanceParts {
    /// The lengths.
    pub length: u32,
    /// The two ratios of quartiles.
    pub ratios: u32,
    /// The checksums.
    pub checksum: u32,
    /// The buckets.
    pub buckets: u32,
}

impl DistanceParts {
    /// The parts of the distance of two digests.
    ///
    /// ```
    /// use lookalike_digest::{Digest, DistanceParts, distance};
    ///
    /// let files = [7u32, 8].map(|by| (0..3000u32).flat_map(|n| (n * n / by).to_le_bytes()).collect::<Vec<u8>>());
    /// let [a, b] = files.map(|bytes| Digest::of(&bytes).unwrap());
    /// let parts = DistanceParts::of(&a, &b);
    /// assert_eq!(parts.length, 0);
    /// assert_eq!(parts.length + parts.ratios + parts.checksum + parts.buckets, distance(&a, &b));
    /// ```
    #[must_use]
    pub fn of(a: &Digest, b: &Digest) -> Self {
        let [length, ratios, checksum] = header_costs(a.header, b.header).map(u32::from);
        Self {
            length,
            ratios,
            checksum,
            buckets: body(a, b),
        }
    }
}

const LENGTH_COSTS: [u16; 256] = ring_costs(0);
const RATIO_COSTS: [u16; 16] = ring_costs(1);

/// The cost of a difference on a ring: steps up to 1, then 12 for each step after the `free` ones.
const fn ring_costs<const STEPS: usize>(free: u16) -> [u16; STEPS] {
    let mut costs = [0; STEPS];
    let mut difference = 0;
    while difference < STEPS {
        let back = STEPS - difference;
        let steps = if difference < back { difference } else { back } as u16;
        costs[difference] = if steps <= 1 {
            steps
        } else {
            12 * (steps - free)
        };
        difference += 1;
    }
    costs
}

/// What the headers of two digests cost.
#[inline(always)]
fn header(a: Header, b: Header) -> u32 {
    let [length, ratios, checksum] = header_costs(a, b);
    u32::from(length + ratios + checksum)
}

/// What lengths, ratios and checksums cost.
#[inline(always)]
fn header_costs(a: Header, b: Header) -> [u16; 3] {
    let length = LENGTH_COSTS[usize::from(a.length.wrapping_sub(b.length))];
    let ratio = |shift: u8| {
        let difference = (a.ratios >> shift).wrapping_sub(b.ratios >> shift) & 15;
        RATIO_COSTS[usize::from(difference)]
    };
    let checksum = u16::from(a.checksum != b.checksum);
    [length, ratio(0) + ratio(4), checksum]
}

/// What the buckets of two digests cost.
///
/// If only the low bits differ, a bucket costs 1, and if only the high bits do, 2. If both do, the quartiles are 1 and 2,
/// which costs 1, or 0 and 3, which costs 6.
#[inline(always)]
fn body(a: &Digest, b: &Digest) -> u32 {
    let word = |word: usize| {
        let high = a.high[word] ^ b.high[word];
        let low = a.low[word] ^ b.low[word];
        let is_outer = !(a.high[word] ^ a.low[word]);
        low.count_ones() + 2 * (high & !low).count_ones() + 5 * (high & low & is_outer).count_ones()
    };
    word(0) + word(1)
}

/// How many buckets are above the median in one digest and not in the other. The distance is never less.
pub(crate) fn across_the_median(a: &Digest, b: &Digest) -> u32 {
    (a.high[0] ^ b.high[0]).count_ones() + (a.high[1] ^ b.high[1]).count_ones()
}

/// The largest whole distance within a limit, if there is one.
pub(crate) fn whole(limit: f64) -> Option<u32> {
    // NaN is not a limit, and what is too large is cut off by the cast.
    (limit >= 0.0).then_some(limit as u32)
}

/// The distance, if it is within the limit. The header decides for most.
#[inline(always)]
fn within(a: &Digest, b: &Digest, limit: u32) -> Option<u32> {
    let header = header(a.header, b.header);
    if header > limit {
        return None;
    }
    let distance = header + body(a, b);
    (distance <= limit).then_some(distance)
}

/// A loop over digests. It is compiled twice, because its body is inlined where it is run.
trait Scan {
    fn scan(self);
}

/// Runs a loop, compiled for a processor that counts bits if this one does.
fn run(scan: impl Scan) {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("popcnt") {
        // SAFETY: the processor has this instruction.
        #[expect(
            unsafe_code,
            reason = "a call of the same loop, compiled for this processor"
        )]
        return unsafe { run_with_popcnt(scan) };
    }
    scan.scan();
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt")]
fn run_with_popcnt(scan: impl Scan) {
    scan.scan();
}

/// Adds the digests at some places that are near an item.
struct NearAt<'a, P> {
    digests: &'a [Digest],
    item: &'a Digest,
    places: P,
    limit: u32,
    found: &'a mut Vec<Near>,
}

impl<P: Iterator<Item = u32>> Scan for NearAt<'_, P> {
    #[inline(always)]
    fn scan(self) {
        for id in self.places {
            if let Some(distance) = within(self.item, &self.digests[id as usize], self.limit) {
                self.found.push(Near {
                    id,
                    distance: distance.into(),
                });
            }
        }
    }
}

/// Adds those of a row of digests that are near an item; their ids count from the start of the range.
pub(crate) fn near_in(
    digests: &[Digest],
    item: &Digest,
    places: Range<u32>,
    limit: u32,
    found: &mut Vec<Near>,
) {
    // One check for all places.
    let digests = &digests[..places.end as usize];
    run(NearAt {
        digests,
        item,
        places,
        limit,
        found,
    });
}

/// The same for digests at some places.
pub(crate) fn near(
    digests: &[Digest],
    item: &Digest,
    places: &[u32],
    limit: u32,
    found: &mut Vec<Near>,
) {
    run(NearAt {
        digests,
        item,
        places: places.iter().copied(),
        limit,
        found,
    });
}

/// How far apart two digests are in what keys look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Apart {
    /// Buckets that are above the median in one alone.
    pub(crate) bits: u32,
    /// Steps between the lengths.
    pub(crate) length: u32,
}

impl Apart {
    pub(crate) fn of(a: &Digest, b: &Digest) -> Self {
        Self {
            bits: across_the_median(a, b),
            length: a.header.length.abs_diff(b.header.length).into(),
        }
    }
}

/// The distance of two digests, if it is within the limit.
pub(crate) fn pair(a: &Digest, b: &Digest, limit: u32) -> Option<u32> {
    struct Pair<'a>(&'a Digest, &'a Digest, u32, &'a mut Option<u32>);
    impl Scan for Pair<'_> {
        #[inline(always)]
        fn scan(self) {
            *self.3 = within(self.0, self.1, self.2);
        }
    }
    let mut distance = None;
    run(Pair(a, b, limit, &mut distance));
    distance
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Digests,
        generate::{neighbour, random_digest},
    };
    use lookalike_core::{Distances, Pair, conformance::metric_axioms};
    use proptest::prelude::*;
    use tlsh::prelude::*;

    /// The distance of the crate that makes the digests.
    fn reference(a: &Digest, b: &Digest) -> u32 {
        let [a, b] = [a, b].map(|digest| digest.to_string().parse::<tlsh::Tlsh>().unwrap());
        a.compare(&b)
    }

    proptest! {
        #[test]
        fn it_is_the_distance_of_the_reference(seed: u64, changes in 0u32..200, other: u64) {
            let a = random_digest(seed);
            let b = neighbour(&a, changes, other);
            let found = distance(&a, &b);
            prop_assert_eq!(found, reference(&a, &b));
            prop_assert_eq!(found, distance(&b, &a));
            prop_assert!(across_the_median(&a, &b) <= found);
            let far = random_digest(other);
            prop_assert_eq!(distance(&a, &far), reference(&a, &far));
        }

        #[test]
        fn one_to_many_is_one_to_one_many_times(seed: u64, limit in -1f64..80.0) {
            let first = random_digest(seed);
            let mut digests = Digests::default();
            for number in 0..40 {
                digests.push(match number % 4 {
                    0 => random_digest(seed ^ number),
                    _ => neighbour(&first, number as u32, seed ^ number),
                });
            }
            let wanted = |places: &[u32]| -> Vec<(u32, f64)> {
                let near = |&id: &u32| (id, f64::from(distance(&first, &digests.as_slice()[id as usize])));
                places.iter().map(near).filter(|near| near.1 <= limit).collect()
            };
            let pairs = |found: Vec<Near>| -> Vec<(u32, f64)> {
                found.iter().map(|near| (near.id, near.distance)).collect()
            };
            let places: Vec<u32> = (0..40).rev().chain([3, 3]).collect();
            let mut found = Vec::new();
            digests.near(&first, &places, limit, &mut found);
            prop_assert_eq!(pairs(found), wanted(&places));
            let mut found = Vec::new();
            digests.near_in(&first, 3..39, limit, &mut found);
            prop_assert_eq!(pairs(found), wanted(&(3..39).collect::<Vec<_>>()));
            let one = digests.pair(Pair::new(3, 7).unwrap(), limit);
            let between = f64::from(distance(&digests.as_slice()[3], &digests.as_slice()[7]));
            prop_assert_eq!(one, (between <= limit).then_some(between));
        }
    }

    #[test]
    fn it_is_symmetric_and_zero_for_equals_alone() {
        let first = random_digest(1);
        let mut digests: Vec<Digest> = (0..30).map(|n| neighbour(&first, n, n.into())).collect();
        digests.push(first);
        metric_axioms(&Tlsh, &digests).unwrap();
        for (a, b) in digests.iter().zip(&digests[1..]) {
            assert_eq!(distance(a, b) == 0, a == b);
        }
    }

    /// The reason why it claims no axioms: from quartile 0 to 3 in steps is cheaper.
    #[test]
    fn a_way_round_may_be_shorter() {
        let zero = Digest::from_bytes(&[0; 35]).unwrap();
        let with = |byte: u8| {
            let mut bytes = [0; 35];
            bytes[34] = byte;
            Digest::from_bytes(&bytes).unwrap()
        };
        let (one, three) = (with(1), with(3));
        assert_eq!(distance(&zero, &three), 6);
        assert_eq!(distance(&zero, &one) + distance(&one, &three), 3);
    }
}
