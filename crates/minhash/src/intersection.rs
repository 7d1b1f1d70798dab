//! How many elements two sorted sets have in common.
//!
//! Blocks of four against four: sixteen comparisons in four instructions, and no branch that
//! depends on which side is ahead, which random hashes make unpredictable. Where one set is much larger,
//! its elements are searched for instead of read.

/// From this ratio of sizes on it is cheaper to search than to read.
const MUCH_LARGER: usize = 16;

/// |a ∩ b| of two ascending slices without repeats, if it can reach `needed`.
///
/// `None` as soon as too few elements are left; an answer may still be below `needed`.
#[inline]
pub(crate) fn at_least(a: &[u64], b: &[u64], needed: usize) -> Option<usize> {
    let (small, large) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if small.len() < needed {
        return None;
    }
    if large.len() / MUCH_LARGER >= small.len() {
        return Some(by_search(small, large));
    }
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("popcnt") {
        #[expect(unsafe_code, reason = "blocks are 2 to 3 times as fast as the merge")]
        // SAFETY: this processor has AVX2 and POPCNT.
        return unsafe { by_blocks(small, large, needed) };
    }
    by_merge(small, large, needed)
}

/// The plain build, and the twin of [`by_blocks`]: a merge whose steps are sums of comparisons.
fn by_merge(a: &[u64], b: &[u64], needed: usize) -> Option<usize> {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
        if common + (a.len() - i).min(b.len() - j) < needed {
            return None;
        }
    }
    Some(common)
}

/// Four by four.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,popcnt")]
fn by_blocks(a: &[u64], b: &[u64], needed: usize) -> Option<usize> {
    use std::arch::x86_64::{
        __m256i, _mm256_castsi256_pd, _mm256_cmpeq_epi64, _mm256_movemask_pd, _mm256_or_si256,
        _mm256_permute4x64_epi64, _mm256_set_epi64x,
    };
    #[target_feature(enable = "avx2")]
    fn load(four: &[u64; 4]) -> __m256i {
        let [a, b, c, d] = four.map(u64::cast_signed);
        _mm256_set_epi64x(d, c, b, a)
    }
    let (mut i, mut j, mut common) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a[i..].first_chunk::<4>(), b[j..].first_chunk::<4>()) {
        let (of_a, of_b) = (load(x), load(y));
        // Every element of a beside every element of b, which is turned three times.
        let equal = _mm256_or_si256(
            _mm256_or_si256(
                _mm256_cmpeq_epi64(of_a, of_b),
                _mm256_cmpeq_epi64(of_a, _mm256_permute4x64_epi64::<0b00_11_10_01>(of_b)),
            ),
            _mm256_or_si256(
                _mm256_cmpeq_epi64(of_a, _mm256_permute4x64_epi64::<0b01_00_11_10>(of_b)),
                _mm256_cmpeq_epi64(of_a, _mm256_permute4x64_epi64::<0b10_01_00_11>(of_b)),
            ),
        );
        common += _mm256_movemask_pd(_mm256_castsi256_pd(equal)).count_ones() as usize;
        // Past the block that ends first; nothing later on the other side can equal its elements.
        i += 4 * usize::from(x[3] <= y[3]);
        j += 4 * usize::from(y[3] <= x[3]);
        if common + (a.len() - i).min(b.len() - j) < needed {
            return None;
        }
    }
    Some(common + by_merge(&a[i..], &b[j..], needed.saturating_sub(common))?)
}

/// Each element of the small set by a search that gallops on from the one before.
fn by_search(small: &[u64], mut large: &[u64]) -> usize {
    let mut common = 0;
    for x in small {
        let mut step = 1;
        while step < large.len() && large[step] < *x {
            step *= 2;
        }
        // The first that is not below x lies from step/2 to step.
        let from = step / 2;
        let to = large.len().min(step + 1);
        let place = from + large[from..to].partition_point(|y| y < x);
        large = &large[place..];
        common += usize::from(large.first() == Some(x));
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::{collection::btree_set, prelude::*};
    use std::collections::BTreeSet;

    /// Sets of very different sizes, dense enough to have much in common.
    fn set() -> impl Strategy<Value = BTreeSet<u64>> {
        prop_oneof![
            btree_set(0u64..40, 0..30),
            btree_set(0u64..600, 0..500),
            btree_set(
                prop_oneof![Just(0), Just(u64::MAX), 1u64 << 62..1 << 63],
                0..9
            ),
            btree_set(any::<u64>().prop_map(|x| x & !0xff), 0..20),
        ]
    }

    proptest! {
        #[test]
        fn every_way_is_the_definition(a in set(), b in set(), needed in 0usize..40) {
            let common = a.intersection(&b).count();
            let [a, b] = [a, b].map(Vec::from_iter);
            prop_assert_eq!(at_least(&a, &b, 0), Some(common));
            prop_assert_eq!(by_merge(&a, &b, 0), Some(common));
            prop_assert_eq!(by_search(&a, &b), common);
            prop_assert_eq!(by_search(&b, &a), common);
            // Stops only where the number cannot be reached, and both builds answer alike where it can.
            for found in [at_least(&a, &b, needed), at_least(&b, &a, needed), by_merge(&a, &b, needed)] {
                match found {
                    Some(found) => prop_assert_eq!(found, common),
                    None => prop_assert!(common < needed),
                }
            }
        }
    }
}
