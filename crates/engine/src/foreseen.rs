//! Heavy buckets, found before the first band is joined.
//!
//! Pairs that share a heavy bucket are counted when a light bucket brings them. Which buckets are heavy must be known
//! by then, also those of later bands. A full look at every key takes a tenth of a join, so a sample of the keys names
//! suspects, and only these are counted. A sample can miss a bucket that is barely over the limit. The join compares
//! the foreseen buckets with those that it met, and counts again if they differ.

use std::collections::BTreeMap;

use lookalike_core::mix;
use rayon::prelude::*;

use crate::{Columns, heavy::HeavyKeys};

/// Keys of a bucket at the limit that the sample is expected to hold. More of them would cost more memory accesses than
/// the few buckets that are missed cost later.
const EXPECTED: usize = 16;
/// Counters per sampled key, so that a counter of several keys is rare.
const SPARSE: u64 = 8;

/// The keys of more than `limit` items in each band, with the number of items; almost surely all of them.
pub(crate) fn heavy_keys(columns: &Columns, limit: usize) -> HeavyKeys {
    let bands = (0..columns.bands()).into_par_iter();
    let foreseen = bands.map(|band| of_band(columns.column(band).keys(), limit));
    HeavyKeys::new(foreseen.collect())
}

fn of_band(keys: &[u64], limit: usize) -> BTreeMap<u64, u64> {
    if keys.len() <= limit {
        return BTreeMap::new();
    }
    let stride = (limit / EXPECTED).max(1);
    // 6 if 16 are expected, which hardly any heavy bucket stays below.
    let enough = (3 * limit / stride / 8).clamp(1, 255) as u8;
    let sample = sample(keys, stride);
    let bits = (SPARSE * sample.len() as u64).next_power_of_two();
    let bits = bits.trailing_zeros().max(1);
    let slot = |key: u64| (mix(key) >> (64 - bits)) as usize;
    let mut counters = vec![0u8; 1 << bits];
    for &key in &sample {
        let counter = &mut counters[slot(key)];
        *counter = counter.saturating_add(1);
    }
    let is_suspect = |key: &u64| counters[slot(*key)] >= enough;
    let mut suspects: Vec<u64> = sample.into_iter().filter(is_suspect).collect();
    if suspects.is_empty() {
        return BTreeMap::new();
    }
    suspects.sort_unstable();
    suspects.dedup();
    let mut counts = vec![0u64; suspects.len()];
    for key in keys.iter().filter(|key| is_suspect(key)) {
        if let Ok(suspect) = suspects.binary_search(key) {
            counts[suspect] += 1;
        }
    }
    let counted = suspects.into_iter().zip(counts);
    counted.filter(|&(_, count)| count > limit as u64).collect()
}

/// Keys that are sampled together: those of one line of memory, so that little memory is read.
pub(crate) const TOGETHER: usize = 8;

/// One of `stride` keys, some next to each other from a random place of every run.
fn sample(keys: &[u64], stride: usize) -> Vec<u64> {
    let mut sample = Vec::with_capacity(keys.len() / stride + TOGETHER);
    for (run, number) in keys.chunks(stride * TOGETHER).zip(0..) {
        let start = place(number, run.len().div_ceil(TOGETHER)) * TOGETHER;
        let end = run.len().min(start + TOGETHER);
        sample.extend_from_slice(&run[start..end]);
    }
    sample
}

/// The sampled one of `count` places in a run.
pub(crate) fn place(run: u64, count: usize) -> usize {
    (mix(run) % count as u64) as usize
}

#[cfg(test)]
mod tests {
    use lookalike_core::{KeySource, TooManyKeys};

    use super::*;
    use crate::Join;

    /// Keys of which some occur often, in a shuffled order.
    fn keys(often: &[(u64, usize)], others: u64) -> Vec<u64> {
        let mut keys: Vec<u64> = (0..others).map(|key| mix(key ^ 0xabcd)).collect();
        for &(key, count) in often {
            keys.extend(std::iter::repeat_n(key, count));
        }
        let mut places: Vec<usize> = (0..keys.len()).collect();
        places.sort_by_key(|&place| mix(place as u64));
        places.into_iter().map(|place| keys[place]).collect()
    }

    #[test]
    fn keys_over_the_limit_are_found_and_counted() {
        for limit in [2, 10, 100, 1000] {
            let often = [
                (7, limit + 1),
                (8, limit),
                (9, 3 * limit),
                (u64::MAX, limit - 1),
            ];
            let keys = keys(&often, 20_000);
            let expected = BTreeMap::from([(7, limit as u64 + 1), (9, 3 * limit as u64)]);
            assert_eq!(of_band(&keys, limit), expected, "{limit}");
        }
        assert_eq!(of_band(&keys(&[(7, 999)], 0), 1000), BTreeMap::new());
        assert_eq!(of_band(&[], 2), BTreeMap::new());
    }

    /// Items of two keys.
    struct Given;

    impl KeySource for Given {
        type Item = [u64; 2];
        type Payload = ();
        type Scratch = ();

        fn bands(&self) -> usize {
            2
        }

        fn key_bits(&self) -> u32 {
            64
        }

        fn describe(&self) -> String {
            "Given".into()
        }

        fn keys(
            &self,
            keys: &[u64; 2],
            (): &mut (),
            mut emit: impl FnMut(u32, u64, ()),
        ) -> Result<(), TooManyKeys> {
            (0..).zip(keys).for_each(|(band, &key)| emit(band, key, ()));
            Ok(())
        }
    }

    #[test]
    fn pairs_of_a_heavy_bucket_that_the_sample_misses_are_counted_all_the_same() {
        const LIMIT: usize = 2 * EXPECTED;
        // Of every run in the second band, the half that is not sampled has the key 7.
        let half = TOGETHER as u64;
        let items: Vec<[u64; 2]> = (0..600)
            .map(
                |id: u64| match place(id / (2 * half), 2) as u64 == id / half % 2 {
                    true => [id / 4, 1000 + id],
                    false => [id / 4, 7],
                },
            )
            .collect();
        let columns = Columns::build(&Given, &items).unwrap();
        assert!(heavy_keys(&columns, LIMIT).is_empty());
        let joined = Join::new(&columns).bucket_limit(LIMIT).candidates();
        assert_eq!(joined.summary.heavy_buckets, 1);
        let pairs = (0..items.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let meet = |&(a, b): &(usize, usize)| (0..2).any(|band| items[a][band] == items[b][band]);
        let all = pairs.filter(meet).count();
        let not_compared = (all - joined.found.len()) as u64;
        assert_eq!(joined.summary.not_compared, not_compared);
    }
}
