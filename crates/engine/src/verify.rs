use lookalike_core::Key;

use crate::{Pair, Signatures};

/// Turns a candidate into a match: the distance, if it is small enough.
///
/// [`Exact::within`](crate::Exact::within) compares items, [`BySignature`] compares signatures, and a closure may do
/// anything else. To accept every candidate use [`Join::candidates`](crate::Join::candidates): such pairs are not matches.
pub trait Verify: Sync {
    /// The distance of the pair, if it is a match.
    fn verify(&self, pair: Pair) -> Option<f64>;

    /// Drops pairs that a quick look shows not to be matches, and may leave others. A join takes this look before it
    /// finds out which pairs an earlier band has found.
    fn drop_far(&self, pairs: &mut Vec<Pair>) {
        let _ = pairs;
    }
}

impl<F: Fn(Pair) -> Option<f64> + Sync> Verify for F {
    fn verify(&self, pair: Pair) -> Option<f64> {
        self(pair)
    }
}

/// Matches by the share of functions on which two signatures disagree.
#[derive(Debug)]
pub struct BySignature<'a, K> {
    signatures: &'a Signatures<K>,
    limit: f64,
}

impl<'a, K: Key> BySignature<'a, K> {
    /// Accepts pairs that disagree on at most the share `limit` of the functions.
    #[must_use]
    pub fn new(signatures: &'a Signatures<K>, limit: f64) -> Self {
        Self { signatures, limit }
    }
}

impl<K: Key + Sync> Verify for BySignature<'_, K> {
    fn verify(&self, pair: Pair) -> Option<f64> {
        let distance = 1.0 - self.signatures.agreement(pair.a(), pair.b());
        (distance <= self.limit).then_some(distance)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Columns, Join};
    use lookalike_core::{KeySource, TooManyKeys};

    /// A number has keys in three bands, one or two in each.
    struct Digits {
        several: bool,
    }

    impl KeySource for Digits {
        type Item = u64;
        type Payload = ();
        type Scratch = ();

        fn bands(&self) -> usize {
            3
        }

        fn key_bits(&self) -> u32 {
            64
        }

        fn describe(&self) -> String {
            "Digits".into()
        }

        fn keys(
            &self,
            &number: &u64,
            (): &mut (),
            mut emit: impl FnMut(u32, u64, ()),
        ) -> Result<(), TooManyKeys> {
            for band in 0..3 {
                let digit = number / 10u64.pow(band) % 10;
                emit(band, digit, ());
                if self.several && digit == 7 {
                    emit(band, 8, ());
                }
            }
            Ok(())
        }
    }

    /// Numbers that differ by at most 100, some of which a quick look tells apart.
    struct Gap {
        looks: bool,
    }

    impl Gap {
        fn gap(pair: Pair) -> u32 {
            pair.b() - pair.a()
        }
    }

    impl Verify for Gap {
        fn verify(&self, pair: Pair) -> Option<f64> {
            (Self::gap(pair) <= 100).then_some(f64::from(Self::gap(pair)))
        }

        fn drop_far(&self, pairs: &mut Vec<Pair>) {
            pairs.retain(|&pair| !self.looks || Self::gap(pair) <= 150);
        }
    }

    #[test]
    fn a_quick_look_changes_no_match() {
        let numbers: Vec<u64> = (0..600).collect();
        for several in [false, true] {
            let columns = Columns::build(&Digits { several }, &numbers).unwrap();
            // Under the small limit all buckets are heavy, and what was not compared is counted.
            for limit in [usize::MAX, 20] {
                let join = Join::new(&columns).bucket_limit(limit);
                let [quick, plain] = [true, false].map(|looks| join.matches(&Gap { looks }));
                assert_eq!(quick.found, plain.found);
                let [a, b] = [&quick, &plain].map(|joined| joined.summary.not_compared);
                assert_eq!(a, b);
                let candidates = [&quick, &plain].map(|joined| joined.summary.candidates);
                assert_eq!(candidates[0] < candidates[1], limit == usize::MAX);
                assert!(limit != usize::MAX || !quick.found.is_empty());
            }
        }
    }
}
