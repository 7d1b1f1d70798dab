use std::collections::BTreeSet;

use lookalike_core::random::derive;

/// Some of the numbers below `all`, each subset as likely as any other; ascending.
///
/// Floyd's way: for each of the last numbers one is drawn up to it, and if that has been drawn before, the number itself.
pub(crate) fn draw(wanted: u64, all: u64, seed: u64) -> Vec<u64> {
    let mut drawn = BTreeSet::new();
    for last in all.saturating_sub(wanted)..all {
        // The remainder of 64 random bits prefers nothing noticeably.
        let number = derive(seed, last) % (last + 1);
        if !drawn.insert(number) {
            drawn.insert(last);
        }
    }
    drawn.into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_where_there_are_fewer() {
        assert_eq!(draw(10, 3, 7), [0, 1, 2]);
        assert_eq!(draw(3, 3, 7), [0, 1, 2]);
        assert!(draw(0, 3, 7).is_empty() && draw(3, 0, 7).is_empty());
    }

    #[test]
    fn every_number_and_every_pair_is_as_likely() {
        const DRAWS: u64 = 20_000;
        let mut pairs = [[0.0f64; 8]; 8];
        for seed in 0..DRAWS {
            let drawn = draw(3, 8, seed);
            assert!(drawn.len() == 3 && drawn.is_sorted());
            for &i in &drawn {
                for &j in &drawn {
                    pairs[i as usize][j as usize] += 1.0;
                }
            }
        }
        for (i, row) in pairs.iter().enumerate() {
            for (j, &count) in row.iter().enumerate() {
                let p = if i == j {
                    3.0 / 8.0
                } else {
                    3.0 / 8.0 * 2.0 / 7.0
                };
                let n = DRAWS as f64;
                let error = (p * (1.0 - p) * n).sqrt();
                assert!((count - p * n).abs() < 4.5 * error, "{i} {j}: {count}");
            }
        }
    }
}
