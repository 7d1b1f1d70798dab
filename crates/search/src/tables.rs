//! Keys in buckets, and the candidates that they bring.

use lookalike_core::{Items, Pair};
use lookalike_engine::{Columns, Id, Join};

use crate::Error;

/// The keys of items, drawn from one seed, in buckets: what experiments look into.
pub trait Tables: Send + Sync {
    /// The candidates. In a bucket with more than `bucket_limit` items not all are compared with each other, if all pairs
    /// are looked for and the keys have no probes.
    ///
    /// # Errors
    /// If an item has too many keys.
    fn candidates(&self, bucket_limit: usize) -> Result<Candidates, Error>;

    /// How many bands there are.
    fn bands(&self) -> usize;

    /// The keys under which items are stored in a band, in any order.
    fn keys(&self, band: usize) -> Vec<u64>;

    /// Bytes of memory that the keys take.
    fn bytes(&self) -> u64;
}

/// Pairs that share a bucket.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Candidates {
    /// The pairs, in ascending order.
    pub pairs: Vec<Pair>,
    /// Pairs that share only buckets over the limit.
    pub not_compared: u64,
}

/// All pairs of items that share a stored key. Not generic, so that it is compiled once.
pub(crate) struct Joined(pub(crate) Columns);

impl Tables for Joined {
    fn candidates(&self, bucket_limit: usize) -> Result<Candidates, Error> {
        let joined = Join::new(&self.0).bucket_limit(bucket_limit).candidates();
        Ok(Candidates {
            pairs: joined.found,
            not_compared: joined.summary.not_compared,
        })
    }

    fn bands(&self) -> usize {
        self.0.bands()
    }

    fn keys(&self, band: usize) -> Vec<u64> {
        let ids = 0..self.0.items() as Id;
        ids.flat_map(|id| self.0.keys(band, id).iter().copied())
            .collect()
    }

    fn bytes(&self) -> u64 {
        let of_band = |band| (0..self.0.items() as Id).map(move |id| self.0.keys(band, id).len());
        let keys: usize = (0..self.bands()).flat_map(of_band).sum();
        keys as u64 * 8
    }
}

/// The first items of a container.
pub(crate) struct First<'a, I> {
    pub(crate) items: &'a I,
    pub(crate) count: usize,
}

impl<T: ?Sized, I: Items<T>> Items<T> for First<'_, I> {
    fn count(&self) -> usize {
        self.count
    }

    fn item(&self, place: usize) -> &T {
        self.items.item(place)
    }
}
