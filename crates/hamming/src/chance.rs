//! How likely sampled bits are among those that differ.

use lookalike_core::{Bounds, Probability, sampled::exactly};

pub use lookalike_core::sampled::within_flips;

/// The probability that some one of several disjoint groups of bits has at most `flips` of the `differ` that differ.
///
/// Group after group: `left[d]` is the probability that none did so far and d of those that differ are outside.
pub(crate) fn some_within_flips(bits: u32, differ: u32, groups: &[u32], flips: u32) -> f64 {
    if u64::from(differ) < groups.len() as u64 * (u64::from(flips) + 1) {
        return 1.0;
    }
    let mut left = vec![0.0; differ as usize + 1];
    left[differ as usize] = 1.0;
    let (mut outside, mut some) = (bits, 0.0);
    for &group in groups {
        let mut next = vec![0.0; left.len()];
        for (differ, &p) in (0u32..).zip(&left).filter(|(_, p)| **p > 0.0) {
            some += p * within_flips(outside, differ, group, flips);
            for hit in flips + 1..=group.min(differ) {
                next[(differ - hit) as usize] += p * exactly(outside, differ, group, hit);
            }
        }
        left = next;
        outside -= group;
    }
    some.min(1.0)
}

/// Bounds at a distance, from the probability at whole numbers of bits, which falls with them.
pub(crate) fn at(bits: u32, distance: f64, chance: impl Fn(u32) -> f64) -> Bounds {
    let whole = |distance: f64| {
        let differ = distance.clamp(0.0, f64::from(bits)) as u32;
        Probability::saturating(chance(differ))
    };
    let (upper, lower) = (whole(distance.floor()), whole(distance.ceil()));
    // Rounding must not put them out of order.
    Bounds::new(lower.min(upper), upper).expect("in order")
}

trait Smaller {
    fn min(self, other: Self) -> Self;
}

impl Smaller for Probability {
    fn min(self, other: Self) -> Self {
        if other < self { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn groups_are_met_as_often_as_counting_says(
            group in 1u32..4, groups in 1usize..4, rest in 0u32..4, differ in 0u32..14, flips in 0u32..2,
        ) {
            // All ways to place the bits that differ, counted one by one.
            let bits = group * groups as u32 + rest;
            let differ = differ.min(bits);
            let (mut all, mut some) = (0u32, 0u32);
            for code in (0u32..1 << bits).filter(|code| code.count_ones() == differ) {
                all += 1;
                let in_group = |g: u32| (code >> (g * group) & ((1 << group) - 1)).count_ones();
                some += u32::from((0..groups as u32).any(|g| in_group(g) <= flips));
            }
            let found = some_within_flips(bits, differ, &vec![group; groups], flips);
            let wanted = f64::from(some) / f64::from(all);
            prop_assert!((found - wanted).abs() < 1e-12, "{found} {wanted}");
        }
    }

    #[test]
    fn large_codes_lose_no_digits() {
        // With all bits sampled nothing is left to chance.
        assert_eq!(within_flips(4096, 5, 4096, 4), 0.0);
        assert_eq!(within_flips(4096, 5, 4096, 5), 1.0);
        let one = within_flips(4096, 2048, 1, 0);
        assert!((one - 0.5).abs() < 1e-12);
        let some = some_within_flips(4096, 2048, &[64; 64], 0);
        let one = within_flips(4096, 2048, 64, 0);
        assert!(some > 63.9 * one && some < 64.001 * one, "{some} {one}");
    }
}
