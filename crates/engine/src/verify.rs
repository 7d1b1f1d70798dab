use lookalike_core::Key;

use crate::{Pair, Signatures};

/// Turns a candidate into a match: the distance, if it is small enough.
///
/// [`Exact::within`](crate::Exact::within) compares items, [`BySignature`] compares signatures, and a closure may do
/// anything else. To accept every candidate use [`Join::candidates`](crate::Join::candidates): such pairs are not matches.
pub trait Verify: Sync {
    /// The distance of the pair, if it is a match.
    fn verify(&self, pair: Pair) -> Option<f64>;
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
