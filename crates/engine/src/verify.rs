use std::{borrow::Borrow, fmt, sync::OnceLock};

use lookalike_core::{Key, Metric};

use crate::{Pair, Signatures};

/// From a candidate to a match: the distance, if it is small enough.
///
/// A closure is one too. To accept every candidate is
/// [`Join::candidates`](crate::Join::candidates): such pairs are not matches.
pub trait Verify: Sync {
    /// The distance of the pair, if it is a match.
    fn verify(&self, pair: Pair) -> Option<f64>;
}

impl<F: Fn(Pair) -> Option<f64> + Sync> Verify for F {
    fn verify(&self, pair: Pair) -> Option<f64> {
        self(pair)
    }
}

/// Matches by the exact distance of items that are at hand.
///
/// An item is prepared when it first becomes a candidate, once.
pub struct Exact<'a, M: Metric, I> {
    metric: &'a M,
    items: &'a [I],
    limit: f64,
    /// Boxed: most items never become candidates.
    prepared: Vec<OnceLock<Box<M::Prepared>>>,
}

impl<'a, M: Metric, I: Borrow<M::Item>> Exact<'a, M, I> {
    /// Accepts pairs at a distance of at most `limit`.
    #[must_use]
    pub fn new(metric: &'a M, items: &'a [I], limit: f64) -> Self {
        let prepared = items.iter().map(|_| OnceLock::new()).collect();
        Self {
            metric,
            items,
            limit,
            prepared,
        }
    }

    fn prepared(&self, item: u32) -> &M::Prepared {
        let item = item as usize;
        self.prepared[item].get_or_init(|| Box::new(self.metric.prepare(self.items[item].borrow())))
    }
}

impl<M: Metric, I> fmt::Debug for Exact<'_, M, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = f.debug_struct("Exact");
        debug
            .field("items", &self.items.len())
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl<M, I> Verify for Exact<'_, M, I>
where
    M: Metric<Prepared: Send + Sync> + Sync,
    I: Borrow<M::Item> + Sync,
{
    fn verify(&self, pair: Pair) -> Option<f64> {
        self.metric
            .within(self.prepared(pair.a()), self.prepared(pair.b()), self.limit)
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
